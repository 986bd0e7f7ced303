//! A statement, parsed.

use std::sync::Arc;

use super::super::datum::{Datum, Type};
use crate::time::Span;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// `BEGIN`
    Begin,
    /// `COMMIT`
    Commit,
    /// `ROLLBACK`
    Rollback,
    /// `SET name = milliseconds`; zero switches it off.
    Set(Setting, Span),
    /// `CREATE TABLE`
    Create {
        /// The table.
        table: Arc<str>,
        /// Its columns.
        columns: Vec<Column>,
        /// Which of them is the primary key.
        primary: usize,
    },
    /// `INSERT`
    Insert {
        /// The table.
        table: Arc<str>,
        /// The columns that are given.
        columns: Vec<Arc<str>>,
        /// Their values.
        values: Vec<Expression>,
        /// `ON CONFLICT DO NOTHING`: a row that is there already is no error.
        or_nothing: bool,
        /// What is given back.
        returning: Output,
    },
    /// `UPDATE`
    Update {
        /// The table.
        table: Arc<str>,
        /// Columns and their new values.
        sets: Vec<(Arc<str>, Expression)>,
        /// Which rows: all conditions hold.
        filter: Vec<Condition>,
        /// What is given back.
        returning: Output,
    },
    /// `DELETE`
    Delete {
        /// The table.
        table: Arc<str>,
        /// Which rows.
        filter: Vec<Condition>,
        /// What is given back.
        returning: Output,
    },
    /// `SELECT ... FROM`
    Select {
        /// The table.
        table: Arc<str>,
        /// What is given back.
        output: Output,
        /// Which rows.
        filter: Vec<Condition>,
        /// `FOR UPDATE`.
        locking: Option<Locking>,
    },
    /// `SELECT pg_advisory_...`
    Advisory(Advisory),
}

/// What a client may set for its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Setting {
    /// How long a statement waits for one lock.
    LockTimeout,
    /// How long a statement may take.
    StatementTimeout,
    /// How long a transaction may be open without a statement.
    IdleInTransaction,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub kind: Type,
    /// Whether `NULL` is refused.
    pub not_null: bool,
    /// What it is where an `INSERT` says nothing.
    pub default: Expression,
    /// What must hold for every value.
    pub check: Option<Condition>,
}

/// What a statement gives back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Nothing: the number of rows.
    Count,
    /// `count(*)`: the number of rows, as one row.
    CountRow,
    /// These columns of each row.
    Columns(Vec<Arc<str>>),
}

/// What `FOR UPDATE` does where a row is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locking {
    /// It waits.
    Wait,
    /// It fails.
    NoWait,
    /// It leaves the row out.
    SkipLocked,
}

/// `column op expression`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// The column.
    pub column: Arc<str>,
    /// How it compares.
    pub comparison: Comparison,
    /// With what.
    pub expression: Expression,
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// A computed value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A number or `NULL`.
    Literal(Datum),
    /// A quoted text, whose type its place decides.
    Quoted(Arc<str>),
    /// A column of the row.
    Column(Arc<str>),
    /// `now()`: when the transaction began, by the server's wall clock.
    Now,
    /// `clock_timestamp()`: now, by the server's wall clock.
    Clock,
    /// `trim(e)`
    Trim(Box<Expression>),
    /// `e + e`, `e - e`, `e || e`
    Binary(Box<Expression>, Operator, Box<Expression>),
}

/// An operator of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `||`
    Concat,
}

/// A call of an advisory lock function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Advisory {
    /// A call with a key.
    Call(AdvisoryCall, AdvisoryKey),
    /// `pg_advisory_unlock_all()`
    UnlockAll,
    /// How many advisory locks this session holds.
    Count,
}

/// A function that takes a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdvisoryCall {
    /// `pg_advisory_lock`
    Lock,
    /// `pg_try_advisory_lock`
    TryLock,
    /// `pg_advisory_unlock`
    Unlock,
    /// `pg_advisory_xact_lock`
    TransactionLock,
    /// `pg_try_advisory_xact_lock`
    TryTransactionLock,
}

/// What an advisory lock is about. Two texts with one hash would be one lock in PostgreSQL; here they are two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdvisoryKey {
    /// A number.
    Number(i64),
    /// `hashtext('text')`
    Text(Arc<str>),
}

impl Comparison {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::Unequal => "<>",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        }
    }
}

impl Operator {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Concat => "||",
        }
    }
}
