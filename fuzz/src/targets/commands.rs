//! Commands for the Redis model: each line is one, from one of two clients, and time passes between them.

use locklab_core::servers::redis::{Redis, ScriptBudget, Scripting, Settings};
use locklab_core::time::LocalTime;
use locklab_core::wire::{ClientId, Command};

use super::Target;

pub const TARGET: Target = Target { name: "commands", samples, words: WORDS, run };

const WORDS: &[&str] = &[
    "SET lock A-1 NX PX 100\n",
    "GET lock\n",
    "DEL lock\n",
    "INCR lock:fence\n",
    "EXPIRE lock 10\n",
    "PEXPIRE lock 10 NX\n",
    "PTTL lock\n",
    "TTL lock\n",
    "SETNX lock x\n",
    "HSET h f 1\n",
    "HINCRBY h f -1\n",
    "HGETALL h\n",
    "ZADD z 1.5 m\n",
    "ZRANGE z 0 -1 WITHSCORES\n",
    "LPUSH l a b\n",
    "BLPOP l 0\n",
    "LRANGE l 0 -1\n",
    "MULTI\n",
    "EXEC\n",
    "WATCH lock\n",
    "DISCARD\n",
    "WAIT 1 0\n",
    "SCRIPT FLUSH\n",
    "SCRIPT LOAD \"return 1\"\n",
    "EVALSHA 00 0\n",
    "SADD s a\n",
    "SUBSCRIBE c\n",
    "PUBLISH c m\n",
    "EVAL \"return redis.call('GET', KEYS[1])\" 1 lock\n",
    "EVAL \"for i = 1, 100 do redis.call('INCR', KEYS[1]) end return {1, 'a', {err = 'X'}}\" 1 n\n",
    "EVAL \"while true do end\" 0\n",
    "EVAL \"return string.rep('a', 1e9)\" 0\n",
    "EVAL \"local t = {} for i = 1, 1e9 do t[i] = i end\" 0\n",
    "NX",
    "XX",
    "PX",
    "EX",
    "KEEPTTL",
    "GET",
    "PXAT",
    "lock",
    " ",
    "\"",
    "\\x00",
];

fn samples() -> Vec<Vec<u8>> {
    WORDS.iter().filter(|word| word.ends_with('\n')).map(|line| line.repeat(2).into_bytes()).collect()
}

fn run(input: &[u8]) {
    // Little, so that an endless script is over soon.
    let budget = ScriptBudget { instructions: 20_000, memory: 4 << 20 };
    let mut redis = Redis::new(Settings::default(), Scripting::new(budget));
    let mut at = 0;
    for (number, line) in input.split(|byte| *byte == b'\n').take(200).enumerate() {
        let now = LocalTime { wall: at, monotonic: at };
        let client = ClientId((number % 2) as u16);
        let execution = redis.execute(now, Some(client), &Command::new(words(line)));
        if execution.reply().is_none() {
            // It blocks: its client gives up.
            redis.disconnect(client);
        }
        if number % 7 == 6 {
            redis.active_expire(now);
        }
        at += 7_000;
    }
}

/// Splits a line at blanks; what stands in double quotes is one word.
fn words(line: &[u8]) -> Vec<Vec<u8>> {
    let mut words = vec![Vec::new()];
    let mut quoted = false;
    for byte in line {
        match byte {
            b'"' => quoted = !quoted,
            b' ' if !quoted => words.push(Vec::new()),
            _ => words.last_mut().expect("there is always a word").push(*byte),
        }
    }
    words
}
