//! A history as JSON lines: the header, then one event a line. The format is written down in `docs/history.md`.
//!
//! The lines are canonical: one history has exactly one text, byte for byte, on every machine; its digest is taken from it. Readers accept every
//! version up to [`VERSION`].

mod json;
mod mirror;
mod value;

use self::json::Json;
pub(crate) use self::json::Object;
use self::value::Value;
use super::{Event, Header, History, VERSION};
use crate::i18n::Text;

/// Why a text is not a history.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LinesError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is nothing to read.
    #[error("a history begins with its header, but there is nothing here")]
    Empty,
    /// Not JSON, from this character on, counted from 1.
    #[error("not JSON, from its character {0} on")]
    Syntax(usize),
    /// JSON, but not this format.
    #[error("{0}")]
    Shape(String),
    /// Written by a later build.
    #[error("version {found} is newer than this build reads (up to {VERSION}); use a newer locklab")]
    Newer {
        /// The version found.
        found: u64,
    },
    /// A client, node, lock or cell that the header does not know.
    #[error("{what} {id} is not in the header, which has {count}")]
    Unknown {
        /// `client`, `node`, `lock` or `cell`.
        what: &'static str,
        /// Its number.
        id: u64,
        /// How many there are.
        count: usize,
    },
    /// An event that is earlier than the one before it.
    #[error("the event is earlier than the one before it")]
    Earlier,
}

impl LinesError {
    /// The line and what is wrong with it, in both languages.
    pub fn message(&self) -> Text {
        let zh = match &self.problem {
            Problem::Empty => "历史记录以头部开始，但这里是空的".to_owned(),
            Problem::Syntax(character) => format!("从第 {character} 个字符起不是 JSON"),
            Problem::Shape(why) => format!("不是历史记录的格式：{why}"),
            Problem::Newer { found } => {
                format!("版本 {found} 比本程序能读的（最高 {VERSION}）更新，请使用更新的 locklab")
            }
            Problem::Unknown { what, id, count } => format!("头部里没有 {what} {id}，它只有 {count} 个"),
            Problem::Earlier => "这个事件早于它的前一个事件".to_owned(),
        };
        Text::new(self.to_string(), format!("第 {} 行：{zh}", self.line))
    }
}

impl History {
    /// The history as JSON lines, each with a line feed at its end.
    pub fn to_lines(&self) -> String {
        let mut text = String::new();
        self.each_line(|line| text.push_str(line));
        text
    }

    /// Reads what [`History::to_lines`] of this or an earlier version wrote. Empty lines are skipped.
    ///
    /// Errors: [`LinesError`] with the line and what is wrong with it; a history that is read is safe to judge and draw.
    pub fn from_lines(text: &str) -> Result<History, LinesError> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let (line, first) = lines.next().ok_or(LinesError { line: 1, problem: Problem::Empty })?;
        let header = read_header(first).map_err(|problem| LinesError { line, problem })?;
        let mut events: Vec<Event> = Vec::new();
        for (line, text) in lines {
            let event = read_event(text, &header, events.last()).map_err(|problem| LinesError { line, problem })?;
            events.push(event);
        }
        Ok(History { header, events })
    }

    /// Hands out the canonical lines one by one, each with its line feed.
    pub(super) fn each_line(&self, mut take: impl FnMut(&str)) {
        let mut line = String::new();
        self.header.write(&mut line);
        line.push('\n');
        take(&line);
        for event in &self.events {
            line.clear();
            event.write(&mut line);
            line.push('\n');
            take(&line);
        }
    }
}

impl Event {
    /// The event as its line of a history, without a line feed.
    pub fn to_line(&self) -> String {
        let mut line = String::new();
        self.write(&mut line);
        line
    }

    /// Reads what [`Event::to_line`] wrote. Whether its ids exist is known only beside a header.
    ///
    /// Errors: what is wrong with it.
    pub fn from_line(line: &str) -> Result<Event, Problem> {
        let value = Value::parse(line).map_err(Problem::Syntax)?;
        Event::read(&value).map_err(Problem::Shape)
    }
}

fn read_header(line: &str) -> Result<Header, Problem> {
    let value = Value::parse(line).map_err(Problem::Syntax)?;
    let version = value.get("version").and_then(Value::as_whole::<u64>);
    let version = version.ok_or_else(|| Problem::Shape("a history begins with its header and \"version\"".into()))?;
    if version > u64::from(VERSION) {
        return Err(Problem::Newer { found: version });
    }
    Header::read(&value).map_err(Problem::Shape)
}

fn read_event(line: &str, header: &Header, before: Option<&Event>) -> Result<Event, Problem> {
    let value = Value::parse(line).map_err(Problem::Syntax)?;
    within(&value, header)?;
    let event = Event::read(&value).map_err(Problem::Shape)?;
    if before.is_some_and(|before| before.at > event.at) {
        return Err(Problem::Earlier);
    }
    Ok(event)
}

/// Whether every id in a line is one of the header's. The names of the fields tell what kind of id each is.
fn within(value: &Value, header: &Header) -> Result<(), Problem> {
    match value {
        Value::Object(fields) => fields.iter().try_for_each(|(name, field)| {
            // A clock is stepped and a server slowed `by` an amount: there it names no client.
            let amount = name == "by" && matches!(word(value), "stepped" | "slowed" | "delayed");
            let (what, count) = match name.as_str() {
                _ if amount => return Ok(()),
                "client" | "holder" | "by" | "created_by" => ("client", header.clients.len()),
                "node" => ("node", header.nodes.len()),
                "lock" => ("lock", header.locks.len()),
                "cell" => ("cell", header.resource.cells.len()),
                _ => return within(field, header),
            };
            match field.as_whole::<u64>() {
                Some(id) if id >= count as u64 => Err(Problem::Unknown { what, id, count }),
                _ => Ok(()),
            }
        }),
        Value::List(items) => items.iter().try_for_each(|item| within(item, header)),
        Value::Null | Value::Bool(_) | Value::Whole(_) | Value::OtherNumber | Value::Text(_) => Ok(()),
    }
}

fn word(object: &Value) -> &str {
    object.get("is").and_then(Value::as_text).unwrap_or_default()
}

impl Json for Event {
    fn write(&self, out: &mut String) {
        let mut object = Object::open(out);
        object.field("at", &self.at);
        object.field("what", &self.what);
        object.close();
    }

    fn read(value: &Value) -> Result<Event, String> {
        Ok(Event { at: json::field(value, "at")?, what: json::field(value, "what")? })
    }
}
