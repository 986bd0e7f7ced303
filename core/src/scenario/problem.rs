//! What is wrong with a scenario file: where, why, what is allowed, and what to do next.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::i18n::{Language, Text, by_likeness, did_you_mean, nearest};

/// One thing that is wrong, at one place of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The first wrong character in it, from 1.
    pub column: usize,
    /// How many characters are wrong, at least 1.
    pub length: usize,
    /// The line itself, as far as it fits on a screen.
    pub source: String,
    /// How many columns of `source` stand before the wrong characters.
    pub indent: usize,
    /// What is wrong.
    pub message: Text,
    /// What would be right.
    pub allowed: Option<Text>,
    /// What to do, such as the nearest name.
    pub hint: Option<Text>,
    /// Every name that would be right here; none where no name would.
    pub names: Vec<String>,
}

/// Everything that is wrong with a scenario file, in the order of its lines; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioErrors {
    /// The file, as it was named.
    pub name: String,
    /// What is wrong, at most 50 things.
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
}

impl ScenarioErrors {
    /// The problems as a compiler would show them, in one language.
    pub fn render(&self, language: Language) -> String {
        let mut page = String::new();
        for problem in &self.problems {
            problem.render(&self.name, language, &mut page);
            page.push('\n');
        }
        if self.more > 0 {
            page.push_str(&match language {
                Language::English => format!("... and {} more\n\n", self.more),
                Language::Chinese => format!("……另有 {} 处\n\n", self.more),
            });
        }
        page.truncate(page.trim_end().len());
        page
    }
}

impl fmt::Display for ScenarioErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Language::English))
    }
}

impl std::error::Error for ScenarioErrors {}

impl Problem {
    fn render(&self, name: &str, language: Language, page: &mut String) {
        let (error, allowed, hint, colon) = match language {
            Language::English => ("error", "allowed", "hint", ": "),
            Language::Chinese => ("错误", "允许", "提示", "："),
        };
        let margin = " ".repeat(self.line.to_string().len());
        let carets = "^".repeat(self.marked_width());
        let message = self.message.in_language(language);
        page.push_str(&format!("{error}{colon}{message}\n"));
        page.push_str(&format!("{margin}--> {name}:{}:{}\n", self.line, self.column));
        page.push_str(&format!("{margin} |\n{} | {}\n", self.line, self.source));
        page.push_str(&format!("{margin} | {}{carets}\n", " ".repeat(self.indent)));
        for (word, text) in [(allowed, &self.allowed), (hint, &self.hint)] {
            if let Some(text) = text {
                page.push_str(&format!("{margin} = {word}{colon}{}\n", text.in_language(language)));
            }
        }
    }

    /// The columns under the wrong characters, as far as they are shown.
    fn marked_width(&self) -> usize {
        let mut skipped = 0;
        let shown: String = self
            .source
            .chars()
            .skip_while(|character| {
                let before = skipped < self.indent;
                skipped += character.width().unwrap_or(0);
                before
            })
            .take(self.length)
            .collect();
        shown.width().max(1)
    }
}

/// The problems found so far in one file.
#[derive(Debug)]
pub(super) struct Problems<'t> {
    text: &'t str,
    found: Vec<(Range<usize>, Problem)>,
    more: usize,
    /// Takes what is said about problems that are no longer kept.
    unkept: Problem,
}

/// More than anybody would read at once.
const MOST: usize = 50;

/// The widest part of a source line that is shown.
const WIDTH: usize = 100;

impl<'t> Problems<'t> {
    /// No problems yet in this text.
    pub(super) fn in_text(text: &'t str) -> Problems<'t> {
        Problems { text, found: Vec::new(), more: 0, unkept: Problem::default() }
    }

    /// The text of the file.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// Adds a problem at a place of the text; the result can be filled in with what is allowed and a hint.
    pub(super) fn add(&mut self, at: Range<usize>, message: Text) -> &mut Problem {
        if self.found.len() == MOST {
            self.more += 1;
            return &mut self.unkept;
        }
        let problem = self.place(&at, message);
        // A parser that is lost says the same again and again.
        if self.found.iter().any(|(place, found)| *place == at && found.message == problem.message) {
            return &mut self.unkept;
        }
        self.found.push((at, problem));
        &mut self.found.last_mut().expect("one was pushed just now").1
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether there are as many as are kept.
    pub(super) fn is_full(&self) -> bool {
        self.found.len() >= MOST
    }

    /// How many there are so far.
    pub(super) fn count(&self) -> usize {
        self.found.len() + self.more
    }

    /// All problems in the order of the file.
    pub(super) fn into_errors(mut self, name: &str) -> ScenarioErrors {
        self.found.sort_by_key(|(at, _)| at.start);
        let problems = self.found.into_iter().map(|(_, problem)| problem).collect();
        ScenarioErrors { name: name.to_owned(), problems, more: self.more }
    }

    fn place(&self, at: &Range<usize>, message: Text) -> Problem {
        let start = floor_boundary(self.text, at.start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |newline| start + newline);
        let end = floor_boundary(self.text, at.end).clamp(start, line_end);
        let before = &self.text[line_start..start];
        let (cut, indent) = cut_left(before);
        let source = shown(&before[cut..], &self.text[start..line_end]);
        Problem {
            line: self.text[..line_start].matches('\n').count() + 1,
            column: before.chars().count() + 1,
            length: self.text[start..end].chars().count().max(1),
            source,
            indent,
            message,
            allowed: None,
            hint: None,
            names: Vec::new(),
        }
    }
}

impl Problem {
    /// Says what would be right.
    pub(super) fn allowed(&mut self, en: impl Into<String>, zh: impl Into<String>) -> &mut Problem {
        self.allowed = Some(Text::new(en, zh));
        self
    }

    /// Lists the names that would be right, and suggests the nearest.
    pub(super) fn names<'n>(&mut self, given: &str, names: impl IntoIterator<Item = &'n str>) -> &mut Problem {
        // A problem without a line is not kept, and the search for a near name is the dear part.
        if self.line == 0 {
            return self;
        }
        let mut names: Vec<&str> = names.into_iter().collect();
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(*name));
        self.names = names.iter().map(|name| (*name).to_owned()).collect();
        if let Some(near) = nearest(given, names.iter().copied()) {
            self.meant(near);
        }
        match names.len() {
            0 => self,
            1..=MOST_NAMES => self.allowed(names.join(", "), names.join("、")),
            all => {
                let like = &by_likeness(given, names)[..AS_MANY_AS_A_LINE_HOLDS];
                let (en, zh) = (like.join(", "), like.join("、"));
                let more = all - like.len();
                self.allowed(format!("{en} and {more} others"), format!("{zh}，以及另外 {more} 个"))
            }
        }
    }

    /// Asks whether this name was meant.
    pub(super) fn meant(&mut self, name: &str) -> &mut Problem {
        self.hint = Some(did_you_mean(name));
        self
    }

    /// Says what to do.
    pub(super) fn hint(&mut self, en: impl Into<String>, zh: impl Into<String>) -> &mut Problem {
        self.hint = Some(Text::new(en, zh));
        self
    }
}

/// More names than anybody reads in an error.
const MOST_NAMES: usize = 25;

/// So many of them are shown instead, the likest first.
const AS_MANY_AS_A_LINE_HOLDS: usize = 6;

fn floor_boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Where to begin showing what stands before the mark so that the mark is on the screen, and how wide that is.
fn cut_left(before: &str) -> (usize, usize) {
    let mut width = 0;
    let mut cut = before.len();
    for (at, character) in before.char_indices().rev() {
        let wide = shown_width(character);
        if width + wide > WIDTH / 2 {
            break;
        }
        width += wide;
        cut = at;
    }
    (cut, width)
}

/// The line as it is shown: one column for what has no width, cut off at the right.
fn shown(before: &str, rest: &str) -> String {
    let mut width = 0;
    before
        .chars()
        .chain(rest.chars())
        .take_while(|character| {
            width += shown_width(*character);
            width <= WIDTH
        })
        .map(|character| if character.width().unwrap_or(0) == 0 { ' ' } else { character })
        .collect::<String>()
        .trim_end()
        .to_owned()
}

fn shown_width(character: char) -> usize {
    character.width().unwrap_or(0).max(1)
}
