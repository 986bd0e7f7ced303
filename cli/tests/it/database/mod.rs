//! The model of a database against real ones: PostgreSQL with its waits and errors, SQLite for what a single statement does.

mod connection;
mod postgres;
mod server;
mod sqlite;
mod stories;
