//! The bytes of an address: numbers in as few bytes as they need, texts behind their length, everything bounded.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::AddressError;

/// The most bytes that a body unpacks to: the largest scenario file, and room for the rest.
const MOST_UNPACKED: usize = 2 << 20;

/// Smaller before faster: an address is made once and carried around.
const LEVEL: u8 = 9;

/// Packed bytes.
pub fn deflated(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, LEVEL)
}

/// Unpacked bytes, unless they are too many.
pub fn inflated(bytes: &[u8]) -> Result<Vec<u8>, AddressError> {
    decompress_to_vec_with_limit(bytes, MOST_UNPACKED).map_err(|_| AddressError::Senseless)
}

/// Writes the parts of an address one after another.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// One byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Bytes whose number the reader knows.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A number: seven bits a byte, the lowest first, the high bit says that more follow.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.raw(text.as_bytes());
    }

    /// What was written.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads what a [`Writer`] wrote.
#[derive(Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    /// Before the first byte.
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len()
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8, AddressError> {
        Ok(self.raw(1)?[0])
    }

    /// So many bytes.
    pub fn raw(&mut self, count: usize) -> Result<&'b [u8], AddressError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(AddressError::Senseless)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// A number of at most 64 bits.
    pub fn number(&mut self) -> Result<u64, AddressError> {
        let mut number: u64 = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(AddressError::Senseless);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(AddressError::Senseless)
    }

    /// How many things follow, each of at least `size` bytes: never more than there is room for.
    pub fn count(&mut self, size: usize) -> Result<usize, AddressError> {
        let count = usize::try_from(self.number()?).map_err(|_| AddressError::Senseless)?;
        if count > self.left() / size { Err(AddressError::Senseless) } else { Ok(count) }
    }

    /// A text.
    pub fn text(&mut self) -> Result<String, AddressError> {
        let length = self.count(1)?;
        let text = std::str::from_utf8(self.raw(length)?).map_err(|_| AddressError::Senseless)?;
        Ok(text.to_owned())
    }
}
