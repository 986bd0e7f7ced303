//! Values between Lua and Redis, as the scripting page of the Redis documentation lists them for RESP2.

use omnilua::{Lua, Table, Value};

use crate::servers::redis::number;
use crate::wire::{Bytes, Reply};

/// How deeply a result may be nested.
const DEEPEST: usize = 100;

/// A reply as Lua sees it: nil is `false`, a status `{ok = ...}`, an error `{err = ...}`.
pub(super) fn value_of(lua: &Lua, reply: &Reply) -> omnilua::Result<Value> {
    Ok(match reply {
        Reply::Integer(number) => Value::Number(*number as f64),
        Reply::Bulk(bytes) => Value::String(lua.create_string(bytes)?),
        Reply::Nil | Reply::NilArray => Value::Boolean(false),
        Reply::Status(text) => single_field(lua, "ok", text)?,
        Reply::Error(text) => single_field(lua, "err", text)?,
        Reply::Array(items) => {
            let table = lua.create_table()?;
            for (index, item) in items.iter().enumerate() {
                table.raw_set(index as i64 + 1, value_of(lua, item)?)?;
            }
            Value::Table(table)
        }
    })
}

/// A table with one text in one field, such as a status.
pub(super) fn single_field(lua: &Lua, field: &str, text: &str) -> omnilua::Result<Value> {
    let table = lua.create_table()?;
    table.raw_set(field, lua.create_string(text)?)?;
    Ok(Value::Table(table))
}

/// An array of strings.
pub(super) fn array_of(lua: &Lua, words: &[Bytes]) -> omnilua::Result<Table> {
    let table = lua.create_table()?;
    for (index, word) in words.iter().enumerate() {
        table.raw_set(index as i64 + 1, lua.create_string(word)?)?;
    }
    Ok(table)
}

/// What a script returned, as a reply: numbers lose their fraction, an array ends at its first nil.
pub(super) fn reply_of(value: &Value, depth: usize) -> omnilua::Result<Reply> {
    if depth > DEEPEST {
        return Ok(Reply::Error("ERR reached lua stack limit".into()));
    }
    Ok(match value {
        Value::String(text) => Reply::Bulk(text.as_bytes()?),
        Value::Boolean(true) => Reply::Integer(1),
        Value::Integer(number) => Reply::Integer(*number),
        Value::Number(number) => Reply::Integer(whole(*number)),
        Value::Table(table) => {
            if let Value::String(text) = table.raw_get("err")? {
                return Ok(Reply::Error(one_line(&text.as_bytes()?)));
            }
            if let Value::String(text) = table.raw_get("ok")? {
                return Ok(Reply::Status(one_line(&text.as_bytes()?)));
            }
            let mut items = Vec::new();
            loop {
                match table.raw_get(items.len() as i64 + 1)? {
                    Value::Nil => return Ok(Reply::Array(items)),
                    item => items.push(reply_of(&item, depth + 1)?),
                }
            }
        }
        _ => Reply::Nil,
    })
}

/// The number without its fraction; what no 64-bit integer can hold becomes the least one, as the processors do it on which Redis runs.
fn whole(number: f64) -> i64 {
    const BEYOND: f64 = i64::MAX as f64;
    if (-BEYOND..BEYOND).contains(&number) { number as i64 } else { i64::MIN }
}

/// A reply's line cannot contain a line break.
fn one_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text).replace(['\r', '\n'], " ")
}

/// A word of a command; `None` if the value is neither a string nor a number.
pub(super) fn word_of(value: &Value) -> omnilua::Result<Option<Bytes>> {
    Ok(match value {
        Value::String(text) => Some(text.as_bytes()?.into()),
        Value::Integer(number) => Some(number.to_string().into_bytes().into()),
        Value::Number(number) => Some(print_number(*number).into_bytes().into()),
        _ => None,
    })
}

/// A number as C's `%.17g` prints it.
pub(super) fn print_number(number: f64) -> String {
    if number.is_nan() {
        return if number.is_sign_negative() { "-nan" } else { "nan" }.into();
    }
    number::print_double(number)
}
