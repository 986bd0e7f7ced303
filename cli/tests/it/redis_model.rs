//! The model of Redis against a real redis-server: random commands on two connections, reply by reply.

use std::time::{SystemTime, UNIX_EPOCH};

use locklab_core::servers::redis::{Outcome, Redis, ScriptBudget, Scripting, Settings, Subscriptions};
use locklab_core::time::LocalTime;
use locklab_core::wire::{ClientId, Command, Reply};

use crate::redis_commands::{Random, command};
use crate::redis_server::{Connection, Server};

/// Commands in a normal run; `LOCKLAB_REDIS_COMMANDS` asks for more.
const COMMANDS: usize = 20_000;
/// After so many commands both start afresh, so that a failure has a short history.
const ROUND: usize = 200;

fn wall_clock() -> LocalTime {
    let micros = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_micros() as i64;
    LocalTime { wall: micros, monotonic: micros }
}

fn number_from(variable: &str) -> Option<usize> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

#[test]
fn random_commands_are_answered_as_a_real_redis_server_answers_them() {
    let commands = number_from("LOCKLAB_REDIS_COMMANDS").unwrap_or(COMMANDS);
    let first = number_from("LOCKLAB_REDIS_ROUND").unwrap_or(0);
    let server = Server::start();
    let mut differences = Vec::new();
    for round in first..first + commands.div_ceil(ROUND) {
        if let Some(difference) = play(&server, round) {
            differences.push(difference);
        }
        if differences.len() == 20 {
            break;
        }
    }
    assert!(
        differences.is_empty(),
        "{}\nrepeat with: LOCKLAB_REDIS_ROUND=<round> LOCKLAB_REDIS_COMMANDS={ROUND} cargo test -p locklab --test it random_commands",
        differences.join("\n\n")
    );
}

/// Plays one round on both, and tells the first difference.
fn play(server: &Server, round: usize) -> Option<String> {
    let mut random = Random(round as u64);
    let mut connections: Vec<Connection> = (0..2).map(|_| server.connect()).collect();
    let flush = ["FLUSHALL", "SCRIPT FLUSH"].map(|line| Command::new(line.split(' ')));
    for command in &flush {
        connections[0].ask(command).expect("the server answers");
    }
    let settings = Settings { subscriptions: Subscriptions::SameConnection, ..Settings::default() };
    // Every other round without remembered scripts.
    let budget = ScriptBudget::default();
    let scripting = if round.is_multiple_of(2) { Scripting::new(budget) } else { Scripting::without_memory(budget) };
    let mut model = Redis::new(settings, scripting);
    let mut history: Vec<String> = Vec::new();
    for _ in 0..ROUND {
        let who = random.below(2);
        let command = command(&mut random);
        let real = connections[who].ask(&command).expect("the server answers");
        let execution = model.execute(wall_clock(), Some(ClientId(who as u16)), &command);
        let modelled = match execution.outcome {
            Outcome::Reply(reply) => reply,
            Outcome::Subscribed(replies) => replies[0].clone(),
            Outcome::Blocked(blocked) => panic!("{command} blocked: {blocked:?}"),
        };
        history.push(format!("{who}> {command}"));
        if !agree(&command, &real, &modelled) {
            let tail = history.len().saturating_sub(12);
            let before = history[tail..].join("\n  ");
            return Some(format!("round {round}:\n  {before}\n    redis {real}\n    model {modelled}"));
        }
    }
    None
}

/// Whether two replies agree, apart from what differs from instant to instant and what Redis leaves to chance.
fn agree(command: &Command, real: &Reply, modelled: &Reply) -> bool {
    match (real, modelled) {
        // What remains of a time to live: the two were asked a moment apart.
        (Reply::Integer(real), Reply::Integer(modelled)) if *real > 1_000_000 && real != modelled => {
            let text = command.to_string().to_uppercase();
            let asks_time = ["TTL", "EXPIRETIME"].iter().any(|name| text.contains(name)) || text == "EXEC";
            asks_time && real.abs_diff(*modelled) < 5_000
        }
        (Reply::Array(real), Reply::Array(modelled)) => {
            real.len() == modelled.len()
                && (real.iter().zip(modelled).all(|(real, modelled)| agree(command, real, modelled))
                    || is_unordered(command) && sorted(real) == sorted(modelled))
        }
        _ => real == modelled,
    }
}

/// KEYS and SMEMBERS answer in the order of a hash table; so may a transaction or a script that contains them.
fn is_unordered(command: &Command) -> bool {
    let text = command.to_string().to_uppercase();
    text.contains("KEYS *") || text.contains("SMEMBERS") || text == "EXEC"
}

fn sorted(items: &[Reply]) -> Vec<Reply> {
    let mut items = items.to_vec();
    items.sort();
    items
}
