//! The README shows what the program says. `UPDATE_EXPECT=1` (`cargo xtask bless`) writes it down again.
//!
//! A README says itself what it wants to show: `<!-- excerpt of locklab run FILE: from "17s" up to "A leaves" -->`. The block below it is what that command
//! prints, from the first line that is the one, or else contains it (nothing said: its beginning), up to the next that is or contains the other (its end).

use std::{env, fs};

use super::{locklab_with, workspace};

/// What stands around an excerpt in a README.
const OPEN: &str = "<!-- excerpt of locklab ";
const BLOCK: &str = " -->\n```text\n";
const CLOSE: &str = "```\n<!-- end -->";

/// A README with every excerpt as the program says it.
fn rewritten(text: &str, say: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, opened)) = rest.split_once(OPEN) {
        let (wish, inside) = opened.split_once(BLOCK).expect("an excerpt's first line is followed by a block");
        let (_, after) = inside.split_once(CLOSE).expect("an excerpt ends");
        assert!(!wish.contains('\n'), "an excerpt's command stands on one line");
        let (arguments, range) = wish.split_once(": ").unwrap_or((wish, ""));
        let shown = excerpt(&say(arguments), quoted(range, "from "), quoted(range, "up to "));
        out.push_str(&format!("{before}{OPEN}{wish}{BLOCK}{shown}{CLOSE}"));
        rest = after;
    }
    out + rest
}

/// The text in quotation marks after a word.
fn quoted<'t>(range: &'t str, word: &str) -> Option<&'t str> {
    let (_, after) = range.split_once(&format!("{word}\""))?;
    Some(after.split_once('"').expect("what is quoted ends").0)
}

/// Some of the lines of a text, without blank ones at their end.
fn excerpt(said: &str, from: Option<&str>, to: Option<&str>) -> String {
    let place = |from: usize, wanted: &str| {
        let mut lines = said.lines().skip(from);
        // A heading is a line of its own, and its word may stand in a sentence before.
        let found =
            lines.clone().position(|line| line == wanted).or_else(|| lines.position(|line| line.contains(wanted)));
        from + found.unwrap_or_else(|| panic!("a line says {wanted:?}"))
    };
    let first = from.map_or(0, |wanted| place(0, wanted));
    let end = to.map_or(usize::MAX, |wanted| place(first + 1, wanted));
    let lines: Vec<&str> = said.lines().take(end).skip(first).collect();
    format!("{}\n", lines.join("\n").trim_end())
}

fn shows_what_the_program_says(readme: &str) {
    let path = workspace().join(readme);
    let text = fs::read_to_string(&path).unwrap();
    let now = rewritten(&text, |arguments| {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        locklab_with(&arguments, &[], b"").out
    });
    assert!(now.contains(OPEN), "{readme} shows an excerpt");
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, now).unwrap();
    } else {
        assert_eq!(text, now, "{readme} shows another output: cargo xtask bless");
    }
}

#[test]
fn the_readmes_show_what_the_program_says() {
    shows_what_the_program_says("README.md");
    shows_what_the_program_says("README.zh.md");
}

#[test]
fn an_excerpt_begins_and_ends_where_it_says() {
    let said = |_: &str| "one\ntwo\n\nthree\nfour\n".to_owned();
    let page = |range: &str, shown: &str| format!("a\n{OPEN}x{range}{BLOCK}{shown}{CLOSE}\nb\n");
    let shows = |range: &str, shown: &str| assert_eq!(rewritten(&page(range, "old\n"), said), page(range, shown));
    shows("", "one\ntwo\n\nthree\nfour\n");
    shows(": up to \"three\"", "one\ntwo\n");
    shows(": from \"two\" up to \"four\"", "two\n\nthree\n");
    shows(": from \"three\"", "three\nfour\n");
}
