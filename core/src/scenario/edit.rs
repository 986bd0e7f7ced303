//! Faults put into a scenario's text, and taken out of it: comments and order stay.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TomlError, Value};

/// A scenario's text with one more fault: the last in its list. `keys` are what the fault says, in order, such as `pause = A`, `at = 5s`.
///
/// # Errors
/// The text is no TOML.
pub fn with_fault(text: &str, keys: &[(&str, &str)]) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let faults = document.entry("fault").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    match faults {
        Item::Value(Value::Array(faults)) => {
            let keys = keys.iter().map(|(key, value)| ((*key).to_owned(), Value::from(*value)));
            faults.push(InlineTable::from_iter(keys));
        }
        Item::ArrayOfTables(faults) => {
            let mut fault = Table::new();
            fault.decor_mut().set_prefix("\n");
            keys.iter().for_each(|(key, value)| {
                fault.insert(key, Item::Value(Value::from(*value)));
            });
            faults.push(fault);
        }
        // No list of faults at all: the parser tells it.
        _ => {}
    }
    Ok(document.to_string())
}

/// A scenario's text without its fault of this number, counted from 1 in file order; without any such fault, the text as it is.
///
/// # Errors
/// The text is no TOML.
pub fn without_fault(text: &str, number: usize) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let Some(index) = number.checked_sub(1) else { return Ok(document.to_string()) };
    let is_empty = match document.get_mut("fault") {
        Some(Item::ArrayOfTables(faults)) if index < faults.len() => {
            faults.remove(index);
            faults.is_empty()
        }
        Some(Item::Value(Value::Array(faults))) if index < faults.len() => {
            faults.remove(index);
            Array::is_empty(faults)
        }
        _ => false,
    };
    if is_empty {
        document.remove("fault");
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Scenario, library};

    const PAUSE: [(&str, &str); 3] = [("pause", "B"), ("at", "5s"), ("for", "2s")];

    #[test]
    fn a_fault_is_added_and_taken_away_and_every_comment_stays() {
        for scenario in library::all() {
            let before = Scenario::parse(scenario.name, scenario.text).expect("it is built in");
            let more =
                with_fault(scenario.text, &[("clock", &before.clients[0].name), ("at", "1ms"), ("step", "+1ms")])
                    .expect("it is TOML");
            let after = Scenario::parse(scenario.name, &more).expect("it has one fault more");
            assert_eq!(after.faults.len(), before.faults.len() + 1, "{}", scenario.name);
            assert_eq!(after.faults[..before.faults.len()], before.faults);
            // One fault of the text may be several of the scenario, such as a partition from two nodes.
            let document: DocumentMut = more.parse().expect("it is TOML");
            let written = document["fault"].as_array_of_tables().map(ArrayOfTables::len);
            let written = written.or(document["fault"].as_array().map(Array::len)).expect("there are faults");
            let less = without_fault(&more, written).expect("it is TOML");
            assert_eq!(Scenario::parse(scenario.name, &less).expect("as before"), before);
            let comments = |text: &str| text.lines().filter(|line| line.trim_start().starts_with('#')).count();
            assert_eq!(comments(&more), comments(scenario.text), "{}", scenario.name);
        }
    }

    #[test]
    fn faults_in_one_line_take_another_beside_them() {
        let text = "fault = [{ pause = \"A\", at = \"1s\", for = \"1s\" }] # two\n";
        let more = with_fault(text, &PAUSE).expect("it is TOML");
        assert!(more.contains("{ pause = \"B\", at = \"5s\", for = \"2s\" }] # two"), "{more}");
        let none = without_fault(&without_fault(&more, 1).expect("TOML"), 1).expect("TOML");
        assert!(!none.contains("fault"), "{none}");
        assert_eq!(without_fault(text, 7).expect("TOML"), text);
        assert_eq!(without_fault(text, 0).expect("TOML"), text);
    }
}
