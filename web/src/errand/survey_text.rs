//! Edges and odds as text: what a [`Report`](super::Report) of them consists of after its first line.

use locklab_core::check::Property;
use locklab_core::explore::envelope::{Axis, Outcome, Stretch};

use super::text::{Fields, text_text};
use super::{Chance, EdgeLine, Edges, Odds};

/// An axis by its name; an empty word is none.
pub(super) fn axis(word: &str) -> Option<Option<Axis>> {
    if word.is_empty() { Some(None) } else { Axis::from_name(word).ok().map(Some) }
}

impl Edges {
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{}\t{}\t{}", self.points, self.range.0, self.range.1);
        for EdgeLine { property, against, stretches } in &self.lines {
            let against = against.map_or(String::new(), |value| value.to_string());
            text.push_str(&format!("\nline\t{property}\t{against}"));
            for Stretch { from, to, outcome } in stretches {
                let outcome = match outcome {
                    Outcome::Held => "held",
                    Outcome::Broken => "broken",
                    Outcome::Unknown => "unknown",
                };
                text.push_str(&format!("\t{from}\t{to}\t{outcome}"));
            }
        }
        for (property, value, run) in &self.breaks {
            text.push_str(&format!("\nbreak\t{property}\t{value}\t{run}"));
        }
        text
    }

    pub(super) fn parse<'t>(mut lines: impl Iterator<Item = &'t str>) -> Option<Edges> {
        let mut first = Fields::of(lines.next()?);
        let mut edges = Edges {
            points: first.number()?,
            range: (first.number()?, first.number()?),
            lines: Vec::new(),
            breaks: Vec::new(),
        };
        for line in lines {
            let mut fields = Fields::of(line);
            match fields.next()? {
                "line" => edges.lines.push(edge_line(fields)?),
                "break" => edges.breaks.push((fields.number()?, fields.number()?, fields.next()?.to_owned())),
                _ => return None,
            }
        }
        Some(edges)
    }
}

fn edge_line(mut fields: Fields) -> Option<EdgeLine> {
    let property: Property = fields.number()?;
    let against = fields.next()?;
    let against = if against.is_empty() { None } else { Some(against.parse().ok()?) };
    let mut stretches = Vec::new();
    while let Some(from) = fields.next() {
        let (from, to) = (from.parse().ok()?, fields.number()?);
        let outcome = match fields.next()? {
            "held" => Outcome::Held,
            "broken" => Outcome::Broken,
            "unknown" => Outcome::Unknown,
            _ => return None,
        };
        stretches.push(Stretch { from, to, outcome });
    }
    Some(EdgeLine { property, against, stretches })
}

impl Odds {
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{}\t{}", self.runs, self.acquisitions);
        for Chance { property, acquisition, year, example } in &self.chances {
            let (acquisition, year) = (text_text(acquisition), text_text(year));
            text.push_str(&format!(
                "\nchance\t{property}\t{acquisition}\t{year}\t{}",
                example.as_deref().unwrap_or_default()
            ));
        }
        for (what, weight, broke) in &self.strata {
            text.push_str(&format!("\nstratum\t{}\t{weight}\t{}", text_text(what), text_text(broke)));
        }
        text
    }

    pub(super) fn parse<'t>(mut lines: impl Iterator<Item = &'t str>) -> Option<Odds> {
        let mut first = Fields::of(lines.next()?);
        let (runs, acquisitions) = (first.number()?, first.number()?);
        let mut odds = Odds { runs, acquisitions, chances: Vec::new(), strata: Vec::new() };
        for line in lines {
            let mut fields = Fields::of(line);
            match fields.next()? {
                "chance" => odds.chances.push(Chance {
                    property: fields.number()?,
                    acquisition: fields.text()?,
                    year: fields.text()?,
                    example: Some(fields.next()?.to_owned()).filter(|run| !run.is_empty()),
                }),
                "stratum" => odds.strata.push((fields.text()?, fields.next()?.to_owned(), fields.text()?)),
                _ => return None,
            }
        }
        Some(odds)
    }
}
