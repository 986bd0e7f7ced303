//! The properties, one a file: each a doc comment that says exactly what breaks it, and the fold that finds out.

pub mod available;
pub mod continuity;
pub mod exactly_once;
pub mod fairness;
pub mod false_success;
pub mod fencing_monotonic;
pub mod foreign_release;
pub mod lost_update;
pub mod mutual_exclusion;
pub mod no_deadlock;
pub mod overrun;
pub mod oversell;
pub mod progress;
pub mod stale_write;
