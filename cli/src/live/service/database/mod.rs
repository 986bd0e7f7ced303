//! Real databases: SQLite, which is a part of this program, and PostgreSQL, which the run starts itself where it is installed, or a user names.
//!
//! A lock that is one statement (a unique key), and a resource that needs no lock (a version, a condition, a unique key), are played on SQLite; what waits for
//! somebody, or is a transaction, is played on PostgreSQL, where the scenario says so behind a PgBouncer. On a PostgreSQL that a user names all of it is played, but
//! for what needs a pooler.

mod admission;
mod connection;
mod install;
mod ledger;
mod login;
mod look;
mod own;
mod pooler;
mod postgres;
mod schema;
mod scram;
mod session;
mod sqlite;
mod statement;

use locklab_core::servers::database::Access;
use locklab_core::sim::Plan;
use locklab_core::wire::Command;

use super::Kind;
pub use admission::{check_plan, check_statements};
pub use install::programs;
pub use login::Login;
pub use own::NOT_INSTALLED;
pub use pooler::PgBouncerProgram;
pub use postgres::PostgreSql;
pub use schema::Schema;
pub use sqlite::Sqlite;

/// A command as the statement that was written.
fn text_of(command: &Command) -> String {
    let words: Vec<_> = command.words().iter().map(|word| String::from_utf8_lossy(word)).collect();
    words.join(" ")
}

/// Which database plays a plan, where the user names none.
pub fn which(plan: &Plan) -> Kind {
    let is_one_statement = plan.kind.asks_nobody() || *plan.kind.name == *"lock-row";
    let is_direct = plan.database_settings.access == Access::Direct;
    if is_one_statement && is_direct { Kind::Sqlite } else { Kind::PostgreSql }
}
