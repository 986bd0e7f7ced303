//! Whatever its caller and its network do, every lock client keeps the contract of lock clients.

use proptest::prelude::*;

use crate::history::LockEvent;
use crate::locks::{Identity, Input, LockClient, LockRequest, Needs, Output};
use crate::time::{LocalTime, Span};
use crate::wire::{NodeId, Reply};

/// What a caller may do next, and what a network may.
#[derive(Clone, Debug)]
enum Move {
    Caller(u8),
    Answer { which: usize, reply: Reply },
    Break { which: usize },
    Time(i64),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let reply = prop_oneof![
        Just(Reply::ok()),
        Just(Reply::Nil),
        (0_i64..3).prop_map(Reply::Integer),
        Just(Reply::bulk("A-1")),
        Just(Reply::Error("READONLY no".into())),
    ];
    let step = prop_oneof![
        3 => (0_u8..4).prop_map(Move::Caller),
        6 => (0_usize..3, reply).prop_map(|(which, reply)| Move::Answer { which, reply }),
        1 => (0_usize..3).prop_map(|which| Move::Break { which }),
        4 => (1_i64..5_000_000).prop_map(Move::Time),
    ];
    prop::collection::vec(step, 1..80)
}

/// Counts what was begun and what ended.
#[derive(Default)]
struct Ledger {
    acquiring: bool,
    releasing: bool,
    checking: bool,
    holds: usize,
    sent: Vec<LockRequest>,
}

impl Ledger {
    fn note(&mut self, output: &Output) {
        match output {
            Output::Send { request, .. } => {
                assert!(!self.sent.contains(request), "a request's number is unique");
                self.sent.push(*request);
            }
            Output::Event(LockEvent::Acquired { .. } | LockEvent::Reentered { .. }) => {
                assert!(std::mem::take(&mut self.acquiring), "acquired without an acquire");
                self.holds += 1;
            }
            Output::Event(LockEvent::Refused { .. }) => {
                assert!(std::mem::take(&mut self.acquiring), "refused without an acquire");
            }
            Output::Event(LockEvent::Released | LockEvent::Descended { .. } | LockEvent::ReleaseFailed { .. }) => {
                assert!(std::mem::take(&mut self.releasing), "released without a release");
            }
            Output::Event(LockEvent::Looked { .. }) => {
                assert!(std::mem::take(&mut self.checking), "looked without a check");
            }
            Output::Event(_) | Output::Cancel { .. } | Output::Choose { .. } | Output::Wait { .. } => {}
        }
    }

    fn busy(&self) -> bool {
        self.acquiring || self.releasing || self.checking
    }
}

proptest! {
    #[test]
    fn whatever_happens_every_acquire_and_release_ends_once(
        kind in 0..crate::locks::kinds().len(), timeout in prop::option::of(1_u64..2_000), jitter in 0_u64..50, moves in moves()
    ) {
        let kind = &crate::locks::kinds()[kind];
        let nodes = if let Needs::IndependentRedis { nodes } = kind.needs { nodes } else { 1 };
        let mut params = kind.default_params("lock".into(), (0..nodes).map(NodeId).collect());
        params.timeout = timeout.map(Span::from_millis);
        params.jitter = Span(jitter);
        let mut client = kind.build(&params, Identity::new("A"));
        let mut ledger = Ledger::default();
        let mut open: Vec<LockRequest> = Vec::new();
        let mut now = 0_i64;
        let mut until = None;
        let tail = (0..400).map(|step| match step % 2 {
            0 => Move::Answer { which: 0, reply: Reply::Integer(1) },
            _ => Move::Time(100_000),
        });
        let moves: Vec<Move> = moves.into_iter().chain(tail).collect();
        let asked = moves.len() - 400;
        for (index, step) in moves.into_iter().enumerate() {
            let input = match step {
                Move::Caller(_) if index >= asked => continue,
                Move::Caller(0) if !ledger.busy() => {
                    ledger.acquiring = true;
                    Input::Acquire { wait: Some(Span::from_secs(1)) }
                }
                Move::Caller(1) if !ledger.busy() && ledger.holds > 0 => {
                    ledger.checking = true;
                    Input::Check
                }
                Move::Caller(_) if !ledger.busy() && ledger.holds > 0 => {
                    ledger.releasing = true;
                    ledger.holds -= 1;
                    Input::Release
                }
                Move::Caller(_) => continue,
                Move::Answer { which, reply } if which < open.len() => Input::Reply { request: open.remove(which), reply },
                Move::Break { which } if which < open.len() => Input::Disconnected { request: open.remove(which) },
                Move::Answer { .. } | Move::Break { .. } => continue,
                Move::Time(by) => {
                    now += by;
                    match until {
                        Some(until) if until <= now => Input::Timer,
                        _ => continue,
                    }
                }
            };
            let fired = input == Input::Timer;
            let at = LocalTime { wall: now, monotonic: now };
            client.handle(at, input);
            for drained in 0.. {
                prop_assert!(drained < 100, "the drain ends");
                let output = client.poll();
                ledger.note(&output);
                match output {
                    Output::Send { request, .. } => open.push(request),
                    Output::Cancel { request } => {
                        let before = open.len();
                        open.retain(|other| *other != request);
                        prop_assert_eq!(open.len() + 1, before, "only an open request is cancelled");
                    }
                    Output::Choose { count, .. } => client.handle(at, Input::Chosen(count - 1)),
                    Output::Event(_) => {}
                    Output::Wait { until: next } => {
                        prop_assert!(!fired || next.is_none_or(|next| next >= now), "a timer does all that is due");
                        until = next;
                        break;
                    }
                }
            }
        }
        prop_assert!(!ledger.busy(), "with answers and time, whatever was begun has ended");
        prop_assert_eq!(&client, &client.clone());
    }
}
