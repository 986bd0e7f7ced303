//! Random commands, weighted to what locks send: few keys, conditions, expiries, scripts, transactions, and mistakes.

use locklab_core::wire::Command;

/// A generator whose numbers follow from its seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Commands with holes: `K` a key, `V` a value, `N` a number, `F` a field or member, `S` a score, `T` a long time to live,
/// `E` a condition of EXPIRE, `L` one of two channels.
///
/// Left out: DBSIZE, which counts expired keys until the server's own cycle finds them, and INCRBYFLOAT, whose last digits are those of an
/// 80-bit sum (`docs/model.md`).
const TEMPLATES: &[&str] = &[
    "SET K V NX PX T",
    "SET K V NX PX T",
    "SET K V NX EX T",
    "SET K V XX PX T",
    "SET K V XX KEEPTTL",
    "SET K V NX GET",
    "SET K V GET",
    "SET K V",
    "SET K V PXAT 33177117420000",
    "SET K V EXAT 33177117420",
    "SET K V PXAT 1",
    "SET K V PX 0",
    "SETNX K V",
    "SETEX K T V",
    "PSETEX K T V",
    "GETSET K V",
    "GET K",
    "GET K",
    "GETDEL K",
    "GETEX K PERSIST",
    "GETEX K PX T",
    "GETEX K EXAT 1",
    "MGET K K K",
    "MSET K V K V",
    "MSETNX K V K V",
    "APPEND K V",
    "STRLEN K",
    "GETRANGE K N N",
    "SETRANGE K N V",
    "INCR K",
    "DECR K",
    "INCRBY K N",
    "DECRBY K N",
    "DEL K",
    "DEL K K",
    "UNLINK K",
    "EXISTS K K",
    "TYPE K",
    "RENAME K K",
    "RENAMENX K K",
    "COPY K K",
    "COPY K K REPLACE",
    "KEYS *",
    "EXPIRE K T",
    "PEXPIRE K T",
    "PEXPIRE K T E",
    "EXPIRE K T E",
    "EXPIREAT K 33177117420 E",
    "PEXPIREAT K 33177117420123 E",
    "PEXPIREAT K 33177117999999 E",
    "PEXPIRE K 0",
    "PEXPIRE K -1",
    "EXPIREAT K 1",
    "PERSIST K",
    "TTL K",
    "PTTL K",
    "PEXPIRETIME K",
    "EXPIRETIME K",
    "HSET K F V",
    "HSET K F V F V",
    "HMSET K F V",
    "HSETNX K F V",
    "HGET K F",
    "HMGET K F F",
    "HGETALL K",
    "HKEYS K",
    "HVALS K",
    "HLEN K",
    "HEXISTS K F",
    "HSTRLEN K F",
    "HDEL K F",
    "HDEL K F F",
    "HINCRBY K F N",
    "LPUSH K V",
    "RPUSH K V V",
    "LPUSHX K V",
    "RPUSHX K V",
    "LPOP K",
    "RPOP K",
    "LPOP K N",
    "LLEN K",
    "LINDEX K N",
    "LRANGE K N N",
    "LREM K N V",
    "LSET K N V",
    "LTRIM K N N",
    "LPOS K V",
    "LINSERT K BEFORE V V",
    "LINSERT K AFTER V V",
    "LMOVE K K LEFT RIGHT",
    "RPOPLPUSH K K",
    "SADD K F",
    "SADD K F F N",
    "SREM K F",
    "SCARD K",
    "SISMEMBER K F",
    "SMISMEMBER K F F",
    "SMEMBERS K",
    "ZADD K S F",
    "ZADD K S F S F",
    "ZADD K NX S F",
    "ZADD K XX CH S F",
    "ZADD K GT CH S F",
    "ZADD K LT S F S F",
    "ZADD K INCR S F",
    "ZADD K NX INCR S F",
    "ZADD K GT LT S F",
    "ZINCRBY K S F",
    "ZREM K F F",
    "ZCARD K",
    "ZSCORE K F",
    "ZRANK K F",
    "ZREVRANK K F",
    "ZCOUNT K S S",
    "ZRANGE K N N",
    "ZRANGE K N N WITHSCORES",
    "ZRANGE K N N REV",
    "ZRANGE K S S BYSCORE LIMIT N N",
    "ZRANGE K S S BYSCORE REV WITHSCORES",
    "ZREVRANGE K N N",
    "ZRANGEBYSCORE K S S",
    "ZRANGEBYSCORE K (S (S WITHSCORES LIMIT N N",
    "ZRANGEBYSCORE K -inf +inf",
    "ZREVRANGEBYSCORE K S S",
    "ZREMRANGEBYRANK K N N",
    "ZREMRANGEBYSCORE K S S",
    "ZPOPMIN K",
    "ZPOPMAX K N",
    "MULTI",
    "MULTI",
    "EXEC",
    "EXEC",
    "EXEC",
    "DISCARD",
    "WATCH K",
    "WATCH K K",
    "UNWATCH",
    "PUBLISH L V",
    "PUBSUB NUMSUB L",
    "SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db",
    "SCRIPT FOO",
    "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0",
    "EVALSHA abc 0",
    "PING",
    "ECHO V",
    "FLUSHALL",
    "NOSUCH V",
    "CLIENT GETNAME",
    "CLIENT SETNAME F",
    "AUTH V",
    "AUTH V V",
    "SELECT N",
    "ROLE",
    "WAIT 0 N",
    "TOUCH K K",
];

/// Scripts with the number of keys that they take; the rest of the words are their arguments.
const SCRIPTS: &[(&str, usize, &str)] = &[
    ("if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end", 1, "K V"),
    (
        "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) else return 0 end",
        1,
        "K V T",
    ),
    (
        "if (redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then \
         redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; \
         return redis.call('type', KEYS[1]);",
        1,
        "K T F",
    ),
    (
        "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil; end; \
         local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1); \
         if (counter > 0) then redis.call('pexpire', KEYS[1], ARGV[2]); return 0; \
         else redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1; end; return nil;",
        2,
        "K L V T F",
    ),
    ("local r = redis.pcall('incr', KEYS[1]) if type(r) == 'table' then return r.err end return r", 1, "K"),
    ("redis.call('set', KEYS[1], ARGV[1]) redis.call('incr', KEYS[1]) return 'end'", 1, "K V"),
    ("return {redis.call('get', KEYS[1]), redis.call('exists', KEYS[1]), 1.5, 'a', false, {ok='X'}, 3}", 1, "K"),
    ("local ok, e = pcall(redis.call, 'hget', KEYS[1], 'f') return {ok and 'yes' or 'no', e or 'nothing'}", 1, "K"),
    ("return redis.error_reply(ARGV[1])", 0, "V"),
    ("return redis.status_reply(ARGV[1])", 0, "V"),
    ("return redis.sha1hex(ARGV[1])", 0, "V"),
    ("return tonumber(ARGV[1])", 0, "N"),
    ("return tostring(tonumber(ARGV[1]))", 0, "S"),
    ("return ARGV[1] + 1", 0, "V"),
    ("local x = {}\nfor i = 1, 3 do\n  x[i] = redis.call('rpush', KEYS[1], i)\nend\nreturn x", 1, "K"),
    ("local z = redis.call('zrange', KEYS[1], 0, -1, 'WITHSCORES') return #z", 1, "K"),
    ("return redis.call('zadd', KEYS[1], 1.5, 'half')", 1, "K"),
    ("local function f(k) return redis.call('lpop', k) end\nlocal v = f(KEYS[1])\nreturn v", 1, "K"),
    ("undefined = 1", 0, ""),
    ("return undefined", 0, ""),
    ("return #KEYS + #ARGV", 1, "K V V"),
    ("this is not lua", 0, ""),
    ("return {err = 'NOPE no'}", 0, ""),
    ("error({err = 'NOPE no'})", 0, ""),
    ("error('plain')", 0, ""),
    ("local t = nil\nreturn t.x", 0, ""),
    ("return redis.call('subscribe', 'x')", 0, ""),
    ("return redis.call('get')", 0, ""),
    ("return redis.call('get', {})", 0, ""),
    ("return redis.pcall()", 0, ""),
    ("return {1, 2, nil, 4}", 0, ""),
    ("return {{}, {1, {2}}, 'x'}", 0, ""),
    ("#!lua flags=no-writes\nreturn redis.call('set', 'a', 'b')", 0, ""),
    ("#!lua\nreturn redis.call('get', KEYS[1])", 1, "K"),
    ("return string.format('%s %5.2f %d %q', ARGV[1], 1.005, 42, 'q')", 0, "V"),
    ("return table.concat({1, 2, 3}, ARGV[1])", 0, "V"),
    ("return ({string.find(ARGV[1], '(%w+)')})", 0, "V"),
];

const VALUES: &[&str] = &[
    "a",
    "b",
    "A-1",
    "B-1",
    "1",
    "10",
    "-5",
    "0",
    "abc",
    "1.5",
    "",
    " 5",
    "9223372036854775807",
    "tok en",
    "1e3",
    "-0",
];
const NUMBERS: &[&str] =
    &["0", "1", "2", "-1", "-2", "5", "100", "x", "1.5", "", "9223372036854775807", "-9223372036854775808"];
const FIELDS: &[&str] = &["f", "g", "A-1", "B-1", "1"];
const SCORES: &[&str] = &["0", "1", "2", "2.5", "-1", "0.1", "1e3", "x", "inf", "-inf", "nan", "1700000000123", "3.0"];
const CONDITIONS: &[&str] = &["NX", "XX", "GT", "LT", "nx", "FOO"];
const KEYS: &[&str] = &["k1", "k2", "k3", "k4"];

/// A random command that does not depend on the instant at which it runs.
pub fn command(random: &mut Random) -> Command {
    loop {
        let words = words(random);
        if !expires_soon(&words) {
            return Command::new(&words);
        }
    }
}

fn words(random: &mut Random) -> Vec<String> {
    match random.below(10) {
        0 | 1 => script(random),
        // Any command as a script's.
        2 => {
            let source = random.pick(&["return redis.call(unpack(ARGV))", "return redis.pcall(unpack(ARGV))"]);
            let inner = simple(random);
            ["EVAL".into(), source.into(), "0".into()].into_iter().chain(inner).collect()
        }
        _ => simple(random),
    }
}

fn script(random: &mut Random) -> Vec<String> {
    let (source, keys, arguments) = SCRIPTS[random.below(SCRIPTS.len())];
    let verb = if random.below(8) == 0 { "EVAL_RO" } else { "EVAL" };
    let words = [verb.to_string(), source.to_string(), keys.to_string()];
    words.into_iter().chain(fill(random, arguments)).collect()
}

/// A command from a template, in one of eight cases with a mistake.
fn simple(random: &mut Random) -> Vec<String> {
    let template = random.pick(TEMPLATES);
    let mut words = fill(random, template);
    match random.below(24) {
        0 => {
            words.pop();
        }
        1 => {
            let more = random.pick(&["NX", "GET", "KEEPTTL", "extra", "WITHSCORES", "1", "CH"]);
            words.push(more.into());
        }
        2 if words.len() > 1 => {
            let index = 1 + random.below(words.len() - 1);
            words[index] = random.pick(VALUES).into();
        }
        _ => {}
    }
    if words.is_empty() {
        words.push("PING".into());
    }
    if random.below(8) == 0 {
        words[0] = words[0].to_lowercase();
    }
    words
}

fn fill(random: &mut Random, template: &str) -> Vec<String> {
    let holes = template.split_whitespace();
    let words = holes.map(|hole| match hole {
        "K" => random.pick(KEYS).into(),
        "V" => random.pick(VALUES).into(),
        "N" => random.pick(NUMBERS).into(),
        "F" => random.pick(FIELDS).into(),
        "S" => random.pick(SCORES).into(),
        "(S" => format!("({}", random.pick(SCORES)),
        "T" => (10_000_000 + random.below(1_000_000_000)).to_string(),
        "E" => random.pick(CONDITIONS).into(),
        "L" => random.pick(&["ch1", "ch2"]).into(),
        word => word.into(),
    });
    words.collect()
}

/// Whether the command may set an expiry that falls into the test.
fn expires_soon(words: &[String]) -> bool {
    const RELATIVE: &[&str] = &["PX", "EX", "EXPIRE", "PEXPIRE", "SETEX", "PSETEX"];
    let sets = words.iter().any(|word| RELATIVE.contains(&word.to_uppercase().as_str()) || word.contains("pexpire"));
    sets && words.iter().skip(1).any(|word| word.parse::<i64>().is_ok_and(|number| (1..10_000_000).contains(&number)))
}
