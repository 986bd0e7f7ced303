//! The course: which lesson is open, and how far its class has come.

use std::collections::BTreeMap;
use std::rc::Rc;

use locklab_core::i18n::Language;
use locklab_core::lesson::{COURSE, Lesson, Scene};
use locklab_core::scenario::library;

use super::{Piece, Played, Source, State, Trouble, View};

/// A class that takes the course.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Class {
    /// The lesson that is open, by its place in the course; `None`: the list of them.
    pub lesson: Option<usize>,
    /// How far it has come.
    pub stage: Stage,
    /// The answer that was picked.
    pub picked: Option<usize>,
    /// Whether the teacher's notes are shown in place of the lesson.
    pub notes: bool,
    /// Whether the letters are large, for a projector.
    pub large: bool,
    /// The lessons that have been loaded.
    loaded: BTreeMap<(usize, Language), Rc<Loaded>>,
}

/// How far a lesson has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The class guesses.
    #[default]
    Asked,
    /// The run is shown.
    Revealed,
    /// The run with one thing changed is shown.
    Changed,
}

/// A lesson, and what the run says of its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The lesson.
    pub lesson: Lesson,
    /// Whether each answer is right.
    pub right: Vec<bool>,
}

/// What a class can do.
#[derive(Clone, Debug, PartialEq)]
pub enum Study {
    /// The text of a lesson has arrived.
    Arrived {
        /// Which lesson.
        lesson: usize,
        /// In which language.
        language: Language,
        /// Its text.
        text: String,
    },
    /// Pick an answer.
    Pick(usize),
    /// On to the next stage, and after the last to the next lesson.
    On,
    /// Back to the stage before.
    Back,
    /// Large letters, or ordinary ones.
    Enlarge,
}

impl Class {
    /// The open lesson in a language, if it has been loaded.
    pub fn open(&self, language: Language) -> Option<&Rc<Loaded>> {
        self.loaded.get(&(self.lesson?, language))
    }

    /// A lesson by its place in the course, if it has been loaded.
    pub fn loaded(&self, lesson: usize, language: Language) -> Option<&Rc<Loaded>> {
        self.loaded.get(&(lesson, language))
    }

    /// The lessons whose text is needed and not here: the open one, or for the list all of them.
    pub fn wanted(&self, language: Language) -> Vec<usize> {
        let shown = match self.lesson {
            Some(lesson) => lesson..lesson + 1,
            None => 0..COURSE.len(),
        };
        shown.filter(|lesson| !self.loaded.contains_key(&(*lesson, language))).collect()
    }

    /// What the address bar says after `lessons`.
    pub(super) fn place(&self) -> String {
        let notes = if self.notes { "/notes" } else { "" };
        self.lesson.and_then(|lesson| COURSE.get(lesson)).map_or(String::new(), |stem| format!("/{stem}{notes}"))
    }

    /// Opens what the address bar says after `lessons`.
    pub(super) fn visited(self, place: &str) -> Class {
        let (stem, rest) = place.split_once('/').unwrap_or((place, ""));
        let lesson = COURSE.iter().position(|known| *known == stem);
        if lesson == self.lesson && !self.notes && rest.is_empty() {
            return self;
        }
        Class { lesson, notes: rest == "notes", stage: Stage::Asked, picked: None, ..self }
    }
}

impl State {
    /// The state after something that a class did.
    pub(super) fn studied(mut self, study: Study) -> State {
        match study {
            Study::Arrived { lesson, language, text } => {
                match Lesson::parse(&text, language) {
                    Ok(parsed) => {
                        let right = right_of(&parsed);
                        self.class.loaded.insert((lesson, language), Rc::new(Loaded { lesson: parsed, right }));
                    }
                    Err(wrong) => self.trouble = Some(Trouble::unreadable(&wrong.to_string())),
                }
                self
            }
            Study::Pick(answer) if self.class.stage == Stage::Asked => {
                self.class.picked = Some(answer);
                self
            }
            Study::Pick(_) => self,
            Study::Enlarge => {
                self.class.large ^= true;
                self
            }
            Study::On => self.on(),
            Study::Back => match self.class.stage {
                Stage::Asked | Stage::Revealed => self.at_stage(Stage::Asked),
                Stage::Changed => self.at_stage(Stage::Revealed),
            },
        }
    }

    fn on(self) -> State {
        match (self.class.lesson, self.class.stage) {
            (None, _) => self.in_lesson(0),
            (Some(_), Stage::Asked) => self.at_stage(Stage::Revealed),
            (Some(_), Stage::Revealed) => self.at_stage(Stage::Changed),
            (Some(lesson), Stage::Changed) if lesson + 1 < COURSE.len() => self.in_lesson(lesson + 1),
            (Some(_), Stage::Changed) => self,
        }
    }

    fn in_lesson(mut self, lesson: usize) -> State {
        self.class = Class { lesson: Some(lesson), stage: Stage::Asked, picked: None, notes: false, ..self.class };
        self
    }

    /// Shows the run of a stage.
    fn at_stage(mut self, stage: Stage) -> State {
        let Some(loaded) = self.class.open(self.language).cloned() else { return self };
        self.class.stage = stage;
        self.beside.clear();
        match stage {
            Stage::Asked => self,
            Stage::Revealed => self.with(piece_of(&loaded.lesson.reveal)),
            Stage::Changed => self.with(piece_of(&loaded.lesson.change)),
        }
    }

    /// Shows what the address bar says after `lessons`.
    pub(super) fn in_class(self, place: &str) -> State {
        State { view: View::Lessons, playing: false, class: self.class.clone().visited(place), ..self }
    }
}

/// Whether each answer of a lesson is right: its run says so.
fn right_of(lesson: &Lesson) -> Vec<bool> {
    let played = piece_of(&lesson.reveal).and_then(|piece| Played::of(&piece));
    let run = played.as_ref().ok().and_then(|played| played.run().ok());
    let is_right = |answer: &locklab_core::lesson::Answer| {
        run.is_some_and(|run| answer.claim.is_true(&run.history, &run.report).unwrap_or(false))
    };
    lesson.answers.iter().map(is_right).collect()
}

fn piece_of(scene: &Scene) -> Result<Piece, Trouble> {
    let scenario = library::find(&scene.scenario).ok_or_else(|| Trouble::no_scenario(&scene.scenario))?;
    Ok(Piece { lock: scene.lock.clone(), ..Piece::of(Source::BuiltIn(scenario))? })
}
