//! Reports of runs, in every form.

mod brief;
mod drawing;
mod full;
mod json;
mod junit;
mod words;

use locklab_core::i18n::Language;
use locklab_core::say;

use crate::args::{Format, OutputArguments};
use crate::failure::{Ending, Failure};
use crate::output::Output;
use crate::play::Played;
use crate::terminal;

/// Takes runs one by one and reports them.
#[derive(Debug)]
pub struct Reporter {
    format: Format,
    voice: Voice,
    /// Whether each run is told in full.
    verbose: bool,
    scenarios: usize,
    runs: usize,
    /// For forms that can only be written as a whole.
    kept: Vec<Played>,
    /// How many were taken, and how many of them were not as expected.
    taken: usize,
    failed: usize,
}

/// How a report speaks.
#[derive(Clone, Copy, Debug)]
pub struct Voice {
    /// The language.
    pub language: Language,
    /// The columns.
    pub width: usize,
}

impl Reporter {
    /// Before the first of `runs` runs of `scenarios` scenarios. Some forms can tell one run only.
    pub fn new(
        arguments: &OutputArguments,
        language: Language,
        scenarios: usize,
        runs: usize,
    ) -> Result<Reporter, Failure> {
        let format = format(arguments);
        if runs != 1 && matches!(format, Format::Svg | Format::Html | Format::History) {
            return Err(one_run_only(runs));
        }
        let voice = Voice { language, width: terminal::width() };
        Ok(Reporter {
            format,
            voice,
            verbose: arguments.verbose,
            scenarios,
            runs,
            kept: Vec::new(),
            taken: 0,
            failed: 0,
        })
    }

    /// Takes a run.
    pub fn take(&mut self, played: Played, output: &mut Output) -> Result<(), Failure> {
        self.taken += 1;
        let failed = played.as_expected() == Some(false);
        self.failed += usize::from(failed);
        match self.format {
            Format::Text => output.write(&self.text(&played, failed)),
            Format::Json | Format::Junit => {
                self.kept.push(played);
                Ok(())
            }
            Format::Html => output.write(&drawing::html(&played, self.voice.language)?),
            Format::Svg => output.write(&drawing::svg(&played, self.voice.language)?),
            Format::History => output.write(&drawing::history(&played)?),
        }
    }

    /// After the last run.
    pub fn finish(self, mut output: Output) -> Result<Ending, Failure> {
        match self.format {
            Format::Text if self.runs > 1 => output.write(&brief::summary(&self.count(), self.voice))?,
            Format::Json => output.write(&json::document(&self.kept))?,
            Format::Junit => output.write(&junit::document(&self.kept, self.voice.language))?,
            Format::Text | Format::Svg | Format::Html | Format::History => {}
        }
        output.finish()?;
        Ok(if self.failed == 0 { Ending::AsExpected } else { Ending::NotAsExpected })
    }

    /// A run as text: in full where a reader wants to see it, else one line.
    fn text(&self, played: &Played, failed: bool) -> String {
        let opens = self.scenarios == 1 && self.taken == 1;
        if self.verbose || failed || opens {
            let gap = if self.taken > 1 { "\n" } else { "" };
            let end = if self.runs > self.taken { "\n" } else { "" };
            format!("{gap}{}{end}", full::page(played, self.voice))
        } else {
            brief::line(played, self.voice)
        }
    }

    fn count(&self) -> brief::Count {
        brief::Count { scenarios: self.scenarios, runs: self.taken, failed: self.failed }
    }
}

/// The form that was asked for, else the one that the file's ending means, else text.
fn format(arguments: &OutputArguments) -> Format {
    let ending = arguments.output.as_ref().and_then(|path| path.extension()).and_then(|ending| ending.to_str());
    arguments.format.unwrap_or(match ending {
        Some("json") => Format::Json,
        Some("xml") => Format::Junit,
        Some("svg") => Format::Svg,
        Some("html" | "htm") => Format::Html,
        Some("jsonl") => Format::History,
        _ => Format::Text,
    })
}

fn one_run_only(runs: usize) -> Failure {
    Failure::input(say!(
        "this form tells one run, but {runs} were asked for",
        "这种格式只能描述一次运行，而这里有 {runs} 次",
        runs = runs as u64
    ))
    .hint(say!("name one scenario, and one lock with --lock", "请只写一个场景，并用 --lock 指定一个锁"))
}
