//! `locklab advise`: which protection is right here, for reasons that are runs.

mod arguments;
mod ask;
mod json;
mod text;

use locklab_core::compare::advice::advise as find;
use locklab_core::i18n::Language;

use crate::failure::{Ending, Failure};
use crate::options::ListFormat;
use crate::output::Output;

pub use arguments::AdviseArguments;

/// Asks what was not said, plays what has to be known, and recommends.
pub fn advise(arguments: &AdviseArguments, language: Language) -> Result<Ending, Failure> {
    let situation = ask::situation(arguments, language)?;
    let advice = find(&situation);
    let text = match arguments.format {
        ListFormat::Text => text::page(&situation, &advice, language),
        ListFormat::Json => json::document(&situation, &advice),
    };
    let mut output = Output::standard();
    output.write(&text)?;
    output.finish()?;
    Ok(Ending::AsExpected)
}
