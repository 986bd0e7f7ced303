//! What every client of a lock on one service was made with.

use crate::locks::{Identity, Params, RENEW_EVERY};
use crate::time::Span;

/// Who a client is, and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    pub identity: Identity,
    pub params: Params,
    /// From one renewal to the next, at least a microsecond.
    pub renew_every: Span,
}

impl Terms {
    /// The terms of a client that renews so often unless its parameters say otherwise.
    pub fn new(params: &Params, identity: Identity, usual: Span) -> Terms {
        let renew_every = params.span(RENEW_EVERY).unwrap_or(usual).max(Span(1));
        Terms { identity, params: params.clone(), renew_every }
    }

    /// The token of an acquisition.
    pub fn token(&self, number: u32) -> String {
        self.identity.token(self.params.token, number)
    }
}
