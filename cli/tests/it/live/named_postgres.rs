//! On a PostgreSQL that the user names a run keeps to a schema of its own, and takes it away.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use locklab_core::wire::Reply;
use rustix::process::{Pid, Signal, kill_process};

use crate::command::{command, locklab};
use crate::database::{Connection, Login, Server};

const PATIENCE: Duration = Duration::from_secs(20);

/// A server with a database `orders` whose owner, `app`, has a password; `guest` may only look.
struct Orders {
    server: Server,
    owner: Connection,
}

impl Orders {
    fn open() -> Orders {
        let server = Server::start(Duration::from_secs(1));
        let mut administrator = server.connect();
        for statement in [
            "CREATE ROLE app LOGIN PASSWORD 'p@ss: word'",
            "CREATE ROLE guest LOGIN PASSWORD 'guest'",
            "CREATE DATABASE orders OWNER app",
            // What a run must not depend on.
            "ALTER ROLE app SET default_transaction_isolation TO 'serializable'",
            "ALTER ROLE app SET statement_timeout TO '50ms'",
        ] {
            administrator.rows(statement, PATIENCE).unwrap();
        }
        server.let_in("host all locklab 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
        let login = Login { database: "orders".into(), ..Login::own(server.port()) };
        let owner = Connection::open(&login).unwrap();
        Orders { server, owner }
    }

    fn url(&self, user: &str, database: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/{database}", self.server.port())
    }

    fn app(&self) -> String {
        self.url("app:p%40ss%3A%20word", "orders")
    }

    fn ask(&mut self, question: &str) -> Vec<Vec<Reply>> {
        self.owner.rows(question, PATIENCE).unwrap()
    }

    /// How many schemas and sessions of runs there are.
    fn traces(&mut self) -> i64 {
        let question = "SELECT (SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'locklab%') \
                        + (SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'locklab\\_%')";
        self.ask(question)[0][0].integer().unwrap()
    }

    fn wait_for_traces(&mut self, enough: impl Fn(i64) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !enough(self.traces()) {
            assert!(Instant::now() < deadline, "waited too long: {} schemas and sessions", self.traces());
            thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn a_run_on_a_named_postgresql_keeps_to_its_own_schema_and_removes_it() {
    let mut orders = Orders::open();
    orders.ask("CREATE TABLE locks (name text PRIMARY KEY); INSERT INTO locks VALUES ('lock')");
    orders.ask("SELECT pg_advisory_lock(hashtext('lock'))");
    let url = orders.app();
    for (scenario, lock, scale) in [
        ("database/for-update", "for-update", "1"),
        ("database/holder-dies", "advisory-lock", "2"),
        ("database/holder-dies", "lease-row", "5"),
        ("database/unique-key", "none", "1"),
    ] {
        let said = locklab(&["run", scenario, "--lock", lock, "--postgres", &url, "--time-scale", scale, "-v"]);
        assert_eq!(said.code, Some(0), "{scenario} {lock}: {}{}", said.out, said.err);
        assert!(said.out.contains("Played on PostgreSQL "), "{}", said.out);
        let clean_up = format!("psql {} -c 'DROP SCHEMA IF EXISTS locklab_", orders.url("app", "orders"));
        assert!(said.err.contains(&clean_up), "{}", said.err);
        assert_eq!(orders.traces(), 0, "{scenario} {lock}");
    }
    assert_eq!(orders.ask("SELECT name FROM public.locks"), [[Reply::bulk("lock")]]);
}

#[test]
fn a_killed_run_on_a_named_postgresql_leaves_no_schema_and_no_session() {
    let mut orders = Orders::open();
    let url = orders.app();
    // Its clients wait for each other's rows when it dies.
    let mut command = command(&["run", "database/for-update", "--lock", "for-update", "--postgres", &url]);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    orders.wait_for_traces(|traces| traces >= 4);
    thread::sleep(Duration::from_millis(500));
    kill_process(Pid::from_child(&run), Signal::KILL).unwrap();
    run.wait().unwrap();
    orders.wait_for_traces(|traces| traces == 0);
}

#[test]
fn a_postgresql_that_cannot_be_used_is_told_with_a_hint_and_exit_code_3() {
    let orders = Orders::open();
    for (url, wanted, hint) in [
        (orders.url("app:wrong", "orders"), "28P01 password authentication failed", "is the password right?"),
        (orders.url("app", "orders"), "it wants a password", "postgres://USER:PASSWORD@HOST"),
        (
            orders.url("guest:guest", "orders"),
            "guest has no right to create a schema",
            "GRANT CREATE ON DATABASE orders TO guest",
        ),
        (orders.url("app:p%40ss%3A%20word", "nowhere"), "3D000", "name a database that is there"),
        ("postgres://me@127.0.0.1:1".into(), "cannot reach the server", "check that it is running"),
        (served("9.6.24", 7), "it is a PostgreSQL 9.6.24; 10 or newer is needed", ""),
        (served("15.2", 8), "a connection pooler stands before it", "name the server itself"),
        (insatiable(), "it wants the password hashed 2147483647 times", "SET scram_iterations TO 4096"),
    ] {
        let said = locklab(&["run", "database/for-update", "--lock", "for-update", "--postgres", &url]);
        assert_eq!(said.code, Some(3), "{url}: {}{}", said.out, said.err);
        assert!(said.err.contains(wanted) && said.err.contains(hint), "{url}: {}", said.err);
        assert!(
            !said.err.contains("wrong@") && !said.err.contains("guest@:"),
            "a password is never shown: {}",
            said.err
        );
    }
}

#[test]
fn what_a_named_postgresql_cannot_be_used_for_is_not_applicable() {
    let mut orders = Orders::open();
    let url = orders.app();
    for (arguments, why) in [
        (&["database/server-restart", "--lock", "advisory-lock"][..], "does something to the server itself"),
        (&["database/pooler-shared"], "put only before a PostgreSQL of the run's own"),
        (&["database/lease-clock-jump", "--lock", "lease-row"], "the clock of this server cannot be moved"),
        (&["expiry/gc-pause", "--lock", "token-lua"], "--postgres names a PostgreSQL, and this lock lives on another"),
    ] {
        let said = locklab(&[&["run", "--postgres", &url], arguments].concat());
        assert_eq!(said.code, Some(2), "{arguments:?}: {}{}", said.out, said.err);
        assert!(said.out.contains(why), "{arguments:?}: {}{}", said.out, said.err);
    }
    assert_eq!(orders.traces(), 0);
}

/// The port of somebody who lets one caller say hello, and then does this.
fn answering(then: impl FnOnce(&mut TcpStream, &mut [u8; 1024]) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut bytes = [0; 1024];
        let _ = stream.read(&mut bytes);
        then(&mut stream, &mut bytes);
    });
    port
}

/// The address of somebody who asks for a proof that takes an hour to make.
fn insatiable() -> String {
    let port = answering(|stream, bytes| {
        let mut ask = |kind: u32, request: &[u8]| {
            let length = (request.len() as u32 + 8).to_be_bytes();
            stream.write_all(&[b"R", &length[..], &kind.to_be_bytes(), request].concat()).unwrap();
            let length = stream.read(bytes).unwrap_or(0);
            String::from_utf8_lossy(&bytes[..length]).into_owned()
        };
        let said = ask(10, b"SCRAM-SHA-256\0\0");
        let nonce = said.rsplit_once("r=").unwrap().1;
        ask(11, format!("r={nonce}+,s=c2FsdA==,i=2147483647").as_bytes());
    });
    format!("postgres://me:secret@127.0.0.1:{port}")
}

/// The address of somebody who speaks PostgreSQL's protocol, calls himself so and says that his process is `process`, having said that it is 7.
fn served(version: &'static str, process: i64) -> String {
    let port = answering(move |stream, bytes| {
        let mut say = |kind: u8, body: &[u8]| {
            let length = (body.len() as u32 + 4).to_be_bytes();
            stream.write_all(&[&[kind], &length[..], body].concat()).unwrap();
        };
        say(b'R', &0_u32.to_be_bytes());
        say(b'K', &[7_u32.to_be_bytes(), 0_u32.to_be_bytes()].concat());
        say(b'Z', b"I");
        let columns: Vec<Vec<u8>> = [23_u32, 25, 16, 16]
            .iter()
            .map(|kind| [&b"c\0"[..], &[0; 6], &kind.to_be_bytes(), &[0; 8]].concat())
            .collect();
        let values: Vec<Vec<u8>> = [process.to_string().as_str(), version, "f", "t"]
            .iter()
            .map(|value| [&(value.len() as u32).to_be_bytes()[..], value.as_bytes()].concat())
            .collect();
        say(b'T', &[&4_u16.to_be_bytes()[..], &columns.concat()].concat());
        say(b'D', &[&4_u16.to_be_bytes()[..], &values.concat()].concat());
        say(b'Z', b"I");
        // Until the other side has enough.
        let _ = stream.read(bytes);
        let _ = stream.read(bytes);
    });
    format!("postgres://me@127.0.0.1:{port}")
}
