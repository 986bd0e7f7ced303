//! Folding: a client that repeats itself is told once, then counted.
//!
//! A waiter that asks every 100 ms, a watchdog that renews for an hour: the first time is a story, the next thousand are not. A
//! client's requests between two turns of its story are searched for blocks that repeat; all repetitions but the first become one
//! [`Fold`]. Requests that changed who holds the lock are never folded, nor is anything that touches the resource.

use super::words::Names;
use super::{
    Bar, BarKind, Element, Exchange, ExchangeTarget, Fold, LaneId, Mark, MarkKind, Point, Scene, Weight, Whose,
};
use crate::history::{LossReason, Phase};
use crate::i18n::Text;
use crate::say;
use crate::time::{Span, Time};

/// The longest block that is searched for, in requests and notes: five nodes asked and released fit.
const LONGEST_BLOCK: usize = 24;

/// What makes two requests or notes of a client the same to a reader.
#[derive(Clone, PartialEq, Eq)]
enum Signature {
    Request(LaneId, ExchangeTarget, Text, String, Option<String>, Option<LossReason>, usize),
    Note(MarkKind, String),
}

/// Something that a client does: foldable if it has a signature, else a turn of its story.
#[derive(Clone)]
struct Item {
    element: Element,
    event: u32,
    signature: Option<Signature>,
}

/// Folds what each client repeats, and renumbers what is left.
pub(super) fn fold(scene: &mut Scene, names: Names<'_>) {
    let mut folded_exchanges = vec![None; scene.exchanges.len()];
    let mut folded_marks = vec![None; scene.marks.len()];
    for (client, items) in items_by_client(scene).into_iter().enumerate() {
        for items in streams(&items, scene) {
            for (start, block, repeats) in repetitions(&items) {
                let folded = &items[start + block..start + block * repeats];
                let Some(told) = tell(scene, names, client, folded, block) else { continue };
                let index = scene.folds.len() as u32;
                scene.folds.push(told);
                for item in folded {
                    match item.element {
                        Element::Exchange(exchange) => folded_exchanges[exchange as usize] = Some(index),
                        Element::Mark(mark) => folded_marks[mark as usize] = Some(index),
                        Element::Bar(_) | Element::Fold(_) => {}
                    }
                }
            }
        }
    }
    let exchanges = renumber(&folded_exchanges);
    let marks = renumber(&folded_marks);
    let new = |index: u32, kept: &[Option<u32>], folded: &[Option<u32>], make: fn(u32) -> Element| match kept
        [index as usize]
    {
        Some(index) => make(index),
        None => Element::Fold(folded[index as usize].unwrap_or_default()),
    };
    for owner in &mut scene.owners {
        *owner = match *owner {
            Element::Exchange(index) => new(index, &exchanges, &folded_exchanges, Element::Exchange),
            Element::Mark(index) => new(index, &marks, &folded_marks, Element::Mark),
            other => other,
        };
    }
    keep(&mut scene.exchanges, &folded_exchanges);
    keep(&mut scene.marks, &folded_marks);
}

/// What each client does, in order, by the place of its lane among the clients'.
fn items_by_client(scene: &Scene) -> Vec<Vec<Item>> {
    let clients: Vec<LaneId> = (0..scene.lanes.len() as u16)
        .map(LaneId)
        .filter(|lane| matches!(scene.lanes[usize::from(lane.0)].whose, Whose::Client(_)))
        .collect();
    let mut items: Vec<Vec<Item>> = clients.iter().map(|_| Vec::new()).collect();
    let mut push = |lane: LaneId, item: Item| {
        if let Some(place) = clients.iter().position(|client| *client == lane) {
            items[place].push(item);
        }
    };
    for (index, exchange) in scene.exchanges.iter().enumerate() {
        let element = Element::Exchange(index as u32);
        push(exchange.client, Item { element, event: exchange.sent.event, signature: request_signature(exchange) });
    }
    for (index, mark) in scene.marks.iter().enumerate() {
        let element = Element::Mark(index as u32);
        push(mark.lane, Item { element, event: mark.at.event, signature: note_signature(mark) });
    }
    for (index, bar) in scene.bars.iter().enumerate() {
        let element = Element::Bar(index as u32);
        for event in turns(bar) {
            push(bar.lane, Item { element, event, signature: None });
        }
    }
    for items in &mut items {
        items.sort_by_key(|item| item.event);
    }
    items
}

/// A client's trying and its renewing, each with the turns of the story between: a client that polls while its watchdog renews repeats
/// itself in two ways at once. A note goes with the request before it.
fn streams(items: &[Item], scene: &Scene) -> [Vec<Item>; 2] {
    let mut streams = [Vec::new(), Vec::new()];
    let mut last = 0;
    for item in items {
        if let Element::Exchange(index) = item.element {
            last = usize::from(scene.exchanges[index as usize].target == ExchangeTarget::Service(Phase::Renew));
        }
        match item.signature {
            Some(_) => streams[last].push(item.clone()),
            None => streams.iter_mut().for_each(|stream| stream.push(item.clone())),
        }
    }
    streams
}

/// A pause, and a section's or a death's begin and end, are turns of the story.
fn turns(bar: &Bar) -> impl Iterator<Item = u32> {
    let turn = matches!(bar.kind, BarKind::Section | BarKind::Paused | BarKind::Dead);
    [bar.from.event, bar.until.event].into_iter().filter(move |_| turn)
}

fn request_signature(exchange: &Exchange) -> Option<Signature> {
    let foldable = match exchange.target {
        ExchangeTarget::Service(Phase::Renew | Phase::Check) => true,
        ExchangeTarget::Service(Phase::Acquire | Phase::Release) => !exchange.changed_holder,
        ExchangeTarget::Service(Phase::Resource) | ExchangeTarget::Reading | ExchangeTarget::Changing(_) => false,
    };
    foldable.then(|| {
        Signature::Request(
            exchange.server,
            exchange.target,
            exchange.label.clone(),
            subject(&exchange.asked.en).to_owned(),
            exchange.answer.as_ref().map(|answer| without_numbers(&answer.en)),
            exchange.missed.map(|(_, why)| why),
            exchange.effects.len(),
        )
    })
}

/// What a command is about: its key, or a script's first.
fn subject(command: &str) -> &str {
    let place = if command.starts_with("EVAL") { 3 } else { 1 };
    command.split(' ').nth(place).unwrap_or_default()
}

fn note_signature(mark: &Mark) -> Option<Signature> {
    let foldable = mark.weight < Weight::Loud && !matches!(mark.kind, MarkKind::Entered | MarkKind::Left);
    foldable.then(|| Signature::Note(mark.kind, without_numbers(&mark.words.en)))
}

/// Replies that differ only in numbers (a remaining time, a token) are the same to a reader; 0 and 1 are answers of their own.
fn without_numbers(text: &str) -> String {
    if text.len() <= 1 {
        return text.to_owned();
    }
    text.chars().filter(|char| !char.is_ascii_digit()).collect()
}

/// Blocks that repeat at least three times: start, length and number of repeats, in order, not overlapping.
fn repetitions(items: &[Item]) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < items.len() {
        let best = (1..=LONGEST_BLOCK).find_map(|block| {
            let repeats = repeats_at(items, start, block);
            (repeats >= 3).then_some((block, repeats))
        });
        match best {
            Some((block, repeats)) => {
                found.push((start, block, repeats));
                start += block * repeats;
            }
            None => start += 1,
        }
    }
    found
}

/// How often the block of this length at `start` stands there in a row, 1 if it does not repeat.
fn repeats_at(items: &[Item], start: usize, block: usize) -> usize {
    let same = |index: usize| match (items.get(index), items.get(index + block)) {
        (Some(one), Some(next)) => one.signature.is_some() && one.signature == next.signature,
        _ => false,
    };
    let matching = (start..).take_while(|index| same(*index)).count();
    1 + matching / block
}

/// The fold of these repetitions; `None` if no request is among them.
fn tell(scene: &Scene, names: Names<'_>, client: usize, folded: &[Item], block: usize) -> Option<Fold> {
    let requests: Vec<&Exchange> = folded
        .iter()
        .filter_map(|item| match item.element {
            Element::Exchange(index) => Some(&scene.exchanges[index as usize]),
            _ => None,
        })
        .collect();
    let (first, last) = (*requests.first()?, *requests.last()?);
    let count = (folded.len() / block) as u32;
    let a_block = requests.len() / count as usize;
    let name = names.client(crate::wire::ClientId(client as u16));
    let every = interval(&requests, a_block)
        .map_or_else(Text::default, |span| Text::new(format!(", every {span}"), format!("，每 {span} 一次")));
    let until = requests.iter().map(|request| request.last()).fold(last.last(), Point::max);
    let answered = |request: &Exchange, asked: &Text| match &request.answer {
        Some(answer) => format!("{} → {}", asked.en, answer.en),
        None => asked.en.clone(),
    };
    let each = match a_block {
        1 => Text::same(answered(first, &first.asked)),
        2..=4 => {
            let all: Vec<String> =
                requests[..a_block].iter().map(|request| answered(request, &request.label)).collect();
            Text::list(all)
        }
        _ => Text::new(format!("{a_block} requests each"), format!("每次 {a_block} 个请求")),
    };
    let effect = requests
        .iter()
        .rev()
        .find_map(|request| request.effects.last())
        .map_or_else(Text::default, |effect| say!("; in the end, {effect}", "；最后，{effect}", effect = effect));
    let (verb_en, verb_zh, label) = match first.target {
        ExchangeTarget::Service(Phase::Renew) => {
            ("renews", "又续期", say!("{count} renewals", "续期 {count} 次", count = count.to_string()))
        }
        ExchangeTarget::Service(Phase::Check) => {
            ("looks", "又检查", say!("{count} looks", "检查 {count} 次", count = count.to_string()))
        }
        _ => ("tries", "又尝试", say!("{count} tries", "重试 {count} 次", count = count.to_string())),
    };
    let at = until.at;
    Some(Fold {
        client: first.client,
        server: first.server,
        from: first.sent,
        until,
        count,
        label,
        words: Text::new(
            format!("{name} {verb_en} {count} more times{}, until {at}: {}{}", every.en, each.en, effect.en),
            format!("{name} {verb_zh} {count} 次{}，直到 {at}：{}{}", every.zh, each.zh, effect.zh),
        ),
    })
}

/// The span between repetitions, if it is always the same.
fn interval(requests: &[&Exchange], a_block: usize) -> Option<Span> {
    let starts: Vec<Time> = requests.iter().step_by(a_block.max(1)).map(|request| request.sent.at).collect();
    let mut gaps = starts.windows(2).map(|pair| pair[1].since(pair[0]));
    let gap = gaps.next()?;
    gaps.all(|other| other == gap).then_some(gap)
}

/// The new index of each element that stays.
fn renumber(folded: &[Option<u32>]) -> Vec<Option<u32>> {
    let mut next = 0;
    let mut number = |fold: &Option<u32>| {
        let stays = fold.is_none();
        let index = next;
        next += u32::from(stays);
        stays.then_some(index)
    };
    folded.iter().map(&mut number).collect()
}

fn keep<T>(elements: &mut Vec<T>, folded: &[Option<u32>]) {
    let mut folded = folded.iter();
    elements.retain(|_| folded.next().is_some_and(Option::is_none));
}
