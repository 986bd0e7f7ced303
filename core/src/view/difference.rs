//! Where two runs of one scenario part: the same clients, the same faults, another lock.
//!
//! Locks speak to their services in words of their own, which is no difference to speak of. What is compared is what a reader of both drawings wants to know: who
//! waits, who acts as holder, who holds the lock by the records, who is stopped, and what the resource answers.

use std::collections::BTreeMap;

use super::{Bar, BarKind, Element, Exchange, ExchangeTarget, LaneId, Mark, MarkKind, Scene, Tone, Whose};
use crate::time::Time;
use crate::wire::ClientId;

/// Something in one run that is not so in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// When the two runs part: where it begins, or where it ends in one of them and goes on in the other.
    pub at: Time,
    /// What draws it in the first of the two.
    pub element: Element,
}

/// Everything in a run that is not so in another run of the same scenario, in the order of time.
pub fn differences(one: &Scene, other: &Scene) -> Vec<Difference> {
    let mut others: BTreeMap<Fact, Vec<Time>> = BTreeMap::new();
    for (_, fact, end) in facts(other) {
        others.entry(fact).or_default().push(end);
    }
    let mut unshared = facts(one);
    unshared.retain(|(_, fact, end)| {
        let ends = others.get_mut(fact);
        let shared = ends.and_then(|ends| Some(ends.swap_remove(ends.iter().position(|other| other == end)?)));
        shared.is_none()
    });
    let mut found: Vec<Difference> = unshared
        .into_iter()
        .map(|(element, fact, end)| {
            let at = others.get_mut(&fact).and_then(Vec::pop).map_or(fact.from, |other| end.min(other));
            Difference { at, element }
        })
        .collect();
    found.sort_unstable();
    found
}

/// What is compared, apart from when it ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fact {
    from: Time,
    client: Option<ClientId>,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Lasts(BarKind),
    /// The resource's answer: it is the same words for every lock.
    Asks(ExchangeTarget, String),
    Fails(String),
}

/// What a scene says, each with what draws it and when it ends.
fn facts(scene: &Scene) -> Vec<(Element, Fact, Time)> {
    let bars = scene.bars.iter().enumerate().filter_map(|(index, bar)| {
        // What lasts until the run is over does so in both runs, whichever is longer.
        let end = if bar.open { Time(u64::MAX) } else { bar.until.at };
        Some((Element::Bar(index as u32), of_bar(scene, bar)?, end))
    });
    let exchanges = scene.exchanges.iter().enumerate().filter_map(|(index, exchange)| {
        let fact = of_exchange(scene, exchange)?;
        Some((Element::Exchange(index as u32), fact.clone(), fact.from))
    });
    let marks = scene.marks.iter().enumerate().filter_map(|(index, mark)| {
        let fact = of_mark(scene, mark)?;
        Some((Element::Mark(index as u32), fact.clone(), fact.from))
    });
    bars.chain(exchanges).chain(marks).collect()
}

fn of_bar(scene: &Scene, bar: &Bar) -> Option<Fact> {
    let client = match bar.kind {
        BarKind::Waiting | BarKind::Section | BarKind::Paused | BarKind::Dead => client_of(scene, bar.lane),
        // Whose lease it is matters, and not on which of the services it is kept.
        BarKind::Lease => match bar.tone {
            Tone::Client(client) => Some(client),
            Tone::Plain | Tone::Fault | Tone::Broken | Tone::Refused => None,
        },
        BarKind::Work | BarKind::Record | BarKind::Down | BarKind::Slow | BarKind::Cut | BarKind::ClockOff => {
            return None;
        }
    };
    // A lease of no length, a client that got the lock at once: nothing is drawn.
    let is_drawn = bar.from.at < bar.until.at || bar.kind == BarKind::Section;
    is_drawn.then_some(Fact { from: bar.from.at, client, what: What::Lasts(bar.kind) })
}

fn of_exchange(scene: &Scene, exchange: &Exchange) -> Option<Fact> {
    let what = match exchange.target {
        ExchangeTarget::Service(_) => return None,
        target => What::Asks(target, exchange.label.en.clone()),
    };
    Some(Fact { from: exchange.told_at().at, client: client_of(scene, exchange.client), what })
}

fn of_mark(scene: &Scene, mark: &Mark) -> Option<Fact> {
    let client = client_of(scene, mark.lane).filter(|_| mark.kind == MarkKind::Refused)?;
    Some(Fact { from: mark.at.at, client: Some(client), what: What::Fails(mark.label.en.clone()) })
}

fn client_of(scene: &Scene, lane: LaneId) -> Option<ClientId> {
    match scene.lanes.get(usize::from(lane.0))?.whose {
        Whose::Client(client) => Some(client),
        Whose::Faults | Whose::Lock(_) | Whose::Node(_) | Whose::Resource => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::examples::gc_pause;
    use crate::view::scene;

    #[test]
    fn a_run_does_not_differ_from_itself() {
        let scene = scene(&gc_pause(), Vec::new());
        assert_eq!(differences(&scene, &scene), []);
    }

    #[test]
    fn what_ends_elsewhere_differs_from_there_on_and_what_is_missing_from_where_it_begins() {
        let here = scene(&gc_pause(), Vec::new());
        let mut there = here.clone();
        let section = here.bars.iter().rposition(|bar| bar.kind == BarKind::Section).expect("somebody gets the lock");
        there.bars[section].until.at = Time(there.bars[section].until.at.0 - 500);
        let change = here.exchanges.iter().position(|exchange| matches!(exchange.target, ExchangeTarget::Changing(_)));
        let change = change.expect("somebody writes");
        there.exchanges[change].target = ExchangeTarget::Changing(Some(false));
        let found = differences(&here, &there);
        let expected = [
            (there.bars[section].until.at, Element::Bar(section as u32)),
            (here.exchanges[change].told_at().at, Element::Exchange(change as u32)),
        ];
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(expected.iter().all(|(at, element)| found.contains(&Difference { at: *at, element: *element })));
        // Seen from the other run, the same instants.
        let back = differences(&there, &here);
        assert!(back.iter().map(|difference| difference.at).eq(found.iter().map(|difference| difference.at)));
    }

    #[test]
    fn the_words_that_a_lock_and_its_service_exchange_are_no_difference() {
        let here = scene(&gc_pause(), Vec::new());
        let mut there = here.clone();
        for exchange in &mut there.exchanges {
            if matches!(exchange.target, ExchangeTarget::Service(_)) {
                exchange.label = crate::i18n::Text::same("EVAL");
            }
        }
        assert_eq!(differences(&here, &there), []);
    }
}
