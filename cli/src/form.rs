//! The form of a report: by its name, or by the ending of the file that it is written to.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use locklab_core::i18n::Text;
use locklab_core::say;

use crate::failure::Failure;

/// What the endings of files mean.
const ENDINGS: [(&str, &str); 9] = [
    ("txt", "text"),
    ("json", "json"),
    ("svg", "svg"),
    ("html", "html"),
    ("htm", "html"),
    ("csv", "csv"),
    ("md", "md"),
    ("xml", "junit"),
    ("jsonl", "history"),
];

/// The form that was asked for, else the one that the file's ending means, else the usual one.
///
/// # Errors
///
/// The ending means a form that this report does not have.
pub fn wanted<Form: ValueEnum + Default>(asked: Option<Form>, file: Option<&Path>) -> Result<Form, Failure> {
    if let Some(form) = asked {
        return Ok(form);
    }
    let ending = file.and_then(Path::extension).and_then(|ending| ending.to_str()).unwrap_or_default();
    match ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)) {
        Some((_, name)) => named(name),
        None => Ok(Form::default()),
    }
}

/// The form of this name.
///
/// # Errors
///
/// This report does not have it.
pub fn named<Form: ValueEnum>(name: &str) -> Result<Form, Failure> {
    Form::from_str(name, false).map_err(|_| {
        let known = Form::value_variants().iter().filter_map(Form::to_possible_value);
        let known = Text::list(known.map(|value| value_name(&value)));
        Failure::input(say!("this is not told as {name}", "这类结果没有 {name} 格式", name = name)).hint(say!(
            "there are {known}: name another file, or say which with --format",
            "可用的有 {known}：请换一个文件名，或用 --format 指定",
            known = known
        ))
    })
}

/// A form by its name.
pub fn name_of(form: impl ValueEnum) -> String {
    form.to_possible_value().map(|value| value_name(&value)).unwrap_or_default()
}

fn value_name(value: &PossibleValue) -> String {
    value.get_name().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{ChartFormat, ListFormat};

    #[test]
    fn the_ending_decides_unless_the_form_was_named() {
        let file = |name: &'static str| Some(Path::new(name));
        assert_eq!(wanted::<ChartFormat>(None, file("a.SVG")).unwrap(), ChartFormat::Svg);
        assert_eq!(wanted(Some(ChartFormat::Text), file("a.svg")).unwrap(), ChartFormat::Text);
        assert_eq!(wanted::<ChartFormat>(None, file("a.log")).unwrap(), ChartFormat::Text);
        assert_eq!(wanted::<ChartFormat>(None, None).unwrap(), ChartFormat::Text);
    }

    #[test]
    fn a_form_that_a_report_does_not_have_is_refused() {
        assert_eq!(wanted::<ListFormat>(None, Some(Path::new("a.svg"))).unwrap_err().code(), 2);
    }
}
