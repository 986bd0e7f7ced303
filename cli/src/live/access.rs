//! How to reach a Redis: where it listens, and as whom.

use std::fmt;
use std::net::SocketAddr;

use locklab_core::say;
use locklab_core::wire::{Command, Reply};
use serde::{Deserialize, Serialize};

use super::error::LiveError;
use super::resp::Connection;
use super::server::PATIENCE;
use super::url::{Form, ServerUrl};

const FORM: Form = Form {
    service: "Redis",
    schemes: &["redis", "valkey"],
    encrypted: &["rediss", "valkeys"],
    port: 6379,
    example: ["redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]", "redis://[[用户]:密码@]主机[:端口][/数据库]"],
};

/// How to reach a Redis. Shown without its password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    address: SocketAddr,
    shown: String,
    user: Option<String>,
    password: Option<String>,
    database: u32,
}

impl Access {
    /// A server of the run's own.
    pub fn own(address: SocketAddr) -> Access {
        Access { address, shown: address.to_string(), user: None, password: None, database: 0 }
    }

    /// What a user typed: `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`.
    ///
    /// Errors when it is not such an address, or when its host has no address.
    pub fn parse(text: &str) -> Result<Access, LiveError> {
        let ServerUrl { address, place, user, password, path, .. } = ServerUrl::parse(text, FORM)?;
        let database = match path.as_str() {
            "" => 0,
            number => number.parse().map_err(|_| FORM.malformed(say!("a database is a number", "数据库是一个数字")))?,
        };
        let shown = format!("redis://{place}{}", if database > 0 { format!("/{database}") } else { String::new() });
        Ok(Access { address, shown, user, password, database })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A new connection, with the password given and the database chosen.
    pub fn connect(&self) -> Result<Connection, LiveError> {
        let mut connection = Connection::connect(self.address, PATIENCE).map_err(LiveError::unreachable(self))?;
        if let Some(password) = &self.password {
            let words = std::iter::once("AUTH").chain(self.user.as_deref()).chain([password.as_str()]);
            self.expect_ok(&mut connection, &Command::new(words))?;
        }
        if self.database > 0 {
            self.expect_ok(&mut connection, &Command::new(["SELECT", &self.database.to_string()]))?;
        }
        Ok(connection)
    }

    fn expect_ok(&self, connection: &mut Connection, command: &Command) -> Result<(), LiveError> {
        match connection.call(command, PATIENCE).map_err(LiveError::unreachable(self))? {
            Reply::Error(reply) => Err(LiveError::Refused { server: self.to_string(), reply }),
            _ => Ok(()),
        }
    }
}

/// The address without the password.
impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// As [`fmt::Display`]: a password belongs into no log.
impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_with_all_its_parts_and_shown_without_its_password() {
        let access = Access::parse("redis://me:p%40ss@127.0.0.1:7001/3").unwrap();
        assert_eq!(access.user.as_deref(), Some("me"));
        assert_eq!(access.password.as_deref(), Some("p@ss"));
        assert_eq!(access.database, 3);
        assert_eq!(format!("{access} {access:?}"), "redis://127.0.0.1:7001/3 redis://127.0.0.1:7001/3");
        assert_eq!(Access::parse("redis://:secret@127.0.0.1").unwrap().address.port(), 6379);
    }

    #[test]
    fn what_is_not_an_address_is_told_with_the_form_of_one() {
        for text in ["", "localhost", "http://localhost", "rediss://localhost", "redis://", "redis://localhost/x"] {
            let error = Access::parse(text).unwrap_err();
            assert!(error.to_string().contains("redis://[[USER]:PASSWORD@]HOST"), "{text}: {error}");
        }
    }
}
