//! `locklab compare`: every mechanism against every fault, or some locks on one scenario.

mod arguments;
mod csv;
mod html;
mod json;
mod markdown;
mod matrix;
mod played;
mod scenario;
mod sheet;
mod text;

use std::path::Path;

use locklab_core::compare::{Mechanism, Threat, mechanisms, mechanisms_named};
use locklab_core::i18n::Language;
use locklab_core::say;

use crate::failure::{Ending, Failure};
use crate::output::Output;

pub use arguments::{CompareArguments, CompareFormat};
use played::{Wanted, play};

/// Plays what is to be compared and shows it. Nothing is expected of it, so it never ends with "not as expected".
pub fn compare(arguments: &CompareArguments, language: Language) -> Result<Ending, Failure> {
    let format = format(arguments);
    let mut output = Output::to(arguments.output.as_deref())?;
    let text = match &arguments.file {
        Some(file) => scenario::compare(file, arguments, format, language)?,
        None => {
            let (mechanisms, threats) = (chosen(&arguments.locks)?, threats(&arguments.against)?);
            let wanted = match format {
                CompareFormat::Text if mechanisms.len() * threats.len() > text::TOLD => Wanted::Answers,
                CompareFormat::Md => Wanted::Answers,
                _ => Wanted::Witnesses,
            };
            let matrix = play(mechanisms, threats, wanted, language)?;
            match format {
                CompareFormat::Text => text::page(&matrix, language),
                CompareFormat::Json => json::document(&matrix),
                CompareFormat::Csv => csv::document(&matrix, language),
                CompareFormat::Md => markdown::document(&matrix, language),
                CompareFormat::Html => html::document(&matrix, language),
            }
        }
    };
    output.write(&text)?;
    output.finish()?;
    Ok(Ending::AsExpected)
}

/// The rows: those that were named, in the order in which they were named, else all.
fn chosen(names: &[String]) -> Result<Vec<Mechanism>, Failure> {
    if names.is_empty() {
        return Ok(mechanisms());
    }
    let mut rows: Vec<Mechanism> = Vec::new();
    for name in names {
        let named = mechanisms_named(name).map_err(|unknown| {
            let failure = Failure::input(unknown.message);
            unknown.hint.into_iter().fold(failure, Failure::hint)
        })?;
        rows.extend(named.into_iter().filter(|row| !rows.contains(row)).collect::<Vec<_>>());
    }
    Ok(rows)
}

/// The columns: those that were named, else all.
fn threats(names: &[String]) -> Result<Vec<Threat>, Failure> {
    if names.is_empty() {
        return Ok(Threat::ALL.to_vec());
    }
    let read = |name: &String| {
        name.trim().parse::<Threat>().map_err(|unknown| {
            let message =
                say!("there is no \"{name}\" to compare against", "对比里没有 \"{name}\" 这一项", name = name);
            Failure::input(message).hint(unknown.hint())
        })
    };
    names.iter().map(read).collect()
}

/// The form that was asked for, else the one that the file's ending means, else text.
fn format(arguments: &CompareArguments) -> CompareFormat {
    let ending = arguments.output.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
    arguments.format.unwrap_or(match ending {
        Some("json") => CompareFormat::Json,
        Some("csv") => CompareFormat::Csv,
        Some("md") => CompareFormat::Md,
        Some("html" | "htm") => CompareFormat::Html,
        _ => CompareFormat::Text,
    })
}
