//! The resource as a server of its own.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Ask, changed, initial_text, is_sold_out};
use crate::history::{Effected, Guard, Operation, Outcome, ResourceKind, Token};

/// One thing that is read and written, such as one order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Cell {
    value: Arc<str>,
    version: u32,
    greatest: Option<Token>,
    keys: BTreeSet<Arc<str>>,
}

/// The protected resource: its cells and its guard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resource {
    kind: ResourceKind,
    guard: Guard,
    cells: Vec<Cell>,
}

impl Resource {
    /// A resource whose cells all start with `initial` (a register starts empty).
    pub fn new(kind: ResourceKind, guard: Guard, initial: i64, cells: usize) -> Resource {
        let cell = Cell { value: initial_text(kind, initial), version: 0, greatest: None, keys: BTreeSet::new() };
        Resource { kind, guard, cells: vec![cell; cells.max(1)] }
    }

    /// Answers a request. `name` is the client's, for a register.
    pub fn answer(&mut self, name: &str, ask: &Ask) -> Outcome {
        let (kind, guard) = (self.kind, self.guard);
        let index = usize::from(ask.cell.0).min(self.cells.len() - 1);
        let cell = &mut self.cells[index];
        if ask.operation == Operation::Call {
            // A third party checks nothing: whatever the guard of our own resource is, the call has its effect.
            return cell.accept(cell.version, changed(kind, &cell.value, name, ask.amount));
        }
        if let Some(because) = cell.refusal(guard, ask) {
            return Outcome::Refused { because };
        }
        cell.remember(guard, ask);
        match (ask.operation, &ask.write) {
            (Operation::Read, _) => Outcome::Accepted(cell.effected(cell.version)),
            (Operation::Write, Some((base, value))) => cell.accept(*base, value.clone()),
            (Operation::Write | Operation::Atomic | Operation::Call, _) => {
                if is_sold_out(kind, &cell.value) {
                    return Outcome::SoldOut;
                }
                cell.accept(cell.version, changed(kind, &cell.value, name, ask.amount))
            }
        }
    }
}

impl Cell {
    /// Why the guard refuses, if it does.
    fn refusal(&self, guard: Guard, ask: &Ask) -> Option<Arc<str>> {
        let reads = ask.operation == Operation::Read;
        match guard {
            Guard::None => None,
            Guard::Fencing => match (&self.greatest, &ask.token) {
                (_, None) => Some(Arc::from("no token")),
                (Some(greatest), Some(token)) if token < greatest => Some(token_text(greatest)),
                _ => None,
            },
            // A stamp is kept where the guard is a statement: in a database. See `Statements`.
            Guard::Timestamp => None,
            Guard::Version => match &ask.write {
                Some((base, _)) if *base != self.version => Some(Arc::from(self.version.to_string())),
                _ => None,
            },
            Guard::UniqueKey if !reads && self.keys.contains(&ask.unique) => Some(ask.unique.clone()),
            Guard::StateMachine if !reads && self.version > 0 => Some(Arc::from("done")),
            Guard::UniqueKey | Guard::StateMachine => None,
        }
    }

    /// Keeps what the guard will compare with.
    fn remember(&mut self, guard: Guard, ask: &Ask) {
        match guard {
            Guard::Fencing => self.greatest = self.greatest.take().max(ask.token.clone()),
            Guard::UniqueKey if ask.operation != Operation::Read => {
                self.keys.insert(ask.unique.clone());
            }
            Guard::None | Guard::Version | Guard::Timestamp | Guard::UniqueKey | Guard::StateMachine => {}
        }
    }

    fn accept(&mut self, base: u32, value: Arc<str>) -> Outcome {
        self.version += 1;
        self.value = value;
        Outcome::Accepted(self.effected(base))
    }

    fn effected(&self, base: u32) -> Effected {
        Effected { base, version: self.version, value: self.value.clone() }
    }
}

fn token_text(token: &Token) -> Arc<str> {
    match token {
        Token::Number(number) => Arc::from(number.to_string()),
        Token::Opaque(text) => text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::CellId;

    fn ask(operation: Operation, token: Option<u64>, write: Option<(u32, &str)>) -> Ask {
        Ask {
            hold: 1,
            cell: CellId(0),
            operation,
            token: token.map(Token::Number),
            write: write.map(|(base, value)| (base, Arc::from(value))),
            amount: 0,
            unique: Arc::from("k"),
        }
    }

    fn refused(outcome: &Outcome) -> bool {
        matches!(outcome, Outcome::Refused { .. })
    }

    #[test]
    fn fencing_refuses_a_smaller_token_and_accepts_an_equal_one() {
        let mut resource = Resource::new(ResourceKind::Register, Guard::Fencing, 0, 1);
        assert!(!refused(&resource.answer("B", &ask(Operation::Read, Some(34), None))));
        assert!(!refused(&resource.answer("B", &ask(Operation::Write, Some(34), Some((0, "B"))))));
        assert!(refused(&resource.answer("A", &ask(Operation::Write, Some(33), Some((0, "A"))))));
        assert!(refused(&resource.answer("C", &ask(Operation::Write, None, Some((0, "C"))))));
    }

    #[test]
    fn a_version_guard_refuses_a_write_computed_from_an_older_version() {
        let mut resource = Resource::new(ResourceKind::Stock, Guard::Version, 5, 1);
        assert!(!refused(&resource.answer("A", &ask(Operation::Write, None, Some((0, "4"))))));
        assert!(refused(&resource.answer("B", &ask(Operation::Write, None, Some((0, "4"))))));
        assert!(!refused(&resource.answer("B", &ask(Operation::Write, None, Some((1, "3"))))));
    }

    #[test]
    fn an_atomic_step_never_takes_what_is_not_there() {
        let mut resource = Resource::new(ResourceKind::Stock, Guard::None, 1, 1);
        assert!(matches!(resource.answer("A", &ask(Operation::Atomic, None, None)), Outcome::Accepted(_)));
        assert_eq!(resource.answer("B", &ask(Operation::Atomic, None, None)), Outcome::SoldOut);
    }

    #[test]
    fn a_unique_key_is_accepted_once() {
        let mut resource = Resource::new(ResourceKind::Job, Guard::UniqueKey, 0, 1);
        assert!(!refused(&resource.answer("A", &ask(Operation::Atomic, None, None))));
        assert!(refused(&resource.answer("B", &ask(Operation::Atomic, None, None))));
    }
}
