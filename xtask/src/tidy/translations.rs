//! Everything that a reader sees exists in English and Chinese.
//!
//! Words in code cannot miss one: they match on the language. This rule looks after what is data: the titles, questions and
//! lessons of scenarios, and the pages for readers.

use super::links::prose;
use super::{Tree, Violation};

const RULE: &str = "translations";

/// What a shipped scenario says to its reader.
const SAID: [&str; 3] = ["title", "question", "lesson"];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, text) in tree.files() {
        if path.starts_with("scenarios/") && path.ends_with(".toml") {
            check_scenario(path, text, &mut violations);
        } else if let Some(partner) = partner_of(path) {
            let message = match tree.text(&partner) {
                None => format!("{partner} is missing: readers of the other language need it"),
                Some(other) if headings(text) != headings(other) => {
                    format!("{} headings, but {partner} has {}", headings(text), headings(other))
                }
                Some(_) => continue,
            };
            violations.push(Violation { file: path.to_owned(), line: 1, rule: RULE, message });
        }
    }
    violations
}

/// How many headings a page has: a translation that has fewer leaves something out.
fn headings(page: &str) -> usize {
    prose(page).filter(|(_, line)| line.starts_with('#')).count()
}

fn check_scenario(path: &str, text: &str, violations: &mut Vec<Violation>) {
    for key in SAID {
        let message = match said(text, key) {
            None => Some((1, format!("`{key}` is missing"))),
            Some((line, value)) if !(speaks(value, "en") && speaks(value, "zh")) => {
                Some((line, format!("`{key}` needs both languages: {key} = {{ en = \"...\", zh = \"...\" }}")))
            }
            Some(_) => None,
        };
        violations.extend(message.map(|(line, message)| Violation {
            file: path.to_owned(),
            line,
            rule: RULE,
            message,
        }));
    }
}

/// The value of a key of the opening lines, up to the next key or table, and its line from 1.
fn said<'a>(text: &'a str, key: &str) -> Option<(usize, &'a str)> {
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with(['=', '.'])) {
            let rest = &text[start..];
            let end = rest.match_indices('\n').map(|(at, _)| at + 1).find(|at| opens_something_else(&rest[*at..], key));
            return Some((index + 1, &rest[..end.unwrap_or(rest.len())]));
        }
        start += line.len();
    }
    None
}

/// Whether another key or a table opens here: rustfmt-like TOML indents what continues a value.
fn opens_something_else(rest: &str, key: &str) -> bool {
    let dotted = rest.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
    !dotted && rest.starts_with(|character: char| character.is_alphanumeric() || "[#\n".contains(character))
}

fn speaks(value: &str, language: &str) -> bool {
    value.match_indices(language).any(|(at, _)| {
        let whole = !value[..at].ends_with(|before: char| before.is_alphanumeric());
        whole && value[at + language.len()..].trim_start().starts_with('=')
    })
}

/// The same page in the other language, for the pages that users open: `docs/zh/x.md` of `docs/x.md`, and the other way round.
/// What only developers read is in English.
fn partner_of(path: &str) -> Option<String> {
    match path {
        "README.md" => Some("README.zh.md".to_owned()),
        "README.zh.md" => Some("README.md".to_owned()),
        _ if path.starts_with("docs/zh/") => Some(path.replace("docs/zh/", "docs/")),
        _ if path.starts_with("docs/") && path.ends_with(".md") => Some(path.replacen("docs/", "docs/zh/", 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        check(&Tree::of([("scenarios/a.toml", text)])).iter().map(Violation::to_string).collect()
    }

    #[test]
    fn a_scenario_that_speaks_both_languages_is_fine() {
        let spread = "question = { en = \"b?\", zh = \"乙？\" }\nlesson.en = \"c\"\nlesson.zh = \"丙\"\n";
        assert_eq!(lines(&format!("title = {{ en = \"a\", zh = \"甲\" }}\n{spread}")), Vec::<String>::new());
    }

    #[test]
    fn what_is_missing_is_named_with_its_line() {
        let found = lines("title = { en = \"a\", zh = \"甲\" }\nquestion = \"why?\"\n");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("scenarios/a.toml:2: translations: `question` needs both languages"),
            "{}",
            found[0]
        );
        assert!(found[1].ends_with("`lesson` is missing"), "{}", found[1]);
    }

    #[test]
    fn a_page_for_readers_needs_its_partner() {
        assert_eq!(check(&Tree::of([("README.md", ""), ("ARCHITECTURE.md", "")])).len(), 1);
        assert_eq!(check(&Tree::of([("docs/zh/listing.md", "")])).len(), 1);
        assert_eq!(check(&Tree::of([("docs/zh/listing.md", "# 一\n"), ("docs/listing.md", "# One\n")])).len(), 0);
        assert_eq!(check(&Tree::of([("docs/zh/listing.md", ""), ("docs/listing.md", "# One\n")])).len(), 2);
    }
}
