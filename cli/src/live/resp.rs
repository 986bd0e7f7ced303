//! RESP2, the language of Redis: commands out, replies in, one connection without pool or retry.
//!
//! A deterministic driver must see each reply, byte for byte, and must know the difference between an answer that is still to
//! come and one that never will; that is why there is no client library here.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use locklab_core::wire::{Command, Reply};

/// The longest frame that is read, in bytes: far more than any lock needs, far less than memory.
const LONGEST: usize = 64 << 20;
/// The deepest nesting of arrays that is read.
const DEEPEST: usize = 32;

/// A command as the bytes that cross the network.
pub fn encode(command: &Command) -> Vec<u8> {
    let mut bytes = format!("*{}\r\n", command.words().len()).into_bytes();
    for word in command.words() {
        bytes.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        bytes.extend_from_slice(word);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}

/// A reply as the bytes that cross the network.
pub fn encode_reply(reply: &Reply) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_reply(&mut bytes, reply);
    bytes
}

fn write_reply(bytes: &mut Vec<u8>, reply: &Reply) {
    match reply {
        Reply::Status(text) => bytes.extend_from_slice(format!("+{text}\r\n").as_bytes()),
        Reply::Error(text) => bytes.extend_from_slice(format!("-{text}\r\n").as_bytes()),
        Reply::Integer(number) => bytes.extend_from_slice(format!(":{number}\r\n").as_bytes()),
        Reply::Bulk(content) => {
            bytes.extend_from_slice(format!("${}\r\n", content.len()).as_bytes());
            bytes.extend_from_slice(content);
            bytes.extend_from_slice(b"\r\n");
        }
        Reply::Nil => bytes.extend_from_slice(b"$-1\r\n"),
        Reply::NilArray => bytes.extend_from_slice(b"*-1\r\n"),
        Reply::Array(items) => {
            bytes.extend_from_slice(format!("*{}\r\n", items.len()).as_bytes());
            items.iter().for_each(|item| write_reply(bytes, item));
        }
    }
}

/// The reply at the start of `bytes` and its length; `None` while it is incomplete.
///
/// Errors when the bytes are not RESP2, or larger or deeper than any lock needs.
pub fn decode(bytes: &[u8]) -> io::Result<Option<(Reply, usize)>> {
    let mut reader = Frame { bytes, at: 0 };
    Ok(reader.reply(0)?.map(|reply| (reply, reader.at)))
}

/// The command at the start of `bytes` and its length; `None` while it is incomplete.
pub fn decode_command(bytes: &[u8]) -> io::Result<Option<(Command, usize)>> {
    let Some((reply, length)) = decode(bytes)? else { return Ok(None) };
    let Reply::Array(items) = reply else { return Err(malformed("a command is an array")) };
    let words: Option<Vec<Vec<u8>>> =
        items.into_iter().map(|item| if let Reply::Bulk(word) = item { Some(word) } else { None }).collect();
    Ok(Some((Command::new(words.ok_or_else(|| malformed("a command's words are strings"))?), length)))
}

struct Frame<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Frame<'_> {
    fn reply(&mut self, depth: usize) -> io::Result<Option<Reply>> {
        if depth > DEEPEST {
            return Err(malformed("a reply is nested too deep"));
        }
        let Some(line) = self.line()? else { return Ok(None) };
        let (kind, text) = line.split_at_checked(1).ok_or_else(|| malformed("an empty line"))?;
        let text = text.to_vec();
        let words = || String::from_utf8_lossy(&text).into_owned();
        let number = || words().parse::<i64>().map_err(|_| malformed("a number was expected"));
        Ok(Some(match kind {
            b"+" => Reply::Status(words()),
            b"-" => Reply::Error(words()),
            b":" => Reply::Integer(number()?),
            b"$" => match usize::try_from(number()?) {
                Err(_) => Reply::Nil,
                Ok(length) if length > LONGEST => return Err(malformed("a string is too long")),
                Ok(length) => match self.bytes.get(self.at..self.at + length + 2) {
                    None => return Ok(None),
                    Some(content) => {
                        self.at += length + 2;
                        Reply::Bulk(content[..length].to_vec())
                    }
                },
            },
            b"*" => match usize::try_from(number()?) {
                Err(_) => Reply::NilArray,
                Ok(length) if length > LONGEST => return Err(malformed("an array is too long")),
                Ok(length) => {
                    let mut items = Vec::new();
                    for _ in 0..length {
                        let Some(item) = self.reply(depth + 1)? else { return Ok(None) };
                        items.push(item);
                    }
                    Reply::Array(items)
                }
            },
            _ => return Err(malformed("not the RESP2 protocol")),
        }))
    }

    fn line(&mut self) -> io::Result<Option<&[u8]>> {
        let rest = &self.bytes[self.at..];
        let Some(end) = rest.windows(2).position(|pair| pair == b"\r\n") else {
            return if rest.len() > LONGEST { Err(malformed("a line is too long")) } else { Ok(None) };
        };
        self.at += end + 2;
        Ok(Some(&rest[..end]))
    }
}

fn malformed(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("malformed reply: {what}"))
}

/// Bytes of a peer, taken off as whole frames.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Connection {
    /// Connects to a server, within `limit`.
    pub fn connect(address: SocketAddr, limit: Duration) -> io::Result<Connection> {
        Connection::over(TcpStream::connect_timeout(&address, limit)?)
    }

    /// Speaks over an established stream.
    pub fn over(stream: TcpStream) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        Ok(Connection { stream, received: Vec::new() })
    }

    /// The port of this side.
    pub fn local_port(&self) -> io::Result<u16> {
        Ok(self.stream.local_addr()?.port())
    }

    /// Whether the peer has neither closed the connection nor sent anything that nobody has asked for.
    pub fn is_open(&self) -> bool {
        let quiet = self.stream.set_nonblocking(true).and_then(|()| self.stream.peek(&mut [0]));
        let blocking = self.stream.set_nonblocking(false);
        blocking.is_ok()
            && self.received.is_empty()
            && quiet.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Sends a command.
    pub fn send(&mut self, command: &Command) -> io::Result<()> {
        self.stream.write_all(&encode(command))
    }

    /// Sends a reply, as a server does.
    pub fn send_reply(&mut self, reply: &Reply) -> io::Result<()> {
        self.stream.write_all(&encode_reply(reply))
    }

    /// The next reply, or `None` when it did not come within `limit`.
    pub fn receive(&mut self, limit: Duration) -> io::Result<Option<Reply>> {
        self.frame(limit, decode)
    }

    /// A reply that has already arrived in full.
    pub fn arrived(&mut self) -> io::Result<Option<Reply>> {
        self.stream.set_nonblocking(true)?;
        let reply = self.frame(Duration::ZERO, decode);
        self.stream.set_nonblocking(false)?;
        reply
    }

    /// The next command of a peer, or `None` when it did not come within `limit`.
    pub fn receive_command(&mut self, limit: Duration) -> io::Result<Option<Command>> {
        self.frame(limit, decode_command)
    }

    /// Sends a command and waits for its reply; no reply within `limit` is a time-out error.
    pub fn call(&mut self, command: &Command, limit: Duration) -> io::Result<Reply> {
        self.send(command)?;
        self.receive(limit)?.ok_or_else(|| {
            io::Error::new(io::ErrorKind::TimedOut, format!("no reply to {} in {limit:?}", command.name()))
        })
    }

    fn frame<T>(
        &mut self,
        limit: Duration,
        decode: impl Fn(&[u8]) -> io::Result<Option<(T, usize)>>,
    ) -> io::Result<Option<T>> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some((frame, length)) = decode(&self.received)? {
                self.received.drain(..length);
                return Ok(Some(frame));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            self.stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
            let mut chunk = [0; 16 * 1024];
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the connection was closed")),
                Ok(length) => self.received.extend_from_slice(&chunk[..length]),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if left.is_zero() {
                        return Ok(None);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_decoded_only_when_all_of_it_has_arrived() {
        let reply = Reply::Array(vec![
            Reply::Integer(-3),
            Reply::Bulk(b"a\r\nb".to_vec()),
            Reply::Nil,
            Reply::NilArray,
            Reply::Array(vec![Reply::ok(), Reply::Error("WRONGTYPE Operation against a key".into())]),
        ]);
        let bytes = encode_reply(&reply);
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length]).unwrap(), None, "after {length} bytes");
        }
        assert_eq!(decode(&bytes).unwrap(), Some((reply, bytes.len())));
    }

    #[test]
    fn a_command_survives_the_wire() {
        let command = Command::new(["SET", "lock", "", "line\r\nbreak"]);
        let mut bytes = encode(&command);
        let length = bytes.len();
        bytes.extend_from_slice(b"*1\r\n");
        assert_eq!(decode_command(&bytes).unwrap(), Some((command, length)));
    }

    #[test]
    fn what_is_not_resp_is_an_error_and_never_a_hang() {
        for bytes in
            [&b"HTTP/1.1 400 Bad Request\r\n"[..], b"\r\n", b":one\r\n", b"$99999999999\r\n", b"*99999999999\r\n"]
        {
            assert!(decode(bytes).is_err(), "{}", String::from_utf8_lossy(bytes));
        }
        assert!(decode("*1\r\n".repeat(100).as_bytes()).is_err());
    }
}
