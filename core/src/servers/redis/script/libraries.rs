//! What Redis adds to Lua: the `redis` table, and functions that must be the same on every platform.

use std::cell::Cell;

use omnilua::{Lua, LuaError, Table, Value, Variadic};
use sha1::{Digest, Sha1};

use super::convert::single_field;

/// The functions of `math` that are computed differently by different platforms. A run must not depend on them.
const TRANSCENDENTAL: &[&str] =
    &["acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "log", "log10", "pow", "sin", "sinh", "tan", "tanh"];

/// Libraries of Redis that no lock needs; whoever calls them is told so.
const NOT_MODELLED: &[&str] = &["bit", "cjson", "cmsgpack", "struct"];

/// What the prelude gets: `libraries` to add, and `mathematics` to replace.
pub(super) fn functions(lua: &Lua) -> omnilua::Result<Table> {
    let libraries = lua.create_table()?;
    for name in NOT_MODELLED {
        let missing = lua.create_table()?;
        let behaviour = lua.create_table()?;
        let refuse = lua.create_function(move |_, _: Variadic<Value>| -> omnilua::Result<Value> {
            Err(LuaError::runtime(format_args!("the library '{name}' is not modelled")).into())
        })?;
        behaviour.set("__index", refuse)?;
        missing.set_metatable(Some(&behaviour))?;
        libraries.set(*name, missing)?;
    }
    let mathematics = lua.create_table()?;
    for name in TRANSCENDENTAL {
        let refuse = lua.create_function(move |_, _: Variadic<Value>| -> omnilua::Result<Value> {
            Err(LuaError::runtime(format_args!("math.{name} is refused: its result differs between platforms")).into())
        })?;
        mathematics.set(*name, refuse)?;
    }
    add_random(lua, &mathematics)?;
    let functions = lua.create_table()?;
    functions.set("libraries", libraries)?;
    functions.set("mathematics", mathematics)?;
    functions.set("nan", f64::NAN)?;
    Ok(functions)
}

/// The `redis` table, except for `call` and `pcall`.
pub(super) fn redis(lua: &Lua) -> omnilua::Result<Table> {
    let redis = lua.create_table()?;
    for (name, value) in [
        ("LOG_DEBUG", 0),
        ("LOG_VERBOSE", 1),
        ("LOG_NOTICE", 2),
        ("LOG_WARNING", 3),
        ("REPL_NONE", 0),
        ("REPL_AOF", 1),
        ("REPL_REPLICA", 2),
        ("REPL_SLAVE", 2),
        ("REPL_ALL", 3),
        ("REDIS_VERSION_NUM", 0x0007_000f),
    ] {
        redis.set(name, value)?;
    }
    redis.set("REDIS_VERSION", "7.0.15")?;
    let sha1hex = |lua: &Lua, arguments: Variadic<Value>| match arguments.into_vec().as_slice() {
        [argument] => {
            let bytes = super::convert::word_of(argument)?.unwrap_or_else(|| "".into());
            Ok(Value::String(lua.create_string(hex_digest(&bytes))?))
        }
        _ => Err(LuaError::runtime(format_args!("wrong number of arguments")).into()),
    };
    redis.set("sha1hex", lua.create_function(sha1hex)?)?;
    redis.set("error_reply", lua.create_function(|lua, arguments| single_text(lua, arguments, error_table))?)?;
    let status = |lua: &Lua, text: &str| single_field(lua, "ok", text);
    redis.set("status_reply", lua.create_function(move |lua, arguments| single_text(lua, arguments, status))?)?;
    let log = |_: &Lua, arguments: Variadic<Value>| match arguments.into_vec().len() {
        0 | 1 => Err(LuaError::runtime(format_args!("redis.log() requires two arguments or more.")).into()),
        _ => Ok(()),
    };
    redis.set("log", lua.create_function(log)?)?;
    redis.set("replicate_commands", lua.create_function(|_, _: Variadic<Value>| Ok(true))?)?;
    for name in ["setresp", "set_repl", "breakpoint", "debug"] {
        redis.set(name, lua.create_function(|_, _: Variadic<Value>| Ok(()))?)?;
    }
    Ok(redis)
}

/// The SHA-1 of a script, in hexadecimal.
pub(super) fn hex_digest(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn single_text(
    lua: &Lua,
    arguments: Variadic<Value>,
    make: impl Fn(&Lua, &str) -> omnilua::Result<Value>,
) -> omnilua::Result<Value> {
    match arguments.into_vec().as_slice() {
        [Value::String(text)] => make(lua, &String::from_utf8_lossy(&text.as_bytes()?)),
        _ => single_field(lua, "err", "ERR wrong number or type of arguments"),
    }
}

/// An error table; a text of one word is no code and gets `ERR` before it.
fn error_table(lua: &Lua, text: &str) -> omnilua::Result<Value> {
    let text = text.strip_prefix('-').unwrap_or(text).trim_end_matches(['\r', '\n']);
    let code = if text.contains(' ') { "" } else { "ERR " };
    single_field(lua, "err", &format!("{code}{text}"))
}

/// `math.random` with the generator of C's `drand48`, which Redis brings along; every script starts at its beginning.
fn add_random(lua: &Lua, mathematics: &Table) -> omnilua::Result<()> {
    const START: u64 = 0x1234_abcd_330e;
    const LOW: u64 = 0x330e;
    const MOST: u64 = i32::MAX as u64;
    let state = std::rc::Rc::new(Cell::new(START));
    let next = state.clone();
    let random = move |_: &Lua, bounds: Variadic<f64>| {
        next.set(next.get().wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & 0xffff_ffff_ffff);
        let share = ((next.get() >> 17) % MOST) as f64 / MOST as f64;
        let (low, high) = match *bounds.into_vec().as_slice() {
            [] => return Ok(share),
            [high] => (1.0, high),
            [low, high] => (low, high),
            _ => return Err(LuaError::runtime(format_args!("wrong number of arguments")).into()),
        };
        if low > high {
            return Err(LuaError::runtime(format_args!("bad argument #1 to 'random' (interval is empty)")).into());
        }
        Ok((share * (high - low + 1.0)).floor() + low)
    };
    mathematics.set("random", lua.create_function(random)?)?;
    let seed = move |_: &Lua, seed: f64| {
        state.set(((seed as i64 as u64 & 0xffff_ffff) << 16) | LOW);
        Ok(())
    };
    mathematics.set("randomseed", lua.create_function(seed)?)
}
