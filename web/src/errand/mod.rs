//! Errands: what takes too long for the page itself, and is done in a worker beside it.
//!
//! A worker shares no memory with its page, so an errand and what is reported of it travel as text. [`Errand::run`] needs a clock and somebody who
//! hears, and nothing of a browser.

mod base;
mod cells;
mod edge;
mod level;
mod odds;
mod reading;
mod search;
mod survey_text;
mod text;

pub use cells::PlayedCell;
pub use edge::{Course, EdgeLine, Edges};
pub use odds::{Chance, Odds, Wager};
pub use search::{Effort, MOST_MEMORY, Quarry, Searched, Sought};

use locklab_core::compare::Threat;
use locklab_core::i18n::Text;

use crate::state::Par;

/// Something to be done beside the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Errand {
    /// Search for the simplest ways to break a lock.
    Search(Quarry),
    /// Play cells of the comparison, in this order.
    Compare(Vec<CellName>),
    /// Find where, along a figure, a lock begins to break.
    Edge(Course),
    /// Sample how likely it breaks.
    Odds(Wager),
    /// Search a level of the game, by its place among them.
    Level(usize),
    /// See whether a text is a history that can be shown.
    Read(String),
}

/// A cell of the comparison: the name of its mechanism, and its threat.
pub type CellName = (String, Threat);

/// What is told of an errand on the way and at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A search goes on.
    Going(Effort),
    /// A search is over.
    Searched(Searched),
    /// Cells have been played.
    Cells(Vec<PlayedCell>),
    /// So much is done, and so much waits at least.
    Part {
        /// Points or runs.
        done: u64,
        /// Points or runs.
        waiting: u64,
    },
    /// The edges are known.
    Edges(Edges),
    /// The odds are known.
    Odds(Odds),
    /// What the search says of a level.
    Level(usize, Par),
    /// The text is a history that can be shown.
    Readable,
    /// It cannot be done.
    Failed(Text),
}

/// How long nobody hears of an errand at most, unless a single step of it takes longer, in milliseconds.
const PACE: f64 = 200.0;

impl Errand {
    /// Does it. `now` tells milliseconds.
    pub fn run(&self, now: impl Fn() -> f64, mut tell: impl FnMut(Report)) {
        match self {
            Errand::Search(quarry) => {
                let end = quarry.search(now, &mut tell).map_or_else(Report::Failed, Report::Searched);
                tell(end);
            }
            Errand::Compare(cells) => cells::play(cells, now, tell),
            Errand::Edge(course) => {
                let end = course.walk(now, &mut tell).map_or_else(Report::Failed, Report::Edges);
                tell(end);
            }
            Errand::Odds(wager) => {
                let end = wager.sample(now, &mut tell).map_or_else(Report::Failed, Report::Odds);
                tell(end);
            }
            Errand::Level(which) => tell(level::search(*which)),
            Errand::Read(text) => tell(reading::read(text).map_or_else(Report::Failed, |()| Report::Readable)),
        }
    }
}
