//! The network between one client and its servers: loopback proxies that carry whole commands and whole replies.
//!
//! *Idea.* A client connects to its link, never to a server. The link takes a command off the client's connection, keeps it until
//! the driver lets it arrive, asks the server over a connection that belongs to this one alone, and keeps the reply until the
//! driver delivers it. Held in between, a message is late; never passed on, it is lost; hung up, the client sees a reset.
//!
//! *Why whole messages.* "Executed, but not yet answered" is an exact state here, and faults strike there.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use locklab_core::wire::{Command, Reply};

use super::access::Access;
use super::error::LiveError;
use super::resp::Connection;
use super::server::PATIENCE;

/// A client's connection, named by the port of the client's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineId(pub u16);

/// The network between one client and whatever one of its addresses leads to.
#[derive(Debug)]
pub struct Link {
    listener: TcpListener,
    address: SocketAddr,
    lines: BTreeMap<LineId, Line>,
}

/// One connection of the client, and the one that carries its commands on.
#[derive(Debug, Default)]
struct Line {
    near: Option<Connection>,
    far: Option<(SocketAddr, Connection)>,
}

impl Link {
    /// Listens on loopback.
    pub fn open() -> io::Result<Link> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Link { listener, address, lines: BTreeMap::new() })
    }

    /// Where the client connects.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes the command that the client has put on this line.
    pub fn take(&mut self, line: LineId) -> io::Result<Command> {
        self.accept(line)?;
        let near = self.lines.get_mut(&line).and_then(|line| line.near.as_mut());
        let near = near.ok_or_else(|| io::Error::new(io::ErrorKind::NotConnected, "the client hung up"))?;
        near.receive_command(PATIENCE)?.ok_or_else(|| io::Error::new(io::ErrorKind::TimedOut, "no command came"))
    }

    /// Lets a command arrive at the server.
    pub fn forward(&mut self, line: LineId, server: &Access, command: &Command) -> Result<(), LiveError> {
        let far = &mut self.lines.entry(line).or_default().far;
        if far.as_ref().is_none_or(|(address, _)| *address != server.address()) {
            *far = Some((server.address(), server.connect()?));
        }
        let (_, connection) = far.as_mut().expect("it was connected just now");
        connection.send(command).map_err(LiveError::unreachable(server))
    }

    /// The server's next message on this line; `None` when it does not come within `limit`.
    pub fn reply(&mut self, line: LineId, limit: Duration) -> Result<Option<Reply>, LiveError> {
        let (address, far) = self.far(line)?;
        far.receive(limit).map_err(LiveError::unreachable(address))
    }

    /// A message that has already arrived on this line.
    pub fn arrived(&mut self, line: LineId) -> Result<Option<Reply>, LiveError> {
        let (address, far) = self.far(line)?;
        far.arrived().map_err(LiveError::unreachable(address))
    }

    /// Delivers a reply to the client, unless it has hung up.
    pub fn deliver(&mut self, line: LineId, reply: &Reply) {
        let Some(entry) = self.lines.get_mut(&line) else { return };
        if entry.near.as_mut().is_some_and(|near| near.send_reply(reply).is_err()) {
            entry.near = None;
        }
    }

    /// Closes the client's side: the client sees a reset. What is on its way to the server still arrives.
    pub fn hang_up(&mut self, line: LineId) {
        if let Some(entry) = self.lines.get_mut(&line) {
            entry.near = None;
        }
    }

    /// Closes all connections to this server: it forgets what it knew of them.
    pub fn part_from(&mut self, server: SocketAddr) {
        for line in self.lines.values_mut() {
            if line.far.as_ref().is_some_and(|(address, _)| *address == server) {
                line.far = None;
            }
        }
    }

    /// Closes the client's side of every line.
    pub fn lose_client(&mut self) {
        self.lines.values_mut().for_each(|line| line.near = None);
    }

    fn far(&mut self, line: LineId) -> Result<(SocketAddr, &mut Connection), LiveError> {
        let far = self.lines.get_mut(&line).and_then(|line| line.far.as_mut());
        let nothing = || LiveError::Broken("a reply was awaited on a line on which nothing was asked".into());
        far.map(|(address, far)| (*address, far)).ok_or_else(nothing)
    }

    /// Accepts connections until this one is among them.
    fn accept(&mut self, wanted: LineId) -> io::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.listener.accept() {
                Ok((stream, peer)) => self.admit(stream, LineId(peer.port()))?,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if self.lines.get(&wanted).is_some_and(|line| line.near.is_some()) {
                        return Ok(());
                    }
                    if Instant::now() > deadline {
                        return Err(error);
                    }
                    thread::sleep(Duration::from_micros(50));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn admit(&mut self, stream: TcpStream, line: LineId) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        self.lines.insert(line, Line { near: Some(Connection::over(stream)?), far: None });
        Ok(())
    }
}
