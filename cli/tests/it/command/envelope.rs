//! `locklab envelope`: edges, maps, drawings, bad input.

use super::{GC_PAUSE, locklab, locklab_with};

/// The scenario's own pause, around its edge.
const AROUND: [&str; 10] = [
    "envelope",
    GC_PAUSE,
    "--vary",
    "pause",
    "--own-moments",
    "--property",
    "no-overrun",
    "--from=7900ms",
    "--to=8100ms",
    "--step=50ms",
];

fn envelope(more: &[&str]) -> super::Said {
    locklab(&[&AROUND[..], more].concat())
}

#[test]
fn the_edge_of_a_pause_is_told_to_the_millisecond_and_plays_again() {
    let said = envelope(&[]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    let edge = "no-overrun: holds from 7.9s to 8.001s, broken from 8.002s to 8.1s";
    assert!(said.out.contains(edge), "{}", said.out);
    let address = said.out.lines().find_map(|line| line.trim().strip_prefix("locklab replay ")).expect("an address");
    let replayed = locklab(&["replay", address]);
    assert!(replayed.out.contains("broken   no-overrun"), "{}", replayed.out);
    let chinese = locklab_with(&AROUND, &[("LOCKLAB_LANG", "zh")], b"");
    assert!(chinese.out.contains("7.9s 到 8.001s 成立，8.002s 到 8.1s 被破坏"), "{}", chinese.out);
}

#[test]
fn a_map_has_a_line_for_each_value_of_the_second_figure() {
    let said = envelope(&["--against", "ttl=10s..10200ms", "--lines", "3", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&said.out).expect("it is JSON");
    let lines = document["lines"].as_array().expect("lines");
    let edges: Vec<(u64, u64)> = lines
        .iter()
        .map(|line| {
            let stretch = &line["properties"][0]["stretches"][0];
            (line["against"]["value"].as_u64().unwrap_or(0), stretch["to"].as_u64().unwrap_or(0))
        })
        .collect();
    // A longer lease survives just so much longer a pause.
    assert_eq!(edges, [(10_000_000, 8_001_000), (10_100_000, 8_100_000), (10_200_000, 8_100_000)]);
}

#[test]
fn an_envelope_is_drawn_when_the_file_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("edge.svg");
    let said = envelope(&["-o", &file.display().to_string()]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""), "{}", said.err);
    let svg = std::fs::read_to_string(file).expect("it was written");
    assert!(svg.starts_with("<svg ") && svg.contains(">8.002s<"), "{svg}");
}

#[test]
fn what_cannot_be_varied_is_told_with_a_hint() {
    for (arguments, hint) in [
        (&["--vary", "patience"][..], "pause, ttl, latency"),
        (&["--vary", "lag"], "failover/before-replication"),
        (&["--vary", "drift", "--to", "3s"], "200000ppm"),
        (&["--vary", "pause", "--from", "3s", "--to", "1s"], "the range is empty"),
        (&["--vary", "pause", "--step", "0s"], "with this --step there are more than 10,000 points"),
        (&["--vary", "clock-step", "--own-moments"], "--own-moments"),
        (&["--vary", "pause", "--against", "pause"], "the same"),
    ] {
        let said = locklab(&[&["envelope", GC_PAUSE][..], arguments].concat());
        assert_eq!(said.code, Some(2), "{arguments:?} {}", said.out);
        assert!(said.err.contains(hint), "{arguments:?} {}", said.err);
    }
}

#[test]
fn an_envelope_without_time_knows_nothing() {
    let said = envelope(&["--budget", "1us"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("no-overrun: unknown from 7.9s to 8.1s"), "{}", said.out);
}
