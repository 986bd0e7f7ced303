//! Risks with known answers, and that a sample is the same however it is cut.

use locklab_core::check::Property;
use locklab_core::explore::risk::{Estimate, Model, Risk, Tally, YEAR};
use locklab_core::locks;
use locklab_core::scenario::Scenario;

/// One client, 3 s of work under a lease of 10 s: a run of 3 s.
const ALONE: &str = r#"
title = "alone"
[lock]
kind = "token-lua"
ttl = "10s"
[[client]]
name = "A"
steps = ["lock", "3s", "unlock"]
[expect.token-lua]
broken = []
happens = ["A.acquired"]
"#;

const LOAD: &str = "[load]\nacquisitions_per_second = 10\n";

fn risk(model: &str, seed: u64) -> Risk {
    let scenario = Scenario::parse("alone", ALONE).expect("the scenario is right");
    let model =
        Model::parse(&format!("{model}\n{LOAD}"), |_| unreachable!("it names no log")).expect("the model is right");
    let lock = locks::find("token-lua").expect("a lock");
    Risk::new(&scenario, lock, model, &[Property::NoOverrun], seed).expect("they go together")
}

fn near(estimate: Estimate, exact: f64) {
    let probability = estimate.probability.expect("it was seen");
    assert!((probability - exact).abs() < exact * 0.08, "{estimate:?} {exact}");
    assert!(estimate.low < exact && exact < estimate.high, "{estimate:?} {exact}");
}

#[test]
fn the_chance_of_a_pause_that_is_too_long_is_found_at_one_in_a_hundred_million() {
    // Far less than one pause in a thousand years, even from 5 s to 9 s. It is too long where it ends after 10.001 s, and it begins in the first 3 s.
    let rate = 6e-9;
    let risk = risk(&format!("[pause]\nper_minute = {rate}\npercentiles = {{ min = \"5s\", max = \"9s\" }}"), 1);
    let tally = risk.sample(0..3_000);
    let exact = rate / 60.0 * 3.0 * (1.999 * 1.999 / 2.0) / (3.0 * 4.0);
    near(risk.of_an_acquisition(&tally, 0), exact);
    near(risk.of_a_year(&tally, 0), exact * 10.0 * YEAR);
    // That nothing happens where nothing strikes is known, not only not seen: two pauses in one run are all that is left.
    assert!(risk.of_a_run(&tally, 0).unseen < 1e-20);
}

#[test]
fn pauses_that_are_common_add_up() {
    // Two a second, each of 1 s: a run breaks when its pauses, which do not overlap, last longer than 7.001 s together. Seldom; but not never.
    let risk = risk("[pause]\nper_minute = 120\npercentiles = { min = \"1s\", max = \"1s\" }", 1);
    let blind = risk.of_a_run(&risk.sample(0..3_000), 0);
    assert!(blind.high < 0.2 && blind.unseen < 0.01, "{blind:?}");
    assert!((risk.strata().iter().map(|stratum| stratum.weight).sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn what_is_never_seen_has_an_upper_bound_and_no_estimate() {
    let pauses = "[pause]\nper_minute = 0.001\npercentiles = { min = \"1s\", max = \"4s\" }";
    let excluded = risk(pauses, 1);
    let estimate = excluded.of_a_run(&excluded.sample(0..3_000), 0);
    assert_eq!((estimate.probability, estimate.low, estimate.high), (None, 0.0, 0.0));
    // A search knows that one pause of 4 s is harmless; of two it was not asked.
    assert!(estimate.unseen > 0.0 && estimate.unseen < 1e-11, "{estimate:?}");
    // Where latency is a matter of chance nothing is excluded: then it is the rule of three, for a third of the runs.
    let network = "[network]\npercentiles = { min = \"1ms\", max = \"3ms\" }";
    let open = risk(&format!("{pauses}\n{network}"), 1);
    let estimate = open.of_a_run(&open.sample(0..3_000), 0);
    assert!(estimate.probability.is_none() && (estimate.unseen - 3.0 / 1_000.0).abs() < 1e-5, "{estimate:?}");
}

#[test]
fn a_sample_is_the_same_however_it_is_cut_and_another_with_another_seed() {
    let model = "[pause]\nper_minute = 3\npercentiles = { p50 = \"100ms\", p99 = \"5s\", max = \"20s\" }\n\
                 [network]\npercentiles = { min = \"1ms\", p99 = \"30ms\", max = \"2s\" }";
    let risk = risk(model, 7);
    let whole = risk.sample(0..600);
    let cut =
        [400..600, 0..1, 1..400].map(|runs| risk.sample(runs)).iter().fold(risk.tally(), |mut sum, tally: &Tally| {
            sum.add(tally);
            sum
        });
    assert_eq!(whole, cut);
    assert!(whole.first[0].is_some() && whole.endless == 0);
    assert_ne!(whole, self::risk(model, 8).sample(0..600));
}
