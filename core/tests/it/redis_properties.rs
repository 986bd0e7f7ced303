//! Properties of the model of Redis over random commands.

use locklab_core::servers::redis::{Link, Redis, ScriptBudget, Scripting, Settings};
use locklab_core::time::{LocalClock, LocalTime, Time};
use locklab_core::wire::{ClientId, Command, NodeId};
use proptest::prelude::*;

/// Scripts that read, write, branch on values, read the clock, fail half way.
const SCRIPTS: &[&str] = &[
    "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end",
    "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) else return 0 end",
    "local left = redis.call('pttl',KEYS[1]) if left > 20 then redis.call('incr','long') end return left",
    "redis.call('set',KEYS[1],ARGV[1]) redis.call('incr',KEYS[1]) return redis.call('time')",
    "local r = redis.pcall('hincrby',KEYS[1],ARGV[1],1) if type(r)=='table' then return r.err end return r",
    "return redis.call('zadd','queue',redis.call('time')[1],ARGV[1])",
    "if redis.call('get',KEYS[1])=='1' then return redis.call('set',KEYS[1],ARGV[2],'px',30) end return ARGV[1]",
    "local n = redis.call('incr',KEYS[1]) if redis.call('get','a')==ARGV[1] then redis.call('set','b',n) end return n",
    "local n = redis.call('exists',KEYS[1]) for i = 0, n do redis.call('rpush','log',i) end return n",
];

/// One command of one client, and the milliseconds that pass before it.
fn step() -> impl Strategy<Value = (u8, ClientId, Command)> {
    let key = prop::sample::select(vec!["a", "b"]);
    let value = prop::sample::select(vec!["1", "A", "B"]);
    let millis = prop::sample::select(vec!["5", "30", "100", "0"]);
    let kind = 0..20_usize;
    (0..40_u8, 0..2_u16, kind, key, value, millis).prop_map(|(passed, client, kind, key, value, millis)| {
        let words: Vec<&str> = match kind {
            0 | 1 => vec!["SET", key, value, "NX", "PX", millis],
            2 => vec!["SET", key, value],
            3 => vec!["DEL", key],
            4 => vec!["PEXPIRE", key, millis],
            5 => vec!["GET", key],
            6 => vec!["HSET", key, "f", value],
            7 => vec!["HDEL", key, "f"],
            8 => vec!["RPUSH", key, value],
            9 => vec!["LPOP", key],
            10 => vec!["RENAME", key, "b"],
            11 => vec!["MULTI"],
            12 => vec!["EXEC"],
            13 => vec!["WATCH", key],
            14 => vec!["COPY", key, "a", "REPLACE"],
            15 => vec!["PERSIST", key],
            kind => {
                vec!["EVAL", SCRIPTS[(kind * 3 + value.len() + millis.len()) % SCRIPTS.len()], "1", key, value, millis]
            }
        };
        (passed, ClientId(client), Command::new(words))
    })
}

fn at(millis: i64) -> LocalTime {
    LocalTime { wall: millis * 1_000, monotonic: millis * 1_000 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn remembered_scripts_do_what_interpreted_ones_do(steps in prop::collection::vec(step(), 1..40)) {
        let budget = ScriptBudget::default();
        let shared = Scripting::new(budget);
        let mut now = 0;
        let mut interpreted = Redis::new(Settings::default(), Scripting::without_memory(budget));
        // The second of these runs along what the first one left behind.
        let mut remembered = [0, 1].map(|_| Redis::new(Settings::default(), shared.clone()));
        for (passed, client, command) in &steps {
            now += i64::from(*passed);
            let expected = interpreted.execute(at(now), Some(*client), command);
            for redis in &mut remembered {
                prop_assert_eq!(&redis.execute(at(now), Some(*client), command), &expected, "{}", command);
            }
        }
        prop_assert!(remembered[0] == interpreted && remembered[1] == interpreted);
    }

    #[test]
    fn a_replica_that_has_the_whole_stream_shows_what_its_master_shows(steps in prop::collection::vec(step(), 1..60)) {
        let scripting = Scripting::default();
        let mut master = Redis::new(Settings::default(), scripting.clone());
        let mut replica = Redis::new(Settings::default(), scripting);
        replica.replicate_from(NodeId(0));
        replica.set_link(Link::Up);
        let (clock, mut now) = (LocalClock::default(), 0);
        for (passed, client, command) in &steps {
            now += i64::from(*passed);
            for effect in master.execute(at(now), Some(*client), command).effects {
                replica.apply(at(now), &effect);
            }
            let seen_at = Time(now as u64 * 1_000);
            prop_assert_eq!(replica.records(&clock, seen_at), master.records(&clock, seen_at), "{}", command);
            prop_assert_eq!(replica.offset(), master.offset());
        }
    }

    #[test]
    fn a_clone_lives_its_own_life(before in prop::collection::vec(step(), 0..20), after in prop::collection::vec(step(), 1..10)) {
        let mut redis = Redis::default();
        let mut now = 0;
        for (passed, client, command) in &before {
            now += i64::from(*passed);
            redis.execute(at(now), Some(*client), command);
        }
        let (kept, mut other) = (redis.clone(), redis.clone());
        for (passed, client, command) in &after {
            now += i64::from(*passed);
            other.execute(at(now), Some(*client), command);
        }
        prop_assert!(redis == kept);
    }
}
