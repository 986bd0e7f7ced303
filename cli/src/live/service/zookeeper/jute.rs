//! Jute, the form in which ZooKeeper's messages cross the wire: big-endian numbers, and strings and bytes behind their length.

use std::io::{self, ErrorKind};

/// A message that is being written.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// A number of 32 bits.
    pub fn int(mut self, number: i32) -> Writer {
        self.bytes.extend_from_slice(&number.to_be_bytes());
        self
    }

    /// A number of 64 bits.
    pub fn long(mut self, number: i64) -> Writer {
        self.bytes.extend_from_slice(&number.to_be_bytes());
        self
    }

    /// Yes or no.
    pub fn bool(mut self, value: bool) -> Writer {
        self.bytes.push(u8::from(value));
        self
    }

    /// Bytes, or a string.
    pub fn buffer(mut self, content: impl AsRef<[u8]>) -> Writer {
        let content = content.as_ref();
        self = self.int(i32::try_from(content.len()).expect("no content of a run is that long"));
        self.bytes.extend_from_slice(content);
        self
    }

    /// All of another message, without its length.
    pub fn then(mut self, other: &Writer) -> Writer {
        self.bytes.extend_from_slice(&other.bytes);
        self
    }

    /// What is written so far, behind its length.
    pub fn frame(self) -> Vec<u8> {
        Writer::default().buffer(self.bytes).bytes
    }
}

/// A message that is being read.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads from the beginning.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes }
    }

    /// A number of 32 bits.
    pub fn int(&mut self) -> io::Result<i32> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    /// A number of 64 bits.
    pub fn long(&mut self) -> io::Result<i64> {
        Ok(i64::from_be_bytes(self.array()?))
    }

    /// Bytes; a length of -1 stands for none.
    pub fn buffer(&mut self) -> io::Result<&'a [u8]> {
        let length = usize::try_from(self.int()?).unwrap_or(0);
        self.take(length)
    }

    /// Bytes that are text.
    pub fn string(&mut self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(self.buffer()?).into_owned())
    }

    /// A list of texts.
    pub fn strings(&mut self) -> io::Result<Vec<String>> {
        let count = self.int()?;
        (0..count).map(|_| self.string()).collect()
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let bytes = self.take(N)?;
        Ok(bytes.try_into().expect("so many bytes were taken"))
    }

    fn take(&mut self, length: usize) -> io::Result<&'a [u8]> {
        let cut = || io::Error::new(ErrorKind::UnexpectedEof, "a message of ZooKeeper is cut short");
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or_else(cut)?;
        self.bytes = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_nothing_beyond_its_end() {
        let frame = Writer::default().int(-2).long(1 << 40).buffer("lock/n-").int(2).buffer("a").buffer("b").frame();
        let (length, message) = frame.split_at(4);
        assert_eq!(length, i32::try_from(message.len()).unwrap().to_be_bytes());
        let mut reader = Reader::new(message);
        assert_eq!((reader.int().unwrap(), reader.long().unwrap()), (-2, 1 << 40));
        assert_eq!(
            (reader.string().unwrap(), reader.strings().unwrap()),
            ("lock/n-".into(), vec!["a".into(), "b".into()])
        );
        assert!(reader.int().is_err());
        assert!(Reader::new(&[0, 0, 0, 9, 1]).buffer().is_err(), "a length beyond the end");
    }
}
