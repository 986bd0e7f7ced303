//! On a server that the user names a run keeps to its own keys, and takes them away.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use locklab_core::wire::{Command, Reply};
use rustix::process::{Pid, Signal, kill_process};

use crate::command::{GC_PAUSE, command, locklab, locklab_with};
use crate::redis_server::{Connection, Server};

fn ask(connection: &mut Connection, words: &[&str]) -> Reply {
    connection.ask(&Command::new(words)).unwrap()
}

#[test]
fn a_run_on_a_named_server_touches_only_its_own_keys_and_removes_them() {
    let server = Server::start();
    let mut connection = server.connect();
    ask(&mut connection, &["SET", "lock", "somebody's"]);
    let url = format!("redis://127.0.0.1:{}", server.port());
    let said = locklab(&["run", GC_PAUSE, "--lock", "token-lua", "--redis", &url, "--time-scale", "10"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.err.contains(&format!("redis-cli -u {url} --scan --pattern 'locklab:")), "{}", said.err);
    assert_eq!(ask(&mut connection, &["KEYS", "*"]), Reply::Array(vec![Reply::bulk("lock")]));
    assert_eq!(ask(&mut connection, &["GET", "lock"]), Reply::bulk("somebody's"));
}

#[test]
fn a_killed_run_on_a_named_server_leaves_no_key() {
    let server = Server::start();
    let mut connection = server.connect();
    let url = format!("redis://127.0.0.1:{}", server.port());
    let mut command = command(&["run", GC_PAUSE, "--lock", "token-lua", "--redis", &url]);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut wait_for = |count: i64| {
        let deadline = Instant::now() + Duration::from_secs(20);
        while ask(&mut connection, &["DBSIZE"]) != Reply::Integer(count) {
            assert!(Instant::now() < deadline, "waited too long for {count} keys");
            thread::sleep(Duration::from_millis(10));
        }
    };
    wait_for(1);
    kill_process(Pid::from_child(&run), Signal::KILL).unwrap();
    run.wait().unwrap();
    wait_for(0);
}

#[test]
fn a_server_that_cannot_be_used_is_told_with_a_hint_and_exit_code_3() {
    let server = Server::start();
    ask(&mut server.connect(), &["CONFIG", "SET", "requirepass", "secret"]);
    let locked = format!("redis://127.0.0.1:{}", server.port());
    let wrong = format!("redis://:wrong@127.0.0.1:{}", server.port());
    for (url, wanted, hint) in [
        (locked.as_str(), "NOAUTH", "it wants a password"),
        (wrong.as_str(), "WRONGPASS", "it wants a password"),
        ("redis://127.0.0.1:1", "cannot reach the server", "check that it is running"),
    ] {
        let said = locklab(&["run", GC_PAUSE, "--lock", "token-lua", "--redis", url]);
        assert_eq!(said.code, Some(3), "{url}: {}", said.err);
        assert!(said.err.contains(wanted) && said.err.contains(hint), "{url}: {}", said.err);
        assert!(!said.err.contains("wrong@"), "a password is never shown: {}", said.err);
    }
}

#[test]
fn what_would_harm_a_named_server_is_refused_before_anything_is_done() {
    let server = Server::start();
    let url = format!("redis://127.0.0.1:{}", server.port());
    let scenario = |lock: &str, fault: &str| {
        format!(
            "title = \"t\"\nquestion = \"q\"\n[servers]\nredis = \"single\"\n[lock]\n{lock}\n[resource]\nkind = \"register\"\n\
             [[client]]\nname = \"A\"\nwork = \"1s\"\n{fault}\n[expect.mine]\nbroken = [\"progress\"]\n"
        )
    };
    let flush = scenario(
        "kind = \"mine\"\nlisting = \"\"\"\nacquire:\n    SET elsewhere {token} NX -> OK: next, nil: retry\nrelease:\n    DEL elsewhere\n\"\"\"",
        "",
    );
    let crash = scenario(
        "kind = \"mine\"\nlisting = \"\"\"\nacquire:\n    SET {key} {token} NX -> OK: next, nil: retry\nrelease:\n    DEL {key}\n\"\"\"",
        "[[fault]]\ncrash = \"redis\"\nat = \"A.acquired\"\n",
    );
    for (text, why) in [(&flush, "\"elsewhere\""), (&crash, "does something to the server itself")] {
        let said = locklab_with(&["run", "-", "--redis", &url], &[], text.as_bytes());
        assert_eq!(said.code, Some(2), "{}{}", said.out, said.err);
        assert!(said.out.contains(why), "{}{}", said.out, said.err);
    }
    assert_eq!(ask(&mut server.connect(), &["DBSIZE"]), Reply::Integer(0));
}

#[test]
fn a_run_that_needs_several_servers_is_left_out_of_a_pass_on_a_named_one() {
    let server = Server::start();
    let url = format!("redis://127.0.0.1:{}", server.port());
    let files = ["failover/before-replication", "basics/uncontended"];
    let said = locklab(&[&["run", "--lock", "token-lua", "--redis", &url, "--time-scale", "2"][..], &files].concat());
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(said.out.contains("this run needs 2 Redis servers, and --redis names one"), "{}", said.out);
    assert!(said.out.contains("basics/uncontended"), "{}", said.out);
}
