//! A relay of bytes from a master to its replica, with a gate: the replication link of a live run.
//!
//! A replica follows its master through the relay. The gate lets bytes pass up to a mark in the stream and holds what comes after it:
//! that is what lag is. Both sides count the stream in bytes, so the driver can let exactly one more write through.
//! What the replica says to its master (its acknowledgements) always passes.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// How far the stream may flow, in bytes since the relay was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Everything passes at once.
    Open,
    /// What lies beyond this mark waits.
    UpTo(u64),
}

/// A listening relay in front of one master.
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
    finished: bool,
    /// Counts connections; the pumps of an older one end.
    generation: u64,
    streams: Vec<TcpStream>,
    gate: Gate,
    held: VecDeque<u8>,
    passed: u64,
}

impl Relay {
    /// Listens on loopback in front of `target`, its gate open.
    pub fn open(target: SocketAddr) -> io::Result<Relay> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let (streams, held) = (Vec::new(), VecDeque::new());
        let state = State { target, finished: false, generation: 0, streams, gate: Gate::Open, held, passed: 0 };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let door = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if door.state().finished {
                    return;
                }
                // A connection that cannot be led on is dropped, as a network would; a replica tries again.
                let _ = stream.and_then(|stream| lead(&door, stream));
            }
        });
        Ok(Relay { address, shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets how far the stream may flow.
    pub fn set_gate(&self, gate: Gate) {
        self.shared.state().gate = gate;
        self.shared.changed.notify_all();
    }

    /// How many bytes have passed so far.
    pub fn passed(&self) -> u64 {
        self.shared.state().passed
    }

    /// How many bytes wait at the gate.
    #[cfg(test)]
    pub fn held(&self) -> usize {
        self.shared.state().held.len()
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

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl State {
    /// How many of the held bytes may pass now.
    fn free(&self) -> usize {
        match self.gate {
            Gate::Open => self.held.len(),
            Gate::UpTo(mark) => {
                self.held.len().min(usize::try_from(mark.saturating_sub(self.passed)).unwrap_or(usize::MAX))
            }
        }
    }

    fn cut(&mut self) {
        self.generation += 1;
        for stream in self.streams.drain(..) {
            // It may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.held.clear();
    }
}

/// Connects a newcomer to the target and starts the pumps.
fn lead(shared: &Arc<Shared>, near: TcpStream) -> io::Result<()> {
    let target = shared.state().target;
    let far = TcpStream::connect_timeout(&target, Duration::from_secs(1))?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let generation = {
        let mut state = shared.state();
        state.cut();
        state.streams = vec![near.try_clone()?, far.try_clone()?];
        state.generation
    };
    let (mut up_from, mut up_to, down_from, down_to) = (near.try_clone()?, far.try_clone()?, far, near);
    thread::spawn(move || {
        // Either end may go at any time; then nothing is left to say.
        let _ = io::copy(&mut up_from, &mut up_to);
        let _ = up_to.shutdown(Shutdown::Write);
    });
    let intake = Arc::clone(shared);
    thread::spawn(move || take_in(&intake, generation, down_from));
    let outlet = Arc::clone(shared);
    thread::spawn(move || let_out(&outlet, generation, down_to));
    Ok(())
}

/// Takes in what the master sends, until the connection ends.
fn take_in(shared: &Shared, generation: u64, mut from: TcpStream) {
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
        state.held.extend(&chunk[..length]);
        shared.changed.notify_all();
    }
    // What had been on its way before the master died still arrives; what the gate holds is lost.
    let mut state = shared.state();
    while state.generation == generation && state.free() > 0 {
        state = shared.wait(state);
    }
    if state.generation == generation {
        state.cut();
        shared.changed.notify_all();
    }
}

/// Lets out what may pass the gate, until the connection ends.
///
/// Bytes count as passed before they are written: whoever has seen the replica apply them must find them counted, since marks in the
/// stream are reckoned from that count.
fn let_out(shared: &Shared, generation: u64, mut to: TcpStream) {
    loop {
        let bytes: Vec<u8> = {
            let mut state = shared.state();
            while state.generation == generation && state.free() == 0 {
                state = shared.wait(state);
            }
            if state.generation != generation {
                return;
            }
            let count = state.free();
            state.passed += count as u64;
            state.held.drain(..count).collect()
        };
        shared.changed.notify_all();
        if to.write_all(&bytes).is_err() {
            let mut state = shared.state();
            if state.generation == generation {
                state.cut();
                shared.changed.notify_all();
            }
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use locklab_core::wire::{Command, Reply};

    use super::super::server::{PATIENCE, Persistence, RedisProgram, RedisServer, follow};
    use super::*;

    /// A takes the lock on the master, which dies; the replica is promoted; B tries.
    fn second_owner_after_failover() -> Reply {
        let folder = tempfile::tempdir().unwrap();
        let program = RedisProgram::find().expect("redis-server is installed: apt-get install redis-server");
        let start = |name| {
            RedisServer::start(&program, folder.path().join(name), Persistence::Nothing, Vec::new(), None).unwrap()
        };
        let (mut master, replica) = (start("master"), start("replica"));
        let relay = Relay::open(master.address()).unwrap();
        follow(&replica, relay.address(), &master).unwrap();

        relay.set_gate(Gate::UpTo(relay.passed()));
        let take = |server: &RedisServer, token| {
            let command = Command::new(["SET", "lock", token, "NX", "PX", "30000"]);
            server.connect().unwrap().call(&command, PATIENCE).unwrap()
        };
        assert_eq!(take(&master, "A"), Reply::ok());
        let deadline = Instant::now() + PATIENCE;
        while relay.held() == 0 {
            assert!(Instant::now() < deadline, "the master sends its write to the replica");
            thread::yield_now();
        }
        master.crash();
        replica.connect().unwrap().call(&Command::new(["REPLICAOF", "NO", "ONE"]), PATIENCE).unwrap();
        take(&replica, "B")
    }

    #[test]
    fn a_held_replication_link_loses_the_lock_in_a_failover_every_time() {
        for _ in 0..5 {
            assert_eq!(second_owner_after_failover(), Reply::ok());
        }
    }
}
