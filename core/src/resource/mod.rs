//! What a lock protects: cells that are read and written, and the guard that decides what is accepted.
//!
//! The resource knows nothing of locks. It sees requests in some order, and that order is the truth: what it accepted happened.

mod ask;
mod cell;
mod database_home;
mod home;
mod redis_home;
mod statements;
mod value;

pub use ask::Ask;
pub use cell::Resource;
pub use database_home::{DatabaseHome, operation as operation_of_statement};
pub use home::{Home, Seen};
pub use redis_home::{RedisHome, SCRIPT};
pub use statements::{Request, Statements};
pub use value::{changed, initial_text, is_sold_out};
