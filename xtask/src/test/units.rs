//! The unit and integration tests of all packages.

use anyhow::ensure;
use xshell::{Shell, cmd};

use super::cargo::cargo;
use super::section::{Job, Section};
use super::tally::Tally;
use crate::setup::Need;
use crate::workspace::FEATURES;

const NEEDS: &[Need] =
    &[Need::RedisServer, Need::RedisSentinel, Need::Etcd, Need::ZooKeeper, Need::PostgreSql, Need::PgBouncer];

pub const SECTION: Section =
    Section { name: "units", title: "the tests of all packages", needs: NEEDS, job: Job::Call(run) };

/// The folders that `--only` takes as names, and their packages.
pub const PACKAGES: [(&str, &str); 6] = [
    ("core", "locklab-core"),
    ("cli", "locklab"),
    ("web", "locklab-web"),
    ("bench", "locklab-bench"),
    ("fuzz-targets", "locklab-fuzz"),
    ("xtask", "xtask"),
];

/// The section that tests one package, by its folder.
pub fn of_package(folder: &str) -> Option<Section> {
    let (name, package) = PACKAGES.into_iter().find(|(name, _)| *name == folder)?;
    Some(Section { name, title: "the tests of one package", needs: NEEDS, job: Job::TestPackage(package) })
}

/// Runs the tests of one package.
pub fn test_package(shell: &Shell, package: &str) -> anyhow::Result<Tally> {
    test(shell, &["--package", package])
}

fn run(shell: &Shell) -> anyhow::Result<Tally> {
    // Tests of the browser are the one binary that is left out: they have a section of their own.
    test(shell, &["--workspace", "--features", FEATURES, "--lib", "--bins", "--test", "it"])
}

fn test(shell: &Shell, what: &[&str]) -> anyhow::Result<Tally> {
    let has_nextest = cmd!(shell, "cargo nextest --version").quiet().ignore_stdout().ignore_stderr().run().is_ok();
    let command: &[&str] =
        if has_nextest { &["nextest", "run", "--no-fail-fast"] } else { &["test", "--no-fail-fast"] };
    let outcome = cargo(shell, &[command, what].concat())?;
    let tally =
        if has_nextest { Tally::of_nextest_output(&outcome.output) } else { Tally::of_cargo_output(&outcome.output) };
    ensure!(outcome.succeeded || tally.failed > 0, "the tests did not run to their end");
    Ok(tally)
}
