//! Whether a run came out as its scenario expects.

use super::Expectation;
use crate::check::{Property, Report, Verdict, happened};
use crate::history::History;
use crate::i18n::Text;
use crate::say;

/// What differs between a run and what was expected of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Each difference in one sentence; none: it came out as expected.
    pub differences: Vec<Text>,
}

impl Comparison {
    /// Whether everything came out as expected.
    pub fn as_expected(&self) -> bool {
        self.differences.is_empty()
    }
}

impl Expectation {
    /// Compares a judged run with what was expected. Exactly the expected properties break; *unknown* is never expected.
    pub fn compare(&self, report: &Report, history: &History) -> Comparison {
        let verdicts = report.verdicts.iter().filter_map(|(property, verdict)| self.differs(*property, verdict));
        let happens = self.happens.iter().filter_map(|name| match happened(history, name) {
            Ok(true) => None,
            Ok(false) => {
                Some(say!("{name} was expected, and did not happen", "预期发生 {name}，但没有发生", name = **name))
            }
            // A scenario names only what exists; a history from elsewhere may have other clients.
            Err(error) => Some(Text::same(error.to_string())),
        });
        let totals = self.totals.iter().filter_map(|(name, expected)| {
            let found = report.totals.by_name(name).ok()?;
            (found != *expected).then(|| {
                say!(
                    "{name} was expected to be {expected}, and is {found}",
                    "预期 {name} 为 {expected}，实际为 {found}",
                    name = **name,
                    expected = expected,
                    found = found,
                )
            })
        });
        Comparison { differences: verdicts.chain(happens).chain(totals).collect() }
    }

    fn differs(&self, property: Property, verdict: &Verdict) -> Option<Text> {
        let expected = self.broken.contains(&property);
        let (name, found) = (property.name(), verdict.title());
        match verdict {
            Verdict::Broken { .. } if expected => None,
            Verdict::Broken { .. } => {
                Some(say!("{name} is broken, and was expected to hold", "{name} 被破坏，而预期是成立", name = name))
            }
            Verdict::Holds | Verdict::NotApplicable if !expected => None,
            Verdict::Holds | Verdict::NotApplicable | Verdict::Unknown if expected => Some(say!(
                "{name} was expected to break; the verdict is: {found}",
                "预期 {name} 被破坏，判定却是：{found}",
                name = name,
                found = found,
            )),
            Verdict::Holds | Verdict::NotApplicable | Verdict::Unknown => Some(say!(
                "{name} was expected to hold; the verdict is unknown",
                "预期 {name} 成立，但无法判定",
                name = name
            )),
        }
    }
}
