//! How far something long has come: one line on the standard error, where that is a terminal.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use locklab_core::i18n::{Language, Text};

/// A line that is drawn over and over, and is gone at the end.
#[derive(Debug)]
pub struct ProgressLine {
    language: Language,
    bar: ProgressBar,
    start: Instant,
    last: Duration,
}

/// How often the words change, at most.
const OFTEN: Duration = Duration::from_millis(250);

impl ProgressLine {
    /// A line of words, for what may end at any time.
    pub fn new(language: Language) -> ProgressLine {
        ProgressLine::drawn(None, "{spinner} {wide_msg}", language)
    }

    /// A bar with the rate and the remaining time, for so many of something, such as runs.
    pub fn counting(count: u64, of: &Text, language: Language) -> ProgressLine {
        let of = of.in_language(language);
        let template = match language {
            Language::English => {
                format!("{{bar:24}} {{human_pos}} of {{human_len}} {of}, {{rate}} a second, {{eta}} left{{wide_msg}}")
            }
            Language::Chinese => {
                format!("{{bar:24}} {{human_pos}}/{{human_len}} {of}，每秒 {{rate}}，还需 {{eta}}{{wide_msg}}")
            }
        };
        ProgressLine::drawn(Some(count), &template, language)
    }

    fn drawn(count: Option<u64>, template: &str, language: Language) -> ProgressLine {
        let target = match std::io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr_with_hz(8),
            false => ProgressDrawTarget::hidden(),
        };
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            // Nothing to draw on is nobody's loss.
            let _ = write!(out, "{:.0}", state.per_sec());
        };
        let style = ProgressStyle::with_template(template).expect("the template is sound").with_key("rate", rate);
        let bar = ProgressBar::with_draw_target(count, target).with_style(style);
        ProgressLine { language, bar, start: Instant::now(), last: Duration::ZERO }
    }

    /// How long it has been there.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// So many more are done.
    pub fn advance(&self, more: u64) {
        self.bar.inc(more);
    }

    /// Shows these words, four times a second at most.
    pub fn show(&mut self, words: impl FnOnce() -> Text) {
        let elapsed = self.elapsed();
        if self.bar.is_hidden() || elapsed < self.last + OFTEN {
            return;
        }
        self.last = elapsed;
        self.bar.set_message(words().in_language(self.language).to_owned());
        self.bar.tick();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
