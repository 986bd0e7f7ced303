//! Judgement: what a history says about a lock's promises, with evidence, figures and the cause in words.
//!
//! Every [`Property`] is a fold over events, run by a [`Judge`]; [`check`] runs all of them over a whole [`crate::history::History`]. The same judge serves a
//! simulated run, a live run and every branch of a search. Nothing here knows a scenario, a lock's code or a kind of server.
//!
//! Three things are kept apart: a *grant* (who holds the lock by the records of the service that decides), a *section* (while a client acts as
//! holder) and an *effect* (what the protected resource accepted). Every violation is a statement about these three.

mod evidence;
mod facts;
mod figures;
mod happened;
mod judge;
mod monitor;
mod names;
mod patience;
mod properties;
mod property;
mod report;
mod story;
mod totals;
mod troubles;
mod verdict;

pub use happened::{happened, happenings};
pub use judge::Judge;
pub use names::UnknownName;
pub use property::Property;
pub use report::{Report, check};
pub use totals::{Amount, Interval, TOTALS, TotalInfo, Totals};
pub use verdict::{Verdict, Violation};
