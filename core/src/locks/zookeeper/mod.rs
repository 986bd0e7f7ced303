//! The lock of the ZooKeeper recipe, as Curator's InterProcessMutex plays it.
//!
//! Everybody puts an ephemeral sequential znode below the lock. The lowest number holds it; everybody else watches only the one just ahead,
//! so a release wakes one client and no herd. The znode lives as long as its client's session; when the session ends the ensemble deletes
//! it, and the client learns that only when it hears of the ensemble again. Nobody interrupts the work meanwhile. Sources: the recipes page
//! of ZooKeeper; Curator's documentation of its mutex and of connection states.

mod kind;
mod place;
mod setup;
#[cfg(test)]
mod tests;

pub(super) use kind::kind;
use place::{Place, Queued};
use setup::{Question, Setup};

use super::one_service::{Again, Answer, Attempt, OnSession, OneService, Protocol, Session, Terms};
use crate::history::{LockEvent, Refusal, Token};
use crate::time::{LocalTime, Span};
use crate::wire::{Command, Reply};

/// A client of the ZooKeeper lock. It opens a session for each hold.
pub type ZooKeeper = OneService<Setup>;

impl Protocol for Setup {
    type Question = Question;
    type Known = Option<Session<Queued>>;

    /// Whoever is inside enters again without asking: a counter in its memory.
    const AGAIN: Again = Again::Counted;

    fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Whatever the ensemble answers shows that it knows the session.
    fn heard(client: &mut ZooKeeper, now: LocalTime) {
        client.start_anew(now);
    }

    /// A session, a place, then who else stands there.
    fn try_once(client: &mut ZooKeeper, now: LocalTime, attempt: Attempt) {
        let (question, command) = match &mut client.known {
            None => (Question::Connect, client.setup.connect()),
            Some(session) if session.own.asked => (Question::List, client.setup.list(session.id)),
            Some(session) => {
                session.own.asked = true;
                (Question::Create, client.setup.create(session.id, attempt.number))
            }
        };
        client.desk.ask(now, question, command);
    }

    fn acquiring(client: &mut ZooKeeper, now: LocalTime, attempt: Attempt, question: Question, answer: &Answer) {
        let reply = match answer {
            Answer::None(why) => return client.delay(now, attempt, why.clone()),
            Answer::Reply(reply) => reply,
        };
        if reply.error_code().is_some() && question != Question::Connect {
            // The session is over, and with it the place: both are asked for anew.
            client.known = None;
            return client.delay(now, attempt, Refusal::Expired);
        }
        let understood = match question {
            Question::Connect => connected(client, now, attempt, reply),
            Question::Create => created(client, now, reply),
            Question::List => listed(client, now, attempt, reply),
            Question::Own => own(client, now, attempt, reply),
            _ => list(client, now),
        };
        if understood.is_none() {
            client.delay(now, attempt, Refusal::NotHolder);
        }
    }

    /// The place goes with its session.
    fn give_up(client: &mut ZooKeeper, now: LocalTime) {
        client.close(now);
    }

    fn keep(client: &mut ZooKeeper, now: LocalTime) {
        client.beat(now);
    }

    fn keeps_at(client: &ZooKeeper) -> Option<i64> {
        client.beats_at()
    }

    fn renewing(client: &mut ZooKeeper, now: LocalTime, _: Question, answer: &Answer) {
        client.beaten(now, answer);
    }

    fn give_back(client: &mut ZooKeeper, now: LocalTime) {
        ask_of_place(client, now, Question::Delete, "delete");
    }

    /// A place that is gone already is none to complain about.
    fn releasing(client: &mut ZooKeeper, now: LocalTime, question: Question, answer: &Answer) {
        if question != Question::Delete {
            return;
        }
        client.close(now);
        client.released(match answer {
            Answer::None(why) => LockEvent::ReleaseFailed { why: why.clone() },
            Answer::Reply(_) if answer.ok().is_some() || is_gone(answer) => LockEvent::Released,
            Answer::Reply(_) => LockEvent::ReleaseFailed { why: Refusal::Expired },
        });
    }

    fn look(client: &mut ZooKeeper, now: LocalTime) {
        ask_of_place(client, now, Question::Look, "exists");
    }

    fn is_mine(_: &ZooKeeper, _: LocalTime, answer: &Answer) -> bool {
        answer.ok().is_some_and(|reply| *reply != Reply::Nil)
    }
}

impl OnSession for Setup {
    type Own = Queued;

    const BEAT: Question = Question::Ping;
    const CLOSE: Question = Question::Close;

    fn beat(&self, session: u64) -> Command {
        self.of_session("ping", session)
    }

    fn close(&self, session: u64) -> Command {
        self.of_session("close", session)
    }

    /// Only a holder concludes that its session is over because nothing is heard.
    fn patience(client: &ZooKeeper) -> Option<Span> {
        client.holds().then_some(client.setup.patience)
    }
}

// Each step is `None` where a reply is none that it understands.

fn connected(client: &mut ZooKeeper, now: LocalTime, attempt: Attempt, reply: &Reply) -> Option<()> {
    client.opened(now, u64::try_from(reply.integer()?).ok()?);
    client.try_once(now, attempt);
    Some(())
}

fn created(client: &mut ZooKeeper, now: LocalTime, reply: &Reply) -> Option<()> {
    let Reply::Array(items) = reply else { return None };
    let [path, czxid] = &items[..] else { return None };
    let place = Place { path: path.text()?.into(), czxid: u64::try_from(czxid.integer()?).ok() };
    client.known.as_mut()?.own.place = Some(place);
    list(client, now)
}

fn list(client: &mut ZooKeeper, now: LocalTime) -> Option<()> {
    let id = client.known.as_ref()?.id;
    client.desk.ask(now, Question::List, client.setup.list(id));
    Some(())
}

fn listed(client: &mut ZooKeeper, now: LocalTime, attempt: Attempt, reply: &Reply) -> Option<()> {
    let Reply::Array(items) = reply else { return None };
    let mut names: Vec<String> = items.iter().filter_map(Reply::text).collect();
    names.sort_by(|one, other| number(one).cmp(number(other)));
    let mine = client.setup.name(attempt.number);
    let session = client.known.as_mut()?;
    let Some(rank) = names.iter().position(|name| name.starts_with(&mine)) else {
        session.own = Queued::default();
        client.try_once(now, attempt);
        return Some(());
    };
    let id = session.id;
    let path = client.setup.path(&names[rank]);
    let place = session.own.place.get_or_insert_with(|| Place { path: path.as_str().into(), czxid: None });
    match (rank.checked_sub(1), place.czxid) {
        (None, Some(_)) => has_place(client, now, attempt),
        (None, None) => client.desk.ask(now, Question::Own, client.setup.of_place("exists", id, &path)),
        (Some(_), _) if attempt.is_over(now.monotonic) => client.refuse(now, Refusal::Held),
        (Some(ahead), _) => {
            let ahead = client.setup.path(&names[ahead]);
            client.desk.ask(now, Question::Watch, client.setup.watch(id, &ahead));
        }
    }
    Some(())
}

fn own(client: &mut ZooKeeper, now: LocalTime, attempt: Attempt, reply: &Reply) -> Option<()> {
    let Reply::Array(items) = reply else { return None };
    let czxid = u64::try_from(items.get(1)?.integer()?).ok();
    client.known.as_mut()?.own.place.as_mut()?.czxid = czxid;
    has_place(client, now, attempt);
    Some(())
}

/// The lowest place is the client's own: the lock is, too.
fn has_place(client: &mut ZooKeeper, now: LocalTime, attempt: Attempt) {
    let czxid = client.known.as_ref().and_then(|session| session.own.place.as_ref()?.czxid);
    let valid_for = client.valid_for(now);
    client.acquired(attempt, czxid.map(Token::Number), valid_for);
}

/// Asks about the own place. A client whose session is gone has none.
fn ask_of_place(client: &mut ZooKeeper, now: LocalTime, question: Question, verb: &str) {
    let session = client.known.as_ref();
    let command = session.and_then(|session| {
        let place = session.own.place.as_ref()?;
        Some(client.setup.of_place(verb, session.id, &place.path))
    });
    match command {
        Some(command) => client.desk.ask(now, question, command),
        None => client.answered(now, question, &Answer::Reply(Reply::Nil)),
    }
}

/// The number at the end of a sequential znode's name.
fn number(name: &str) -> &str {
    name.rsplit_once('-').map_or(name, |(_, number)| number)
}

fn is_gone(answer: &Answer) -> bool {
    matches!(answer, Answer::Reply(reply) if reply.error_code() == Some("NONODE"))
}
