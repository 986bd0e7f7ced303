//! What a cell came to.

use super::Edge;
use crate::check::Property;
use crate::i18n::Text;
use crate::say;
use crate::time::Span;

/// What happened to the resource, over all runs of a cell. The worst run decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// In every run that was tried the resource kept its rules, and the others could work.
    Held,
    /// In some run the resource accepted what it should not have: a stale write, a lost update, an oversale, a second effect.
    Broken,
    /// The resource kept its rules in every run, but in some run the others could not work: the lock was never free, or nobody got it in time.
    Unavailable,
    /// The fault does not concern the mechanism.
    NotApplicable {
        /// Why.
        why: Text,
    },
}

impl Answer {
    /// The canonical word: `held`, `broken`, `unavailable`, `not-applicable`.
    pub fn name(&self) -> &'static str {
        match self {
            Answer::Held => "held",
            Answer::Broken => "broken",
            Answer::Unavailable => "unavailable",
            Answer::NotApplicable { .. } => "not-applicable",
        }
    }

    /// The word for a reader.
    pub fn title(&self) -> Text {
        match self {
            Answer::Held => say!("held", "守住了"),
            Answer::Broken => say!("broken", "被破坏"),
            Answer::Unavailable => say!("unavailable", "不可用"),
            Answer::NotApplicable { .. } => say!("not applicable", "不适用"),
        }
    }
}

/// What the runs of a cell came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The answer.
    pub answer: Answer,
    /// How many runs were tried.
    pub runs: u32,
    /// In how many the resource accepted what it should not have.
    pub broken: u32,
    /// In how many it did not, but the others could not work.
    pub unavailable: u32,
    /// In how many sections overlapped that exclude each other.
    pub overlapped: u32,
    /// In how many the client that was not struck did its work.
    pub served: u32,
    /// The longest that this client waited for the lock; until the end of the run where it never got it.
    pub longest_wait: Span,
    /// What was tried, in a few words: at how many moments, of which lengths.
    pub tried: Text,
    /// How long the fault may last before anything breaks; `None`: nothing broke, it has no length, or none is short enough.
    pub edge: Option<Edge>,
    /// The first of the worst runs; where nothing broke, the first in which sections overlapped.
    pub witness: Option<Witness>,
}

/// A run of a cell, for whoever wants to see it: a built-in scenario, a lock and changes to the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The scenario's name.
    pub scenario: &'static str,
    /// The lock's name.
    pub lock: String,
    /// What is changed in the scenario: key and value, as `--set` takes them. The faults are among them.
    pub changes: Vec<(String, String)>,
    /// What the run breaks.
    pub breaks: Vec<Property>,
}

impl Found {
    /// The answer of a cell that nothing was played for.
    pub(super) fn not_applicable(why: Text) -> Found {
        Found {
            answer: Answer::NotApplicable { why },
            runs: 0,
            broken: 0,
            unavailable: 0,
            overlapped: 0,
            served: 0,
            longest_wait: Span::ZERO,
            tried: Text::default(),
            edge: None,
            witness: None,
        }
    }

    /// The answer with its number of runs: `held in 60 runs`, `broken in 3 of 60 runs`.
    pub fn sentence(&self) -> Text {
        match &self.answer {
            Answer::Held => say!("held in {runs} runs", "{runs} 次运行都守住了", runs = self.runs),
            Answer::Broken => say!(
                "broken in {broken} of {runs} runs",
                "{runs} 次运行中有 {broken} 次被破坏",
                broken = self.broken,
                runs = self.runs
            ),
            Answer::Unavailable => say!(
                "unavailable in {unavailable} of {runs} runs, the resource unharmed",
                "{runs} 次运行中有 {unavailable} 次不可用，资源未受损",
                unavailable = self.unavailable,
                runs = self.runs
            ),
            Answer::NotApplicable { why } => {
                say!("not applicable: {why}", "不适用：{why}", why = why)
            }
        }
    }
}
