//! The integration tests of the command line and of the core against real servers, in one binary.

mod command;
mod database;
mod live;
mod redis_commands;
mod redis_model;
mod redis_server;
