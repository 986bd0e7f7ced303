//! A session with a real ZooKeeper: what outlives its connection, and the connection.
//!
//! A client library pings by itself and connects again by itself. In a live run both are up to the scenario's client, so the little of the
//! protocol that a lock needs is spoken here: one request at a time, nothing unasked.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::super::super::server::PATIENCE;
use super::jute::{Reader, Writer};

/// The longest message that is read, in bytes.
const LONGEST: usize = 16 << 20;
/// Everybody may do everything.
const ALL: i32 = 31;
const EPHEMERAL_SEQUENTIAL: i32 = 3;
/// Requests by their number in the protocol.
const DELETE: i32 = 2;
const GET_DATA: i32 = 4;
const GET_CHILDREN: i32 = 8;
const PING: i32 = 11;
const CREATE: i32 = 15;
const CLOSE: i32 = -11;
/// Messages that answer no request carry these numbers instead of one.
const EVENT_XID: i32 = -1;
const PING_XID: i32 = -2;
/// The event that a watched znode was deleted.
const NODE_DELETED: i32 = 2;

/// A session.
#[derive(Debug)]
pub struct Session {
    address: SocketAddr,
    id: i64,
    password: Vec<u8>,
    timeout: i32,
    stream: Option<TcpStream>,
    xid: i32,
    /// Deletions of watched znodes that it was told of.
    deleted: Vec<String>,
}

/// Why a request was not done.
#[derive(Debug)]
pub enum Refused {
    /// The session is over.
    Expired,
    /// The server's reason, by its number.
    Code(i32),
    /// The server cannot be spoken to.
    Unreachable(io::Error),
}

/// There is no such znode.
pub const NO_NODE: i32 = -101;
/// There is one already.
pub const NODE_EXISTS: i32 = -110;
const SESSION_EXPIRED: i32 = -112;

/// A znode as it is shown.
#[derive(Clone, Debug)]
pub struct Znode {
    pub data: String,
    /// The transaction that created it.
    pub czxid: u64,
    /// The session that it lives and dies with; 0: none.
    pub owner: i64,
}

impl Session {
    /// Opens a session with a time-out in milliseconds; the server may take so long to answer.
    pub fn open(address: SocketAddr, timeout: i32, patience: Duration) -> io::Result<Session> {
        let password = vec![0; 16];
        let mut session = Session { address, id: 0, password, timeout, stream: None, xid: 0, deleted: Vec::new() };
        if !session.connect(patience)? {
            return Err(io::Error::new(ErrorKind::ConnectionRefused, "ZooKeeper opens no session"));
        }
        Ok(session)
    }

    /// Its number.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Its time-out in milliseconds, as the server granted it.
    pub fn timeout(&self) -> i32 {
        self.timeout
    }

    /// Closes the connection without a word. The session goes on.
    pub fn cut(&mut self) {
        self.stream = None;
    }

    /// Keeps it alive.
    pub fn ping(&mut self) -> Result<(), Refused> {
        self.request(PING, Writer::default()).map(drop)
    }

    /// Ends it.
    pub fn close(&mut self) -> Result<(), Refused> {
        self.request(CLOSE, Writer::default())?;
        self.stream = None;
        Ok(())
    }

    /// Creates a znode that lasts.
    pub fn create(&mut self, path: &str, data: &str) -> Result<(String, Znode), Refused> {
        self.create_as(path, data, 0)
    }

    /// Creates a znode that lives and dies with the session; a number is added to its name.
    pub fn create_place(&mut self, path: &str, data: &str) -> Result<(String, Znode), Refused> {
        self.create_as(path, data, EPHEMERAL_SEQUENTIAL)
    }

    fn create_as(&mut self, path: &str, data: &str, flags: i32) -> Result<(String, Znode), Refused> {
        let body = Writer::default().buffer(path).buffer(data);
        let body = body.int(1).int(ALL).buffer("world").buffer("anyone").int(flags);
        let answer = self.request(CREATE, body)?;
        let mut answer = Reader::new(&answer);
        let path = answer.string()?;
        Ok((path, znode(data.to_owned(), &mut answer)?))
    }

    /// Deletes a znode.
    pub fn delete(&mut self, path: &str) -> Result<(), Refused> {
        self.request(DELETE, Writer::default().buffer(path).int(-1)).map(drop)
    }

    /// The names of a znode's children.
    pub fn children(&mut self, path: &str) -> Result<Vec<String>, Refused> {
        let answer = self.request(GET_CHILDREN, Writer::default().buffer(path).bool(false))?;
        Ok(Reader::new(&answer).strings()?)
    }

    /// A znode; `None`: there is none. One that is there may be watched from then on.
    pub fn read(&mut self, path: &str, watch: bool) -> Result<Option<Znode>, Refused> {
        let answer = match self.request(GET_DATA, Writer::default().buffer(path).bool(watch)) {
            Err(Refused::Code(NO_NODE)) => return Ok(None),
            answer => answer?,
        };
        let mut answer = Reader::new(&answer);
        let data = answer.string()?;
        Ok(Some(znode(data, &mut answer)?))
    }

    /// Waits to be told that a watched znode is deleted; false: the watch went with the connection.
    pub fn hears_of_deletion(&mut self, path: &str) -> bool {
        loop {
            if let Some(place) = self.deleted.iter().position(|deleted| deleted == path) {
                self.deleted.remove(place);
                return true;
            }
            let Some(stream) = &mut self.stream else { return false };
            let Ok(message) = receive(stream) else { return false };
            if self.note(&message).is_err() {
                return false;
            }
        }
    }

    /// Asks, and connects again first if it must; what follows the header of the answer.
    fn request(&mut self, kind: i32, body: Writer) -> Result<Vec<u8>, Refused> {
        if self.stream.is_some() {
            match self.exchange(kind, &body) {
                // The server closes the connection of a session that is over; connecting again tells.
                Err(Refused::Unreachable(_)) => self.stream = None,
                answered => return answered,
            }
        }
        if !self.connect(PATIENCE)? {
            return Err(Refused::Expired);
        }
        self.exchange(kind, &body)
    }

    fn exchange(&mut self, kind: i32, body: &Writer) -> Result<Vec<u8>, Refused> {
        let closed = || io::Error::from(ErrorKind::NotConnected);
        let xid = if kind == PING {
            PING_XID
        } else {
            self.xid += 1;
            self.xid
        };
        let stream = self.stream.as_mut().ok_or_else(closed)?;
        stream.write_all(&Writer::default().int(xid).int(kind).then(body).frame())?;
        loop {
            let stream = self.stream.as_mut().ok_or_else(closed)?;
            let message = receive(stream)?;
            if self.note(&message)? {
                continue;
            }
            let mut header = Reader::new(&message);
            let (answered, _zxid, code) = (header.int()?, header.long()?, header.int()?);
            if answered != xid {
                continue;
            }
            return match code {
                // A header has sixteen bytes.
                0 => Ok(message[16..].to_vec()),
                SESSION_EXPIRED => Err(Refused::Expired),
                code => Err(Refused::Code(code)),
            };
        }
    }

    /// Keeps a message that is an event; false: it is none.
    fn note(&mut self, message: &[u8]) -> io::Result<bool> {
        let mut event = Reader::new(message);
        let (xid, _zxid, _code) = (event.int()?, event.long()?, event.int()?);
        if xid != EVENT_XID {
            return Ok(false);
        }
        let (kind, _state, path) = (event.int()?, event.int()?, event.string()?);
        if kind == NODE_DELETED {
            self.deleted.push(path);
        }
        Ok(true)
    }

    /// Opens a connection, and with it the session, or goes on with the session; false: it is over. The server may take so long to answer.
    pub fn connect(&mut self, patience: Duration) -> io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&self.address, PATIENCE)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(patience))?;
        let (version, seen) = (0, 0);
        let hello = Writer::default().int(version).long(seen).int(self.timeout).long(self.id);
        stream.write_all(&hello.buffer(&self.password).bool(false).frame())?;
        let answer = receive(&mut stream)?;
        let mut answer = Reader::new(&answer);
        let (_version, timeout, id) = (answer.int()?, answer.int()?, answer.long()?);
        if id == 0 || timeout <= 0 {
            return Ok(false);
        }
        (self.timeout, self.id, self.password) = (timeout, id, answer.buffer()?.to_vec());
        stream.set_read_timeout(Some(PATIENCE))?;
        self.stream = Some(stream);
        Ok(true)
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Unreachable(error)
    }
}

/// What is known of a znode beside its data.
fn znode(data: String, stat: &mut Reader<'_>) -> io::Result<Znode> {
    let czxid = u64::try_from(stat.long()?).unwrap_or(0);
    let (_mzxid, _created, _modified) = (stat.long()?, stat.long()?, stat.long()?);
    let (_version, _children, _acl) = (stat.int()?, stat.int()?, stat.int()?);
    Ok(Znode { data, czxid, owner: stat.long()? })
}

fn receive(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = usize::try_from(i32::from_be_bytes(length)).ok().filter(|length| *length <= LONGEST);
    let length = length.ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "not a message of ZooKeeper"))?;
    let mut message = vec![0; length];
    stream.read_exact(&mut message)?;
    Ok(message)
}
