//! The cause, told as a chain of sentences: because this, then that; however, this; so two clients write.
//!
//! The teller walks the history once, from the first hold that took part in a violation. It mentions what took part in it (grants, faults, ends of leases,
//! effects) and says how one follows from the other; the conclusion sums up what broke. A stranger must understand it without the timeline.

mod conclusion;
mod effect;
mod fault;
mod hold;
mod names;
mod scope;
mod teller;

use self::scope::Scope;
use self::teller::Teller;
use super::{Property, Totals, Verdict, Violation};
use crate::history::History;
use crate::i18n::Text;
use crate::say;

/// A longer story is shortened in its middle.
const TOLD: usize = 24;

/// Why a run broke, sentence by sentence; for a run in which nothing broke, what it withstood.
pub fn cause(
    history: &History,
    verdicts: &[(Property, Verdict)],
    violations: &[Violation],
    totals: &Totals,
) -> Vec<Text> {
    let scope = Scope::of(history, violations);
    let mut teller = Teller::start(history, &scope);
    for (position, event) in history.events.iter().enumerate() {
        teller.step(position, event);
    }
    let mut sentences = shortened(teller.finish(), scope.firsts.is_empty());
    sentences.extend(conclusion::of(history, verdicts, &scope, totals));
    sentences
}

/// At most [`TOLD`] sentences: the beginning and the end of a longer story. A long run in which nothing broke is not told at all.
fn shortened(mut sentences: Vec<Text>, unbroken: bool) -> Vec<Text> {
    if sentences.len() <= TOLD {
        return sentences;
    }
    if unbroken {
        return Vec::new();
    }
    let surplus = sentences.len() - TOLD;
    let gap = say!("({count} more steps.)", "（其间还有 {count} 步。）", count = surplus as u64);
    sentences.splice(TOLD / 2..TOLD / 2 + surplus, [gap]);
    sentences
}
