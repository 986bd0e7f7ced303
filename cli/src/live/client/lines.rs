//! A client process's connections: each request has one to itself until it is answered; an idle one is used again.

use std::io;
use std::net::SocketAddr;

use locklab_core::wire::{Command, Reply, RequestId};

use super::super::resp::Connection;
use super::super::server::PATIENCE;

/// The connections of one client process.
#[derive(Debug, Default)]
pub struct Lines {
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    to: SocketAddr,
    port: u16,
    connection: Connection,
    request: Option<RequestId>,
    /// It has subscribed, and is kept for that.
    subscribed: bool,
}

impl Lines {
    /// Puts a command on an idle connection, or on a new one; its port on this side.
    ///
    /// The first idle connection is taken, so that commands in sequence share one, as `WAIT` and `WATCH` need. Subscriptions have one of
    /// their own.
    pub fn send(&mut self, to: SocketAddr, request: RequestId, command: &Command) -> io::Result<u16> {
        self.lines.retain(|line| line.request.is_some() || line.subscribed || line.connection.is_open());
        let subscribes = command.name().ends_with("SUBSCRIBE");
        let fits = |line: &Line| line.to == to && line.request.is_none() && line.subscribed == subscribes;
        let index = match self.lines.iter().position(fits) {
            Some(index) => index,
            None => {
                let connection = Connection::connect(to, PATIENCE)?;
                let port = connection.local_port()?;
                self.lines.push(Line { to, port, connection, request: None, subscribed: subscribes });
                self.lines.len() - 1
            }
        };
        let line = &mut self.lines[index];
        line.connection.send(command)?;
        line.request = Some(request);
        Ok(line.port)
    }

    /// Takes the reply to a request off its connection, which is idle from then on.
    pub fn reply(&mut self, request: RequestId) -> io::Result<Reply> {
        let line = self.find(|line| line.request == Some(request))?;
        line.request = None;
        line.receive()
    }

    /// Takes a message off a subscribed connection.
    pub fn message(&mut self, port: u16) -> io::Result<Reply> {
        self.find(|line| line.port == port)?.receive()
    }

    /// Closes the connection of a request.
    pub fn close(&mut self, request: RequestId) {
        self.lines.retain(|line| line.request != Some(request));
    }

    fn find(&mut self, wanted: impl Fn(&Line) -> bool) -> io::Result<&mut Line> {
        let none = || io::Error::new(io::ErrorKind::NotConnected, "no connection carries this");
        self.lines.iter_mut().find(|line| wanted(line)).ok_or_else(none)
    }
}

impl Line {
    fn receive(&mut self) -> io::Result<Reply> {
        let reply = self.connection.receive(PATIENCE)?;
        reply.ok_or_else(|| io::Error::new(io::ErrorKind::TimedOut, "the driver announced a reply that did not come"))
    }
}
