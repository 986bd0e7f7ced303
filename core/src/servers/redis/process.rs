//! The way of a command through the server: from its words to its outcome.
//!
//! The order of the checks is Redis': arity before permissions, permissions before state, state before queueing. What is refused while
//! a transaction is being queued makes its EXEC refuse too.

use super::call::{Answer, Call, Context, Words};
use super::data::Bytes;
use super::outcome::Outcome;
use super::refusal::Refusal;
use super::session::Session;
use super::settings::{Memory, Settings, Snapshots, StaleReads, Subscriptions};
use super::verb::{Spec, Subcommand, Verb, check_subcommand};
use super::{Link, Role};
use crate::wire::{Command, Reply};

impl Call<'_> {
    /// Runs, queues or refuses one command of the caller.
    pub(super) fn process(&mut self, words: Words<'_>) -> Outcome {
        match self.admit(words) {
            Err(refusal) => {
                if let Some(transaction) = self.session_mut().and_then(|session| session.transaction.as_mut()) {
                    transaction.is_aborted = true;
                }
                if words.first().is_some_and(|name| name.eq_ignore_ascii_case(b"EXEC")) {
                    self.end_transaction();
                    let reason = refusal.0.strip_prefix("ERR ").unwrap_or(&refusal.0);
                    let text = format!("EXECABORT Transaction discarded because of: {reason}");
                    return Outcome::Reply(Reply::Error(text));
                }
                Outcome::Reply(refusal.reply())
            }
            Ok(spec) if self.in_transaction() && is_queued(spec.verb) => {
                let command: Command = words.iter().cloned().collect();
                let transaction = self.session_mut().and_then(|session| session.transaction.as_mut());
                transaction.expect("the caller is in a transaction").queue.push(command);
                Outcome::Reply(Reply::Status("QUEUED".into()))
            }
            Ok(spec) => self.run(spec, words).unwrap_or_else(|refusal| Outcome::Reply(refusal.reply())),
        }
    }

    /// Finds the command and checks that it may run now.
    fn admit(&mut self, words: Words<'_>) -> Result<&'static Spec, Refusal> {
        let spec = look_up(words)?;
        if self.redis.settings.password.is_some()
            && !spec.flags.is_allowed_without_password()
            && !self.session().is_some_and(|session| session.is_authenticated)
        {
            return Err(Refusal::NO_AUTH);
        }
        let (writes, grows) = self.what_it_does(spec);
        if self.redis.settings.memory == Memory::Full && (grows || (self.in_transaction() && is_queued(spec.verb))) {
            return Err(Refusal::OUT_OF_MEMORY);
        }
        if writes {
            self.check_write()?;
        } else if spec.verb == Verb::Ping && self.redis.settings.snapshots == Snapshots::Failing {
            return Err(Refusal::SNAPSHOT_FAILED);
        }
        if self.redis.settings.subscriptions == Subscriptions::SameConnection
            && !spec.flags.is_allowed_while_subscribed()
            && self.session().is_some_and(|session| session.subscriptions() > 0)
        {
            let name = spec.name.to_ascii_lowercase();
            return Err(format!(
                "ERR Can't execute '{name}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"
            )
            .into());
        }
        if let Role::Replica { link: Link::Down, .. } = self.redis.role
            && self.redis.settings.stale_reads == StaleReads::Refused
            && !spec.flags.is_allowed_while_stale()
        {
            return Err(Refusal::MASTER_DOWN);
        }
        Ok(spec)
    }

    /// Refuses a write that cannot be saved, on a master with too few replicas, and on a replica.
    pub(super) fn check_write(&self) -> Result<(), Refusal> {
        let Settings { snapshots, min_replicas_to_write, .. } = self.redis.settings;
        if snapshots == Snapshots::Failing {
            Err(Refusal::SNAPSHOT_FAILED)
        } else if self.redis.role != Role::Master {
            Err(Refusal::READ_ONLY)
        } else if self.redis.replicas.len() < usize::from(min_replicas_to_write) {
            Err(Refusal::NO_REPLICAS)
        } else {
            Ok(())
        }
    }

    /// Whether the command writes, and whether it may need memory. EXEC does what its queue does.
    fn what_it_does(&self, spec: &Spec) -> (bool, bool) {
        if spec.verb != Verb::Exec {
            return (spec.flags.writes(), spec.flags.grows());
        }
        let queue =
            self.session().and_then(|session| session.transaction.as_ref()).map(|transaction| &transaction.queue);
        let specs = queue.into_iter().flatten().filter_map(|command| Spec::find(&command.words()[0]));
        specs.fold((false, false), |(writes, grows), spec| (writes || spec.flags.writes(), grows || spec.flags.grows()))
    }

    /// Runs a command that has been admitted.
    pub(super) fn run(&mut self, spec: &Spec, words: Words<'_>) -> Result<Outcome, Refusal> {
        match spec.verb {
            Verb::Blpop | Verb::Brpop => self.blocking_pop(spec.verb, words),
            Verb::Wait => self.wait(words),
            Verb::Subscribe | Verb::Psubscribe => self.subscribe(spec.verb, words),
            Verb::Unsubscribe | Verb::Punsubscribe => self.unsubscribe(spec.verb, words),
            _ => self.answer(spec, words).map(Outcome::Reply),
        }
    }

    /// Runs a command that always answers at once with one reply.
    pub(super) fn answer(&mut self, spec: &Spec, words: Words<'_>) -> Answer {
        let verb = spec.verb;
        match verb {
            Verb::Set => self.set(words),
            Verb::Get => self.get(words),
            Verb::Del | Verb::Unlink => self.del(words),
            Verb::Eval | Verb::EvalRo | Verb::Evalsha | Verb::EvalshaRo => self.eval(verb, words),
            Verb::Setnx => self.setnx(words),
            Verb::Setex | Verb::Psetex => self.setex(verb, words),
            Verb::Getset => self.getset(words),
            Verb::Getdel => self.getdel(words),
            Verb::Getex => self.getex(words),
            Verb::Mget => self.mget(words),
            Verb::Mset | Verb::Msetnx => self.mset(verb, words),
            Verb::Append => self.append(words),
            Verb::Strlen => self.strlen(words),
            Verb::Getrange | Verb::Substr => self.getrange(words),
            Verb::Setrange => self.setrange(words),
            Verb::Incr | Verb::Decr | Verb::Incrby | Verb::Decrby => self.incr(verb, words),
            Verb::Incrbyfloat => self.incrbyfloat(words),
            Verb::Expire | Verb::Pexpire | Verb::Expireat | Verb::Pexpireat => self.expire(verb, words),
            Verb::Ttl | Verb::Pttl | Verb::Expiretime | Verb::Pexpiretime => self.ttl(verb, words),
            Verb::Persist => self.persist(words),
            Verb::Exists | Verb::Touch => self.exists(words),
            Verb::Type => self.type_of(words),
            Verb::Keys => self.keys(words),
            Verb::Dbsize => Ok(Reply::Integer(self.redis.keys.len() as i64)),
            Verb::Randomkey => self.randomkey(),
            Verb::Rename | Verb::Renamenx => self.rename(verb, words),
            Verb::Copy => self.copy(words),
            Verb::Object => self.object(words),
            Verb::Flushall | Verb::Flushdb => self.flush(words),
            Verb::Hset | Verb::Hmset => self.hset(verb, words),
            Verb::Hsetnx => self.hsetnx(words),
            Verb::Hget => self.hget(words),
            Verb::Hmget => self.hmget(words),
            Verb::Hgetall | Verb::Hkeys | Verb::Hvals => self.hgetall(verb, words),
            Verb::Hscan => self.hscan(words),
            Verb::Hlen => self.hlen(words),
            Verb::Hexists => self.hexists(words),
            Verb::Hstrlen => self.hstrlen(words),
            Verb::Hdel => self.hdel(words),
            Verb::Hincrby => self.hincrby(words),
            Verb::Hincrbyfloat => self.hincrbyfloat(words),
            Verb::Lpush | Verb::Rpush | Verb::Lpushx | Verb::Rpushx => self.push(verb, words),
            Verb::Lpop | Verb::Rpop => self.pop(verb, words),
            Verb::Llen => self.llen(words),
            Verb::Lindex => self.lindex(words),
            Verb::Lrange => self.lrange(words),
            Verb::Lrem => self.lrem(words),
            Verb::Lset => self.lset(words),
            Verb::Ltrim => self.ltrim(words),
            Verb::Lpos => self.lpos(words),
            Verb::Linsert => self.linsert(words),
            Verb::Lmove | Verb::Rpoplpush => self.lmove(verb, words),
            Verb::Sadd => self.sadd(words),
            Verb::Srem => self.srem(words),
            Verb::Scard => self.scard(words),
            Verb::Sismember => self.sismember(words),
            Verb::Smismember => self.smismember(words),
            Verb::Smembers => self.smembers(words),
            Verb::Spop | Verb::Srandmember => self.spop(verb, words),
            Verb::Zadd => self.zadd(words),
            Verb::Zincrby => self.zincrby(words),
            Verb::Zrem => self.zrem(words),
            Verb::Zcard => self.zcard(words),
            Verb::Zscore => self.zscore(words),
            Verb::Zrank | Verb::Zrevrank => self.zrank(verb, words),
            Verb::Zcount => self.zcount(words),
            Verb::Zrange | Verb::Zrevrange | Verb::Zrangebyscore | Verb::Zrevrangebyscore => self.zrange(verb, words),
            Verb::Zremrangebyrank | Verb::Zremrangebyscore => self.zremrange(verb, words),
            Verb::Zpopmin | Verb::Zpopmax => self.zpop(verb, words),
            Verb::Multi => self.multi(),
            Verb::Exec => self.exec(),
            Verb::Discard => self.discard(),
            Verb::Watch => self.watch(words),
            Verb::Unwatch => self.unwatch(),
            Verb::Publish | Verb::Spublish => self.publish(verb, words),
            Verb::Pubsub => self.pubsub(words),
            Verb::Script => self.script(words),
            Verb::Replicaof | Verb::Slaveof => self.replicaof(words),
            Verb::Role => self.role(),
            Verb::Auth => self.auth(words),
            Verb::Client => self.client(words),
            Verb::Config => self.config(words),
            Verb::Debug => self.debug(words),
            Verb::Echo => Ok(Reply::bulk(&words[1])),
            Verb::Hello => self.hello(words),
            Verb::Info => self.info(words),
            Verb::Ping => self.ping(words),
            Verb::Quit => Ok(Reply::ok()),
            Verb::Reset => self.reset(),
            Verb::Select => self.select(words),
            Verb::Time => self.time(),
            Verb::Blpop
            | Verb::Brpop
            | Verb::Wait
            | Verb::Subscribe
            | Verb::Psubscribe
            | Verb::Unsubscribe
            | Verb::Punsubscribe => unreachable!("`run` keeps the commands whose outcome is more than a reply"),
        }
    }

    /// The caller's session, if it differs from a fresh connection's.
    pub(super) fn session(&self) -> Option<&Session> {
        self.redis.sessions.find(self.caller)
    }

    pub(super) fn session_mut(&mut self) -> Option<&mut Session> {
        self.redis.sessions.find_mut(self.caller)
    }

    pub(super) fn in_transaction(&self) -> bool {
        self.context == Context::Direct && self.session().is_some_and(|session| session.transaction.is_some())
    }
}

/// Finds the command that these words name and checks their number.
pub(super) fn look_up(words: Words<'_>) -> Result<&'static Spec, Refusal> {
    let Some(spec) = words.first().and_then(|name| Spec::find(name)) else { return Err(unknown_command(words)) };
    if spec.flags.is_container() && words.len() > 1 {
        match check_subcommand(spec, words) {
            Ok(()) => {}
            Err(Subcommand::Unknown) => {
                let subcommand = String::from_utf8_lossy(&words[1]);
                let subcommand: String = subcommand.chars().take(128).collect();
                return Err(format!("ERR unknown subcommand '{subcommand}'. Try {} HELP.", spec.name).into());
            }
            Err(Subcommand::WrongCount(subcommand)) => {
                return Err(Refusal::wrong_count(&format!("{}|{subcommand}", spec.name.to_ascii_lowercase())));
            }
        }
    }
    if !spec.takes(words.len()) {
        return Err(Refusal::wrong_count(&spec.name.to_ascii_lowercase()));
    }
    Ok(spec)
}

/// Redis quotes the name and the beginnings of the arguments, up to 128 bytes of each.
fn unknown_command(words: Words<'_>) -> Refusal {
    let shown = |word: &[u8], most: usize| Bytes::from(&word[..word.len().min(most)]).text();
    let name = words.first().map(|name| shown(name, 128)).unwrap_or_default();
    let mut arguments = String::new();
    for word in words.iter().skip(1) {
        if arguments.len() >= 128 {
            break;
        }
        arguments += &format!("'{}' ", shown(word, 128 - arguments.len()));
    }
    // A reply is one line.
    let text = format!("ERR unknown command '{name}', with args beginning with: {arguments}");
    text.replace(['\r', '\n'], " ").into()
}

/// Whether MULTI queues the command; the others run at once.
fn is_queued(verb: Verb) -> bool {
    !matches!(verb, Verb::Exec | Verb::Discard | Verb::Multi | Verb::Watch | Verb::Quit | Verb::Reset)
}
