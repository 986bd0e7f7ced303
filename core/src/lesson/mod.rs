//! Lessons: a question, a guess, two runs, and what to take home.
//!
//! A lesson is a Markdown file that a person can read as it is (`docs/lessons`, `docs/zh/lessons`). Its runs are the commands in its console
//! blocks. Each answer that a reader can pick carries a [`Claim`] about the first run, in a comment: which answer is right is computed by playing the run, never
//! written down.

mod claim;
mod parse;

pub use claim::{Claim, ClaimError};
pub use parse::{LessonError, Problem};

/// The lessons of the course in order, by the stem of their files.
pub const COURSE: &[&str] = &[
    "01-setnx",
    "02-two-commands",
    "03-whose-lock",
    "04-get-then-del",
    "05-a-lease-is-not-a-mutex",
    "06-check-then-act",
    "07-the-watchdog",
    "08-the-watchdog-sleeps",
    "09-fencing",
    "10-what-a-token-must-be",
    "11-failover",
    "12-redlock",
    "13-redlock-pauses",
    "14-redlock-clocks",
    "15-zookeeper",
    "16-the-database",
    "17-two-locks",
    "18-do-you-need-a-lock",
];

/// A lesson in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// Its title.
    pub title: String,
    /// What has happened so far, in Markdown.
    pub story: String,
    /// What the reader is asked.
    pub question: String,
    /// What the reader can answer.
    pub answers: Vec<Answer>,
    /// What really happens.
    pub reveal: Scene,
    /// The same with one thing changed: the pair is broken and repaired, or two sides of a dispute.
    pub change: Scene,
    /// What to take home, sentence by sentence.
    pub take_home: Vec<String>,
    /// For whoever teaches: not for the class's eyes.
    pub teacher: String,
}

/// An answer that a reader can pick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// In words.
    pub text: String,
    /// What it says about the first run.
    pub claim: Claim,
}

/// A run, and what to see in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// A scenario of the library.
    pub scenario: String,
    /// The lock that it is played with.
    pub lock: String,
    /// What to see, in Markdown.
    pub text: String,
}
