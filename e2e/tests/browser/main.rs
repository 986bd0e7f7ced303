//! The page in a real browser.

mod access;
mod change;
mod opening;
mod run;
mod speed;
mod timeline;
