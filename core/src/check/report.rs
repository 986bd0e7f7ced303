//! The whole judgement of a history.

use super::figures::Figures;
use super::story;
use super::{Judge, Property, Totals, Verdict, Violation};
use crate::history::{Event, History};
use crate::i18n::Text;

/// What is to be said about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Every property's verdict, in the order of [`Property::ALL`].
    pub verdicts: Vec<(Property, Verdict)>,
    /// The figures.
    pub totals: Totals,
    /// Every violation of every broken property, by time.
    pub violations: Vec<Violation>,
    /// Why it broke, as a chain of sentences; where nothing broke, what kept it safe or what is missing.
    pub cause: Vec<Text>,
}

impl Report {
    /// The verdict on one property.
    pub fn verdict(&self, property: Property) -> &Verdict {
        let found = self.verdicts.iter().find(|(of, _)| *of == property);
        &found.expect("a report judges every property").1
    }

    /// The broken properties, in order.
    pub fn broken(&self) -> impl Iterator<Item = Property> + '_ {
        self.verdicts.iter().filter(|(_, verdict)| verdict.is_broken()).map(|(property, _)| *property)
    }
}

/// Judges a history: every property, every figure, and the cause in words.
pub fn check(history: &History) -> Report {
    let mut judge = Judge::start(&history.header, Property::ALL);
    let mut figures = Figures::start(&history.header);
    for event in &history.events {
        step(&mut judge, &mut figures, event);
    }
    let verdicts = judge.verdicts();
    let mut violations: Vec<Violation> = verdicts.iter().flat_map(|(_, verdict)| evidence(verdict)).cloned().collect();
    violations.sort_by_key(|violation| (violation.from, violation.event, violation.property));
    let totals = figures.totals(&judge);
    let cause = story::cause(history, &verdicts, &violations, &totals);
    Report { verdicts, totals, violations, cause }
}

fn step(judge: &mut Judge, figures: &mut Figures, event: &Event) {
    if event.at > judge.facts().now {
        figures.elapse(judge.facts(), event.at);
        judge.advance(event.at);
    }
    figures.step(judge.facts(), event);
    judge.step(event);
}

fn evidence(verdict: &Verdict) -> &[Violation] {
    match verdict {
        Verdict::Broken { evidence } => evidence,
        Verdict::Holds | Verdict::Unknown | Verdict::NotApplicable => &[],
    }
}
