//! The comparison in the page: every mechanism against every threat, as far as it has been played.

use std::collections::BTreeMap;
use std::rc::Rc;

use locklab_core::compare::{Found, Mechanism, Threat, mechanisms};
use locklab_core::i18n::Text;

use super::hunt::opened;
use super::{Played, State, View};
use crate::errand::{CellName, PlayedCell, Report};

/// The comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// The cells that have been played.
    entries: Rc<BTreeMap<CellName, Rc<Entry>>>,
    /// What the names of the rows that are shown have in common.
    pub filter: String,
    /// The cell that is explained.
    pub open: Option<Open>,
    /// Why it does not go on.
    pub failed: Option<Text>,
}

/// A cell that has been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What came of it.
    pub found: Found,
    /// The witness, by the address of its run.
    pub run: Option<String>,
}

/// A cell that is explained.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// Which.
    pub cell: CellName,
    /// Its witness, played.
    pub played: Option<Rc<Played>>,
}

/// What a reader can do with the comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Turned {
    /// Show the rows whose names have this in common.
    Filter(String),
    /// Explain a cell, or none.
    Open(Option<CellName>),
    /// The worker has told something.
    Heard(Report),
}

impl Sheet {
    /// The rows that are shown.
    pub fn rows(&self) -> Vec<Mechanism> {
        mechanisms().into_iter().filter(|row| self.shows(row)).collect()
    }

    fn shows(&self, row: &Mechanism) -> bool {
        let wanted = self.filter.trim().to_ascii_lowercase();
        let title = row.title();
        [row.name(), title.en, title.zh].iter().any(|name| name.to_ascii_lowercase().contains(&wanted))
    }

    /// A row's cells, as far as they have been played.
    pub fn entries(&self, row: &Mechanism) -> Vec<Option<Rc<Entry>>> {
        let name = row.name();
        Threat::ALL.iter().map(|threat| self.entries.get(&(name.clone(), *threat)).cloned()).collect()
    }

    /// A cell, if it has been played.
    pub fn entry(&self, cell: &CellName) -> Option<&Rc<Entry>> {
        self.entries.get(cell)
    }

    /// How many cells have been played, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.entries.len(), mechanisms().len() * Threat::ALL.len())
    }

    /// The cells that are still to be played: those that are shown first.
    pub fn missing(&self) -> Vec<CellName> {
        let (shown, hidden): (Vec<_>, Vec<_>) = mechanisms().into_iter().partition(|row| self.shows(row));
        let cells = shown.iter().chain(&hidden).flat_map(|row| Threat::ALL.map(|threat| (row.name(), threat)));
        cells.filter(|cell| !self.entries.contains_key(cell)).collect()
    }

    fn after(mut self, turned: Turned) -> Sheet {
        match turned {
            Turned::Filter(filter) => Sheet { filter, ..self },
            Turned::Open(cell) => {
                let open = cell.filter(|cell| self.open.as_ref().is_none_or(|open| open.cell != *cell));
                self.open = open.map(|cell| {
                    let run = self.entries.get(&cell).and_then(|entry| entry.run.clone());
                    Open { cell, played: run.and_then(|run| opened(&run)) }
                });
                self
            }
            Turned::Heard(Report::Cells(cells)) => {
                let played =
                    cells.into_iter().map(|PlayedCell { cell, found, run }| (cell, Rc::new(Entry { found, run })));
                Rc::make_mut(&mut self.entries).extend(played);
                self
            }
            Turned::Heard(Report::Failed(why)) => Sheet { failed: Some(why), ..self },
            Turned::Heard(_) => self,
        }
    }
}

impl State {
    /// The state after something about the comparison.
    pub(super) fn compared_all(self, turned: Turned) -> State {
        State { sheet: self.sheet.clone().after(turned), ..self }
    }

    /// What the rows that are played next have in common; `None`: nothing is to be played now.
    pub fn wants_cells(&self) -> Option<String> {
        let (played, all) = self.sheet.progress();
        let wants = self.view == View::Matrix && self.sheet.failed.is_none() && played < all;
        wants.then(|| self.sheet.filter.clone())
    }
}
