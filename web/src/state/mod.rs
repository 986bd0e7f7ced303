//! The page's state and the one function that changes it.

mod cursor;
mod piece;
mod played;

pub use cursor::{Cursor, Move, TRACK};
pub use piece::{Piece, Source};
pub use played::{BOUND, Played, Run, Trouble};

use std::rc::Rc;

use locklab_core::address::Change;
use locklab_core::i18n::Language;
use locklab_core::scenario::library;
use locklab_core::view::svg::Theme;
use yew::Reducible;

/// What the page shows, apart from what can be computed from it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The language of every word on the page.
    pub language: Language,
    /// The colours.
    pub theme: Theme,
    /// The width of the drawing in pixels.
    pub width: u32,
    /// The run that is shown.
    pub played: Rc<Played>,
    /// Where in the run the reader is.
    pub cursor: Cursor,
    /// Whether the cursor moves by itself.
    pub playing: bool,
    /// Whether the list of scenarios is open.
    pub choosing: bool,
    /// Why what the reader asked for is not shown.
    pub trouble: Option<Trouble>,
}

/// What a reader can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Show the page in this language.
    Speak(Language),
    /// Show it in these colours.
    Paint(Theme),
    /// Draw so wide.
    Fit(u32),
    /// Open or close the list of scenarios.
    Browse,
    /// Play a built-in scenario with the lock that it is about.
    Choose(&'static str),
    /// Play the scenario with this lock.
    Lock(String),
    /// Play it with this parameter changed.
    Change(Change),
    /// Take all changes back.
    Restore,
    /// Open the run of an address.
    Open(String),
    /// Go to another place of the run.
    Go(Move),
    /// Start or stop moving by itself.
    Play,
    /// Move on by itself, this many milliseconds.
    Pass(u32),
    /// The reader has read of the trouble.
    Dismiss,
}

impl State {
    /// The page as a reader meets it first.
    pub fn first(language: Language) -> State {
        let first = library::find("expiry/gc-pause").or(library::ALL.first()).expect("there are scenarios");
        let piece = Piece::of(Source::BuiltIn(first)).expect("a test plays every built-in scenario");
        let played = Rc::new(Played::of(&piece).expect("a test plays every built-in scenario"));
        State {
            language,
            theme: Theme::Auto,
            width: 1_200,
            cursor: Cursor::where_it_breaks(&played),
            played,
            playing: false,
            choosing: false,
            trouble: None,
        }
    }

    /// The state after one action. It has no other effect.
    pub fn after(&self, action: Action) -> State {
        let state = self.clone();
        match action {
            Action::Speak(language) => State { language, ..state },
            Action::Paint(theme) => State { theme, ..state },
            Action::Fit(width) => State { width, ..state },
            Action::Browse => State { choosing: !self.choosing, ..state },
            Action::Choose(name) => match library::find(name) {
                Some(scenario) => State { choosing: false, ..state }.with(Piece::of(Source::BuiltIn(scenario))),
                None => state,
            },
            Action::Lock(lock) => state.with(Ok(Piece { lock, ..self.played.piece.clone() })),
            Action::Change(change) => state.with(Ok(self.played.piece.clone().changed(change))),
            Action::Restore => state.with(Ok(Piece { changes: Vec::new(), ..self.played.piece.clone() })),
            Action::Open(address) => state.open(&address),
            Action::Go(to) => State { cursor: self.cursor.moved(&self.played, to), playing: false, ..state },
            Action::Play => self.started_or_stopped(),
            Action::Pass(millis) => self.later(millis),
            Action::Dismiss => State { trouble: None, ..state },
        }
    }

    /// Shows another run. Where it cannot be shown, the one before stays, and the reader is told why.
    fn with(self, piece: Result<Piece, Trouble>) -> State {
        match piece.and_then(|piece| Played::of(&piece)) {
            Ok(played) => {
                let cursor = Cursor::where_it_breaks(&played);
                State { played: Rc::new(played), cursor, playing: false, trouble: None, ..self }
            }
            Err(trouble) => State { trouble: Some(trouble), playing: false, ..self },
        }
    }

    /// Opens the run of an address, and says so where it is not the run that the address was made from.
    fn open(self, address: &str) -> State {
        match Piece::at(address) {
            Ok((piece, check, changed)) => {
                let state = self.with(Ok(piece));
                let another = state.played.run().is_ok_and(|run| run.check != check).then(Trouble::another_run);
                let trouble = state.trouble.clone().or(changed).or(another);
                State { trouble, choosing: false, ..state }
            }
            Err(trouble) => State { trouble: Some(trouble), ..self },
        }
    }

    /// Whoever starts at the end starts again.
    fn started_or_stopped(&self) -> State {
        let cursor = match self.cursor.is_at_end(&self.played) && !self.playing {
            true => self.cursor.moved(&self.played, Move::First),
            false => self.cursor.clone(),
        };
        State { playing: !self.playing, cursor, ..self.clone() }
    }

    fn later(&self, millis: u32) -> State {
        if !self.playing {
            return self.clone();
        }
        let cursor = self.cursor.moved(&self.played, Move::On { millis });
        State { playing: !cursor.is_at_end(&self.played), cursor, ..self.clone() }
    }
}

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(self.after(action))
    }
}
