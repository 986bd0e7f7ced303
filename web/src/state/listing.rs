//! A listing's text in colours, inside a scenario's. What is wrong is told by the parser; this only tells words apart.

use super::Word;

/// A listing in its quotes in pieces, in order; together they are the text.
pub fn listing_words(text: &str) -> Vec<(Word, &str)> {
    let mut words: Vec<(Word, &str)> = Vec::new();
    let mut is_script = false;
    for line in text.split_inclusive('\n') {
        let is_section = !line.starts_with([' ', '\t']) && line.trim_end().ends_with(':');
        is_script = if is_section { line.starts_with("script ") } else { is_script };
        match line.trim_start() {
            _ if is_section => words.push((Word::Header, line)),
            comment if comment.starts_with('#') => words.push((Word::Comment, line)),
            _ if is_script => words.push((Word::Quoted, line)),
            _ => command_words(line, &mut words),
        }
    }
    words
}

/// A command: its name, its placeholders, and after the arrow what its replies mean.
fn command_words<'t>(line: &'t str, words: &mut Vec<(Word, &'t str)>) {
    let (command, outcomes) = line.split_at(line.find("->").unwrap_or(line.len()));
    let mut rest = command;
    while !rest.is_empty() {
        let (word, length) = next(rest);
        let (piece, after) = rest.split_at(length);
        words.push((word, piece));
        rest = after;
    }
    if !outcomes.is_empty() {
        words.push((Word::Plain, outcomes));
    }
}

fn next(text: &str) -> (Word, usize) {
    if text.starts_with('{') {
        return (Word::Value, text.find('}').map_or(text.len(), |end| end + 1));
    }
    let is_capital = |char: char| char.is_ascii_uppercase() || char == '_';
    let name = text.find(|char| !is_capital(char)).unwrap_or(text.len());
    if name > 1 {
        return (Word::Key, name);
    }
    let end = text.char_indices().skip(1).find(|(_, char)| *char == '{' || char.is_ascii_uppercase());
    (Word::Quoted, end.map_or(text.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn commands_placeholders_sections_and_scripts_are_told_apart() {
        let text = "acquire:\n    SET {key} x -> OK: next\n# why\nscript release:\n    return 0\n";
        let told: Vec<(Word, &str)> =
            listing_words(text).into_iter().filter(|(_, piece)| !piece.trim().is_empty()).collect();
        assert_eq!(
            told,
            [
                (Word::Header, "acquire:\n"),
                (Word::Key, "SET"),
                (Word::Value, "{key}"),
                (Word::Quoted, " x "),
                (Word::Plain, "-> OK: next\n"),
                (Word::Comment, "# why\n"),
                (Word::Header, "script release:\n"),
                (Word::Quoted, "    return 0\n"),
            ]
        );
    }

    proptest! {
        #[test]
        fn any_listing_stays_the_same(text in "[A-Za-z{}:#> \\-\n锁]{0,80}") {
            let words = listing_words(&text);
            prop_assert!(words.iter().all(|(_, piece)| !piece.is_empty()));
            prop_assert_eq!(words.iter().map(|(_, piece)| *piece).collect::<String>(), text);
        }
    }
}
