//! Why a live run could not be played.

use std::io;

/// What keeps a live run from being played, with what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// This machine has no Redis.
    #[error("no redis-server on this machine")]
    NoRedis,
    /// A server process did not come up.
    #[error("redis-server did not start: {reason}")]
    NotStarted {
        /// The end of its log, or what the system said.
        reason: String,
    },
    /// A server cannot be spoken to.
    #[error("cannot reach {server}: {source}")]
    Unreachable {
        /// Its address, without a password.
        server: String,
        /// What the system said.
        source: io::Error,
    },
    /// A server answered, but will not serve.
    #[error("{server} refuses to serve: {reply}")]
    Refused {
        /// Its address, without a password.
        server: String,
        /// Its answer.
        reply: String,
    },
    /// The operating system refused something that a run needs.
    #[error("{what}: {source}")]
    System {
        /// What was being done.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The scenario cannot be played on real servers, or not on these.
    #[error("{reason}")]
    NotPlayable {
        /// Why.
        reason: String,
    },
}

impl LiveError {
    /// Names what was being done when the system refused.
    pub fn system(what: &'static str) -> impl FnOnce(io::Error) -> LiveError {
        move |source| LiveError::System { what, source }
    }

    /// What a user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            LiveError::NoRedis => {
                Some("on Debian and Ubuntu: apt-get install redis-server (or put redis-server on the PATH)")
            }
            LiveError::Unreachable { .. } => {
                Some("check the address, and that the server is running: redis://HOST:PORT")
            }
            LiveError::Refused { reply, .. } if reply.starts_with("NOAUTH") || reply.starts_with("WRONGPASS") => {
                Some("the server wants a password: redis://USER:PASSWORD@HOST:PORT")
            }
            LiveError::Refused { .. } | LiveError::NotStarted { .. } => None,
            LiveError::System { .. } | LiveError::NotPlayable { .. } => None,
        }
    }
}
