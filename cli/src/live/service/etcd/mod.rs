//! An etcd of the run's own, spoken to through its JSON gateway.
//!
//! The words of the model map one to one: a transaction is one transaction, a watch is one watch. The numbers of leases are the server's own.
//! A lease ends when the leader looks, which is twice a second; and a new leader adds its election time-out to every lease. So a key is gone
//! up to that much later than the model says.

mod gateway;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command as Program;

use locklab_core::servers::etcd::{Operation, Request};
use locklab_core::servers::{Delivery, Outcome};
use locklab_core::time::{Span, Time};
use locklab_core::wire::{ClientId, Command, Record, RecordValue, Records, Reply};
use serde_json::{Value, json};

use super::super::error::LiveError;
use super::super::ports::free_port;
use super::super::server::PATIENCE;
use super::RealService;
use super::process::{ServerProcess, on_path};
use gateway::{Said, Stream, ask};
use words::{Entry, encoded, integer, number};

/// From the end of a lease to that of its keys at the latest: the leader looks twice a second, and then writes.
const LATE: Span = Span::from_millis(1_000);
/// The same under a leader that has just begun and added its election time-out.
const LATER: Span = Span::from_millis(2_500);
/// How often a server is looked at while a lease may end.
const LOOK: Span = Span::from_millis(10);

/// The etcd program of this machine.
#[derive(Clone, Debug)]
pub struct EtcdProgram {
    path: PathBuf,
}

impl EtcdProgram {
    /// Looks for it on the PATH.
    pub fn find() -> Result<EtcdProgram, LiveError> {
        let missing = LiveError::NotInstalled { what: "etcd", packages: "etcd-server" };
        Ok(EtcdProgram { path: on_path("etcd").ok_or(missing)? })
    }

    /// Its name and version, such as `etcd 3.4.23`.
    pub fn version(&self) -> Result<String, LiveError> {
        let output = Program::new(&self.path).arg("--version").output();
        let output = output.map_err(LiveError::system("start etcd", "启动 etcd"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let number = text.lines().find_map(|line| line.strip_prefix("etcd Version: "));
        Ok(format!("etcd {}", number.unwrap_or("of unknown version").trim()))
    }
}

/// A running (or crashed) etcd.
#[derive(Debug)]
pub struct Etcd {
    program: EtcdProgram,
    version: String,
    data: PathBuf,
    address: SocketAddr,
    peer: SocketAddr,
    process: ServerProcess,
    leases: BTreeMap<u64, Lease>,
    /// Every key that was there at the last look.
    keys: BTreeMap<String, Entry>,
    /// The lease of every key that has ever been seen.
    hung: BTreeMap<String, u64>,
    watches: Vec<Watch>,
}

/// A lease, as far as it can be known from outside.
#[derive(Clone, Copy, Debug)]
struct Lease {
    length: Span,
    /// It is over at this instant at the soonest, and its keys are gone so much later at the latest; `None`: to be counted from the next look.
    ends: Option<(Time, Span)>,
}

/// A client that waits for the deletion of a key that was created at a revision or before.
#[derive(Debug)]
struct Watch {
    client: ClientId,
    key: String,
    revision: u64,
    stream: Stream,
}

impl Etcd {
    /// Starts an etcd of one member in a folder.
    pub fn start(folder: &Path) -> Result<Etcd, LiveError> {
        let program = EtcdProgram::find()?;
        let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut etcd = Etcd {
            version: program.version()?,
            program,
            data: folder.join("data"),
            address: at(free_port()?),
            peer: at(free_port()?),
            process: ServerProcess::new("etcd", folder.join("log")),
            leases: BTreeMap::new(),
            keys: BTreeMap::new(),
            hung: BTreeMap::new(),
            watches: Vec::new(),
        };
        etcd.launch()?;
        Ok(etcd)
    }

    fn launch(&mut self) -> Result<(), LiveError> {
        let (address, peer) = (self.address, format!("http://{}", self.peer));
        let client = format!("http://{address}");
        let mut command = Program::new(&self.program.path);
        command.args(["--name", "locklab", "--log-level", "error", "--data-dir"]).arg(&self.data);
        command.args(["--listen-client-urls", &client, "--advertise-client-urls", &client]);
        command.args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer]);
        command.args(["--initial-cluster", &format!("locklab={peer}")]);
        // It answers a linearizable read once it has a leader.
        let everything = everything();
        self.process.launch(&mut command, || matches!(ask(address, "/v3/kv/range", &everything), Ok(Said::Yes(_))))
    }

    fn ask(&self, path: &str, question: &Value) -> Result<Said, LiveError> {
        ask(self.address, path, question).map_err(LiveError::unreachable(self.address))
    }

    fn grant(&mut self, now: Time, seconds: i64) -> Result<Reply, LiveError> {
        let answer = match self.ask("/v3/lease/grant", &json!({ "TTL": seconds.to_string() }))? {
            Said::Yes(answer) => answer,
            Said::No(code, message) => return Ok(words::refusal(code, &message)),
        };
        let (lease, seconds) = (number(&answer, "ID"), number(&answer, "TTL"));
        let length = Span::from_secs(seconds);
        self.leases.insert(lease, Lease { length, ends: Some((now + length, LATE)) });
        Ok(Reply::Array(vec![Reply::bulk(lease.to_string()), integer(seconds)]))
    }

    fn keep_alive(&mut self, now: Time, lease: u64) -> Result<Reply, LiveError> {
        let answer = match self.ask("/v3/lease/keepalive", &json!({ "ID": lease.to_string() }))? {
            Said::Yes(answer) => answer,
            Said::No(code, message) => return Ok(words::refusal(code, &message)),
        };
        // A lease that is over is answered without a time to live.
        let seconds = answer.get("result").map_or(0, |result| number(result, "TTL"));
        if seconds == 0 {
            return Ok(words::refusal(5, "requested lease not found"));
        }
        if let Some(lease) = self.leases.get_mut(&lease) {
            lease.ends = Some((now + lease.length, LATE));
        }
        Ok(integer(seconds))
    }

    fn single(&self, operation: Operation<'_>) -> Result<Reply, LiveError> {
        let (path, _, question) = words::operation(operation);
        Ok(match self.ask(path, &question)? {
            Said::Yes(answer) => words::reply(operation, &answer, revision(&answer)),
            Said::No(code, message) => words::refusal(code, &message),
        })
    }

    fn transact(
        &self,
        key: &str,
        created: u64,
        then: &[Operation<'_>],
        otherwise: &[Operation<'_>],
    ) -> Result<Reply, LiveError> {
        let branch = |operations: &[Operation<'_>]| -> Vec<Value> {
            let asked = operations.iter().map(|operation| words::operation(*operation));
            asked.map(|(_, name, question)| json!({ name: question })).collect()
        };
        let compare = json!({
            "key": encoded(key), "target": "CREATE", "result": "EQUAL", "create_revision": created.to_string(),
        });
        let question = json!({ "compare": [compare], "success": branch(then), "failure": branch(otherwise) });
        let answer = match self.ask("/v3/kv/txn", &question)? {
            Said::Yes(answer) => answer,
            Said::No(code, message) => return Ok(words::refusal(code, &message)),
        };
        let succeeded = answer.get("succeeded").and_then(Value::as_bool).unwrap_or(false);
        let done = if succeeded { then } else { otherwise };
        let responses = answer.get("responses").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut replies = vec![Reply::Integer(i64::from(succeeded))];
        for (operation, response) in done.iter().zip(&responses) {
            // Each response is an object of one field, named after what it answers.
            let inner = response.as_object().and_then(|object| object.values().next()).unwrap_or(&Value::Null);
            replies.push(words::reply(*operation, inner, revision(&answer)));
        }
        Ok(Reply::Array(replies))
    }

    fn watch(&mut self, client: ClientId, key: &str, since: u64) -> Result<Outcome, LiveError> {
        let unreachable = LiveError::unreachable(self.address);
        let create = json!({ "key": encoded(key), "start_revision": since.to_string(), "filters": ["NOPUT"] });
        let stream = Stream::open(self.address, "/v3/watch", &json!({ "create_request": create }));
        let mut watch = Watch { client, key: key.to_owned(), revision: since, stream: stream.map_err(unreachable)? };
        // The first line says that the watch is there.
        watch.stream.line(PATIENCE).map_err(LiveError::unreachable(self.address))?;
        let stands = match self.ask("/v3/kv/range", &json!({ "key": encoded(key) }))? {
            Said::Yes(answer) => answer.pointer("/kvs/0").map(Entry::read).is_some_and(|entry| watch.waits_for(&entry)),
            Said::No(..) => false,
        };
        if stands {
            self.watches.push(watch);
            return Ok(Outcome::Blocked { timeout: None });
        }
        Ok(Outcome::Reply(watch.event().map_err(LiveError::unreachable(self.address))?))
    }

    /// Lets every lease that nobody counts be counted from now.
    fn count(&mut self, now: Time) {
        for lease in self.leases.values_mut().filter(|lease| lease.ends.is_none()) {
            lease.ends = Some((now + lease.length, LATER));
        }
    }
}

impl Watch {
    /// Whether this key is the one that it waits for, and not another of its name.
    fn waits_for(&self, entry: &Entry) -> bool {
        (1..=self.revision).contains(&entry.created)
    }

    /// The deletion, which is certain to come.
    fn event(&mut self) -> io::Result<Reply> {
        let late = || io::Error::new(io::ErrorKind::TimedOut, format!("nobody is told that {} is deleted", self.key));
        loop {
            let line = self.stream.line(PATIENCE)?.ok_or_else(late)?;
            let events = line.pointer("/result/events").and_then(Value::as_array);
            if events.is_some_and(|events| events.iter().any(|event| event.get("type").is_some())) {
                return Ok(Reply::Array(vec![Reply::bulk("DELETE"), Reply::bulk(&self.key)]));
            }
        }
    }
}

impl RealService for Etcd {
    fn name(&self) -> String {
        self.version.clone()
    }

    fn process_ids(&self) -> Vec<u32> {
        self.process.id().into_iter().collect()
    }

    fn execute(&mut self, now: Time, client: Option<ClientId>, command: &Command) -> Result<Outcome, LiveError> {
        let words = command.texts().unwrap_or_default();
        let reply = match (Request::read(&words), client) {
            (None, _) | (Some(Request::Watch { .. }), None) => words::refusal(3, &format!("not understood: {command}")),
            (Some(Request::Watch { key, revision }), Some(client)) => return self.watch(client, key, revision),
            (Some(Request::Grant { seconds }), _) => self.grant(now, seconds)?,
            (Some(Request::KeepAlive { lease }), _) => self.keep_alive(now, lease)?,
            (Some(Request::Revoke { lease }), _) => {
                match self.ask("/v3/lease/revoke", &json!({ "ID": lease.to_string() }))? {
                    Said::Yes(_) => Reply::ok(),
                    Said::No(code, message) => words::refusal(code, &message),
                }
            }
            (Some(Request::Single(operation)), _) => self.single(operation)?,
            (Some(Request::Transaction { key, created, then, otherwise }), _) => {
                self.transact(key, created, &then, &otherwise)?
            }
        };
        Ok(Outcome::Reply(reply))
    }

    fn may_remove(&self, command: &Command, key: &str) -> bool {
        let deletes = |operation: &Operation<'_>| *operation == Operation::Delete { key };
        match Request::read(&command.texts().unwrap_or_default()) {
            Some(Request::Revoke { lease }) => self.hung.get(key) == Some(&lease),
            Some(Request::Single(operation)) => deletes(&operation),
            Some(Request::Transaction { then, otherwise, .. }) => then.iter().chain(&otherwise).any(deletes),
            _ => false,
        }
    }

    fn ends_with_connection(&self, _key: &str) -> bool {
        false
    }

    fn deliveries(&mut self) -> Result<Vec<Delivery>, LiveError> {
        let (told, waiting): (Vec<Watch>, Vec<Watch>) = std::mem::take(&mut self.watches)
            .into_iter()
            .partition(|watch| !self.keys.get(&watch.key).is_some_and(|entry| watch.waits_for(entry)));
        self.watches = waiting;
        let deliveries = told.into_iter().map(|mut watch| {
            let message = watch.event().map_err(LiveError::unreachable(self.address))?;
            Ok(Delivery { client: watch.client, message, answers: true })
        });
        deliveries.collect()
    }

    fn time_out(&mut self, client: ClientId) -> Result<Reply, LiveError> {
        self.disconnect(client)?;
        Ok(Reply::Nil)
    }

    /// A watch lives as long as its connection; a lease and its keys do not.
    fn disconnect(&mut self, client: ClientId) -> Result<(), LiveError> {
        self.watches.retain(|watch| watch.client != client);
        Ok(())
    }

    fn records(&mut self, now: Time) -> Result<Records, LiveError> {
        self.count(now);
        let answer = match self.ask("/v3/kv/range", &everything())? {
            Said::Yes(answer) => answer,
            Said::No(_, reply) => return Err(LiveError::Refused { server: self.address.to_string(), reply }),
        };
        let entries = answer.get("kvs").and_then(Value::as_array).into_iter().flatten().map(Entry::read);
        self.keys = entries.map(|entry| (entry.key.clone(), entry)).collect();
        self.hung.extend(self.keys.values().map(|entry| (entry.key.clone(), entry.lease)));
        let soon = now + LOOK + LOOK;
        let records = self.keys.iter().map(|(key, entry)| {
            let ends = self.leases.get(&entry.lease).and_then(|lease| lease.ends);
            let gone_at = ends.map(|(ends, late)| (ends + late).max(soon));
            let value = RecordValue::Text(entry.value.clone());
            (key.clone(), Record { value, gone_at, created_by: None, created: entry.created })
        });
        Ok(records.collect())
    }

    fn due(&self, now: Time) -> Option<Time> {
        let hung = self.keys.values().filter_map(|entry| self.leases.get(&entry.lease)?.ends);
        hung.map(|(ends, _)| if ends > now { ends } else { now + LOOK }).min()
    }

    fn crash(&mut self) {
        self.watches.clear();
        self.process.crash();
    }

    fn restart(&mut self, data_kept: bool) -> Result<(), LiveError> {
        if !data_kept {
            self.leases.clear();
            fs::remove_dir_all(&self.data).map_err(LiveError::system("remove a server's data", "删除服务器的数据"))?;
        }
        self.launch()?;
        for lease in self.leases.values_mut() {
            lease.ends = None;
        }
        Ok(())
    }
}

/// A question for all keys.
fn everything() -> Value {
    json!({ "key": encoded([0]), "range_end": encoded([0]) })
}

/// The revision of the store at which an answer was given.
fn revision(answer: &Value) -> u64 {
    answer.get("header").map_or(0, |header| number(header, "revision"))
}
