//! Runs any listing as a lock client.
//!
//! What the caller waits for (acquire, release, check) is one sequence of lines; each hold's renewal is another, which runs beside it. A
//! release does not wait for a renewal that is in flight: what is sent is sent, and its reply is ignored, unless the listing's timer arms itself
//! again.

mod program;
mod state;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use program::{Answer, Program};
use state::{Acquisition, After, Attempt, Hold, Renewal, Sent, Work};

use super::listing::{FENCE, Line, Listing, Outcome, RenewalManner};
use super::outbox::Outbox;
use super::{Identity, Input, LockClient, LockRequest, Output, Params};
use crate::choices::ChoiceLabel;
use crate::history::{Code, LockEvent, Phase, Refusal, Section, Token};
use crate::time::{LocalTime, Span, between, later};
use crate::wire::Reply;

/// The parameter, known to every listing that renews, which overrides how often.
pub const RENEW_EVERY: &str = "renew_every";

/// The parameter, known to every listing that renews, which bounds how often one hold is extended.
pub const MAX_RENEWALS: &str = "max_renewals";

/// A lock client that runs a listing, line by line.
///
/// Two are equal when they stand at the same line, at the same local times, with the same tokens. Cloning one copies no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreter {
    program: Arc<Program>,
    acquisitions: u32,
    /// What its wall clock shows, in milliseconds; 0 for a lock that does not ask.
    wall: i64,
    work: Work,
    /// The innermost last. Unless the listing counts entries, its lock is not reentrant: an inner acquire competes with the outer hold. Before
    /// them all stand those that have been given back and renew nevertheless.
    holds: Vec<Hold>,
    outbox: Outbox,
}

impl Interpreter {
    /// A client that holds nothing yet.
    pub fn new(listing: Arc<Listing>, params: Params, identity: Identity) -> Interpreter {
        let acquisitions = identity.acquisitions;
        let program = Arc::new(Program::new(listing, params, identity));
        Interpreter::at_rest(program, acquisitions)
    }

    /// Whether it reads its wall clock, or has a server tell its own or compare it with an instant.
    pub fn tells_wall_clock(&self) -> bool {
        let text = self.program.listing.text.to_ascii_uppercase();
        self.program.reads_clock || ["TIME", "EXPIREAT", "EXAT", "PXAT"].iter().any(|word| text.contains(word))
    }

    /// The same client after a crash: it knows nothing, but its next token is still a new one.
    pub fn restarted(&self) -> Interpreter {
        Interpreter::at_rest(self.program.clone(), self.acquisitions)
    }

    fn at_rest(program: Arc<Program>, acquisitions: u32) -> Interpreter {
        let (work, holds, outbox) = (Work::Idle, Vec::new(), Outbox::default());
        Interpreter { program, acquisitions, wall: 0, work, holds, outbox }
    }

    /// Writes what the client will do from here on into a hash, with local times and request numbers relative to now: two clients that
    /// differ only in when and how often they tried before write the same.
    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        self.acquisitions.hash(out);
        self.work.hash_relative(now.monotonic, self.requests(), out);
        self.holds.len().hash(out);
        for hold in &self.holds {
            hold.hash_relative(now.monotonic, self.requests(), out);
        }
        self.outbox.hash_relative(out);
    }

    /// How many requests it has made so far.
    pub fn requests(&self) -> u32 {
        self.outbox.requests()
    }

    fn acquire(&mut self, now: i64, wait: Option<Span>) {
        assert!(self.work.is_idle(), "contract 2: `Acquire` is given only to a client that is idle or holds");
        let acquisition = match self.entered() {
            Some(hold) => hold.acquisition.clone(),
            None => {
                self.acquisitions += 1;
                Acquisition::new(self.acquisitions, &self.program)
            }
        };
        let deadline = wait.map(|wait| later(now, wait));
        self.tell(LockEvent::Acquiring);
        self.attempt(now, Attempt { acquisition, deadline, began: now, delay: self.program.params.retry });
    }

    /// The hold that is entered once more, where entries are counted.
    fn entered(&mut self) -> Option<&mut Hold> {
        let counts = self.program.listing.counts_entries;
        self.holds.last_mut().filter(|hold| counts && !hold.released)
    }

    fn attempt(&mut self, now: i64, mut attempt: Attempt) {
        attempt.began = now;
        if self.program.reads_clock {
            attempt.acquisition.until = self.wall + self.program.params.ttl.as_millis().cast_signed();
        }
        let first = self.program.listing.section(Section::Acquire).start;
        self.acquire_line(now, attempt, first);
    }

    fn acquire_line(&mut self, now: i64, attempt: Attempt, line: u16) {
        if line == self.program.listing.section(Section::Acquire).end {
            return self.acquired(now, attempt);
        }
        let sent = self.send(now, line, Phase::Acquire, &attempt.acquisition);
        self.work = Work::Acquiring(attempt, sent);
    }

    fn acquired(&mut self, now: i64, attempt: Attempt) {
        if let Some(hold) = self.entered() {
            hold.entries += 1;
            hold.acquisition = attempt.acquisition;
            let count = hold.entries;
            return self.tell(LockEvent::Reentered { count });
        }
        let renewal = self.program.renew_every.map_or(Renewal::Off, |every| Renewal::Due(later(now, every)));
        let token = self.token(&attempt.acquisition);
        let valid_for = self.valid_for(attempt.began, now);
        let hold =
            Hold { acquisition: attempt.acquisition, lost: false, released: false, renewal, extended: 0, entries: 1 };
        self.holds.push(hold);
        self.tell(LockEvent::Acquired { token, valid_for });
    }

    fn acquire_answered(&mut self, now: i64, mut attempt: Attempt, sent: Sent, answer: Answer) {
        let line = &self.program.listing.lines[usize::from(sent.line)];
        let (mut outcome, mut why) = self.outcome(line, answer, &attempt.acquisition);
        if let (Some(index), Answer::Reply(reply), Outcome::Next | Outcome::Done | Outcome::Ignore) =
            (line.keeps, answer, outcome)
        {
            let fence = self.program.listing.kept[usize::from(index)] == FENCE;
            if fence && reply.integer().is_none_or(|number| number < 0) {
                (outcome, why) = (Outcome::ReleaseThenRefused, Refusal::Error("UNEXPECTED".into()));
            } else {
                attempt.acquisition.keep(index, reply.clone());
            }
        }
        match outcome {
            Outcome::Next | Outcome::Ignore => self.acquire_line(now, attempt, sent.line + 1),
            Outcome::Done => self.acquired(now, attempt),
            Outcome::Retry => self.delay(now, attempt, why),
            Outcome::ReleaseThenRetry => self.undo(now, attempt, After::Retry(why)),
            Outcome::ReleaseThenRefused => self.undo(now, attempt, After::Refuse(why)),
            Outcome::Refused | Outcome::Lost | Outcome::Stop => self.tell(LockEvent::Refused { why }),
        }
    }

    fn delay(&mut self, now: i64, attempt: Attempt, why: Refusal) {
        let jitter = self.program.params.jitter_micros();
        if jitter == 0 {
            return self.delay_by(now, attempt, why, 0);
        }
        self.outbox.choose(ChoiceLabel::Jitter, jitter + 1);
        self.work = Work::Drawing(attempt, why);
    }

    fn delay_by(&mut self, now: i64, mut attempt: Attempt, why: Refusal, jitter: u32) {
        let at = later(now, attempt.delay.max(Span(1)) + Span(u64::from(jitter)));
        attempt.delay = self.program.params.next_delay(attempt.delay);
        if attempt.deadline.is_some_and(|deadline| at > deadline) {
            return self.tell(LockEvent::Refused { why });
        }
        self.work = Work::Delaying(attempt, at);
    }

    fn undo(&mut self, now: i64, attempt: Attempt, after: After) {
        let first = self.program.listing.section(Section::Release).start;
        self.undo_line(now, attempt, after, first);
    }

    fn undo_line(&mut self, now: i64, attempt: Attempt, after: After, line: u16) {
        if line != self.program.listing.section(Section::Release).end {
            let sent = self.send(now, line, Phase::Release, &attempt.acquisition);
            self.work = Work::Undoing(attempt, after, sent);
            return;
        }
        match after {
            After::Retry(why) => self.delay(now, attempt, why),
            After::Refuse(why) => self.tell(LockEvent::Refused { why }),
        }
    }

    fn undo_answered(&mut self, now: i64, attempt: Attempt, after: After, sent: Sent, answer: Answer) {
        let line = &self.program.listing.lines[usize::from(sent.line)];
        let next = match self.outcome(line, answer, &attempt.acquisition).0 {
            Outcome::Next | Outcome::Ignore => sent.line + 1,
            _ => self.program.listing.section(Section::Release).end,
        };
        self.undo_line(now, attempt, after, next);
    }

    fn release(&mut self, now: i64) {
        if let Work::Checking(sent) = std::mem::take(&mut self.work) {
            self.outbox.cancel(sent.request);
        }
        if let Some(hold) = self.entered().filter(|hold| hold.entries > 1) {
            hold.entries -= 1;
            let count = hold.entries;
            self.tell(LockEvent::Releasing);
            return self.tell(LockEvent::Descended { count });
        }
        let hold =
            self.holds.pop().expect("contract 2: `Release` is given only to one that holds or has lost its lock");
        self.tell(LockEvent::Releasing);
        let first = self.program.listing.section(Section::Release).start;
        let acquisition = hold.acquisition.clone();
        if self.program.listing.manner == RenewalManner::ReArming && matches!(hold.renewal, Renewal::Running { .. }) {
            self.holds.insert(0, Hold { released: true, ..hold });
        }
        self.release_line(now, acquisition, first);
    }

    fn release_line(&mut self, now: i64, acquisition: Acquisition, line: u16) {
        if line == self.program.listing.section(Section::Release).end {
            return self.tell(LockEvent::Released);
        }
        let sent = self.send(now, line, Phase::Release, &acquisition);
        self.work = Work::Releasing(acquisition, sent);
    }

    fn release_answered(&mut self, now: i64, mut acquisition: Acquisition, sent: Sent, answer: Answer) {
        let line = &self.program.listing.lines[usize::from(sent.line)];
        let (outcome, why) = self.outcome(line, answer, &acquisition);
        match outcome {
            Outcome::Next | Outcome::Ignore => {
                acquisition.keep_answer(line.keeps, answer);
                self.release_line(now, acquisition, sent.line + 1);
            }
            Outcome::Done => self.tell(LockEvent::Released),
            _ => self.tell(LockEvent::ReleaseFailed { why }),
        }
    }

    fn check(&mut self, now: i64) {
        assert!(self.work.is_idle(), "contract 2: `Check` is given only to a client that holds and does nothing else");
        let first = self.program.listing.section(Section::Check).start;
        self.check_line(now, first);
    }

    fn check_line(&mut self, now: i64, line: u16) {
        let section = self.program.listing.section(Section::Check);
        let Some(hold) = self.holds.last() else { return self.tell(LockEvent::Looked { mine: false }) };
        if line == section.end {
            // A lock without a way to ask can only say what it has heard.
            let mine = !section.is_empty() || !hold.lost;
            return self.tell(LockEvent::Looked { mine });
        }
        let acquisition = hold.acquisition.clone();
        let sent = self.send(now, line, Phase::Check, &acquisition);
        self.work = Work::Checking(sent);
    }

    fn check_answered(&mut self, now: i64, sent: Sent, answer: Answer) {
        let Some(hold) = self.holds.last() else { return };
        let line = &self.program.listing.lines[usize::from(sent.line)];
        match self.outcome(line, answer, &hold.acquisition).0 {
            Outcome::Next | Outcome::Ignore => {
                let keeps = line.keeps;
                if let Some(hold) = self.holds.last_mut() {
                    hold.acquisition.keep_answer(keeps, answer);
                }
                self.check_line(now, sent.line + 1);
            }
            Outcome::Done => self.tell(LockEvent::Looked { mine: true }),
            _ => self.tell(LockEvent::Looked { mine: false }),
        }
    }

    fn renew(&mut self, now: i64, hold: usize, due: i64) {
        if self.program.listing.manner == RenewalManner::InTime && self.program.is_over(now, due) {
            self.holds[hold].renewal = Renewal::Off;
            return self.tell(LockEvent::ExtendFailed { why: Refusal::Expired });
        }
        let first = self.program.listing.section(Section::Renew).start;
        self.renew_line(now, hold, first, now, false);
    }

    fn renew_line(&mut self, now: i64, hold: usize, line: u16, fired: i64, ignored: bool) {
        if line != self.program.listing.section(Section::Renew).end {
            let acquisition = self.holds[hold].acquisition.clone();
            let sent = self.send(now, line, Phase::Renew, &acquisition);
            self.holds[hold].renewal = Renewal::Running { sent, fired, ignored };
            return;
        }
        self.renewed(now, hold, fired, ignored);
    }

    fn renewed(&mut self, now: i64, hold: usize, fired: i64, ignored: bool) {
        self.renew_later(now, hold, fired);
        if let Some(most) = self.program.max_renewals {
            let hold = &mut self.holds[hold];
            hold.extended += 1;
            if hold.extended >= most {
                hold.renewal = Renewal::Off;
            }
        }
        if !ignored && !self.holds[hold].released {
            let valid_for = self.valid_for(fired, now);
            self.tell(LockEvent::Extended { valid_for });
        }
    }

    /// Renewals begin `renew_every` apart, and one begins only after the one before has ended.
    fn renew_later(&mut self, now: i64, hold: usize, fired: i64) {
        let every = self.program.renew_every.expect("only a listing that renews has a renewal running");
        self.holds[hold].renewal = Renewal::Due(later(fired, every).max(now));
    }

    fn renew_answered(&mut self, now: i64, hold: usize, answer: Answer) {
        let running = std::mem::replace(&mut self.holds[hold].renewal, Renewal::Off);
        let Renewal::Running { sent, fired, ignored } = running else { return };
        let line = &self.program.listing.lines[usize::from(sent.line)];
        let (outcome, why) = self.outcome(line, answer, &self.holds[hold].acquisition);
        let told = !self.holds[hold].released;
        match outcome {
            Outcome::Next | Outcome::Ignore => {
                let keeps = line.keeps;
                self.holds[hold].acquisition.keep_answer(keeps, answer);
                self.renew_line(now, hold, sent.line + 1, fired, ignored || outcome == Outcome::Ignore);
            }
            Outcome::Done => self.renewed(now, hold, fired, ignored),
            // Nobody is there to be told; what stays off is forgotten.
            Outcome::Lost | Outcome::Stop if !told => {}
            Outcome::Lost => {
                self.holds[hold].lost = true;
                self.tell(LockEvent::Lost);
            }
            Outcome::Stop => self.tell(LockEvent::ExtendFailed { why }),
            _ => {
                self.renew_later(now, hold, fired);
                if told {
                    self.tell(LockEvent::ExtendFailed { why });
                }
            }
        }
    }

    fn answered(&mut self, now: i64, request: LockRequest, answer: Answer) {
        if self.work.sent().is_some_and(|sent| sent.request == request) {
            return self.work_answered(now, answer);
        }
        let waits = |hold: &Hold| hold.renewal.sent().is_some_and(|sent| sent.request == request);
        if let Some(hold) = self.holds.iter().position(waits) {
            self.renew_answered(now, hold, answer);
        }
    }

    fn work_answered(&mut self, now: i64, answer: Answer) {
        match std::mem::take(&mut self.work) {
            Work::Acquiring(attempt, sent) => self.acquire_answered(now, attempt, sent, answer),
            Work::Undoing(attempt, after, sent) => self.undo_answered(now, attempt, after, sent, answer),
            Work::Releasing(acquisition, sent) => self.release_answered(now, acquisition, sent, answer),
            Work::Checking(sent) => self.check_answered(now, sent, answer),
            idle @ (Work::Idle | Work::Drawing(..) | Work::Delaying(..)) => self.work = idle,
        }
    }

    fn timer(&mut self, now: i64) {
        match &self.work {
            Work::Delaying(_, at) if *at <= now => {
                if let Work::Delaying(attempt, _) = std::mem::take(&mut self.work) {
                    self.attempt(now, attempt);
                }
            }
            work => {
                if let Some(sent) = work.sent().filter(|sent| self.is_late(now, sent)) {
                    self.outbox.cancel(sent.request);
                    self.work_answered(now, Answer::Timeout);
                }
            }
        }
        for hold in 0..self.holds.len() {
            match &self.holds[hold].renewal {
                Renewal::Due(at) if *at <= now => self.renew(now, hold, *at),
                Renewal::Running { sent, .. } if self.is_late(now, sent) => {
                    self.outbox.cancel(sent.request);
                    self.renew_answered(now, hold, Answer::Timeout);
                }
                Renewal::Off | Renewal::Due(_) | Renewal::Running { .. } => {}
            }
        }
    }

    fn chosen(&mut self, now: i64, jitter: u32) {
        match std::mem::take(&mut self.work) {
            Work::Drawing(attempt, why) => self.delay_by(now, attempt, why, jitter),
            work => self.work = work,
        }
    }

    fn outcome(&self, line: &Line, answer: Answer, acquisition: &Acquisition) -> (Outcome, Refusal) {
        self.program.outcome(line, answer, acquisition.spoken(self.wall))
    }

    fn send(&mut self, now: i64, line: u16, phase: Phase, acquisition: &Acquisition) -> Sent {
        let command = acquisition.command(line, &self.program, self.wall);
        let text = &self.program.listing.lines[usize::from(line)];
        let code = Code { section: text.section, line: text.number };
        let request = self.outbox.send(self.program.node(), phase, code, command);
        Sent { line, request, at: now }
    }

    fn tell(&mut self, event: LockEvent) {
        self.outbox.tell(event);
    }

    fn token(&self, acquisition: &Acquisition) -> Option<Token> {
        let fence = self.program.listing.kept.iter().position(|name| name == FENCE);
        if let Some(index) = fence {
            let number = acquisition.kept().and_then(|kept| kept.get(index)).and_then(Reply::integer);
            return number.and_then(|number| u64::try_from(number).ok()).map(Token::Number);
        }
        self.program.has_token.then(|| Token::Opaque(self.program.token(acquisition.number).into()))
    }

    /// What is left of a lease that began at the earliest when its command was sent.
    fn valid_for(&self, sent: i64, now: i64) -> Option<Span> {
        self.program.lease.map(|lease| lease - between(sent, now))
    }

    fn is_late(&self, now: i64, sent: &Sent) -> bool {
        self.late_at(sent).is_some_and(|at| at <= now)
    }

    fn late_at(&self, sent: &Sent) -> Option<i64> {
        self.program.params.late_at(sent.at)
    }

    fn until(&self) -> Option<i64> {
        let work = match &self.work {
            Work::Delaying(_, at) => Some(*at),
            work => work.sent().and_then(|sent| self.late_at(sent)),
        };
        let renewals = self.holds.iter().filter_map(|hold| match &hold.renewal {
            Renewal::Off => None,
            Renewal::Due(at) => Some(*at),
            Renewal::Running { sent, .. } => self.late_at(sent),
        });
        work.into_iter().chain(renewals).min()
    }
}

impl LockClient for Interpreter {
    fn handle(&mut self, now: LocalTime, input: Input) {
        if self.program.reads_clock {
            self.wall = now.wall_millis();
        }
        let now = now.monotonic;
        match input {
            Input::Acquire { wait } => self.acquire(now, wait),
            Input::Release => self.release(now),
            Input::Check => self.check(now),
            Input::Reply { request, reply } => self.answered(now, request, Answer::Reply(&reply)),
            Input::Disconnected { request } => self.answered(now, request, Answer::Disconnected),
            Input::Timer => self.timer(now),
            Input::Chosen(jitter) => self.chosen(now, jitter),
            // A listing asks for no messages.
            Input::Push { .. } => {}
        }
        self.holds.retain(|hold| !hold.released || hold.renewal != Renewal::Off);
    }

    fn poll(&mut self) -> Output {
        self.outbox.take().unwrap_or_else(|| Output::Wait { until: self.until() })
    }
}

impl Hash for Interpreter {
    fn hash<H: Hasher>(&self, out: &mut H) {
        self.requests().hash(out);
        self.hash_relative(LocalTime::default(), out);
    }
}

#[cfg(test)]
mod contract_tests;
#[cfg(test)]
mod switches_tests;
#[cfg(test)]
mod tests;
