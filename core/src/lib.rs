//! Locklab's core: a distributed lock, its clients, its servers and the faults of real life on a virtual clock.
//!
//! A run is a pure function from a scenario and a list of choices to a history; everything else reads histories.
//! The rooms, in the order in which they may know each other, are in `ARCHITECTURE.md`.

pub mod address;
pub mod check;
pub mod choices;
pub mod compare;
pub mod explore;
pub mod game;
pub mod history;
pub mod i18n;
pub mod lesson;
pub mod locks;
pub mod resource;
pub mod scenario;
pub mod servers;
pub mod sim;
pub mod time;
pub mod view;
pub mod wire;
pub mod worker;
