//! How a server is set up.

use crate::time::Span;

/// The settings of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How a client's statements reach a session.
    pub access: Access,
    /// How long a wait lasts before it looks for a deadlock (`deadlock_timeout`).
    pub deadlock_timeout: Span,
    /// How long the server keeps the session of a connection from which nothing comes any more (`tcp_keepalives_idle` and what follows).
    pub keep_alive: Span,
}

/// How a client's statements reach a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Every connection has a session of its own.
    Direct,
    /// A connection pooler in transaction mode: outside a transaction every statement gets the session that was used last and is free, or a
    /// new one (`pool_mode = transaction`, `server_round_robin = 0` of PgBouncer).
    Pooled {
        /// How old a session becomes (`server_lifetime`).
        lifetime: Span,
    },
}

/// As PostgreSQL and PgBouncer come, but for the keep-alive time: connections are not cut silently.
impl Default for Settings {
    fn default() -> Settings {
        Settings { access: Access::Direct, deadlock_timeout: Span::from_secs(1), keep_alive: Span::ZERO }
    }
}
