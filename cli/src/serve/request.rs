//! What a browser asks for.

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// The longest head of a request that is read, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;

/// A request: as much of it as a server of files needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `HEAD`, ...
    pub method: String,
    /// The path, without query: `/style.css`.
    pub path: String,
    /// The server's name and port as the client knows it.
    pub host: String,
}

/// Why a request is not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not HTTP.
    Malformed,
    /// Its head is longer than anything that this page asks for.
    TooLong,
    /// It did not come to an end in time.
    TooSlow,
}

impl Request {
    /// Reads the head of a request. A body is of no interest: nothing that has one is allowed.
    pub fn read(source: &mut impl Read, patience: Duration) -> io::Result<Result<Request, Unreadable>> {
        let start = Instant::now();
        let mut head = Vec::new();
        loop {
            let mut chunk = [0; 2048];
            let count = source.read(&mut chunk)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            head.extend_from_slice(&chunk[..count]);
            match Request::parse(&head) {
                Ok(Some(request)) => return Ok(Ok(request)),
                Err(reason) => return Ok(Err(reason)),
                Ok(None) if head.len() > LONGEST_HEAD => return Ok(Err(Unreadable::TooLong)),
                Ok(None) if start.elapsed() > patience => return Ok(Err(Unreadable::TooSlow)),
                Ok(None) => {}
            }
        }
    }

    /// Reads a head that may not have come to its end: `None` asks for more.
    fn parse(head: &[u8]) -> Result<Option<Request>, Unreadable> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut request = httparse::Request::new(&mut headers);
        let status = request.parse(head).map_err(|error| match error {
            httparse::Error::TooManyHeaders => Unreadable::TooLong,
            _ => Unreadable::Malformed,
        })?;
        if status.is_partial() {
            return Ok(None);
        }
        let (Some(method), Some(target)) = (request.method, request.path) else { return Err(Unreadable::Malformed) };
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let host = request.headers.iter().find(|header| header.name.eq_ignore_ascii_case("host"));
        let host = host.map(|header| String::from_utf8_lossy(header.value).trim().to_owned()).unwrap_or_default();
        Ok(Some(Request { method: method.to_owned(), path: path.to_owned(), host }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client that sends its bytes one at a time and then stays silent.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            buffer[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    fn read(bytes: &[u8]) -> io::Result<Result<Request, Unreadable>> {
        Request::read(&mut Slow(bytes), Duration::from_secs(10))
    }

    #[test]
    fn a_request_is_read_in_whatever_pieces_it_comes() {
        let request = read(b"GET /style.css?v=1 HTTP/1.1\r\nHost: localhost:8087\r\n\r\n").unwrap().unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/style.css"));
        assert_eq!(request.host, "localhost:8087");
    }

    #[test]
    fn what_is_not_http_is_refused() {
        assert_eq!(read(b"\x16\x03\x01\x02\x00 hello").unwrap(), Err(Unreadable::Malformed));
    }

    #[test]
    fn an_endless_head_is_cut_off() {
        let endless = [b"GET / HTTP/1.1\r\nX: ".to_vec(), vec![b'a'; 2 * LONGEST_HEAD]].concat();
        assert_eq!(read(&endless).unwrap(), Err(Unreadable::TooLong));
    }

    #[test]
    fn a_client_that_leaves_early_gets_no_answer() {
        assert_eq!(read(b"GET / HTT").unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
