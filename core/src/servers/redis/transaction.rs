//! MULTI, EXEC, DISCARD, WATCH.
//!
//! EXEC runs the queue as one step. An error in the middle undoes nothing. A watched key that was touched, or whose time ran out,
//! makes EXEC answer nil.

use super::call::{Answer, Call, Context, Words};
use super::outcome::Outcome;
use super::process::look_up;
use super::session::{Transaction, Watched};
use crate::wire::Reply;

impl Call<'_> {
    pub(super) fn multi(&mut self) -> Answer {
        if self.in_transaction() {
            return Err("ERR MULTI calls can not be nested".into());
        }
        self.redis.sessions.open(self.caller).transaction = Some(Transaction::default());
        Ok(Reply::ok())
    }

    pub(super) fn discard(&mut self) -> Answer {
        if self.end_transaction().is_none() {
            return Err("ERR DISCARD without MULTI".into());
        }
        Ok(Reply::ok())
    }

    pub(super) fn watch(&mut self, words: Words<'_>) -> Answer {
        if self.in_transaction() {
            return Err("ERR WATCH inside MULTI is not allowed".into());
        }
        for key in &words[1..] {
            let slot = self.redis.keys.find(key).taken();
            let was_expired = slot.is_some_and(|index| self.redis.keys.entry(index).is_expired(self.now_ms));
            let session = self.redis.sessions.open(self.caller);
            if !session.watched.iter().any(|watched| watched.key.as_slice() == &**key) {
                session.watched.push(Watched { key: key.clone(), was_expired });
            }
        }
        Ok(Reply::ok())
    }

    pub(super) fn unwatch(&mut self) -> Answer {
        if let Some(session) = self.session_mut() {
            session.unwatch();
        }
        self.redis.sessions.tidy(self.caller);
        Ok(Reply::ok())
    }

    pub(super) fn exec(&mut self) -> Answer {
        let lost_watch = self.has_lost_watch();
        let Some(transaction) = self.end_transaction() else { return Err("ERR EXEC without MULTI".into()) };
        if transaction.is_aborted {
            return Err("EXECABORT Transaction discarded because of previous errors.".into());
        }
        if lost_watch {
            return Ok(Reply::NilArray);
        }
        self.context = Context::Transaction;
        let mut replies = Vec::with_capacity(transaction.queue.len());
        for command in &transaction.queue {
            let spec = look_up(command.words()).expect("only complete commands are queued");
            replies.push(match self.run(spec, command.words()) {
                Ok(Outcome::Reply(reply)) => reply,
                // The further confirmations follow the transaction's reply on the connection.
                Ok(Outcome::Subscribed(confirmations)) => confirmations.into_iter().next().unwrap_or(Reply::Nil),
                Ok(Outcome::Blocked(_)) => unreachable!("nothing blocks in a transaction"),
                Err(refusal) => refusal.reply(),
            });
        }
        self.context = Context::Direct;
        Ok(Reply::Array(replies))
    }

    fn has_lost_watch(&self) -> bool {
        let Some(session) = self.session() else { return false };
        session.lost_watch
            || session.watched.iter().filter(|watched| !watched.was_expired).any(|watched| {
                let slot = self.redis.keys.find(&watched.key).taken();
                slot.is_some_and(|index| self.redis.keys.entry(index).is_expired(self.now_ms))
            })
    }

    pub(super) fn end_transaction(&mut self) -> Option<Transaction> {
        let session = self.session_mut()?;
        let transaction = session.transaction.take()?;
        session.unwatch();
        self.redis.sessions.tidy(self.caller);
        Some(transaction)
    }
}
