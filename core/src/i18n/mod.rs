//! English and Chinese: everything that a reader sees exists in both.
//!
//! A message is an expression, [`say!`](crate::say), with both patterns side by side; it stands where its facts are known.

mod language;
mod nearest;
mod say;
mod text;

pub use language::Language;
pub use nearest::{by_likeness, did_you_mean, nearest};
pub use say::Say;
pub use text::Text;
