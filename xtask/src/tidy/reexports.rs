//! A public interface reads as a table of contents: each name in it is written out.

use super::code::{code_of, line_of};
use super::{Tree, Violation};

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, text) in tree.with_ending(".rs") {
        let code = code_of(text);
        for (at, statement) in statements(&code) {
            if statement.starts_with("pub") && is_use(statement) && statement.contains('*') {
                let message = "a glob re-export hides what the module offers: write each name out".to_owned();
                violations.push(Violation {
                    file: path.to_owned(),
                    line: line_of(&code, at),
                    rule: "glob-re-exports",
                    message,
                });
            }
        }
    }
    violations
}

/// What stands between the marks that end a statement or a block, and where it starts.
fn statements(code: &str) -> Vec<(usize, &str)> {
    let mut statements = Vec::new();
    let mut start = 0;
    for (end, _) in code.match_indices([';', '}']).chain(std::iter::once((code.len(), ""))) {
        let statement = &code[start..end];
        let skipped = statement.find("pub").unwrap_or(0);
        statements.push((start + skipped, &statement[skipped..]));
        start = (end + 1).min(code.len());
    }
    statements
}

fn is_use(statement: &str) -> bool {
    let mut words = statement.split_whitespace();
    words.next().is_some_and(|word| word.starts_with("pub")) && words.any(|word| word == "use")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_re_export_is_found_and_a_glob_import_is_not() {
        let found = check(&Tree::of([("a.rs", "use b::*;\nmod c;\npub use c::*;\npub use d::{\n    e::*,\n};\n")]));
        assert_eq!(found.iter().map(|violation| violation.line).collect::<Vec<_>>(), [3, 4]);
    }

    #[test]
    fn a_product_is_no_glob() {
        assert!(check(&Tree::of([("a.rs", "pub fn area(a: u32) -> u32 {\n    a * a\n}\n")])).is_empty());
    }
}
