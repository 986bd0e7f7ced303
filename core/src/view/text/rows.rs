//! What the timeline tells, row by row.

use super::Style;
use crate::history::LossReason;
use crate::i18n::Text;
use crate::say;
use crate::time::Span;
use crate::view::scene::loss;
use crate::view::{BarKind, Element, Exchange, ExchangeTarget, LaneId, MarkKind, Point, Scene, Tone, Weight};

/// A request that takes longer than this on one way is told in two rows.
const SLOW: Span = Span::from_millis(50);

/// One turn of the story.
pub(in crate::view) struct Row {
    /// When.
    pub at: Point,
    /// The event after which the lanes are shown.
    pub state: u32,
    /// The message that is under way, if any.
    pub arrow: Option<Arrow>,
    /// What is told.
    pub words: Text,
    /// In what style.
    pub style: Style,
}

/// A message between two lanes.
pub(in crate::view) struct Arrow {
    /// The client's lane.
    pub client: LaneId,
    /// The server's or resource's.
    pub server: LaneId,
    /// How far it comes.
    pub way: Way,
}

/// How a message travels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::view) enum Way {
    /// There, and a reply comes back.
    There,
    /// There, and the resource shows what it did: looked, accepted, refused.
    Resource(char),
    /// Under way.
    Leaves,
    /// It does not arrive.
    Dies,
    /// A reply arrives late.
    Back,
}

/// All rows in order.
pub(in crate::view) fn rows(scene: &Scene) -> Vec<Row> {
    let mut rows = Vec::new();
    for (index, exchange) in scene.exchanges.iter().enumerate() {
        exchange_rows(scene, Element::Exchange(index as u32), exchange, &mut rows);
    }
    for fold in &scene.folds {
        rows.push(plain(fold.from, fold.words.clone(), Style::Faint));
    }
    for mark in scene.marks.iter().filter(|mark| mark.weight > Weight::Quiet) {
        rows.push(plain(mark.at, mark.words.clone(), mark_style(mark.tone)));
    }
    for bar in scene
        .bars
        .iter()
        .filter(|bar| bar.kind == BarKind::Work || (bar.kind == BarKind::ClockOff && !stepped(scene, bar.from)))
    {
        rows.push(plain(bar.from, bar.words.clone(), mark_style(bar.tone)));
    }
    for highlight in &scene.highlights {
        let words = Text::new(format!("!! {}", highlight.words.en), format!("!! {}", highlight.words.zh));
        rows.push(plain(highlight.begins(scene), words, Style::Broken));
    }
    rows.sort_by_key(|row| (row.at.event, row.style == Style::Broken));
    rows
}

fn plain(at: Point, words: Text, style: Style) -> Row {
    Row { at, state: at.event, arrow: None, words, style }
}

fn mark_style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::Plain,
        Tone::Client(client) => Style::Client(client),
        Tone::Fault => Style::Fault,
        Tone::Broken => Style::Broken,
        Tone::Refused => Style::Refused,
    }
}

/// Whether the fault that put a clock off is told at the same instant anyway.
fn stepped(scene: &Scene, at: Point) -> bool {
    scene.marks.iter().any(|mark| mark.kind == MarkKind::ClockStep && mark.at.at == at.at)
}

/// One row where request and reply are quick, else one for each end.
fn exchange_rows(scene: &Scene, element: Element, exchange: &Exchange, rows: &mut Vec<Row>) {
    let style = mark_style(exchange.tone);
    let (client, server) = (exchange.client, exchange.server);
    let told_at = exchange.told_at();
    let row = |at: Point, way, words| Row {
        at,
        state: scene.settled(element, at),
        arrow: Some(Arrow { client, server, way }),
        words,
        style,
    };
    let (words, name) = (with_effects(exchange), &scene.lanes[usize::from(client.0)].name);
    let Some(executed) = exchange.executed else {
        let late = exchange.missed.filter(|(point, _)| point.at.since(exchange.sent.at) > SLOW);
        match late {
            None => rows.push(row(exchange.sent, Way::Dies, words)),
            Some((missed, why)) => {
                let way = if why == LossReason::TimedOut { Way::Leaves } else { Way::Dies };
                rows.push(row(exchange.sent, way, asks(exchange, name, scene)));
                rows.push(plain(missed, words, style));
            }
        }
        return;
    };
    let way = arrival(exchange);
    if executed.at.since(exchange.sent.at) > SLOW {
        rows.push(row(exchange.sent, Way::Leaves, asks(exchange, name, scene)));
    }
    rows.push(row(told_at, way, words));
    if let Some((missed, why)) = exchange.missed.filter(|(point, _)| point.at.since(executed.at) > SLOW) {
        let why = loss(why);
        let words = Text::new(
            format!("{}: {} ({})", name.en, why.en, exchange.label.en),
            format!("{}：{}（{}）", name.zh, why.zh, exchange.label.zh),
        );
        rows.push(plain(missed, words, style));
    } else if let Some(heard) = exchange.heard.filter(|point| point.at.since(executed.at) > SLOW) {
        let answer = exchange.answer.clone().unwrap_or_default();
        let words = Text::new(
            format!("{} hears of its {}: {}", name.en, exchange.label.en, answer.en),
            format!("{} 收到 {} 的回复：{}", name.zh, exchange.label.zh, answer.zh),
        );
        rows.push(row(heard, Way::Back, words));
    }
}

fn asks(exchange: &Exchange, name: &Text, scene: &Scene) -> Text {
    let server = &scene.lanes[usize::from(exchange.server.0)].name;
    say!(
        "{name} sends {asked} to {server}",
        "{name} 向 {server} 发出 {asked}",
        name = name,
        asked = exchange.asked,
        server = server
    )
}

/// The exchange's sentence and what followed from it at once.
fn with_effects(exchange: &Exchange) -> Text {
    let mut words = exchange.words.clone();
    for effect in &exchange.effects {
        words.en = format!("{}; {}", words.en, effect.en);
        words.zh = format!("{}；{}", words.zh, effect.zh);
    }
    words
}

fn arrival(exchange: &Exchange) -> Way {
    match exchange.target {
        ExchangeTarget::Service(_) => Way::There,
        ExchangeTarget::Reading if exchange.tone == Tone::Refused => Way::Resource('x'),
        ExchangeTarget::Reading => Way::Resource('o'),
        ExchangeTarget::Changing(Some(false)) => Way::Resource('x'),
        ExchangeTarget::Changing(_) => Way::Resource('●'),
    }
}
