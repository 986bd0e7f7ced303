//! A lock that is another one with other numbers: a real library as the switches that it sets.
//!
//! A preset stands on a lock that Locklab brings, and names what it does otherwise as a scenario would write it. Where its commands are
//! others too, it brings a listing of its own.

use std::sync::Arc;

use super::libraries::LIBRARIES;
use super::registry::find;
use super::{Implementation, Kind, Standing};
use crate::i18n::Text;
use crate::time::Span;

/// A library's lock, told by what it does otherwise than the lock that it stands on.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// The lock that it stands on.
    pub stands_on: &'static str,
    /// Its own listing, where its commands are others too.
    pub(super) code: Option<&'static str>,
    /// What it sets, by name, as `--set` writes it.
    pub settings: &'static [(&'static str, &'static str)],
    pub(super) summary: [&'static str; 2],
    pub(super) explanation: [&'static str; 2],
}

/// A parameter in which a preset differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The parameter.
    pub name: &'static str,
    /// What the preset sets.
    pub value: &'static str,
    /// What it is meant to be, from the parameter's own summary; empty for what every lock knows.
    pub summary: Text,
}

/// A lock's preset, if it is one.
pub fn preset(name: &str) -> Option<&'static Preset> {
    LIBRARIES.iter().find(|preset| preset.name == name)
}

impl Preset {
    /// Whether its commands are others too.
    pub fn has_code_of_its_own(&self) -> bool {
        self.code.is_some()
    }

    /// What it sets, with what that means.
    pub fn differences(&self) -> Vec<Difference> {
        let parameters = find(self.name).map_or(&[][..], |kind| &kind.parameters);
        let meaning = |name: &str| parameters.iter().find(|parameter| parameter.name == name);
        let summary = |name| meaning(name).map(|parameter| parameter.summary.clone()).unwrap_or_default();
        self.settings.iter().map(|(name, value)| Difference { name, value, summary: summary(name) }).collect()
    }

    /// The lock, made from the one that it stands on.
    pub(super) fn kind(&self, base: &Kind) -> Kind {
        let own = |code| Kind::from_listing(self.name, code).expect("a test parses every shipped listing");
        let mut kind = self.code.map_or_else(|| base.clone(), |code| Kind { defaults: base.defaults, ..own(code) });
        kind.name = self.name.into();
        (kind.aliases, kind.standing) = (self.aliases, Standing::Preset);
        let text = |[en, zh]: [&str; 2]| Text::new(en, zh);
        (kind.summary, kind.explanation) = (text(self.summary), text(self.explanation));
        for (name, value) in self.settings {
            set(&mut kind, name, value);
        }
        if matches!(kind.implementation, Implementation::Machine { .. }) {
            kind.code = self.code_of(base);
        }
        kind
    }

    /// The code of a machine, with what is set here in place of the line that names its defaults, so that its lines keep their numbers.
    fn code_of(&self, base: &Kind) -> Arc<str> {
        let own = |name: &str| base.parameters.iter().any(|parameter| parameter.name == name);
        let settings: Vec<String> = self
            .settings
            .iter()
            .filter(|(name, _)| own(name))
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let line = format!("    as {}, but {}", self.stands_on, settings.join(", "));
        let lines = base.code.lines().enumerate().map(|(index, text)| if index == 1 { line.as_str() } else { text });
        lines.flat_map(|line| [line, "\n"]).collect::<String>().into()
    }
}

fn set(kind: &mut Kind, name: &str, value: &str) {
    let span = || value.parse::<Span>().expect("a test builds every preset");
    match name {
        "ttl" => kind.defaults.ttl = span(),
        "retry" => kind.defaults.retry = span(),
        "jitter" => kind.defaults.jitter = span(),
        "timeout" => kind.defaults.timeout = (value != "for-ever").then(span),
        "token" => kind.defaults.token = super::TokenForm::PerClient,
        own => {
            let found = kind.parameters.iter_mut().find(|parameter| parameter.name == own);
            let parameter = found.expect("a test builds every preset");
            parameter.default = Some(parameter.parse(value).expect("a test builds every preset"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locks::TokenForm;

    #[test]
    fn every_preset_differs_from_the_lock_that_it_stands_on_or_says_that_it_does_not() {
        for preset in LIBRARIES {
            let (kind, base) = (find(preset.name).expect("it is shipped"), find(preset.stands_on).expect("so is this"));
            assert_eq!(*base.name, *preset.stands_on, "the canonical name");
            for difference in preset.differences() {
                let own = |kind: &Kind| kind.parameters.iter().find(|other| other.name == difference.name).cloned();
                assert!(
                    own(kind).is_none() || own(kind) != own(base),
                    "{} says {} as {} does",
                    preset.name,
                    difference.name,
                    preset.stands_on
                );
            }
        }
    }

    #[test]
    fn the_code_of_a_preset_names_what_it_sets_and_keeps_its_lines() {
        let (preset, base) = (find("redsync").expect("a preset"), find("redlock").expect("a lock"));
        let line = |kind: &Kind, number: usize| kind.code.lines().nth(number).expect("a line").to_owned();
        assert_eq!(line(preset, 1), "    as redlock, but drift_base = 0ms");
        assert!((0..base.code.lines().count()).all(|number| number == 1 || line(preset, number) == line(base, number)));
    }

    #[test]
    fn the_tokens_of_a_preset_are_those_that_it_names() {
        assert_eq!(find("spring-registry").expect("a preset").defaults.token, TokenForm::PerClient);
        assert!(
            LIBRARIES
                .iter()
                .flat_map(|preset| preset.settings)
                .all(|(name, value)| { *name != "token" || *value == "per-client" })
        );
    }
}
