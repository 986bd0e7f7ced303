//! A scenario's text in colours. What is wrong is told by the parser; this only tells words apart, so it never fails.

use super::listing::listing_words;

/// What a piece of a scenario's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// After a `#`.
    Comment,
    /// A table's name in brackets.
    Header,
    /// What stands before `=`.
    Key,
    /// In quotes.
    Quoted,
    /// A number, `true` or `false`.
    Value,
    /// Signs and spaces.
    Plain,
}

/// The text in pieces, in order; together they are the text.
pub fn words_of(text: &str) -> Vec<(Word, &str)> {
    let mut words = Vec::new();
    let mut rest = text;
    let mut at_start = true;
    let mut is_listing = false;
    while !rest.is_empty() {
        let (word, length) = next(rest, at_start);
        let (piece, after) = rest.split_at(length);
        at_start = match word {
            Word::Plain if piece.contains('\n') => true,
            Word::Plain => at_start && piece.trim().is_empty(),
            _ => false,
        };
        match word {
            Word::Quoted if is_listing && piece.contains('\n') => words.extend(listing_words(piece)),
            _ => words.push((word, piece)),
        }
        is_listing = if word == Word::Key { piece == "listing" } else { is_listing };
        rest = after;
    }
    words
}

/// The word with which a text begins, and its length in bytes. `at_start`: nothing but spaces stands before it on its line.
fn next(text: &str, at_start: bool) -> (Word, usize) {
    let first = text.chars().next().unwrap_or_default();
    let while_it = |holds: fn(char) -> bool| text.find(|char| !holds(char)).unwrap_or(text.len());
    match first {
        '#' => (Word::Comment, text.find('\n').unwrap_or(text.len())),
        '[' if at_start => (Word::Header, text.find(['\n', '#']).unwrap_or(text.len())),
        '"' | '\'' => (Word::Quoted, quoted(text, first)),
        char if is_bare(char) => {
            let length = while_it(is_bare);
            let is_key = text[length..].trim_start_matches([' ', '\t']).starts_with(['=', '.']);
            (if is_key { Word::Key } else { Word::Value }, length)
        }
        '\n' => (Word::Plain, 1),
        _ => (Word::Plain, while_it(|char| !is_bare(char) && !"#\"'\n[".contains(char)).max(first.len_utf8())),
    }
}

fn is_bare(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || char == '-'
}

/// The length of a text in quotes; what is never closed goes on to the end of its line, or of the text where it may have many.
fn quoted(text: &str, quote: char) -> usize {
    let triple: String = [quote; 3].iter().collect();
    if let Some(inside) = text.strip_prefix(&*triple) {
        return inside.find(&*triple).map_or(text.len(), |end| end + 6);
    }
    let mut is_escaped = false;
    for (index, char) in text.char_indices().skip(1) {
        match char {
            '\n' => return index,
            '\\' if quote == '"' && !is_escaped => is_escaped = true,
            char if char == quote && !is_escaped => return index + 1,
            _ => is_escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use locklab_core::scenario::library;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_headers_values_and_comments_are_told_apart() {
        let text = "[[fault]] # why\npause = \"A # not\" \nfor.x = 15\nlisting = '''\n[no header]\n'''\n";
        let told: Vec<(Word, &str)> = words_of(text).into_iter().filter(|(word, _)| *word != Word::Plain).collect();
        assert_eq!(
            told,
            [
                (Word::Header, "[[fault]] "),
                (Word::Comment, "# why"),
                (Word::Key, "pause"),
                (Word::Quoted, "\"A # not\""),
                (Word::Key, "for"),
                (Word::Key, "x"),
                (Word::Value, "15"),
                (Word::Key, "listing"),
                (Word::Quoted, "'''\n"),
                (Word::Quoted, "[no header]\n"),
                (Word::Quoted, "'''"),
            ]
        );
    }

    #[test]
    fn every_scenario_stays_the_same_text() {
        for scenario in library::all() {
            let words = words_of(scenario.text);
            assert_eq!(words.iter().map(|(_, piece)| *piece).collect::<String>(), scenario.text);
            assert!(words.iter().any(|(word, _)| *word == Word::Key), "{}", scenario.name);
        }
    }

    proptest! {
        #[test]
        fn any_text_stays_the_same(text in "[a-z\\[\\]\"'#=.\\\\ \n锁]{0,80}") {
            let words = words_of(&text);
            prop_assert!(words.iter().all(|(_, piece)| !piece.is_empty()));
            prop_assert_eq!(words.iter().map(|(_, piece)| *piece).collect::<String>(), text);
        }
    }
}
