//! A relay of bytes between two servers, with a gate in each direction: the replication link of a live run.
//!
//! A replica follows its master through the relay. A closed gate holds what arrives, which is what lag is; held bytes can be let
//! through up to a count, or dropped, which is what a cut does.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// A direction of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the side that was connected to (the master) to the side that connected (the replica).
    Down,
    /// From the side that connected (the replica) to the other (the master).
    Up,
}

/// What happens to bytes that arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// They go on at once.
    Open,
    /// They wait.
    Held,
    /// They are lost.
    Dropping,
}

/// What happens to a new connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// It is led to the target.
    Open,
    /// It is closed at once.
    Shut,
}

/// A listening relay in front of one target.
#[derive(Debug)]
pub struct Relay {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    target: SocketAddr,
    door: Door,
    finished: bool,
    /// Counts connections; the pumps of an older one end.
    generation: u64,
    streams: Vec<TcpStream>,
    down: Flow,
    up: Flow,
}

#[derive(Debug)]
struct Flow {
    gate: Gate,
    held: VecDeque<u8>,
    /// Bytes that may pass a held gate.
    allowance: usize,
}

impl Relay {
    /// Listens on loopback in front of `target`.
    pub fn open(target: SocketAddr) -> io::Result<Relay> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let flow = || Flow { gate: Gate::Open, held: VecDeque::new(), allowance: 0 };
        let (down, up) = (flow(), flow());
        let state = State { target, door: Door::Open, finished: false, generation: 0, streams: Vec::new(), down, up };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let door = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if door.state().finished {
                    return;
                }
                // A connection that cannot be led on is dropped, as a network would.
                let _ = stream.and_then(|stream| lead(&door, stream));
            }
        });
        Ok(Relay { address, shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Leads new connections to another target.
    pub fn retarget(&self, target: SocketAddr) {
        self.shared.state().target = target;
    }

    /// Sets the gate of one direction; an opened gate lets held bytes go first, a dropping one loses them.
    pub fn set_gate(&self, direction: Direction, gate: Gate) {
        let mut state = self.shared.state();
        let flow = state.flow(direction);
        flow.gate = gate;
        flow.allowance = 0;
        if gate == Gate::Dropping {
            flow.held.clear();
        }
        self.shared.changed.notify_all();
    }

    /// Lets this many bytes more pass a held gate.
    pub fn let_through(&self, direction: Direction, bytes: usize) {
        self.shared.state().flow(direction).allowance += bytes;
        self.shared.changed.notify_all();
    }

    /// How many bytes wait in this direction.
    pub fn held(&self, direction: Direction) -> usize {
        self.shared.state().flow(direction).held.len()
    }

    /// Waits until at least `bytes` wait in this direction; whether they came within `limit`.
    pub fn await_held(&self, direction: Direction, bytes: usize, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        let mut state = self.shared.state();
        while state.flow(direction).held.len() < bytes {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(|poisoned| poisoned.into_inner()).0;
        }
        true
    }

    /// Cuts the connection that there is; what it held is lost.
    pub fn cut(&self) {
        self.shared.state().cut();
        self.shared.changed.notify_all();
    }

    /// Sets what happens to new connections.
    pub fn set_door(&self, door: Door) {
        self.shared.state().door = door;
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        {
            let mut state = self.shared.state();
            state.finished = true;
            state.cut();
        }
        self.shared.changed.notify_all();
        // Wakes the listening thread, which then sees that it is finished.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl State {
    fn flow(&mut self, direction: Direction) -> &mut Flow {
        match direction {
            Direction::Down => &mut self.down,
            Direction::Up => &mut self.up,
        }
    }

    fn cut(&mut self) {
        self.generation += 1;
        for stream in self.streams.drain(..) {
            // It may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
        for flow in [&mut self.down, &mut self.up] {
            flow.held.clear();
            flow.allowance = 0;
        }
    }
}

/// Connects a newcomer to the target and starts the pumps of both directions.
fn lead(shared: &Arc<Shared>, near: TcpStream) -> io::Result<()> {
    let (target, door) = {
        let state = shared.state();
        (state.target, state.door)
    };
    if door == Door::Shut {
        return Ok(());
    }
    let far = TcpStream::connect_timeout(&target, Duration::from_secs(1))?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let generation = {
        let mut state = shared.state();
        state.cut();
        state.streams = vec![near.try_clone()?, far.try_clone()?];
        state.generation
    };
    for (direction, from, to) in
        [(Direction::Up, near.try_clone()?, far.try_clone()?), (Direction::Down, far.try_clone()?, near.try_clone()?)]
    {
        let intake = Arc::clone(shared);
        thread::spawn(move || take_in(&intake, generation, direction, from));
        let outlet = Arc::clone(shared);
        thread::spawn(move || let_out(&outlet, generation, direction, to));
    }
    Ok(())
}

/// Moves what arrives into the flow, until the connection ends.
fn take_in(shared: &Shared, generation: u64, direction: Direction, mut from: TcpStream) {
    let mut chunk = [0; 16 * 1024];
    loop {
        let length = match from.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(length) => length,
        };
        let mut state = shared.state();
        if state.generation != generation {
            return;
        }
        let flow = state.flow(direction);
        if flow.gate != Gate::Dropping {
            flow.held.extend(&chunk[..length]);
        }
        shared.changed.notify_all();
    }
    // What had arrived through an open gate before the sender died is still delivered.
    let mut state = shared.state();
    while state.generation == generation
        && state.flow(direction).gate == Gate::Open
        && !state.flow(direction).held.is_empty()
    {
        state = shared.changed.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
    }
    if state.generation == generation {
        state.cut();
        shared.changed.notify_all();
    }
}

/// Moves what may go from the flow to its destination, until the connection ends.
fn let_out(shared: &Shared, generation: u64, direction: Direction, mut to: TcpStream) {
    loop {
        let bytes: Vec<u8> = {
            let mut state = shared.state();
            loop {
                if state.generation != generation {
                    return;
                }
                let flow = state.flow(direction);
                let count = match flow.gate {
                    Gate::Open => flow.held.len(),
                    Gate::Held => flow.held.len().min(flow.allowance),
                    Gate::Dropping => 0,
                };
                if count > 0 {
                    if flow.gate == Gate::Held {
                        flow.allowance -= count;
                    }
                    break flow.held.drain(..count).collect();
                }
                state = shared.changed.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
        };
        shared.changed.notify_all();
        if to.write_all(&bytes).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use locklab_core::wire::{Command, Reply};

    use super::super::server::{PATIENCE, Persistence, RedisProgram, RedisServer, follow};
    use super::*;

    /// A takes the lock on the master, which dies; the replica is promoted; B tries.
    fn second_owner_after_failover(link_was: Gate) -> Reply {
        let folder = tempfile::tempdir().unwrap();
        let program = RedisProgram::find().expect("redis-server is installed: apt-get install redis-server");
        let start = |name| {
            RedisServer::start(&program, folder.path().join(name), Persistence::Nothing, Vec::new(), None).unwrap()
        };
        let (mut master, replica) = (start("master"), start("replica"));
        let relay = Relay::open(master.address()).unwrap();
        follow(&replica, relay.address(), &master).unwrap();

        relay.set_gate(Direction::Down, link_was);
        let take = |server: &RedisServer, token| {
            let command = Command::new(["SET", "lock", token, "NX", "PX", "30000"]);
            server.connect().unwrap().call(&command, PATIENCE).unwrap()
        };
        assert_eq!(take(&master, "A"), Reply::ok());
        if link_was == Gate::Held {
            assert!(relay.await_held(Direction::Down, 1, PATIENCE));
        }
        master.crash();
        replica.connect().unwrap().call(&Command::new(["REPLICAOF", "NO", "ONE"]), PATIENCE).unwrap();
        take(&replica, "B")
    }

    #[test]
    fn a_held_replication_link_loses_the_lock_in_a_failover_every_time() {
        for _ in 0..5 {
            assert_eq!(second_owner_after_failover(Gate::Held), Reply::ok());
        }
    }
}
