//! Keys of any type: DEL, EXISTS, RENAME, COPY, KEYS, OBJECT, FLUSHALL.

use super::call::{Answer, Call, Words};
use super::data::{Bytes, Value};
use super::effect::{Cause, Change};
use super::keyspace::{Keyspace, Slot};
use super::number;
use super::refusal::Refusal;
use super::verb::Verb;
use crate::wire::Reply;

impl Call<'_> {
    pub(super) fn del(&mut self, words: Words<'_>) -> Answer {
        let mut deleted = 0;
        for key in &words[1..] {
            if let Slot::Taken(index) = self.locate(key) {
                self.remove(index, Cause::Command);
                deleted += 1;
            }
        }
        Ok(Reply::Integer(deleted))
    }

    pub(super) fn exists(&mut self, words: Words<'_>) -> Answer {
        let present = words[1..].iter().filter(|key| self.locate(key).taken().is_some());
        Ok(Reply::Integer(present.count() as i64))
    }

    pub(super) fn type_of(&mut self, words: Words<'_>) -> Answer {
        let name = self.entry(&words[1]).map_or("none", |entry| entry.value.type_name());
        Ok(Reply::Status(name.into()))
    }

    pub(super) fn keys(&mut self, words: Words<'_>) -> Answer {
        let keys = self.present_keys();
        let matching = keys.into_iter().filter(|key| glob(&words[1], key));
        Ok(Reply::Array(matching.map(|key| Reply::bulk(&*key)).collect()))
    }

    pub(super) fn randomkey(&mut self) -> Answer {
        Ok(self.present_keys().first().map_or(Reply::Nil, |key| Reply::bulk(&**key)))
    }

    /// The keys that are not past their expiry; a master deletes those that are.
    fn present_keys(&mut self) -> Vec<Bytes> {
        let all: Vec<Bytes> = self.redis.keys.iter().map(|(key, _)| key.clone()).collect();
        all.into_iter().filter(|key| self.locate(key).taken().is_some()).collect()
    }

    /// The new name gets value and expiry of the old one; what it held before is gone.
    pub(super) fn rename(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let Some(index) = self.locate(&words[1]).taken() else { return Err(Refusal::NO_SUCH_KEY) };
        let only_if_free = verb == Verb::Renamenx;
        if words[1] == words[2] {
            return Ok(if only_if_free { Reply::Integer(0) } else { Reply::ok() });
        }
        let entry = self.redis.keys.entry(index).clone();
        if let Slot::Taken(target) = self.locate(&words[2]) {
            if only_if_free {
                return Ok(Reply::Integer(0));
            }
            self.remove(target, Cause::Command);
        }
        let index = self.locate(&words[1]).taken().expect("the key was just read");
        self.remove(index, Cause::Command);
        self.put(&words[2], entry.value, entry.expires_at, words);
        Ok(if only_if_free { Reply::Integer(1) } else { Reply::ok() })
    }

    pub(super) fn copy(&mut self, words: Words<'_>) -> Answer {
        let mut replace = false;
        let mut rest = words[3..].iter();
        while let Some(word) = rest.next() {
            if word.eq_ignore_ascii_case(b"REPLACE") {
                replace = true;
            } else if word.eq_ignore_ascii_case(b"DB") && rest.len() > 0 {
                let database = rest.next().and_then(|word| number::integer(word)).ok_or(Refusal::NOT_INTEGER)?;
                if database != 0 {
                    return Err("ERR DB index is out of range".into());
                }
            } else {
                return Err(Refusal::SYNTAX);
            }
        }
        if words[1] == words[2] {
            return Err("ERR source and destination objects are the same".into());
        }
        let Some(entry) = self.entry(&words[1]).cloned() else { return Ok(Reply::Integer(0)) };
        if let Slot::Taken(target) = self.locate(&words[2]) {
            if !replace {
                return Ok(Reply::Integer(0));
            }
            self.remove(target, Cause::Command);
        }
        self.put(&words[2], entry.value, entry.expires_at, words);
        Ok(Reply::Integer(1))
    }

    /// Creates an absent key with a value of any type.
    fn put(&mut self, key: &Bytes, value: Value, expires_at: Option<i64>, words: Words<'_>) {
        let slot = self.locate(key);
        match value {
            Value::Text(text) => self.set_text(slot, key, text, expires_at),
            value => {
                self.keep(slot, key, value, words);
                if let (Some(at), Some(index)) = (expires_at, self.redis.keys.find(key).taken()) {
                    self.set_expiry(index, Some(at));
                }
            }
        }
    }

    pub(super) fn object(&mut self, words: Words<'_>) -> Answer {
        match words[1].to_ascii_uppercase().as_slice() {
            b"ENCODING" => Ok(self.entry(&words[2]).map_or(Reply::Nil, |entry| Reply::bulk(encoding(&entry.value)))),
            b"REFCOUNT" => Ok(self.entry(&words[2]).map_or(Reply::Nil, |_| Reply::Integer(1))),
            b"IDLETIME" => Ok(self.entry(&words[2]).map_or(Reply::Nil, |_| Reply::Integer(0))),
            b"FREQ" if self.entry(&words[2]).is_none() => Ok(Reply::Nil),
            b"FREQ" => Err("ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching \
                            between policies at runtime LRU and LFU data will take some time to adjust."
                .into()),
            _ => Err("ERR OBJECT HELP is not modelled".into()),
        }
    }

    pub(super) fn flush(&mut self, words: Words<'_>) -> Answer {
        match words.get(1).map(|word| word.to_ascii_uppercase()).as_deref() {
            None | Some(b"ASYNC" | b"SYNC") if words.len() <= 2 => {}
            _ => return Err(Refusal::SYNTAX),
        }
        self.redis.keys = Keyspace::default();
        self.record(Change::Flush);
        Ok(Reply::ok())
    }
}

/// How Redis 7.0 stores a value; small collections only.
fn encoding(value: &Value) -> &'static str {
    match value {
        Value::Text(text) if number::integer(text).is_some() => "int",
        Value::Text(text) if text.len() <= 44 => "embstr",
        Value::Text(_) => "raw",
        Value::Hash(_) | Value::Sorted(_) => "listpack",
        Value::List(_) => "quicklist",
        Value::Set(members) if members.iter().all(|member| number::integer(member).is_some()) => "intset",
        Value::Set(_) => "hashtable",
    }
}

/// Whether a glob pattern matches: `*`, `?`, `[a-z]`, `[^a]`, and a backslash before a literal character.
pub(super) fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', rest @ ..] => (0..=text.len()).any(|skipped| glob(rest, &text[skipped..])),
        [b'?', rest @ ..] => !text.is_empty() && glob(rest, &text[1..]),
        [b'[', rest @ ..] => {
            let Some((&first, others)) = text.split_first() else { return false };
            let (matches, rest) = class(rest, first);
            matches && glob(rest, others)
        }
        [b'\\', literal, rest @ ..] | [literal, rest @ ..] => {
            text.split_first().is_some_and(|(first, others)| first == literal && glob(rest, others))
        }
    }
}

/// Whether a character class matches, and the pattern after it. An unclosed class ends with the pattern.
fn class(pattern: &[u8], byte: u8) -> (bool, &[u8]) {
    let (negated, mut rest) = match pattern {
        [b'^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut matches = false;
    loop {
        match rest {
            [] => return (matches != negated, rest),
            [b']', after @ ..] => return (matches != negated, after),
            [b'\\', literal, after @ ..] => {
                matches |= *literal == byte;
                rest = after;
            }
            [low, b'-', high, after @ ..] => {
                matches |= (*low.min(high)..=*low.max(high)).contains(&byte);
                rest = after;
            }
            [literal, after @ ..] => {
                matches |= *literal == byte;
                rest = after;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn globs_match_as_in_redis() {
        for (pattern, text, matches) in [
            ("*", "", true),
            ("lock:*", "lock:a", true),
            ("lock:*", "lok:a", false),
            ("l?ck", "lock", true),
            ("l[oa]ck", "lack", true),
            ("l[^o]ck", "lock", false),
            ("l[a-c]ck", "lbck", true),
            (r"a\*", "a*", true),
            (r"a\*", "ab", false),
        ] {
            assert_eq!(glob(pattern.as_bytes(), text.as_bytes()), matches, "{pattern} {text}");
        }
    }
}
