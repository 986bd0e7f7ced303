//! The page in a real browser.

mod opening;
mod run;
