//! However a live run ends, nothing of it is left.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};

use crate::command::{GC_PAUSE, command};

/// Starts a live run of some seconds, in a process group and a temporary folder of its own, and waits until its server is up.
fn started(folder: &Path) -> Child {
    let mut command = command(&["run", GC_PAUSE, "--lock", "token-lua", "--clock", "wall", "--live"]);
    command.env("TMPDIR", folder).process_group(0).stdout(Stdio::null()).stderr(Stdio::null());
    let run = command.spawn().unwrap();
    wait_until("the server's log is written", || {
        let logs = glob::glob(&folder.join("locklab-*/node-0/log").display().to_string()).unwrap();
        logs.flatten().any(|log| fs::read_to_string(log).is_ok_and(|log| log.contains("Ready to accept connections")))
    });
    // Long enough for its clients to be there too.
    thread::sleep(Duration::from_millis(300));
    run
}

pub fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < deadline, "waited too long until {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

pub fn assert_nothing_left(folder: &Path, group: Pid) {
    wait_until("all processes of the run are gone", || test_kill_process_group(group).is_err());
    wait_until("the run's folder is gone", || fs::read_dir(folder).unwrap().next().is_none());
}

#[test]
fn a_killed_run_leaves_no_process_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = started(folder.path());
    let id = Pid::from_child(&run);
    kill_process(id, Signal::KILL).unwrap();
    run.wait().unwrap();
    assert_nothing_left(folder.path(), id);
}

#[test]
fn an_interrupted_run_leaves_no_process_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = started(folder.path());
    let id = Pid::from_child(&run);
    // Ctrl-C reaches the whole group: the run, its servers and its clients.
    kill_process_group(id, Signal::INT).unwrap();
    run.wait().unwrap();
    assert_nothing_left(folder.path(), id);
}

#[test]
fn a_finished_run_leaves_no_process_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(&["run", GC_PAUSE, "--live"]);
    command.env("TMPDIR", folder.path()).process_group(0).stdout(Stdio::null());
    let mut run = command.spawn().unwrap();
    let id = Pid::from_child(&run);
    assert!(run.wait().unwrap().success());
    assert_nothing_left(folder.path(), id);
}
