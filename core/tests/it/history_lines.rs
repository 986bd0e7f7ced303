//! Histories as JSON lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use expect_test::expect;
use locklab_core::history::{
    CellId, ClientEvent, Code, Effect, EndReason, FaultEvent, GrantEnd, GrantId, History, KeyChange, LeaveReason,
    LockEvent, LossReason, Machine, Operation, Outcome, Phase, Problem, Refusal, Section, Token, Trouble, What,
};
use locklab_core::time::{Span, Time};
use locklab_core::wire::{ClientId, Command, NodeId, Record, RecordValue, Reply, RequestId};

use crate::run::{A, B, LOCK, REDIS, Run, gc_pause};

/// A history with every kind of event and value in it; what it tells makes no sense.
fn everything() -> History {
    let mut run = Run::new();
    let (node, request, phase) = (REDIS, RequestId(7), Phase::Acquire);
    let command = Arc::new(Command::new([&b"SET"[..], b"lock", &[0xff, 0x00, b'"'], "锁".as_bytes(), b"\\x00\n"]));
    let code = Some(Code { section: Section::Acquire, line: 2 });
    run.at(0);
    run.what(What::Sent { client: A, node, request, phase, code, command: command.clone() });
    run.what(What::Sent { client: A, node, request, phase: Phase::Check, code: None, command: command.clone() });
    let reply = Some(Arc::new(Reply::Array(vec![
        Reply::ok(),
        Reply::Nil,
        Reply::NilArray,
        Reply::Integer(i64::MIN),
        Reply::Bulk(vec![0xfe]),
        Reply::bulk("text"),
        Reply::Error("READONLY You can't".into()),
        Reply::Array(Vec::new()),
    ])));
    run.what(What::Executed { client: None, node, request: None, phase, command: command.clone(), reply });
    run.what(What::Executed {
        client: Some(B),
        node,
        request: Some(request),
        phase,
        command: command.clone(),
        reply: None,
    });
    run.what(What::Got { client: A, node, request, phase: Phase::Renew, reply: Arc::new(Reply::Nil) });
    for why in [LossReason::RequestLost, LossReason::ReplyLost, LossReason::Disconnected, LossReason::TimedOut] {
        run.what(What::Missed { client: A, node, request, why });
    }
    run.what(What::Pushed { client: A, node, message: Arc::new(Reply::bulk("m")) });
    let fields = BTreeMap::from([("a".to_owned(), "1".to_owned()), ("b".to_owned(), String::new())]);
    for value in [RecordValue::Text("t".into()), RecordValue::Fields(fields), RecordValue::List(vec!["x".into()])] {
        let record = Record { value, gone_at: Some(Time(u64::MAX)), created_by: Some(A), created: 3 };
        run.what(What::Key {
            node,
            key: "lock".into(),
            change: KeyChange::Created,
            record: Some(record.into()),
            by: Some(B),
        });
    }
    for change in [KeyChange::Changed, KeyChange::Deleted, KeyChange::Expired, KeyChange::Evicted, KeyChange::Vanished]
    {
        run.what(What::Key { node, key: "lock".into(), change, record: None, by: None });
    }
    run.granted(A, None)
        .moves(1, Some(5), B)
        .ends(1, GrantEnd::Removed, Some(B))
        .ends(1, GrantEnd::Vanished, None)
        .expires(1);
    run.client(A, ClientEvent::Started { run: 1 }).client(A, ClientEvent::Step { step: "3s".into() });
    run.enters_with(A, Some(Token::Number(u64::MAX))).enters_with(B, Some(Token::Opaque("f00d".into())));
    for why in [LeaveReason::Releasing, LeaveReason::Died, LeaveReason::Stopped] {
        run.leaves(A, why);
    }
    for event in [
        LockEvent::Acquiring,
        LockEvent::Checked,
        LockEvent::Acquired { token: None, valid_for: None },
        LockEvent::Reentered { count: 2 },
        LockEvent::Looked { mine: false },
        LockEvent::Extended { valid_for: Some(Span(1)) },
        LockEvent::Lost,
        LockEvent::Releasing,
        LockEvent::Descended { count: 1 },
        LockEvent::Released,
        LockEvent::ReleaseFailed { why: Refusal::Error("NOSCRIPT".into()) },
        LockEvent::ExtendFailed { why: Refusal::TimedOut },
    ] {
        run.lock(A, event);
    }
    for why in [Refusal::Held, Refusal::Expired, Refusal::NoQuorum, Refusal::NotHolder, Refusal::Disconnected] {
        run.lock(A, LockEvent::Refused { why });
    }
    run.client(A, ClientEvent::Asked { request, operation: Operation::Call, cell: CellId(0) });
    run.client(A, ClientEvent::Answered { request, accepted: true });
    run.client(A, ClientEvent::Unanswered { request });
    run.client(A, ClientEvent::Finished { done: false });
    run.reads(A).writes(A).write_refused(A, "34").effect(A, Operation::Atomic, Outcome::SoldOut);
    let token = Some(Token::Number(33));
    let (cell, outcome) = (CellId(0), Outcome::SoldOut);
    let effect = Effect { client: A, hold: 0, request, cell, operation: Operation::Call, token, outcome };
    run.what(What::Effect(effect.into()));
    let (to, key) = (Machine::Resource, Arc::from("lock"));
    for fault in [
        FaultEvent::Paused { client: A, task: true, length: None },
        FaultEvent::Restarted { client: A },
        FaultEvent::Down { node },
        FaultEvent::Up { node, data_kept: false },
        FaultEvent::Promoted { node },
        FaultEvent::Healed { from: Machine::Client(A), to },
        FaultEvent::Request { client: A, to, request, trouble: Trouble::Lost },
        FaultEvent::Reply { client: A, to: Machine::Node(node), request, trouble: Trouble::Delayed(Span(90_000_000)) },
        FaultEvent::Reply { client: A, to, request, trouble: Trouble::Doubled },
        FaultEvent::Stepped { machine: Machine::Node(node), by: -60_000_000 },
        FaultEvent::Stepped { machine: Machine::Client(B), by: 60_000_000 },
        FaultEvent::Drifts { machine: to, ppm: -5 },
        FaultEvent::Slowed { node, by: Span(20_000_000) },
        FaultEvent::Evicted { node, key },
        FaultEvent::ScriptsFlushed { node },
        FaultEvent::Operator { node, command },
    ] {
        run.fault(fault);
    }
    run.pauses(A, 5).resumes(A).crashes(A).cut(A);
    run.what(What::Clock { machine: Machine::Node(node), error: -1 });
    run.what(What::End(EndReason::Until)).what(What::End(EndReason::Bound));
    run.quiet()
}

#[test]
fn every_kind_of_event_survives_the_round_trip() {
    let history = everything();
    let lines = history.to_lines();
    assert_eq!(History::from_lines(&lines).as_ref(), Ok(&history));
    assert_eq!(lines.lines().count(), history.events.len() + 1);
}

#[test]
fn a_file_of_version_1_reads_as_it_was_written() {
    let kept = include_str!("data/history-1.jsonl");
    let history = History::from_lines(kept).expect("version 1 is read for ever");
    assert_eq!(history, everything());
    assert_eq!(history.digest().short(), "4e2417808e");
}

#[test]
fn a_line_reads_like_a_sentence() {
    let lines = gc_pause().quiet().to_lines();
    let some: Vec<&str> = lines.lines().skip(1).take(6).collect();
    expect![[r#"
        {"at":0,"what":{"is":"client","client":0,"event":{"is":"lock","lock":0,"event":"acquiring"}}}
        {"at":0,"what":{"is":"grant","lock":0,"event":{"is":"granted","grant":1,"holder":0,"mode":"exclusive","ends":10001000}}}
        {"at":0,"what":{"is":"client","client":0,"event":{"is":"lock","lock":0,"event":{"is":"acquired","valid_for":10000000}}}}
        {"at":0,"what":{"is":"client","client":0,"event":{"is":"entered","lock":0,"hold":1,"mode":"exclusive"}}}
        {"at":0,"what":{"is":"effect","effect":{"client":0,"hold":1,"request":1,"cell":0,"operation":"read","outcome":{"is":"accepted","effected":{"base":0,"version":0,"value":""}}}}}
        {"at":1000000,"what":{"is":"client","client":1,"event":{"is":"lock","lock":0,"event":"acquiring"}}}"#]].assert_eq(&some.join("\n"));
}

#[test]
fn two_runs_that_differ_have_different_digests() {
    let (mut one, mut other) = (gc_pause(), gc_pause());
    assert_eq!(one.clone().quiet().digest(), other.clone().quiet().digest());
    let longer = other.at(17_001).waits(B).quiet();
    assert_ne!(one.quiet().digest(), longer.digest());
    assert_eq!(longer.digest().to_string().len(), 64);
}

#[test]
fn a_text_that_is_no_history_is_refused_at_its_line() {
    let good = gc_pause().quiet().to_lines();
    let with =
        |from: &str, to: &str| History::from_lines(&good.replacen(from, to, 1)).expect_err("it is broken").to_string();
    assert_eq!(History::from_lines("").expect_err("empty").problem, Problem::Empty);
    assert!(History::from_lines("\u{0}\u{1}").expect_err("binary").to_string().starts_with("line 1: not JSON"));
    assert_eq!(
        with("\"version\":1", "\"version\":9"),
        "line 1: version 9 is newer than this build reads (up to 1); use a newer locklab"
    );
    assert_eq!(with("\"client\":0", "\"client\":70"), "line 2: client 70 is not in the header, which has 3");
    assert!(with("acquiring", "acquirin").contains("unknown word \"acquirin\"; expected one of acquiring"));
    assert_eq!(with("\"at\":17000000", "\"at\":3"), "line 19: the event is earlier than the one before it");
    assert!(with("{\"at\":0", "{\"at\":-1").contains("\"at\": expected a whole number"));
}

#[test]
fn ids_beyond_the_header_never_reach_a_reader() {
    let mut history = gc_pause().quiet();
    let mut refuses = |what: What| {
        history.events.truncate(3);
        history.events.push(locklab_core::history::Event { at: Time(2_000_000), what });
        assert!(matches!(
            History::from_lines(&history.to_lines()).expect_err("unknown id").problem,
            Problem::Unknown { .. }
        ));
    };
    refuses(What::Grant {
        lock: LOCK,
        event: locklab_core::history::GrantEvent::Ended {
            grant: GrantId(1),
            why: GrantEnd::Removed,
            by: Some(ClientId(3)),
        },
    });
    refuses(What::Fault(FaultEvent::Down { node: NodeId(1) }));
    refuses(What::Fault(FaultEvent::Cut { from: Machine::Client(ClientId(9)), to: Machine::Resource }));
}
