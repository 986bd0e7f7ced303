//! The cause, told as a chain of sentences.

use super::{Property, Verdict, Violation};
use crate::history::History;
use crate::i18n::Text;

/// Why a run broke.
pub fn cause(_: &History, _: &[(Property, Verdict)], _: &[Violation]) -> Vec<Text> {
    Vec::new()
}
