//! Every scenario is drawn: `x.timeline` stands beside `x.toml`, and none is left behind.

use super::{Tree, Violation};

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, _) in tree.files().filter(|(path, _)| path.starts_with("scenarios/")) {
        let missing = |partner: &str, message: &str| {
            (!tree.has(partner)).then(|| Violation {
                file: path.to_owned(),
                line: 1,
                rule: "scenario-pairs",
                message: format!("{partner} is missing: {message}"),
            })
        };
        if let Some(stem) = path.strip_suffix(".toml") {
            violations.extend(missing(&format!("{stem}.timeline"), "draw it with `cargo xtask bless`, then read it"));
        } else if let Some(stem) = path.strip_suffix(".timeline") {
            violations.extend(missing(&format!("{stem}.toml"), "remove the drawing of a scenario that is gone"));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_of_a_pair_is_found_whichever_it_is() {
        let found = check(&Tree::of([
            ("scenarios/a/pair.toml", ""),
            ("scenarios/a/pair.timeline", ""),
            ("scenarios/a/undrawn.toml", ""),
            ("scenarios/b/orphan.timeline", ""),
        ]));
        let files: Vec<&str> = found.iter().map(|violation| violation.file.as_str()).collect();
        assert_eq!(files, ["scenarios/a/undrawn.toml", "scenarios/b/orphan.timeline"]);
    }
}
