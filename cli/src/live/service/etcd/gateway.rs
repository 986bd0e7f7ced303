//! The JSON gateway of an etcd: one question a connection, answered in whole or as a stream of lines.
//!
//! Spoken in HTTP/1.0, in which a body simply ends with its connection; so there is nothing to be decoded, and a watch is cut by closing its
//! connection. A client that retries or keeps connections in a pool would hide what a live run is about.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::super::server::PATIENCE;

/// The most that is read of a header, in bytes.
const LONGEST_HEADER: usize = 16 << 10;

/// What the gateway answered.
#[derive(Debug)]
pub enum Said {
    /// What was asked for.
    Yes(Value),
    /// A refusal: the number of its gRPC code, and its words.
    No(i64, String),
}

/// Asks a question and waits for the whole answer.
pub fn ask(address: SocketAddr, path: &str, question: &Value) -> io::Result<Said> {
    let mut stream = Stream::open(address, path, question)?;
    let answer = stream.line(PATIENCE)?.ok_or_else(|| io::Error::new(ErrorKind::TimedOut, "no answer"))?;
    Ok(said(answer))
}

/// An answer that goes on for as long as its connection: JSON values, one a line.
#[derive(Debug)]
pub struct Stream {
    stream: TcpStream,
    received: Vec<u8>,
    /// The server has closed the connection.
    ended: bool,
}

impl Stream {
    /// Asks a question; the header of the answer is read by then.
    pub fn open(address: SocketAddr, path: &str, question: &Value) -> io::Result<Stream> {
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_nodelay(true)?;
        let body = question.to_string();
        let length = body.len();
        stream.write_all(format!("POST {path} HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{body}").as_bytes())?;
        let mut stream = Stream { stream, received: Vec::new(), ended: false };
        stream.skip_header()?;
        Ok(stream)
    }

    /// The next value, or what is left when the connection ends; `None` when it does not come within `limit`.
    pub fn line(&mut self, limit: Duration) -> io::Result<Option<Value>> {
        let deadline = Instant::now() + limit;
        loop {
            let end = self.received.iter().position(|byte| *byte == b'\n');
            let end = end.or_else(|| self.ended.then_some(self.received.len()));
            if let Some(end) = end {
                let line: Vec<u8> = self.received.drain(..self.received.len().min(end + 1)).collect();
                return serde_json::from_slice(&line).map(Some).map_err(Into::into);
            }
            if !self.read(deadline)? {
                return Ok(None);
            }
        }
    }

    fn skip_header(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut headers = [httparse::EMPTY_HEADER; 32];
            let mut response = httparse::Response::new(&mut headers);
            let parsed = response.parse(&self.received);
            match parsed.map_err(|error| io::Error::new(ErrorKind::InvalidData, error.to_string()))? {
                httparse::Status::Complete(length) => {
                    self.received.drain(..length);
                    return Ok(());
                }
                httparse::Status::Partial if self.ended || self.received.len() > LONGEST_HEADER => {
                    return Err(io::Error::new(ErrorKind::InvalidData, "no header of an HTTP response"));
                }
                httparse::Status::Partial if !self.read(deadline)? => return Err(ErrorKind::TimedOut.into()),
                httparse::Status::Partial => {}
            }
        }
    }

    /// Reads what comes; false: nothing until the deadline.
    fn read(&mut self, deadline: Instant) -> io::Result<bool> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.stream.set_read_timeout(Some(left.max(Duration::from_micros(100))))?;
        let mut chunk = [0; 4096];
        match self.stream.read(&mut chunk) {
            Ok(0) => self.ended = true,
            Ok(length) => self.received.extend_from_slice(&chunk[..length]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => return Ok(false),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(true)
    }
}

/// A refusal has a code; a stream wraps what it says.
fn said(answer: Value) -> Said {
    let refusal = answer.get("code").or_else(|| answer.pointer("/error/grpc_code"));
    match refusal.and_then(Value::as_i64) {
        Some(code) => {
            let message = answer.get("message").or_else(|| answer.pointer("/error/message"));
            Said::No(code, message.and_then(Value::as_str).unwrap_or_default().to_owned())
        }
        None => Said::Yes(answer),
    }
}
