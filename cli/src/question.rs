//! What a search is asked: which faults may strike, and which properties are in question.

use locklab_core::check::Property;
use locklab_core::explore;
use locklab_core::say;
use locklab_core::sim::Allowance;

use crate::failure::Failure;
use crate::play::Stage;

/// The faults that were asked for, or as many of each class as the scenario has.
pub fn allowance(faults: Option<&str>, stage: &Stage) -> Result<Allowance, Failure> {
    match faults {
        Some(text) => explore::parse_allowance(text),
        None => explore::allowance_of(&stage.scenario),
    }
    .map_err(|error| Failure::input(error.message).hint(error.hint))
}

/// The properties of these names, each once, or the usual ones.
pub fn properties(names: &[String], usual: &[Property]) -> Result<Vec<Property>, Failure> {
    if names.is_empty() {
        return Ok(usual.to_vec());
    }
    let read = |name: &String| {
        name.parse::<Property>().map_err(|error| {
            let message = say!("there is no property \"{name}\"", "没有性质 \"{name}\"", name = name);
            Failure::input(message).hint(error.hint())
        })
    };
    let mut properties = Vec::new();
    for property in names.iter().map(read) {
        let property = property?;
        if !properties.contains(&property) {
            properties.push(property);
        }
    }
    Ok(properties)
}
