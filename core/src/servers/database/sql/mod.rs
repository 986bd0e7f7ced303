//! The SQL that the model speaks: a small, closed grammar whose every statement means the same to a real PostgreSQL.
//!
//! ```text
//! BEGIN | COMMIT | ROLLBACK
//! SET lock_timeout | statement_timeout | idle_in_transaction_session_timeout = MILLISECONDS
//! CREATE TABLE t (c bigint | text | timestamptz [PRIMARY KEY] [NOT NULL] [DEFAULT literal] [CHECK (c op literal)], ...)
//! INSERT INTO t (c, ...) VALUES (e, ...) [ON CONFLICT DO NOTHING] [RETURNING c, ...]
//! UPDATE t SET c = e, ... WHERE c op e AND ... [RETURNING c, ...]
//! DELETE FROM t WHERE c op e AND ... [RETURNING c, ...]
//! SELECT c, ... | count(*) FROM t WHERE c op e AND ... [FOR UPDATE [NOWAIT | SKIP LOCKED]]
//! SELECT pg_advisory_lock(k) | pg_try_advisory_lock(k) | pg_advisory_unlock(k) | pg_advisory_unlock_all()
//! SELECT pg_advisory_xact_lock(k) | pg_try_advisory_xact_lock(k)
//! SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
//! ```
//!
//! An expression `e` is a sum or concatenation (`+`, `-`, `||`) of literals, columns, `now()`, `clock_timestamp()`, `to_timestamp(seconds)`,
//! `interval '250 ms'` and `trim(e)`; `op` is `=`, `<>`, `<`, `<=`, `>` or `>=`; `k` is a number or `hashtext('text')`.

mod lexer;
mod parse;
mod statement;

pub use statement::{
    Advisory, AdvisoryCall, AdvisoryKey, Column, Comparison, Condition, Expression, Locking, Operator, Output, Setting,
    Statement,
};
