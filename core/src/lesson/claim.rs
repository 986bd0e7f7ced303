//! A claim about a run: what an answer says, so that a run can tell whether it is right.

use crate::check::{self, Property, Report, UnknownName, Verdict};
use crate::history::History;

/// Statements about a run that are all made together: `broken no-stale-write; happens B.acquired`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Statement {
    /// The property breaks.
    Broken(Property),
    /// The property does not break.
    Holds(Property),
    /// It happens, by its name such as `A.acquired`.
    Happens(String),
    /// It does not happen.
    Never(String),
}

/// A claim that says nothing that a run could tell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// It begins with another word.
    #[error("a claim begins with broken, holds, happens or never, not with \"{0}\"")]
    Verb(String),
    /// There is no such property, client or happening.
    #[error(transparent)]
    Name(#[from] UnknownName),
}

impl Claim {
    /// Reads statements that are set apart by semicolons.
    ///
    /// # Errors
    /// A statement that begins with none of the four verbs, or names a property that does not exist.
    pub fn parse(text: &str) -> Result<Claim, ClaimError> {
        let statements = text.split(';').map(|statement| Statement::parse(statement.trim()));
        Ok(Claim { statements: statements.collect::<Result<_, _>>()? })
    }

    /// Whether a run bears it out.
    ///
    /// # Errors
    /// It names a client or a happening that does not exist.
    pub fn is_true(&self, history: &History, report: &Report) -> Result<bool, UnknownName> {
        for statement in &self.statements {
            if !statement.is_true(history, report)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Statement {
    fn parse(text: &str) -> Result<Statement, ClaimError> {
        let (verb, what) = text.split_once(' ').unwrap_or((text, ""));
        let what = what.trim();
        Ok(match verb {
            "broken" => Statement::Broken(what.parse()?),
            "holds" => Statement::Holds(what.parse()?),
            "happens" => Statement::Happens(what.to_owned()),
            "never" => Statement::Never(what.to_owned()),
            other => return Err(ClaimError::Verb(other.to_owned())),
        })
    }

    fn is_true(&self, history: &History, report: &Report) -> Result<bool, UnknownName> {
        Ok(match self {
            Statement::Broken(property) => report.verdict(*property).is_broken(),
            Statement::Holds(property) => *report.verdict(*property) == Verdict::Holds,
            Statement::Happens(name) => check::happened(history, name)?,
            Statement::Never(name) => !check::happened(history, name)?,
        })
    }
}
