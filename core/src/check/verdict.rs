//! The answer to one property, and one violation of it.

use super::Property;
use crate::history::{CellId, GrantId};
use crate::i18n::Text;
use crate::say;
use crate::time::{Span, Time};
use crate::wire::{ClientId, LockId};

/// What was found about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It could have broken, and did not.
    Holds,
    /// It broke; at least one violation.
    Broken {
        /// Each violation, by time.
        evidence: Vec<Violation>,
    },
    /// The history ends too early to tell: the budget or the data ran out.
    Unknown,
    /// There is no lock, or nothing happened that could have broken it.
    NotApplicable,
}

impl Verdict {
    /// The canonical word: `holds`, `broken`, `unknown`, `not-applicable`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Broken { .. } => "broken",
            Verdict::Unknown => "unknown",
            Verdict::NotApplicable => "not-applicable",
        }
    }

    /// The word for a reader.
    pub fn title(&self) -> Text {
        match self {
            Verdict::Holds => say!("holds", "成立"),
            Verdict::Broken { .. } => say!("broken", "被破坏"),
            Verdict::Unknown => say!("unknown", "无法判定"),
            Verdict::NotApplicable => say!("not applicable", "不适用"),
        }
    }

    /// Whether it broke.
    pub fn is_broken(&self) -> bool {
        matches!(self, Verdict::Broken { .. })
    }
}

/// One violation of one property: when, by whom, of what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// When it began.
    pub from: Time,
    /// When it was over: equal to `from` for something that happens at one instant, [`Time::NEVER`] for what has no end.
    pub until: Time,
    /// What was violated.
    pub property: Property,
    /// Who took part; the one who should not have acted comes first.
    pub clients: Vec<ClientId>,
    /// Which lock, where one is concerned.
    pub lock: Option<LockId>,
    /// Which grant: the one that suffered.
    pub grant: Option<GrantId>,
    /// Which cell of the resource, where one is concerned.
    pub cell: Option<CellId>,
    /// The position in the history of the event that made it visible.
    pub event: usize,
}

impl Violation {
    /// A violation at one instant, with nothing else known of it yet.
    pub fn at(property: Property, at: Time, event: usize, clients: Vec<ClientId>) -> Violation {
        Violation { from: at, until: at, property, clients, lock: None, grant: None, cell: None, event }
    }

    /// The same violation, of this lock.
    pub fn of_lock(self, lock: LockId) -> Violation {
        Violation { lock: Some(lock), ..self }
    }

    /// The same violation, of this grant.
    pub fn of_grant(self, grant: Option<GrantId>) -> Violation {
        Violation { grant, ..self }
    }

    /// The same violation, of this cell.
    pub fn of_cell(self, cell: CellId) -> Violation {
        Violation { cell: Some(cell), ..self }
    }

    /// How long it lasted; `None` when it has no end.
    pub fn length(&self) -> Option<Span> {
        (self.until != Time::NEVER).then(|| self.until.since(self.from))
    }
}
