//! `--set KEY=VALUE`: a scenario's text with one value changed.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value};

use crate::i18n::{Language, Text, did_you_mean, nearest};
use crate::say;

/// Why a value cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", message.in_language(Language::English))]
pub struct SetError {
    /// What is wrong.
    pub message: Text,
    /// What to do, such as the nearest key.
    pub hint: Option<Text>,
}

/// The tables that a key can begin with.
const TABLES: [&str; 6] = ["lock", "servers", "resource", "network", "clocks", "expect"];

/// The top-level values that can be set.
const PLAIN: [&str; 3] = ["seed", "until", "within"];

/// Changes one value in a scenario's text. `setting` is `KEY=VALUE`; the key is
/// - a parameter of the lock: `ttl`, `lock.ttl`, `renew_every`;
/// - a value of another table: `network.latency`, `resource.guard`, `servers.lag`;
/// - a client's: `A.work`, `B.starts`;
/// - a fault's, counted from 1 in file order: `fault.1.for`;
/// - `fault`: all faults, as a list of inline tables: `fault=[{ pause = "A", at = "5s", for = "2s" }]`;
/// - `seed`, `until` or `within`.
///
/// The value is written as in the file, where quotes may be left out: `5s`, `3`, `true`, `["lock", "unlock"]`.
/// Whether the value makes sense is found out by parsing the result.
///
/// # Errors
/// The setting has no `=`, its key names nothing, or the text itself is no TOML.
pub fn set(text: &str, setting: &str) -> Result<String, SetError> {
    let Some((key, value)) = setting.split_once('=') else {
        return Err(SetError {
            message: say!("\"{setting}\" is not KEY=VALUE", "\"{setting}\" 不是 KEY=VALUE", setting = setting),
            hint: Some(Text::new("write, for example, ttl=5s", "例如写成 ttl=5s")),
        });
    };
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| SetError {
        message: say!("the scenario is not TOML: {error}", "场景不符合 TOML 语法：{error}", error = error.message()),
        hint: None,
    })?;
    let (key, value) = (key.trim(), parse_value(value.trim()));
    let (table, name) = find(&mut document, key)?;
    match table.get_mut(name) {
        // The old value's spaces and comment stay.
        Some(Item::Value(old)) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        _ => {
            table.insert(name, Item::Value(value));
        }
    }
    Ok(document.to_string())
}

/// The table in which a key's last part stands.
fn find<'d, 'k>(document: &'d mut DocumentMut, key: &'k str) -> Result<(&'d mut Table, &'k str), SetError> {
    let Some((first, rest)) = key.split_once('.') else {
        if PLAIN.contains(&key) || key == "fault" {
            return Ok((document.as_table_mut(), key));
        }
        return child(document.as_table_mut(), "lock", key).map(|table| (table, key));
    };
    if first == "fault" {
        let (number, name) = rest.split_once('.').ok_or_else(|| unknown(key, ["fault.1.for".to_owned()]))?;
        return Ok((fault(document, key, number)?, name));
    }
    if rest.is_empty() || rest.contains('.') {
        return Err(no_such(key, nested(document, first, rest).as_deref()));
    }
    let names = client_names(document);
    if let Some(index) = names.iter().position(|name| name == first) {
        let clients = document.get_mut("client").and_then(Item::as_array_of_tables_mut);
        let client = clients.and_then(|clients| clients.get_mut(index)).expect("its name was read from it");
        return Ok((client, rest));
    }
    if first == "expect" {
        return Err(SetError {
            message: say!(
                "what is expected cannot be set: a changed scenario is judged against nothing",
                "预期不能这样改：改动过的场景不与任何预期比较"
            ),
            hint: Some(say!("write `[expect]` in the scenario's file", "请在场景文件里写 `[expect]`")),
        });
    }
    if !TABLES.contains(&first) {
        let known = TABLES.iter().map(|table| (*table).to_owned()).chain(names).chain(["fault".to_owned()]);
        return Err(unknown(key, known.map(|table| format!("{table}.{rest}"))));
    }
    child(document.as_table_mut(), first, key).map(|table| (table, rest))
}

/// What may be meant by a key with too many parts, or too few.
fn nested(document: &DocumentMut, first: &str, rest: &str) -> Option<String> {
    // Clients go by name, not by number.
    let (number, name) = rest.split_once('.')?;
    let index = number.parse::<usize>().ok()?.checked_sub(1)?;
    let client = client_names(document).into_iter().nth(index).filter(|_| first == "client")?;
    Some(format!("{client}.{name}"))
}

/// A table of the document, made where it is missing.
fn child<'d>(document: &'d mut Table, name: &str, key: &str) -> Result<&'d mut Table, SetError> {
    document.entry(name).or_insert(Item::Table(Table::new())).as_table_mut().ok_or_else(|| unknown(key, []))
}

fn client_names(document: &DocumentMut) -> Vec<String> {
    let clients = document.get("client").and_then(Item::as_array_of_tables).into_iter().flat_map(ArrayOfTables::iter);
    clients.map(|client| client.get("name").and_then(Item::as_str).unwrap_or("").to_owned()).collect()
}

fn fault<'d>(document: &'d mut DocumentMut, key: &str, number: &str) -> Result<&'d mut Table, SetError> {
    let faults = document.get_mut("fault").and_then(Item::as_array_of_tables_mut);
    let count = faults.as_ref().map_or(0, |faults| faults.len());
    let index = number.parse::<usize>().ok().filter(|number| (1..=count).contains(number));
    match (faults, index) {
        (Some(faults), Some(number)) => Ok(faults.get_mut(number - 1).expect("it is within the count")),
        _ => Err(SetError {
            message: say!("there is no fault \"{number}\"", "没有编号为 \"{number}\" 的故障", number = number),
            hint: Some(match count {
                0 => Text::new("this scenario has no faults", "这个场景没有故障"),
                _ => say!(
                    "faults are numbered 1 to {count} in file order: {key}",
                    "故障按文件中的顺序编号，从 1 到 {count}：{key}",
                    count = count as u64,
                    key = key.replacen(number, "1", 1),
                ),
            }),
        }),
    }
}

/// A value as TOML would read it; whatever TOML cannot read is a string.
fn parse_value(text: &str) -> Value {
    text.parse().unwrap_or_else(|_| Value::from(text))
}

fn unknown(key: &str, known: impl IntoIterator<Item = String>) -> SetError {
    let known: Vec<String> = known.into_iter().collect();
    no_such(key, nearest(key, known.iter().map(String::as_str)))
}

fn no_such(key: &str, meant: Option<&str>) -> SetError {
    SetError {
        message: say!("nothing is called \"{key}\" in this scenario", "这个场景里没有 \"{key}\"", key = key),
        hint: Some(match meant {
            Some(near) => did_you_mean(near),
            None => say!(
                "a key is written ttl, lock.ttl, A.work for the client A, or fault.1.for",
                "键可以写成 ttl、lock.ttl、A.work（客户端 A）或 fault.1.for"
            ),
        }),
    }
}
