//! The pages that say which scenario plays which reported case.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use locklab_core::i18n::Language;
use locklab_core::scenario::{Scenario, library};

const BEGIN: &str = "<!-- played: written by a test from the `source` of each scenario -->\n";
const END: &str = "<!-- end -->\n";

/// A case's number, such as 8 for `BB-08`, and the scenarios that play it.
type Played = BTreeMap<u32, Vec<Scenario>>;

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)
}

fn played() -> Played {
    let mut played = Played::new();
    for built_in in library::all() {
        let scenario = Scenario::parse(built_in.name, built_in.text).unwrap_or_else(|errors| panic!("{errors}"));
        for case in cases(scenario.source.as_deref().unwrap_or_default()) {
            played.entry(case).or_default().push(scenario.clone());
        }
    }
    played
}

/// The numbers of the cases that a source names.
fn cases(source: &str) -> Vec<u32> {
    let mut cases = Vec::new();
    for rest in source.split("BB-").skip(1) {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let case = digits.parse().unwrap_or_else(|_| panic!("\"{source}\" names a case without a number"));
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    cases
}

/// The addresses of a source, as links.
fn links(source: &str) -> Vec<String> {
    let addresses = source.split([' ', ',', ';']).filter(|word| word.starts_with("http"));
    addresses.map(|address| format!("[{}]({address})", label(address))).collect()
}

/// What an address is called: `redis/redis-py#416`, or its host.
fn label(address: &str) -> String {
    let path: Vec<&str> = address.split("//").nth(1).unwrap_or_default().split('/').collect();
    match path[..] {
        ["github.com", owner, repository, "issues" | "pull", number] => format!("{owner}/{repository}#{number}"),
        [host, ..] => host.to_owned(),
        [] => address.to_owned(),
    }
}

fn table(played: &Played, language: Language) -> String {
    let mut table = match language {
        Language::English => "| case | scenario | what it shows | reported in |\n| --- | --- | --- | --- |\n",
        Language::Chinese => "| 案例 | 场景 | 内容 | 出处 |\n| --- | --- | --- | --- |\n",
    }
    .to_owned();
    let up = if language == Language::English { ".." } else { "../.." };
    for (case, scenarios) in played {
        for scenario in scenarios {
            let name = &scenario.name;
            let title = scenario.title.in_language(language);
            let links = links(scenario.source.as_deref().unwrap_or_default()).join(", ");
            writeln!(table, "| BB-{case:02} | [{name}]({up}/scenarios/{name}.toml) | {title} | {links} |")
                .expect("a string takes everything");
        }
    }
    table
}

/// The page with its table written anew.
fn written(page: &str, table: &str) -> String {
    let (head, rest) = page.split_once(BEGIN).expect("the page has a place for the table");
    let (_, tail) = rest.split_once(END).expect("the table has an end");
    format!("{head}{BEGIN}{table}{END}{tail}")
}

#[expect(clippy::disallowed_methods, reason = "a test reads the files that it tests")]
fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_pages_of_cases_name_every_scenario_that_plays_one() {
    let played = played();
    for (name, language) in [("cases.md", Language::English), ("zh/cases.md", Language::Chinese)] {
        let path = page(name);
        let text = read(&path);
        expect_file![path].assert_eq(&written(&text, &table(&played, language)));
    }
}

#[test]
fn a_source_that_names_a_case_names_its_report() {
    for scenario in played().values().flatten() {
        let source = scenario.source.as_deref().unwrap_or_default();
        assert!(!links(source).is_empty(), "{}: \"{source}\"", scenario.name);
    }
}
