//! Hashes: the fields of reentrant locks.

use std::sync::Arc;

use super::call::{Answer, Call, Words};
use super::data::{Bytes, Value};
use super::number::{self, Decimal};
use super::refusal::Refusal;
use super::verb::Verb;
use crate::wire::Reply;

type Fields = Arc<Vec<(Bytes, Bytes)>>;

/// The value of a field.
fn value_of<'a>(fields: &'a Fields, field: &[u8]) -> Option<&'a Bytes> {
    fields.iter().find(|(name, _)| name.as_slice() == field).map(|(_, value)| value)
}

/// Sets a field and tells whether it is new.
fn put(fields: &mut Fields, field: &[u8], value: Bytes) -> bool {
    let fields = Arc::make_mut(fields);
    match fields.iter_mut().find(|(name, _)| name.as_slice() == field) {
        Some((_, old)) => {
            *old = value;
            false
        }
        None => {
            fields.push((field.into(), value));
            true
        }
    }
}

impl Call<'_> {
    /// The hash at a key, empty if the key is absent.
    fn hash(&mut self, key: &[u8]) -> Result<Fields, Refusal> {
        match self.entry(key).map(|entry| &entry.value) {
            None => Ok(Fields::default()),
            Some(Value::Hash(fields)) => Ok(fields.clone()),
            Some(_) => Err(Refusal::WRONG_TYPE),
        }
    }

    fn keep_hash(&mut self, fields: Fields, words: Words<'_>) {
        let slot = self.locate(&words[1]);
        self.keep(slot, &words[1], Value::Hash(fields), words);
    }

    pub(super) fn hset(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let pairs = words[2..].chunks_exact(2);
        if !pairs.remainder().is_empty() {
            return Err(Refusal::wrong_count(if verb == Verb::Hset { "hset" } else { "hmset" }));
        }
        let mut fields = self.hash(&words[1])?;
        let created = pairs.filter(|pair| put(&mut fields, &pair[0], pair[1].clone())).count();
        self.keep_hash(fields, words);
        Ok(if verb == Verb::Hset { Reply::Integer(created as i64) } else { Reply::ok() })
    }

    pub(super) fn hsetnx(&mut self, words: Words<'_>) -> Answer {
        let mut fields = self.hash(&words[1])?;
        if value_of(&fields, &words[2]).is_some() {
            return Ok(Reply::Integer(0));
        }
        put(&mut fields, &words[2], words[3].clone());
        self.keep_hash(fields, words);
        Ok(Reply::Integer(1))
    }

    pub(super) fn hget(&mut self, words: Words<'_>) -> Answer {
        let fields = self.hash(&words[1])?;
        Ok(value_of(&fields, &words[2]).map_or(Reply::Nil, |value| Reply::bulk(&**value)))
    }

    pub(super) fn hmget(&mut self, words: Words<'_>) -> Answer {
        let fields = self.hash(&words[1])?;
        let values = words[2..].iter().map(|field| value_of(&fields, field));
        Ok(Reply::Array(values.map(|value| value.map_or(Reply::Nil, |value| Reply::bulk(&**value))).collect()))
    }

    pub(super) fn hgetall(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let fields = self.hash(&words[1])?;
        let (names, values) = match verb {
            Verb::Hkeys => (true, false),
            Verb::Hvals => (false, true),
            _ => (true, true),
        };
        let items = fields.iter().flat_map(|(name, value)| [names.then_some(name), values.then_some(value)]);
        Ok(Reply::Array(items.flatten().map(|item| Reply::bulk(&**item)).collect()))
    }

    /// All fields in one step, as Redis does for a small hash.
    pub(super) fn hscan(&mut self, words: Words<'_>) -> Answer {
        let cursor = std::str::from_utf8(&words[2]).ok().and_then(|cursor| cursor.parse::<u64>().ok());
        if cursor.is_none() {
            return Err("ERR invalid cursor".into());
        }
        if words.len() > 3 {
            return Err("ERR options of HSCAN are not modelled".into());
        }
        let all = self.hgetall(Verb::Hgetall, words)?;
        Ok(Reply::Array(vec![Reply::bulk("0"), all]))
    }

    pub(super) fn hlen(&mut self, words: Words<'_>) -> Answer {
        Ok(Reply::Integer(self.hash(&words[1])?.len() as i64))
    }

    pub(super) fn hexists(&mut self, words: Words<'_>) -> Answer {
        let fields = self.hash(&words[1])?;
        Ok(Reply::Integer(value_of(&fields, &words[2]).is_some().into()))
    }

    pub(super) fn hstrlen(&mut self, words: Words<'_>) -> Answer {
        let fields = self.hash(&words[1])?;
        Ok(Reply::Integer(value_of(&fields, &words[2]).map_or(0, |value| value.len() as i64)))
    }

    pub(super) fn hdel(&mut self, words: Words<'_>) -> Answer {
        let mut fields = self.hash(&words[1])?;
        let before = fields.len();
        for field in &words[2..] {
            if let Some(index) = fields.iter().position(|(name, _)| name.as_slice() == &**field) {
                Arc::make_mut(&mut fields).remove(index);
            }
        }
        let deleted = before - fields.len();
        if deleted > 0 {
            self.keep_hash(fields, words);
        }
        Ok(Reply::Integer(deleted as i64))
    }

    pub(super) fn hincrby(&mut self, words: Words<'_>) -> Answer {
        let amount = number::integer(&words[3]).ok_or(Refusal::NOT_INTEGER)?;
        let mut fields = self.hash(&words[1])?;
        let value = match value_of(&fields, &words[2]) {
            None => 0,
            Some(value) => number::integer(value).ok_or("ERR hash value is not an integer")?,
        };
        let sum = value.checked_add(amount).ok_or(Refusal::OVERFLOW)?;
        put(&mut fields, &words[2], sum.to_string().into());
        self.keep_hash(fields, words);
        Ok(Reply::Integer(sum))
    }

    pub(super) fn hincrbyfloat(&mut self, words: Words<'_>) -> Answer {
        if number::is_infinite(&words[3]) {
            return Err("ERR value is NaN or Infinity".into());
        }
        let amount = Decimal::parse(&words[3]).ok_or(Refusal::NOT_FLOAT)?;
        let mut fields = self.hash(&words[1])?;
        let value = match value_of(&fields, &words[2]) {
            None => Decimal::parse(b"0"),
            Some(value) => Decimal::parse(value),
        };
        let sum = value
            .ok_or("ERR hash value is not a float")?
            .plus(amount)
            .ok_or("ERR increment would produce NaN or Infinity")?;
        put(&mut fields, &words[2], sum.to_string().into());
        self.keep_hash(fields, words);
        Ok(Reply::bulk(sum.to_string()))
    }
}
