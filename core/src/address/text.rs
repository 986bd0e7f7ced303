//! An address as text, and back.

use std::fmt;
use std::str::FromStr;

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::{DecodeError, Engine};
use sha2::{Digest, Sha256};

use super::bytes::{Reader, Writer, deflated, inflated};
use super::{Address, AddressError, Change, Check, ChoicesAddress, MOST_TEXT, ScenarioAddress, VERSION};
use crate::choices::Taken;

const STORED: u8 = 0;
const DEFLATED: u8 = 1;

const BUILT_IN: u8 = 0;
const INSIDE: u8 = 1;
const FILE: u8 = 2;

const DEFAULTS: u8 = 0;
const SEED: u8 = 1;
const TAKEN: u8 = 2;

/// How many bytes guard against a slip in copying.
const SUM: usize = 4;

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = body(self);
        let packed = deflated(&body);
        let (packing, body) = if packed.len() < body.len() { (DEFLATED, packed) } else { (STORED, body) };
        let mut bytes = vec![packing];
        bytes.extend_from_slice(&body);
        let sum = sum(&bytes);
        bytes.extend_from_slice(&sum);
        write!(f, "L{VERSION}-{}", URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl FromStr for Address {
    type Err = AddressError;

    /// Reads an address; blanks and line ends within it, as mail programs put them there, do not count.
    fn from_str(text: &str) -> Result<Address, AddressError> {
        if text.len() > MOST_TEXT {
            return Err(AddressError::TooLong);
        }
        let text: String = text.chars().filter(|char| !char.is_whitespace()).collect();
        let (version, coded) = opening(&text)?;
        if version != VERSION {
            return Err(AddressError::Newer { version });
        }
        let start = text.len() - coded.len();
        let bytes = URL_SAFE_NO_PAD.decode(coded).map_err(|error| match error {
            DecodeError::InvalidByte(at, _) => AddressError::Foreign { at: characters_until(&text, start + at) },
            DecodeError::InvalidLength(_) | DecodeError::InvalidLastSymbol { .. } | DecodeError::InvalidPadding => {
                AddressError::Damaged
            }
        })?;
        let (bytes, given) = bytes.split_last_chunk::<SUM>().ok_or(AddressError::Damaged)?;
        if sum(bytes) != *given {
            return Err(AddressError::Damaged);
        }
        match bytes.split_first() {
            Some((&STORED, body)) => read(body),
            Some((&DEFLATED, body)) => read(&inflated(body)?),
            _ => Err(AddressError::Senseless),
        }
    }
}

/// How many characters there are up to the one that this byte belongs to.
fn characters_until(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(start, _)| *start <= byte).count()
}

/// The version and what follows it.
fn opening(text: &str) -> Result<(u32, &str), AddressError> {
    let (version, coded) = text
        .strip_prefix('L')
        .and_then(|rest| rest.split_once('-'))
        .filter(|(version, _)| version.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or(AddressError::NotAnAddress)?;
    let version = version.parse().ok().filter(|version| *version > 0).ok_or(AddressError::NotAnAddress)?;
    Ok((version, coded))
}

fn sum(bytes: &[u8]) -> [u8; SUM] {
    let digest = Sha256::digest(bytes);
    *digest.first_chunk().expect("a SHA-256 has 32 bytes")
}

fn body(address: &Address) -> Vec<u8> {
    let mut writer = Writer::default();
    match &address.scenario {
        ScenarioAddress::BuiltIn { name, check } => {
            writer.byte(BUILT_IN);
            writer.text(name);
            writer.raw(&check.0);
        }
        ScenarioAddress::Inside { name, text } => {
            writer.byte(INSIDE);
            writer.text(name);
            writer.text(text);
        }
        ScenarioAddress::File { path, check } => {
            writer.byte(FILE);
            writer.text(path);
            writer.raw(&check.0);
        }
    }
    writer.text(&address.lock);
    writer.number(address.changes.len() as u64);
    for change in &address.changes {
        writer.text(&change.key);
        writer.text(&change.value);
    }
    match &address.choices {
        ChoicesAddress::Defaults => writer.byte(DEFAULTS),
        ChoicesAddress::Seed(seed) => {
            writer.byte(SEED);
            writer.number(*seed);
        }
        ChoicesAddress::Taken(taken) => {
            writer.byte(TAKEN);
            write_taken(taken, &mut writer);
        }
    }
    writer.raw(&address.check.0);
    writer.finish()
}

/// Each choice by its distance from the one before, since most follow closely.
fn write_taken(taken: &[Taken], writer: &mut Writer) {
    writer.number(taken.len() as u64);
    let mut next = 0;
    for choice in taken {
        let at = u64::from(choice.at);
        writer.number(at.saturating_sub(next));
        writer.number(u64::from(choice.index));
        next = at + 1;
    }
}

fn read(body: &[u8]) -> Result<Address, AddressError> {
    let mut reader = Reader::new(body);
    let scenario = match reader.byte()? {
        BUILT_IN => ScenarioAddress::BuiltIn { name: reader.text()?, check: check(&mut reader)? },
        INSIDE => ScenarioAddress::Inside { name: reader.text()?, text: reader.text()? },
        FILE => ScenarioAddress::File { path: reader.text()?, check: check(&mut reader)? },
        _ => return Err(AddressError::Senseless),
    };
    let lock = reader.text()?;
    let mut changes = Vec::new();
    for _ in 0..reader.count(2)? {
        changes.push(Change { key: reader.text()?, value: reader.text()? });
    }
    let choices = match reader.byte()? {
        DEFAULTS => ChoicesAddress::Defaults,
        SEED => ChoicesAddress::Seed(reader.number()?),
        TAKEN => ChoicesAddress::Taken(read_taken(&mut reader)?),
        _ => return Err(AddressError::Senseless),
    };
    let check = check(&mut reader)?;
    if reader.left() > 0 {
        return Err(AddressError::Senseless);
    }
    Ok(Address { scenario, lock, changes, choices, check })
}

fn check(reader: &mut Reader<'_>) -> Result<Check, AddressError> {
    let mut check = [0; 6];
    check.copy_from_slice(reader.raw(6)?);
    Ok(Check(check))
}

fn read_taken(reader: &mut Reader<'_>) -> Result<Vec<Taken>, AddressError> {
    let mut taken = Vec::new();
    let mut next: u64 = 0;
    for _ in 0..reader.count(2)? {
        let at = next.checked_add(reader.number()?).and_then(|at| u32::try_from(at).ok());
        let index = u32::try_from(reader.number()?).ok().filter(|index| *index > 0);
        let (Some(at), Some(index)) = (at, index) else { return Err(AddressError::Senseless) };
        taken.push(Taken { at, index });
        next = u64::from(at) + 1;
    }
    Ok(taken)
}
