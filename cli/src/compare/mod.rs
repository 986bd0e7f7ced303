//! `locklab compare`: every mechanism against every fault, or some locks on one scenario.

mod arguments;
mod csv;
mod figures;
mod html;
mod inquiry;
mod json;
mod markdown;
mod matrix;
mod partial;
mod played;
mod scenario;
mod sheet;
mod text;

use locklab_core::compare::Found;
use locklab_core::i18n::Language;

use crate::failure::{Ending, Failure};
use crate::form;
use crate::interrupt::{Interrupt, Stop};
use crate::output::Output;
use crate::partial::{Partial, Work};
use crate::shard::Shard;

pub use arguments::{CompareArguments, CompareFormat};
use inquiry::{Inquiry, Question};
use partial::Cells;

/// Plays what is to be compared and shows it. Nothing is expected of it: only where it is interrupted does it end with "not as expected".
pub fn compare(arguments: &CompareArguments, language: Language) -> Result<Ending, Failure> {
    let format = form::wanted(arguments.format, arguments.output.as_deref().filter(|_| arguments.shard.is_none()))?;
    let mut output = Output::to(arguments.output.as_deref())?;
    if let Some(file) = &arguments.file {
        output.write(&scenario::compare(file, arguments, format, language)?)?;
        output.finish()?;
        return Ok(Ending::AsExpected);
    }
    let interrupt = Interrupt::listen();
    let inquiry = Inquiry::new(Question::new(arguments))?;
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let found = played::play(&inquiry.cells(), shard, &interrupt, language);
    let stopped = found.iter().any(|(_, found)| found.is_none()).then_some(Stop::Interrupted);
    if let Some(shard) = arguments.shard {
        return Partial::new(Work::Compare, shard, inquiry.question, Cells::new(&found, stopped)).write(output);
    }
    let found = found.into_iter().map(|(_, found)| found).collect();
    report(&inquiry, found, stopped, format, output, language)
}

/// Puts the shards of a comparison together, and shows what one run would have shown.
pub fn merged(
    shards: &[Partial<Question, Cells>],
    format: CompareFormat,
    output: Output,
    language: Language,
) -> Result<Ending, Failure> {
    let inquiry = Inquiry::new(shards[0].question.clone())?;
    let found = Cells::joined(shards.iter().map(|shard| &shard.found), inquiry.cells().len())?;
    let stopped = shards.iter().find_map(|shard| shard.found.stopped);
    report(&inquiry, found, stopped, format, output, language)
}

fn report(
    inquiry: &Inquiry,
    found: Vec<Option<Found>>,
    stopped: Option<Stop>,
    format: CompareFormat,
    mut output: Output,
    language: Language,
) -> Result<Ending, Failure> {
    let witnesses = match format {
        CompareFormat::Text => inquiry.mechanisms.len() * inquiry.threats.len() <= text::TOLD,
        CompareFormat::Md => false,
        CompareFormat::Json | CompareFormat::Csv | CompareFormat::Html => true,
    };
    let matrix = played::matrix(inquiry, found, stopped, witnesses, language)?;
    output.write(&match format {
        CompareFormat::Text => text::page(&matrix, language),
        CompareFormat::Json => json::document(&matrix),
        CompareFormat::Csv => csv::document(&matrix, language),
        CompareFormat::Md => markdown::document(&matrix, language),
        CompareFormat::Html => html::document(&matrix, language),
    })?;
    output.finish()?;
    Ok(if stopped.is_none() { Ending::AsExpected } else { Ending::NotAsExpected })
}
