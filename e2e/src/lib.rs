//! What drives the page in a real browser: a headless Chromium through its driver, against `locklab serve`.
//!
//! Every test has a browser, a profile and a server of its own, on ports that nobody else has, and all of them end with it.
//! A test reads: [`visit`] the page in some [`Look`], act as a reader would, look.
#![cfg(feature = "browser")]

mod browser;
mod look;
mod page;
mod process;
mod server;

pub use browser::{Browser, browse};
pub use locklab_core::i18n::Language;
pub use look::{Look, Scheme, Size};
pub use page::{Page, visit};
pub use server::{FolderServer, PageServer};
pub use thirtyfour::{By, WebElement, extensions::query::ElementQueryable};
