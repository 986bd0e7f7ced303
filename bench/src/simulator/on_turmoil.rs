//! The workload on turmoil: a small Redis and its clients as tokio tasks over simulated TCP.
//!
//! It is written to be quick: one line of text a command, one of a few characters a reply, no script engine.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::time::{Instant, sleep};
use turmoil::net::{TcpListener, TcpStream};

use super::workload::{Played, Workload};

const PORT: u16 = 6379;

/// The one key that matters: who holds it until when.
#[derive(Default)]
struct Store {
    holder: RefCell<Option<(String, Instant)>>,
    commands: Cell<u64>,
    grants: Cell<u64>,
}

/// Plays the workload.
pub fn play(workload: &Workload) -> anyhow::Result<Played> {
    let workload = *workload;
    let latency = Duration::from_millis(workload.latency_ms);
    let mut simulation = turmoil::Builder::new()
        .tick_duration(Duration::from_millis(1))
        .min_message_latency(latency)
        .max_message_latency(latency)
        .simulation_duration(Duration::from_millis(2 * workload.simulated_ms))
        .build();
    let store = Rc::new(Store::default());
    let shared = Rc::clone(&store);
    simulation.host("redis", move || serve(Rc::clone(&shared)));
    for number in 1..=workload.clients {
        let name = format!("client-{number}");
        simulation.client(name.clone(), contend(name, workload));
    }
    simulation.run().map_err(|error| anyhow::anyhow!("turmoil: {error}"))?;
    Ok(Played { commands: store.commands.get(), grants: Some(store.grants.get()) })
}

async fn serve(store: Rc<Store>) -> turmoil::Result {
    let listener = TcpListener::bind(("0.0.0.0", PORT)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let store = Rc::clone(&store);
        // A connection ends with its client.
        tokio::task::spawn_local(async move { converse(stream, &store).await });
    }
}

async fn converse(stream: TcpStream, store: &Store) -> std::io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let mut line = String::new();
    while reader.read_line(&mut line).await? > 0 {
        writer.write_all(store.run(line.trim_end()).as_bytes()).await?;
        line.clear();
    }
    Ok(())
}

impl Store {
    /// `SET lock TOKEN NX PX MILLIS`, and the script of a release as `EVAL release 1 lock TOKEN`.
    fn run(&self, command: &str) -> &'static str {
        self.commands.set(self.commands.get() + 1);
        let mut holder = self.holder.borrow_mut();
        if holder.as_ref().is_some_and(|(_, until)| *until < Instant::now()) {
            *holder = None;
        }
        let words: Vec<&str> = command.split(' ').collect();
        match words.as_slice() {
            ["SET", "lock", token, "NX", "PX", millis] => {
                let Ok(millis) = millis.parse() else { return "-ERR value is not an integer or out of range\n" };
                if holder.is_some() {
                    return "$-1\n";
                }
                self.grants.set(self.grants.get() + 1);
                *holder = Some(((*token).to_owned(), Instant::now() + Duration::from_millis(millis)));
                "+OK\n"
            }
            ["EVAL", "release", "1", "lock", token] => {
                let is_own = holder.as_ref().is_some_and(|(owner, _)| owner == token);
                if is_own {
                    *holder = None;
                }
                if is_own { ":1\n" } else { ":0\n" }
            }
            _ => "-ERR unknown command\n",
        }
    }
}

async fn contend(name: String, workload: Workload) -> turmoil::Result {
    let end = Instant::now() + Duration::from_millis(workload.simulated_ms);
    let (reader, mut writer) = TcpStream::connect(("redis", PORT)).await?.into_split();
    let mut reader = BufReader::new(reader);
    let mut reply = String::new();
    for number in 1.. {
        let acquire = format!("SET lock {name}-{number} NX PX {}\n", workload.ttl_ms);
        let release = format!("EVAL release 1 lock {name}-{number}\n");
        loop {
            if Instant::now() >= end {
                return Ok(());
            }
            writer.write_all(acquire.as_bytes()).await?;
            reply.clear();
            reader.read_line(&mut reply).await?;
            if reply == "+OK\n" {
                break;
            }
            sleep(Duration::from_millis(workload.retry_ms)).await;
        }
        sleep(Duration::from_millis(workload.work_ms)).await;
        writer.write_all(release.as_bytes()).await?;
        reply.clear();
        reader.read_line(&mut reply).await?;
        if reply != ":1\n" {
            return Err(format!("{name} lost its lock within {} ms", workload.work_ms).into());
        }
    }
    Ok(())
}
