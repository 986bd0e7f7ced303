//! A client process, from the driver's side.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use locklab_core::time::LocalTime;
use rustix::process::{Pid, Signal, kill_process};

use super::super::error::LiveError;
use super::super::process::die_with_parent;
use super::SUBCOMMAND;
use super::protocol::{Order, Setup, Told, Want};

/// A running client process. Dropping it kills it.
#[derive(Debug)]
pub struct RemoteClient {
    process: Child,
    orders: ChildStdin,
    reports: BufReader<ChildStdout>,
}

impl RemoteClient {
    /// Starts a client process; `program` is this program.
    pub fn start(program: &Path, setup: Setup) -> Result<RemoteClient, LiveError> {
        let mut command = Command::new(program);
        command.arg(SUBCOMMAND).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        die_with_parent(&mut command);
        let mut process = command.spawn().map_err(LiveError::system("start a client process", "启动客户端进程"))?;
        let orders = process.stdin.take().expect("its input is piped");
        let reports = BufReader::new(process.stdout.take().expect("its output is piped"));
        let mut client = RemoteClient { process, orders, reports };
        client.order(&Order::Setup(Box::new(setup)))?;
        Ok(client)
    }

    /// Its process number.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Gives it an input at its local time.
    pub fn handle(&mut self, now: LocalTime, told: Told) -> Result<(), LiveError> {
        self.order(&Order::Handle { wall: now.wall, monotonic: now.monotonic, told })
    }

    /// Waits until it knows its part.
    pub fn await_ready(&mut self) -> Result<(), LiveError> {
        self.report().map(drop)
    }

    /// Takes its next output.
    pub fn poll(&mut self, now: LocalTime) -> Result<Want, LiveError> {
        self.order(&Order::Poll { wall: now.wall, monotonic: now.monotonic })?;
        self.report()
    }

    fn report(&mut self) -> Result<Want, LiveError> {
        let mut line = String::new();
        self.reports.read_line(&mut line).map_err(LiveError::system("listen to a client process", "听取客户端进程"))?;
        match serde_json::from_str(&line) {
            Ok(Want::Failed(reason)) => Err(LiveError::Broken(format!("a client process failed: {reason}"))),
            Ok(want) => Ok(want),
            Err(_) => Err(LiveError::Broken("a client process ended before its time".into())),
        }
    }

    /// Stops the process where it stands, or lets it go on.
    pub fn suspend(&self, stopped: bool) -> Result<(), LiveError> {
        let signal = if stopped { Signal::STOP } else { Signal::CONT };
        let sent = kill_process(Pid::from_child(&self.process), signal);
        sent.map_err(|error| LiveError::system("stop a client process", "暂停客户端进程")(error.into()))
    }

    /// Kills the process, as a crash does.
    pub fn crash(&mut self) {
        // It may have died already; after the wait it is gone either way.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    fn order(&mut self, order: &Order) -> Result<(), LiveError> {
        let mut line = serde_json::to_string(order).expect("orders are plain data");
        line.push('\n');
        self.orders
            .write_all(line.as_bytes())
            .map_err(LiveError::system("speak to a client process", "与客户端进程通信"))
    }
}

impl Drop for RemoteClient {
    fn drop(&mut self) {
        self.crash();
    }
}
