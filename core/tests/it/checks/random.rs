//! The judge against a naive one that looks at every millisecond.

use locklab_core::check::{Property, check};
use locklab_core::history::{ClientEvent, Event, GrantEnd, GrantEvent, History, LeaveReason, Operation, Outcome, What};
use locklab_core::time::{Span, Time};
use locklab_core::wire::ClientId;
use proptest::prelude::*;

use crate::run::Run;

/// One random act of one client, some milliseconds after the last.
#[derive(Clone, Copy, Debug)]
struct Act {
    after: u64,
    client: u16,
    kind: u8,
    ttl: u64,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = (0_u64..4, 0_u16..3, 0_u8..8, 1_u64..9);
    proptest::collection::vec(act.prop_map(|(after, client, kind, ttl)| Act { after, client, kind, ttl }), 0..40)
}

/// A history that no lock would make, but that obeys the format: leases end at their ends, clients enter and leave in turn.
fn history(acts: &[Act]) -> History {
    let mut run = Run::new();
    let mut now = 0;
    let mut inside = [false; 3];
    let mut leases: Vec<(u32, u16, u64)> = Vec::new();
    let mut grants = 0;
    for act in acts {
        now += act.after;
        leases.sort_by_key(|lease| lease.2);
        while let Some(&(grant, _, ends)) = leases.first().filter(|lease| lease.2 <= now) {
            run.at(ends).expires(grant);
            leases.remove(0);
        }
        run.at(now);
        let (client, own) = (ClientId(act.client), usize::from(act.client));
        match act.kind {
            0 | 1 => {
                grants += 1;
                run.granted(client, Some(now + act.ttl));
                leases.push((grants, act.client, now + act.ttl));
            }
            2 if !inside[own] => {
                run.enters(client);
                inside[own] = true;
            }
            3 if inside[own] => {
                run.leaves(client, LeaveReason::Releasing);
                inside[own] = false;
            }
            4 => {
                run.reads(client);
            }
            5 | 6 => {
                run.writes(client);
            }
            7 if !leases.is_empty() => {
                let (grant, ..) = leases.remove(0);
                run.ends(grant, GrantEnd::Removed, Some(client));
            }
            _ => {}
        }
    }
    run.at(now + 5).quiet()
}

/// What is so in one millisecond, found by walking the whole history again.
fn inside_at(history: &History, millis: u64) -> (Vec<ClientId>, Vec<ClientId>) {
    let (mut inside, mut leases): (Vec<ClientId>, Vec<(u32, ClientId)>) = (Vec::new(), Vec::new());
    for Event { what, .. } in history.events.iter().filter(|event| event.at <= Time(millis * 1_000)) {
        match what {
            What::Client { client, event: ClientEvent::Entered { .. } } => inside.push(*client),
            What::Client { client, event: ClientEvent::Left { .. } } => inside.retain(|other| other != client),
            // A lease that outlives the last act has no event for its end: the end itself is what counts.
            What::Grant { event: GrantEvent::Granted { grant, holder, ends, .. }, .. }
                if ends.is_none_or(|ends| ends > Time(millis * 1_000)) =>
            {
                leases.push((grant.0, *holder));
            }
            What::Grant { event: GrantEvent::Ended { grant, .. }, .. } => leases.retain(|(other, _)| *other != grant.0),
            _ => {}
        }
    }
    (inside, leases.into_iter().map(|(_, holder)| holder).collect())
}

/// The updates that are not part of the final value: each update is one letter, and every write brings its whole value.
fn lost(history: &History) -> u64 {
    let (mut accepted, mut last) = (0, 0);
    for event in &history.events {
        let What::Effect(effect) = &event.what else { continue };
        if let (Operation::Write, Outcome::Accepted(effected)) = (effect.operation, &effect.outcome) {
            accepted += 1;
            last = effected.value.len() as u64;
        }
    }
    accepted - last
}

proptest! {
    #[test]
    fn the_judge_agrees_with_a_naive_one(acts in acts()) {
        let history = history(&acts);
        let report = check(&history);
        let end = history.events.last().map_or(0, |event| event.at.0 / 1_000);
        let (mut overlap, mut overrun) = (0, 0);
        for millis in 0..end {
            let (inside, leases) = inside_at(&history, millis);
            overlap += inside.len() * inside.len().saturating_sub(1) / 2;
            overrun += inside.iter().filter(|client| !leases.contains(client)).count();
        }
        prop_assert_eq!(report.totals.overlap, Span::from_millis(overlap as u64));
        prop_assert_eq!(report.totals.overrun, Span::from_millis(overrun as u64));
        prop_assert_eq!(report.totals.lost_updates, lost(&history));
        prop_assert_eq!(report.verdict(Property::MutualExclusion).is_broken(), overlap > 0);
        prop_assert_eq!(report.verdict(Property::NoOverrun).is_broken(), overrun > 0);
    }

    #[test]
    fn random_histories_survive_the_round_trip(acts in acts()) {
        let history = history(&acts);
        let lines = history.to_lines();
        prop_assert_eq!(&History::from_lines(&lines).expect("it was just written"), &history);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".*", line in 0_usize..20, at in 0_usize..200) {
        let _ = History::from_lines(&text);
        let lines = crate::run::gc_pause().quiet().to_lines();
        let mut bent: Vec<String> = lines.lines().map(str::to_owned).collect();
        let place = line % bent.len();
        bent[place] = bent[place].chars().enumerate().filter(|(index, _)| *index != at).map(|(_, char)| char).collect();
        if let Ok(history) = History::from_lines(&bent.join("\n")) {
            check(&history);
        }
    }
}
