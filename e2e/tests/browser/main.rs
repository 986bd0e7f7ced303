//! The page in a real browser.

mod access;
mod change;
mod file;
mod game;
mod lessons;
mod matrix;
mod opening;
mod pictures;
mod run;
mod search;
mod speed;
mod timeline;
