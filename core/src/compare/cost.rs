//! What a mechanism costs when nothing goes wrong.

use super::Mechanism;
use super::cell::Stage;
use super::judgement::{BYSTANDER, STRUCK};
use super::scene;
use crate::check::{self, Amount};
use crate::history::{ClientEvent, History, LockEvent, What};
use crate::sim::NotApplicable;
use crate::time::{Span, Time};
use crate::wire::ClientId;

/// The time of a request and its reply in the scenes of the comparison: latency 1 ms each way.
pub const ROUND_TRIP: Span = Span::from_millis(2);

/// What a mechanism costs when nothing goes wrong, with a latency of 1 ms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Messages for the lock, requests and replies, for each time it was acquired, renewed and released without a rival.
    pub messages: Amount,
    /// How long it takes to get a free lock; a multiple of [`ROUND_TRIP`] where nobody waits for anything else.
    pub acquire: Span,
    /// The longest that a waiting client waits once the holder has begun to release, over several instants at which it began to wait; `None`: nobody
    /// has to wait.
    pub hand_over: Option<Span>,
}

impl Cost {
    /// Plays a mechanism without a fault and measures.
    ///
    /// # Errors
    /// The scene cannot be told with this lock.
    pub fn of(mechanism: &Mechanism) -> Result<Cost, NotApplicable> {
        let (scene, alone, contended) = scene::for_cost(mechanism);
        let alone = Stage::new(scene, alone, mechanism.lock)?;
        let contended = contended.into_iter().map(|settings| Stage::new(scene, settings, mechanism.lock));
        let contended = contended.collect::<Result<Vec<Stage>, NotApplicable>>()?;
        let totals = check::check(&alone.calm).totals;
        let asked =
            first(&alone.calm, STRUCK, |event| matches!(event, ClientEvent::Lock { event: LockEvent::Acquiring, .. }));
        let entered = first(&alone.calm, STRUCK, is_entry);
        let hand_over = contended.iter().map(|stage| hand_over(&stage.calm)).max();
        Ok(Cost {
            messages: Amount::from(totals.messages_per_acquisition),
            acquire: entered.zip(asked).map_or(Span::ZERO, |(entered, asked)| entered.since(asked)),
            hand_over: hand_over.flatten(),
        })
    }

    /// How many round trips it takes to get a free lock, in hundredths.
    pub fn round_trips(&self) -> u64 {
        self.acquire.0 * 100 / ROUND_TRIP.0
    }
}

fn hand_over(history: &History) -> Option<Span> {
    let left = first(history, STRUCK, |event| matches!(event, ClientEvent::Left { .. }))?;
    let followed = first(history, BYSTANDER, is_entry)?;
    (followed >= left).then(|| followed.since(left))
}

fn is_entry(event: &ClientEvent) -> bool {
    matches!(event, ClientEvent::Entered { .. })
}

fn first(history: &History, of: ClientId, wanted: fn(&ClientEvent) -> bool) -> Option<Time> {
    let is = |what: &What| matches!(what, What::Client { client, event } if *client == of && wanted(event));
    history.events.iter().find(|event| is(&event.what)).map(|event| event.at)
}
