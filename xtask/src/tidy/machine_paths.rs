//! No path of one person's machine: what is in the tree works wherever it is cloned.

use super::code::line_of;
use super::{Tree, Violation};

/// The beginnings of such paths, written in two halves so that this file does not break its own rule.
const PATHS: [(&str, &str); 4] = [("/ho", "me/"), ("/ro", "ot/"), ("/Use", "rs/"), ("/wo", "rk/")];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (file, text) in tree.files() {
        for (left, right) in PATHS {
            let path = format!("{left}{right}");
            for (at, _) in text.match_indices(&path) {
                if starts_a_path(&text[..at]) {
                    let message = format!("`{path}` is a place on one machine: use a path from the workspace's root");
                    violations.push(Violation {
                        file: file.to_owned(),
                        line: line_of(text, at),
                        rule: "machine-paths",
                        message,
                    });
                }
            }
        }
    }
    violations
}

/// Whether what stands before leaves the slash as the start of a path, not as a part of a longer one or of an address.
fn starts_a_path(before: &str) -> bool {
    !before.ends_with(|character: char| character.is_alphanumeric() || "_-./}~*".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_path_counts() {
        let path = format!("cd {}{}ada\n", PATHS[0].0, PATHS[0].1);
        let address = format!("https://example.org{}{}ada\n", PATHS[0].0, PATHS[0].1);
        let found = check(&Tree::of([("a.md", &path), ("b.md", &address)]));
        assert_eq!(found.iter().map(|violation| violation.file.as_str()).collect::<Vec<_>>(), ["a.md"]);
    }
}
