//! One connection to a PostgreSQL: its simple query protocol, version 3.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use locklab_core::wire::Reply;

/// A connection. Statements are sent and answered one at a time; an answer may be a long time in coming.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
    answer: Answer,
    process: u32,
    is_in_transaction: bool,
}

/// What has come of an answer so far.
#[derive(Debug, Default)]
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
        let (received, answer) = (Vec::new(), Answer::default());
        let mut connection = Connection { stream, received, answer, process: 0, is_in_transaction: false };
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

    /// The number of the server process at the other end.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Whether the last answer left a transaction open, or failed.
    pub fn is_in_transaction(&self) -> bool {
        self.is_in_transaction
    }

    /// Whether something has come that no statement asked for: the end of the connection, with the reason.
    pub fn has_unasked(&self) -> bool {
        let mut byte = [0];
        let peeked = self.stream.set_nonblocking(true).and_then(|()| self.stream.peek(&mut byte));
        let restored = self.stream.set_nonblocking(false);
        restored.is_err() || !matches!(&peeked, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
    }

    /// The rows that a statement gives, whose answer comes at once.
    pub fn rows(&mut self, statement: &str, wait: Duration) -> io::Result<Vec<Vec<Reply>>> {
        self.send(statement)?;
        let answer = self.answered(wait)?.ok_or(io::ErrorKind::TimedOut)?;
        match answer.error {
            Some(error) => Err(io::Error::other(error)),
            None => Ok(answer.rows),
        }
    }

    /// The answer to the last statement, in the shape in which the model gives it; `None` if it does not come within `wait`.
    pub fn receive(&mut self, wait: Duration) -> io::Result<Option<Reply>> {
        Ok(self.answered(wait)?.map(Answer::into_reply))
    }

    fn answered(&mut self, wait: Duration) -> io::Result<Option<Answer>> {
        self.stream.set_read_timeout(Some(wait.max(Duration::from_millis(1))))?;
        loop {
            while let Some((kind, body)) = self.message() {
                match kind {
                    b'Z' => {
                        self.is_in_transaction = body != b"I";
                        return Ok(Some(std::mem::take(&mut self.answer)));
                    }
                    b'K' => self.process = body.get(..4).map_or(0, number),
                    _ => self.answer.take(kind, &body),
                }
            }
            let mut chunk = [0; 4096];
            match self.stream.read(&mut chunk) {
                Ok(0) => {
                    let answer = std::mem::take(&mut self.answer);
                    return match answer.error {
                        Some(_) => Ok(Some(answer)),
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
        let length = number(&head[1..]) as usize;
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
            let length = number(rest).cast_signed();
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

/// Four bytes as a number.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, byte| (number << 8) | u32::from(*byte))
}

fn column_types(body: &[u8]) -> Vec<u32> {
    let mut types = Vec::new();
    let mut rest = &body[2..];
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        // After the name: table, column, type, size, modifier, format.
        let field = &rest[end + 1..];
        types.push(number(&field[6..]));
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
