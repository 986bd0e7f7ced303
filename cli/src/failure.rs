//! Why a command ends without doing what was asked, and its exit code.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use locklab_core::i18n::{Language, Text};
use locklab_core::say;
use locklab_core::scenario::ScenarioErrors;

use crate::live::LiveError;
use crate::terminal::{ALARM, FAINT, HINT};

/// How a command that was carried out ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All came out as expected, or nothing was expected.
    AsExpected,
    /// Something did not.
    NotAsExpected,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        match ending {
            Ending::AsExpected => ExitCode::SUCCESS,
            Ending::NotAsExpected => ExitCode::from(1),
        }
    }
}

/// Why a command was not carried out.
#[derive(Debug)]
pub enum Failure {
    /// What was typed, or a file, is wrong: exit code 2.
    Input {
        /// What is wrong.
        message: Text,
        /// What to do about it.
        hint: Option<Text>,
    },
    /// A scenario is wrong: exit code 2.
    Scenario(ScenarioErrors),
    /// A server that is needed cannot be reached or started: exit code 3.
    Server {
        /// What is missing.
        message: Text,
        /// What to do about it.
        hint: Option<Text>,
    },
    /// Several things are wrong at once; the gravest decides.
    Several(Vec<Failure>),
}

impl Failure {
    /// Something is wrong with what was typed or with a file.
    pub fn input(message: Text) -> Failure {
        Failure::Input { message, hint: None }
    }

    /// The same failure with a hint.
    pub fn hint(self, text: Text) -> Failure {
        match self {
            Failure::Input { message, .. } => Failure::Input { message, hint: Some(text) },
            Failure::Server { message, .. } => Failure::Server { message, hint: Some(text) },
            Failure::Scenario(_) | Failure::Several(_) => self,
        }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Input { .. } | Failure::Scenario(_) => 2,
            Failure::Server { .. } => 3,
            Failure::Several(failures) => failures.iter().map(Failure::code).max().unwrap_or(2),
        }
    }

    /// Tells it on the standard error.
    pub fn tell(&self, language: Language) -> ExitCode {
        // Nobody can be told when nobody listens.
        let _ = anstream::stderr().write_all(self.render(language).as_bytes());
        ExitCode::from(self.code())
    }

    fn render(&self, language: Language) -> String {
        match self {
            Failure::Input { message, hint } | Failure::Server { message, hint } => {
                let mut page = line(language, Kind::Error, message);
                page.extend(hint.iter().map(|hint| line(language, Kind::Hint, hint)));
                page
            }
            Failure::Scenario(errors) => coloured(&harmless(&errors.render(language))),
            Failure::Several(failures) => {
                failures.iter().map(|failure| failure.render(language)).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// Why the system refused, in both languages where it is a common reason.
pub fn reason(error: &io::Error) -> Text {
    match error.kind() {
        ErrorKind::NotFound => say!("there is no such file or folder", "没有这个文件或文件夹"),
        ErrorKind::PermissionDenied => say!("permission denied", "没有权限"),
        ErrorKind::IsADirectory => say!("it is a folder", "它是一个文件夹"),
        ErrorKind::StorageFull => say!("the disk is full", "磁盘已满"),
        ErrorKind::ReadOnlyFilesystem => say!("the disk is read-only", "磁盘只读"),
        _ => Text::same(error.to_string()),
    }
}

/// Where a failure comes from decides its exit code: what cannot be played so is input, the rest is a server or this machine.
impl From<LiveError> for Failure {
    fn from(error: LiveError) -> Failure {
        let (message, hint) = (error.message(), error.hint());
        if error.is_bad_input() { Failure::Input { message, hint } } else { Failure::Server { message, hint } }
    }
}

/// A text that may quote what somebody typed or a file holds, without what would move a terminal's cursor, colour it or turn its lines round: such characters
/// are shown as `\u{1b}`.
pub fn harmless(text: &str) -> String {
    let turns =
        |char: char| matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_harmful = |char: char| (char.is_control() && char != '\n' && char != '\t') || turns(char);
    let shown = |char: char| if is_harmful(char) { char.escape_unicode().to_string() } else { char.to_string() };
    text.chars().map(shown).collect()
}

#[derive(Clone, Copy)]
enum Kind {
    Error,
    Hint,
}

fn line(language: Language, kind: Kind, text: &Text) -> String {
    let (word, colon) = match (kind, language) {
        (Kind::Error, Language::English) => ("error", ": "),
        (Kind::Hint, Language::English) => ("hint", ": "),
        (Kind::Error, Language::Chinese) => ("错误", "："),
        (Kind::Hint, Language::Chinese) => ("提示", "："),
    };
    let style = match kind {
        Kind::Error => ALARM,
        Kind::Hint => HINT,
    };
    format!("{style}{word}{style:#}{colon}{}\n", harmless(text.in_language(language)))
}

/// The page of a scenario's errors with its marks in colour.
fn coloured(page: &str) -> String {
    let mut out = String::new();
    for line in page.lines() {
        let (bar, rest) = line.split_at(line.find([':', '：', '|', '=', '>']).unwrap_or(0));
        let style = match rest.chars().next() {
            Some(':' | '：') if !bar.starts_with(' ') => ALARM,
            Some('=') => HINT,
            Some('|') if rest.trim_start_matches(['|', ' ']).starts_with('^') => {
                let carets = rest.trim_start_matches(['|', ' ']);
                let before = &line[..line.len() - carets.len()];
                out.push_str(&format!("{FAINT}{before}{FAINT:#}{ALARM}{carets}{ALARM:#}\n"));
                continue;
            }
            _ => FAINT,
        };
        match rest.chars().next() {
            Some('|') => out.push_str(&format!("{style}{bar}|{style:#}{}\n", &rest[1..])),
            Some(_) => out.push_str(&format!("{style}{bar}{style:#}{rest}\n")),
            None => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_move_the_cursor_or_turn_a_line_round_is_shown() {
        assert_eq!(harmless("a\u{1b}[31mb\r\u{202e}c\n\td"), "a\\u{1b}[31mb\\u{d}\\u{202e}c\n\td");
        assert_eq!(harmless("锁 é"), "锁 é");
    }
}
