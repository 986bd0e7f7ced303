//! The digest of a run: equal digests mean equal histories, byte for byte.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::{Header, History, Place};

/// SHA-256 of a history's canonical lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl History {
    /// The digest of the history: the same for a simulated run natively, in the browser and replayed.
    pub fn digest(&self) -> Digest {
        let mut hasher = Sha256::new();
        self.each_line(|line| hasher.update(line));
        Digest(hasher.finalize().into())
    }

    /// The digest of what happened, wherever it was played: a real server should do what its model does.
    pub fn story_digest(&self) -> Digest {
        let header = Header { played_on: Place::Elsewhere(String::new()), ..self.header.clone() };
        History { header, events: self.events.clone() }.digest()
    }
}

impl Digest {
    /// The first 10 hexadecimal digits: enough to tell runs apart at a glance.
    pub fn short(&self) -> String {
        self.to_string()[..10].to_owned()
    }
}

/// All 64 hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
