//! Lua: runs one script in an interpreter of its own.
//!
//! A script is a pure function from its keys, its arguments and the replies of its commands to the next command, and at last to a
//! result. The interpreter is made for one run and dropped after it, so nothing can survive a call. Instructions and memory are bounded
//! and counted, not timed: a script that exceeds its budget does so at the same instruction everywhere.

use std::cell::RefCell;

use omnilua::{Function, Lua, LuaVersion, SandboxConfig, Table, TripReason, Value, Variadic};

use super::convert::{array_of, reply_of, value_of, word_of};
use super::libraries;
use crate::wire::{Bytes, Reply};

/// How much a script may do before it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScriptBudget {
    /// Instructions of the Lua machine.
    pub instructions: u64,
    /// Bytes of memory.
    pub memory: usize,
}

/// Five million instructions, far more than a lock needs and well under a second; 64 MiB.
impl Default for ScriptBudget {
    fn default() -> ScriptBudget {
        ScriptBudget { instructions: 5_000_000, memory: 64 << 20 }
    }
}

/// What a script is run for: its commands go to the host.
pub(super) trait Host {
    /// Runs one command and returns its reply, which may be an error.
    fn run(&mut self, words: Vec<Bytes>) -> Reply;
}

/// A run's words: the script with its keys and arguments.
pub(super) struct Program<'a> {
    pub(super) source: &'a [u8],
    pub(super) keys: &'a [Bytes],
    pub(super) arguments: &'a [Bytes],
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With this reply.
    Reply(Reply),
    /// With an error: the text, its code first, and the line if it is known.
    Failed {
        /// The code and the text.
        error: String,
        /// The line of the script.
        line: Option<i64>,
    },
    /// It could not be compiled; the text says why.
    Malformed(String),
}

const PRELUDE: &str = include_str!("prelude.lua");

/// Compiles a script without running it.
pub(super) fn compile(source: &[u8]) -> Result<(), String> {
    let lua = Lua::new_versioned(LuaVersion::V51);
    match lua.load(source).set_name("@user_script").into_function() {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs a script to its end.
pub(super) fn run(program: &Program<'_>, budget: ScriptBudget, host: &mut dyn Host) -> Ending {
    let lua = Lua::new_versioned(LuaVersion::V51);
    match run_in(&lua, program, budget, host) {
        Ok(ending) => ending,
        Err((error, stopped)) => Ending::Failed { error: stopped_text(&error.to_string(), stopped), line: None },
    }
}

type Stopped = (omnilua::Error, Option<TripReason>);

fn run_in(lua: &Lua, program: &Program<'_>, budget: ScriptBudget, host: &mut dyn Host) -> Result<Ending, Stopped> {
    let limits = SandboxConfig {
        instruction_limit: Some(budget.instructions),
        memory_limit_bytes: Some(budget.memory),
        // A string can double in three instructions.
        check_interval: 3,
        remove_globals: Vec::new(),
    };
    let without_reason = |error| (error, None);
    let prelude = lua.load(PRELUDE).set_name("=prelude").into_function().map_err(without_reason)?;
    let sandbox = lua.install_sandbox(limits).map_err(without_reason)?;
    let host = RefCell::new(host);
    let outcome = lua.scope(|scope| {
        let functions = libraries::functions(lua)?;
        let redis = libraries::redis(lua)?;
        redis.set(
            "call",
            scope.create_function(lua, |lua, words: Variadic<Value>| {
                let reply = call(lua, &host, words)?;
                match failure_of(&reply) {
                    Some(failure) => Err(raise(lua, failure)),
                    None => Ok(reply),
                }
            })?,
        )?;
        redis.set("pcall", scope.create_function(lua, |lua, words: Variadic<Value>| call(lua, &host, words))?)?;
        functions.get::<_, Table>("libraries")?.set("redis", redis)?;
        functions.set("source", lua.create_string(program.source)?)?;
        functions.set("keys", array_of(lua, program.keys)?)?;
        functions.set("arguments", array_of(lua, program.arguments)?)?;
        let results: Variadic<Value> = prelude.call(functions)?;
        ending_of(results.into_vec())
    });
    outcome.map_err(|error| (error, sandbox.tripped()))
}

/// Runs one command of the script. What cannot be sent to the host fails here.
fn call(lua: &Lua, host: &RefCell<&mut dyn Host>, words: Variadic<Value>) -> omnilua::Result<Value> {
    let words = words.into_vec();
    if words.is_empty() {
        return value_of(lua, &Reply::Error("ERR Please specify at least one argument for this redis lib call".into()));
    }
    let words: omnilua::Result<Option<Vec<Bytes>>> = words.iter().map(word_of).collect();
    let Some(words) = words? else {
        return value_of(lua, &Reply::Error("ERR Lua redis lib command arguments must be strings or integers".into()));
    };
    let reply = host.borrow_mut().run(words);
    value_of(lua, &reply)
}

/// The error table that a failed command returns.
fn failure_of(value: &Value) -> Option<&Table> {
    let Value::Table(table) = value else { return None };
    matches!(table.raw_get("err"), Ok(Value::String(_))).then_some(table)
}

/// An error whose value is this table.
fn raise(lua: &Lua, failure: &Table) -> omnilua::Error {
    let raised = lua.globals().get::<_, Function>("error").and_then(|error| error.call::<_, Value>((failure, 0)));
    raised.expect_err("`error` never returns")
}

/// Reads what the prelude returned.
fn ending_of(results: Vec<Value>) -> omnilua::Result<Ending> {
    let mut results = results.into_iter();
    let kind = match results.next() {
        Some(Value::String(kind)) => kind.as_bytes()?,
        _ => Vec::new(),
    };
    let result = results.next().unwrap_or(Value::Nil);
    Ok(match (kind.as_slice(), &result) {
        (b"done", _) => Ending::Reply(reply_of(&result, 0)?),
        (b"failed", Value::Table(failure)) => {
            let error = text(&failure.raw_get("err")?)?;
            let line = match failure.raw_get("line")? {
                Value::Integer(line) => Some(line),
                Value::Number(line) => Some(line as i64),
                _ => None,
            };
            Ending::Failed { error, line }
        }
        (b"failed", _) => Ending::Failed { error: "ERR unknown error".into(), line: None },
        _ => Ending::Malformed(text(&result)?),
    })
}

fn text(value: &Value) -> omnilua::Result<String> {
    match value {
        Value::String(text) => Ok(String::from_utf8_lossy(&text.as_bytes()?).into_owned()),
        _ => Ok("unknown error".into()),
    }
}

/// A real server would answer BUSY until an operator kills the script; here the budget is the operator.
fn stopped_text(error: &str, stopped: Option<TripReason>) -> String {
    match stopped {
        Some(TripReason::Instructions) => "ERR Script killed by user with SCRIPT KILL...".into(),
        Some(TripReason::Memory) => "ERR not enough memory".into(),
        None => format!("ERR {error}"),
    }
}
