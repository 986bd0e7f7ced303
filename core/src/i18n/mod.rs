//! English and Chinese: everything that a reader sees exists in both.

mod language;

pub use language::Language;
