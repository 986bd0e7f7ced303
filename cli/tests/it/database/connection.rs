//! One connection to a PostgreSQL: its simple query protocol, version 3.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use locklab_core::wire::Reply;

/// A connection. Statements are sent and answered one at a time; an answer may be a long time in coming.
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
    answer: Answer,
}

/// What has come of an answer so far.
#[derive(Default)]
struct Answer {
    types: Vec<u32>,
    rows: Vec<Vec<Reply>>,
    has_rows: bool,
    tag: String,
    error: Option<String>,
}

impl Connection {
    /// Connects and waits until the server is ready.
    pub fn open(port: u16) -> io::Result<Connection> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        let mut connection = Connection { stream, received: Vec::new(), answer: Answer::default() };
        let mut start = 196_608_u32.to_be_bytes().to_vec();
        start.extend_from_slice(b"user\0locklab\0database\0postgres\0\0");
        connection.frame(None, &start)?;
        let ready = connection.receive(Duration::from_secs(5))?;
        match ready {
            Some(Reply::Error(text)) => Err(io::Error::other(text)),
            Some(_) => Ok(connection),
            None => Err(io::Error::from(io::ErrorKind::TimedOut)),
        }
    }

    /// Sends a statement.
    pub fn send(&mut self, statement: &str) -> io::Result<()> {
        let mut text = statement.as_bytes().to_vec();
        text.push(0);
        self.frame(Some(b'Q'), &text)
    }

    /// The answer to the last statement, in the shape in which the model gives it; `None` if it does not come within `wait`.
    pub fn receive(&mut self, wait: Duration) -> io::Result<Option<Reply>> {
        self.stream.set_read_timeout(Some(wait.max(Duration::from_millis(1))))?;
        loop {
            while let Some((kind, body)) = self.message() {
                if kind == b'Z' {
                    return Ok(Some(std::mem::take(&mut self.answer).into_reply()));
                }
                self.answer.take(kind, &body);
            }
            let mut chunk = [0; 4096];
            match self.stream.read(&mut chunk) {
                Ok(0) => {
                    let answer = std::mem::take(&mut self.answer);
                    return match answer.error {
                        Some(error) => Ok(Some(Reply::Error(error))),
                        None => Err(io::ErrorKind::UnexpectedEof.into()),
                    };
                }
                Ok(length) => self.received.extend_from_slice(&chunk[..length]),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn frame(&mut self, kind: Option<u8>, body: &[u8]) -> io::Result<()> {
        let mut bytes: Vec<u8> = kind.into_iter().collect();
        bytes.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        bytes.extend_from_slice(body);
        self.stream.write_all(&bytes)
    }

    /// The next whole message: its kind and its body.
    fn message(&mut self) -> Option<(u8, Vec<u8>)> {
        let head = self.received.get(..5)?;
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let kind = head[0];
        let body = self.received.get(5..=length)?.to_vec();
        self.received.drain(..=length);
        Some((kind, body))
    }
}

impl Answer {
    fn take(&mut self, kind: u8, body: &[u8]) {
        match kind {
            b'T' => {
                self.has_rows = true;
                self.types = column_types(body);
            }
            b'D' => self.rows.push(self.row(body)),
            b'C' => self.tag = String::from_utf8_lossy(body).trim_end_matches('\0').to_owned(),
            b'E' => self.error = Some(error(body)),
            _ => {}
        }
    }

    fn row(&self, body: &[u8]) -> Vec<Reply> {
        let mut rest = &body[2..];
        let mut row = Vec::new();
        for kind in &self.types {
            let length = i32::from_be_bytes([rest[0], rest[1], rest[2], rest[3]]);
            rest = &rest[4..];
            let Ok(length) = usize::try_from(length) else {
                row.push(Reply::Nil);
                continue;
            };
            let text = String::from_utf8_lossy(&rest[..length]).into_owned();
            rest = &rest[length..];
            row.push(match (kind, text.parse()) {
                (20..=23, Ok(number)) => Reply::Integer(number),
                _ => Reply::bulk(text),
            });
        }
        row
    }

    fn into_reply(self) -> Reply {
        if let Some(error) = self.error {
            return Reply::Error(error);
        }
        if !self.has_rows {
            // `UPDATE 1`, `INSERT 0 1`: the last word counts rows.
            let count = self.tag.rsplit(' ').next().and_then(|word| word.parse().ok());
            return count.map_or(Reply::Status(self.tag), Reply::Integer);
        }
        let row = |mut values: Vec<Reply>| if values.len() == 1 { values.remove(0) } else { Reply::Array(values) };
        let mut rows: Vec<Reply> = self.rows.into_iter().map(row).collect();
        match rows.len() {
            0 => Reply::Nil,
            1 => rows.remove(0),
            _ => Reply::Array(rows),
        }
    }
}

fn column_types(body: &[u8]) -> Vec<u32> {
    let mut types = Vec::new();
    let mut rest = &body[2..];
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        // After the name: table, column, type, size, modifier, format.
        let field = &rest[end + 1..];
        types.push(u32::from_be_bytes([field[6], field[7], field[8], field[9]]));
        rest = &field[18..];
    }
    types
}

/// The code and the message.
fn error(body: &[u8]) -> String {
    let field = |wanted: u8| {
        let mut fields = body.split(|byte| *byte == 0);
        let found = fields.find(|field| field.first() == Some(&wanted));
        found.map(|field| String::from_utf8_lossy(&field[1..]).into_owned()).unwrap_or_default()
    };
    format!("{} {}", field(b'C'), field(b'M'))
}
