//! From symbols to a statement.

use std::sync::Arc;

use super::super::SqlError;
use super::super::calendar::EPOCH;
use super::super::datum::{Datum, Type};
use super::lexer::{Symbol, symbols};
use super::statement::{
    Advisory, AdvisoryCall, AdvisoryKey, Column, Comparison, Condition, Expression, Locking, Operator, Output, Setting,
    Statement,
};
use crate::time::Span;

impl Statement {
    /// Reads one statement.
    ///
    /// # Errors
    /// 42601 at the first symbol that fits none of the shapes; 0A000 for what PostgreSQL knows and this model does not.
    pub fn parse(text: &str) -> Result<Statement, SqlError> {
        let symbols = symbols(text)?;
        let mut reader = Reader { symbols: &symbols, depth: 0 };
        let statement = reader.statement()?;
        match reader.symbols {
            [] => Ok(statement),
            [next, ..] => Err(SqlError::syntax(next.text())),
        }
    }
}

/// Expressions nest no deeper than anybody writes them.
const DEEPEST: usize = 20;

struct Reader<'a> {
    symbols: &'a [Symbol],
    depth: usize,
}

impl<'a> Reader<'a> {
    fn statement(&mut self) -> Result<Statement, SqlError> {
        match self.word()?.as_str() {
            "begin" => Ok(Statement::Begin),
            "commit" => Ok(Statement::Commit),
            "rollback" => Ok(Statement::Rollback),
            "set" => self.set(),
            "create" => self.create(),
            "insert" => self.insert(),
            "update" => self.update(),
            "delete" => self.delete(),
            "select" => self.select(),
            other => Err(SqlError::syntax(other)),
        }
    }

    fn set(&mut self) -> Result<Statement, SqlError> {
        let setting = match self.word()?.as_str() {
            "lock_timeout" => Setting::LockTimeout,
            "statement_timeout" => Setting::StatementTimeout,
            "idle_in_transaction_session_timeout" => Setting::IdleInTransaction,
            other => return Err(SqlError::unsupported(&format!("the setting {other}"))),
        };
        if !self.takes("to") {
            self.mark("=")?;
        }
        let millis = self.whole_number()?;
        let millis = u64::try_from(millis).ok().filter(|millis| *millis <= i32::MAX as u64);
        let millis = millis.ok_or_else(|| SqlError::new("22023", "a time-out is 0 to 2147483647 ms"))?;
        Ok(Statement::Set(setting, Span::from_millis(millis)))
    }

    fn create(&mut self) -> Result<Statement, SqlError> {
        self.keyword("table")?;
        let table = self.name()?;
        self.mark("(")?;
        let mut columns = Vec::new();
        let mut primary = None;
        loop {
            let (column, is_primary) = self.column()?;
            if is_primary && primary.replace(columns.len()).is_some() {
                return Err(SqlError::new(
                    "42P16",
                    format!("multiple primary keys for table \"{table}\" are not allowed"),
                ));
            }
            columns.push(column);
            if !self.takes_mark(",") {
                break;
            }
        }
        self.mark(")")?;
        let primary = primary.ok_or_else(|| SqlError::unsupported("a table without a primary key"))?;
        Ok(Statement::Create { table, columns, primary })
    }

    fn column(&mut self) -> Result<(Column, bool), SqlError> {
        let name = self.name()?;
        let kind = match self.word()?.as_str() {
            "bigint" => Type::Integer,
            "text" => Type::Text,
            "timestamptz" => Type::Instant,
            other => return Err(SqlError::unsupported(&format!("the type {other}"))),
        };
        let default = Expression::Literal(Datum::Null);
        let mut column = Column { name, kind, not_null: false, default, check: None };
        let mut primary = false;
        loop {
            if self.takes("primary") {
                self.keyword("key")?;
                (primary, column.not_null) = (true, true);
            } else if self.takes("not") {
                self.keyword("null")?;
                column.not_null = true;
            } else if self.takes("default") {
                column.default = self.term()?;
            } else if self.takes("check") {
                self.mark("(")?;
                column.check = Some(self.condition()?);
                self.mark(")")?;
            } else {
                return Ok((column, primary));
            }
        }
    }

    fn insert(&mut self) -> Result<Statement, SqlError> {
        self.keyword("into")?;
        let table = self.name()?;
        self.mark("(")?;
        let columns = self.listed(Reader::name)?;
        self.mark(")")?;
        self.keyword("values")?;
        self.mark("(")?;
        let values = self.listed(Reader::expression)?;
        self.mark(")")?;
        if columns.len() != values.len() {
            let more = if values.len() > columns.len() {
                "expressions than target columns"
            } else {
                "target columns than expressions"
            };
            return Err(SqlError::new("42601", format!("INSERT has more {more}")));
        }
        let or_nothing = self.takes("on");
        if or_nothing {
            self.keyword("conflict")?;
            self.keyword("do")?;
            self.keyword("nothing")?;
        }
        Ok(Statement::Insert { table, columns, values, or_nothing, returning: self.returning()? })
    }

    fn update(&mut self) -> Result<Statement, SqlError> {
        let table = self.name()?;
        self.keyword("set")?;
        let sets = self.listed(|reader| {
            let column = reader.name()?;
            reader.mark("=")?;
            Ok((column, reader.expression()?))
        })?;
        let filter = self.filter()?;
        Ok(Statement::Update { table, sets, filter, returning: self.returning()? })
    }

    fn delete(&mut self) -> Result<Statement, SqlError> {
        self.keyword("from")?;
        let table = self.name()?;
        let filter = self.filter()?;
        Ok(Statement::Delete { table, filter, returning: self.returning()? })
    }

    fn select(&mut self) -> Result<Statement, SqlError> {
        if let Some(Symbol::Word(name)) = self.symbols.first()
            && name.starts_with("pg_")
        {
            return self.advisory();
        }
        let output = if self.takes("count") {
            self.mark("(")?;
            self.mark("*")?;
            self.mark(")")?;
            Output::CountRow
        } else {
            Output::Columns(self.listed(Reader::name)?)
        };
        self.keyword("from")?;
        let table = self.name()?;
        if *table == *"pg_locks" {
            return self.own_locks(&output);
        }
        let filter = self.filter()?;
        let locking = if self.takes("for") {
            self.keyword("update")?;
            Some(self.locking()?)
        } else {
            None
        };
        if locking.is_some() && output == Output::CountRow {
            return Err(SqlError::new("0A000", "FOR UPDATE is not allowed with aggregate functions"));
        }
        Ok(Statement::Select { table, output, filter, locking })
    }

    fn locking(&mut self) -> Result<Locking, SqlError> {
        if self.takes("nowait") {
            return Ok(Locking::NoWait);
        }
        if self.takes("skip") {
            self.keyword("locked")?;
            return Ok(Locking::SkipLocked);
        }
        Ok(Locking::Wait)
    }

    fn advisory(&mut self) -> Result<Statement, SqlError> {
        let function = self.word()?;
        let call = match function.as_str() {
            "pg_advisory_lock" => AdvisoryCall::Lock,
            "pg_try_advisory_lock" => AdvisoryCall::TryLock,
            "pg_advisory_unlock" => AdvisoryCall::Unlock,
            "pg_advisory_xact_lock" => AdvisoryCall::TransactionLock,
            "pg_try_advisory_xact_lock" => AdvisoryCall::TryTransactionLock,
            "pg_advisory_unlock_all" => {
                self.mark("(")?;
                self.mark(")")?;
                return Ok(Statement::Advisory(Advisory::UnlockAll));
            }
            other => return Err(SqlError::new("42883", format!("function {other} does not exist"))),
        };
        self.mark("(")?;
        let key = if self.takes("hashtext") {
            self.mark("(")?;
            let text = self.quoted()?;
            self.mark(")")?;
            AdvisoryKey::Text(text)
        } else {
            AdvisoryKey::Number(self.whole_number()?)
        };
        self.mark(")")?;
        Ok(Statement::Advisory(Advisory::Call(call, key)))
    }

    /// The one question to `pg_locks` that a lock needs: how many advisory locks are mine?
    fn own_locks(&mut self, output: &Output) -> Result<Statement, SqlError> {
        self.keyword("where")?;
        self.keyword("locktype")?;
        self.mark("=")?;
        let advisory = *self.quoted()? == *"advisory";
        self.keyword("and")?;
        self.keyword("pid")?;
        self.mark("=")?;
        self.keyword("pg_backend_pid")?;
        self.mark("(")?;
        self.mark(")")?;
        if !advisory || *output != Output::CountRow {
            return Err(SqlError::unsupported("this question to pg_locks"));
        }
        Ok(Statement::Advisory(Advisory::Count))
    }

    fn returning(&mut self) -> Result<Output, SqlError> {
        if self.takes("returning") { Ok(Output::Columns(self.listed(Reader::name)?)) } else { Ok(Output::Count) }
    }

    /// Every statement says which rows it means: one that forgot to would lock or change all of them.
    fn filter(&mut self) -> Result<Vec<Condition>, SqlError> {
        self.keyword("where")?;
        let mut conditions = vec![self.condition()?];
        while self.takes("and") {
            conditions.push(self.condition()?);
        }
        Ok(conditions)
    }

    fn condition(&mut self) -> Result<Condition, SqlError> {
        let column = self.name()?;
        let comparison = match self.next()? {
            Symbol::Mark("=") => Comparison::Equal,
            Symbol::Mark("<>") => Comparison::Unequal,
            Symbol::Mark("<") => Comparison::Less,
            Symbol::Mark("<=") => Comparison::AtMost,
            Symbol::Mark(">") => Comparison::Greater,
            Symbol::Mark(">=") => Comparison::AtLeast,
            other => return Err(SqlError::syntax(other.text())),
        };
        Ok(Condition { column, comparison, expression: self.expression()? })
    }

    fn expression(&mut self) -> Result<Expression, SqlError> {
        let mut sum = self.term()?;
        loop {
            let operator = match self.symbols.first() {
                Some(Symbol::Mark("+")) => Operator::Plus,
                Some(Symbol::Mark("-")) => Operator::Minus,
                Some(Symbol::Mark("||")) => Operator::Concat,
                _ => return Ok(sum),
            };
            self.next()?;
            self.deeper()?;
            sum = Expression::Binary(Box::new(sum), operator, Box::new(self.term()?));
        }
    }

    fn term(&mut self) -> Result<Expression, SqlError> {
        match self.next()?.clone() {
            Symbol::Number(digits) => Ok(Expression::Literal(Datum::Integer(whole(&digits, false)?))),
            Symbol::Mark("-") => match self.next()? {
                Symbol::Number(digits) => Ok(Expression::Literal(Datum::Integer(whole(digits, true)?))),
                other => Err(SqlError::syntax(other.text())),
            },
            Symbol::Quoted(text) => Ok(Expression::Quoted(Arc::from(text))),
            Symbol::Word(word) => self.named(&word),
            other => Err(SqlError::syntax(other.text())),
        }
    }

    fn named(&mut self, word: &str) -> Result<Expression, SqlError> {
        let called = matches!(self.symbols.first(), Some(Symbol::Mark("(")));
        match (word, called) {
            ("null", false) => Ok(Expression::Literal(Datum::Null)),
            ("interval", false) => {
                let text = self.quoted()?;
                let millis = text.strip_suffix(" ms").and_then(|number| number.parse::<i64>().ok());
                let micros = millis.and_then(|millis| millis.checked_mul(1_000));
                micros
                    .map(|micros| Expression::Literal(Datum::Interval(micros)))
                    .ok_or_else(|| SqlError::unsupported(&format!("the interval '{text}'; it reads '250 ms'")))
            }
            (_, false) if !is_reserved(word) => Ok(Expression::Column(Arc::from(word))),
            (_, false) => Err(SqlError::syntax(word)),
            ("now" | "clock_timestamp", true) => {
                self.mark("(")?;
                self.mark(")")?;
                Ok(if word == "now" { Expression::Now } else { Expression::Clock })
            }
            ("to_timestamp", true) => {
                self.mark("(")?;
                let negative = self.takes_mark("-");
                let micros = match self.next()? {
                    Symbol::Number(digits) => micros(digits)?,
                    other => return Err(SqlError::syntax(other.text())),
                };
                self.mark(")")?;
                let micros = if negative { -micros } else { micros };
                Ok(Expression::Literal(Datum::Instant(micros - EPOCH)))
            }
            ("trim", true) => {
                self.deeper()?;
                self.mark("(")?;
                let inner = self.expression()?;
                self.mark(")")?;
                Ok(Expression::Trim(Box::new(inner)))
            }
            (other, true) => Err(SqlError::new("42883", format!("function {other} does not exist"))),
        }
    }

    fn deeper(&mut self) -> Result<(), SqlError> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(SqlError::new("54001", "stack depth limit exceeded")) } else { Ok(()) }
    }

    fn listed<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T, SqlError>) -> Result<Vec<T>, SqlError> {
        let mut all = vec![one(self)?];
        while self.takes_mark(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn next(&mut self) -> Result<&'a Symbol, SqlError> {
        let (next, rest) = self.symbols.split_first().ok_or_else(|| SqlError::syntax(""))?;
        self.symbols = rest;
        Ok(next)
    }

    fn word(&mut self) -> Result<String, SqlError> {
        match self.next()? {
            Symbol::Word(word) => Ok(word.clone()),
            other => Err(SqlError::syntax(other.text())),
        }
    }

    /// A name of a table or column: no keyword of this grammar.
    fn name(&mut self) -> Result<Arc<str>, SqlError> {
        let word = self.word()?;
        if is_reserved(&word) { Err(SqlError::syntax(&word)) } else { Ok(Arc::from(word)) }
    }

    fn quoted(&mut self) -> Result<Arc<str>, SqlError> {
        match self.next()? {
            Symbol::Quoted(text) => Ok(Arc::from(text.as_str())),
            other => Err(SqlError::syntax(other.text())),
        }
    }

    fn whole_number(&mut self) -> Result<i64, SqlError> {
        let negative = self.takes_mark("-");
        match self.next()? {
            Symbol::Number(digits) => whole(digits, negative),
            other => Err(SqlError::syntax(other.text())),
        }
    }

    fn keyword(&mut self, wanted: &str) -> Result<(), SqlError> {
        match self.next()? {
            Symbol::Word(word) if word == wanted => Ok(()),
            other => Err(SqlError::syntax(other.text())),
        }
    }

    fn mark(&mut self, wanted: &str) -> Result<(), SqlError> {
        match self.next()? {
            Symbol::Mark(mark) if *mark == wanted => Ok(()),
            other => Err(SqlError::syntax(other.text())),
        }
    }

    fn takes(&mut self, wanted: &str) -> bool {
        let found = matches!(self.symbols.first(), Some(Symbol::Word(word)) if word == wanted);
        if found {
            self.symbols = &self.symbols[1..];
        }
        found
    }

    fn takes_mark(&mut self, wanted: &str) -> bool {
        let found = matches!(self.symbols.first(), Some(Symbol::Mark(mark)) if *mark == wanted);
        if found {
            self.symbols = &self.symbols[1..];
        }
        found
    }
}

/// Words of this grammar that PostgreSQL reserves, too.
fn is_reserved(word: &str) -> bool {
    const RESERVED: [&str; 21] = [
        "and",
        "check",
        "create",
        "default",
        "do",
        "for",
        "from",
        "into",
        "not",
        "null",
        "on",
        "or",
        "order",
        "primary",
        "returning",
        "select",
        "table",
        "to",
        "limit",
        "union",
        "where",
    ];
    RESERVED.contains(&word)
}

fn whole(digits: &str, negative: bool) -> Result<i64, SqlError> {
    if digits.contains('.') {
        return Err(SqlError::unsupported("numbers with a fraction"));
    }
    let signed = if negative { format!("-{digits}") } else { digits.to_owned() };
    signed.parse().map_err(|_| SqlError::new("22003", "bigint out of range"))
}

/// Seconds with up to six decimals, in microseconds.
fn micros(digits: &str) -> Result<i64, SqlError> {
    let (seconds, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fits = fraction.len() <= 6 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = if fits { format!("{fraction:0<6}").parse::<i64>().ok() } else { None };
    let seconds = seconds.parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1_000_000));
    let total = seconds.zip(fraction).and_then(|(seconds, fraction)| seconds.checked_add(fraction));
    total.filter(|total| *total < i64::MAX / 4).ok_or_else(|| SqlError::new("22008", "timestamp out of range"))
}
