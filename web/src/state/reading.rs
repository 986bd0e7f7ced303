//! A file that a reader brings: a history, judged and drawn as it is, or a scenario, played.

use std::rc::Rc;

use locklab_core::history::History;
use locklab_core::i18n::Text;
use locklab_core::say;

use super::{Piece, Source, State, Trouble, View};
use crate::errand::Report;

/// The largest file that the page reads, in bytes.
pub const LARGEST_FILE: usize = 16 << 20;

/// A history that a worker is reading, to see whether it is one and whether it can be judged in a short time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The file's name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What comes of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Brought {
    /// The reader has chosen or dropped it.
    File {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// It is not even read.
    Refused {
        /// Its name.
        name: String,
    },
    /// The worker has told something.
    Heard(Report),
    /// The worker has told nothing for too long.
    TooLong,
}

impl State {
    /// The state after something about a file.
    pub(super) fn brought(self, brought: Brought) -> State {
        match brought {
            Brought::File { name, text } => match name.strip_suffix(".toml") {
                Some(stem) => {
                    let source = Source::Own { name: stem.to_owned(), text };
                    State { view: View::Run, reading: None, ..self }.with(Piece::of(source))
                }
                None => State { view: View::Run, reading: Some(Rc::new(Reading { name, text })), ..self },
            },
            Brought::Refused { name } => self.unreadable(&name, &too_large()),
            Brought::Heard(report) => self.heard_of_file(report),
            Brought::TooLong => match self.reading.clone() {
                Some(reading) => self.unreadable(&reading.name, &too_long()),
                None => self,
            },
        }
    }

    fn heard_of_file(self, report: Report) -> State {
        let Some(reading) = self.reading.clone() else { return self };
        match report {
            // The worker has read it and judged it: it can be read and judged.
            Report::Readable => match History::from_lines(&reading.text) {
                Ok(history) => {
                    let (lock, name) = (history.header.lock.clone(), reading.name.clone());
                    let source = Source::Recorded { name, history: Rc::new(history) };
                    let piece = Piece { source, lock, changes: Vec::new(), choices: None };
                    State { reading: None, choosing: false, ..self }.with(Ok(piece))
                }
                Err(error) => self.unreadable(&reading.name, &error.message()),
            },
            Report::Failed(why) => self.unreadable(&reading.name, &why),
            _ => self,
        }
    }

    fn unreadable(self, name: &str, why: &Text) -> State {
        let message = say!("{name} cannot be shown: {why}", "无法显示 {name}：{why}", name = name, why = why);
        let hint = say!(
            "a history is what \"Save as JSON\" or locklab run --format history writes",
            "历史记录由“另存为 JSON”或 locklab run --format history 写出"
        );
        State { reading: None, trouble: Some(Trouble::Said { message, hint: Some(hint) }), ..self }
    }
}

fn too_large() -> Text {
    say!(
        "it is larger than the {most} MB that the page reads",
        "超过网页能读取的 {most} MB",
        most = (LARGEST_FILE >> 20) as u64
    )
}

fn too_long() -> Text {
    say!(
        "it takes too long to read and to judge here; the command line does: locklab check-history",
        "在网页里读取和判定用时过长；请用命令行：locklab check-history"
    )
}
