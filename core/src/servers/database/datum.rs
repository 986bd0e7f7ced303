//! Values and their types.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::SqlError;
use super::calendar::Calendar;
use crate::wire::Reply;

/// A value of a column or of an expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Datum {
    /// `NULL`.
    Null,
    /// A whole number (`bigint`).
    Integer(i64),
    /// A text.
    Text(Arc<str>),
    /// An instant, in microseconds by the server's wall clock (`timestamptz`).
    Instant(i64),
    /// A length of time in microseconds (`interval`).
    Interval(i64),
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `bigint`
    Integer,
    /// `text`
    Text,
    /// `timestamptz`
    Instant,
}

impl Datum {
    /// A text.
    pub fn text(text: &str) -> Datum {
        Datum::Text(Arc::from(text))
    }

    /// The name of its type, as PostgreSQL writes it in errors.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Datum::Null => "unknown",
            Datum::Integer(_) => "bigint",
            Datum::Text(_) => "text",
            Datum::Instant(_) => "timestamp with time zone",
            Datum::Interval(_) => "interval",
        }
    }

    /// How it compares with another value of its type; `None` where one of them is `NULL`.
    ///
    /// # Errors
    /// 42883 where PostgreSQL has no such operator.
    pub(super) fn compare(&self, other: &Datum, operator: &str) -> Result<Option<Ordering>, SqlError> {
        match (self, other) {
            (Datum::Null, _) | (_, Datum::Null) => Ok(None),
            (Datum::Integer(one), Datum::Integer(other)) => Ok(Some(one.cmp(other))),
            (Datum::Text(one), Datum::Text(other)) => Ok(Some(one.cmp(other))),
            (Datum::Instant(one), Datum::Instant(other)) => Ok(Some(one.cmp(other))),
            (Datum::Interval(one), Datum::Interval(other)) => Ok(Some(one.cmp(other))),
            _ => Err(SqlError::no_operator(self, operator, other)),
        }
    }

    /// What a client gets to see.
    pub(super) fn reply(&self) -> Reply {
        match self {
            Datum::Null => Reply::Nil,
            Datum::Integer(number) => Reply::Integer(*number),
            Datum::Text(text) => Reply::bulk(text.as_bytes()),
            Datum::Instant(_) | Datum::Interval(_) => Reply::bulk(self.to_string()),
        }
    }
}

/// As an observer reads it.
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Null => f.write_str("NULL"),
            Datum::Integer(number) => number.fmt(f),
            Datum::Text(text) => f.write_str(text),
            Datum::Instant(micros) => Calendar::of(*micros).fmt(f),
            Datum::Interval(micros) => write!(f, "{} ms", micros.div_euclid(1_000)),
        }
    }
}

impl Type {
    /// As `CREATE TABLE` writes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Type::Integer => "bigint",
            Type::Text => "text",
            Type::Instant => "timestamp with time zone",
        }
    }

    /// A quoted literal becomes a value of the type that its place asks for.
    ///
    /// # Errors
    /// 22P02 where the text is no such value; 0A000 for an instant, which this model does not read.
    pub(super) fn read(self, text: &Arc<str>) -> Result<Datum, SqlError> {
        match self {
            Type::Text => Ok(Datum::Text(text.clone())),
            Type::Integer => text
                .trim()
                .parse()
                .map(Datum::Integer)
                .map_err(|_| SqlError::new("22P02", format!("invalid input syntax for type bigint: \"{text}\""))),
            Type::Instant => Err(SqlError::unsupported("an instant written as text")),
        }
    }

    /// A computed value is stored in a column of this type.
    ///
    /// # Errors
    /// 42804 where PostgreSQL has no such cast in an assignment.
    pub(super) fn store(self, value: Datum, column: &str) -> Result<Datum, SqlError> {
        match (self, value) {
            (_, Datum::Null) => Ok(Datum::Null),
            (Type::Integer, value @ Datum::Integer(_))
            | (Type::Text, value @ Datum::Text(_))
            | (Type::Instant, value @ Datum::Instant(_)) => Ok(value),
            (Type::Text, value) => Ok(Datum::text(&value.to_string())),
            (_, value) => Err(SqlError::new(
                "42804",
                format!(
                    "column \"{column}\" is of type {} but expression is of type {}",
                    self.name(),
                    value.type_name()
                ),
            )),
        }
    }
}
