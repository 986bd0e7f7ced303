//! `cargo xtask test`: everything that must hold, one section after the other.
//!
//! A section that fails does not stop the next, so that one run tells everything. The last line is the sum:
//! `N passed, N failed`.

mod browser;
mod cargo;
mod clippy;
mod doctests;
mod format;
mod fuzz;
mod matrix;
mod page;
mod scenarios;
mod section;
mod tally;
mod tidy;
mod units;

use std::time::Instant;

use anyhow::bail;
use xshell::Shell;

use crate::setup;
use section::Section;
use tally::Tally;

/// Every section, in the order in which they run: what is quick to say comes first. The page comes before the tests of the
/// command line, which embeds it.
const SECTIONS: [Section; 10] = [
    tidy::SECTION,
    format::SECTION,
    clippy::SECTION,
    page::SECTION,
    units::SECTION,
    doctests::SECTION,
    scenarios::SECTION,
    matrix::SECTION,
    browser::SECTION,
    fuzz::SECTION,
];

/// Runs all sections, or those that are named, and answers whether everything passed. A package's folder (`core`, `cli`) is
/// a name too: the tests of that package alone.
pub fn run(shell: &Shell, only: Option<&str>) -> anyhow::Result<bool> {
    let chosen = chosen(only)?;
    let needs: Vec<setup::Need> = chosen.iter().flat_map(|section| section.needs).copied().collect();
    setup::provide(shell, &needs)?;
    let mut sum = Tally::default();
    let mut failed = Vec::new();
    for section in &chosen {
        let tally = run_section(shell, section);
        sum = sum + tally;
        if tally.failed > 0 {
            failed.push(section.name);
        }
    }
    println!();
    for name in failed {
        println!("failed: {name} (again: cargo xtask test --only {name})");
    }
    println!("{sum}");
    Ok(sum.failed == 0)
}

fn run_section(shell: &Shell, section: &Section) -> Tally {
    println!("\n== {}: {} ==", section.name, section.title);
    let start = Instant::now();
    let tally = section.run(shell).unwrap_or_else(|error| {
        println!("error: {error:#}");
        Tally::FAILED
    });
    println!("-- {}: {tally} in {} s", section.name, start.elapsed().as_secs());
    tally
}

fn chosen(only: Option<&str>) -> anyhow::Result<Vec<Section>> {
    let Some(only) = only else { return Ok(SECTIONS.to_vec()) };
    only.split(',').map(|name| find(name.trim())).collect()
}

fn find(name: &str) -> anyhow::Result<Section> {
    if let Some(section) = SECTIONS.iter().find(|section| section.name == name) {
        return Ok(*section);
    }
    let Some(section) = units::of_package(name) else {
        let sections = SECTIONS.map(|section| section.name).join(", ");
        let packages = units::PACKAGES.map(|(folder, _)| folder).join(", ");
        bail!("unknown section `{name}`\nsections: {sections}\nor the tests of one package: {packages}");
    };
    Ok(section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_sections_or_packages_share_a_name() {
        let mut names: Vec<&str> = SECTIONS.map(|section| section.name).to_vec();
        names.extend(units::PACKAGES.map(|(folder, _)| folder));
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn an_unknown_section_is_refused_with_the_known_ones() {
        let error = chosen(Some("tidy,tody")).unwrap_err().to_string();
        assert!(error.contains("`tody`") && error.contains("tidy, format"), "{error}");
    }
}
