//! The integration tests of the core, in one binary.

mod redis_recorded;
mod scenario_file;
