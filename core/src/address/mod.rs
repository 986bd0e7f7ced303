//! The address of a run: a short text from which the run can be played again.
//!
//! Scenario, lock, changed parameters and choices are the run; a short check of its history tells whether the same run came out. The last
//! line of a report, `locklab replay` and the page's address bar carry the same text:
//!
//! ```text
//! L1-AQAPZXhwaXJ5L2djLXBhdXNl...      L, the format's version, -, then bytes in base64url:
//!
//! packing | body (deflated where that is shorter) | the first 4 bytes of the SHA-256 of all before
//! body:  scenario | lock | changes | choices | check
//! ```
//!
//! A text from anywhere is read in bounded time and memory, and is an [`AddressError`] at worst.

mod bytes;
mod error;
mod text;

pub use error::AddressError;

use sha2::{Digest, Sha256};

use crate::choices::{Choices, Taken};

/// The version of the address format that this build writes.
pub const VERSION: u32 = 1;

/// The most bytes that a scenario may take inside an address, compressed. A larger one is named, not carried.
pub const MOST_INSIDE: usize = 8 * 1024;

/// The most characters of an address that is read.
pub const MOST_TEXT: usize = 256 * 1024;

/// Everything that is needed to play a run again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The scenario.
    pub scenario: ScenarioAddress,
    /// The lock's canonical name.
    pub lock: String,
    /// Parameters that differ from the scenario's, in the order in which they were given.
    pub changes: Vec<Change>,
    /// The run's choices.
    pub choices: ChoicesAddress,
    /// What its history amounted to when the address was made.
    pub check: Check,
}

/// A parameter that differs from the scenario's: `--set KEY=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub key: String,
    /// What it is instead, as it was typed.
    pub value: String,
}

/// Where the scenario of a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioAddress {
    /// In every Locklab.
    BuiltIn {
        /// Its name, such as `expiry/gc-pause`.
        name: String,
        /// A check of its text.
        check: Check,
    },
    /// In the address itself.
    Inside {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// In a file that was too large to be carried.
    File {
        /// Its path, as it was given.
        path: String,
        /// A check of its text.
        check: Check,
    },
}

/// How the choices of a run are made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ChoicesAddress {
    /// Every default.
    #[default]
    Defaults,
    /// Drawn from a seed.
    Seed(u64),
    /// These, and defaults elsewhere.
    Taken(Vec<Taken>),
}

/// The beginning of a SHA-256: enough to tell that something has changed, no proof against a forger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Check(pub [u8; 6]);

impl Check {
    /// The check of some bytes.
    pub fn of(bytes: impl AsRef<[u8]>) -> Check {
        let digest = Sha256::digest(bytes);
        let mut check = [0; 6];
        check.copy_from_slice(&digest[..6]);
        Check(check)
    }
}

impl ScenarioAddress {
    /// The address of a scenario that is in every Locklab.
    pub fn built_in(name: &str, text: &str) -> ScenarioAddress {
        ScenarioAddress::BuiltIn { name: name.to_owned(), check: Check::of(text) }
    }

    /// The address of any other scenario: inside where it fits, else the file. `path` is how its user named it.
    pub fn of(path: &str, text: &str) -> ScenarioAddress {
        if bytes::deflated(text.as_bytes()).len() <= MOST_INSIDE {
            ScenarioAddress::Inside { name: path.to_owned(), text: text.to_owned() }
        } else {
            ScenarioAddress::File { path: path.to_owned(), check: Check::of(text) }
        }
    }

    /// Its name or path.
    pub fn name(&self) -> &str {
        match self {
            ScenarioAddress::BuiltIn { name, .. } | ScenarioAddress::Inside { name, .. } => name,
            ScenarioAddress::File { path, .. } => path,
        }
    }
}

impl ChoicesAddress {
    /// The choices that a run began with.
    pub fn choices(&self) -> Choices {
        match self {
            ChoicesAddress::Defaults => Choices::scripted(),
            ChoicesAddress::Seed(seed) => Choices::seeded(*seed),
            ChoicesAddress::Taken(taken) => Choices::replayed(taken.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
