//! The integration tests of the core, in one binary.

mod advice;
mod cases;
mod checks;
mod compare;
mod explore;
mod fail_open;
mod game;
mod history_lines;
mod lessons;
mod long_story;
mod redis_behaviour;
mod redis_properties;
mod redis_recorded;
mod run;
mod scenario_errors;
mod scenario_file;
mod scenario_fuzz;
mod scenarios;
