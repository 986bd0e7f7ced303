//! The model of Redis against 557 recorded replies of redis-server 7.0.15 (`data/redis-replies.jsonl`, RESP2, a line break written as
//! `⏎`). Each group starts with an empty server; its rows run in order on one connection.

use locklab_core::servers::redis::{
    Blocked, Delivery, Link, Memory, Outcome, Redis, Scripting, Settings, StaleReads, Subscriptions,
};
use locklab_core::time::LocalTime;
use locklab_core::wire::{ClientId, Command, NodeId, Reply};

const A: Option<ClientId> = Some(ClientId(0));
const B: Option<ClientId> = Some(ClientId(1));

/// Rows that the model does not answer as recorded, each with the reason.
const NOT_MODELLED: &[(&str, &[usize], &str)] = &[
    ("DEL UNLINK EXISTS TYPE", &[21], "the order of KEYS is that of a hash table, in the model that of bytes"),
    ("SCRIPT", &[40], "cjson"),
    ("SCRIPT", &[42], "the random numbers of scripts go on from one script to the next, in the model each starts anew"),
    ("WAIT ROLE etc", &[9], "the model has one database"),
    ("WAIT ROLE etc", &[24], "the number of all commands of that version"),
    ("unknown/arity", &[11], "LCS, which no lock needs"),
    ("unknown/arity", &[13], "help texts"),
    ("ACL", &[1, 2], "users and their permissions"),
];

struct Row {
    group: String,
    index: usize,
    /// The command's words, or one line of prose for what needs more than one connection.
    command: Result<Vec<String>, String>,
    is_volatile: bool,
    reply: String,
}

fn recording() -> Vec<Row> {
    let rows = include_str!("data/redis-replies.jsonl").lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).expect("every line is JSON");
        let text = |value: &serde_json::Value| value.as_str().expect("a text").to_string();
        Row {
            group: text(&row["group"]),
            index: row["i"].as_u64().expect("a number") as usize,
            command: match row["cmd"].as_array() {
                Some(words) => Ok(words.iter().map(text).collect()),
                None => Err(text(&row["cmd"])),
            },
            is_volatile: row["volatile"].as_bool().expect("a boolean"),
            reply: text(&row["7.0.15"]),
        }
    });
    rows.collect()
}

/// A reply as RESP2 writes it, line breaks as `⏎`, without the last one.
fn resp(reply: &Reply) -> String {
    match reply {
        Reply::Status(text) => format!("+{text}"),
        Reply::Error(text) => format!("-{text}"),
        Reply::Integer(number) => format!(":{number}"),
        Reply::Bulk(bytes) => format!("${}⏎{}", bytes.len(), String::from_utf8_lossy(bytes)),
        Reply::Nil => "$-1".into(),
        Reply::NilArray => "*-1".into(),
        Reply::Array(items) => {
            let mut text = format!("*{}", items.len());
            for item in items {
                text += "⏎";
                text += &resp(item);
            }
            text
        }
    }
}

/// The instant of the recording: nothing in it waits.
const NOW: LocalTime = LocalTime { wall: 1_796_035_864_000_000, monotonic: 0 };

fn run(redis: &mut Redis, client: Option<ClientId>, words: &[&str]) -> String {
    resp(&reply(redis, client, words))
}

/// Runs a command; one that blocks runs into its time-out.
fn reply(redis: &mut Redis, client: Option<ClientId>, words: &[&str]) -> Reply {
    match redis.execute(NOW, client, &Command::new(words)).outcome {
        Outcome::Reply(reply) => reply,
        Outcome::Subscribed(replies) => replies[0].clone(),
        Outcome::Blocked(Blocked::Wait { offset, .. }) => Reply::Integer(redis.acknowledged(offset) as i64),
        Outcome::Blocked(Blocked::List { .. }) => {
            redis.time_out(client.expect("only clients block")).expect("the client waits")
        }
    }
}

/// The server in which a group starts.
fn server(group: &str) -> Redis {
    let mut redis = Redis::new(
        Settings { subscriptions: Subscriptions::SameConnection, ..Settings::default() },
        Scripting::default(),
    );
    match group {
        "OOM maxmemory=1 noeviction" => {
            run(&mut redis, B, &["SET", "k", "v"]);
            redis.settings_mut().memory = Memory::Full;
        }
        "requirepass" => redis.settings_mut().password = Some(b"pw".as_slice().into()),
        _ => {}
    }
    redis
}

#[test]
fn every_recorded_command_is_answered_as_redis_answered_it() {
    let (mut redis, mut group, mut compared) = (Redis::default(), String::new(), 0);
    let mut differences = Vec::new();
    for row in recording() {
        let Ok(words) = &row.command else { continue };
        if row.group != group {
            group = row.group.clone();
            redis = server(&group);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let answer = run(&mut redis, A, &words);
        if NOT_MODELLED.iter().any(|(name, rows, _)| *name == group && rows.contains(&row.index)) {
            assert_ne!(answer, row.reply, "{group} {}: it is modelled after all", row.index);
            continue;
        }
        compared += 1;
        let same = if row.is_volatile { answer[..1] == row.reply[..1] } else { answer == row.reply };
        if !same {
            differences.push(format!("{group} {} {words:?}\n   redis {}\n   model {answer}", row.index, row.reply));
        }
    }
    assert!(differences.is_empty(), "{} of {compared} differ:\n{}", differences.len(), differences.join("\n"));
    assert!(compared > 450, "the recording was read: {compared}");
}

/// The recorded replies to the rows of one group that are told in prose, by their number.
fn told(group: &str) -> impl Fn(usize) -> String {
    let rows: Vec<Row> = recording().into_iter().filter(|row| row.group == group).collect();
    move |index| rows.iter().find(|row| row.index == index).expect("the row is recorded").reply.clone()
}

#[test]
fn a_watched_key_that_was_set_or_ran_out_makes_exec_answer_nil_as_recorded() {
    let recorded = told("WATCH conflict");
    for (index, expires) in [(0, false), (1, true)] {
        let mut redis = server("WATCH conflict");
        run(&mut redis, B, &["SET", "w", "v", "PX", "50"]);
        run(&mut redis, A, &["WATCH", "w"]);
        if !expires {
            run(&mut redis, B, &["SET", "w", "v2"]);
        }
        let later = LocalTime { wall: NOW.wall + if expires { 51_000 } else { 0 }, ..NOW };
        let mut at_later = |words: &[&str]| redis.execute(later, A, &Command::new(words)).reply().map(resp);
        at_later(&["MULTI"]);
        at_later(&["GET", "w"]);
        assert_eq!(at_later(&["EXEC"]), Some(recorded(index)));
    }
}

#[test]
fn a_subscriber_hears_what_is_published_and_can_do_little_else_as_recorded() {
    let recorded = told("SUBSCRIBE");
    let mut redis = server("SUBSCRIBE");
    assert_eq!(run(&mut redis, A, &["SUBSCRIBE", "ch"]), recorded(0));
    let published = redis.execute(NOW, B, &Command::new(["PUBLISH", "ch", "hello"]));
    assert_eq!(published.reply().map(resp), Some(recorded(1)));
    let [(client, Delivery::Message(message))] = published.deliveries.as_slice() else { panic!("one message") };
    assert_eq!((Some(*client), resp(message)), (A, recorded(2)));
    assert_eq!(run(&mut redis, A, &["GET", "k"]), recorded(3));
    assert_eq!(run(&mut redis, A, &["PING"]), recorded(4));
    assert_eq!(run(&mut redis, A, &["UNSUBSCRIBE", "ch"]), recorded(5));
}

#[test]
fn a_replica_answers_as_recorded() {
    let recorded = told("replica");
    let mut master = server("replica");
    run(&mut master, A, &["SET", "k", "v"]);
    let mut replica = server("replica");
    let port = "23876";
    assert_eq!(run(&mut replica, A, &["REPLICAOF", "127.0.0.1", port]), recorded(0));
    replica.load(&master.image());
    replica.set_link(Link::Up);
    for (index, words) in [
        (1, vec!["REPLICAOF", "127.0.0.1", port]),
        (2, vec!["GET", "k"]),
        (3, vec!["SET", "k", "x"]),
        (4, vec!["DEL", "k"]),
        (5, vec!["EXPIRE", "k", "1"]),
        (6, vec!["EVAL", "return redis.call('set','a','b')", "0"]),
        (7, vec!["EVAL", "return redis.call('get','k')", "0"]),
        (8, vec!["WAIT", "1", "10"]),
        (10, vec!["MULTI"]),
        (11, vec!["SET", "a", "b"]),
        (12, vec!["EXEC"]),
        (13, vec!["PUBLISH", "ch", "x"]),
        (14, vec!["REPLICAOF", "abc", "def", "ghi"]),
        (15, vec!["REPLICAOF", "127.0.0.1", "abc"]),
    ] {
        assert_eq!(run(&mut replica, A, &words), recorded(index), "{words:?}");
    }
    // Offsets count effects here and bytes there.
    let without_offset = |text: &str| text.rsplit_once(':').map(|(before, _)| before.to_string());
    assert_eq!(without_offset(&run(&mut replica, A, &["ROLE"])), without_offset(&recorded(9)));
    replica.set_link(Link::Down);
    replica.settings_mut().stale_reads = StaleReads::Refused;
    assert_eq!(run(&mut replica, A, &["GET", "k"]), recorded(23));
    assert_eq!(run(&mut replica, A, &["SET", "k", "x"]), recorded(24));
    assert_eq!(run(&mut replica, A, &["REPLICAOF", "NO", "ONE"]), recorded(25));
    assert_eq!(run(&mut replica, A, &["REPLICAOF", "NO", "ONE"]), recorded(26));
    assert_eq!(run(&mut replica, A, &["SET", "k", "x"]), "+OK");
}

#[test]
fn a_master_with_too_few_replicas_refuses_writes_as_recorded() {
    let recorded = told("replica");
    let mut master = server("replica");
    master.attach(NodeId(1), 0);
    master.settings_mut().min_replicas_to_write = 3;
    assert_eq!(run(&mut master, A, &["SET", "k", "v"]), recorded(21));
    assert_eq!(run(&mut master, A, &["EVAL", "return redis.call('set','a','b')", "0"]), recorded(22));
    assert_eq!(run(&mut master, A, &["GET", "k"]), "$-1");
}

#[test]
fn an_endless_script_ends_as_if_an_operator_had_killed_it() {
    let recorded = told("BUSY");
    let mut redis = server("BUSY");
    let answer = run(&mut redis, A, &["EVAL", "while true do end", "0"]);
    // The engine does not tell the line at which it stopped.
    assert!(answer.starts_with("-ERR Script killed") && recorded(3).starts_with(&answer), "{answer}");
}
