//! How a worker asks the resource, and what it makes of the answer.

use std::sync::Arc;

use super::machine::{Doing, Worker};
use super::slot::{OWN, request_id};
use super::{Home, Output, Reaction, Step};
use crate::history::{ClientEvent, Effected, Operation, Outcome, Phase, ResourceKind};
use crate::locks::{LockClient, LockRequest};
use crate::resource::{self, Ask, SCRIPT, Statements, changed, initial_text, is_sold_out};
use crate::time::LocalTime;
use crate::wire::{Command, Reply, RequestId};

impl<L: LockClient> Worker<L> {
    /// Asks the resource for a step that needs it.
    pub(super) fn ask(&mut self, step: Step, now: LocalTime) {
        let write = match step {
            Step::Write => self.computed(),
            _ => None,
        };
        if let (Step::Write, Some((_, value))) = (step, &self.read)
            && is_sold_out(self.plan.kind, value)
        {
            return self.stop();
        }
        let request = request_id(OWN, LockRequest(self.next_request));
        self.next_request += 1;
        let deadline = self.plan.timeout.map(|timeout| now.monotonic.saturating_add(timeout.0 as i64));
        self.doing = Doing::Asking { request, deadline };
        let command = match self.plan.home {
            Home::Redis(node) if step != Step::Call => Some((node, self.redis_command(step, write.as_ref()))),
            Home::Database(node, statements) if step != Step::Call => {
                Some((node, self.statement(statements, step, write.as_ref(), now)))
            }
            Home::Own | Home::Redis(_) | Home::Database(..) => None,
        };
        self.outputs.push_back(match command {
            Some((to, command)) => {
                Output::Send { to, request, phase: Phase::Resource, code: None, command: Arc::new(command) }
            }
            None => Output::Ask { request, ask: Arc::new(self.request(step, write)) },
        });
    }

    /// What this client makes of the value that it read.
    fn computed(&self) -> Option<(u32, Arc<str>)> {
        let (base, value) = self.read.as_ref()?;
        Some((*base, changed(self.plan.kind, value, &self.plan.name, self.plan.amount)))
    }

    fn request(&self, step: Step, write: Option<(u32, Arc<str>)>) -> Ask {
        let (hold, token) = self.proof();
        let unique = self.unique();
        Ask { hold, cell: self.plan.cell.0, operation: operation(step), token, write, amount: self.plan.amount, unique }
    }

    /// What makes a write unique.
    fn unique(&self) -> Arc<str> {
        // A job is the same whoever does it; anything else is this client's own doing.
        let what = match self.plan.kind {
            ResourceKind::Job => &self.plan.cell.1,
            _ => &self.plan.name,
        };
        Arc::from(format!("{what}-{}", self.run()))
    }

    fn statement(
        &self,
        statements: Statements,
        step: Step,
        write: Option<&(u32, Arc<str>)>,
        now: LocalTime,
    ) -> Command {
        let (_, token) = self.proof();
        let unique = self.unique();
        let request = resource::Request {
            cell: &self.plan.cell.1,
            client: &self.plan.name,
            amount: self.plan.amount,
            unique: &unique,
            token: token.as_ref(),
            now: now.wall_millis(),
        };
        match (step, write) {
            (Step::Read, _) => statements.read(request),
            (Step::Write, Some((base, value))) => statements.write(request, *base, value),
            _ => statements.atomic(request),
        }
    }

    fn redis_command(&self, step: Step, write: Option<&(u32, Arc<str>)>) -> Command {
        let cell: &str = &self.plan.cell.1;
        match (step, write) {
            (Step::Read, _) => Command::new(["GET", cell]),
            (Step::Write, Some((_, value))) => Command::new(["SET", cell, value]),
            _ => {
                let (kind, change) = match self.plan.kind {
                    ResourceKind::Register => ("register", 0),
                    ResourceKind::Stock => ("stock", -1),
                    ResourceKind::Ledger => ("ledger", self.plan.amount),
                    ResourceKind::Job => ("job", 1),
                };
                Command::new(["EVAL", SCRIPT, "1", cell, kind, &self.plan.name, &change.to_string()])
            }
        }
    }

    /// What a service's reply means for a step on a resource that lives there.
    pub(super) fn outcome(&self, reply: &Reply) -> Outcome {
        let step = self.step();
        match self.plan.home {
            Home::Database(_, statements) => statements.outcome(operation(step), reply),
            Home::Redis(_) | Home::Own => redis_outcome(step, reply),
        }
    }

    /// Takes the resource's answer; one that is no longer waited for is ignored.
    pub(super) fn answered(&mut self, request: RequestId, outcome: Outcome) {
        if !matches!(self.doing, Doing::Asking { request: waited, .. } if waited == request) {
            return;
        }
        self.doing = Doing::Ready;
        let accepted = matches!(outcome, Outcome::Accepted(_));
        self.outputs.push_back(Output::Event(ClientEvent::Answered { request, accepted }));
        match outcome {
            Outcome::Accepted(effected) => {
                self.remember(effected);
                self.next_step();
            }
            Outcome::SoldOut => self.stop(),
            Outcome::Refused { .. } => match self.plan.when_rejected {
                Reaction::Stop => self.stop(),
                Reaction::GoOn => self.next_step(),
                Reaction::Retry => self.retry_write(),
            },
        }
    }

    fn retry_write(&mut self) {
        self.rejected += 1;
        match self.plan.attempts {
            Some(most) if self.rejected >= most => self.stop(),
            _ => self.rewind_to_read(),
        }
    }

    fn remember(&mut self, effected: Effected) {
        match self.step() {
            Step::Read => {
                let value = match self.plan.kind {
                    ResourceKind::Register => effected.value,
                    kind if effected.value.is_empty() => initial_text(kind, 0),
                    _ => effected.value,
                };
                self.read = Some((effected.version, value));
            }
            _ => self.read = None,
        }
    }

    /// The answer will not come.
    pub(super) fn unanswered(&mut self, now: LocalTime, request: RequestId) {
        if !matches!(self.doing, Doing::Asking { request: waited, .. } if waited == request) {
            return;
        }
        self.outputs.push_back(Output::Event(ClientEvent::Unanswered { request }));
        self.react(self.plan.when_unanswered, now);
    }
}

/// What a step asks of the resource.
fn operation(step: Step) -> Operation {
    match step {
        Step::Read => Operation::Read,
        Step::Write => Operation::Write,
        Step::Call => Operation::Call,
        Step::Atomic | Step::Lock { .. } | Step::Unlock { .. } | Step::Check { .. } | Step::Work(_) => {
            Operation::Atomic
        }
    }
}

fn redis_outcome(step: Step, reply: &Reply) -> Outcome {
    match (step, reply) {
        (_, Reply::Error(text)) => Outcome::Refused { because: Arc::from(text.as_str()) },
        (Step::Atomic, Reply::Nil) => Outcome::SoldOut,
        _ => {
            let value = reply.text().unwrap_or_default();
            Outcome::Accepted(Effected { base: 0, version: 0, value: Arc::from(value) })
        }
    }
}
