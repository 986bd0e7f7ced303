//! The search: can this lock break, and what is the simplest way?
//!
//! [`Search`] plays *every* order of simultaneous events and *every* placement of the allowed faults, and ends with an answer for each property:
//! broken, with the simplest run that breaks it; holds in all states within the bounds; or unknown, because the budget ran out. It is a resumable function
//! ([`Search::advance`]): threads, a clock and Ctrl-C belong to its caller.
//!
//! Beside it stand an [`envelope`] (where does it begin to break?), a [`risk`] (how likely is it?), [`shrink`] (a broken run made small) and a [`Swarm`] (random runs for large spaces).
//!
//! # How it goes
//!
//! A state is a [`World`](crate::sim::World) in which an adversary places faults, with a [`Judge`](crate::check::Judge) that looks on. Time jumps from one
//! instant at which something happens to the next. A step asks for choices (which of several simultaneous events comes first, whether a fault strikes here, whether one ends now).
//! A run is followed by the default answers; where there could have been another, only the step is noted (see `frontier`), and the turn is taken when everything with fewer faults, or as
//! many and fewer choices, has been looked at. States are told apart by a fingerprint in relative times, so endless polling is a finite space. Cost is fewest faults, then fewest choices,
//! then shortest: when a layer of as many faults and choices is done, the shortest violation in it is the simplest.
//!
//! # Parts
//!
//! A long search is divided: when so many states have been taken up, what still waits is dealt out to [`PARTS`] parts ([`Search::part`]). Each is searched by itself, by whichever thread
//! or machine, and [`Summary::joined`] puts together what they found: the same, whoever searched what. A state that two parts reach is searched, and counted, by both.
//!
//! # Limits
//!
//! "Holds" means: for these clients, steps, faults and the lengths that [`Search::bounds`] lists, never for all. Two different states have the same 64-bit fingerprint with a chance of about
//! n²/2⁶⁵ for n states: one in forty million for a million states.

mod allowance;
mod attack;
mod bounds;
mod cost;
pub mod envelope;
mod fingerprint;
mod frontier;
mod onlooker;
pub mod risk;
mod runs;
mod search;
pub mod shrink;
mod state;
mod summary;
mod swarm;
mod visited;

pub use allowance::{AllowanceError, allowance_of, class_of, lengths_of, parse_allowance};
pub use attack::Attack;
pub use cost::Cost;
pub use search::{Adversity, Answer, Bounds, Progress, Reductions, Search};
pub use summary::{PARTS, Summary};
pub use swarm::Swarm;
