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
    /// Time alone, or a step of the service's clock.
    Expired,
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
            ChangeCause::Expired | ChangeCause::Vanished => None,
        };
        let mut fresh: Vec<Holding> =
            holdings.iter().filter(|new| new.ends.is_none_or(|ends| ends > now)).cloned().collect();
        let mut moved = Vec::new();
        self.live.retain_mut(|(grant, old)| {
            let Some(position) = continuation(old, &fresh) else {
                let why = match cause {
                    ChangeCause::Command(_) => GrantEnd::Removed,
                    ChangeCause::Expired => GrantEnd::Expired,
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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::history::Mode;
    use crate::time::Span;
    use crate::wire::NodeId;

    const A: ClientId = ClientId(0);
    const B: ClientId = ClientId(1);

    fn second(number: u64) -> Time {
        Time::START + Span::from_secs(number)
    }

    fn held(holder: ClientId, ends: u64, node: u8, created: u64) -> Holding {
        Holding { holder, mode: Mode::Exclusive, ends: Some(second(ends)), identity: (NodeId(node), created) }
    }

    /// Runs one observation after another and shows what each of them said.
    fn told(observations: &[(u64, &[Holding], ChangeCause)]) -> String {
        let mut tracker = GrantTracker::default();
        let mut log = String::new();
        for (at, holdings, cause) in observations {
            let mut events = Vec::new();
            tracker.observe(second(*at), holdings, *cause, &mut events);
            for event in events {
                log += &format!("{at}s {event:?}\n");
            }
        }
        log
    }

    #[test]
    fn a_release_ends_a_grant_and_says_whose_command_did_it() {
        let by = |client| ChangeCause::Command(Some(client));
        let log = told(&[
            (0, &[held(A, 10, 0, 1)], by(A)),
            (5, &[held(A, 15, 0, 1)], by(A)),
            (6, &[held(A, 15, 0, 1)], by(B)),
            (7, &[], by(B)),
        ]);
        expect![[r#"
            0s Granted { grant: GrantId(1), holder: ClientId(0), mode: Exclusive, ends: Some(Time(10000000)) }
            5s Moved { grant: GrantId(1), ends: Some(Time(15000000)), by: Some(ClientId(0)) }
            7s Ended { grant: GrantId(1), why: Removed, by: Some(ClientId(1)) }
        "#]]
        .assert_eq(&log);
    }

    #[test]
    fn a_successor_at_the_very_instant_of_the_end_follows_an_expiry() {
        let by = |client| ChangeCause::Command(Some(client));
        let log = told(&[(0, &[held(A, 10, 0, 1)], by(A)), (10, &[held(B, 20, 0, 2)], by(B))]);
        expect![[r#"
            0s Granted { grant: GrantId(1), holder: ClientId(0), mode: Exclusive, ends: Some(Time(10000000)) }
            10s Ended { grant: GrantId(1), why: Expired, by: None }
            10s Granted { grant: GrantId(2), holder: ClientId(1), mode: Exclusive, ends: Some(Time(20000000)) }
        "#]]
        .assert_eq(&log);
    }

    #[test]
    fn a_failover_carries_a_grant_along_or_loses_it() {
        let granted: (u64, &[Holding], ChangeCause) = (0, &[held(A, 10, 0, 1)], ChangeCause::Command(Some(A)));
        let carried = told(&[granted, (3, &[held(A, 10, 1, 1)], ChangeCause::Vanished)]);
        let lost =
            told(&[granted, (3, &[], ChangeCause::Vanished), (4, &[held(B, 14, 1, 1)], ChangeCause::Command(Some(B)))]);
        expect![[r#"
            carried:
            0s Granted { grant: GrantId(1), holder: ClientId(0), mode: Exclusive, ends: Some(Time(10000000)) }
            lost:
            0s Granted { grant: GrantId(1), holder: ClientId(0), mode: Exclusive, ends: Some(Time(10000000)) }
            3s Ended { grant: GrantId(1), why: Vanished, by: None }
            4s Granted { grant: GrantId(2), holder: ClientId(1), mode: Exclusive, ends: Some(Time(14000000)) }
        "#]]
        .assert_eq(&format!("carried:\n{carried}lost:\n{lost}"));
    }

    #[test]
    fn a_key_that_its_holder_created_anew_is_a_new_grant() {
        let by = ChangeCause::Command(Some(A));
        let log = told(&[(0, &[held(A, 10, 0, 1)], by), (3, &[held(A, 13, 0, 2)], by)]);
        expect![[r#"
            0s Granted { grant: GrantId(1), holder: ClientId(0), mode: Exclusive, ends: Some(Time(10000000)) }
            3s Ended { grant: GrantId(1), why: Removed, by: Some(ClientId(0)) }
            3s Granted { grant: GrantId(2), holder: ClientId(0), mode: Exclusive, ends: Some(Time(13000000)) }
        "#]]
        .assert_eq(&log);
    }

    #[test]
    fn time_alone_ends_a_grant_at_its_end_and_not_before() {
        let mut tracker = GrantTracker::default();
        let mut events = Vec::new();
        tracker.observe(second(0), &[held(A, 10, 0, 1)], ChangeCause::Command(Some(A)), &mut events);
        assert_eq!(tracker.next_end(), Some(second(10)));
        events.clear();
        tracker.advance(second(10) - Span(1), &mut events);
        assert!(events.is_empty() && tracker.live().count() == 1);
        tracker.advance(second(10), &mut events);
        assert_eq!(events, [GrantEvent::Ended { grant: GrantId(1), why: GrantEnd::Expired, by: None }]);
        assert_eq!(tracker.next_end(), None);
    }
}
