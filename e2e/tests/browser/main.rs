//! The page in a real browser.

mod access;
mod change;
mod game;
mod lessons;
mod matrix;
mod opening;
mod run;
mod search;
mod speed;
mod timeline;
