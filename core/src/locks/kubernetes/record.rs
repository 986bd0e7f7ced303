//! What a candidate has seen of the record, and when.

use std::hash::{Hash, Hasher};

use super::setup::{Judges, Setup};
use crate::time::{LocalTime, Span, later};
use crate::wire::Reply;

/// The record as it was last seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Who is named as the leader; empty: nobody.
    pub holder: String,
    pub version: u64,
    pub transitions: u64,
    duration: Span,
    /// The time written in the record, in microseconds of its writer's wall clock.
    written: i64,
    /// The local monotonic instant at which the record was first seen as it is.
    since: i64,
}

impl Observed {
    /// Reads a record that the server has just shown, or has just written.
    pub fn read(now: LocalTime, reply: &Reply) -> Option<Observed> {
        let Reply::Array(items) = reply else { return None };
        let field = |name: &str| {
            let pair = items.chunks_exact(2).find(|pair| pair[0].text().as_deref() == Some(name))?;
            pair[1].text()
        };
        let seconds: u64 = field("leaseDurationSeconds")?.parse().ok()?;
        Some(Observed {
            holder: field("holderIdentity")?,
            version: field("resourceVersion")?.parse().ok()?,
            transitions: field("leaseTransitions")?.parse().ok()?,
            duration: Span::from_secs(seconds.min(u64::from(u32::MAX))),
            written: instant(&field("renewTime")?)?,
            since: now.monotonic,
        })
    }

    /// Takes note of what was seen now: a record that has not changed was seen before.
    pub fn note(known: &mut Option<Observed>, seen: Observed) {
        if known.as_ref().is_none_or(|known| known.version != seen.version) {
            *known = Some(seen);
        }
    }

    /// Whether the leader's term is still on, as far as this candidate can tell.
    pub fn is_on(&self, setup: &Setup, now: LocalTime) -> bool {
        let duration = setup.assumes.unwrap_or(self.duration);
        match setup.judges {
            Judges::Observed => later(self.since, duration) > now.monotonic,
            Judges::RenewTime => later(self.written, duration) > now.wall,
        }
    }

    pub fn hash_relative(&self, now: LocalTime, out: &mut impl Hasher) {
        (&self.holder, self.version, self.transitions, self.duration).hash(out);
        (self.written - now.wall, self.since - now.monotonic).hash(out);
    }
}

/// A wall clock's instant, as [`Setup`] writes it.
fn instant(text: &str) -> Option<i64> {
    let (sign, span) = text.strip_prefix('-').map_or((1, text), |span| (-1, span));
    let span: Span = span.parse().ok()?;
    Some(sign * i64::try_from(span.micros()).ok()?)
}
