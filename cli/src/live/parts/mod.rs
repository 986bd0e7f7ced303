//! The real parts of a world: client processes, redis-servers, and the network between them.
//!
//! *Idea.* The world (time, network, faults, order) is the simulator's own; only what clients and servers do is real. A command
//! crosses a real connection into the driver, waits there as long as the world says, and crosses another into a real server, whose clock
//! shows what the world's clock shows. That is why a live run can be compared with a simulated one to the microsecond.

mod client;
mod crew;

pub use client::LiveClient;
pub use crew::Crew;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use locklab_core::history::{KeyChange, Outcome};
use locklab_core::resource::Ask;
use locklab_core::sim::{Answer, Call, Change, Delivery, Executed, Instant, Parts};
use locklab_core::time::{LocalTime, Span, Time};
use locklab_core::wire::{ClientId, Command, NodeId, Records, Reply, RequestId};
use locklab_core::worker::{Input, Output};

use super::error::LiveError;
use super::link::LineId;
use super::node::Node;
use super::server::PATIENCE;
use super::supervisor::Belonging;

/// How often a server is looked at again, a millisecond apart, until it no longer shows what is over.
const MOST_LOOKS: u32 = 50;

/// The real parts of a world.
#[derive(Debug)]
pub struct LiveParts {
    /// The servers.
    pub nodes: Vec<Node>,
    /// The clients, the resource and the clock.
    pub crew: Crew,
}

impl LiveParts {
    fn client(&mut self, client: ClientId) -> &mut LiveClient {
        self.crew.client(client)
    }

    fn node(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[usize::from(node.0)]
    }

    /// A master and one of its replicas, both to be changed.
    fn pair(&mut self, replica: NodeId, master: NodeId) -> (&mut Node, &mut Node) {
        let (replica, master) = (usize::from(replica.0), usize::from(master.0));
        let [replica, master] =
            self.nodes.get_disjoint_mut([replica, master]).expect("a replica is not its own master");
        (replica, master)
    }

    /// Sets a server's clock to what the world says.
    fn turn(&self, at: Instant<'_>) {
        self.nodes[usize::from(at.node.0)].turn(at, &self.crew.pace);
    }

    /// The same server a moment later, where time goes on by itself.
    fn just_now<'a>(&self, at: Instant<'a>) -> Instant<'a> {
        Instant { now: self.crew.pace.now(at.now), ..at }
    }

    /// Looks at a server's keys.
    fn look(&mut self, at: Instant<'_>, by: Option<ClientId>, lost: KeyChange) -> Result<Vec<Change>, LiveError> {
        let at = self.just_now(at);
        self.node(at.node).look(at, by, lost)
    }

    fn replicas_of(&self, master: NodeId) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(move |node| node.master() == Some(master))
    }

    /// Lets a client's command arrive at a server.
    fn forward(
        &mut self,
        node: NodeId,
        client: ClientId,
        command: &Arc<Command>,
    ) -> Result<(usize, LineId), LiveError> {
        let access = self.node(node).access().clone();
        let client = self.client(client);
        let sent = client.sent.iter().rev().find(|(sent, _, _)| Arc::ptr_eq(sent, command));
        let unknown = || LiveError::Broken(format!("nobody has sent {command}"));
        let (_, link, line) = *sent.ok_or_else(unknown)?;
        client.links[link].forward(line, &access, command)?;
        Ok((link, line))
    }

    fn reply(&mut self, client: ClientId, link: usize, line: LineId) -> Result<Reply, LiveError> {
        self.client(client).links[link]
            .reply(line, PATIENCE)?
            .ok_or_else(|| LiveError::Broken(format!("a server did not answer within {PATIENCE:?}")))
    }

    /// The server's answer to a command that has just been forwarded.
    fn answer_to(
        &mut self,
        node: NodeId,
        client: ClientId,
        command: &Command,
        link: usize,
        line: LineId,
    ) -> Result<Answer, LiveError> {
        let name = command.name();
        if name.ends_with("SUBSCRIBE") {
            let confirmations = command.words().len().saturating_sub(1).max(1);
            let replies = (0..confirmations).map(|_| self.reply(client, link, line)).collect::<Result<_, _>>()?;
            self.client(client).subscribed.retain(|known| *known != (node, link, line));
            self.client(client).subscribed.push((node, link, line));
            return Ok(Answer::Reply(Reply::Array(replies)));
        }
        let Some(wait) = blocking(command) else { return Ok(Answer::Reply(self.reply(client, link, line)?)) };
        // Twice over another connection and back: whatever the server answers at once has been answered by then.
        self.node(node).command(&["PING"])?;
        self.node(node).command(&["PING"])?;
        let arrived = self.client(client).links[link].arrived(line)?;
        if let Some(reply) = arrived {
            return Ok(Answer::Reply(reply));
        }
        self.client(client).blocked.push((node, link, line));
        Ok(match wait {
            Blocking::Replicas { count, timeout } => {
                Answer::Replicas { count, offset: self.node(node).offset()?, timeout }
            }
            Blocking::Other { timeout } => Answer::Blocked { timeout },
        })
    }

    /// What has arrived on other connections because of a command: messages, and answers to commands that had blocked.
    fn deliveries(&mut self, node: NodeId) -> Result<Vec<Delivery>, LiveError> {
        let mut deliveries = Vec::new();
        for (index, client) in self.crew.clients.iter_mut().enumerate() {
            let id = ClientId(u16::try_from(index).expect("a scenario has fewer clients"));
            let LiveClient { links, blocked, subscribed, .. } = client;
            let mut still_blocked = Vec::new();
            for (on, link, line) in std::mem::take(blocked) {
                let arrived = if on == node { links[link].arrived(line)? } else { None };
                match arrived {
                    Some(message) => deliveries.push(Delivery { client: id, message, answers: true }),
                    None => still_blocked.push((on, link, line)),
                }
            }
            *blocked = still_blocked;
            for (_, link, line) in subscribed.iter().filter(|(on, _, _)| *on == node) {
                while let Some(message) = links[*link].arrived(*line)? {
                    deliveries.push(Delivery { client: id, message, answers: false });
                }
            }
        }
        Ok(deliveries)
    }
}

impl Parts for LiveParts {
    type Error = LiveError;

    fn reach(&mut self, now: Time) -> Result<Time, LiveError> {
        Ok(self.crew.pace.reach(now))
    }

    fn spawn(&mut self, client: ClientId, life: u32, holds: u32) -> Result<(), LiveError> {
        self.crew.spawn(client, life, holds)
    }

    fn kill(&mut self, client: ClientId) -> Result<(), LiveError> {
        self.crew.kill(client);
        Ok(())
    }

    fn freeze(&mut self, client: ClientId, frozen: bool) -> Result<(), LiveError> {
        self.crew.freeze(client, frozen)
    }

    fn drive(&mut self, client: ClientId, now: LocalTime, input: Option<Input>) -> Result<Output, LiveError> {
        self.crew.drive(client, now, input)
    }

    fn execute(&mut self, call: Call<'_>) -> Result<Executed, LiveError> {
        let Call { at, client, command } = call;
        let node = at.node;
        self.turn(at);
        let replicated = self.replicas_of(node).next().is_some();
        if replicated {
            let offset = self.node(node).offset()?;
            self.replicas_of(node).for_each(|replica| replica.hold_beyond(offset));
        }
        let answer = match client {
            None => Answer::Reply(self.node(node).run(command)?),
            Some(client) => {
                self.node(node).admit(command)?;
                let (link, line) = self.forward(node, client, command)?;
                self.answer_to(node, client, command, link, line)?
            }
        };
        let mut offset = 0;
        if replicated {
            offset = self.node(node).offset()?;
            self.replicas_of(node).for_each(|replica| replica.open_if_caught_up(offset));
        }
        let changes = self.look(at, client, KeyChange::Deleted)?;
        self.node(node).carry(offset, &changes, client);
        let deliveries = self.deliveries(node)?;
        Ok(Executed { answer, changes, deliveries, offset })
    }

    fn unblock(&mut self, at: Instant<'_>, client: ClientId, _acknowledged: Option<u64>) -> Result<Reply, LiveError> {
        self.turn(at);
        let blocked = &mut self.client(client).blocked;
        let place = blocked.iter().position(|(node, _, _)| *node == at.node);
        let unknown = || LiveError::Broken("a client that does not wait was to be answered".into());
        let (_, link, line) = blocked.remove(place.ok_or_else(unknown)?);
        self.reply(client, link, line)
    }

    fn disconnect(&mut self, at: Instant<'_>, client: ClientId) -> Result<Executed, LiveError> {
        let node = at.node;
        let address = self.node(node).access().address();
        let client = self.client(client);
        client.links.iter_mut().for_each(|link| link.part_from(address));
        client.blocked.retain(|(on, _, _)| *on != node);
        client.subscribed.retain(|(on, _, _)| *on != node);
        Ok(Executed::default())
    }

    fn expire(&mut self, at: Instant<'_>) -> Result<Executed, LiveError> {
        self.turn(at);
        let mut changes = self.look(at, None, KeyChange::Expired)?;
        // A clock that runs may reach the end of a key a moment after the world does.
        for _ in 0..MOST_LOOKS {
            if !self.node(at.node).has_overdue(at) {
                break;
            }
            thread::sleep(Duration::from_millis(1));
            changes.extend(self.look(at, None, KeyChange::Expired)?);
        }
        let replicated = self.replicas_of(at.node).next().is_some();
        let offset = if replicated { self.node(at.node).offset()? } else { 0 };
        self.node(at.node).carry(offset, &changes, None);
        Ok(Executed { changes, offset, ..Executed::default() })
    }

    fn records(&mut self, at: Instant<'_>) -> Result<Records, LiveError> {
        self.turn(at);
        let at = self.just_now(at);
        self.node(at.node).records(at)
    }

    fn replicate(&mut self, at: Instant<'_>, master: NodeId, upto: u64) -> Result<Vec<Change>, LiveError> {
        if self.node(at.node).master() != Some(master) {
            self.synchronise(at, master)?;
        }
        self.turn(at);
        let at = self.just_now(at);
        let (replica, master) = self.pair(at.node, master);
        replica.apply(at, master, upto)
    }

    fn synchronise(&mut self, at: Instant<'_>, master: NodeId) -> Result<(), LiveError> {
        self.turn(at);
        let (replica, master_node) = self.pair(at.node, master);
        replica.follow(master, master_node)
    }

    fn promote(&mut self, at: Instant<'_>) -> Result<(), LiveError> {
        self.turn(at);
        self.node(at.node).promote()
    }

    fn down(&mut self, at: Instant<'_>) -> Result<Vec<Change>, LiveError> {
        self.node(at.node).crash();
        for client in self.crew.ids() {
            self.disconnect(at, client)?;
        }
        Ok(Vec::new())
    }

    fn up(&mut self, at: Instant<'_>, data_kept: bool) -> Result<(), LiveError> {
        self.turn(at);
        self.node(at.node).restart(data_kept)?;
        match self.node(at.node).process_id() {
            Some(id) => self.crew.supervisor.entrust(&Belonging::process(id)),
            None => Ok(()),
        }
    }

    fn evict(&mut self, at: Instant<'_>, key: &str) -> Result<Vec<Change>, LiveError> {
        self.turn(at);
        self.node(at.node).evict(key)?;
        self.look(at, None, KeyChange::Evicted)
    }

    fn flush_scripts(&mut self, at: Instant<'_>) -> Result<(), LiveError> {
        self.node(at.node).command(&["SCRIPT", "FLUSH"])?;
        Ok(())
    }

    fn answer(&mut self, client: ClientId, _request: RequestId, ask: &Ask) -> Result<Outcome, LiveError> {
        Ok(self.crew.answer(client, ask))
    }
}

/// A command that may keep its caller waiting.
enum Blocking {
    /// WAIT.
    Replicas { count: u64, timeout: Option<Span> },
    /// BLPOP and its kin.
    Other { timeout: Option<Span> },
}

/// How a command may keep its caller waiting; `None`: it answers at once, be it with an error.
fn blocking(command: &Command) -> Option<Blocking> {
    let last = command.word(command.words().len().checked_sub(1)?)?;
    match command.name().as_str() {
        "WAIT" => {
            let millis: u64 = last.parse().ok()?;
            let timeout = (millis > 0).then(|| Span(millis.saturating_mul(1_000)));
            Some(Blocking::Replicas { count: command.word(1)?.parse().ok()?, timeout })
        }
        "BLPOP" | "BRPOP" | "BRPOPLPUSH" | "BLMOVE" | "BZPOPMIN" | "BZPOPMAX" => {
            let length = Duration::try_from_secs_f64(last.parse().ok()?).ok()?;
            let micros = u64::try_from(length.as_micros()).ok()?;
            Some(Blocking::Other { timeout: (micros > 0).then_some(Span(micros)) })
        }
        _ => None,
    }
}
