//! Reports of runs, in every form.

mod brief;
mod drawing;
mod full;
mod json;
mod junit;
mod words;

use locklab_core::i18n::Language;
use locklab_core::say;

use crate::failure::{Ending, Failure};
use crate::form;
use crate::options::{Format, OutputArguments};
use crate::output::Output;
use crate::play::Played;
use crate::terminal;

/// Takes runs one by one and reports them.
#[derive(Debug)]
pub struct Reporter {
    form: Form,
    voice: Voice,
    agenda: Agenda,
    /// Whether each run is told in full.
    verbose: bool,
    /// How many were taken.
    taken: usize,
    /// How many of them were not as expected.
    failed: usize,
    /// How many of them could not be played so, where nothing else was expected.
    not_applicable: usize,
}

/// What will be played.
#[derive(Clone, Copy, Debug)]
pub struct Agenda {
    /// How many scenarios.
    pub scenarios: usize,
    /// How many runs.
    pub runs: usize,
    /// The columns of the longest scenario's name.
    pub scenario_width: usize,
    /// The columns of the longest lock's name.
    pub lock_width: usize,
}

/// How a report speaks.
#[derive(Clone, Copy, Debug)]
pub struct Voice {
    /// The language.
    pub language: Language,
    /// The columns.
    pub width: usize,
}

/// The form of a report, with what can only be written at its end.
#[derive(Debug)]
enum Form {
    Text,
    Json(Vec<json::Run>),
    Junit(junit::Cases),
    Svg,
    Html,
    History,
}

impl Agenda {
    /// One run.
    pub const ONE: Agenda = Agenda { scenarios: 1, runs: 1, scenario_width: 0, lock_width: 0 };
}

impl Reporter {
    /// Before the first run. Some forms can tell one run only.
    pub fn new(arguments: &OutputArguments, language: Language, agenda: Agenda) -> Result<Reporter, Failure> {
        let form = match form::wanted(arguments.format, arguments.output.as_deref())? {
            Format::Text => Form::Text,
            Format::Json => Form::Json(Vec::new()),
            Format::Junit => Form::Junit(junit::Cases::default()),
            Format::Svg | Format::Html | Format::History if agenda.runs != 1 => return Err(one_run_only(agenda.runs)),
            Format::Svg => Form::Svg,
            Format::Html => Form::Html,
            Format::History => Form::History,
        };
        let voice = Voice { language, width: terminal::width() };
        Ok(Reporter { form, voice, agenda, verbose: arguments.verbose, taken: 0, failed: 0, not_applicable: 0 })
    }

    /// Takes a run.
    pub fn take(&mut self, played: &Played, output: &mut Output) -> Result<(), Failure> {
        self.taken += 1;
        self.failed += usize::from(played.as_expected() == Some(false));
        self.not_applicable += usize::from(played.judged().is_none() && played.as_expected().is_none());
        let text = match &mut self.form {
            Form::Text => self.text(played),
            Form::Json(runs) => {
                runs.push(json::run(played));
                return Ok(());
            }
            Form::Junit(cases) => {
                cases.add(played, self.voice.language);
                return Ok(());
            }
            Form::Svg => drawing::svg(played, self.voice.language)?,
            Form::Html => drawing::html(played, self.voice.language)?,
            Form::History => drawing::history(played)?,
        };
        output.write(&text)
    }

    /// After the last run.
    pub fn finish(self, mut output: Output) -> Result<Ending, Failure> {
        match self.form {
            Form::Text if self.agenda.runs > 1 => {
                let Reporter { agenda, taken, failed, not_applicable, .. } = &self;
                output.write(&brief::summary(agenda, *taken, *failed, *not_applicable, self.voice))?;
            }
            Form::Json(runs) => output.write(&json::document(runs))?,
            Form::Junit(cases) => output.write(&cases.document())?,
            Form::Text | Form::Svg | Form::Html | Form::History => {}
        }
        output.finish()?;
        Ok(if self.failed == 0 { Ending::AsExpected } else { Ending::NotAsExpected })
    }

    /// A run as text: in full where a reader wants to see it, else in brief.
    fn text(&self, played: &Played) -> String {
        let is_alone = self.agenda.scenarios == 1;
        let opens = is_alone && self.taken == 1;
        if self.verbose || opens || played.as_expected() == Some(false) {
            let gap = if self.taken > 1 { "\n" } else { "" };
            let end = if self.agenda.runs > self.taken { "\n" } else { "" };
            return format!("{gap}{}{end}", full::page(played, self.voice));
        }
        let line = brief::line(played, &self.agenda, self.voice);
        // Locks side by side on one scenario: what each let through and what it stopped.
        let figures = if is_alone { brief::figures(played, self.voice) } else { String::new() };
        line + &figures
    }
}

/// A run told in full, as a part of a larger report.
pub fn story(played: &Played, language: Language) -> String {
    full::page(played, Voice { language, width: terminal::width() })
}

fn one_run_only(runs: usize) -> Failure {
    Failure::input(say!(
        "this form tells one run, but {runs} were asked for",
        "这种格式只能描述一次运行，而这里有 {runs} 次",
        runs = runs as u64
    ))
    .hint(say!("name one scenario, and one lock with --lock", "请只写一个场景，并用 --lock 指定一个锁"))
}
