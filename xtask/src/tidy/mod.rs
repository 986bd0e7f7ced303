//! The project's own lints: what no compiler checks and every reader relies on.
//!
//! Each rule reads the files of the tree and answers with the places that break it. They run as `cargo xtask tidy`, as a
//! section of `cargo xtask test`, and as an ordinary test of this package.

mod code;
mod imports;
mod length;
mod links;
mod machine_paths;
mod reexports;
mod scenarios;
mod test_binaries;
mod translations;
mod tree;

use std::fmt;
use std::path::Path;

pub use tree::Tree;

/// A place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// The file, from the root of the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The name of the rule.
    pub rule: &'static str,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}: {}", self.file, self.line, self.rule, self.message)
    }
}

/// A rule: reads a tree, answers with what breaks it.
type Rule = fn(&Tree) -> Vec<Violation>;

const RULES: [Rule; 8] = [
    imports::check,
    length::check,
    links::check,
    machine_paths::check,
    reexports::check,
    scenarios::check,
    test_binaries::check,
    translations::check,
];

/// Prints what breaks a rule and answers whether nothing does.
pub fn report(root: &Path) -> anyhow::Result<bool> {
    let violations = violations(root)?;
    for violation in &violations {
        println!("{violation}");
    }
    Ok(violations.is_empty())
}

/// What breaks a rule in the tree under this folder, in the order of files and lines.
pub fn violations(root: &Path) -> anyhow::Result<Vec<Violation>> {
    let tree = Tree::read(root)?;
    let mut violations: Vec<Violation> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    violations.sort();
    Ok(violations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let violations = violations(&crate::workspace::root()).unwrap();
        let lines: Vec<String> = violations.iter().map(Violation::to_string).collect();
        assert!(lines.is_empty(), "{}", lines.join("\n"));
    }
}
