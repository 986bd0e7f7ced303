//! Strings: SET and its family, counters.
//!
//! SET replaces value and expiry, whatever the key held; APPEND, INCR and SETRANGE keep the expiry.

use super::call::{Answer, Call, Words};
use super::data::Bytes;
use super::effect::Cause;
use super::keyspace::Slot;
use super::number::{self, Decimal};
use super::refusal::Refusal;
use super::verb::Verb;
use crate::wire::Reply;

/// The condition of a SET.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Condition {
    Always,
    IfAbsent,
    IfPresent,
}

/// What happens to the expiry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expiry<'a> {
    /// It goes (SET) or stays (GETEX).
    Default,
    Keep,
    Persist,
    /// A number in seconds or milliseconds, from now or since the epoch.
    Given(&'a [u8], Unit, From),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Seconds,
    Millis,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    Now,
    Epoch,
}

struct Options<'a> {
    condition: Condition,
    expiry: Expiry<'a>,
    returns_old: bool,
}

/// Reads the options of SET or GETEX. The same option may come twice, contradicting ones may not.
fn options<'a>(words: Words<'a>, verb: Verb) -> Result<Options<'a>, Refusal> {
    let mut options = Options { condition: Condition::Always, expiry: Expiry::Default, returns_old: false };
    let is_set = verb == Verb::Set;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        let given = if is("EX") {
            Some((Unit::Seconds, From::Now))
        } else if is("PX") {
            Some((Unit::Millis, From::Now))
        } else if is("EXAT") {
            Some((Unit::Seconds, From::Epoch))
        } else if is("PXAT") {
            Some((Unit::Millis, From::Epoch))
        } else {
            None
        };
        if let Some((unit, from)) = given {
            let fits = match options.expiry {
                Expiry::Default => true,
                Expiry::Given(_, earlier, since) => (earlier, since) == (unit, from),
                Expiry::Keep | Expiry::Persist => false,
            };
            let Some(number) = rest.next().filter(|_| fits) else { return Err(Refusal::SYNTAX) };
            options.expiry = Expiry::Given(number, unit, from);
        } else if is("NX") && is_set && options.condition != Condition::IfPresent {
            options.condition = Condition::IfAbsent;
        } else if is("XX") && is_set && options.condition != Condition::IfAbsent {
            options.condition = Condition::IfPresent;
        } else if is("GET") && is_set {
            options.returns_old = true;
        } else if is("KEEPTTL") && is_set && matches!(options.expiry, Expiry::Default | Expiry::Keep) {
            options.expiry = Expiry::Keep;
        } else if is("PERSIST") && !is_set && matches!(options.expiry, Expiry::Default | Expiry::Persist) {
            options.expiry = Expiry::Persist;
        } else {
            return Err(Refusal::SYNTAX);
        }
    }
    Ok(options)
}

impl Call<'_> {
    pub(super) fn set(&mut self, words: Words<'_>) -> Answer {
        let (key, value) = (&words[1], &words[2]);
        let options = options(&words[3..], Verb::Set)?;
        let expires_at = match options.expiry {
            Expiry::Given(number, unit, from) => Some(self.instant(number, unit, from, "set")?),
            _ => None,
        };
        let old = if options.returns_old { Some(or_nil(self.text(key)?)) } else { None };
        let slot = self.locate(key);
        let stands_against = match options.condition {
            Condition::Always => false,
            Condition::IfAbsent => slot.taken().is_some(),
            Condition::IfPresent => slot.taken().is_none(),
        };
        if stands_against {
            return Ok(old.unwrap_or(Reply::Nil));
        }
        let expires_at = match (options.expiry, slot) {
            (Expiry::Keep, Slot::Taken(index)) => self.redis.keys.entry(index).expires_at,
            _ => expires_at,
        };
        self.set_text(slot, key, value.clone(), expires_at);
        Ok(old.unwrap_or_else(Reply::ok))
    }

    /// The instant in milliseconds that an expiry means; it must be positive and before the end of time.
    fn instant(&self, number: &[u8], unit: Unit, from: From, name: &str) -> Result<i64, Refusal> {
        let number = number::integer(number).ok_or(Refusal::NOT_INTEGER)?;
        let millis = match unit {
            Unit::Millis => Some(number),
            Unit::Seconds => number.checked_mul(1_000),
        };
        let instant = match from {
            From::Epoch => millis,
            From::Now => millis.and_then(|millis| millis.checked_add(self.now_ms)),
        };
        match instant {
            // A clock that was stepped back behind the epoch still counts from itself.
            Some(instant) if number > 0 && (instant > 0 || from == From::Now) => Ok(instant),
            _ => Err(Refusal::invalid_expiry(name)),
        }
    }

    pub(super) fn get(&mut self, words: Words<'_>) -> Answer {
        self.text(&words[1]).map(or_nil)
    }

    pub(super) fn setnx(&mut self, words: Words<'_>) -> Answer {
        let slot = self.locate(&words[1]);
        if slot.taken().is_some() {
            return Ok(Reply::Integer(0));
        }
        self.set_text(slot, &words[1], words[2].clone(), None);
        Ok(Reply::Integer(1))
    }

    pub(super) fn setex(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let (unit, name) = if verb == Verb::Setex { (Unit::Seconds, "setex") } else { (Unit::Millis, "psetex") };
        let expires_at = self.instant(&words[2], unit, From::Now, name)?;
        let slot = self.locate(&words[1]);
        self.set_text(slot, &words[1], words[3].clone(), Some(expires_at));
        Ok(Reply::ok())
    }

    pub(super) fn getset(&mut self, words: Words<'_>) -> Answer {
        let old = self.text(&words[1])?;
        let slot = self.locate(&words[1]);
        self.set_text(slot, &words[1], words[2].clone(), None);
        Ok(or_nil(old))
    }

    pub(super) fn getdel(&mut self, words: Words<'_>) -> Answer {
        let old = self.text(&words[1])?;
        if let Slot::Taken(index) = self.locate(&words[1]) {
            self.remove(index, Cause::Command);
        }
        Ok(or_nil(old))
    }

    pub(super) fn getex(&mut self, words: Words<'_>) -> Answer {
        let options = options(&words[2..], Verb::Getex)?;
        let Some(text) = self.text(&words[1])? else { return Ok(Reply::Nil) };
        let index = self.locate(&words[1]).taken().expect("the key was just read");
        match options.expiry {
            Expiry::Given(number, unit, from) => {
                let at = self.instant(number, unit, from, "getex")?;
                if from == From::Epoch && at <= self.now_ms {
                    self.remove(index, Cause::Command);
                } else {
                    self.set_expiry(index, Some(at));
                }
            }
            Expiry::Persist if self.redis.keys.entry(index).expires_at.is_some() => self.set_expiry(index, None),
            _ => {}
        }
        Ok(Reply::bulk(&*text))
    }

    pub(super) fn mget(&mut self, words: Words<'_>) -> Answer {
        let values = words[1..].iter().map(|key| self.text(key).map_or(Reply::Nil, or_nil));
        Ok(Reply::Array(values.collect()))
    }

    pub(super) fn mset(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let name = if verb == Verb::Mset { "mset" } else { "msetnx" };
        let pairs = words[1..].chunks_exact(2);
        if !pairs.remainder().is_empty() {
            return Err(Refusal::wrong_count(name));
        }
        if verb == Verb::Msetnx && pairs.clone().any(|pair| self.locate(&pair[0]).taken().is_some()) {
            return Ok(Reply::Integer(0));
        }
        for pair in pairs {
            let slot = self.locate(&pair[0]);
            self.set_text(slot, &pair[0], pair[1].clone(), None);
        }
        Ok(if verb == Verb::Mset { Reply::ok() } else { Reply::Integer(1) })
    }

    pub(super) fn strlen(&mut self, words: Words<'_>) -> Answer {
        Ok(Reply::Integer(self.text(&words[1])?.map_or(0, |text| text.len() as i64)))
    }

    pub(super) fn append(&mut self, words: Words<'_>) -> Answer {
        let mut text = self.text(&words[1])?.map_or_else(Vec::new, |text| text.to_vec());
        text.extend_from_slice(&words[2]);
        let length = text.len();
        self.replace_text(&words[1], text.into());
        Ok(Reply::Integer(length as i64))
    }

    pub(super) fn getrange(&mut self, words: Words<'_>) -> Answer {
        let start = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
        let end = number::integer(&words[3]).ok_or(Refusal::NOT_INTEGER)?;
        let Some(text) = self.text(&words[1])? else { return Ok(Reply::bulk("")) };
        let length = text.len() as i64;
        if start < 0 && end < 0 && start > end {
            return Ok(Reply::bulk(""));
        }
        let from_end = |index: i64| if index < 0 { (length.saturating_add(index)).max(0) } else { index };
        let (start, end) = (from_end(start), from_end(end).min(length - 1));
        if start > end || length == 0 {
            return Ok(Reply::bulk(""));
        }
        Ok(Reply::bulk(&text[start as usize..=end as usize]))
    }

    pub(super) fn setrange(&mut self, words: Words<'_>) -> Answer {
        const LONGEST: i64 = 512 * 1024 * 1024;
        let offset = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
        if offset < 0 {
            return Err("ERR offset is out of range".into());
        }
        let text = self.text(&words[1])?;
        let patch = &words[3];
        if patch.is_empty() {
            return Ok(Reply::Integer(text.map_or(0, |text| text.len() as i64)));
        }
        if offset.saturating_add(patch.len() as i64) > LONGEST {
            return Err("ERR string exceeds maximum allowed size (proto-max-bulk-len)".into());
        }
        let mut text = text.map_or_else(Vec::new, |text| text.to_vec());
        let (start, end) = (offset as usize, offset as usize + patch.len());
        if text.len() < end {
            text.resize(end, 0);
        }
        text[start..end].copy_from_slice(patch);
        let length = text.len();
        self.replace_text(&words[1], text.into());
        Ok(Reply::Integer(length as i64))
    }

    pub(super) fn incr(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let amount = match verb {
            Verb::Incr => 1,
            Verb::Decr => -1,
            _ => number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?,
        };
        let amount = match verb {
            Verb::Decrby => amount.checked_neg().ok_or("ERR decrement would overflow")?,
            _ => amount,
        };
        let value = match self.text(&words[1])? {
            None => 0,
            Some(text) => number::integer(&text).ok_or(Refusal::NOT_INTEGER)?,
        };
        let sum = value.checked_add(amount).ok_or(Refusal::OVERFLOW)?;
        self.replace_text(&words[1], sum.to_string().into());
        Ok(Reply::Integer(sum))
    }

    pub(super) fn incrbyfloat(&mut self, words: Words<'_>) -> Answer {
        let value = match self.text(&words[1])? {
            None => Decimal::parse(b"0"),
            Some(text) => Decimal::parse(&text),
        };
        let value = value.ok_or(Refusal::NOT_FLOAT)?;
        if number::is_infinite(&words[2]) {
            return Err("ERR increment would produce NaN or Infinity".into());
        }
        let amount = Decimal::parse(&words[2]).ok_or(Refusal::NOT_FLOAT)?;
        let sum = value.plus(amount).ok_or("ERR increment would produce NaN or Infinity")?;
        self.replace_text(&words[1], sum.to_string().into());
        Ok(Reply::bulk(sum.to_string()))
    }

    /// Sets a string and keeps the expiry.
    fn replace_text(&mut self, key: &Bytes, text: Bytes) {
        let slot = self.locate(key);
        let expires_at = slot.taken().and_then(|index| self.redis.keys.entry(index).expires_at);
        self.set_text(slot, key, text, expires_at);
    }
}

fn or_nil(text: Option<Bytes>) -> Reply {
    text.map_or(Reply::Nil, |text| Reply::bulk(&*text))
}
