//! What is asked of a comparison, and the same made ready.

use locklab_core::compare::{Cell, Mechanism, Threat, mechanisms, mechanisms_named};
use locklab_core::say;
use serde::{Deserialize, Serialize};

use super::CompareArguments;
use crate::failure::Failure;

/// Everything on which the comparison depends, as it was typed: two shards of one comparison have the same question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The locks; none: every mechanism.
    pub locks: Vec<String>,
    /// Against what; none: everything.
    pub against: Vec<String>,
}

/// A question made ready.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The question.
    pub question: Question,
    /// The rows.
    pub mechanisms: Vec<Mechanism>,
    /// The columns.
    pub threats: Vec<Threat>,
}

impl Question {
    /// What was typed.
    pub fn new(arguments: &CompareArguments) -> Question {
        Question { locks: arguments.locks.clone(), against: arguments.against.clone() }
    }
}

impl Inquiry {
    /// Makes a question ready.
    pub fn new(question: Question) -> Result<Inquiry, Failure> {
        let (mechanisms, threats) = (chosen(&question.locks)?, threats(&question.against)?);
        Ok(Inquiry { question, mechanisms, threats })
    }

    /// The cells, row by row.
    pub fn cells(&self) -> Vec<Cell> {
        let row = |mechanism: &Mechanism| {
            let mechanism = *mechanism;
            self.threats.iter().map(move |threat| Cell { mechanism, threat: *threat })
        };
        self.mechanisms.iter().flat_map(row).collect()
    }
}

/// The rows: those that were named, in the order in which they were named, else all.
fn chosen(names: &[String]) -> Result<Vec<Mechanism>, Failure> {
    if names.is_empty() {
        return Ok(mechanisms());
    }
    let mut rows: Vec<Mechanism> = Vec::new();
    for name in names {
        let named = mechanisms_named(name).map_err(|unknown| {
            let all = || say!("all locks: locklab list locks", "查看所有锁：locklab list locks");
            Failure::input(unknown.message).hint(unknown.hint.unwrap_or_else(all))
        })?;
        rows.extend(named.into_iter().filter(|row| !rows.contains(row)).collect::<Vec<_>>());
    }
    Ok(rows)
}

/// The columns: those that were named, else all.
fn threats(names: &[String]) -> Result<Vec<Threat>, Failure> {
    if names.is_empty() {
        return Ok(Threat::ALL.to_vec());
    }
    let read = |name: &String| {
        name.trim().parse::<Threat>().map_err(|unknown| {
            let message =
                say!("there is no \"{name}\" to compare against", "对比里没有 \"{name}\" 这一项", name = name);
            Failure::input(message).hint(unknown.hint())
        })
    };
    names.iter().map(read).collect()
}
