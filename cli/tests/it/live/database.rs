//! Locks in a database, on an SQLite and on a PostgreSQL of the run's own, come to the verdict of the simulation and leave nothing behind.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::command::{command, locklab, locklab_with};

/// How long a process may take to notice that its run is over.
const PATIENCE: Duration = Duration::from_secs(20);

/// Plays a scenario as it is expected, on this database.
fn played(database: &str, arguments: &[&str]) {
    let said = locklab(&[&["run", "--live", "-v"][..], arguments].concat());
    assert_eq!(said.code, Some(0), "{arguments:?}: {}{}", said.out, said.err);
    assert!(said.out.contains(&format!("Played on {database} ")), "{arguments:?}: {}", said.out);
}

#[test]
fn what_is_one_statement_is_played_on_sqlite() {
    played("SQLite", &["scenarios/database/unique-key.toml"]);
    played("SQLite", &["scenarios/database/version-column.toml"]);
}

#[test]
fn a_wait_for_a_row_and_a_connection_that_is_lost_with_its_process_are_played_on_postgresql() {
    played("PostgreSQL", &["scenarios/database/for-update.toml", "--lock", "for-update"]);
    played("PostgreSQL", &["scenarios/database/crash-in-transaction.toml"]);
}

#[test]
fn an_advisory_lock_outlives_neither_its_session_nor_its_server() {
    played("PostgreSQL", &["scenarios/database/connection-lost.toml", "--lock", "advisory-lock"]);
    played("PostgreSQL", &["scenarios/database/server-restart.toml", "--lock", "advisory-lock"]);
}

#[test]
fn the_clock_of_a_postgresql_can_jump() {
    played("PostgreSQL", &["scenarios/database/lease-clock-jump.toml"]);
}

#[test]
fn a_lease_by_the_clients_own_clocks_is_played_on_postgresql() {
    played("PostgreSQL", &["scenarios/database/app-clock-ahead.toml", "--lock", "shedlock-app-clock"]);
}

#[test]
fn behind_a_real_pooler_a_lock_of_a_session_is_shared_and_one_of_a_transaction_is_not() {
    for scenario in ["scenarios/database/pooler-shared.toml", "scenarios/database/pooler-orphan.toml"] {
        let said = locklab(&["run", scenario, "--live", "-v"]);
        assert_eq!(said.code, Some(0), "{scenario}: {}{}", said.out, said.err);
        let told = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(" behind PgBouncer ") && told.contains("as expected"), "{scenario}: {told}");
    }
}

#[test]
fn whoever_waits_gets_the_lock_when_the_pooler_closes_the_session_that_kept_it() {
    let scenario = include_str!("../../../../scenarios/database/pooler-orphan.toml");
    let waits = "[[client]]\nname = \"B\"\nstarts = \"1s\"\nwork = \"100ms\"\n\n[[fault]]\noperator = \"BEGIN\"";
    // B finds the session that the unlock ran on, and waits for the one that A's lock is left on.
    let scenario = scenario
        .replace("work = \"1s\"", "work = \"700ms\"")
        .replace("900ms", "500ms")
        .replace("1100ms", "1300ms")
        .replacen("[[fault]]\noperator = \"BEGIN\"", waits, 1)
        .replace("\"transaction\"\n", "\"transaction\"\npool_lifetime = \"3s\"\n");
    let (scenario, _) = scenario.split_once("[expect.").expect("it expects something");
    let expect = "until = \"20s\"\n";
    let scenario =
        format!("{expect}{scenario}[expect.advisory-lock]\nhappens = [\"A.release-failed\", \"B.acquired\"]\n");
    let simulated = locklab_with(&["run", "-"], &[], scenario.as_bytes());
    assert_eq!(simulated.code, Some(0), "{}{}", simulated.out, simulated.err);
    let said = locklab_with(&["run", "-", "--live"], &[], scenario.as_bytes());
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
}

#[test]
fn without_pgbouncer_a_run_ends_with_3_and_says_how_to_install_it() {
    let arguments = ["run", "scenarios/database/pooler-shared.toml", "--live"];
    let said = locklab_with(&arguments, &[("LOCKLAB_PGBOUNCER", "/nowhere")], b"");
    assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{}", said.err);
    assert!(said.err.contains("PgBouncer is not installed on this machine"), "{}", said.err);
    assert!(said.err.contains("apt-get install pgbouncer"), "{}", said.err);
}

#[test]
fn without_postgresql_a_run_ends_with_3_and_says_how_to_install_it() {
    let arguments = ["run", "scenarios/database/crash-in-transaction.toml", "--live"];
    let said = locklab_with(&arguments, &[("LOCKLAB_POSTGRESQL", "/nowhere")], b"");
    assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{}", said.err);
    assert!(said.err.contains("PostgreSQL is not installed on this machine"), "{}", said.err);
    assert!(said.err.contains("apt-get install postgresql"), "{}", said.err);
}

#[test]
fn a_killed_run_leaves_no_postgresql_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(&["run", "scenarios/database/for-update.toml", "--lock", "for-update", "--live"]);
    command.env("TMPDIR", folder.path()).process_group(0).stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = command.spawn().unwrap();
    // The server and the driver's and the clients' processes there.
    wait_until("PostgreSQL has sessions", || processes_in(folder.path()) > 6);
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until("PostgreSQL is gone", || processes_in(folder.path()) == 0);
    wait_until("the run's folder is gone", || fs::read_dir(folder.path()).unwrap().next().is_none());
}

/// How many processes work in a folder; a server's do in that of its data.
fn processes_in(folder: &Path) -> usize {
    let all = glob::glob("/proc/[0-9]*/cwd").unwrap().flatten();
    all.filter(|cwd| fs::read_link(cwd).is_ok_and(|cwd| cwd.starts_with(folder))).count()
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "waited too long until {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
