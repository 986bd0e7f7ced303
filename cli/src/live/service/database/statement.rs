//! A statement on an SQLite connection, answered in the shape and with the codes of the model.

use locklab_core::wire::Reply;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// What SQLite answers.
pub fn answer(sqlite: &Connection, text: &str) -> Reply {
    run(sqlite, text).unwrap_or_else(|error| Reply::Error(code(&error)))
}

fn run(sqlite: &Connection, text: &str) -> rusqlite::Result<Reply> {
    let mut statement = sqlite.prepare(text)?;
    let columns = statement.column_count();
    if columns == 0 {
        let changed = statement.execute([])?;
        return Ok(if text.starts_with("CREATE") {
            Reply::Status("CREATE TABLE".into())
        } else {
            Reply::Integer(i64::try_from(changed).unwrap_or(i64::MAX))
        });
    }
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let values = (0..columns).map(|index| row.get_ref(index).map(reply)).collect::<Result<Vec<_>, _>>()?;
        found.push(match &values[..] {
            [value] => value.clone(),
            _ => Reply::Array(values),
        });
    }
    Ok(match found.len() {
        0 => Reply::Nil,
        1 => found.remove(0),
        _ => Reply::Array(found),
    })
}

/// A value as a reply.
pub fn reply(value: ValueRef<'_>) -> Reply {
    match value {
        ValueRef::Null => Reply::Nil,
        ValueRef::Integer(number) => Reply::Integer(number),
        ValueRef::Real(number) => Reply::bulk(number.to_string()),
        ValueRef::Text(text) | ValueRef::Blob(text) => Reply::bulk(text),
    }
}

/// The SQLSTATE of a constraint that SQLite names.
fn code(error: &rusqlite::Error) -> String {
    let text = error.to_string();
    let known = [("UNIQUE", "23505"), ("CHECK", "23514"), ("NOT NULL", "23502")];
    let code = known.iter().find(|(constraint, _)| text.starts_with(&format!("{constraint} constraint failed")));
    format!("{} {text}", code.map_or("XX000", |(_, code)| code))
}
