//! The scenarios that every Locklab has.

/// A scenario that every Locklab has.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

const ALL: [BuiltIn; 1] =
    [BuiltIn { name: "expiry/gc-pause", text: include_str!("../../scenarios/expiry/gc-pause.toml") }];

/// All, by name.
pub fn all() -> impl Iterator<Item = &'static BuiltIn> {
    ALL.iter()
}

/// One by its name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    all().find(|scenario| scenario.name == name)
}

/// The name most like it.
pub fn nearest(_: &str) -> Option<&'static str> {
    None
}
