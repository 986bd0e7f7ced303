//! English and Chinese: everything that a reader sees exists in both.

mod language;
mod text;

pub use language::Language;
pub use text::Text;
