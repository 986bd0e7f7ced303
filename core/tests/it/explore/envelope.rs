//! Envelopes with known answers: what a lock's own arithmetic promises, found again from its behaviour alone.

use locklab_core::check::Property;
use locklab_core::explore::envelope::{Envelope, Outcome, Stretch, critical, outcomes};
use locklab_core::explore::{Adversity, Progress, Search};
use locklab_core::locks;
use locklab_core::scenario::Scenario;
use locklab_core::sim::{Allowance, FaultClass, Lengths, Plan};
use locklab_core::time::Span;

const MS: u64 = 1_000;

/// One client alone: whether it stays within its own lease is all that is asked.
fn scenario(lock: &str, ttl_ms: u64, latency_ms: u64, steps: &str, more: &str) -> Scenario {
    let text = format!(
        r#"
title = "alone"
[lock]
kind = "{lock}"
ttl = "{ttl_ms}ms"
[network]
latency = "{latency_ms}ms"
[[client]]
name = "A"
wait = "0s"
steps = {steps}
{more}
[expect.{lock}]
broken = []
happens = ["A.acquired"]
"#
    );
    Scenario::parse("alone", &text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
}

/// The stretches of no-overrun between these values.
fn stretches(
    (from, to, unit): (u64, u64, u64),
    lock: &str,
    point: impl Fn(u64) -> (Scenario, Adversity),
) -> Vec<Stretch> {
    let plan = Plan::new(&point(from).0, locks::find(lock).expect("a lock")).expect("they go together");
    let mut envelope = Envelope::new(from, to, (to - from) / 8, unit, &critical(&plan, Lengths::default()));
    loop {
        let pending = envelope.pending();
        if pending.is_empty() {
            return envelope.stretches(0);
        }
        for value in pending {
            let (scenario, adversity) = point(value);
            let lock = locks::find(lock).expect("a lock");
            let mut search =
                Search::against(&scenario, lock, adversity, &[Property::NoOverrun]).expect("they go together");
            while search.advance(10_000) == Progress::Going {}
            envelope.settle(value, outcomes(&search));
        }
    }
}

fn pause_of(value: u64) -> Adversity {
    let lengths = Lengths::default().with(FaultClass::Pause, Span(value));
    Adversity::Placed(Allowance::default().with(FaultClass::Pause, 1), lengths)
}

fn edges(stretches: &[Stretch]) -> Vec<(Outcome, u64)> {
    stretches.iter().map(|stretch| (stretch.outcome, stretch.to)).collect()
}

#[test]
fn a_token_lock_survives_a_pause_of_its_ttl_less_what_has_elapsed() {
    // The lease is counted from the execution, one latency before its holder hears of it; Redis keeps a key through its last millisecond.
    for (latency, work) in [(0, 100), (5, 100), (5, 250)] {
        let scenario = scenario("token-lua", 400, latency, &format!(r#"["lock", "{work}ms", "unlock"]"#), "");
        let found = stretches((MS, 800 * MS, MS), "token-lua", |value| (scenario.clone(), pause_of(value)));
        let edge = (400 + 1 - latency - work) * MS;
        assert_eq!(
            edges(&found),
            [(Outcome::Held, edge), (Outcome::Broken, 800 * MS)],
            "latency {latency}, work {work}"
        );
    }
}

/// Redlock on three nodes, with its own allowance for drift: a hundredth of the ttl and 2 ms.
fn redlock(ttl: u64, latency: u64, work: u64, fault: &str) -> Scenario {
    let servers = "[servers]\nredis = \"independent\"\nnodes = 3\n";
    let steps = format!(r#"["lock", "{work}ms", "unlock"]"#);
    scenario("redlock", ttl, latency, &steps, &format!("{servers}{fault}"))
}

fn pause_at(moment: &str, value: u64) -> String {
    format!("[[fault]]\npause = \"A\"\nat = \"{moment}\"\nfor = \"{}\"\n", Span(value))
}

#[test]
fn redlock_is_valid_for_its_ttl_less_what_has_elapsed_and_its_allowance_for_drift() {
    for (ttl, latency) in [(1_000, 0), (1_000, 3), (2_000, 10)] {
        let drift = ttl / 100 + 2;
        let lease_ends = latency + ttl + 1;
        // It works for 8 ms more than its allowance leaves: whoever is told "acquired" with next to nothing left overruns, and whoever is refused does not.
        let work = drift + latency + 1 + 8;
        let found = stretches((MS, 2 * ttl * MS, MS), "redlock", |value| {
            (redlock(ttl, latency, work, &pause_at("A.acquire-sent #3", value)), Adversity::Own)
        });
        // The last look at the clock comes after the pause, so all of the pause has elapsed: valid as long as ttl - elapsed - drift is above 0.
        let last_valid = ttl - drift - 1;
        let expected = [
            (Outcome::Held, (lease_ends - work) * MS),
            (Outcome::Broken, last_valid * MS),
            (Outcome::Held, 2 * ttl * MS),
        ];
        assert_eq!(edges(&found), expected, "ttl {ttl}, latency {latency}");
    }
}

#[test]
fn after_its_last_look_redlock_survives_what_its_validity_and_its_allowance_leave() {
    for (ttl, latency, work) in [(1_000, 0, 1), (1_000, 3, 1), (2_000, 10, 300)] {
        let found = stretches((MS, 2 * ttl * MS, MS), "redlock", |value| {
            (redlock(ttl, latency, work, &pause_at("A.checked", value)), Adversity::Own)
        });
        let elapsed = 2 * latency;
        let drift = ttl / 100 + 2;
        let validity = ttl - elapsed - drift;
        // The lease is counted from the execution, one latency after the client's clock, and kept through its last millisecond.
        let edge = validity + drift + latency + 1 - work;
        assert_eq!(
            edges(&found),
            [(Outcome::Held, edge * MS), (Outcome::Broken, 2 * ttl * MS)],
            "ttl {ttl}, latency {latency}"
        );
    }
}

#[test]
fn redlock_that_works_for_its_whole_validity_survives_drift_of_its_allowance_and_no_more() {
    for (ttl, latency) in [(10_000, 3), (2_000, 1)] {
        let validity = ttl - 2 * latency - (ttl / 100 + 2);
        let found = stretches((0, 40_000, 1), "redlock", |ppm| {
            let clocks: String = (1..=3).map(|node| format!("node-{node} = \"{ppm}ppm\"\n")).collect();
            (redlock(ttl, latency, validity, &format!("[clocks]\n{clocks}")), Adversity::Own)
        });
        let [Stretch { to: edge, outcome: Outcome::Held, .. }, Stretch { outcome: Outcome::Broken, .. }] = found[..]
        else {
            panic!("{found:?}")
        };
        // The lease is over when a fast clock has counted it, in whole milliseconds; the work is over after the validity.
        let (lease, work) = (latency + ttl + 1, 2 * latency + validity);
        let exact = (lease - work) * 1_000_000 / work;
        assert!(edge >= 10_000, "a hundredth is allowed for: {edge}");
        assert!(edge.abs_diff(exact) <= 1_000_000 / ttl, "{edge} {exact}");
    }
}
