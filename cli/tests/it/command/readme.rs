//! The README shows what the program says. `UPDATE_EXPECT=1` (`cargo xtask bless`) writes it down again.

use std::{env, fs};

use super::{GC_PAUSE, locklab_with, workspace};

/// What stands around the output in a README.
const OPEN: &str = "<!-- what it says -->\n```text\n";
const CLOSE: &str = "```\n<!-- end -->";

/// Compares a README with what the program says in its language, up to this heading.
fn shows(readme: &str, language: &str, heading: &str) {
    let path = workspace().join(readme);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(OPEN).expect("the README shows an output");
    let (shown, after) = rest.split_once(CLOSE).expect("the output ends");
    let said = locklab_with(&["run", GC_PAUSE, "--lang", language], &[], b"").out;
    let (story, _) = said.split_once(&format!("\n{heading}\n")).expect("figures follow the story");
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, format!("{before}{OPEN}{story}{CLOSE}{after}")).unwrap();
    } else {
        assert_eq!(shown, story, "{readme} shows another output: cargo xtask bless");
    }
}

#[test]
fn the_readmes_show_what_the_program_says() {
    shows("README.md", "en", "Figures");
    shows("README.zh.md", "zh", "数据");
}
