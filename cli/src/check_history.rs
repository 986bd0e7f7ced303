//! `locklab check-history`: a recorded history, judged and drawn.

use std::path::Path;

use locklab_core::history::History;
use locklab_core::i18n::{Language, Text};
use locklab_core::say;

use crate::args::CheckHistoryArguments;
use crate::failure::{Ending, Failure};
use crate::input;
use crate::play::Played;
use crate::run;

/// The largest history that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// Reads, judges and reports a history. Nothing is expected of it.
pub fn check_history(arguments: &CheckHistoryArguments, language: Language) -> Result<Ending, Failure> {
    run::report(&arguments.output, language, Played::recorded(read(&arguments.file)?))
}

/// Reads a history.
pub fn read(file: &Path) -> Result<History, Failure> {
    let shown = file.display().to_string();
    let bytes = input::read_bytes(file, LARGEST)?;
    let wrong = |why: Text| {
        Failure::input(say!("{shown} is no history: {why}", "{shown} 不是历史记录：{why}", shown = shown, why = why))
            .hint(say!("a history is what --format history writes", "历史记录由 --format history 写出"))
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() as u64;
        wrong(say!("it is not text in UTF-8 from byte {at} on", "从第 {at} 个字节起不是 UTF-8 文本", at = at + 1))
    })?;
    History::from_lines(&text).map_err(|error| wrong(error.message()))
}
