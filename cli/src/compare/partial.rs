//! What one shard of a comparison has found, as its file holds it.

use std::collections::BTreeMap;

use locklab_core::check::Property;
use locklab_core::compare::{Answer, Found, Witness};
use locklab_core::say;
use locklab_core::scenario::library;
use locklab_core::time::Span;
use serde::{Deserialize, Serialize};

use super::figures::{Figures, Words, WrittenEdge};
use crate::failure::Failure;
use crate::interrupt::Stop;
use crate::partial::{Share, damaged};

/// The cells of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cells {
    /// By their place in the comparison, row by row from 0.
    cells: BTreeMap<u32, WrittenCell>,
    /// Why it ended before its end, if it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped: Option<Stop>,
}

/// A [`Found`], written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WrittenCell {
    answer: WrittenAnswer,
    #[serde(flatten)]
    figures: Figures,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    witness: Option<WrittenWitness>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenAnswer {
    Held,
    Broken,
    Unavailable,
    NotApplicable(Words),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WrittenWitness {
    scenario: String,
    lock: String,
    changes: Vec<(String, String)>,
    breaks: Vec<String>,
}

impl Share for Cells {
    fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }
}

impl Cells {
    /// What was found in these cells; nothing in those that were not played.
    pub fn new(found: &[(usize, Option<Found>)], stopped: Option<Stop>) -> Cells {
        let cells = found.iter().filter_map(|(place, found)| Some((*place as u32, written(found.as_ref()?))));
        Cells { cells: cells.collect(), stopped }
    }

    /// What all shards have found together, cell by cell; nothing where one was stopped before.
    ///
    /// # Errors
    ///
    /// A file says what cannot have been found, or a cell is missing although no shard was stopped.
    pub fn joined<'a>(shards: impl Iterator<Item = &'a Cells>, count: usize) -> Result<Vec<Option<Found>>, Failure> {
        let mut all = vec![None; count];
        let mut complete = true;
        for shard in shards {
            complete &= shard.is_complete();
            for (place, cell) in &shard.cells {
                let slot = all.get_mut(*place as usize).ok_or_else(no_such_cell)?;
                *slot = Some(read(cell)?);
            }
        }
        if complete && all.contains(&None) {
            return Err(no_such_cell());
        }
        Ok(all)
    }
}

fn written(found: &Found) -> WrittenCell {
    WrittenCell {
        answer: match &found.answer {
            Answer::Held => WrittenAnswer::Held,
            Answer::Broken => WrittenAnswer::Broken,
            Answer::Unavailable => WrittenAnswer::Unavailable,
            Answer::NotApplicable { why } => WrittenAnswer::NotApplicable(Words::of(why)),
        },
        figures: Figures::of(found),
        witness: found.witness.as_ref().map(|witness| WrittenWitness {
            scenario: witness.scenario.to_owned(),
            lock: witness.lock.clone(),
            changes: witness.changes.clone(),
            breaks: witness.breaks.iter().map(|property| property.name().to_owned()).collect(),
        }),
    }
}

fn read(cell: &WrittenCell) -> Result<Found, Failure> {
    let figures = &cell.figures;
    Ok(Found {
        answer: match &cell.answer {
            WrittenAnswer::Held => Answer::Held,
            WrittenAnswer::Broken => Answer::Broken,
            WrittenAnswer::Unavailable => Answer::Unavailable,
            WrittenAnswer::NotApplicable(why) => Answer::NotApplicable { why: why.text() },
        },
        runs: figures.runs,
        broken: figures.broken,
        unavailable: figures.unavailable,
        overlapped: figures.overlapped,
        served: figures.served,
        longest_wait: Span(figures.longest_wait_micros),
        tried: figures.tried.text(),
        edge: figures.edge.as_ref().map(WrittenEdge::edge),
        witness: cell.witness.as_ref().map(read_witness).transpose()?,
    })
}

fn read_witness(witness: &WrittenWitness) -> Result<Witness, Failure> {
    let name = &witness.scenario;
    let scene = library::find(name)
        .ok_or_else(|| damaged(say!("there is no scenario \"{name}\"", "没有场景 \"{name}\"", name = name)))?;
    let breaks = witness.breaks.iter().map(|name| {
        let unknown = |_| damaged(say!("there is no property \"{name}\"", "没有性质 \"{name}\"", name = name));
        name.parse::<Property>().map_err(unknown)
    });
    Ok(Witness {
        scenario: scene.name,
        lock: witness.lock.clone(),
        changes: witness.changes.clone(),
        breaks: breaks.collect::<Result<_, _>>()?,
    })
}

fn no_such_cell() -> Failure {
    damaged(say!("cells are missing, or there are too many", "格子缺失或多余"))
}
