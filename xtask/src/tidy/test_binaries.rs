//! One test binary a package, `tests/it/main.rs`: a new one costs a link in every build.
//!
//! `cargo xtask test` runs exactly these, and the browser tests in a section of their own, so a binary of another name would
//! never run.

use super::{Tree, Violation};

const ALLOWED: [&str; 2] = ["it", "browser"];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let sources = tree.with_ending(".rs").filter_map(|(path, _)| Some((path, binary_of(path)?)));
    let strangers = sources.filter(|(_, binary)| !ALLOWED.contains(binary));
    strangers
        .map(|(path, binary)| Violation {
            file: path.to_owned(),
            line: 1,
            rule: "test-binaries",
            message: format!("the test binary `{binary}` would not be run: make it a module of tests/it/main.rs"),
        })
        .collect()
}

/// The test binary that a source file is the root of.
fn binary_of(path: &str) -> Option<&str> {
    let (_, inside) = path.split_once("/tests/")?;
    let name = inside.strip_suffix("/main.rs").or(inside.strip_suffix(".rs"))?;
    (!name.contains('/')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_one_binary_of_each_package_is_run() {
        let found = check(&Tree::of([
            ("core/tests/it/main.rs", ""),
            ("core/tests/it/redis.rs", ""),
            ("core/tests/redis.rs", ""),
            ("cli/tests/live/main.rs", ""),
        ]));
        let files: Vec<&str> = found.iter().map(|violation| violation.file.as_str()).collect();
        assert_eq!(files, ["cli/tests/live/main.rs", "core/tests/redis.rs"]);
    }
}
