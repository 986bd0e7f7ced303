//! How statements find, lock and change rows.

use std::sync::Arc;

use super::SqlError;
use super::datum::Datum;
use super::locks::{Lockable, Scope as LockScope};
use super::session::{Found, Progress, SessionId};
use super::sql::{Advisory, AdvisoryCall, AdvisoryKey, Column, Condition, Expression, Locking, Output, Statement};
use super::table::{Pending, Row, Scope, Table, Values};
use super::turn::{Step, Turn};
use crate::servers::sorted::Sorted;
use crate::wire::Reply;

/// What a statement wants of every row that it means.
struct Visit<'a> {
    table: &'a Arc<str>,
    filter: &'a [Condition],
    locking: Locking,
    change: Change<'a>,
    output: &'a Output,
}

/// What a statement does to a row, once it has locked it.
enum Change<'a> {
    Nothing,
    Delete,
    Set(&'a [(Arc<str>, Expression)]),
}

/// A row whose lock was asked for.
enum Reached {
    /// It is locked, and still one of those that are meant: its present values.
    Row(Values),
    /// It is left out.
    Passed,
    /// It must be waited for.
    Wait(Lockable),
}

impl Turn<'_> {
    pub(super) fn create(&mut self, name: &Arc<str>, columns: &[Column], primary: usize) -> Result<(), SqlError> {
        if self.database.tables.contains_key(name) {
            return Err(SqlError::new("42P07", format!("relation \"{name}\" already exists")));
        }
        let table = Table { name: name.clone(), columns: columns.to_vec(), primary, rows: Sorted::new() };
        for check in columns.iter().filter_map(|column| column.check.as_ref()) {
            table.column(&check.column)?;
        }
        self.database.tables.insert(name.clone(), table);
        Ok(())
    }

    /// The rows that a statement means, as it sees them at its beginning; the one that an INSERT brings.
    pub(super) fn snapshot(&mut self, session: SessionId, statement: &Statement) -> Result<Vec<Found>, SqlError> {
        let (table, filter) = match statement {
            Statement::Update { table, sets, filter, returning } => {
                let known = self.table(table)?;
                for (column, expression) in sets {
                    if known.column(column)? == known.primary {
                        return Err(SqlError::unsupported("a change of a primary key"));
                    }
                    check_names(known, expression)?;
                }
                check_output(known, returning)?;
                (table, filter)
            }
            Statement::Delete { table, filter, returning: output }
            | Statement::Select { table, output, filter, .. } => {
                check_output(self.table(table)?, output)?;
                (table, filter)
            }
            Statement::Insert { table, columns, values, returning, .. } => {
                check_output(self.table(table)?, returning)?;
                return Ok(vec![self.new_row(session, table, columns, values)?]);
            }
            _ => return Ok(Vec::new()),
        };
        let known = self.table(table)?;
        for Condition { column, expression, .. } in filter {
            known.column(column)?;
            check_names(known, expression)?;
        }
        let mut found = Vec::new();
        for key in known.rows.keys() {
            let Some(values) = known.seen(key, session) else { continue };
            if self.scope(session, known, Some(values)).holds(filter)? {
                found.push(Found { key: key.clone(), values: values.clone(), inserted: known.inserted(key) });
            }
        }
        Ok(found)
    }

    /// Takes a statement as far as it comes.
    pub(super) fn advance(&mut self, session: SessionId, progress: &mut Progress) -> Result<Step, SqlError> {
        let statement = progress.statement.clone();
        match &*statement {
            Statement::Insert { table, or_nothing, returning, .. } => {
                self.insert(session, progress, table, *or_nothing, returning)
            }
            Statement::Update { table, sets, filter, returning } => {
                let change = Change::Set(sets);
                self.visit(
                    session,
                    progress,
                    &Visit { table, filter, locking: Locking::Wait, change, output: returning },
                )
            }
            Statement::Delete { table, filter, returning } => {
                let change = Change::Delete;
                self.visit(
                    session,
                    progress,
                    &Visit { table, filter, locking: Locking::Wait, change, output: returning },
                )
            }
            Statement::Select { table, output, filter, locking: Some(locking) } => {
                let change = Change::Nothing;
                self.visit(session, progress, &Visit { table, filter, locking: *locking, change, output })
            }
            Statement::Select { table, output, locking: None, .. } => {
                let known = self.table(table)?;
                let seen = progress.found.iter().map(|found| chosen(known, output, &found.values));
                let rows = seen.collect::<Result<Vec<_>, _>>()?;
                Ok(Step::Done(reply(output, progress.found.len() as i64, &rows)))
            }
            // It was handed the lock that it waited for.
            Statement::Advisory(_) if progress.done > 0 => Ok(Step::Done(Reply::bulk(""))),
            Statement::Advisory(advisory) => Ok(self.advisory(session, advisory)),
            Statement::Begin
            | Statement::Commit
            | Statement::Rollback
            | Statement::Set(..)
            | Statement::Create { .. } => Ok(Step::Done(Reply::ok())),
        }
    }

    /// Visits the rows one after another.
    fn visit(&mut self, session: SessionId, progress: &mut Progress, visit: &Visit<'_>) -> Result<Step, SqlError> {
        while let Some(found) = progress.found.get(progress.done).cloned() {
            // PostgreSQL works out the new row, and checks it, before it waits for the lock of the old one.
            self.becomes(session, visit, &found.values)?;
            match self.reach(session, visit, &found)? {
                Reached::Wait(what) => return Ok(Step::Wait(what)),
                Reached::Passed => {}
                Reached::Row(values) => {
                    let becomes = self.becomes(session, visit, &values)?;
                    let shown = becomes.as_ref().unwrap_or(&values);
                    progress.rows.push(chosen(self.table(visit.table)?, visit.output, shown)?);
                    progress.count += 1;
                    match visit.change {
                        Change::Nothing => {}
                        Change::Delete | Change::Set(_) => self.put(session, visit.table, &found.key, becomes),
                    }
                }
            }
            progress.done += 1;
        }
        Ok(Step::Done(reply(visit.output, progress.count, &progress.rows)))
    }

    /// What a visit makes of a row that has these values; `None`: it is deleted.
    fn becomes(&self, session: SessionId, visit: &Visit<'_>, values: &Values) -> Result<Option<Values>, SqlError> {
        match visit.change {
            Change::Nothing => Ok(Some(values.clone())),
            Change::Delete => Ok(None),
            Change::Set(sets) => self.updated(session, visit.table, sets, values).map(Some),
        }
    }

    /// Locks a row and looks at it again: it may have changed since the statement began.
    fn reach(&mut self, session: SessionId, visit: &Visit<'_>, found: &Found) -> Result<Reached, SqlError> {
        let what = Lockable::Row(visit.table.clone(), found.key.clone());
        if !self.take(&what, session, LockScope::Transaction) {
            return match visit.locking {
                Locking::SkipLocked => Ok(Reached::Passed),
                Locking::NoWait => Err(SqlError::row_locked(visit.table)),
                Locking::Wait => Ok(self.wait(what, session, LockScope::Transaction)),
            };
        }
        let known = self.table(visit.table)?;
        // A row that came under the same key in the meantime is another one.
        let is_there = known.inserted(&found.key) == found.inserted;
        let Some(values) = known.seen(&found.key, session).filter(|_| is_there).cloned() else {
            let woken = self.database.locks.let_go(&what, session);
            self.woken.extend(woken);
            return Ok(Reached::Passed);
        };
        // A row that no longer fits stays locked to the end of the transaction, as in PostgreSQL.
        let fits = self.scope(session, known, Some(&values)).holds(visit.filter)?;
        Ok(if fits { Reached::Row(values) } else { Reached::Passed })
    }

    fn insert(
        &mut self,
        session: SessionId,
        progress: &mut Progress,
        table: &Arc<str>,
        or_nothing: bool,
        output: &Output,
    ) -> Result<Step, SqlError> {
        let Found { key, values, .. } = progress.found.first().cloned().expect("an INSERT brings a row");
        let known = self.table(table)?;
        let what = Lockable::Row(table.clone(), key.clone());
        let foreign = known.rows.get(&key).and_then(|row| row.pending.as_ref()).is_some_and(|by| by.session != session);
        // A row that is only locked is there; one that somebody else is just bringing or removing must be waited for.
        let is_there = known.seen(&key, session).is_some() && !foreign;
        if !is_there && !self.take(&what, session, LockScope::Transaction) {
            self.wait(what.clone(), session, LockScope::Transaction);
            return Ok(Step::Wait(what));
        }
        let known = self.table(table)?;
        if known.seen(&key, session).is_none() {
            progress.rows.push(chosen(known, output, &values)?);
            progress.count = 1;
            self.put(session, table, &key, Some(values));
        } else if !or_nothing {
            return Err(SqlError::duplicate(table));
        } else if !is_there {
            let woken = self.database.locks.let_go(&what, session);
            self.woken.extend(woken);
        }
        Ok(Step::Done(reply(output, progress.count, &progress.rows)))
    }

    fn new_row(
        &self,
        session: SessionId,
        table: &str,
        columns: &[Arc<str>],
        values: &[Expression],
    ) -> Result<Found, SqlError> {
        let known = self.table(table)?;
        let scope = self.scope(session, known, None);
        for column in columns {
            known.column(column)?;
        }
        let mut row = Vec::new();
        for column in &known.columns {
            let given = columns.iter().position(|name| *name == column.name);
            let expression = given.map_or(&column.default, |index| &values[index]);
            let value = scope.value(expression, Some(column.kind))?;
            row.push(column.kind.store(value, &column.name)?);
        }
        known.admit(&row)?;
        Ok(Found { key: row[known.primary].clone(), values: row.into(), inserted: 0 })
    }

    fn updated(
        &self,
        session: SessionId,
        table: &str,
        sets: &[(Arc<str>, Expression)],
        values: &Values,
    ) -> Result<Values, SqlError> {
        let known = self.table(table)?;
        let scope = self.scope(session, known, Some(values));
        let mut row = values.to_vec();
        for (name, expression) in sets {
            let index = known.column(name)?;
            let kind = known.columns[index].kind;
            row[index] = kind.store(scope.value(expression, Some(kind))?, name)?;
        }
        known.admit(&row)?;
        Ok(row.into())
    }

    fn put(&mut self, session: SessionId, table: &Arc<str>, key: &Datum, values: Option<Values>) {
        if let Some(known) = self.database.tables.get_mut(table) {
            let is_absent = known.seen(key, session).is_none();
            let row = known.rows.or_insert_with(key.clone(), Row::default);
            let is_new = is_absent || row.pending.as_ref().is_some_and(|pending| pending.is_new);
            row.pending = Some(Pending { session, values, is_new });
        }
        if let Some(transaction) = self.state(session).and_then(|state| state.transaction.as_mut()) {
            transaction.touched.insert((table.clone(), key.clone()));
        }
    }

    fn advisory(&mut self, session: SessionId, advisory: &Advisory) -> Step {
        let truth = |yes: bool| Step::Done(Reply::bulk(if yes { "t" } else { "f" }));
        let nothing = Step::Done(Reply::bulk(""));
        match advisory {
            Advisory::Count => Step::Done(Reply::Integer(self.database.locks.advisory(session))),
            Advisory::UnlockAll => {
                let woken = self.database.locks.end_session(session);
                self.woken.extend(woken);
                nothing
            }
            Advisory::Call(call, key) => {
                let what = Lockable::Advisory(key.clone());
                let scope = match call {
                    AdvisoryCall::TransactionLock | AdvisoryCall::TryTransactionLock => LockScope::Transaction,
                    _ => LockScope::Session,
                };
                match call {
                    AdvisoryCall::Lock | AdvisoryCall::TransactionLock => {
                        if self.take(&what, session, scope) {
                            return nothing;
                        }
                        self.wait(what.clone(), session, scope);
                        Step::Wait(what)
                    }
                    AdvisoryCall::TryLock | AdvisoryCall::TryTransactionLock => truth(self.take(&what, session, scope)),
                    AdvisoryCall::Unlock => {
                        let woken = self.database.locks.give_back(&what, session);
                        let held = woken.is_some();
                        self.woken.extend(woken.unwrap_or_default());
                        truth(held)
                    }
                }
            }
        }
    }

    fn take(&mut self, what: &Lockable, session: SessionId, scope: LockScope) -> bool {
        let by = self.state(session).and_then(|state| state.peer);
        self.database.locks.take(what, session, scope, by)
    }

    fn wait(&mut self, what: Lockable, session: SessionId, scope: LockScope) -> Reached {
        let by = self.state(session).and_then(|state| state.peer);
        self.database.locks.wait(&what, session, scope, by);
        Reached::Wait(what)
    }

    fn table(&self, name: &str) -> Result<&Table, SqlError> {
        self.database.tables.get(name).ok_or_else(|| SqlError::no_table(name))
    }

    fn scope<'a>(&'a self, session: SessionId, table: &'a Table, row: Option<&'a Values>) -> Scope<'a> {
        let transaction = self.database.sessions.get(&session).and_then(|state| state.transaction.as_ref());
        let began = transaction.map_or(self.now.wall, |transaction| transaction.began);
        Scope { table, row: row.map(|values| &**values), began, clock: self.now.wall }
    }
}

fn check_names(table: &Table, expression: &Expression) -> Result<(), SqlError> {
    match expression {
        Expression::Column(name) => table.column(name).map(|_| ()),
        Expression::Trim(inner) => check_names(table, inner),
        Expression::Binary(one, _, other) => check_names(table, one).and_then(|()| check_names(table, other)),
        Expression::Literal(_) | Expression::Quoted(_) | Expression::Now | Expression::Clock => Ok(()),
    }
}

fn check_output(table: &Table, output: &Output) -> Result<(), SqlError> {
    match output {
        Output::Count | Output::CountRow => Ok(()),
        Output::Columns(columns) => columns.iter().try_for_each(|column| table.column(column).map(|_| ())),
    }
}

/// What a row gives back.
fn chosen(table: &Table, output: &Output, values: &Values) -> Result<Vec<Datum>, SqlError> {
    match output {
        Output::Count | Output::CountRow => Ok(Vec::new()),
        Output::Columns(columns) => {
            columns.iter().map(|column| table.column(column).map(|index| values[index].clone())).collect()
        }
    }
}

/// The number of rows; or no value, the one value, the one row, or a list of rows.
fn reply(output: &Output, count: i64, rows: &[Vec<Datum>]) -> Reply {
    let Output::Columns(_) = output else { return Reply::Integer(count) };
    let row = |values: &Vec<Datum>| match &values[..] {
        [value] => value.reply(),
        values => Reply::Array(values.iter().map(Datum::reply).collect()),
    };
    match rows {
        [] => Reply::Nil,
        [only] => row(only),
        rows => Reply::Array(rows.iter().map(row).collect()),
    }
}

/// The name under which an advisory key is shown.
impl std::fmt::Display for AdvisoryKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AdvisoryKey::Number(number) => number.fmt(f),
            AdvisoryKey::Text(text) => f.write_str(text),
        }
    }
}
