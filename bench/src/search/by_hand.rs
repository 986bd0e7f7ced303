//! The same lock written by hand as a stateright model, as one would write it: no Redis, no Lua, no history, a clock of whole seconds.
//!
//! Two clients, a lock with a lease, a release that compares the token; messages that take no time but arrive in any order; a pause of any length and a crash, of either client, at
//! any moment. A step is a message that arrives, a fault, the end of a pause, or a second that passes where nothing else is due.

use stateright::{Checker, Model, Property};

const TTL: u8 = 10;
const RETRY: u8 = 1;
/// The seconds for which each client works, and those at which it starts.
const WORK: [u8; 2] = [3, 2];
const STARTS: [u8; 2] = [0, 1];

/// The lock and its two clients.
pub struct TokenLua {
    /// How many pauses, and how many crashes.
    pub faults: (u8, u8),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Who holds the lease, and for how many seconds.
    lease: Option<(u8, u8)>,
    clients: [Client; 2],
    pauses: u8,
    crashes: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Client {
    phase: Phase,
    is_paused: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// Asks in so many seconds.
    Waiting(u8),
    /// `SET NX PX` is on its way.
    Asking,
    /// Its reply is.
    Told {
        granted: bool,
    },
    /// Has so many seconds of work left.
    Working(u8),
    /// The release is on its way.
    Releasing,
    /// Its reply is.
    Released,
    Done,
    Crashed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// What a client waits for comes.
    Go(usize),
    Pause(usize),
    Resume(usize),
    Crash(usize),
    Second,
}

impl TokenLua {
    /// Searches everything on one thread: how many different states there are, and whether clients work side by side only where one was paused.
    pub fn search(self) -> (u64, bool) {
        let checker = self.checker().threads(1).spawn_bfs().join();
        (checker.unique_state_count() as u64, checker.discoveries().is_empty())
    }
}

impl Model for TokenLua {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let clients = STARTS.map(|starts| Client { phase: Phase::Waiting(starts), is_paused: false });
        vec![State { lease: None, clients, pauses: self.faults.0, crashes: self.faults.1 }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let mut is_due = false;
        for (index, client) in state.clients.iter().enumerate() {
            if matches!(client.phase, Phase::Done | Phase::Crashed) {
                continue;
            }
            // A message to the server arrives whether its sender is awake or not.
            let at_server = matches!(client.phase, Phase::Asking | Phase::Releasing);
            let now = !matches!(client.phase, Phase::Waiting(1..) | Phase::Working(1..));
            if now && (at_server || !client.is_paused) {
                actions.push(Action::Go(index));
                is_due = true;
            }
            match client.is_paused {
                true => actions.push(Action::Resume(index)),
                false if state.pauses > 0 => actions.push(Action::Pause(index)),
                false => {}
            }
            if state.crashes > 0 {
                actions.push(Action::Crash(index));
            }
        }
        let is_timed = |client: &Client| matches!(client.phase, Phase::Waiting(1..) | Phase::Working(1..));
        if !is_due && (state.lease.is_some() || state.clients.iter().any(is_timed)) {
            actions.push(Action::Second);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Go(index) => state.go(index),
            Action::Pause(index) => {
                state.pauses -= 1;
                state.clients[index].is_paused = true;
            }
            Action::Resume(index) => state.clients[index].is_paused = false,
            Action::Crash(index) => {
                state.crashes -= 1;
                state.clients[index] = Client { phase: Phase::Crashed, is_paused: false };
            }
            Action::Second => state.pass(),
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("nobody works beside another unless somebody was paused", |model, state: &State| {
            state.pauses < model.faults.0 || !state.overlap()
        })]
    }
}

impl State {
    fn go(&mut self, index: usize) {
        let own = index as u8;
        let phase = &mut self.clients[index].phase;
        *phase = match *phase {
            Phase::Waiting(_) => Phase::Asking,
            Phase::Asking => {
                let granted = self.lease.is_none();
                if granted {
                    self.lease = Some((own, TTL));
                }
                Phase::Told { granted }
            }
            Phase::Told { granted: true } => Phase::Working(WORK[index]),
            Phase::Told { granted: false } => Phase::Waiting(RETRY),
            Phase::Working(_) => Phase::Releasing,
            Phase::Releasing => {
                // The script: delete it where the value is one's own.
                self.lease = self.lease.filter(|(holder, _)| *holder != own);
                Phase::Released
            }
            Phase::Released | Phase::Done => Phase::Done,
            Phase::Crashed => Phase::Crashed,
        };
    }

    /// Whether both clients act as holders.
    fn overlap(&self) -> bool {
        let inside = |client: &Client| matches!(client.phase, Phase::Working(_) | Phase::Releasing);
        self.clients.iter().all(inside)
    }

    /// A second passes: timers run on while a client is paused, and the lease runs on whatever happens.
    fn pass(&mut self) {
        self.lease = self.lease.and_then(|(holder, left)| (left > 1).then_some((holder, left - 1)));
        for client in &mut self.clients {
            if let Phase::Waiting(left) | Phase::Working(left) = &mut client.phase {
                *left = left.saturating_sub(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_clients_can_work_at_once_only_where_one_is_paused() {
        let reached = |faults| {
            let model = TokenLua { faults };
            let mut seen = std::collections::BTreeSet::new();
            let mut open = model.init_states();
            let mut overlap = false;
            while let Some(state) = open.pop() {
                if !seen.insert(format!("{state:?}")) {
                    continue;
                }
                overlap |= state.overlap();
                open.extend(model.next_states(&state));
            }
            (seen.len() as u64, overlap)
        };
        for (faults, overlaps) in [((0, 1), false), ((1, 0), true)] {
            let (states, overlap) = reached(faults);
            assert_eq!(overlap, overlaps);
            assert_eq!(TokenLua { faults }.search(), (states, true));
        }
    }
}
