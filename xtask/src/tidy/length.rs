//! One idea a file: a file of code has at most 600 lines.

use super::{Tree, Violation};

const LIMIT: usize = 600;
const CODE: [&str; 5] = [".rs", ".js", ".css", ".sh", ".c"];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let code = tree.files().filter(|(path, _)| CODE.iter().any(|ending| path.ends_with(ending)));
    let long = code.map(|(path, text)| (path, text.lines().count())).filter(|(_, lines)| *lines > LIMIT);
    long.map(|(path, lines)| Violation {
        file: path.to_owned(),
        line: LIMIT + 1,
        rule: "file-length",
        message: format!("{lines} lines; a file holds one idea in at most {LIMIT}: split it by ideas"),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_allowed() {
        let (full, over) = ("\n".repeat(LIMIT), "\n".repeat(LIMIT + 1));
        let found = check(&Tree::of([("a.rs", &full), ("b.rs", &over), ("c.timeline", &over)]));
        assert_eq!(found.iter().map(|violation| violation.file.as_str()).collect::<Vec<_>>(), ["b.rs"]);
    }
}
