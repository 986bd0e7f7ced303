//! One part of the test run.

use xshell::Shell;

use super::tally::Tally;
use super::units;
use crate::setup::Need;

/// A part of the test run that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// How `--only` names it.
    pub name: &'static str,
    /// What it makes sure of, for its heading.
    pub title: &'static str,
    /// What must be installed for it.
    pub needs: &'static [Need],
    /// What it does.
    pub job: Job,
}

/// What a section does.
#[derive(Clone, Copy, Debug)]
pub enum Job {
    /// Calls a function; an error counts as one failure.
    Call(fn(&Shell) -> anyhow::Result<Tally>),
    /// Runs the tests of this one package.
    TestPackage(&'static str),
}

impl Section {
    /// Runs it and counts what passed and failed.
    pub fn run(&self, shell: &Shell) -> anyhow::Result<Tally> {
        match self.job {
            Job::Call(function) => function(shell),
            Job::TestPackage(package) => units::test_package(shell, package),
        }
    }
}
