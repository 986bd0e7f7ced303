//! The edges along a figure: a chart, the same in sentences, and the simplest run at each first edge.

use std::rc::Rc;

use locklab_core::explore::envelope::{Axis, Outcome, Stretch};
use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use locklab_core::view::chart::{Piece, Strip, Strips, Tone, Unit};
use locklab_core::view::svg::StyleSheet;
use yew::{Html, Properties, component, html};

use crate::errand::{EdgeLine, Edges};
use crate::words::words;

/// The narrowest chart that is drawn, in pixels: on less it shrinks.
const NARROWEST: u32 = 300;

/// What lies beside a chart, in pixels: the edges of the page and of the card.
const EDGES: u32 = 56;

#[derive(PartialEq, Properties)]
pub struct EdgesProperties {
    pub language: Language,
    pub axis: Axis,
    pub against: Option<Axis>,
    pub edges: Rc<Edges>,
    /// Which scenario and lock it is about.
    pub title: String,
    pub width: u32,
}

#[component]
pub fn EdgesCard(properties: &EdgesProperties) -> Html {
    let EdgesProperties { language, axis, edges, width, .. } = properties;
    let words = words(*language);
    let chart =
        chart(properties).svg(*language, u64::from((*width).saturating_sub(EDGES).max(NARROWEST)), StyleSheet::Outside);
    html! {
        <div class="edges" role="status">
            <div class="chart-scroll" tabindex="0" role="group" aria-label={words.edge_title}>
                { Html::from_html_unchecked(chart.into()) }
            </div>
            <ul class="edge-words">
                { for edges.lines.iter().map(|line| html! { <li>{ told(properties, line).in_language(*language).to_owned() }</li> }) }
            </ul>
            if !edges.breaks.is_empty() {
                <h4>{ words.at_the_edge }</h4>
                <ul class="attacks">
                    { for edges.breaks.iter().map(|(property, value, run)| html! {
                        <li>
                            <a href={format!("#{run}")} data-edge={property.name()}>{ property.title().in_language(*language) }</a>
                            <span class="quiet small">{ format!("{} {}", axis.title().in_language(*language), axis.show(*value)) }</span>
                        </li>
                    }) }
                </ul>
            }
            <p class="quiet small">{ decided(edges).in_language(*language) }</p>
        </div>
    }
}

fn chart(properties: &EdgesProperties) -> Strips {
    let EdgesProperties { language, axis, edges, .. } = properties;
    let piece = |Stretch { from, to, outcome }: &Stretch| {
        let tone = match outcome {
            Outcome::Held => Tone::Held,
            Outcome::Broken => Tone::Broken,
            Outcome::Unknown => Tone::Unknown,
        };
        Piece { from: *from, to: *to, tone }
    };
    let strip = |line: &EdgeLine| Strip {
        label: name_of(properties, line).in_language(*language).to_owned(),
        pieces: line.stretches.iter().map(piece).collect(),
    };
    Strips {
        title: properties.title.clone(),
        axis: axis.title(),
        unit: if axis.is_time() { Unit::Micros } else { Unit::Ppm },
        from: edges.range.0,
        to: edges.range.1,
        strips: edges.lines.iter().map(strip).collect(),
    }
}

/// A property, and the value of the second figure.
fn name_of(properties: &EdgesProperties, line: &EdgeLine) -> Text {
    match properties.against.zip(line.against) {
        None => line.property.title(),
        Some((axis, value)) => say!(
            "{property}, {figure} {value}",
            "{property}，{figure} {value}",
            property = line.property.title(),
            figure = axis.name(),
            value = axis.show(value)
        ),
    }
}

/// A line of the chart in a sentence.
fn told(properties: &EdgesProperties, line: &EdgeLine) -> Text {
    say!(
        "{name}: {known}",
        "{name}：{known}",
        name = name_of(properties, line),
        known = properties.axis.tell(&line.stretches)
    )
}

fn decided(edges: &Edges) -> Text {
    say!(
        "{points} points, each decided by a search of its own; where two neighbours agree, what lies between them is taken to agree",
        "{points} 个点，各自独立搜索判定；相邻两点结论相同时，认为其间也相同",
        points = edges.points
    )
}
