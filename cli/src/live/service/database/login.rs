//! Where a PostgreSQL is, and as whom one logs in there.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};

use serde::{Deserialize, Serialize};

/// Where a PostgreSQL is, and as whom one logs in there. Shown without its password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    /// Where it listens.
    pub address: SocketAddr,
    /// As whom.
    pub user: String,
    /// Sent to nobody: a server gets a proof of it.
    pub password: Option<String>,
    /// To which database.
    pub database: String,
    /// Under which name others see the connection (`application_name`).
    pub application: String,
    /// As a user may read it.
    pub shown: String,
}

impl Login {
    /// To a server of the run's own.
    pub fn own(port: u16) -> Login {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        Login {
            address,
            user: "locklab".into(),
            password: None,
            database: "postgres".into(),
            application: "locklab".into(),
            shown: format!("PostgreSQL ({address})"),
        }
    }
}

/// The address without the password.
impl fmt::Display for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// As [`fmt::Display`]: a password belongs into no log.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}
