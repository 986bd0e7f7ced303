//! What every live run has, whatever its servers are: client processes, the resource, the clock, and whoever cleans up.

use std::path::PathBuf;
use std::sync::Arc;

use locklab_core::history::Outcome;
use locklab_core::resource::{Ask, Resource};
use locklab_core::sim::Plan;
use locklab_core::time::LocalTime;
use locklab_core::wire::ClientId;
use locklab_core::worker::{Input, Output};

use super::super::client::{RemoteClient, Setup};
use super::super::error::LiveError;
use super::super::link::Link;
use super::super::pace::Pace;
use super::super::supervisor::{Belonging, Supervisor};
use super::LiveClient;

/// The clients, the resource and the clock of a live run.
#[derive(Debug)]
pub struct Crew {
    /// This program, of which client processes are made.
    program: PathBuf,
    /// What every client process is told at its start.
    setup: Setup,
    /// The clients' names, for the resource.
    names: Vec<Arc<str>>,
    /// The clients, once they have been started.
    pub(in crate::live) clients: Vec<LiveClient>,
    /// What the lock protects.
    resource: Resource,
    /// Where time comes from.
    pub(in crate::live) pace: Pace,
    /// Whoever cleans up.
    pub(in crate::live) supervisor: Supervisor,
}

impl Crew {
    /// The clients of a plan, not started yet; `program` is this program.
    pub fn new(
        plan: &Plan,
        program: PathBuf,
        setup: Setup,
        pace: Pace,
        supervisor: Supervisor,
    ) -> Result<Crew, LiveError> {
        let clients = plan.clients.iter().map(|_| LiveClient::new(plan.nodes.len())).collect::<Result<_, _>>()?;
        let info = &plan.header.resource;
        let resource = Resource::new(info.kind, info.guard, info.initial, info.cells.len());
        Ok(Crew { program, setup, names: plan.names.clone(), clients, resource, pace, supervisor })
    }

    /// Starts every client's first process and waits until all know their parts; then time may begin.
    pub fn begin(&mut self) -> Result<(), LiveError> {
        let clients: Vec<ClientId> = self.ids().collect();
        for client in &clients {
            self.start(*client, 1, 0)?;
        }
        for client in clients {
            self.client(client).process()?.await_ready()?;
        }
        Ok(())
    }

    /// All clients.
    pub fn ids(&self) -> impl Iterator<Item = ClientId> + use<> {
        (0..self.clients.len()).map(|id| ClientId(u16::try_from(id).expect("a scenario has fewer clients")))
    }

    fn start(&mut self, client: ClientId, life: u32, holds: u32) -> Result<(), LiveError> {
        let state = self.client(client);
        let (nodes, resource) = (state.links.iter().map(Link::address).collect(), state.resource.address());
        let setup = Setup { client: client.0, life, holds, nodes, resource, ..self.setup.clone() };
        let process = RemoteClient::start(&self.program, setup)?;
        self.supervisor.entrust(&Belonging::process(process.process_id()))?;
        self.client(client).process = Some(process);
        Ok(())
    }

    /// A client with its links.
    pub fn client(&mut self, client: ClientId) -> &mut LiveClient {
        &mut self.clients[usize::from(client.0)]
    }

    /// See [`Parts::spawn`](locklab_core::sim::Parts::spawn).
    pub fn spawn(&mut self, client: ClientId, life: u32, holds: u32) -> Result<(), LiveError> {
        // The first processes stand ready already.
        if life == 1 && self.client(client).process.is_some() {
            return Ok(());
        }
        self.start(client, life, holds)?;
        self.client(client).process()?.await_ready()
    }

    /// See [`Parts::kill`](locklab_core::sim::Parts::kill).
    pub fn kill(&mut self, client: ClientId) {
        let client = self.client(client);
        client.process = None;
        client.waiting.clear();
        client.links.iter_mut().for_each(Link::lose_client);
        client.resource.lose_client();
    }

    /// See [`Parts::freeze`](locklab_core::sim::Parts::freeze).
    pub fn freeze(&mut self, client: ClientId, frozen: bool) -> Result<(), LiveError> {
        self.client(client).process()?.suspend(frozen)
    }

    /// See [`Parts::drive`](locklab_core::sim::Parts::drive).
    pub fn drive(&mut self, client: ClientId, now: LocalTime, input: Option<Input>) -> Result<Output, LiveError> {
        let client = self.client(client);
        if let Some(input) = input {
            let told = client.tell(input)?;
            client.process()?.handle(now, told)?;
        }
        let want = client.process()?.poll(now)?;
        client.want(want)
    }

    /// See [`Parts::answer`](locklab_core::sim::Parts::answer).
    pub fn answer(&mut self, client: ClientId, ask: &Ask) -> Outcome {
        let name = self.names[usize::from(client.0)].clone();
        self.resource.answer(&name, ask)
    }
}
