//! Expiry: EXPIRE and its family, TTL and its family, PERSIST.
//!
//! An expiry is an absolute instant of this server's wall clock. One that is not in the future deletes the key at once.

use super::call::{Answer, Call, Words};
use super::effect::Cause;
use super::number;
use super::refusal::Refusal;
use super::verb::Verb;
use crate::wire::Reply;

/// The conditions of an EXPIRE.
#[derive(Default)]
struct Conditions {
    if_none: bool,
    if_some: bool,
    if_later: bool,
    if_earlier: bool,
}

impl Conditions {
    fn parse(words: Words<'_>) -> Result<Conditions, Refusal> {
        let mut conditions = Conditions::default();
        for word in words {
            let condition = match word.to_ascii_uppercase().as_slice() {
                b"NX" => &mut conditions.if_none,
                b"XX" => &mut conditions.if_some,
                b"GT" => &mut conditions.if_later,
                b"LT" => &mut conditions.if_earlier,
                _ => return Err(format!("ERR Unsupported option {}", String::from_utf8_lossy(word)).into()),
            };
            *condition = true;
        }
        let Conditions { if_none, if_some, if_later, if_earlier } = conditions;
        if if_none && (if_some || if_later || if_earlier) {
            return Err("ERR NX and XX, GT or LT options at the same time are not compatible".into());
        }
        if if_later && if_earlier {
            return Err("ERR GT and LT options at the same time are not compatible".into());
        }
        Ok(conditions)
    }

    /// Whether `at` may replace the expiry `old`. No expiry counts as the end of time.
    fn allow(&self, old: Option<i64>, at: i64) -> bool {
        !(self.if_none && old.is_some()
            || self.if_some && old.is_none()
            || self.if_later && old.is_none_or(|old| at <= old)
            || self.if_earlier && old.is_some_and(|old| at >= old))
    }
}

impl Call<'_> {
    pub(super) fn expire(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let (name, seconds, relative) = match verb {
            Verb::Expire => ("expire", true, true),
            Verb::Pexpire => ("pexpire", false, true),
            Verb::Expireat => ("expireat", true, false),
            _ => ("pexpireat", false, false),
        };
        let conditions = Conditions::parse(&words[3..])?;
        let number = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
        let millis = if seconds { number.checked_mul(1_000) } else { Some(number) };
        let since = if relative { self.now_ms } else { 0 };
        let at = millis.and_then(|millis| millis.checked_add(since)).ok_or_else(|| Refusal::invalid_expiry(name))?;
        let Some(index) = self.locate(&words[1]).taken() else { return Ok(Reply::Integer(0)) };
        if !conditions.allow(self.redis.keys.entry(index).expires_at, at) {
            return Ok(Reply::Integer(0));
        }
        if at <= self.now_ms {
            self.remove(index, Cause::Command);
        } else {
            self.set_expiry(index, Some(at));
        }
        Ok(Reply::Integer(1))
    }

    /// TTL rounds to the nearest second, so the last half second reads as 0.
    pub(super) fn ttl(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let now = self.now_ms;
        let Some(entry) = self.entry(&words[1]) else { return Ok(Reply::Integer(-2)) };
        let Some(at) = entry.expires_at else { return Ok(Reply::Integer(-1)) };
        let left = at.saturating_sub(now).max(0);
        Ok(Reply::Integer(match verb {
            Verb::Ttl => left.saturating_add(500) / 1_000,
            Verb::Pttl => left,
            Verb::Expiretime => at.saturating_add(500) / 1_000,
            _ => at,
        }))
    }

    pub(super) fn persist(&mut self, words: Words<'_>) -> Answer {
        match self.locate(&words[1]).taken() {
            Some(index) if self.redis.keys.entry(index).expires_at.is_some() => {
                self.set_expiry(index, None);
                Ok(Reply::Integer(1))
            }
            _ => Ok(Reply::Integer(0)),
        }
    }
}
