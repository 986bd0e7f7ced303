//! Lists: the queues and signals of fair and blocking locks.

use std::collections::VecDeque;
use std::sync::Arc;

use super::call::{Answer, Call, Context, Words};
use super::data::{Bytes, Value};
use super::effect::Change;
use super::number;
use super::outcome::{Blocked, Delivery, Outcome};
use super::refusal::Refusal;
use super::verb::Verb;
use crate::time::Span;
use crate::wire::{ClientId, Reply};

type Items = Arc<VecDeque<Bytes>>;

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum End {
    Left,
    Right,
}

impl End {
    fn parse(word: &[u8]) -> Result<End, Refusal> {
        match word.to_ascii_uppercase().as_slice() {
            b"LEFT" => Ok(End::Left),
            b"RIGHT" => Ok(End::Right),
            _ => Err(Refusal::SYNTAX),
        }
    }

    fn take(self, items: &mut VecDeque<Bytes>) -> Option<Bytes> {
        match self {
            End::Left => items.pop_front(),
            End::Right => items.pop_back(),
        }
    }

    fn add(self, items: &mut VecDeque<Bytes>, item: Bytes) {
        match self {
            End::Left => items.push_front(item),
            End::Right => items.push_back(item),
        }
    }

    fn pop_name(self) -> &'static [u8] {
        match self {
            End::Left => b"LPOP",
            End::Right => b"RPOP",
        }
    }
}

/// A client that waits for an element of one of several lists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    pub(super) client: ClientId,
    keys: Vec<Bytes>,
    end: End,
}

/// The part of a list from `start` to `end`, both included and counted from the end if negative; empty if they do not overlap it.
pub(super) fn range(start: i64, end: i64, length: usize) -> std::ops::Range<usize> {
    let length = length as i64;
    let place = |index: i64| if index < 0 { index.saturating_add(length) } else { index };
    let (start, end) = (place(start).max(0), place(end).min(length - 1));
    if start > end { 0..0 } else { start as usize..end as usize + 1 }
}

impl Call<'_> {
    /// The list at a key, empty if the key is absent.
    fn list(&mut self, key: &[u8]) -> Result<Items, Refusal> {
        match self.entry(key).map(|entry| &entry.value) {
            None => Ok(Items::default()),
            Some(Value::List(items)) => Ok(items.clone()),
            Some(_) => Err(Refusal::WRONG_TYPE),
        }
    }

    fn keep_list(&mut self, key: &Bytes, items: Items, words: Words<'_>) {
        let slot = self.locate(key);
        self.keep(slot, key, Value::List(items), words);
    }

    pub(super) fn push(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let end = if matches!(verb, Verb::Lpush | Verb::Lpushx) { End::Left } else { End::Right };
        let mut items = self.list(&words[1])?;
        if items.is_empty() && matches!(verb, Verb::Lpushx | Verb::Rpushx) {
            return Ok(Reply::Integer(0));
        }
        for word in &words[2..] {
            end.add(Arc::make_mut(&mut items), word.clone());
        }
        let length = items.len();
        self.keep_list(&words[1], items, words);
        Ok(Reply::Integer(length as i64))
    }

    pub(super) fn pop(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let (end, name) = if verb == Verb::Lpop { (End::Left, "lpop") } else { (End::Right, "rpop") };
        let count = match words {
            [_, _] => None,
            [_, _, count] => Some(number::integer(count).filter(|count| *count >= 0).ok_or(Refusal::NOT_POSITIVE)?),
            _ => return Err(Refusal::wrong_count(name)),
        };
        let mut items = self.list(&words[1])?;
        if items.is_empty() {
            return Ok(if count.is_some() { Reply::NilArray } else { Reply::Nil });
        }
        let most = count.unwrap_or(1).min(items.len() as i64);
        if most == 0 {
            return Ok(Reply::Array(Vec::new()));
        }
        let list = Arc::make_mut(&mut items);
        let taken: Vec<Reply> = (0..most).filter_map(|_| end.take(list)).map(|item| Reply::bulk(&*item)).collect();
        self.keep_list(&words[1], items, words);
        Ok(match count {
            Some(_) => Reply::Array(taken),
            None => taken.into_iter().next().expect("the list was not empty"),
        })
    }

    pub(super) fn llen(&mut self, words: Words<'_>) -> Answer {
        Ok(Reply::Integer(self.list(&words[1])?.len() as i64))
    }

    pub(super) fn lindex(&mut self, words: Words<'_>) -> Answer {
        let items = self.list(&words[1])?;
        let index = number::integer(&words[2]);
        if items.is_empty() {
            return Ok(Reply::Nil);
        }
        let index = index.ok_or(Refusal::NOT_INTEGER)?;
        Ok(place(index, items.len()).map_or(Reply::Nil, |index| Reply::bulk(&*items[index])))
    }

    pub(super) fn lrange(&mut self, words: Words<'_>) -> Answer {
        let start = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
        let end = number::integer(&words[3]).ok_or(Refusal::NOT_INTEGER)?;
        let items = self.list(&words[1])?;
        let part = items.range(range(start, end, items.len()));
        Ok(Reply::Array(part.map(|item| Reply::bulk(&**item)).collect()))
    }

    pub(super) fn lrem(&mut self, words: Words<'_>) -> Answer {
        let count = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
        let mut items = self.list(&words[1])?;
        let most = if count == 0 { usize::MAX } else { count.unsigned_abs() as usize };
        let matching =
            items.iter().enumerate().filter(|(_, item)| item.as_slice() == &*words[3]).map(|(index, _)| index);
        let mut doomed: Vec<usize> =
            if count < 0 { matching.rev().take(most).collect() } else { matching.take(most).collect() };
        doomed.sort_unstable();
        if doomed.is_empty() {
            return Ok(Reply::Integer(0));
        }
        let list = Arc::make_mut(&mut items);
        for index in doomed.iter().rev() {
            list.remove(*index);
        }
        self.keep_list(&words[1], items, words);
        Ok(Reply::Integer(doomed.len() as i64))
    }

    pub(super) fn lset(&mut self, words: Words<'_>) -> Answer {
        let mut items = self.list(&words[1])?;
        if items.is_empty() {
            return Err(Refusal::NO_SUCH_KEY);
        }
        let index = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
        let index = place(index, items.len()).ok_or("ERR index out of range")?;
        Arc::make_mut(&mut items)[index] = words[3].clone();
        self.keep_list(&words[1], items, words);
        Ok(Reply::ok())
    }

    pub(super) fn ltrim(&mut self, words: Words<'_>) -> Answer {
        let start = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
        let end = number::integer(&words[3]).ok_or(Refusal::NOT_INTEGER)?;
        let items = self.list(&words[1])?;
        if !items.is_empty() {
            let part = items.range(range(start, end, items.len())).cloned().collect();
            self.keep_list(&words[1], Arc::new(part), words);
        }
        Ok(Reply::ok())
    }

    pub(super) fn lpos(&mut self, words: Words<'_>) -> Answer {
        if let Some(option) = words.get(3) {
            let is_known =
                [b"RANK".as_slice(), b"COUNT", b"MAXLEN"].iter().any(|name| option.eq_ignore_ascii_case(name));
            let is_complete = words.len() % 2 == 1;
            return Err(if is_known && is_complete {
                "ERR options of LPOS are not modelled".into()
            } else {
                Refusal::SYNTAX
            });
        }
        let items = self.list(&words[1])?;
        let index = items.iter().position(|item| item.as_slice() == &*words[2]);
        Ok(index.map_or(Reply::Nil, |index| Reply::Integer(index as i64)))
    }

    pub(super) fn linsert(&mut self, words: Words<'_>) -> Answer {
        let after = match words[2].to_ascii_uppercase().as_slice() {
            b"BEFORE" => 0,
            b"AFTER" => 1,
            _ => return Err(Refusal::SYNTAX),
        };
        let mut items = self.list(&words[1])?;
        if items.is_empty() {
            return Ok(Reply::Integer(0));
        }
        let Some(index) = items.iter().position(|item| item.as_slice() == &*words[3]) else {
            return Ok(Reply::Integer(-1));
        };
        Arc::make_mut(&mut items).insert(index + after, words[4].clone());
        let length = items.len();
        self.keep_list(&words[1], items, words);
        Ok(Reply::Integer(length as i64))
    }

    pub(super) fn lmove(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let (from, to) = match verb {
            Verb::Rpoplpush => (End::Right, End::Left),
            _ => (End::parse(&words[3])?, End::parse(&words[4])?),
        };
        let (source, target) = (&words[1], &words[2]);
        let mut items = self.list(source)?;
        if items.is_empty() {
            return Ok(Reply::Nil);
        }
        let same = source == target;
        let mut others = if same { Items::default() } else { self.list(target)? };
        let item = from.take(Arc::make_mut(&mut items)).expect("the list is not empty");
        if same {
            to.add(Arc::make_mut(&mut items), item.clone());
        } else {
            to.add(Arc::make_mut(&mut others), item.clone());
            self.keep_list(target, others, words);
        }
        self.keep_list(source, items, words);
        Ok(Reply::bulk(&*item))
    }

    /// Takes from the first list that has something, or makes the client wait. Operators, transactions and scripts never wait.
    pub(super) fn blocking_pop(&mut self, verb: Verb, words: Words<'_>) -> Result<Outcome, Refusal> {
        let end = if verb == Verb::Blpop { End::Left } else { End::Right };
        let (timeout, keys) = words[1..].split_last().expect("the arity was checked");
        let timeout = blocking_timeout(timeout)?;
        for key in keys {
            if let Some(item) = self.take_one(key, end)? {
                return Ok(Outcome::Reply(popped(key, &item)));
            }
        }
        match self.caller {
            Some(client) if self.context == Context::Direct => {
                let keys = keys.to_vec();
                self.redis.waiting.push(Waiting { client, keys, end });
                Ok(Outcome::Blocked(Blocked::List { timeout }))
            }
            _ => Ok(Outcome::Reply(Reply::NilArray)),
        }
    }

    fn take_one(&mut self, key: &Bytes, end: End) -> Result<Option<Bytes>, Refusal> {
        let mut items = self.list(key)?;
        if items.is_empty() {
            return Ok(None);
        }
        let item = end.take(Arc::make_mut(&mut items));
        self.keep_list(key, items, &[end.pop_name().into(), key.clone()]);
        Ok(item)
    }

    /// After a command: whoever waited longest for a list that now has elements gets one.
    pub(super) fn serve_waiting(&mut self) {
        let pushed: Vec<Bytes> = self.effects.iter().filter_map(|effect| created_list(&effect.change)).collect();
        for key in pushed {
            while let Some(index) = self.redis.waiting.iter().position(|waiting| waiting.keys.contains(&key)) {
                let Waiting { client, end, .. } = self.redis.waiting[index];
                let Ok(Some(item)) = self.take_one(&key, end) else { break };
                self.redis.waiting.remove(index);
                self.deliveries.push((client, Delivery::Answer(popped(&key, &item))));
            }
        }
    }
}

fn created_list(change: &Change) -> Option<Bytes> {
    match change {
        Change::Edit { key, value: Some(Value::List(_)), .. } => Some(key.clone()),
        _ => None,
    }
}

fn popped(key: &[u8], item: &[u8]) -> Reply {
    Reply::Array(vec![Reply::bulk(key), Reply::bulk(item)])
}

fn place(index: i64, length: usize) -> Option<usize> {
    let place = if index < 0 { index.checked_add(length as i64)? } else { index };
    usize::try_from(place).ok().filter(|place| *place < length)
}

/// Seconds with a fraction; 0 means for ever.
fn blocking_timeout(word: &[u8]) -> Result<Option<Span>, Refusal> {
    let seconds = number::double(word).ok_or("ERR timeout is not a float or out of range")?;
    if seconds < 0.0 {
        return Err("ERR timeout is negative".into());
    }
    let millis = (seconds * 1_000.0).ceil();
    if millis > i64::MAX as f64 {
        return Err("ERR timeout is out of range".into());
    }
    Ok((millis > 0.0).then(|| Span(millis as u64 * 1_000)))
}
