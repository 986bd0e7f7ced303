//! The scenario file: what a good one means, and what is said about a bad one.

use expect_test::expect;
use locklab_core::scenario::{FaultKind, Scenario, Trigger};
use locklab_core::time::Span;
use locklab_core::wire::ClientId;

const GC_PAUSE: &str = include_str!("../../../scenarios/expiry/gc-pause.toml");

#[test]
fn the_whiteboard_of_the_design_is_a_scenario() {
    let scenario = Scenario::parse("expiry/gc-pause", GC_PAUSE).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.clients.iter().map(|client| &*client.name).collect::<Vec<_>>(), ["A", "B"]);
    let [fault] = &scenario.faults[..] else { panic!("one fault: {:?}", scenario.faults) };
    let pause = FaultKind::Pause { client: ClientId(0), task: false, length: Some(Span::from_secs(15)) };
    assert_eq!(fault.kind, pause);
    assert!(matches!(fault.at.trigger, Trigger::Client { client: ClientId(0), .. }));
    assert_eq!(scenario.expectations.len(), 2);
}

#[test]
fn every_mistake_is_shown_at_its_place() {
    let text = GC_PAUSE.replace("ttl  =", "tll  =").replace("\"3s\"", "\"3\"").replace("A.acquired", "A.aquired");
    let errors = Scenario::parse("wrong.toml", &text).expect_err("three mistakes");
    expect![[r#"
        error: the lock `token-lua` has no parameter `tll`
         --> wrong.toml:9:1
          |
        9 | tll  = "10s"
          | ^^^
          = allowed: kind, listing, key, keys, ttl, retry, jitter, timeout, wait, token
          = hint: did you mean `ttl`?

        error: "3" is not a length of time
          --> wrong.toml:16:8
           |
        16 | work = "3"
           |        ^^^
           = allowed: a number with a unit: us, ms, s, m, h or d, such as "250ms"
           = hint: say the unit: "3s" or "3ms"?

        error: "aquired" is no value of a client's event
          --> wrong.toml:25:12
           |
        25 | at    = "A.aquired + 2s"
           |            ^^^^^^^
           = allowed: started, acquire-sent, acquire-executed, checked, acquired, refused, renew-sent, renew-executed, renewed, renew-failed, lost, looked, before-read, read, before-write, write-sent, wrote, before-unlock, release-sent, release-executed, released, finished, sent, got
           = hint: did you mean `acquired`?"#]].assert_eq(&errors.to_string());
}
