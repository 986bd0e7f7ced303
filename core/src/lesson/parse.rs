//! Reads a lesson from its Markdown.

use std::fmt;

use super::{Answer, Claim, ClaimError, Lesson, Scene};
use crate::i18n::Language;

/// What is wrong with a lesson, and on which line (from 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonError {
    /// The line.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a lesson.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It has no title.
    #[error("a lesson begins with its title, `# ...`")]
    NoTitle,
    /// A heading is missing or in the wrong place.
    #[error("here the heading \"## {0}\" is expected")]
    Heading(&'static str),
    /// An answer has no claim.
    #[error("an answer ends in its claim, in a comment: `<!-- broken no-stale-write -->`")]
    NoClaim,
    /// A claim cannot be told.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// There are fewer than two answers.
    #[error("a reader picks from at least two answers")]
    TooFewAnswers,
    /// A run is missing.
    #[error("a console block with `locklab run SCENARIO --lock LOCK` is expected here")]
    NoRun,
}

impl fmt::Display for LessonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for LessonError {}

/// The headings of a lesson, in order.
fn headings(language: Language) -> [&'static str; 6] {
    match language {
        Language::English => ["Question", "Predict", "Reveal", "Change one thing", "Take home", "For the teacher"],
        Language::Chinese => ["问题", "先猜", "揭晓", "改一处再看", "带走", "给老师"],
    }
}

impl Lesson {
    /// Reads a lesson that is written in this language.
    ///
    /// # Errors
    /// The first line that is not as a lesson has it.
    pub fn parse(text: &str, language: Language) -> Result<Lesson, LessonError> {
        let mut reader = Reader { lines: text.lines().enumerate().collect(), next: 0 };
        let title = reader.title()?;
        let [question, predict, reveal, change, take_home, teacher] = headings(language);
        let story = reader.section(Some(question))?;
        let question = reader.section(Some(predict))?;
        let answers = reader.section(Some(reveal))?;
        let scene = reader.section(Some(change))?;
        let changed = reader.section(Some(take_home))?;
        let sentences = reader.section(Some(teacher))?;
        let teacher = reader.section(None)?;
        Ok(Lesson {
            title,
            story: story.prose(),
            question: question.prose(),
            answers: answers.answers()?,
            reveal: scene.scene()?,
            change: changed.scene()?,
            take_home: sentences.points().map(|(_, point)| point.to_owned()).collect(),
            teacher: teacher.prose(),
        })
    }
}

struct Reader<'t> {
    lines: Vec<(usize, &'t str)>,
    next: usize,
}

/// What stands between two headings.
struct Section<'t> {
    /// The line after it.
    end: usize,
    lines: Vec<(usize, &'t str)>,
}

impl<'t> Reader<'t> {
    fn title(&mut self) -> Result<String, LessonError> {
        let first = self.lines.first().and_then(|(_, line)| line.strip_prefix("# "));
        self.next = 1;
        first.map(|title| title.trim().to_owned()).ok_or(LessonError { line: 1, problem: Problem::NoTitle })
    }

    /// The lines up to a heading, which is `wanted`; or to the end.
    fn section(&mut self, wanted: Option<&'static str>) -> Result<Section<'t>, LessonError> {
        let start = self.next;
        let rest = &self.lines[start.min(self.lines.len())..];
        let heading = rest.iter().position(|(_, line)| line.starts_with("## "));
        let end = heading.map_or(self.lines.len(), |place| start + place);
        let found = heading.and_then(|_| self.lines[end].1.strip_prefix("## ")).map(str::trim);
        if let (Some(wanted), true) = (wanted, found != wanted) {
            return Err(LessonError { line: end + 1, problem: Problem::Heading(wanted) });
        }
        self.next = end + 1;
        Ok(Section { end: end + 1, lines: self.lines[start.min(end)..end].to_vec() })
    }
}

impl<'t> Section<'t> {
    /// Paragraphs, without what stands in a block of code.
    fn prose(&self) -> String {
        let mut in_code = false;
        let lines = self.lines.iter().map(|(_, line)| *line).filter(|line| {
            let fence = line.starts_with("```");
            in_code ^= fence;
            !in_code && !fence
        });
        lines.collect::<Vec<_>>().join("\n").trim().to_owned()
    }

    /// The points of a list, each with its line.
    fn points(&self) -> impl Iterator<Item = (usize, &'t str)> + '_ {
        self.lines.iter().filter_map(|(at, line)| Some((at + 1, line.strip_prefix("- ")?.trim())))
    }

    fn answers(&self) -> Result<Vec<Answer>, LessonError> {
        let answers = self.points().map(|(line, point)| {
            let error = |problem| LessonError { line, problem };
            let (text, comment) = point.split_once("<!--").ok_or_else(|| error(Problem::NoClaim))?;
            let claim = comment.trim().strip_suffix("-->").ok_or_else(|| error(Problem::NoClaim))?;
            let claim = Claim::parse(claim.trim()).map_err(|wrong| error(wrong.into()))?;
            Ok(Answer { text: text.trim().to_owned(), claim })
        });
        let answers: Vec<Answer> = answers.collect::<Result<_, _>>()?;
        if answers.len() < 2 {
            return Err(LessonError { line: self.end, problem: Problem::TooFewAnswers });
        }
        Ok(answers)
    }

    fn scene(&self) -> Result<Scene, LessonError> {
        let command = self.lines.iter().find_map(|(_, line)| line.strip_prefix("locklab run "));
        let run = command.and_then(|command| command.split_once(" --lock "));
        let (scenario, lock) = run.ok_or(LessonError { line: self.end, problem: Problem::NoRun })?;
        Ok(Scene { scenario: scenario.trim().to_owned(), lock: lock.trim().to_owned(), text: self.prose() })
    }
}
