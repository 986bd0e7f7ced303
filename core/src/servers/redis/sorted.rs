//! Sorted sets: the waiting lists and deadlines of fair locks and semaphores.

use std::cmp::Ordering;
use std::sync::Arc;

use super::call::{Answer, Call, Words};
use super::data::{Bytes, Score, Value};
use super::lists::range;
use super::number;
use super::refusal::Refusal;
use super::verb::Verb;
use crate::wire::Reply;

type Members = Arc<Vec<(Score, Bytes)>>;

fn order(a: &(Score, Bytes), b: &(Score, Bytes)) -> Ordering {
    let scores = a.0.value().partial_cmp(&b.0.value()).expect("a score is a number");
    scores.then_with(|| a.1.cmp(&b.1))
}

fn score_of(members: &Members, member: &[u8]) -> Option<Score> {
    members.iter().find(|(_, name)| name.as_slice() == member).map(|(score, _)| *score)
}

fn put(members: &mut Members, member: &[u8], score: Score) {
    let members = Arc::make_mut(members);
    let old = members.iter().position(|(_, name)| name.as_slice() == member);
    let name = old.map_or_else(|| Bytes::from(member), |index| members.remove(index).1);
    let item = (score, name);
    let index = members.partition_point(|other| order(other, &item) == Ordering::Less);
    members.insert(index, item);
}

/// One bound of a range of scores.
struct Bound {
    score: f64,
    is_open: bool,
}

impl Bound {
    fn parse(word: &[u8]) -> Result<Bound, Refusal> {
        let (is_open, number) = match word {
            [b'(', number @ ..] => (true, number),
            number => (false, number),
        };
        // C's `strtod` skips blanks and reads nothing as 0.
        let number = number.trim_ascii_start();
        let score = if number.is_empty() { Some(0.0) } else { number::double(number) };
        let score = score.ok_or("ERR min or max is not a float")?;
        Ok(Bound { score, is_open })
    }
}

/// The index range of the scores between two bounds.
fn between(members: &Members, low: &Bound, high: &Bound) -> std::ops::Range<usize> {
    let below = |score: f64| score < low.score || (low.is_open && score == low.score);
    let within = |score: f64| score < high.score || (!high.is_open && score == high.score);
    let start = members.partition_point(|(score, _)| below(score.value()));
    let end = members.partition_point(|(score, _)| within(score.value()));
    start..end.max(start)
}

/// What ZADD was asked for beside the scores.
#[derive(Default)]
struct Options {
    only_new: bool,
    only_old: bool,
    only_greater: bool,
    only_less: bool,
    counts_changes: bool,
    adds: bool,
}

impl Options {
    /// Reads the leading options and returns the rest.
    fn parse<'a>(words: Words<'a>) -> (Options, Words<'a>) {
        let mut options = Options::default();
        for (index, word) in words.iter().enumerate() {
            match word.to_ascii_uppercase().as_slice() {
                b"NX" => options.only_new = true,
                b"XX" => options.only_old = true,
                b"GT" => options.only_greater = true,
                b"LT" => options.only_less = true,
                b"CH" => options.counts_changes = true,
                b"INCR" => options.adds = true,
                _ => return (options, &words[index..]),
            }
        }
        (options, &[])
    }

    fn check(&self, pairs: usize) -> Result<(), Refusal> {
        if self.only_new && self.only_old {
            return Err("ERR XX and NX options at the same time are not compatible".into());
        }
        if self.only_new && (self.only_greater || self.only_less) || self.only_greater && self.only_less {
            return Err("ERR GT, LT, and/or NX options at the same time are not compatible".into());
        }
        if self.adds && pairs > 1 {
            return Err("ERR INCR option supports a single increment-element pair".into());
        }
        Ok(())
    }

    /// The score that the member gets; `None`: it stays as it is, because an option forbids the change.
    fn decide(&self, old: Option<Score>, given: f64) -> Result<Option<Score>, Refusal> {
        let Some(old) = old.map(Score::value) else {
            return Ok(if self.only_old { None } else { Score::new(given) });
        };
        if self.only_new {
            return Ok(None);
        }
        let new = if self.adds { old + given } else { given };
        let Some(score) = Score::new(new) else { return Err("ERR resulting score is not a number (NaN)".into()) };
        let is_barred = self.only_greater && new <= old || self.only_less && new >= old;
        Ok(if is_barred { None } else { Some(score) })
    }
}

impl Call<'_> {
    /// The sorted set at a key, empty if the key is absent.
    fn sorted(&mut self, key: &[u8]) -> Result<Members, Refusal> {
        match self.entry(key).map(|entry| &entry.value) {
            None => Ok(Members::default()),
            Some(Value::Sorted(members)) => Ok(members.clone()),
            Some(_) => Err(Refusal::WRONG_TYPE),
        }
    }

    fn keep_sorted(&mut self, members: Members, words: Words<'_>) {
        let slot = self.locate(&words[1]);
        self.keep(slot, &words[1], Value::Sorted(members), words);
    }

    pub(super) fn zadd(&mut self, words: Words<'_>) -> Answer {
        let (options, pairs) = Options::parse(&words[2..]);
        if pairs.is_empty() || pairs.len() % 2 == 1 {
            return Err(Refusal::SYNTAX);
        }
        options.check(pairs.len() / 2)?;
        self.add_scores(options, pairs, words)
    }

    pub(super) fn zincrby(&mut self, words: Words<'_>) -> Answer {
        self.add_scores(Options { adds: true, ..Options::default() }, &words[2..], words)
    }

    fn add_scores(&mut self, options: Options, pairs: Words<'_>, words: Words<'_>) -> Answer {
        let scores = pairs.chunks_exact(2).map(|pair| number::double(&pair[0]).ok_or(Refusal::NOT_FLOAT));
        let scores: Vec<f64> = scores.collect::<Result<_, _>>()?;
        let mut members = self.sorted(&words[1])?;
        let (mut added, mut updated, mut latest) = (0, 0, None);
        let mut failure = None;
        for (given, pair) in scores.into_iter().zip(pairs.chunks_exact(2)) {
            let old = score_of(&members, &pair[1]);
            let score = match options.decide(old, given) {
                Ok(score) => score,
                Err(refusal) => {
                    failure = Some(refusal);
                    break;
                }
            };
            latest = score;
            let Some(score) = score else { continue };
            if old.is_none_or(|old| old.value() != score.value()) {
                put(&mut members, &pair[1], score);
                *(if old.is_some() { &mut updated } else { &mut added }) += 1;
            }
        }
        if added + updated > 0 {
            self.keep_sorted(members, words);
        }
        if let Some(refusal) = failure {
            return Err(refusal);
        }
        Ok(match options.adds {
            true => latest.map_or(Reply::Nil, |score| Reply::bulk(score.to_string())),
            false => Reply::Integer(added + if options.counts_changes { updated } else { 0 }),
        })
    }

    pub(super) fn zrem(&mut self, words: Words<'_>) -> Answer {
        let mut members = self.sorted(&words[1])?;
        let before = members.len();
        Arc::make_mut(&mut members).retain(|(_, name)| !words[2..].iter().any(|word| name.as_slice() == &**word));
        let removed = before - members.len();
        if removed > 0 {
            self.keep_sorted(members, words);
        }
        Ok(Reply::Integer(removed as i64))
    }

    pub(super) fn zcard(&mut self, words: Words<'_>) -> Answer {
        Ok(Reply::Integer(self.sorted(&words[1])?.len() as i64))
    }

    pub(super) fn zscore(&mut self, words: Words<'_>) -> Answer {
        let members = self.sorted(&words[1])?;
        Ok(score_of(&members, &words[2]).map_or(Reply::Nil, |score| Reply::bulk(score.to_string())))
    }

    pub(super) fn zrank(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let members = self.sorted(&words[1])?;
        let rank = members.iter().position(|(_, name)| name.as_slice() == &*words[2]);
        Ok(rank.map_or(Reply::Nil, |rank| {
            let rank = if verb == Verb::Zrank { rank } else { members.len() - 1 - rank };
            Reply::Integer(rank as i64)
        }))
    }

    pub(super) fn zcount(&mut self, words: Words<'_>) -> Answer {
        let (low, high) = (Bound::parse(&words[2])?, Bound::parse(&words[3])?);
        let members = self.sorted(&words[1])?;
        Ok(Reply::Integer(between(&members, &low, &high).len() as i64))
    }

    pub(super) fn zrange(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let mut by_score = matches!(verb, Verb::Zrangebyscore | Verb::Zrevrangebyscore);
        let mut reversed = matches!(verb, Verb::Zrevrange | Verb::Zrevrangebyscore);
        let (mut with_scores, mut limit) = (false, None);
        let mut rest = words[4..].iter();
        while let Some(word) = rest.next() {
            match word.to_ascii_uppercase().as_slice() {
                b"WITHSCORES" => with_scores = true,
                b"LIMIT" if rest.len() >= 2 => {
                    let mut next = || rest.next().and_then(|word| number::integer(word)).ok_or(Refusal::NOT_INTEGER);
                    limit = Some((next()?, next()?));
                }
                b"REV" if verb == Verb::Zrange => reversed = true,
                b"BYSCORE" if verb == Verb::Zrange => by_score = true,
                b"BYLEX" if verb == Verb::Zrange => return Err("ERR BYLEX is not modelled".into()),
                _ => return Err(Refusal::SYNTAX),
            }
        }
        if limit.is_some_and(|limit| limit != (0, -1)) && !by_score {
            return Err("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX".into());
        }
        let mut picked: Vec<(Score, Bytes)> = if by_score {
            let (low, high) = if reversed { (&words[3], &words[2]) } else { (&words[2], &words[3]) };
            let (low, high) = (Bound::parse(low)?, Bound::parse(high)?);
            let members = self.sorted(&words[1])?;
            members[between(&members, &low, &high)].to_vec()
        } else {
            let start = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
            let end = number::integer(&words[3]).ok_or(Refusal::NOT_INTEGER)?;
            let members = self.sorted(&words[1])?;
            let part = range(start, end, members.len());
            let part = if reversed { members.len() - part.end..members.len() - part.start } else { part };
            // An empty part has no mirror image.
            if range(start, end, members.len()).is_empty() { Vec::new() } else { members[part].to_vec() }
        };
        if reversed {
            picked.reverse();
        }
        let (offset, count) = limit.unwrap_or((0, -1));
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let most = usize::try_from(count).unwrap_or(usize::MAX);
        Ok(flat(picked.into_iter().skip(skipped).take(most), with_scores))
    }

    pub(super) fn zremrange(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let members;
        let doomed = if verb == Verb::Zremrangebyrank {
            let start = number::integer(&words[2]).ok_or(Refusal::NOT_INTEGER)?;
            let end = number::integer(&words[3]).ok_or(Refusal::NOT_INTEGER)?;
            members = self.sorted(&words[1])?;
            range(start, end, members.len())
        } else {
            let (low, high) = (Bound::parse(&words[2])?, Bound::parse(&words[3])?);
            members = self.sorted(&words[1])?;
            between(&members, &low, &high)
        };
        let removed = doomed.len();
        if removed > 0 {
            let mut members = members;
            Arc::make_mut(&mut members).drain(doomed);
            self.keep_sorted(members, words);
        }
        Ok(Reply::Integer(removed as i64))
    }

    pub(super) fn zpop(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let count = match words {
            [_, _] => 1,
            [_, _, count] => number::integer(count).filter(|count| *count >= 0).ok_or(Refusal::NOT_POSITIVE)?,
            _ => return Err(Refusal::SYNTAX),
        };
        let mut members = self.sorted(&words[1])?;
        let most = (count as usize).min(members.len());
        let doomed = if verb == Verb::Zpopmin { 0..most } else { members.len() - most..members.len() };
        let mut picked: Vec<(Score, Bytes)> = members[doomed.clone()].to_vec();
        if verb == Verb::Zpopmax {
            picked.reverse();
        }
        if most > 0 {
            Arc::make_mut(&mut members).drain(doomed);
            self.keep_sorted(members, words);
        }
        Ok(flat(picked.into_iter(), true))
    }
}

/// Members, each followed by its score if asked for.
fn flat(members: impl Iterator<Item = (Score, Bytes)>, with_scores: bool) -> Reply {
    let items = members
        .flat_map(|(score, name)| [Some(Reply::bulk(&*name)), with_scores.then(|| Reply::bulk(score.to_string()))]);
    Reply::Array(items.flatten().collect())
}
