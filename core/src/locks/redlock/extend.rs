//! The timer that extends a lease on a quorum of nodes, beside whatever the caller waits for.

use super::Redlock;
use super::ballot::Ballot;
use super::setup::{Act, OnFailure};
use super::state::{Renewal, Round};
use crate::history::{LockEvent, Refusal};
use crate::time::{LocalTime, Span, later};

impl Redlock {
    pub(super) fn renewal_timer(&mut self, now: LocalTime, place: usize) {
        let hold = &mut self.holds[place];
        if hold.ends.is_some_and(|ends| ends <= now.monotonic) {
            return self.lose(place);
        }
        match &mut hold.renewal {
            Renewal::Due(at) if *at <= now.monotonic => self.extend(now, place),
            Renewal::Running(_, ballot) => {
                let Some(timeout) = self.setup.params.timeout else { return };
                let cancelled = ballot.settle_late(now.monotonic, timeout);
                if !cancelled.is_empty() {
                    cancelled.into_iter().for_each(|request| self.outbox.cancel(request));
                    self.renewal_goes_on(now, place);
                }
            }
            Renewal::Off | Renewal::Due(_) => {}
        }
    }

    pub(super) fn renewal_until(&self, renewal: &Renewal) -> Option<i64> {
        match renewal {
            Renewal::Off => None,
            Renewal::Due(at) => Some(*at),
            Renewal::Running(_, ballot) => ballot.late_at(self.setup.params.timeout),
        }
    }

    fn extend(&mut self, now: LocalTime, place: usize) {
        let number = self.holds[place].number;
        let ballot = self.ballot(now, Act::Extend, number, self.setup.nodes_from(0));
        let round = Round { fired: now.monotonic, began: self.setup.clock(now) };
        self.holds[place].renewal = Renewal::Running(round, ballot);
    }

    /// Asks the next node, or ends a round that is over.
    pub(super) fn renewal_goes_on(&mut self, now: LocalTime, place: usize) {
        let renewal = std::mem::replace(&mut self.holds[place].renewal, Renewal::Off);
        let Renewal::Running(round, mut ballot) = renewal else { return };
        if !self.is_over(now, &mut ballot) {
            self.holds[place].renewal = Renewal::Running(round, ballot);
            return;
        }
        self.extended(now, place, round, &ballot);
    }

    /// A majority is not enough: it must have come while something was left of the new lease.
    fn extended(&mut self, now: LocalTime, place: usize, round: Round, ballot: &Ballot) {
        let left = self.left(round.began, now);
        let why = match ballot.has_quorum(&self.setup) {
            false => ballot.refusal(&self.setup),
            true if self.setup.checked && left == Span::ZERO => Refusal::Expired,
            true => {
                self.holds[place].ends = self.ends(now, left);
                self.extend_later(now, place, round);
                return self.tell(LockEvent::Extended { valid_for: Some(left) });
            }
        };
        let policy = self.setup.extension.map(|extension| extension.on_failure);
        match (policy, &why) {
            (Some(OnFailure::Lose), _) | (Some(OnFailure::LoseAtTheEnd), Refusal::NotHolder) => self.lose(place),
            _ => {
                self.extend_later(now, place, round);
                self.tell(LockEvent::ExtendFailed { why });
            }
        }
    }

    /// Extensions begin one interval apart, and one begins only after the one before has ended.
    fn extend_later(&mut self, now: LocalTime, place: usize, round: Round) {
        let Some(extension) = self.setup.extension else { return };
        let at = later(round.fired, extension.every.max(Span(1))).max(now.monotonic);
        self.holds[place].renewal = Renewal::Due(at);
    }

    fn lose(&mut self, place: usize) {
        let hold = &mut self.holds[place];
        hold.ends = None;
        if let Renewal::Running(_, ballot) = std::mem::replace(&mut hold.renewal, Renewal::Off) {
            self.cancel(&ballot);
        }
        self.tell(LockEvent::Lost);
    }
}
