//! Live runs: real servers and real processes do what the simulation does, and leave nothing behind.

mod database;
mod exact;
mod named;
mod named_postgres;
mod services;
mod traces;
mod wall;
