//! Who may import whom: the rooms of the core, and the packages of the workspace.
//!
//! The table is the one of ARCHITECTURE.md. A room may name what it is built on and whatever that is built on in turn. A lock
//! knows commands and replies, never a server; what judges and draws knows histories, never a scenario.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{code_of, line_of};
use super::{Tree, Violation};

const RULE: &str = "imports";

/// Each room of the core and the rooms that it is built on.
const ROOMS: [(&str, &[&str]); 18] = [
    ("time", &[]),
    ("i18n", &["time"]),
    ("choices", &["time"]),
    ("address", &["choices", "i18n"]),
    ("wire", &["choices", "i18n"]),
    ("history", &["wire"]),
    ("locks", &["history"]),
    ("servers", &["history"]),
    ("resource", &["history"]),
    ("worker", &["locks", "servers", "resource"]),
    ("check", &["history"]),
    ("view", &["check"]),
    ("lesson", &["check"]),
    ("scenario", &["worker", "check"]),
    ("sim", &["scenario"]),
    ("explore", &["sim", "check"]),
    ("compare", &["explore"]),
    ("game", &["explore"]),
];

/// Packages that must never meet: the file of the one may not name the library of the other.
const APART: [(&str, &str); 6] = [
    ("core/", "locklab_web"),
    ("core/", "locklab_cli"),
    ("cli/", "locklab_web"),
    ("cli/", "locklab-web ="),
    ("web/", "locklab::"),
    ("web/", "locklab ="),
];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    let macros = macros(tree);
    for (path, text) in tree.with_ending(".rs") {
        let code = code_of(text);
        if let Some(inside) = path.strip_prefix("core/src/").filter(|inside| *inside != "lib.rs") {
            check_room(path, inside, &code, &macros, &mut violations);
        }
        check_apart(path, &code, &mut violations);
    }
    for (path, text) in tree.with_ending("Cargo.toml") {
        check_apart(path, text, &mut violations);
    }
    violations
}

fn check_room(path: &str, inside: &str, code: &str, macros: &Macros, violations: &mut Vec<Violation>) {
    let mut report = |line, message| violations.push(Violation { file: path.to_owned(), line, rule: RULE, message });
    let room = room_of(inside);
    let Some(allowed) = allowed(room) else {
        report(1, format!("`{room}` is no room of the core: add it to the table in xtask/src/tidy/imports.rs"));
        return;
    };
    for (at, name) in names_from_root(code) {
        let name = macros.get(name).map_or(name, String::as_str);
        let known = ROOMS.iter().any(|(room, _)| *room == name);
        if name != room && !known {
            report(line_of(code, at), format!("`crate::{name}` is no room: name an item by the room that it lives in"));
        } else if name != room && !allowed.contains(name) {
            let allowed = allowed.iter().copied().collect::<Vec<_>>().join(", ");
            report(line_of(code, at), format!("`{room}` may not import `{name}`; it may import: {allowed}"));
        }
    }
    for (at, climbs) in climbs(code) {
        if climbs >= depth(inside) {
            report(line_of(code, at), "this `super` leaves its room: write `crate::` and the room's name".to_owned());
        }
    }
}

fn check_apart(path: &str, code: &str, violations: &mut Vec<Violation>) {
    for (folder, library) in APART {
        for (at, _) in code.match_indices(library) {
            let is_word = !code[..at].ends_with(|before: char| before.is_alphanumeric() || "_-:".contains(before));
            if path.starts_with(folder) && is_word {
                let library = library.trim_end_matches([' ', '=', ':']);
                let message = format!("`{}` may not depend on `{library}`", folder.trim_end_matches('/'));
                violations.push(Violation { file: path.to_owned(), line: line_of(code, at), rule: RULE, message });
            }
        }
    }
}

/// Macros, which live at the root of the crate by Rust's rules, and the room that each is written in.
type Macros = BTreeMap<String, String>;

fn macros(tree: &Tree) -> Macros {
    let mut macros = Macros::new();
    for (path, text) in tree.with_ending(".rs") {
        let Some(inside) = path.strip_prefix("core/src/") else { continue };
        let code = code_of(text);
        for (at, keyword) in code.match_indices("macro_rules!") {
            macros.extend(
                name_at(&code, at + keyword.len()).map(|(_, name)| (name.to_owned(), room_of(inside).to_owned())),
            );
        }
    }
    macros
}

fn room_of(inside: &str) -> &str {
    inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs")
}

/// The rooms that a room may name: what it is built on, and so on down.
fn allowed(room: &str) -> Option<BTreeSet<&'static str>> {
    let (_, direct) = ROOMS.iter().find(|(name, _)| *name == room)?;
    let mut allowed: BTreeSet<&'static str> = direct.iter().copied().collect();
    for below in *direct {
        allowed.extend(self::allowed(below)?);
    }
    Some(allowed)
}

/// The first name of every path from the root of the crate, `crate::a::b` or `crate::{a::b, c}`, and where it stands.
fn names_from_root(code: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    for (at, root) in code.match_indices("crate::") {
        if code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
            continue;
        }
        let start = at + root.len();
        if code[start..].starts_with('{') {
            names.extend(names_in_group(code, start))
        } else {
            names.extend(name_at(code, start))
        }
    }
    names
}

/// The first name of each entry of the group that opens here.
fn names_in_group(code: &str, open: usize) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    let mut depth = 0;
    for (offset, character) in code[open..].char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && matches!(character, '{' | ',') {
            names.extend(name_at(code, open + offset + 1));
        }
    }
    names
}

/// The name that stands here, after blanks.
fn name_at(code: &str, at: usize) -> Option<(usize, &str)> {
    let start = at + code[at..].find(|character: char| !character.is_whitespace())?;
    let end = code[start..].find(|character: char| !character.is_alphanumeric() && character != '_');
    let name = &code[start..end.map_or(code.len(), |length| start + length)];
    (!name.is_empty() && name != "self").then_some((start, name))
}

/// Every run of `super::` at the start of a path outside inline modules, which rustfmt indents, and its length.
fn climbs(code: &str) -> Vec<(usize, usize)> {
    let mut climbs = Vec::new();
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        let path = line.trim_start_matches("pub ").trim_start_matches("use ");
        let count = path.split("::").take_while(|part| *part == "super").count();
        if count > 0 {
            climbs.push((start, count));
        }
        start += line.len();
    }
    climbs
}

/// How deep below the root of the crate the module of a file stands.
fn depth(inside: &str) -> usize {
    let names = inside.split('/').count();
    if inside.ends_with("/mod.rs") { names - 1 } else { names }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages<const N: usize>(files: [(&str, &str); N]) -> Vec<String> {
        check(&Tree::of(files)).iter().map(Violation::to_string).collect()
    }

    #[test]
    fn a_lock_that_names_a_server_is_found_at_its_line() {
        let found = messages([(
            "core/src/locks/redlock.rs",
            "//! Idea.\n\nuse crate::{\n    wire::Reply,\n    servers::redis,\n};\n",
        )]);
        assert_eq!(
            found,
            [
                "core/src/locks/redlock.rs:5: imports: `locks` may not import `servers`; it may import: choices, history, i18n, time, wire"
            ]
        );
    }

    #[test]
    fn a_path_in_the_middle_of_code_counts_like_a_use_line() {
        assert_eq!(messages([("core/src/view/mod.rs", "fn f(s: &crate::scenario::Scenario) {}\n")]).len(), 1);
        assert_eq!(messages([("core/src/sim/mod.rs", "fn f(s: &crate::scenario::Scenario) {}\n")]).len(), 0);
    }

    #[test]
    fn a_macro_counts_as_the_room_that_it_is_written_in() {
        let user = ("core/src/history/mod.rs", "use crate::say;\n");
        assert!(messages([user, ("core/src/i18n/say.rs", "macro_rules! say {\n}\n")]).is_empty());
        assert_eq!(messages([user, ("core/src/view/say.rs", "macro_rules! say {\n}\n")]).len(), 1);
    }

    #[test]
    fn words_in_comments_are_free() {
        assert!(messages([("core/src/view/mod.rs", "//! Never [`crate::scenario`].\n")]).is_empty());
    }

    #[test]
    fn a_super_that_leaves_its_room_is_found() {
        assert_eq!(messages([("core/src/view/mod.rs", "use super::scenario::Scenario;\n")]).len(), 1);
        assert_eq!(messages([("core/src/view/text.rs", "use super::super::scenario::Scenario;\n")]).len(), 1);
        assert_eq!(
            messages([("core/src/view/text.rs", "use super::Timeline;\nmod tests {\n    use super::*;\n}\n")]).len(),
            0
        );
    }

    #[test]
    fn the_command_line_and_the_page_never_meet() {
        assert_eq!(messages([("cli/src/main.rs", "use locklab_web::App;\n")]).len(), 1);
        assert_eq!(messages([("cli/Cargo.toml", "[dependencies]\nlocklab-web = \"0.1\"\n")]).len(), 1);
        assert_eq!(messages([("web/src/lib.rs", "use locklab_core::i18n::Language;\n")]).len(), 0);
    }
}
