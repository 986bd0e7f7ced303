//! "Did you mean ...?": what to say to a name that does not exist.

use crate::i18n::Text;
use crate::say;

/// More of a name is not compared: a whole file may have been pasted where a name belongs.
const MOST_LETTERS: usize = 64;

/// The nearest of some names, if one is near enough to be meant.
///
/// Near is a slip of the pen: a third of the letters wrong, missing, doubled or swapped; or a part of the name, from three letters on.
pub fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let given = folded(given);
    let letters = given.chars().count();
    // One letter for another is no slip of the pen.
    let far = (letters / 3).max(1).min(letters.saturating_sub(1));
    names
        .into_iter()
        .map(|name| (distance(&given, name), name))
        .filter(|(distance, name)| *distance <= far || (letters >= 3 && name.to_ascii_lowercase().contains(&given)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Names in order of likeness to what was given, best first.
pub fn by_likeness<'n>(given: &str, mut names: Vec<&'n str>) -> Vec<&'n str> {
    let given = folded(given);
    names.sort_by_cached_key(|name| distance(&given, name));
    names
}

/// The question whether this name was meant.
pub fn did_you_mean(name: &str) -> Text {
    say!("did you mean \"{name}\"?", "是不是想写 \"{name}\"？", name = name)
}

fn folded(given: &str) -> String {
    given.chars().take(MOST_LETTERS).collect::<String>().to_ascii_lowercase()
}

fn distance(folded: &str, name: &str) -> usize {
    strsim::damerau_levenshtein(folded, &name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["token-lua", "redlock", "pause", "mutual-exclusion"];

    #[test]
    fn a_slip_of_the_pen_finds_the_name() {
        assert_eq!(nearest("redlok", NAMES), Some("redlock"));
        assert_eq!(nearest("Token_Lua", NAMES), Some("token-lua"));
        assert_eq!(nearest("pasue", NAMES), Some("pause"));
    }

    #[test]
    fn a_part_of_a_name_finds_it() {
        assert_eq!(nearest("exclusion", NAMES), Some("mutual-exclusion"));
    }

    #[test]
    fn nothing_is_suggested_where_nothing_is_near() {
        assert_eq!(nearest("something else entirely", NAMES), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("", NAMES), None);
    }

    #[test]
    fn a_name_without_end_is_compared_by_its_beginning() {
        assert_eq!(nearest(&"x".repeat(1_000_000), NAMES), None);
    }
}
