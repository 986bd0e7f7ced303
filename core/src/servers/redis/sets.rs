//! Sets.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::call::{Answer, Call, Words};
use super::data::{Bytes, Value};
use super::number;
use super::refusal::Refusal;
use super::verb::Verb;
use crate::wire::Reply;

type Members = Arc<BTreeSet<Bytes>>;

impl Call<'_> {
    /// The set at a key, empty if the key is absent.
    fn members(&mut self, key: &[u8]) -> Result<Members, Refusal> {
        match self.entry(key).map(|entry| &entry.value) {
            None => Ok(Members::default()),
            Some(Value::Set(members)) => Ok(members.clone()),
            Some(_) => Err(Refusal::WRONG_TYPE),
        }
    }

    fn keep_set(&mut self, members: Members, words: Words<'_>) {
        let slot = self.locate(&words[1]);
        self.keep(slot, &words[1], Value::Set(members), words);
    }

    pub(super) fn sadd(&mut self, words: Words<'_>) -> Answer {
        let mut members = self.members(&words[1])?;
        let before = members.len();
        Arc::make_mut(&mut members).extend(words[2..].iter().cloned());
        let added = members.len() - before;
        if added > 0 {
            self.keep_set(members, words);
        }
        Ok(Reply::Integer(added as i64))
    }

    pub(super) fn srem(&mut self, words: Words<'_>) -> Answer {
        let mut members = self.members(&words[1])?;
        let before = members.len();
        Arc::make_mut(&mut members).retain(|member| !words[2..].iter().any(|word| member.as_slice() == &**word));
        let removed = before - members.len();
        if removed > 0 {
            self.keep_set(members, words);
        }
        Ok(Reply::Integer(removed as i64))
    }

    pub(super) fn scard(&mut self, words: Words<'_>) -> Answer {
        Ok(Reply::Integer(self.members(&words[1])?.len() as i64))
    }

    pub(super) fn sismember(&mut self, words: Words<'_>) -> Answer {
        Ok(Reply::Integer(self.members(&words[1])?.contains(&*words[2]).into()))
    }

    pub(super) fn smismember(&mut self, words: Words<'_>) -> Answer {
        let members = self.members(&words[1])?;
        Ok(Reply::Array(words[2..].iter().map(|word| Reply::Integer(members.contains(&**word).into())).collect()))
    }

    pub(super) fn smembers(&mut self, words: Words<'_>) -> Answer {
        let members = self.members(&words[1])?;
        Ok(Reply::Array(in_order(&members).into_iter().map(|member| Reply::bulk(&**member)).collect()))
    }

    /// Takes or shows members; Redis picks them at random, the model in order.
    pub(super) fn spop(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let pops = verb == Verb::Spop;
        let count = match words {
            [_, _] => None,
            [_, _, count] => Some(number::integer(count).ok_or(Refusal::NOT_INTEGER)?),
            _ => return Err(Refusal::SYNTAX),
        };
        if pops && count.is_some_and(|count| count < 0) {
            return Err(Refusal::NOT_POSITIVE);
        }
        let mut members = self.members(&words[1])?;
        let ordered: Vec<Bytes> = in_order(&members).into_iter().cloned().collect();
        let wanted = count.unwrap_or(1);
        let picked: Vec<Bytes> = match usize::try_from(wanted) {
            Ok(most) => ordered.into_iter().take(most).collect(),
            // A negative count asks for that many, with repetitions.
            Err(_) if ordered.is_empty() => Vec::new(),
            Err(_) if wanted < -1_000_000 => return Err("ERR value is out of range".into()),
            Err(_) => ordered.iter().cycle().take(wanted.unsigned_abs() as usize).cloned().collect(),
        };
        if pops && !picked.is_empty() {
            Arc::make_mut(&mut members).retain(|member| !picked.contains(member));
            let mut command: Vec<Bytes> = vec!["SREM".into(), words[1].clone()];
            command.extend(picked.iter().cloned());
            self.keep_set(members, &command);
        }
        Ok(match count {
            Some(_) => Reply::Array(picked.iter().map(|member| Reply::bulk(&**member)).collect()),
            None => picked.first().map_or(Reply::Nil, |member| Reply::bulk(&**member)),
        })
    }
}

/// Integers in their order if all are integers (Redis' intset), else in the order of bytes.
fn in_order(members: &BTreeSet<Bytes>) -> Vec<&Bytes> {
    let mut ordered: Vec<&Bytes> = members.iter().collect();
    if members.iter().all(|member| number::integer(member).is_some()) {
        ordered.sort_by_key(|member| number::integer(member));
    }
    ordered
}
