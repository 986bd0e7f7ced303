//! Publish and subscribe: the wake-up calls of locks.
//!
//! A message reaches who subscribes at that instant, at most once, and nobody else ever.

use super::call::{Answer, Call, Words};
use super::data::Bytes;
use super::effect::Change;
use super::keys::glob;
use super::outcome::{Delivery, Outcome};
use super::refusal::Refusal;
use super::session::Session;
use super::verb::Verb;
use crate::wire::Reply;

impl Call<'_> {
    pub(super) fn publish(&mut self, verb: Verb, words: Words<'_>) -> Answer {
        let (channel, message) = (&words[1], &words[2]);
        // Sharded channels have no subscribers here: the model is no cluster.
        let receivers = if verb == Verb::Publish { self.deliver(channel, message) } else { 0 };
        let (channel, message) = (channel.clone(), message.clone());
        self.record(Change::Publish { channel, message });
        Ok(Reply::Integer(receivers))
    }

    /// Sends a message to all subscribers and counts the copies.
    pub(super) fn deliver(&mut self, channel: &[u8], message: &[u8]) -> i64 {
        let mut copies = 0;
        for (caller, session) in self.redis.sessions.iter() {
            let exact = session.channels.iter().filter(|name| name.as_slice() == channel);
            let exact = exact.map(|_| vec![Reply::bulk("message"), Reply::bulk(channel), Reply::bulk(message)]);
            let patterns = session.patterns.iter().filter(|pattern| glob(pattern, channel));
            let patterns = patterns.map(|pattern| {
                vec![Reply::bulk("pmessage"), Reply::bulk(&**pattern), Reply::bulk(channel), Reply::bulk(message)]
            });
            for items in exact.chain(patterns) {
                copies += 1;
                if let Some(client) = caller {
                    self.deliveries.push((client, Delivery::Message(Reply::Array(items))));
                }
            }
        }
        copies
    }

    pub(super) fn subscribe(&mut self, verb: Verb, words: Words<'_>) -> Result<Outcome, Refusal> {
        let (kind, is_pattern) = match verb {
            Verb::Subscribe => ("subscribe", false),
            _ => ("psubscribe", true),
        };
        let session = self.redis.sessions.open(self.caller);
        let mut confirmations = Vec::with_capacity(words.len() - 1);
        for word in &words[1..] {
            let names = names(session, is_pattern);
            if !names.iter().any(|name| name.as_slice() == &**word) {
                names.push(word.clone());
            }
            confirmations.push(confirmation(kind, Some(word), session));
        }
        Ok(Outcome::Subscribed(confirmations))
    }

    /// Ends the named subscriptions, or all of the kind.
    pub(super) fn unsubscribe(&mut self, verb: Verb, words: Words<'_>) -> Result<Outcome, Refusal> {
        let (kind, is_pattern) = match verb {
            Verb::Unsubscribe => ("unsubscribe", false),
            _ => ("punsubscribe", true),
        };
        let session = self.redis.sessions.open(self.caller);
        let doomed: Vec<Bytes> = match &words[1..] {
            [] => names(session, is_pattern).clone(),
            named => named.to_vec(),
        };
        let mut confirmations = Vec::with_capacity(doomed.len().max(1));
        for doomed in &doomed {
            names(session, is_pattern).retain(|name| name != doomed);
            confirmations.push(confirmation(kind, Some(doomed), session));
        }
        if confirmations.is_empty() {
            confirmations.push(confirmation(kind, None, session));
        }
        self.redis.sessions.tidy(self.caller);
        Ok(Outcome::Subscribed(confirmations))
    }

    pub(super) fn pubsub(&mut self, words: Words<'_>) -> Answer {
        let sessions = &self.redis.sessions;
        match words[1].to_ascii_uppercase().as_slice() {
            b"CHANNELS" => {
                let mut channels: Vec<&Bytes> = sessions.iter().flat_map(|(_, session)| &session.channels).collect();
                channels.sort_unstable();
                channels.dedup();
                let wanted = channels.into_iter().filter(|name| words.get(2).is_none_or(|pattern| glob(pattern, name)));
                Ok(Reply::Array(wanted.map(|name| Reply::bulk(&**name)).collect()))
            }
            b"NUMSUB" => {
                let count = |channel: &[u8]| {
                    let all = sessions.iter().flat_map(|(_, session)| &session.channels);
                    all.filter(|name| name.as_slice() == channel).count() as i64
                };
                let items = words[2..].iter().flat_map(|word| [Reply::bulk(word), Reply::Integer(count(word))]);
                Ok(Reply::Array(items.collect()))
            }
            b"NUMPAT" => {
                let mut patterns: Vec<&Bytes> = sessions.iter().flat_map(|(_, session)| &session.patterns).collect();
                patterns.sort_unstable();
                patterns.dedup();
                Ok(Reply::Integer(patterns.len() as i64))
            }
            _ => Err("ERR PUBSUB HELP is not modelled".into()),
        }
    }
}

fn names(session: &mut Session, is_pattern: bool) -> &mut Vec<Bytes> {
    if is_pattern { &mut session.patterns } else { &mut session.channels }
}

fn confirmation(kind: &str, name: Option<&[u8]>, session: &Session) -> Reply {
    let name = name.map_or(Reply::Nil, Reply::bulk);
    Reply::Array(vec![Reply::bulk(kind), name, Reply::Integer(session.subscriptions() as i64)])
}
