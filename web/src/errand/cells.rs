//! Cells of the comparison, as an errand.

use locklab_core::address::{Change, ChoicesAddress};
use locklab_core::compare::{Cell, Found, Witness, mechanisms};
use locklab_core::scenario::library;

use super::{CellName, PACE, Report};
use crate::state::{Piece, Played, Source};

/// A cell that has been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedCell {
    /// Which.
    pub cell: CellName,
    /// What came of it, without the witness.
    pub found: Found,
    /// The witness, by the address of its run.
    pub run: Option<String>,
}

/// Plays cells one by one, and tells of them by and by. Names that name nothing are left out.
pub(super) fn play(cells: &[CellName], now: impl Fn() -> f64, mut tell: impl FnMut(Report)) {
    let rows = mechanisms();
    let (mut untold, mut told) = (Vec::new(), now());
    for (name, threat) in cells {
        let Some(mechanism) = rows.iter().find(|row| row.name() == *name) else { continue };
        let mut found = Cell { mechanism: *mechanism, threat: *threat }.play();
        let run = found.witness.take().and_then(|witness| run_of(&witness));
        untold.push(PlayedCell { cell: (name.clone(), *threat), found, run });
        if now() - told >= PACE {
            told = now();
            tell(Report::Cells(std::mem::take(&mut untold)));
        }
    }
    tell(Report::Cells(untold));
}

/// The address of a witness.
fn run_of(witness: &Witness) -> Option<String> {
    let changes = witness.changes.iter().map(|(key, value)| Change { key: key.clone(), value: value.clone() });
    let piece = Piece {
        source: Source::BuiltIn(library::find(witness.scenario)?),
        lock: witness.lock.clone(),
        changes: changes.collect(),
        choices: Some(ChoicesAddress::Defaults),
    };
    Played::of(&piece).ok()?.address()
}
