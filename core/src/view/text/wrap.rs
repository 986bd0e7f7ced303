//! Text in columns: breaking, cutting and measuring, with double-width characters counted as two.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Breaks a text into lines of at most `first` columns, then `rest`: at spaces, between Chinese characters, and inside a word only if it must.
pub(super) fn wrap(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in pieces(text) {
        let width = |lines: &[String]| if lines.is_empty() { first } else { rest }.max(2);
        let fits = line.width() + piece.trim_end().width() <= width(&lines);
        if !fits && !line.trim().is_empty() {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
        for char in piece.chars() {
            if line.is_empty() && char == ' ' && !lines.is_empty() {
                continue;
            }
            if line.width() + char.width().unwrap_or(0) > width(&lines) {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
                if char == ' ' {
                    continue;
                }
            }
            line.push(char);
        }
    }
    if !line.trim().is_empty() || lines.is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// The unbreakable pieces of a text, each with the spaces that follow it.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut previous: Option<char> = None;
    for (index, char) in text.char_indices() {
        let after_space = previous == Some(' ') && char != ' ';
        let between_wide = previous.is_some_and(is_wide) && !forbidden_at_start(char) && char != ' ';
        let before_wide =
            is_wide(char) && previous.is_some_and(|previous| previous != ' ') && !forbidden_at_start(char);
        if index > start && (after_space || between_wide || before_wide) {
            pieces.push(&text[start..index]);
            start = index;
        }
        previous = Some(char);
    }
    pieces.push(&text[start..]);
    pieces
}

fn is_wide(char: char) -> bool {
    char.width() == Some(2)
}

/// Punctuation that does not begin a line.
fn forbidden_at_start(char: char) -> bool {
    matches!(char, '，' | '。' | '；' | '：' | '！' | '？' | '）' | '」' | '、' | ',' | '.' | ';' | ':' | ')')
}

/// Cuts a text to at most `width` columns, with an ellipsis where something is cut.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for char in text.chars() {
        if short.width() + char.width().unwrap_or(0) + 1 > width {
            break;
        }
        short.push(char);
    }
    if width > 0 {
        short.push('…');
    }
    short
}

/// Cuts a name to at most `width` columns in its middle: what tells `replica-1` from `replica-2` stands at the end.
pub(super) fn cut_name(name: &str, width: usize) -> String {
    let tail: String = name.chars().skip(name.chars().count().saturating_sub(2)).collect();
    if name.width() <= width || width < tail.width() + 2 {
        return cut(name, width);
    }
    cut(name, width - tail.width()) + &tail
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn chinese_is_broken_between_characters_but_not_before_a_full_stop() {
        assert_eq!(wrap("A 的租约到期。", 12, 12), ["A 的租约到", "期。"]);
        assert_eq!(wrap("SET lock A-1", 8, 8), ["SET lock", "A-1"]);
        assert_eq!(wrap("abcdefghij", 4, 3), ["abcd", "efg", "hij"]);
    }

    #[test]
    fn a_long_name_keeps_the_end_that_tells_it_from_others() {
        assert_eq!(cut_name("replica-2", 7), "repl…-2");
        assert_eq!(cut_name("node-2", 4), "n…-2");
        assert_eq!(cut_name("redis", 7), "redis");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_no_line_is_too_wide(text in "[a-z锁，。 ]{0,60}", width in 2_usize..30) {
            let lines = wrap(&text, width, width);
            prop_assert!(lines.iter().all(|line| line.width() <= width));
            let kept: String = lines.concat().chars().filter(|char| *char != ' ').collect();
            let whole: String = text.chars().filter(|char| *char != ' ').collect();
            prop_assert_eq!(kept, whole);
        }

        #[test]
        fn a_cut_text_fits(text in "[a-z锁]{0,20}", width in 0_usize..12) {
            prop_assert!(cut(&text, width).width() <= width);
            prop_assert!(cut_name(&text, width).width() <= width);
        }
    }
}
