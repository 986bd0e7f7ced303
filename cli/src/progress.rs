//! How far something long has come: one line on a terminal, written over and over.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use locklab_core::i18n::{Language, Text};

/// A line on the standard error, where that is a terminal.
#[derive(Debug)]
pub struct ProgressLine {
    language: Language,
    is_seen: bool,
    start: Instant,
    last: Duration,
}

impl ProgressLine {
    /// A line that shows nothing yet.
    pub fn new(language: Language) -> ProgressLine {
        let is_seen = std::io::stderr().is_terminal();
        ProgressLine { language, is_seen, start: Instant::now(), last: Duration::ZERO }
    }

    /// How long it has been there.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Shows these words, four times a second at most.
    pub fn show(&mut self, words: impl FnOnce() -> Text) {
        let elapsed = self.elapsed();
        if !self.is_seen || elapsed < self.last + Duration::from_millis(250) {
            return;
        }
        self.last = elapsed;
        let mut stderr = std::io::stderr();
        let words = words();
        let words = words.in_language(self.language);
        // Nobody can be told when nobody listens.
        let _ = write!(stderr, "\r\x1b[2K{words}").and_then(|()| stderr.flush());
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.is_seen && self.last > Duration::ZERO {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}
