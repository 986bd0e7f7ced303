//! Locks on services that are no Redis come to the verdict of the simulation on real servers, too, and leave nothing behind.

use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::traces::{assert_nothing_left, wait_until};
use crate::command::{command, locklab, locklab_with};

/// Plays a scenario live and expects what it expects of a simulation.
fn assert_as_expected(arguments: &[&str], played_on: &str) {
    let said = locklab(&[&["run", "--live"], arguments].concat());
    assert_eq!(said.code, Some(0), "{arguments:?}: {}{}", said.out, said.err);
    assert!(said.out.contains("as expected"), "{}", said.out);
    assert!(said.out.contains(&format!("Played on {played_on} ")), "{}", said.out);
    assert!(said.out.contains(", wall clock."), "{}", said.out);
}

#[test]
fn a_real_etcd_refuses_the_latecomer_by_its_revision() {
    assert_as_expected(&["etcd/pause-outlives-the-lease", "--time-scale", "2"], "etcd");
}

#[test]
fn on_a_real_etcd_a_waiter_that_does_not_look_again_holds_without_a_key() {
    assert_as_expected(&["etcd/a-waiter-without-its-key"], "etcd");
}

#[test]
fn a_real_etcd_that_was_killed_starts_its_leases_anew() {
    assert_as_expected(&["etcd/a-new-leader-starts-leases-anew", "--time-scale", "5"], "etcd");
}

#[test]
fn a_real_zookeeper_lets_its_queue_in_one_after_the_other() {
    assert_as_expected(&["zookeeper/contended", "--time-scale", "2"], "ZooKeeper");
}

#[test]
fn nobody_interrupts_a_client_that_is_cut_off_from_a_real_zookeeper() {
    assert_as_expected(&["zookeeper/nobody-interrupts-the-holder", "--time-scale", "4"], "ZooKeeper");
}

#[test]
fn a_killed_run_leaves_neither_server_nor_file() {
    for (scenario, sign) in [("etcd/uncontended", "data/member"), ("zookeeper/uncontended", "data/version-2")] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = command(&["run", scenario, "--live"]);
        command.env("TMPDIR", folder.path()).process_group(0).stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = command.spawn().unwrap();
        let id = Pid::from_child(&run);
        let sign = folder.path().join("locklab-*").join(sign).display().to_string();
        wait_until("the server writes its data", || glob::glob(&sign).unwrap().flatten().next().is_some());
        // Half way: its clients work by then.
        thread::sleep(Duration::from_secs(3));
        kill_process(id, Signal::KILL).unwrap();
        run.wait().unwrap();
        assert_nothing_left(folder.path(), id);
    }
}

#[test]
fn a_service_that_is_not_installed_is_named_with_the_command_that_installs_it() {
    for (scenario, install) in [
        ("etcd/contended", "apt-get install etcd-server"),
        ("zookeeper/contended", "apt-get install --no-install-recommends zookeeper"),
    ] {
        let said = locklab_with(&["run", scenario, "--live"], &[("PATH", "/nowhere")], b"");
        assert_eq!(said.code, Some(3), "{}{}", said.out, said.err);
        assert!(said.err.contains(install), "{}", said.err);
    }
}

#[test]
fn what_cannot_be_played_live_says_why_and_is_no_success() {
    for (arguments, why) in [
        (&["kubernetes/pause-outlives-the-lease"][..], "Kubernetes and Consul are simulated only"),
        (&["etcd/the-stalled-primary-carries-on"], "up to half a second later"),
        (&["etcd/contended", "--clock", "virtual"], "only a Redis follows the virtual clock"),
    ] {
        let said = locklab(&[&["run", "--live"], arguments].concat());
        assert_eq!(said.code, Some(2), "{arguments:?}: {}{}", said.out, said.err);
        let told = format!("{}{}", said.out, said.err).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(why), "{told}");
    }
}
