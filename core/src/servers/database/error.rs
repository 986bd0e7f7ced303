//! Errors with the codes of the SQL standard and of PostgreSQL (Appendix A of its manual).

use super::Datum;
use crate::wire::Reply;

/// A statement that failed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{code} {message}")]
pub struct SqlError {
    /// The SQLSTATE.
    pub code: &'static str,
    /// What PostgreSQL says.
    pub message: String,
}

impl SqlError {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> SqlError {
        SqlError { code, message: message.into() }
    }

    /// 42601: this is no SQL, or none of the shapes that the model speaks.
    pub(super) fn syntax(found: &str) -> SqlError {
        match found {
            "" => SqlError::new("42601", "syntax error at end of input"),
            found => SqlError::new("42601", format!("syntax error at or near \"{found}\"")),
        }
    }

    /// 0A000: PostgreSQL would know it, the model does not.
    pub(super) fn unsupported(what: &str) -> SqlError {
        SqlError::new("0A000", format!("the model does not know {what}"))
    }

    pub(super) fn no_table(table: &str) -> SqlError {
        SqlError::new("42P01", format!("relation \"{table}\" does not exist"))
    }

    pub(super) fn no_column(column: &str) -> SqlError {
        SqlError::new("42703", format!("column \"{column}\" does not exist"))
    }

    pub(super) fn no_operator(one: &Datum, operator: &str, other: &Datum) -> SqlError {
        let (one, other) = (one.type_name(), other.type_name());
        SqlError::new("42883", format!("operator does not exist: {one} {operator} {other}"))
    }

    pub(super) fn duplicate(table: &str) -> SqlError {
        SqlError::new("23505", format!("duplicate key value violates unique constraint \"{table}_pkey\""))
    }

    pub(super) fn deadlock() -> SqlError {
        SqlError::new("40P01", "deadlock detected")
    }

    pub(super) fn lock_timeout() -> SqlError {
        SqlError::new("55P03", "canceling statement due to lock timeout")
    }

    pub(super) fn row_locked(table: &str) -> SqlError {
        SqlError::new("55P03", format!("could not obtain lock on row in relation \"{table}\""))
    }

    pub(super) fn statement_timeout() -> SqlError {
        SqlError::new("57014", "canceling statement due to statement timeout")
    }

    pub(super) fn idle_in_transaction() -> SqlError {
        SqlError::new("25P03", "terminating connection due to idle-in-transaction timeout")
    }

    pub(super) fn aborted() -> SqlError {
        SqlError::new("25P02", "current transaction is aborted, commands ignored until end of transaction block")
    }

    pub(super) fn reply(&self) -> Reply {
        Reply::Error(self.to_string())
    }
}
