//! A client of a live run: its process, and its ends of the network.

use std::collections::BTreeMap;
use std::sync::Arc;

use locklab_core::history::{Event, What};
use locklab_core::wire::{Command, NodeId, RequestId};
use locklab_core::worker::{Input, Output};

use super::super::client::{RemoteClient, Told, Want};
use super::super::error::LiveError;
use super::super::link::{LineId, Link};
use super::super::resource::{decode_ask, encode_outcome};

/// A client process with its links.
#[derive(Debug)]
pub struct LiveClient {
    pub(super) process: Option<RemoteClient>,
    /// Its links to the servers, by the node that it asks for.
    pub(super) links: Vec<Link>,
    /// Its link to the resource.
    pub(super) resource: Link,
    /// Commands that it has sent, each with the link and the line that it came on.
    pub(super) sent: Vec<(Arc<Command>, usize, LineId)>,
    /// Requests without an answer yet; `None`: to the resource.
    pub(super) waiting: BTreeMap<RequestId, (Option<usize>, LineId)>,
    /// Where a command blocks or a subscription listens: node, link, line.
    pub(super) blocked: Vec<(NodeId, usize, LineId)>,
    pub(super) subscribed: Vec<(NodeId, usize, LineId)>,
}

impl LiveClient {
    /// A client that is not started yet, linked to so many nodes.
    pub fn new(nodes: usize) -> Result<LiveClient, LiveError> {
        let open = || Link::open().map_err(LiveError::system("open a link", "打开链路"));
        let links = (0..nodes).map(|_| open()).collect::<Result<_, _>>()?;
        let (sent, waiting, blocked, subscribed) = (Vec::new(), BTreeMap::new(), Vec::new(), Vec::new());
        Ok(LiveClient { process: None, links, resource: open()?, sent, waiting, blocked, subscribed })
    }

    pub(super) fn process(&mut self) -> Result<&mut RemoteClient, LiveError> {
        let gone = || LiveError::Broken("a client that is not running was spoken to".into());
        self.process.as_mut().ok_or_else(gone)
    }

    fn settle(&mut self, request: RequestId) -> Result<(Option<usize>, LineId), LiveError> {
        let unknown = || LiveError::Broken(format!("request {} is not waited for", request.0));
        self.waiting.remove(&request).ok_or_else(unknown)
    }

    /// Turns an input into what the process is told, and puts what it will read on its connections.
    pub(super) fn tell(&mut self, input: Input) -> Result<Told, LiveError> {
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
                let unknown = || LiveError::Broken("a message came without a subscription".into());
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
    pub(super) fn want(&mut self, want: Want) -> Result<Output, LiveError> {
        Ok(match want {
            Want::Send { sent, line } => {
                let What::Sent { node: to, request, phase, code, .. } = report(&sent)? else {
                    return Err(garbled(&sent));
                };
                let (link, line) = (usize::from(to.0), LineId(line));
                let command = Arc::new(
                    self.links[link]
                        .take(line)
                        .map_err(LiveError::system("take a command off the wire", "从链路上取下命令"))?,
                );
                self.sent.push((command.clone(), link, line));
                self.waiting.insert(request, (Some(link), line));
                Output::Send { to, request, phase, code, command }
            }
            Want::Ask { request, line } => {
                let (request, line) = (RequestId(request), LineId(line));
                let command = self
                    .resource
                    .take(line)
                    .map_err(LiveError::system("take a question off the wire", "从链路上取下请求"))?;
                let malformed = || LiveError::Broken(format!("the resource was asked {command}"));
                self.waiting.insert(request, (None, line));
                Output::Ask { request, ask: Arc::new(decode_ask(&command).ok_or_else(malformed)?) }
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
            Want::Failed(reason) => return Err(LiveError::Broken(reason)),
        })
    }
}

/// What a client process reports.
fn report(line: &str) -> Result<What, LiveError> {
    Event::from_line(line).map(|event| event.what).map_err(|_| garbled(line))
}

fn garbled(line: &str) -> LiveError {
    LiveError::Broken(format!("a client process reported {line}"))
}
