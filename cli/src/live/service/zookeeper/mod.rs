//! A ZooKeeper of the run's own, spoken to in its own protocol.
//!
//! A path of the model, `lock/A-1-`, is the server's `/lock/A-1-`; the numbers of sessions and transactions are the server's own. Whoever
//! creates a place creates its parents too, as Curator does, which the records leave out. The server looks for sessions that are over at
//! each of its ticks, which are short here; so a session ends up to a tick later than the model says.

mod jute;
mod program;
mod session;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use locklab_core::servers::{Delivery, Outcome};
use locklab_core::time::{Span, Time};
use locklab_core::wire::{ClientId, Command, Record, RecordValue, Records, Reply};

use super::super::error::LiveError;
use super::super::ports::free_port;
use super::super::server::PATIENCE;
use super::RealService;
use super::process::ServerProcess;
pub use program::ZooKeeperProgram;
use session::{NO_NODE, NODE_EXISTS, Refused, Session, Znode};

/// The server's tick. A session is at least two of them long, and ends at the end of one.
const TICK: Span = Span::from_millis(100);
/// From the end of a session to that of its znodes at the latest: the tick goes on to its end, and then the server writes.
const LATE: Span = Span::from_millis(500);
/// How often the server is looked at while a session may end.
const LOOK: Span = Span::from_millis(10);
/// How long a server that starts may take to answer: one that is greeted too early never does, and is greeted again.
const GREETING: Duration = Duration::from_millis(250);
/// The time-out of the driver's own session, in milliseconds: a day.
const LONGEST: i32 = 24 * 60 * 60 * 1_000;

/// A running (or crashed) ZooKeeper.
#[derive(Debug)]
pub struct ZooKeeper {
    program: ZooKeeperProgram,
    folder: PathBuf,
    address: SocketAddr,
    process: ServerProcess,
    /// The driver's own session; `None`: it has none yet.
    own: Option<Session>,
    sessions: BTreeMap<i64, Client>,
    /// Znodes that are there only to have children.
    parents: BTreeSet<String>,
    /// Every znode that was there at the last look.
    znodes: BTreeMap<String, Znode>,
    /// The session of every znode that has ever been seen.
    owners: BTreeMap<String, i64>,
    watches: Vec<Watch>,
}

/// A client's session.
#[derive(Debug)]
struct Client {
    client: Option<ClientId>,
    session: Session,
    /// When it is over at the soonest; `None`: to be counted from the next look.
    ends: Option<Time>,
}

/// A client that waits for the deletion of the znode that a transaction created.
#[derive(Debug)]
struct Watch {
    client: ClientId,
    session: i64,
    path: String,
    czxid: u64,
}

impl ZooKeeper {
    /// Starts a ZooKeeper of one member in a folder.
    pub fn start(folder: &Path) -> Result<ZooKeeper, LiveError> {
        let program = ZooKeeperProgram::find()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
        let configuration = format!(
            "tickTime={tick}\nclientPort={port}\nclientPortAddress=127.0.0.1\ndataDir={data}\nminSessionTimeout={shortest}\n\
             maxSessionTimeout={LONGEST}\nmaxClientCnxns=0\n",
            tick = TICK.as_millis(),
            shortest = 2 * TICK.as_millis(),
            port = address.port(),
            data = folder.join("data").display(),
        );
        let written = fs::write(folder.join("zoo.cfg"), configuration);
        written.map_err(LiveError::system("write a server's configuration", "写服务器的配置"))?;
        let mut zookeeper = ZooKeeper {
            program,
            folder: folder.to_owned(),
            address,
            process: ServerProcess::new("ZooKeeper", folder.join("log")),
            own: None,
            sessions: BTreeMap::new(),
            parents: BTreeSet::new(),
            znodes: BTreeMap::new(),
            owners: BTreeMap::new(),
            watches: Vec::new(),
        };
        zookeeper.launch()?;
        Ok(zookeeper)
    }

    fn launch(&mut self) -> Result<(), LiveError> {
        let mut command = self.program.command(&self.folder.join("zoo.cfg"));
        let (address, own) = (self.address, &mut self.own);
        self.process.launch(&mut command, || match own {
            Some(session) => session.connect(GREETING).unwrap_or(false),
            None => {
                *own = Session::open(address, LONGEST, GREETING).ok();
                own.is_some()
            }
        })
    }

    fn own(&mut self) -> &mut Session {
        self.own.as_mut().expect("a server that was started has been spoken to")
    }

    fn connect(&mut self, now: Time, client: Option<ClientId>, timeout: i32) -> Result<Reply, LiveError> {
        let session = Session::open(self.address, timeout, PATIENCE).map_err(LiveError::unreachable(self.address))?;
        let id = session.id();
        let ends = Some(now + length(&session));
        self.sessions.insert(id, Client { client, session, ends });
        Ok(Reply::bulk(id.to_string()))
    }

    /// A command of a session, or of an operator.
    fn answer(
        &mut self,
        client: Option<ClientId>,
        words: &[&str],
        id: Option<i64>,
    ) -> Result<Result<Outcome, Refused>, LiveError> {
        if let ["create", .., path, _data] = words {
            self.create_parents(path)?;
        }
        let session = match id {
            None => self.own(),
            Some(id) => match self.sessions.get_mut(&id) {
                Some(known) => &mut known.session,
                None => return Ok(Err(Refused::Expired)),
            },
        };
        let reply = match *words {
            ["ping"] => session.ping().map(|()| Reply::Status("PONG".into())),
            ["close"] => session.close().map(|()| Reply::ok()),
            ["create", "-s", "-e", path, data] => session.create_place(&real(path), data).map(created),
            ["create", path, data] => session.create(&real(path), data).map(created),
            ["ls", path] => session.children(&real(path)).or_else(no_children).map(listed),
            ["exists", path] => session.read(&real(path), false).map(shown),
            ["exists", "-w", path] => match (session.read(&real(path), client.is_some()), client, id) {
                (Ok(Some(znode)), Some(client), Some(session)) => {
                    self.watches.push(Watch { client, session, path: path.to_owned(), czxid: znode.czxid });
                    return Ok(Ok(Outcome::Blocked { timeout: None }));
                }
                (znode, ..) => znode.map(shown),
            },
            ["delete", path] => session.delete(&real(path)).map(|()| Reply::ok()),
            _ => Ok(Reply::Error(format!("BADARGUMENTS not understood: {}", words.join(" ")))),
        };
        Ok(reply.map(Outcome::Reply))
    }

    /// Creates what is missing above a path.
    fn create_parents(&mut self, path: &str) -> Result<(), LiveError> {
        let address = self.address;
        for (end, _) in path.match_indices('/') {
            let parent = &path[..end];
            if self.parents.contains(parent) || self.znodes.contains_key(parent) {
                continue;
            }
            match self.own().create(&real(parent), "") {
                Ok(_) => drop(self.parents.insert(parent.to_owned())),
                Err(Refused::Code(NODE_EXISTS)) => {}
                Err(refused) => return Err(refused.into_error(address)),
            }
        }
        Ok(())
    }

    /// All znodes below a path, itself left out.
    fn walk(&mut self, path: &str, found: &mut BTreeMap<String, Znode>) -> Result<(), Refused> {
        let below = match self.own().children(&real(path)) {
            // It has gone meanwhile.
            Err(Refused::Code(NO_NODE)) => return Ok(()),
            below => below?,
        };
        for name in below {
            let child = if path.is_empty() { name } else { format!("{path}/{name}") };
            // ZooKeeper's own bookkeeping.
            if child == "zookeeper" {
                continue;
            }
            if let Some(znode) = self.own().read(&real(&child), false)? {
                // What is ephemeral has no children.
                if znode.owner == 0 {
                    self.walk(&child, found)?;
                }
                found.insert(child, znode);
            }
        }
        Ok(())
    }
}

impl Watch {
    /// Whether this znode is the one that it waits for, and not another of its name.
    fn waits_for(&self, znode: &Znode) -> bool {
        znode.czxid == self.czxid
    }
}

impl RealService for ZooKeeper {
    fn name(&self) -> String {
        self.program.version()
    }

    fn process_ids(&self) -> Vec<u32> {
        self.process.id().into_iter().collect()
    }

    fn execute(&mut self, now: Time, client: Option<ClientId>, command: &Command) -> Result<Outcome, LiveError> {
        let words = command.texts().unwrap_or_default();
        if let ["connect", timeout] = words[..]
            && let Ok(timeout) = timeout.parse()
        {
            return self.connect(now, client, timeout).map(Outcome::Reply);
        }
        let named = words.last().and_then(|last| last.strip_prefix('@')).and_then(|id| id.parse().ok());
        let words = if named.is_some() { &words[..words.len() - 1] } else { &words[..] };
        let outcome = self.answer(client, words, named)?;
        if let Some(known) = named.and_then(|id| self.sessions.get_mut(&id)) {
            known.ends = Some(now + length(&known.session));
        }
        match outcome {
            Err(Refused::Unreachable(error)) => Err(LiveError::unreachable(self.address)(error)),
            Err(refused) => {
                Ok(Outcome::Reply(refused.reply(words.iter().find(|word| word.contains('/')).unwrap_or(&""))))
            }
            Ok(outcome) => Ok(outcome),
        }
    }

    fn may_remove(&self, command: &Command, key: &str) -> bool {
        match command.texts().unwrap_or_default()[..] {
            ["delete", path, ..] => path == key,
            ["close", session] => {
                let session = session.strip_prefix('@').and_then(|id| id.parse::<i64>().ok());
                session.is_some() && self.owners.get(key).copied() == session
            }
            _ => false,
        }
    }

    fn ends_with_connection(&self, _key: &str) -> bool {
        false
    }

    fn deliveries(&mut self) -> Result<Vec<Delivery>, LiveError> {
        let (told, waiting): (Vec<Watch>, Vec<Watch>) = std::mem::take(&mut self.watches)
            .into_iter()
            .partition(|watch| !self.znodes.get(&watch.path).is_some_and(|znode| watch.waits_for(znode)));
        self.watches = waiting;
        let mut deliveries = Vec::new();
        for Watch { client, session, path, .. } in told {
            let heard =
                self.sessions.get_mut(&session).is_some_and(|known| known.session.hears_of_deletion(&real(&path)));
            if heard {
                let message = Reply::Array(vec![Reply::bulk("NodeDeleted"), Reply::bulk(path)]);
                deliveries.push(Delivery { client, message, answers: true });
            }
        }
        Ok(deliveries)
    }

    fn time_out(&mut self, client: ClientId) -> Result<Reply, LiveError> {
        self.watches.retain(|watch| watch.client != client);
        Ok(Reply::Nil)
    }

    /// A session outlives its connection; a watch does not.
    fn disconnect(&mut self, client: ClientId) -> Result<(), LiveError> {
        self.watches.retain(|watch| watch.client != client);
        self.sessions.values_mut().filter(|known| known.client == Some(client)).for_each(|known| known.session.cut());
        Ok(())
    }

    fn records(&mut self, now: Time) -> Result<Records, LiveError> {
        for known in self.sessions.values_mut() {
            known.ends.get_or_insert(now + length(&known.session));
        }
        let mut found = BTreeMap::new();
        self.walk("", &mut found).map_err(|refused| refused.into_error(self.address))?;
        found.retain(|path, _| !self.parents.contains(path));
        self.znodes = found;
        self.owners.extend(self.znodes.iter().map(|(path, znode)| (path.clone(), znode.owner)));
        let soon = now + LOOK + LOOK;
        let records = self.znodes.iter().map(|(path, znode)| {
            let ends = self.sessions.get(&znode.owner).and_then(|known| known.ends);
            let gone_at = ends.map(|ends| (ends + LATE).max(soon));
            let value = RecordValue::Text(znode.data.clone());
            (path.clone(), Record { value, gone_at, created_by: None, created: znode.czxid })
        });
        Ok(records.collect())
    }

    fn due(&self, now: Time) -> Option<Time> {
        let ends = self.znodes.values().filter_map(|znode| self.sessions.get(&znode.owner)?.ends);
        ends.map(|ends| if ends > now { ends } else { now + LOOK }).min()
    }

    fn crash(&mut self) {
        self.watches.clear();
        self.sessions.values_mut().map(|known| &mut known.session).chain(&mut self.own).for_each(Session::cut);
        self.process.crash();
    }

    fn restart(&mut self, data_kept: bool) -> Result<(), LiveError> {
        if !data_kept {
            (self.own, self.parents) = (None, BTreeSet::new());
            let removed = fs::remove_dir_all(self.folder.join("data"));
            removed.map_err(LiveError::system("remove a server's data", "删除服务器的数据"))?;
        }
        self.launch()?;
        // A leader that begins gives every session its full time.
        self.sessions.values_mut().for_each(|known| known.ends = None);
        Ok(())
    }
}

impl Refused {
    /// What a client is told; `path` is what it asked about.
    fn reply(&self, path: &str) -> Reply {
        Reply::Error(match self {
            Refused::Expired => "SESSIONEXPIRED the session is over".into(),
            Refused::Code(NO_NODE) => format!("NONODE {path}"),
            Refused::Code(NODE_EXISTS) => format!("NODEEXISTS {path}"),
            Refused::Code(code) => format!("REFUSED {code}"),
            Refused::Unreachable(error) => format!("CONNECTIONLOSS {error}"),
        })
    }

    /// What ends the run, where the driver itself was refused.
    fn into_error(self, server: SocketAddr) -> LiveError {
        match self {
            Refused::Unreachable(error) => LiveError::unreachable(server)(error),
            refused => LiveError::Refused { server: server.to_string(), reply: refused.reply("").to_string() },
        }
    }
}

/// How long a session is.
fn length(session: &Session) -> Span {
    Span::from_millis(u64::try_from(session.timeout()).unwrap_or(0))
}

/// A path of the model as the server knows it.
fn real(path: &str) -> String {
    format!("/{path}")
}

fn created((path, znode): (String, Znode)) -> Reply {
    Reply::Array(vec![Reply::bulk(path.trim_start_matches('/')), number(znode.czxid)])
}

fn shown(znode: Option<Znode>) -> Reply {
    znode.map_or(Reply::Nil, |znode| Reply::Array(vec![Reply::bulk(znode.data), number(znode.czxid)]))
}

fn listed(mut names: Vec<String>) -> Reply {
    names.sort();
    Reply::Array(names.into_iter().map(Reply::bulk).collect())
}

/// To the model parents are always there.
fn no_children(refused: Refused) -> Result<Vec<String>, Refused> {
    if matches!(refused, Refused::Code(NO_NODE)) { Ok(Vec::new()) } else { Err(refused) }
}

fn number(czxid: u64) -> Reply {
    Reply::Integer(i64::try_from(czxid).unwrap_or(i64::MAX))
}
