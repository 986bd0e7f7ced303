//! One connection to a PostgreSQL: its simple query protocol, version 3.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use locklab_core::wire::Reply;

use super::login::Login;
use super::scram::{MOST_ROUNDS, NoProof, Proof, Scram};

/// How long a server may take to let somebody in.
const ENTRY: Duration = Duration::from_secs(5);
/// How many bytes a message may have, its length included: no lock asks for more.
const LONGEST: usize = 16 * 1_024 * 1_024;
/// The one way to prove a password that is spoken here.
const MECHANISM: &str = "SCRAM-SHA-256";

/// A connection. Statements are sent and answered one at a time; an answer may be a long time in coming.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
    answer: Answer,
    process: u32,
    is_in_transaction: bool,
}

/// Why there is no connection.
#[derive(Debug)]
pub enum NoConnection {
    /// Nobody answers, or not in PostgreSQL's protocol.
    Unreachable(io::Error),
    /// The server lets this user not in: code and reason.
    Refused(String),
    /// The server asks for a password, and there is none.
    WantsPassword,
    /// The server asks for something else than a password proven by SCRAM-SHA-256.
    WantsAnother,
    /// The server asks for so many rounds of hashing a password, more than [`MOST_ROUNDS`].
    WantsTooManyRounds(u64),
}

impl From<io::Error> for NoConnection {
    fn from(error: io::Error) -> NoConnection {
        NoConnection::Unreachable(error)
    }
}

impl From<NoConnection> for io::Error {
    fn from(why: NoConnection) -> io::Error {
        match why {
            NoConnection::Unreachable(error) => error,
            NoConnection::Refused(reply) => io::Error::other(reply),
            NoConnection::WantsPassword => io::Error::other("it wants a password"),
            NoConnection::WantsAnother => io::Error::other("it wants another authentication"),
            NoConnection::WantsTooManyRounds(rounds) => {
                io::Error::other(format!("it wants a password hashed {rounds} times, more than {MOST_ROUNDS}"))
            }
        }
    }
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
    /// Connects, logs in and waits until the server is ready.
    pub fn open(login: &Login) -> Result<Connection, NoConnection> {
        let stream = TcpStream::connect_timeout(&login.address, ENTRY)?;
        stream.set_nodelay(true)?;
        let (received, answer) = (Vec::new(), Answer::default());
        let mut connection = Connection { stream, received, answer, process: 0, is_in_transaction: false };
        let mut start = 196_608_u32.to_be_bytes().to_vec();
        for (name, value) in
            [("user", &login.user), ("database", &login.database), ("application_name", &login.application)]
        {
            start.extend([name.as_bytes(), b"\0", value.as_bytes(), b"\0"].concat());
        }
        start.push(0);
        connection.frame(None, &start)?;
        loop {
            match connection.await_message()? {
                (b'R', body) => connection.authenticate(&body, login)?,
                (b'K', body) => connection.process = number(&body),
                (b'E', body) => return Err(NoConnection::Refused(error(&body))),
                (b'Z', _) => return Ok(connection),
                // Settings and notices.
                _ => {}
            }
        }
    }

    /// Does what the server asks for before it lets somebody in.
    fn authenticate(&mut self, request: &[u8], login: &Login) -> Result<(), NoConnection> {
        const NONE: u32 = 0;
        const SASL: u32 = 10;
        let mut offered = request.get(4..).unwrap_or_default().split(|byte| *byte == 0);
        match number(request) {
            NONE => return Ok(()),
            SASL if offered.any(|mechanism| mechanism == MECHANISM.as_bytes()) => {}
            _ => return Err(NoConnection::WantsAnother),
        }
        let password = login.password.as_deref().ok_or(NoConnection::WantsPassword)?;
        let scram = Scram::new("", nonce()?);
        let first = scram.first();
        let length = (first.len() as u32).to_be_bytes();
        self.frame(Some(b'p'), &[MECHANISM.as_bytes(), b"\0", &length, first.as_bytes()].concat())?;
        let challenge = self.await_proof()?;
        let Proof { message, expected } = scram.answer(&challenge, password).map_err(|why| match why {
            NoProof::Strange => strange().into(),
            NoProof::TooManyRounds(rounds) => NoConnection::WantsTooManyRounds(rounds),
        })?;
        self.frame(Some(b'p'), message.as_bytes())?;
        // Whoever cannot show that it knows the password is not the server that was meant.
        if self.await_proof()? == expected { Ok(()) } else { Err(strange().into()) }
    }

    /// The next message of an exchange of proofs.
    fn await_proof(&mut self) -> Result<String, NoConnection> {
        match self.await_message()? {
            (b'R', body) if body.len() >= 4 => Ok(String::from_utf8_lossy(&body[4..]).into_owned()),
            (b'E', body) => Err(NoConnection::Refused(error(&body))),
            _ => Err(strange().into()),
        }
    }

    /// The next message of a server that lets somebody in.
    fn await_message(&mut self) -> io::Result<(u8, Vec<u8>)> {
        self.stream.set_read_timeout(Some(ENTRY))?;
        loop {
            if let Some(message) = self.message()? {
                return Ok(message);
            }
            match self.read()? {
                Some(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Some(_) => {}
                None => return Err(io::ErrorKind::TimedOut.into()),
            }
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
            while let Some((kind, body)) = self.message()? {
                match kind {
                    b'Z' => {
                        self.is_in_transaction = body != b"I";
                        return Ok(Some(std::mem::take(&mut self.answer)));
                    }
                    _ => self.answer.take(kind, &body)?,
                }
            }
            match self.read()? {
                Some(0) => {
                    let answer = std::mem::take(&mut self.answer);
                    return match answer.error {
                        Some(_) => Ok(Some(answer)),
                        None => Err(io::ErrorKind::UnexpectedEof.into()),
                    };
                }
                Some(_) => {}
                None => return Ok(None),
            }
        }
    }

    /// Takes in what has come: how many bytes, none at the end; `None`: nothing has come for as long as the time-out says.
    fn read(&mut self) -> io::Result<Option<usize>> {
        let mut chunk = [0; 4096];
        match self.stream.read(&mut chunk) {
            Ok(length) => {
                self.received.extend_from_slice(&chunk[..length]);
                Ok(Some(length))
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn frame(&mut self, kind: Option<u8>, body: &[u8]) -> io::Result<()> {
        let mut bytes: Vec<u8> = kind.into_iter().collect();
        bytes.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        bytes.extend_from_slice(body);
        self.stream.write_all(&bytes)
    }

    /// The next whole message: its kind and its body.
    fn message(&mut self) -> io::Result<Option<(u8, Vec<u8>)>> {
        let Some((kind, rest)) = self.received.split_first().filter(|(_, rest)| rest.len() >= 4) else {
            return Ok(None);
        };
        let (kind, length) = (*kind, number(rest) as usize);
        if !(4..=LONGEST).contains(&length) {
            return Err(strange());
        }
        let Some(body) = rest.get(4..length).map(<[u8]>::to_vec) else { return Ok(None) };
        self.received.drain(..=length);
        Ok(Some((kind, body)))
    }
}

impl Answer {
    fn take(&mut self, kind: u8, body: &[u8]) -> io::Result<()> {
        match kind {
            b'T' => {
                self.has_rows = true;
                self.types = column_types(body).ok_or_else(strange)?;
            }
            b'D' => self.rows.push(self.row(body).ok_or_else(strange)?),
            b'C' => self.tag = String::from_utf8_lossy(body).trim_end_matches('\0').to_owned(),
            b'E' => self.error = Some(error(body)),
            _ => {}
        }
        Ok(())
    }

    /// `None`: it has not the columns that were announced.
    fn row(&self, body: &[u8]) -> Option<Vec<Reply>> {
        let mut rest = body.get(2..)?;
        let mut value = |kind: &u32| {
            let (length, behind) = rest.split_at_checked(4)?;
            rest = behind;
            let Ok(length) = usize::try_from(number(length).cast_signed()) else { return Some(Reply::Nil) };
            let (text, behind) = rest.split_at_checked(length)?;
            rest = behind;
            let text = String::from_utf8_lossy(text).into_owned();
            Some(match (kind, text.parse()) {
                (20..=23, Ok(number)) => Reply::Integer(number),
                _ => Reply::bulk(text),
            })
        };
        self.types.iter().map(&mut value).collect()
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

/// Somebody at the other end speaks another protocol.
fn strange() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "this is not what a PostgreSQL answers")
}

/// A word that nobody has used before.
fn nonce() -> io::Result<String> {
    let mut bytes = [0; 18];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(STANDARD.encode(bytes))
}

/// Four bytes as a number.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, byte| (number << 8) | u32::from(*byte))
}

/// `None`: it is no description of columns.
fn column_types(body: &[u8]) -> Option<Vec<u32>> {
    let mut types = Vec::new();
    let mut rest = body.get(2..)?;
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        // After the name: table, column, type, size, modifier, format.
        let (field, behind) = rest[end + 1..].split_at_checked(18)?;
        types.push(number(&field[6..]));
        rest = behind;
    }
    Some(types)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_row_that_is_cut_short_is_strange() {
        let mut answer = Answer::default();
        let columns = [&b"\0\x01"[..], b"n\0", &[0; 6], &23_u32.to_be_bytes(), &[0; 8]].concat();
        let row = b"\0\x01\0\0\0\x0242";
        answer.take(b'T', &columns).expect("it is a description");
        answer.take(b'D', row).expect("it is a row");
        assert_eq!(answer.rows, [[Reply::Integer(42)]]);
        for end in 0..row.len() {
            assert!(answer.take(b'D', &row[..end]).is_err(), "{end}");
        }
        assert!(answer.take(b'T', &columns[..columns.len() - 1]).is_err());
    }

    proptest! {
        #[test]
        fn nothing_that_a_server_sends_makes_us_panic(
            messages in prop::collection::vec((any::<u8>(), prop::collection::vec(any::<u8>(), 0..64)), 0..8),
        ) {
            let mut answer = Answer::default();
            for (kind, body) in messages {
                let kinds = [b'T', b'D', b'C', b'E', kind];
                let _strange = answer.take(kinds[usize::from(kind) % kinds.len()], &body);
            }
        }
    }
}
