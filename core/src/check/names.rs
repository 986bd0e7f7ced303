//! Names that a user types, and what to say to a wrong one.

use crate::i18n::{Text, did_you_mean, nearest};
use crate::say;

/// A name that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} \"{name}\"{}", self.nearest.as_ref().map(|nearest| format!("; did you mean \"{nearest}\"?")).unwrap_or_default())]
pub struct UnknownName {
    /// What was looked for: `property`, `total`, `happening`, `client`.
    pub what: &'static str,
    /// The name given.
    pub name: String,
    /// The existing name most like it, if one is at all like it.
    pub nearest: Option<String>,
    /// Every allowed name.
    pub allowed: Vec<String>,
}

impl UnknownName {
    /// The error for `name`, which is none of `allowed`.
    pub fn new<A: AsRef<str>>(what: &'static str, name: &str, allowed: impl IntoIterator<Item = A>) -> UnknownName {
        let allowed: Vec<String> = allowed.into_iter().map(|name| name.as_ref().to_owned()).collect();
        let nearest = nearest(name, allowed.iter().map(String::as_str)).map(str::to_owned);
        UnknownName { what, name: name.to_owned(), nearest, allowed }
    }

    /// What to do about it, for the line below the error.
    pub fn hint(&self) -> Text {
        match &self.nearest {
            Some(nearest) => did_you_mean(nearest),
            None => say!("allowed: {allowed}", "可用的有：{allowed}", allowed = self.allowed),
        }
    }
}
