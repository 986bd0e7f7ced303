//! `locklab envelope`: the edge between held and broken along a figure.

mod inquiry;
mod json;
mod survey;
mod text;

use std::time::{Duration, Instant};

use locklab_core::i18n::Language;
use locklab_core::view::chart::{Piece, Strip, Strips, Tone, Unit};
use locklab_core::view::svg::StyleSheet;
use locklab_core::{explore::envelope::Outcome, say};

use crate::args::EnvelopeArguments;
use crate::failure::{Ending, Failure};
use crate::form;
use crate::input;
use crate::interrupt::Interrupt;
use crate::options::ChartFormat;
use crate::output::Output;
use inquiry::Inquiry;
use survey::{Limits, Survey};

/// The width of a drawing in pixels.
const WIDTH: u64 = 1_000;

/// Decides every point and reports.
pub fn envelope(arguments: &EnvelopeArguments, language: Language) -> Result<Ending, Failure> {
    let format = form::wanted(arguments.format, arguments.output.as_deref())?;
    let interrupt = Interrupt::listen();
    let mut output = Output::to(arguments.output.as_deref())?;
    let source = input::one(&arguments.file)?;
    let inquiry = Inquiry::new(arguments, &source)?;
    let limits = Limits {
        until: Instant::now() + Duration::from_micros(arguments.budget.micros()),
        interrupt,
        memory: arguments.memory,
        language,
    };
    let survey = Survey::make(&inquiry, &limits)?;
    let report = match format {
        ChartFormat::Text => text::page(&survey, language),
        ChartFormat::Json => json::document(&survey),
        ChartFormat::Svg => chart(&survey, language).svg(language, WIDTH, StyleSheet::Inside),
    };
    output.write(&report)?;
    output.finish()?;
    Ok(if survey.is_decided() { Ending::AsExpected } else { Ending::NotAsExpected })
}

/// The strips of a survey: one a property, and in a map one for each value of the second figure.
fn chart(survey: &Survey<'_>, language: Language) -> Strips {
    let inquiry = survey.inquiry;
    let mut strips = Vec::new();
    for (place, property) in inquiry.properties.iter().enumerate() {
        for line in &survey.lines {
            let label = match line.second {
                Some((axis, value)) if inquiry.properties.len() == 1 => format!("{} {}", axis.name(), axis.show(value)),
                Some((axis, value)) => format!("{property}, {} {}", axis.name(), axis.show(value)),
                None => property.to_string(),
            };
            let pieces = line.envelope.stretches(place).into_iter().map(|stretch| Piece {
                from: stretch.from,
                to: stretch.to,
                tone: match stretch.outcome {
                    Outcome::Held => Tone::Held,
                    Outcome::Broken => Tone::Broken,
                    Outcome::Unknown => Tone::Unknown,
                },
            });
            strips.push(Strip { label, pieces: pieces.collect() });
        }
    }
    let title = say!(
        "{title} ({lock}): {axis}",
        "{title}（{lock}）：{axis}",
        title = survey.title,
        lock = &*inquiry.lock.name,
        axis = inquiry.axis.title()
    );
    Strips {
        title: title.in_language(language).to_owned(),
        axis: inquiry.axis.title(),
        unit: if inquiry.axis.is_time() { Unit::Micros } else { Unit::Ppm },
        from: survey.range.0,
        to: survey.range.1,
        strips,
    }
}
