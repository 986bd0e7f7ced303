//! Who looks on at a run that nobody will read.

use crate::check::Judge;
use crate::history::Event;
use crate::sim::Sink;

/// Judges what happens, and keeps nothing else.
#[derive(Clone, Debug)]
pub(super) struct Onlooker {
    pub judge: Judge,
}

impl Sink for Onlooker {
    const LOOKS: bool = true;

    fn take(&mut self, event: Event) {
        self.judge.step(&event);
    }
}
