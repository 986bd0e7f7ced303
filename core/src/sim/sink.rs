//! Where a world's events go.

use crate::history::Event;

/// Takes events in the order in which they take effect.
pub trait Sink {
    /// False where nobody looks: the world then does not even make the events (unless a fault waits for one).
    const LOOKS: bool;

    /// Takes one event.
    fn take(&mut self, event: Event);
}

/// Keeps every event.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The events so far.
    pub events: Vec<Event>,
}

impl Sink for Recorder {
    const LOOKS: bool = true;

    fn take(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// Looks at nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Sink for Nobody {
    const LOOKS: bool = false;

    fn take(&mut self, _event: Event) {}
}
