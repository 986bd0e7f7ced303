//! From what the records show to grants that begin, move and end.

use super::Holding;
use crate::history::{GrantEnd, GrantEvent, GrantId};
use crate::time::Time;
use crate::wire::ClientId;

/// Why the records may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeCause {
    /// A command ran; `None`: an operator's.
    Command(Option<ClientId>),
    /// A failover, a restart without data, an eviction.
    Vanished,
}

/// Turns successive readings of one lock into its grants.
///
/// The drivers, simulated and live, call [`observe`](GrantTracker::observe) after every change of a record that the lock's reading looks at,
/// and [`advance`](GrantTracker::advance) at [`next_end`](GrantTracker::next_end).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GrantTracker {
    granted: u32,
    live: Vec<(GrantId, Holding)>,
}

impl GrantTracker {
    /// The grants that are not over, oldest first.
    pub fn live(&self) -> impl Iterator<Item = (GrantId, &Holding)> {
        self.live.iter().map(|(grant, holding)| (*grant, holding))
    }

    /// When the next grant ends if nothing else happens.
    pub fn next_end(&self) -> Option<Time> {
        self.live.iter().filter_map(|(_, holding)| holding.ends).min()
    }

    /// Ends the grants whose time is over.
    pub fn advance(&mut self, now: Time, out: &mut Vec<GrantEvent>) {
        self.live.retain(|(grant, holding)| {
            let over = holding.ends.is_some_and(|ends| ends <= now);
            if over {
                out.push(GrantEvent::Ended { grant: *grant, why: GrantEnd::Expired, by: None });
            }
            !over
        });
    }

    /// Compares what the records show now with what they showed before: first what ended, then what moved, then what began.
    ///
    /// A grant whose record is now another node's, but still its holder's, goes on: a failover took the record along.
    pub fn observe(&mut self, now: Time, holdings: &[Holding], cause: ChangeCause, out: &mut Vec<GrantEvent>) {
        self.advance(now, out);
        let same =
            self.live.len() == holdings.len() && self.live.iter().zip(holdings).all(|((_, old), new)| old == new);
        if same {
            return;
        }
        let by = match cause {
            ChangeCause::Command(by) => by,
            ChangeCause::Vanished => None,
        };
        let mut fresh: Vec<Holding> =
            holdings.iter().filter(|new| new.ends.is_none_or(|ends| ends > now)).cloned().collect();
        let mut moved = Vec::new();
        self.live.retain_mut(|(grant, old)| {
            let Some(position) = continuation(old, &fresh) else {
                let why = match cause {
                    ChangeCause::Command(_) => GrantEnd::Removed,
                    ChangeCause::Vanished => GrantEnd::Vanished,
                };
                out.push(GrantEvent::Ended { grant: *grant, why, by });
                return false;
            };
            let new = fresh.remove(position);
            if new.ends != old.ends {
                moved.push(GrantEvent::Moved { grant: *grant, ends: new.ends, by });
            }
            *old = new;
            true
        });
        out.append(&mut moved);
        for holding in fresh {
            self.granted += 1;
            let grant = GrantId(self.granted);
            let Holding { holder, mode, ends, .. } = holding.clone();
            out.push(GrantEvent::Granted { grant, holder, mode, ends });
            self.live.push((grant, holding));
        }
    }
}

fn continuation(old: &Holding, fresh: &[Holding]) -> Option<usize> {
    let same_lease = |new: &Holding| new.holder == old.holder && new.mode == old.mode && new.identity == old.identity;
    let carried_over =
        |new: &Holding| new.holder == old.holder && new.mode == old.mode && new.identity.0 != old.identity.0;
    fresh.iter().position(same_lease).or_else(|| fresh.iter().position(carried_over))
}
