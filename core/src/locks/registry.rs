//! Every lock by name.

use std::fmt;
use std::sync::LazyLock;

use super::Kind;
use super::nearest::nearest;
use super::shipped::shipped;
use crate::i18n::{Language, Text};

/// A name that no lock answers to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct UnknownLock {
    /// What was asked for.
    pub name: String,
    /// The name most like it, if one is like it at all.
    pub nearest: Option<&'static str>,
}

/// Every lock, in the order in which a reader should meet them.
pub fn kinds() -> &'static [Kind] {
    static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(shipped);
    &KINDS
}

/// A lock by its canonical name or an alias, in any case.
///
/// # Errors
/// No lock answers to the name.
pub fn find(name: &str) -> Result<&'static Kind, UnknownLock> {
    let wanted = name.trim().to_ascii_lowercase();
    let answers = |kind: &&Kind| names(kind).any(|name| name.eq_ignore_ascii_case(&wanted));
    kinds()
        .iter()
        .find(answers)
        .ok_or_else(|| UnknownLock { name: name.to_owned(), nearest: nearest(&wanted, kinds().iter().flat_map(names)) })
}

fn names(kind: &Kind) -> impl Iterator<Item = &str> {
    std::iter::once(&*kind.name).chain(kind.aliases.iter().copied())
}

impl UnknownLock {
    /// What is wrong and what is allowed.
    pub fn message(&self) -> Text {
        let name = &self.name;
        let all: Vec<&str> = kinds().iter().map(|kind| &*kind.name).collect();
        Text::new(
            format!("unknown lock \"{name}\": there are {}", all.join(", ")),
            format!("没有锁 \"{name}\"；可用的有 {}", all.join("、")),
        )
    }

    /// What to do next.
    pub fn hint(&self) -> Option<Text> {
        let nearest = self.nearest?;
        Some(Text::new(format!("did you mean \"{nearest}\"?"), format!("你是不是想写 \"{nearest}\"？")))
    }
}

impl fmt::Display for UnknownLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().in_language(Language::English))
    }
}
