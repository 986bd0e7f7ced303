//! Errands and reports as text: a record a line, fields set apart by tabs, the first line says what it is.

use locklab_core::check::Property;
use locklab_core::compare::{Answer, Edge, Found};
use locklab_core::explore::envelope::Axis;
use locklab_core::explore::{Cost, parse_allowance};
use locklab_core::i18n::Text;
use locklab_core::sim::Allowance;
use locklab_core::time::{Span, Time};

use super::{
    CellName, Course, Edges, Effort, Errand, Odds, PlayedCell, Quarry, Report, Searched, Sought, Wager, survey_text,
};
use crate::state::Par;

impl Errand {
    /// The errand as text.
    pub fn to_text(&self) -> String {
        match self {
            Errand::Search(Quarry { run, faults, property }) => {
                let property = property.map_or("", Property::name);
                format!("search\n{}\t{property}\t{run}", faults_text(faults))
            }
            Errand::Compare(cells) => {
                let cells = cells.iter().map(|(name, threat)| format!("\n{name}\t{threat}"));
                format!("compare{}", cells.collect::<String>())
            }
            Errand::Edge(Course { run, faults, property, axis, against }) => {
                let (property, against) = (property.map_or("", Property::name), against.map_or("", Axis::name));
                format!("edge\n{}\t{property}\t{}\t{against}\t{run}", faults_text(faults), axis.name())
            }
            Errand::Odds(Wager { run, property, model }) => {
                format!("odds\n{}\t{run}\n{model}", property.map_or("", Property::name))
            }
            Errand::Level(which) => format!("level\n{which}"),
            Errand::Read(text) => format!("read\n{text}"),
        }
    }

    /// The errand of a text; `None`: it is none.
    pub fn parse(text: &str) -> Option<Errand> {
        if let Some(text) = text.strip_prefix("read\n") {
            return Some(Errand::Read(text.to_owned()));
        }
        if let Some(rest) = text.strip_prefix("odds\n") {
            let (first, model) = rest.split_once('\n')?;
            let mut fields = Fields::of(first);
            let property = fields.property()?;
            return Some(Errand::Odds(Wager { property, run: fields.next()?.to_owned(), model: model.to_owned() }));
        }
        let mut lines = text.lines();
        match lines.next()? {
            "edge" => {
                let mut fields = Fields::of(lines.next()?);
                let faults = parse_allowance(fields.next()?).ok()?;
                let property = fields.property()?;
                let (axis, against) = (survey_text::axis(fields.next()?)??, survey_text::axis(fields.next()?)?);
                Some(Errand::Edge(Course { faults, property, axis, against, run: fields.next()?.to_owned() }))
            }
            "search" => {
                let mut fields = Fields::of(lines.next()?);
                let faults = parse_allowance(fields.next()?).ok()?;
                let property = fields.property()?;
                Some(Errand::Search(Quarry { faults, property, run: fields.next()?.to_owned() }))
            }
            "level" => Some(Errand::Level(lines.next()?.parse().ok()?)),
            "compare" => Some(Errand::Compare(lines.map(|line| Fields::of(line).cell()).collect::<Option<_>>()?)),
            _ => None,
        }
    }
}

impl Report {
    /// The report as text.
    pub fn to_text(&self) -> String {
        match self {
            Report::Going(effort) => format!("going\n{}", effort_text(effort)),
            Report::Searched(Searched { effort, answers }) => {
                let answers = answers.iter().map(|(property, sought)| format!("\n{property}\t{}", sought_text(sought)));
                format!("searched\n{}{}", effort_text(effort), answers.collect::<String>())
            }
            Report::Cells(cells) => format!("cells{}", cells.iter().map(cell_text).collect::<String>()),
            Report::Part { done, waiting } => format!("part\n{done}\t{waiting}"),
            Report::Edges(edges) => format!("edges\n{}", edges.to_text()),
            Report::Odds(odds) => format!("odds\n{}", odds.to_text()),
            Report::Level(which, Par::Broken { faults, hints }) => {
                let hints = hints.iter().map(|hint| format!("\n{}", text_text(hint)));
                format!("broken\n{which}\t{faults}{}", hints.collect::<String>())
            }
            Report::Level(which, Par::Holds { states }) => format!("holds\n{which}\t{states}"),
            Report::Readable => "readable".to_owned(),
            Report::Failed(why) => format!("failed\n{}", text_text(why)),
        }
    }

    /// The report of a text; `None`: it is none.
    pub fn parse(text: &str) -> Option<Report> {
        let mut lines = text.lines();
        match lines.next()? {
            "going" => Some(Report::Going(Fields::of(lines.next()?).effort()?)),
            "searched" => {
                let effort = Fields::of(lines.next()?).effort()?;
                let answers = lines.map(|line| Fields::of(line).answer()).collect::<Option<_>>()?;
                Some(Report::Searched(Searched { effort, answers }))
            }
            "cells" => Some(Report::Cells(lines.map(|line| Fields::of(line).played()).collect::<Option<_>>()?)),
            "part" => {
                let mut fields = Fields::of(lines.next()?);
                Some(Report::Part { done: fields.number()?, waiting: fields.number()? })
            }
            "edges" => Edges::parse(lines).map(Report::Edges),
            "odds" => Odds::parse(lines).map(Report::Odds),
            "broken" => {
                let mut fields = Fields::of(lines.next()?);
                let (which, faults) = (fields.number()?, fields.number()?);
                let hints = lines.map(|line| Fields::of(line).text()).collect::<Option<_>>()?;
                Some(Report::Level(which, Par::Broken { faults, hints }))
            }
            "holds" => {
                let mut fields = Fields::of(lines.next()?);
                Some(Report::Level(fields.number()?, Par::Holds { states: fields.number()? }))
            }
            "readable" => Some(Report::Readable),
            "failed" => Some(Report::Failed(Fields::of(lines.next()?).text()?)),
            _ => None,
        }
    }
}

fn faults_text(faults: &Allowance) -> String {
    faults.each().map(|(class, count)| format!("{}={count}", class.name())).collect::<Vec<_>>().join(",")
}

fn effort_text(effort: &Effort) -> String {
    let Effort { states, waiting, reached, bytes, millis } = effort;
    format!("{states}\t{waiting}\t{}\t{}\t{bytes}\t{millis}", reached.faults(), reached.choices())
}

fn sought_text(sought: &Sought) -> String {
    match sought {
        Sought::Broken { faults, choices, shows, run } => format!("broken\t{faults}\t{choices}\t{}\t{run}", shows.0),
        Sought::Unknown => "unknown".to_owned(),
        Sought::Holds => "holds".to_owned(),
        Sought::Untested => "untested".to_owned(),
    }
}

fn cell_text(played: &PlayedCell) -> String {
    let PlayedCell { cell: (name, threat), found, run } = played;
    let why = match &found.answer {
        Answer::NotApplicable { why } => text_text(why),
        _ => "\t".to_owned(),
    };
    let Found { runs, broken, unavailable, overlapped, served, longest_wait, edge, .. } = found;
    let (safe_up_to, breaks_from) = edge.map_or((0, 0), |edge| (edge.held.0, edge.broken.0));
    let (answer, wait, tried) = (found.answer.name(), longest_wait.0, text_text(&found.tried));
    let run = run.as_deref().unwrap_or_default();
    format!(
        "\n{name}\t{threat}\t{answer}\t{why}\t{runs}\t{broken}\t{unavailable}\t{overlapped}\t{served}\t{wait}\t{tried}\t{safe_up_to}\t{breaks_from}\t{run}"
    )
}

/// A text in both languages, on one line.
pub(super) fn text_text(text: &Text) -> String {
    let flat = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    format!("{}\t{}", flat(&text.en), flat(&text.zh))
}

/// The fields of a line.
pub(super) struct Fields<'t>(std::str::Split<'t, char>);

impl<'t> Fields<'t> {
    pub(super) fn of(line: &'t str) -> Fields<'t> {
        Fields(line.split('\t'))
    }

    pub(super) fn next(&mut self) -> Option<&'t str> {
        self.0.next()
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Option<N> {
        self.next()?.parse().ok()
    }

    pub(super) fn text(&mut self) -> Option<Text> {
        Some(Text::new(self.next()?, self.next()?))
    }

    /// A property, or none where the field is empty.
    fn property(&mut self) -> Option<Option<Property>> {
        let name = self.next()?;
        if name.is_empty() { Some(None) } else { name.parse().ok().map(Some) }
    }

    fn cell(&mut self) -> Option<CellName> {
        Some((self.next()?.to_owned(), self.number()?))
    }

    fn effort(&mut self) -> Option<Effort> {
        Some(Effort {
            states: self.number()?,
            waiting: self.number()?,
            reached: Cost::new(self.number()?, self.number()?, Time::START),
            bytes: self.number()?,
            millis: self.number()?,
        })
    }

    fn answer(&mut self) -> Option<(Property, Sought)> {
        let property = self.number()?;
        let sought = match self.next()? {
            "broken" => Sought::Broken {
                faults: self.number()?,
                choices: self.number()?,
                shows: Time(self.number()?),
                run: self.next()?.to_owned(),
            },
            "unknown" => Sought::Unknown,
            "holds" => Sought::Holds,
            "untested" => Sought::Untested,
            _ => return None,
        };
        Some((property, sought))
    }

    /// An edge, or none where both its lengths are nothing.
    fn bound(&mut self) -> Option<Option<Edge>> {
        let edge = Edge { held: Span(self.number()?), broken: Span(self.number()?) };
        Some((edge.held < edge.broken).then_some(edge))
    }

    fn played(&mut self) -> Option<PlayedCell> {
        let cell = self.cell()?;
        let (answer, why) = (self.next()?, self.text()?);
        let answer = match answer {
            "held" => Answer::Held,
            "broken" => Answer::Broken,
            "unavailable" => Answer::Unavailable,
            "not-applicable" => Answer::NotApplicable { why },
            _ => return None,
        };
        let found = Found {
            answer,
            runs: self.number()?,
            broken: self.number()?,
            unavailable: self.number()?,
            overlapped: self.number()?,
            served: self.number()?,
            longest_wait: Span(self.number()?),
            tried: self.text()?,
            edge: self.bound()?,
            witness: None,
        };
        let run = Some(self.next()?.to_owned()).filter(|run| !run.is_empty());
        Some(PlayedCell { cell, found, run })
    }
}
