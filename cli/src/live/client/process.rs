//! Inside a client process.

use std::io::{self, BufRead, Write};
use std::net::SocketAddr;

use locklab_core::history::{Event, What};
use locklab_core::locks::Client as LockClient;
use locklab_core::time::{LocalTime, Time};
use locklab_core::wire::{ClientId, NodeId, RequestId};
use locklab_core::worker::{Input, Output, Worker};

use super::super::resource::{decode_outcome, encode_ask};
use super::lines::Lines;
use super::protocol::{Order, Setup, Told, Want};

/// The client's life: obeys until its orders end.
pub fn run(orders: impl BufRead, mut reports: impl Write) {
    let mut client = None;
    for order in orders.lines() {
        let Ok(order) = order else { return };
        if let Err(reason) = obey(&mut client, &order, &mut reports) {
            // Without a driver there is nobody to tell.
            let _ = report(&mut reports, &Want::Failed(reason.to_string()));
            return;
        }
    }
}

fn obey(client: &mut Option<Client>, order: &str, reports: &mut impl Write) -> io::Result<()> {
    match serde_json::from_str(order)? {
        Order::Setup(setup) => {
            *client = Some(Client::new(*setup)?);
            // The driver waits for this before time begins.
            report(reports, &Want::Wait(None))
        }
        Order::Handle { wall, monotonic, told } => ready(client)?.handle(LocalTime { wall, monotonic }, told),
        Order::Poll { wall, monotonic } => {
            let want = ready(client)?.poll(LocalTime { wall, monotonic })?;
            report(reports, &want)
        }
    }
}

fn ready(client: &mut Option<Client>) -> io::Result<&mut Client> {
    client.as_mut().ok_or_else(|| io::Error::other("the first order must be the set-up"))
}

fn report(reports: &mut impl Write, want: &Want) -> io::Result<()> {
    serde_json::to_writer(&mut *reports, want)?;
    reports.write_all(b"\n")?;
    reports.flush()
}

struct Client {
    id: ClientId,
    worker: Worker<LockClient>,
    nodes: Vec<SocketAddr>,
    resource: SocketAddr,
    lines: Lines,
}

impl Client {
    fn new(setup: Setup) -> io::Result<Client> {
        let id = ClientId(setup.client);
        let worker = super::super::play::worker(&setup).map_err(io::Error::other)?;
        Ok(Client { id, worker, nodes: setup.nodes, resource: setup.resource, lines: Lines::default() })
    }

    fn handle(&mut self, now: LocalTime, told: Told) -> io::Result<()> {
        let input = match told {
            Told::Start => Input::Start,
            Told::Timer => Input::Timer,
            Told::Suspend(stopped) => Input::Suspend(stopped),
            Told::Chosen(index) => Input::Chosen(index),
            Told::Reply(request) => {
                let request = RequestId(request);
                Input::Reply { request, reply: self.lines.reply(request)? }
            }
            Told::Answer(request) => {
                let request = RequestId(request);
                let reply = self.lines.reply(request)?;
                let outcome = decode_outcome(&reply).ok_or_else(|| io::Error::other("the resource gave no answer"))?;
                Input::Answer { request, outcome }
            }
            Told::Push { from, line } => Input::Push { from: NodeId(from), message: self.lines.message(line)? },
            Told::Disconnected(request) => {
                let request = RequestId(request);
                self.lines.close(request);
                Input::Disconnected { request }
            }
        };
        self.worker.handle(now, input);
        Ok(())
    }

    fn poll(&mut self, now: LocalTime) -> io::Result<Want> {
        Ok(match self.worker.poll(now) {
            Output::Send { to, request, phase, code, command } => {
                let address =
                    self.nodes.get(usize::from(to.0)).ok_or_else(|| io::Error::other("no link to this node"))?;
                let line = self.lines.send(*address, request, &command)?;
                let sent = What::Sent { client: self.id, node: to, request, phase, code, command };
                Want::Send { sent: told(now, sent), line }
            }
            Output::Ask { request, ask } => {
                Want::Ask { request: request.0, line: self.lines.send(self.resource, request, &encode_ask(&ask))? }
            }
            Output::Cancel { request } => {
                self.lines.close(request);
                Want::Cancel(request.0)
            }
            Output::Event(event) => Want::Event(told(now, What::Client { client: self.id, event })),
            Output::Choose { label, count } => Want::Choose { pick: label.into(), count },
            Output::Wait { until } => Want::Wait(until),
        })
    }
}

/// An event as the client tells it, by its own monotonic clock: true time is the driver's.
fn told(now: LocalTime, what: What) -> String {
    Event { at: Time(u64::try_from(now.monotonic).unwrap_or(0)), what }.to_line()
}
