//! The parts of a world whose server is a real one that is no Redis.

use std::sync::Arc;
use std::time::Instant as RealInstant;

use locklab_core::history::{KeyChange, Outcome as Answered};
use locklab_core::resource::Ask;
use locklab_core::servers::Outcome;
use locklab_core::sim::{Answer, Call, Change, Executed, Instant, Parts};
use locklab_core::time::{LocalTime, Time};
use locklab_core::wire::{ClientId, Command, NodeId, Records, Reply, RequestId};
use locklab_core::worker::{Input, Output};

use super::super::error::LiveError;
use super::super::parts::Crew;
use super::super::supervisor::Belonging;
use super::RealService;

/// The clients and the service of a live run.
#[derive(Debug)]
pub struct ServiceParts {
    service: Box<dyn RealService>,
    crew: Crew,
    /// The records that the world knows of.
    known: Records,
    /// Whether it has not been killed.
    is_up: bool,
    /// Something has ended by itself while a command ran, and the world is still to be told.
    ended: bool,
}

impl ServiceParts {
    /// A service that runs, and the clients that will use it.
    pub fn new(service: Box<dyn RealService>, crew: Crew) -> ServiceParts {
        ServiceParts { service, crew, known: Records::new(), is_up: true, ended: false }
    }

    /// Starts the clients; then time may begin.
    pub fn begin(&mut self) -> Result<(), LiveError> {
        self.crew.begin()
    }

    /// Sets the server's clock to what the world says.
    fn turn(&mut self, at: Instant<'_>) {
        self.service.set_clock(at.clock.error(at.now));
    }

    /// The records now; who created those that the world does not know yet is `by`.
    fn look(&mut self, at: Instant<'_>, by: Option<ClientId>) -> Result<Records, LiveError> {
        let mut records = self.service.records(self.crew.pace.now(at.now))?;
        for (key, record) in &mut records {
            let earlier = self.known.get(key).filter(|known| known.created == record.created);
            record.created_by = match earlier {
                Some(known) => known.created_by,
                None => record.created_by.or(by),
            };
        }
        Ok(records)
    }

    /// What has changed since the world was last told. A record that is gone went by `gone`; `None`: the world is to be told later.
    fn changes(&mut self, after: &Records, gone: impl Fn(&dyn RealService, &str) -> Option<KeyChange>) -> Vec<Change> {
        let mut changes = Vec::new();
        self.ended = false;
        let lost: Vec<String> = self.known.keys().filter(|key| !after.contains_key(*key)).cloned().collect();
        for key in lost {
            let Some(change) = gone(self.service.as_ref(), &key) else {
                self.ended = true;
                continue;
            };
            self.known.remove(&key);
            changes.push(Change { key: Arc::from(key), change, record: None });
        }
        for (key, record) in after.iter().filter(|(key, record)| self.known.get(*key) != Some(record)) {
            let (change, record) = (KeyChange::Changed, Some(record.clone()));
            changes.push(Change { key: Arc::from(key.as_str()), change, record });
        }
        self.known.extend(after.iter().map(|(key, record)| (key.clone(), record.clone())));
        changes
    }

    /// Looks, and tells what others have got.
    fn seen(
        &mut self,
        at: Instant<'_>,
        by: Option<ClientId>,
        gone: impl Fn(&dyn RealService, &str) -> Option<KeyChange>,
    ) -> Result<Executed, LiveError> {
        if !self.is_up {
            return Ok(Executed::default());
        }
        let after = self.look(at, by)?;
        let changes = self.changes(&after, gone);
        let deliveries = self.service.deliveries()?;
        Ok(Executed { changes, deliveries, ..Executed::default() })
    }
}

impl Parts for ServiceParts {
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
        self.turn(at);
        let answer = match self.service.execute(self.crew.pace.now(at.now), client, command)? {
            Outcome::Reply(reply) => Answer::Reply(reply),
            Outcome::Blocked { timeout } => Answer::Blocked { timeout },
        };
        let command: &Command = command;
        let gone =
            |service: &dyn RealService, key: &str| service.may_remove(command, key).then_some(KeyChange::Deleted);
        Ok(Executed { answer, ..self.seen(at, client, gone)? })
    }

    fn unblock(&mut self, _at: Instant<'_>, client: ClientId, _acknowledged: Option<u64>) -> Result<Reply, LiveError> {
        self.service.time_out(client)
    }

    fn disconnect(&mut self, at: Instant<'_>, client: ClientId) -> Result<Executed, LiveError> {
        self.turn(at);
        self.service.disconnect(client)?;
        self.seen(at, Some(client), |service, key| service.ends_with_connection(key).then_some(KeyChange::Deleted))
    }

    fn cut_off(&mut self, at: Instant<'_>, client: ClientId) -> Result<Executed, LiveError> {
        self.turn(at);
        self.service.cut_off(client)?;
        self.seen(at, Some(client), |service, key| service.ends_with_connection(key).then_some(KeyChange::Vanished))
    }

    fn due(&mut self, at: Instant<'_>) -> Result<Option<Time>, LiveError> {
        self.turn(at);
        let now = self.crew.pace.now(at.now);
        Ok(if self.ended { Some(now) } else { self.service.due(now) })
    }

    fn expire(&mut self, at: Instant<'_>) -> Result<Executed, LiveError> {
        self.turn(at);
        self.seen(at, None, |_, _| Some(KeyChange::Expired))
    }

    fn records(&mut self, at: Instant<'_>) -> Result<Records, LiveError> {
        self.turn(at);
        self.known = self.look(at, None)?;
        Ok(self.known.clone())
    }

    fn replicate(&mut self, _at: Instant<'_>, _master: NodeId, _upto: u64) -> Result<Vec<Change>, LiveError> {
        Ok(Vec::new())
    }

    fn synchronise(&mut self, _at: Instant<'_>, _master: NodeId) -> Result<(), LiveError> {
        Ok(())
    }

    fn promote(&mut self, _at: Instant<'_>) -> Result<(), LiveError> {
        Ok(())
    }

    fn down(&mut self, _at: Instant<'_>) -> Result<Vec<Change>, LiveError> {
        self.service.crash();
        (self.is_up, self.ended) = (false, false);
        // While it is down nobody counts what is left of a lease.
        let mut changes = Vec::new();
        for (key, record) in self.known.iter_mut().filter(|(_, record)| record.gone_at.is_some()) {
            record.gone_at = None;
            let (change, record) = (KeyChange::Changed, Some(record.clone()));
            changes.push(Change { key: Arc::from(key.as_str()), change, record });
        }
        Ok(changes)
    }

    fn up(&mut self, _at: Instant<'_>, data_kept: bool) -> Result<(), LiveError> {
        // A scenario knows nothing of how long a process takes to start.
        let begun = RealInstant::now();
        self.service.restart(data_kept)?;
        self.is_up = true;
        self.crew.pace.leave_out(begun.elapsed());
        for id in self.service.process_ids() {
            self.crew.supervisor.entrust(&Belonging::process(id))?;
        }
        Ok(())
    }

    fn evict(&mut self, _at: Instant<'_>, _key: &str) -> Result<Vec<Change>, LiveError> {
        Ok(Vec::new())
    }

    fn flush_scripts(&mut self, _at: Instant<'_>) -> Result<(), LiveError> {
        Ok(())
    }

    fn answer(&mut self, client: ClientId, _request: RequestId, ask: &Ask) -> Result<Answered, LiveError> {
        Ok(self.crew.answer(client, ask))
    }
}
