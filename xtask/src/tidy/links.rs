//! Every link between the pages for readers leads somewhere.

use super::{Tree, Violation};

const RULE: &str = "links";

pub fn check(tree: &Tree) -> Vec<Violation> {
    let pages = tree.with_ending(".md");
    pages.flat_map(|(path, text)| dead(tree, path, text)).collect()
}

/// The links of a page to files that are not there, outside of code.
fn dead(tree: &Tree, path: &str, text: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (line, words) in prose(text) {
        for target in targets(words) {
            let Some(file) = resolved(path, target) else { continue };
            if !tree.has(&file) && !tree.has_folder(&file) {
                let message = format!("the link to {target} leads nowhere: there is no {file}");
                violations.push(Violation { file: path.to_owned(), line, rule: RULE, message });
            }
        }
    }
    violations
}

/// The lines of a page that are no blocks of code, counted from 1.
pub fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Where the links of a line lead: `](target)`, outside of `code`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let outside = line.split('`').step_by(2);
    outside
        .flat_map(|words| words.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target)))
}

/// The file that a link means, from the root of the workspace; `None`: it leads out of the workspace, or within its own page.
fn resolved(page: &str, target: &str) -> Option<String> {
    let target = target.split('#').next().filter(|target| !target.is_empty() && !target.contains(':'))?;
    let mut steps: Vec<&str> = page.split('/').collect();
    steps.pop();
    for step in target.trim_end_matches('/').split('/') {
        match step {
            "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    Some(steps.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let tree = Tree::of([("docs/zh/a.md", text), ("docs/b.md", ""), ("docs/models/c.toml", "")]);
        check(&tree).iter().map(Violation::to_string).collect()
    }

    #[test]
    fn a_link_to_a_page_a_folder_a_heading_or_another_site_is_fine() {
        let text = "[b](../b.md#c) [models](../models/) [here](#d) [site](https://example.org)\n";
        assert_eq!(lines(text), Vec::<String>::new());
        assert_eq!(lines("`[x](gone.md)`\n```\n[x](gone.md)\n```\n"), Vec::<String>::new());
    }

    #[test]
    fn a_link_that_leads_nowhere_is_named_with_its_line() {
        let found = lines("a\n[b](b.md)\n");
        assert_eq!(found, ["docs/zh/a.md:2: links: the link to b.md leads nowhere: there is no docs/zh/b.md"]);
    }
}
