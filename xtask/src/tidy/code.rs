//! Rust source with its comments and the contents of its literals blanked out, so that a rule reads code and nothing else.

/// The same text with every byte of comments and literals replaced by a blank. Lines and columns stay where they are.
pub fn code_of(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => line_end(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => comment_end(bytes, at),
            b'"' => string_end(bytes, at),
            b'r' if !follows_word(bytes, at) => raw_string_end(bytes, at).unwrap_or(at + 1),
            b'\'' => character_end(bytes, at),
            _ => at + 1,
        };
        if end > at + 1 {
            blank(&mut code[at..end]);
        }
        at = end;
    }
    String::from_utf8(code).expect("a blank in the place of each byte of a literal leaves whole characters")
}

/// The number of the line, from 1, in which a byte stands.
pub fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

fn follows_word(bytes: &[u8], at: usize) -> bool {
    at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_')
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length)
}

/// Comments nest.
fn comment_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// `None` for an `r` that opens no raw string.
fn raw_string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let hashes = bytes[start + 1..].iter().take_while(|byte| **byte == b'#').count();
    let body = start + 1 + hashes;
    if bytes.get(body) != Some(&b'"') {
        return None;
    }
    let close: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
    let length = bytes[body + 1..].windows(close.len()).position(|window| window == close);
    Some(length.map_or(bytes.len(), |length| body + 1 + length + close.len()))
}

/// A quote opens a character, or else it marks a lifetime, which is code.
fn character_end(bytes: &[u8], start: usize) -> usize {
    if bytes.get(start + 1) == Some(&b'\\') {
        let close = bytes[(start + 3).min(bytes.len())..].iter().position(|byte| *byte == b'\'');
        return close.map_or(bytes.len(), |length| start + 3 + length + 1);
    }
    // The one character between the quotes takes at most four bytes.
    let mut close = start + 2;
    while close < bytes.len() && bytes[close] & 0b1100_0000 == 0b1000_0000 {
        close += 1;
    }
    if bytes.get(close) == Some(&b'\'') { close + 1 } else { start + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_become_blanks_and_nothing_moves() {
        let source = "use a; // crate::b\n/* crate::c /* d */ e */ f(\"crate::\\\"g\", r#\"h\"i\"#, '\\'', '锁', 'x') as &'static T";
        let code = code_of(source);
        assert_eq!(code.len(), source.len());
        let words: Vec<&str> = code.split_whitespace().collect();
        assert_eq!(words, ["use", "a;", "f(", ",", ",", ",", ",", ")", "as", "&'static", "T"]);
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(line_of("a\nb\nc", 0), 1);
        assert_eq!(line_of("a\nb\nc", 4), 3);
    }
}
