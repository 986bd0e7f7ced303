//! Whether a script is Lua at all; what it does is its server's business.

use omnilua::{Lua, LuaVersion};
use sha1::{Digest, Sha1};

/// Compiles a script as Redis does, without running it.
///
/// # Errors
/// The line of the script, from 1, and what Lua says is wrong.
pub(super) fn check(source: &str) -> Result<(), (u32, String)> {
    let Ok(lua) = Lua::try_new_versioned(LuaVersion::V51) else { return Ok(()) };
    let Err(error) = lua.load(source).set_name("@script").into_function() else { return Ok(()) };
    let text = error.to_string();
    let Some((_, place)) = text.split_once("script:") else { return Err((1, text)) };
    let Some((line, message)) = place.split_once(':') else { return Err((1, text)) };
    Err((line.trim().parse().unwrap_or(1), message.trim().to_owned()))
}

/// The name by which EVALSHA calls a script: its SHA-1 in small hexadecimal digits.
pub(super) fn hash(source: &str) -> Box<str> {
    Sha1::digest(source).iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}
