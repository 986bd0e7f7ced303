//! The search of a level of the game, as an errand.

use locklab_core::explore::Progress;
use locklab_core::game::LEVELS;
use locklab_core::say;

use super::Report;
use crate::state::Par;

/// How many states are looked at in one go.
const AT_ONCE: usize = 1_000;

/// Searches a level to its end: a level's budget is small enough for that.
pub(super) fn search(which: usize) -> Report {
    let Some(level) = LEVELS.get(which) else {
        return Report::Failed(say!("there is no such level", "没有这一关"));
    };
    let mut search = level.search();
    while search.advance(AT_ONCE) == Progress::Going {}
    Report::Level(which, Par::of(level, &search))
}
