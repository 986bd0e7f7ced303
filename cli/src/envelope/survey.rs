//! Deciding points, on every core, until all is known or the time is out.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use locklab_core::explore::Progress;
use locklab_core::explore::envelope::{Envelope, Outcome, critical, outcomes};
use locklab_core::explore::{Answer, lengths_of};
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use locklab_core::time::Span;

use super::inquiry::{Inquiry, Setting};
use crate::explore::found::{self, Break};
use crate::failure::Failure;
use crate::interrupt::{Interrupt, Stop};
use crate::progress::ProgressLine;

/// How many states are looked at between two looks at the clock.
const AT_ONCE: usize = 500;

/// What a survey may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the time is out.
    pub until: Instant,
    /// Whether the end was asked for.
    pub interrupt: Interrupt,
    /// How many bytes all searches take together.
    pub memory: usize,
    /// The language of the progress line.
    pub language: Language,
}

/// An envelope, at one value of the second figure.
#[derive(Debug)]
pub struct Line {
    /// The second figure; `None`: there is none.
    pub second: Option<Setting>,
    /// What is known along the first.
    pub envelope: Envelope,
}

/// Everything that was decided.
#[derive(Debug)]
pub struct Survey<'a> {
    /// What was asked.
    pub inquiry: &'a Inquiry<'a>,
    /// The scenario's title.
    pub title: Text,
    /// Where the first figure was looked at.
    pub range: (u64, u64),
    /// One envelope, or one for each value of the second figure.
    pub lines: Vec<Line>,
    /// For each property that breaks anywhere, the simplest run at the least value that breaks it, on the first line.
    pub breaks: Vec<(u64, Break)>,
    /// What each point searched.
    pub bounds: Vec<Text>,
    /// Why it ended before its end, if somebody asked for it or the time ran out.
    pub stopped: Option<Stop>,
}

impl Limits {
    /// Why no more is to be searched, if that is so.
    fn stop(&self) -> Option<Stop> {
        match () {
            () if self.interrupt.is_asked() => Some(Stop::Interrupted),
            () if Instant::now() >= self.until => Some(Stop::Time),
            () => None,
        }
    }

    fn left(&self) -> Span {
        Span::from_secs(self.until.saturating_duration_since(Instant::now()).as_secs())
    }
}

impl<'a> Survey<'a> {
    /// Decides everything.
    pub fn make(inquiry: &'a Inquiry<'a>, limits: &Limits) -> Result<Survey<'a>, Failure> {
        let (from, to, step) = inquiry.range()?;
        let unit = inquiry.unit(inquiry.axis);
        let second = inquiry.second()?;
        let seconds: Vec<Option<Setting>> = match second.is_empty() {
            true => vec![None],
            false => second.into_iter().map(Some).collect(),
        };
        let mut line = ProgressLine::new(limits.language);
        let mut lines = Vec::new();
        for second in seconds {
            let fixed: Vec<Setting> = second.into_iter().collect();
            let (stage, search) = inquiry.search(&fixed)?;
            let critical = critical(search.plan(), lengths_of(&stage.scenario));
            let mut envelope = Envelope::new(from, to, step, unit, &critical);
            decide(inquiry, &fixed, &mut envelope, limits, &mut line)?;
            lines.push(Line { second, envelope });
        }
        let bounds = inquiry.bounds(from)?;
        let mut survey = Survey {
            inquiry,
            title: inquiry.stage.scenario.title.clone(),
            range: (from, to),
            lines,
            breaks: Vec::new(),
            bounds,
            stopped: None,
        };
        survey.stopped = limits.stop().filter(|_| !survey.is_decided());
        survey.breaks = survey.breaks(limits)?;
        Ok(survey)
    }

    /// Whether nothing is left open.
    pub fn is_decided(&self) -> bool {
        let places = 0..self.inquiry.properties.len();
        let open = |line: &Line, place| {
            line.envelope.stretches(place).iter().any(|stretch| stretch.outcome == Outcome::Unknown)
        };
        !self.lines.iter().any(|line| places.clone().any(|place| open(line, place)))
    }

    /// How many points were decided.
    pub fn points(&self) -> usize {
        self.lines.iter().map(|line| line.envelope.decided()).sum()
    }

    fn breaks(&self, limits: &Limits) -> Result<Vec<(u64, Break)>, Failure> {
        let Some(line) = self.lines.first() else { return Ok(Vec::new()) };
        let mut breaks = Vec::new();
        for (place, property) in self.inquiry.properties.iter().enumerate() {
            let stretches = line.envelope.stretches(place);
            let Some(first) = stretches.iter().find(|stretch| stretch.outcome == Outcome::Broken) else { continue };
            let mut settings: Vec<Setting> = line.second.into_iter().collect();
            settings.push((self.inquiry.axis, first.from));
            let (stage, mut search) = self.inquiry.search(&settings)?;
            while limits.stop().is_none()
                && search.advance(AT_ONCE) == Progress::Going
                && !matches!(search.answers().nth(place), Some((_, Answer::Broken(_))))
                && search.bytes() < limits.memory
            {}
            if let Some((_, Answer::Broken(attack))) = search.answers().find(|(of, _)| of == property) {
                let played = found::played(self.inquiry.source, &stage, &self.inquiry.lock, &search, *attack)?;
                breaks.push((first.from, played));
            }
        }
        Ok(breaks)
    }
}

fn decide(
    inquiry: &Inquiry<'_>,
    fixed: &[Setting],
    envelope: &mut Envelope,
    limits: &Limits,
    line: &mut ProgressLine,
) -> Result<(), Failure> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    loop {
        let pending = envelope.pending();
        if pending.is_empty() {
            return Ok(());
        }
        let next = AtomicUsize::new(0);
        let limits = Limits { memory: limits.memory / threads, ..limits.clone() };
        let take = || {
            let mut decided = Vec::new();
            while let Some(value) = pending.get(next.fetch_add(1, Ordering::Relaxed)) {
                decided.push((*value, point(inquiry, fixed, *value, &limits)));
            }
            decided
        };
        let decided: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (1..threads.min(pending.len())).map(|_| scope.spawn(take)).collect();
            let mut decided = Vec::new();
            while let Some(value) = pending.get(next.fetch_add(1, Ordering::Relaxed)) {
                line.show(|| {
                    say!(
                        "{decided} points decided, {pending} more at least, at most {left} left",
                        "已判定 {decided} 个点，至少还有 {pending} 个，最多还需 {left}",
                        decided = envelope.decided() as u64,
                        pending = pending.len().saturating_sub(next.load(Ordering::Relaxed)) as u64,
                        left = limits.left()
                    )
                });
                decided.push((*value, point(inquiry, fixed, *value, &limits)));
            }
            workers.into_iter().for_each(|worker| decided.extend(worker.join().expect("a search does not panic")));
            decided
        });
        for (value, outcomes) in decided {
            envelope.settle(value, outcomes?);
        }
    }
}

/// Decides one point.
fn point(inquiry: &Inquiry<'_>, fixed: &[Setting], value: u64, limits: &Limits) -> Result<Vec<Outcome>, Failure> {
    if limits.stop().is_some() {
        return Ok(vec![Outcome::Unknown; inquiry.properties.len()]);
    }
    let mut settings = fixed.to_vec();
    settings.push((inquiry.axis, value));
    let (_, mut search) = inquiry.search(&settings)?;
    while limits.stop().is_none() && search.bytes() < limits.memory && search.advance(AT_ONCE) == Progress::Going {}
    search.give_up();
    Ok(outcomes(&search))
}
