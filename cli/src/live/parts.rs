//! The real parts of a world: client processes, redis-servers, and the network between them.
//!
//! *Idea.* The world (time, network, faults, order) is the simulator's own; only what clients and servers do is real. A command
//! crosses a real connection into the driver, waits there as long as the world says, and crosses another into a real server, whose clock
//! shows what the world's clock shows. That is why a live run can be compared with a simulated one to the microsecond.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use locklab_core::history::{Event, KeyChange, Outcome, What};
use locklab_core::resource::{Ask, Resource};
use locklab_core::sim::{Answer, Call, Change, Delivery, Executed, Instant, Parts};
use locklab_core::time::{LocalTime, Span};
use locklab_core::wire::{ClientId, Command, NodeId, Records, Reply, RequestId};
use locklab_core::worker::{Input, Output};

use super::client::{RemoteClient, Setup, Told, Want};
use super::error::LiveError;
use super::link::{LineId, Link};
use super::node::Node;
use super::resource::{decode_ask, encode_outcome};
use super::server::PATIENCE;
use super::supervisor::{Belonging, Supervisor};

/// The real parts of a world.
#[derive(Debug)]
pub struct LiveParts {
    /// This program, of which client processes are made.
    pub program: PathBuf,
    /// What every client process is told at its start.
    pub setup: Setup,
    /// The clients' names, for the resource.
    pub names: Vec<Arc<str>>,
    /// The clients, once they have been started.
    pub clients: Vec<Client>,
    /// The servers.
    pub nodes: Vec<Node>,
    /// What the lock protects.
    pub resource: Resource,
    /// Whoever cleans up.
    pub supervisor: Supervisor,
}

/// A client process with its links.
#[derive(Debug)]
pub struct Client {
    process: Option<RemoteClient>,
    /// Its links to the servers, by the node that it asks for.
    links: Vec<Link>,
    /// Its link to the resource.
    resource: Link,
    /// Commands that it has sent, each with the link and the line that it came on.
    sent: Vec<(Arc<Command>, usize, LineId)>,
    /// Requests without an answer yet; `None`: to the resource.
    waiting: BTreeMap<RequestId, (Option<usize>, LineId)>,
    /// Where a command blocks or a subscription listens: node, link, line.
    blocked: Vec<(NodeId, usize, LineId)>,
    subscribed: Vec<(NodeId, usize, LineId)>,
}

impl Client {
    /// A client that is not started yet, linked to so many nodes.
    pub fn new(nodes: usize) -> Result<Client, LiveError> {
        let open = || Link::open().map_err(LiveError::system("open a link"));
        let links = (0..nodes).map(|_| open()).collect::<Result<_, _>>()?;
        let (sent, waiting, blocked, subscribed) = (Vec::new(), BTreeMap::new(), Vec::new(), Vec::new());
        Ok(Client { process: None, links, resource: open()?, sent, waiting, blocked, subscribed })
    }

    fn process(&mut self) -> Result<&mut RemoteClient, LiveError> {
        let gone = || LiveError::NotPlayable { reason: "a client that is not running was spoken to".into() };
        self.process.as_mut().ok_or_else(gone)
    }

    fn settle(&mut self, request: RequestId) -> Result<(Option<usize>, LineId), LiveError> {
        let unknown = || LiveError::NotPlayable { reason: format!("request {} is not waited for", request.0) };
        self.waiting.remove(&request).ok_or_else(unknown)
    }

    /// Turns an input into what the process is told, and puts what it will read on its connections.
    fn tell(&mut self, input: Input) -> Result<Told, LiveError> {
        Ok(match input {
            Input::Start => Told::Start,
            Input::Timer => Told::Timer,
            Input::Suspend(stopped) => Told::Suspend(stopped),
            Input::Chosen(index) => Told::Chosen(index),
            Input::Reply { request, reply } => {
                if let (Some(link), line) = self.settle(request)? {
                    self.links[link].deliver(line, &reply);
                }
                Told::Reply(request.0)
            }
            Input::Answer { request, outcome } => {
                let (_, line) = self.settle(request)?;
                self.resource.deliver(line, &encode_outcome(&outcome));
                Told::Answer(request.0)
            }
            Input::Push { from, message } => {
                let subscription = self.subscribed.iter().find(|(node, _, _)| *node == from);
                let unknown = || LiveError::NotPlayable { reason: "a message came without a subscription".into() };
                let (_, link, line) = *subscription.ok_or_else(unknown)?;
                self.links[link].deliver(line, &message);
                Told::Push { from: from.0, line: line.0 }
            }
            Input::Disconnected { request } => {
                self.hang_up(request)?;
                Told::Disconnected(request.0)
            }
        })
    }

    fn hang_up(&mut self, request: RequestId) -> Result<(), LiveError> {
        match self.settle(request)? {
            (Some(link), line) => self.links[link].hang_up(line),
            (None, line) => self.resource.hang_up(line),
        }
        Ok(())
    }

    /// Turns what the process wants into an output, and takes what it has put on its connections.
    fn want(&mut self, want: Want) -> Result<Output, LiveError> {
        let broken = |what| LiveError::system(what);
        Ok(match want {
            Want::Send { sent, line } => {
                let What::Sent { node: to, request, phase, code, .. } = report(&sent)? else {
                    return Err(garbled(&sent));
                };
                let (link, line) = (usize::from(to.0), LineId(line));
                let command = Arc::new(self.links[link].take(line).map_err(broken("take a command off the wire"))?);
                self.sent.push((command.clone(), link, line));
                self.waiting.insert(request, (Some(link), line));
                Output::Send { to, request, phase, code, command }
            }
            Want::Ask { request, line } => {
                let (request, line) = (RequestId(request), LineId(line));
                let command = self.resource.take(line).map_err(broken("take a question off the wire"))?;
                let malformed = || LiveError::NotPlayable { reason: format!("the resource was asked {command}") };
                self.waiting.insert(request, (None, line));
                Output::Ask { request, ask: decode_ask(&command).ok_or_else(malformed)? }
            }
            Want::Cancel(request) => {
                let request = RequestId(request);
                // A request whose connection has been reset is no longer waited for, and its client may not know yet.
                if self.waiting.contains_key(&request) {
                    self.hang_up(request)?;
                }
                Output::Cancel { request }
            }
            Want::Event(line) => {
                let What::Client { event, .. } = report(&line)? else { return Err(garbled(&line)) };
                Output::Event(event)
            }
            Want::Choose { pick, count } => Output::Choose { label: pick.into(), count },
            Want::Wait(until) => Output::Wait { until },
            Want::Failed(reason) => return Err(LiveError::NotPlayable { reason }),
        })
    }
}

/// What a client process reports.
fn report(line: &str) -> Result<What, LiveError> {
    Event::from_line(line).map(|event| event.what).map_err(|_| garbled(line))
}

fn garbled(line: &str) -> LiveError {
    LiveError::NotPlayable { reason: format!("a client process reported {line}") }
}

impl LiveParts {
    fn client(&mut self, client: ClientId) -> &mut Client {
        &mut self.clients[usize::from(client.0)]
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
        let address = self.node(node).address();
        let client = self.client(client);
        let sent = client.sent.iter().rev().find(|(sent, _, _)| Arc::ptr_eq(sent, command));
        let unknown = || LiveError::NotPlayable { reason: format!("nobody has sent {command}") };
        let (_, link, line) = *sent.ok_or_else(unknown)?;
        let forwarded = client.links[link].forward(line, address, command);
        forwarded.map_err(|source| LiveError::Unreachable { server: address.to_string(), source })?;
        Ok((link, line))
    }

    fn reply(&mut self, client: ClientId, link: usize, line: LineId) -> Result<Reply, LiveError> {
        let reply = self.client(client).links[link]
            .reply(line, PATIENCE)
            .map_err(LiveError::system("read a server's reply"))?;
        reply.ok_or_else(|| LiveError::NotPlayable { reason: format!("a server did not answer within {PATIENCE:?}") })
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
        let arrived =
            self.client(client).links[link].arrived(line).map_err(LiveError::system("read a server's reply"))?;
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
        for (index, client) in self.clients.iter_mut().enumerate() {
            let id = ClientId(u16::try_from(index).expect("a scenario has fewer clients"));
            let Client { links, blocked, subscribed, .. } = client;
            let failed = LiveError::system;
            let mut still_blocked = Vec::new();
            for (on, link, line) in std::mem::take(blocked) {
                let arrived =
                    if on == node { links[link].arrived(line).map_err(failed("read a server's reply"))? } else { None };
                match arrived {
                    Some(message) => deliveries.push(Delivery { client: id, message, answers: true }),
                    None => still_blocked.push((on, link, line)),
                }
            }
            *blocked = still_blocked;
            for (_, link, line) in subscribed.iter().filter(|(on, _, _)| *on == node) {
                while let Some(message) = links[*link].arrived(*line).map_err(failed("read a server's message"))? {
                    deliveries.push(Delivery { client: id, message, answers: false });
                }
            }
        }
        Ok(deliveries)
    }
}

impl Parts for LiveParts {
    type Error = LiveError;

    fn spawn(&mut self, client: ClientId, life: u32, holds: u32) -> Result<(), LiveError> {
        let state = &self.clients[usize::from(client.0)];
        let setup = Setup {
            client: client.0,
            life,
            holds,
            nodes: state.links.iter().map(Link::address).collect(),
            resource: state.resource.address(),
            ..self.setup.clone()
        };
        let process = RemoteClient::start(&self.program, setup)?;
        self.supervisor.entrust(&Belonging::process(process.process_id()))?;
        self.client(client).process = Some(process);
        Ok(())
    }

    fn kill(&mut self, client: ClientId) -> Result<(), LiveError> {
        let client = self.client(client);
        client.process = None;
        client.waiting.clear();
        client.links.iter_mut().for_each(Link::lose_client);
        client.resource.lose_client();
        Ok(())
    }

    fn freeze(&mut self, client: ClientId, frozen: bool) -> Result<(), LiveError> {
        self.client(client).process()?.suspend(frozen)
    }

    fn handle(&mut self, client: ClientId, now: LocalTime, input: Input) -> Result<(), LiveError> {
        let client = self.client(client);
        let told = client.tell(input)?;
        client.process()?.handle(now, told)
    }

    fn poll(&mut self, client: ClientId, now: LocalTime) -> Result<Output, LiveError> {
        let client = self.client(client);
        let want = client.process()?.poll(now)?;
        client.want(want)
    }

    fn execute(&mut self, call: Call<'_>) -> Result<Executed, LiveError> {
        let Call { at, client, command } = call;
        let node = at.node;
        self.node(node).turn(at);
        let replicated = self.replicas_of(node).next().is_some();
        if replicated {
            let offset = self.node(node).offset()?;
            self.replicas_of(node).for_each(|replica| replica.hold_beyond(offset));
        }
        let answer = match client {
            None => Answer::Reply(self.node(node).run(command)?),
            Some(client) => {
                let (link, line) = self.forward(node, client, command)?;
                self.answer_to(node, client, command, link, line)?
            }
        };
        let mut offset = 0;
        if replicated {
            offset = self.node(node).offset()?;
            self.replicas_of(node).for_each(|replica| replica.open_if_caught_up(offset));
        }
        let changes = self.node(node).look(at, client, KeyChange::Deleted)?;
        self.node(node).carry(offset, &changes, client);
        let deliveries = self.deliveries(node)?;
        Ok(Executed { answer, changes, deliveries, offset })
    }

    fn unblock(&mut self, at: Instant<'_>, client: ClientId, _acknowledged: Option<u64>) -> Result<Reply, LiveError> {
        self.node(at.node).turn(at);
        let blocked = &mut self.client(client).blocked;
        let place = blocked.iter().position(|(node, _, _)| *node == at.node);
        let unknown = || LiveError::NotPlayable { reason: "a client that does not wait was to be answered".into() };
        let (_, link, line) = blocked.remove(place.ok_or_else(unknown)?);
        self.reply(client, link, line)
    }

    fn disconnect(&mut self, node: NodeId, client: ClientId) -> Result<(), LiveError> {
        let address = self.node(node).address();
        let client = self.client(client);
        client.links.iter_mut().for_each(|link| link.part_from(address));
        client.blocked.retain(|(on, _, _)| *on != node);
        client.subscribed.retain(|(on, _, _)| *on != node);
        Ok(())
    }

    fn expire(&mut self, at: Instant<'_>) -> Result<(Vec<Change>, u64), LiveError> {
        self.node(at.node).turn(at);
        let changes = self.node(at.node).look(at, None, KeyChange::Expired)?;
        let replicated = self.replicas_of(at.node).next().is_some();
        let offset = if replicated { self.node(at.node).offset()? } else { 0 };
        self.node(at.node).carry(offset, &changes, None);
        Ok((changes, offset))
    }

    fn records(&mut self, at: Instant<'_>) -> Result<Records, LiveError> {
        let node = self.node(at.node);
        node.turn(at);
        node.records(at)
    }

    fn replicate(&mut self, at: Instant<'_>, master: NodeId, upto: u64) -> Result<Vec<Change>, LiveError> {
        if self.node(at.node).master() != Some(master) {
            self.synchronise(at, master)?;
        }
        let (replica, master) = self.pair(at.node, master);
        replica.turn(at);
        replica.apply(at, master, upto)
    }

    fn synchronise(&mut self, at: Instant<'_>, master: NodeId) -> Result<(), LiveError> {
        let (replica, master_node) = self.pair(at.node, master);
        replica.turn(at);
        replica.follow(master, master_node)
    }

    fn promote(&mut self, at: Instant<'_>) -> Result<(), LiveError> {
        self.node(at.node).turn(at);
        self.node(at.node).promote()
    }

    fn down(&mut self, at: Instant<'_>) -> Result<(), LiveError> {
        self.node(at.node).crash();
        for client in 0..self.clients.len() {
            self.disconnect(at.node, ClientId(u16::try_from(client).expect("a scenario has fewer clients")))?;
        }
        Ok(())
    }

    fn up(&mut self, at: Instant<'_>, data_kept: bool) -> Result<(), LiveError> {
        self.node(at.node).turn(at);
        self.node(at.node).restart(data_kept)
    }

    fn evict(&mut self, at: Instant<'_>, key: &str) -> Result<Vec<Change>, LiveError> {
        let node = self.node(at.node);
        node.turn(at);
        node.evict(key)?;
        node.look(at, None, KeyChange::Evicted)
    }

    fn flush_scripts(&mut self, at: Instant<'_>) -> Result<(), LiveError> {
        self.node(at.node).command(&["SCRIPT", "FLUSH"])?;
        Ok(())
    }

    fn answer(&mut self, client: ClientId, _request: RequestId, ask: &Ask) -> Result<Outcome, LiveError> {
        let name = self.names[usize::from(client.0)].clone();
        Ok(self.resource.answer(&name, ask))
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
