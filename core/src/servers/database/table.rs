//! Tables and the versions of their rows.

use std::cmp::Ordering;
use std::sync::Arc;

use super::datum::Datum;
use super::session::SessionId;
use super::sql::{Column, Comparison, Condition, Expression, Operator};
use super::{SqlError, Type};
use crate::servers::sorted::Sorted;
use crate::wire::ClientId;

/// The values of a row, in the order of its table's columns.
pub(super) type Values = Arc<[Datum]>;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Table {
    pub name: Arc<str>,
    pub columns: Vec<Column>,
    /// Which column is the primary key.
    pub primary: usize,
    pub rows: Sorted<Datum, Row>,
}

/// A row in its versions: what is committed, and what one open transaction makes of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub committed: Option<Values>,
    pub pending: Option<Pending>,
    /// Whose transaction brought the row, or took the lease that it stands for.
    pub created_by: Option<ClientId>,
    /// Counts creations in the database.
    pub created: u64,
    /// `created` when it was inserted: a lease that is taken over is the same row.
    pub inserted: u64,
}

/// What an open transaction has made of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pending {
    pub session: SessionId,
    /// `None`: deleted.
    pub values: Option<Values>,
    /// The transaction has inserted it, perhaps where it had deleted another.
    pub is_new: bool,
}

/// What an expression may look at.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub table: &'a Table,
    /// The row; `None` where there is none yet, as in VALUES.
    pub row: Option<&'a [Datum]>,
    /// `now()`: the beginning of the transaction.
    pub began: i64,
    /// `clock_timestamp()`.
    pub clock: i64,
}

impl Table {
    pub fn column(&self, name: &str) -> Result<usize, SqlError> {
        self.columns.iter().position(|column| *column.name == *name).ok_or_else(|| SqlError::no_column(name))
    }

    /// The row as a session sees it: its own change, else what is committed.
    pub fn seen(&self, key: &Datum, session: SessionId) -> Option<&Values> {
        let row = self.rows.get(key)?;
        match &row.pending {
            Some(pending) if pending.session == session => pending.values.as_ref(),
            _ => row.committed.as_ref(),
        }
    }

    /// As the how-manieth row of the server the committed row of a key was inserted; 0: there is none.
    pub fn inserted(&self, key: &Datum) -> u64 {
        self.rows.get(key).map_or(0, |row| row.inserted)
    }

    /// Checks what is going to be stored.
    pub fn admit(&self, values: &[Datum]) -> Result<(), SqlError> {
        for (column, value) in self.columns.iter().zip(values) {
            if column.not_null && *value == Datum::Null {
                let (column, table) = (&column.name, &self.name);
                let said =
                    format!("null value in column \"{column}\" of relation \"{table}\" violates not-null constraint");
                return Err(SqlError::new("23502", said));
            }
            let Some(check) = &column.check else { continue };
            let scope = Scope { table: self, row: Some(values), began: 0, clock: 0 };
            // A check of a NULL is neither true nor false, and passes.
            if scope.truth(check)? == Some(false) {
                let (column, table) = (&column.name, &self.name);
                let said =
                    format!("new row for relation \"{table}\" violates check constraint \"{table}_{column}_check\"");
                return Err(SqlError::new("23514", said));
            }
        }
        Ok(())
    }
}

impl Scope<'_> {
    /// Whether all conditions hold.
    pub fn holds(&self, filter: &[Condition]) -> Result<bool, SqlError> {
        for condition in filter {
            if self.truth(condition)? != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn truth(&self, condition: &Condition) -> Result<Option<bool>, SqlError> {
        let column = self.table.column(&condition.column)?;
        let kind = self.table.columns[column].kind;
        let row = self.row.ok_or_else(|| SqlError::no_column(&condition.column))?;
        let other = self.value(&condition.expression, Some(kind))?;
        let order = row[column].compare(&other, condition.comparison.symbol())?;
        Ok(order.map(|order| match condition.comparison {
            Comparison::Equal => order == Ordering::Equal,
            Comparison::Unequal => order != Ordering::Equal,
            Comparison::Less => order == Ordering::Less,
            Comparison::AtMost => order != Ordering::Greater,
            Comparison::Greater => order == Ordering::Greater,
            Comparison::AtLeast => order != Ordering::Less,
        }))
    }

    /// An expression's value. `wanted`: the type that a bare quoted literal takes.
    pub fn value(&self, expression: &Expression, wanted: Option<Type>) -> Result<Datum, SqlError> {
        match expression {
            Expression::Literal(value) => Ok(value.clone()),
            Expression::Quoted(text) => wanted.unwrap_or(Type::Text).read(text),
            Expression::Column(name) => {
                let row = self.row.ok_or_else(|| SqlError::no_column(name))?;
                Ok(row[self.table.column(name)?].clone())
            }
            Expression::Now => Ok(Datum::Instant(self.began)),
            Expression::Clock => Ok(Datum::Instant(self.clock)),
            Expression::Trim(inner) => match self.value(inner, Some(Type::Text))? {
                Datum::Text(text) => Ok(Datum::text(text.trim_matches(' '))),
                Datum::Null => Ok(Datum::Null),
                other => Err(SqlError::new("42883", format!("function btrim({}) does not exist", other.type_name()))),
            },
            Expression::Binary(one, operator, other) => {
                combine(&self.value(one, None)?, *operator, &self.value(other, None)?)
            }
        }
    }
}

fn combine(one: &Datum, operator: Operator, other: &Datum) -> Result<Datum, SqlError> {
    let out_of_range =
        |what: &str| SqlError::new(if what == "bigint" { "22003" } else { "22008" }, format!("{what} out of range"));
    let sum = |one: &i64, other: &i64| match operator {
        Operator::Minus => one.checked_sub(*other),
        _ => one.checked_add(*other),
    };
    match (one, operator, other) {
        (Datum::Null, _, _) | (_, _, Datum::Null) => Ok(Datum::Null),
        (Datum::Text(one), Operator::Concat, other) => Ok(Datum::text(&format!("{one}{other}"))),
        (one, Operator::Concat, Datum::Text(other)) => Ok(Datum::text(&format!("{one}{other}"))),
        (_, Operator::Concat, _) => Err(SqlError::no_operator(one, operator.symbol(), other)),
        (Datum::Integer(one), _, Datum::Integer(other)) => {
            sum(one, other).map(Datum::Integer).ok_or_else(|| out_of_range("bigint"))
        }
        (Datum::Instant(one), _, Datum::Interval(other)) => {
            sum(one, other).map(Datum::Instant).ok_or_else(|| out_of_range("timestamp"))
        }
        (Datum::Interval(one), _, Datum::Interval(other)) => {
            sum(one, other).map(Datum::Interval).ok_or_else(|| out_of_range("interval"))
        }
        _ => Err(SqlError::no_operator(one, operator.symbol(), other)),
    }
}

/// The columns by which a row is a lease, as in ShedLock's table: who has it, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lease {
    locked_by: usize,
    lock_until: usize,
}

impl Table {
    /// Whether its rows are leases: it has the columns `locked_by` and `lock_until`.
    pub fn lease(&self) -> Option<Lease> {
        let lock_until = self.column("lock_until").ok().filter(|column| self.columns[*column].kind == Type::Instant);
        Some(Lease { locked_by: self.column("locked_by").ok()?, lock_until: lock_until? })
    }
}

impl Lease {
    /// Whether a change hands the lease to somebody, rather than prolong it.
    pub fn is_taken_over(self, old: &Values, new: &Values, now: i64) -> bool {
        old[self.locked_by] != new[self.locked_by] || self.until(old) <= Some(now)
    }

    /// The first instant, by the server's wall clock, at which others may have it.
    pub fn until(self, values: &Values) -> Option<i64> {
        match values[self.lock_until] {
            Datum::Instant(until) => Some(until),
            _ => None,
        }
    }
}
