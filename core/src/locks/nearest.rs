//! "Did you mean ...?"

/// The allowed name most like what was found, if one is like it at all.
pub(super) fn nearest<'a>(found: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let like = |name: &str| strsim::damerau_levenshtein(&found.to_lowercase(), &name.to_lowercase());
    let best = allowed.into_iter().min_by_key(|name| like(name))?;
    (like(best) <= 1 + best.chars().count() / 3).then_some(best)
}
