//! The page in a real browser.

mod change;
mod opening;
mod run;
