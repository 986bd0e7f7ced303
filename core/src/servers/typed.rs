//! A service at a prompt, for the services' tests: a line is typed at a second of its clock, and the answer is read.

use super::{Execution, Outcome, Service};
use crate::time::LocalTime;
use crate::wire::{ClientId, Command};

pub(super) const A: ClientId = ClientId(0);
pub(super) const B: ClientId = ClientId(1);

/// A second of the service's clock.
pub(super) fn at(seconds: i64) -> LocalTime {
    LocalTime { wall: seconds * 1_000_000, monotonic: seconds * 1_000_000 }
}

/// A client types a line.
pub(super) fn execute(service: &mut impl Service, seconds: i64, client: ClientId, line: &str) -> Execution {
    service.execute(at(seconds), Some(client), &Command::new(line.split(' ').filter(|word| !word.is_empty())))
}

/// What A reads after it has typed a line.
pub(super) fn run(service: &mut impl Service, seconds: i64, line: &str) -> String {
    match execute(service, seconds, A, line).outcome {
        Outcome::Reply(reply) => reply.to_string(),
        Outcome::Blocked { .. } => "(waits)".into(),
    }
}
