//! The model of a database against real ones: PostgreSQL with its waits and errors, SQLite for what a single statement does.

#[path = "../../../src/live/service/database/connection.rs"]
#[expect(dead_code, reason = "live runs ask more of it")]
mod connection;
#[path = "../../../src/live/service/database/install.rs"]
mod install;
#[path = "../../../src/live/service/database/login.rs"]
mod login;
mod postgres;
#[path = "../../../src/live/service/database/scram.rs"]
mod scram;
mod server;
mod sqlite;
#[path = "../../../src/live/service/database/statement.rs"]
mod statement;
mod stories;

pub use connection::Connection;
pub use login::Login;
pub use server::Server;
