//! What `locklab compare` says, written into the pages for readers.
//!
//! A page says itself what it wants to show: the block between `<!-- locklab compare ... -->` and `<!-- end -->` is what that command prints.

use std::fs;

use anyhow::{Context, ensure};
use xshell::{Shell, cmd};

use crate::workspace::{self, FEATURES};

const OPEN: &str = "<!-- locklab compare ";
const CLOSE: &str = "<!-- end -->";

/// The pages that may show a comparison.
const PAGES: [&str; 4] = ["README.md", "README.zh.md", "docs/compare.md", "docs/zh/compare.md"];

/// Writes every page that differs from what the program says now.
pub fn write(shell: &Shell) -> anyhow::Result<()> {
    for (page, now) in stale(shell)? {
        fs::write(workspace::root().join(page), now)?;
        println!("{page} is written");
    }
    Ok(())
}

/// The pages that show something else than the program says now, each with its right text.
pub fn stale(shell: &Shell) -> anyhow::Result<Vec<(&'static str, String)>> {
    // The program of the tests, which they have built already: it is slower than a release build, and compiled much sooner.
    cmd!(shell, "cargo build --quiet --workspace --features {FEATURES} --bin locklab").quiet().run()?;
    let locklab = workspace::target()?.join("debug/locklab");
    let say = |arguments: &str| {
        let arguments = arguments.split_whitespace();
        let command = cmd!(shell, "{locklab} compare {arguments...}");
        // The last line keeps its end, so that the mark stands on a line of its own.
        Ok(command.quiet().read()? + "\n")
    };
    let mut stale = Vec::new();
    for page in PAGES {
        let text = fs::read_to_string(workspace::root().join(page)).with_context(|| format!("cannot read {page}"))?;
        let now = rewritten(&text, say).with_context(|| page.to_owned())?;
        if now != text {
            stale.push((page, now));
        }
    }
    Ok(stale)
}

/// A page with every block as the program says it.
fn rewritten(text: &str, say: impl Fn(&str) -> anyhow::Result<String>) -> anyhow::Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, opened)) = rest.split_once(OPEN) {
        let (arguments, inside) = opened.split_once(" -->\n").context("a block's first line does not end in ` -->`")?;
        let (_, after) = inside.split_once(CLOSE).context("a block has no `<!-- end -->`")?;
        ensure!(!arguments.contains('\n'), "a block's command stands on one line");
        out.push_str(&format!("{before}{OPEN}{arguments} -->\n{}{CLOSE}", say(arguments)?));
        rest = after;
    }
    Ok(out + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_what_its_command_prints_and_the_rest_stays() {
        let text = "a\n<!-- locklab compare --format md -->\nold\n<!-- end -->\nb\n";
        let now = rewritten(text, |arguments| Ok(format!("[{arguments}]\n"))).unwrap();
        assert_eq!(now, "a\n<!-- locklab compare --format md -->\n[--format md]\n<!-- end -->\nb\n");
        assert_eq!(rewritten(&now, |arguments| Ok(format!("[{arguments}]\n"))).unwrap(), now);
        assert!(rewritten("<!-- locklab compare x -->\nno end", |_| Ok(String::new())).is_err());
        assert_eq!(rewritten("plain", |_| Ok(String::new())).unwrap(), "plain");
    }
}
