//! What can be written at a place of a scenario's text.
//!
//! The parser itself is asked: a word that nobody would write is put there, and the names that it would have liked better are the answer. So
//! what is offered and what an error calls allowed cannot differ.

use std::ops::Range;

use super::Scenario;

/// A word that is no name of anything.
const PROBE: &str = "zzzz";

/// What can be written at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// What it replaces, in bytes of the text.
    pub replaces: Range<usize>,
    /// The names, those that begin as what stands there first; each differs from it.
    pub names: Vec<String>,
    /// Whether they are keys, after which `=` is to follow.
    pub are_keys: bool,
}

/// What stands around a place.
enum Place {
    /// A table's name in brackets.
    Header,
    /// What stands before `=`.
    Key,
    /// In quotes; the quotes' ends.
    Quoted(Range<usize>),
}

/// The names that can be written at a place of a scenario's text, given in bytes; none where the rest of the text is no TOML, or where no
/// name is expected.
pub fn complete(text: &str, at: usize) -> Completion {
    let none = Completion::default();
    let Some(before) = text.get(..at) else { return none };
    let line =
        before.rfind('\n').map_or(0, |newline| newline + 1)..text[at..].find('\n').map_or(text.len(), |end| at + end);
    let word = word_at(text, at, &line);
    let Some(place) = place_at(text, &word, &line) else { return none };
    let probed = match &place {
        Place::Header => format!("[{PROBE}]"),
        Place::Key => format!("{PROBE} = 0"),
        Place::Quoted(quotes) => {
            format!("{}{PROBE}{}", &text[line.start..word.start], &text[word.end..quotes.end.max(word.end)])
        }
    };
    let number = text[..line.start].matches('\n').count() + 1;
    let probed = format!("{}{probed}{}", &text[..line.start], &text[line.end..]);
    let Err(errors) = Scenario::parse("", &probed) else { return none };
    let problem = errors.problems.into_iter().find(|problem| problem.line == number && !problem.names.is_empty());
    let Some(problem) = problem else { return none };
    let (given, are_keys) = (&text[word.clone()], matches!(place, Place::Key));
    let taken = if are_keys { keys_around(text, &line) } else { Vec::new() };
    let mut names = problem.names;
    names.retain(|name| name != given && name.contains(given) && !taken.contains(&name.as_str()));
    names.sort_by_key(|name| !name.starts_with(given));
    Completion { replaces: word, names, are_keys }
}

/// The word that ends or goes on at a place of its line.
fn word_at(text: &str, at: usize, line: &Range<usize>) -> Range<usize> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    let start = text[line.start..at].rfind(|char| !is_part(char)).map_or(line.start, |before| {
        line.start + before + text[line.start + before..].chars().next().map_or(0, char::len_utf8)
    });
    let end = text[at..line.end].find(|char| !is_part(char)).map_or(line.end, |after| at + after);
    start..end
}

fn place_at(text: &str, word: &Range<usize>, line: &Range<usize>) -> Option<Place> {
    let before = &text[line.start..word.start];
    if before.trim().is_empty() {
        return Some(Place::Key);
    }
    if ["[", "[["].contains(&before.trim()) {
        return Some(Place::Header);
    }
    // An odd number of quotes before it: the last of them is open.
    let is_open = before.matches('"').count() % 2 == 1;
    let opened = before.rfind('"').filter(|_| is_open)?;
    let closed = text[word.end..line.end].find('"').map_or(line.end, |quote| word.end + quote + 1);
    Some(Place::Quoted(line.start + opened..closed))
}

/// The keys of the table around a line, other than the line's own.
fn keys_around<'t>(text: &'t str, line: &Range<usize>) -> Vec<&'t str> {
    let is_header = |line: &&str| line.trim_start().starts_with('[');
    let key = |line: &'t str| line.split_once('=').map(|(key, _)| key.trim());
    let before = text[..line.start].lines().rev().take_while(|line| !is_header(line));
    let after = text[line.end..].lines().skip(1).take_while(|line| !is_header(line));
    before.chain(after).filter_map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::library;

    const TEXT: &str = "title = \"t\"\n[servers]\nredis = \"single\"\n[lock]\nkind = \"token-lua\"\nttl = \"10s\"\n[[client]]\nname = \"A\"\n[expect]\nbroken = []\n";

    /// What is offered where `|` stands in a text.
    fn at(text: &str) -> Completion {
        complete(&text.replace('|', ""), text.find('|').expect("the place is marked"))
    }

    #[test]
    fn keys_are_those_of_the_table_that_are_not_there_yet() {
        let offered = at(&TEXT.replace("ttl = ", "re|\nttl = "));
        assert!(offered.are_keys);
        assert_eq!(offered.names, ["retry"]);
        let all = at(&TEXT.replace("ttl = ", "|\nttl = ")).names;
        assert!(all.contains(&"backoff".to_owned()) && !all.contains(&"ttl".to_owned()), "{all:?}");
        assert!(at(&format!("{TEXT}[[fault]]\npa|")).names.contains(&"pause".to_owned()));
        assert_eq!(at(&format!("{TEXT}[[fault]]\npause = \"A\"\nfo|")).names, ["for"]);
        assert_eq!(at(&format!("{TEXT}[re|")).names, ["resource"]);
    }

    #[test]
    fn values_are_the_names_that_an_error_would_list() {
        let locks = at(&TEXT.replace("token-lua", "red|"));
        assert!(!locks.are_keys && locks.names.contains(&"redlock".to_owned()), "{locks:?}");
        assert!(at(&TEXT.replace("single", "|")).names.contains(&"replicated".to_owned()));
        let fault = format!("{TEXT}[[fault]]\npause = \"A\"\nat = \"A.acq| + 2s\"\n");
        let moment = at(&fault);
        assert!(moment.names.contains(&"acquired".to_owned()), "{moment:?}");
        assert!(moment.names.iter().all(|name| name.contains("acq")));
        assert_eq!(&fault.replace('|', "")[moment.replaces], "acq");
    }

    #[test]
    fn nothing_is_offered_where_no_name_stands_or_the_text_is_no_toml() {
        assert_eq!(at(&TEXT.replace("10s", "1|0s")).names, [""; 0]);
        assert_eq!(at(&format!("x = = 1\n{TEXT}[lo|")).names, [""; 0]);
        assert_eq!(complete("锁", 1), Completion::default());
    }

    #[test]
    fn no_place_of_any_scenario_is_too_much() {
        let scenario = library::find("expiry/gc-pause").expect("it is built in").text;
        for at in (0..=scenario.len()).step_by(7) {
            let Completion { replaces, .. } = complete(scenario, at);
            assert!(scenario.get(replaces).is_some(), "{at}");
        }
    }
}
