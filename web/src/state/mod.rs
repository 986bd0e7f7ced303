//! The page's state and the one function that changes it.

mod branches;
mod class;
mod comparison;
mod cursor;
mod fault;
mod game;
mod hunt;
mod knob;
mod listing;
mod piece;
mod played;
mod reading;
mod sheet;
mod survey;
mod toml;
mod view;
mod window;

pub use branches::Branches;
pub use class::{Class, Loaded, Stage, Study};
pub use comparison::{Apart, Comparison};
pub use cursor::{Cursor, Move, Speed, TRACK};
pub use fault::{Blow, Hold, Struck, Turn};
pub use game::{Game, Par, Try};
pub use hunt::{Chase, Findings, Hunt, Overall, Seek};
pub use knob::{Amount, Knob};
pub use piece::{Piece, Source};
pub use played::{BOUND, Played, Run, Trouble};
pub use reading::{Brought, LARGEST_FILE, Reading};
pub use sheet::{Entry, Open, Sheet, Turned};
pub use survey::{Asked, Finding, MODELS, Survey, Weigh};
pub use toml::{Word, words_of};
pub use view::View;
pub use window::{Look, Window};

use std::rc::Rc;

use locklab_core::address::Change;
use locklab_core::i18n::Language;
use locklab_core::scenario::library;
use locklab_core::time::Time;
use locklab_core::view::svg::Theme;
use locklab_core::view::{Element, Whose};
use yew::Reducible;

/// How many runs are shown beside the main one at most.
pub const MOST_BESIDE: usize = 3;

/// What the page shows, apart from what can be computed from it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The language of every word on the page.
    pub language: Language,
    /// The colours.
    pub theme: Theme,
    /// The width of the drawing in pixels.
    pub width: u32,
    /// Which view of the page is shown.
    pub view: View,
    /// The run that is shown.
    pub played: Rc<Played>,
    /// What was played before, and what was left by going back.
    pub branches: Branches,
    /// The same scenario with other locks, to compare with; at most [`MOST_BESIDE`].
    pub beside: Vec<Rc<Played>>,
    /// Where in the run the reader is.
    pub cursor: Cursor,
    /// Which part of the axis is shown.
    pub window: Window,
    /// What the reader points at.
    pub hovered: Option<Spot>,
    /// What stays explained until the reader closes it.
    pub pinned: Option<Spot>,
    /// The search that was asked for last.
    pub hunt: Option<Rc<Hunt>>,
    /// The longer questions about a run.
    pub survey: Option<Rc<Survey>>,
    /// The comparison of all mechanisms.
    pub sheet: Sheet,
    /// The game that is played.
    pub game: Game,
    /// The class that takes the course.
    pub class: Class,
    /// The file that is being read.
    pub reading: Option<Rc<Reading>>,
    /// Whether the cursor moves by itself.
    pub playing: bool,
    /// How fast it does.
    pub speed: Speed,
    /// Whether the list of scenarios is open.
    pub choosing: bool,
    /// What the reader has written; `None`: the text is the run's.
    pub draft: Option<Draft>,
    /// Why what the reader asked for is not shown.
    pub trouble: Option<Trouble>,
}

/// A scenario's text as the reader has written it so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// What is wrong with it; the run that is shown is then the one before.
    pub trouble: Option<Trouble>,
}

/// A place of a drawing at which a reader points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Which of several drawings.
    pub place: usize,
    /// What is drawn there.
    pub what: Spotted,
    /// Where on the track.
    pub x: i64,
    /// How far from the drawing's top edge, in pixels.
    pub y: i64,
}

impl Spot {
    /// What is drawn there, if it is not just a lane.
    pub fn element(&self) -> Option<Element> {
        self.what.element()
    }
}

impl Spotted {
    /// What is drawn, if it is not just a lane.
    pub fn element(self) -> Option<Element> {
        match self {
            Spotted::Element(element) => Some(element),
            Spotted::Lane(_) => None,
        }
    }
}

/// What a reader points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spotted {
    /// Something that is drawn.
    Element(Element),
    /// Nothing but the lane of someone.
    Lane(Whose),
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
    /// Show the scenario with this lock beside, or no longer.
    Beside(String),
    /// Play it with this parameter changed.
    Change(Change),
    /// Play this text in place of the scenario's.
    Edit(String),
    /// Move a fault of this number, or its end.
    Turn(usize, Turn),
    /// Put a fault on somebody's lane, at an instant.
    Strike(Blow, Whose, Time),
    /// Take the fault of this number away.
    Spare(usize),
    /// Take all changes back, also those of the text.
    Restore,
    /// Take the last change back.
    Undo,
    /// Make the change again that was taken back.
    Redo,
    /// Make another change in place of the last one: one that was made before it was taken back.
    Branch,
    /// Show what the address bar says: a run, or another view.
    Open(String),
    /// Go to another place of the run.
    Go(Move),
    /// Look at another part of the axis.
    Look(Look),
    /// Explain what the pointer is over.
    Hover(Option<Spot>),
    /// Keep something explained, or nothing; what is explained already no longer.
    Pin(Option<Spot>),
    /// Start or stop moving by itself.
    Play,
    /// Move on by itself, this many milliseconds.
    Pass(u32),
    /// Move by itself as fast as this.
    Hurry(Speed),
    /// Search for the simplest way to break the lock.
    Seek(Seek),
    /// Ask where it begins to break, or how likely it breaks.
    Weigh(Weigh),
    /// Look at the comparison of all mechanisms.
    Sheet(Turned),
    /// Try to break a lock.
    Try(Try),
    /// Take the course.
    Study(Study),
    /// Show a file.
    Bring(Brought),
    /// Keep explained what draws the step at the cursor.
    PinStep,
    /// The reader has read of the trouble.
    Dismiss,
}

impl State {
    /// The page as a reader meets it first.
    pub fn first(language: Language) -> State {
        let first = library::find("expiry/gc-pause").or(library::all().first()).expect("there are scenarios");
        let piece = Piece::of(Source::BuiltIn(first)).expect("a test plays every built-in scenario");
        let played = Rc::new(Played::of(&piece).expect("a test plays every built-in scenario"));
        State {
            language,
            theme: Theme::Auto,
            width: 1_200,
            view: View::Run,
            cursor: Cursor::where_it_breaks(&played),
            branches: Branches::of(played.piece.clone()),
            played,
            beside: Vec::new(),
            window: Window::default(),
            hovered: None,
            pinned: None,
            hunt: None,
            survey: None,
            sheet: Sheet::default(),
            game: Game::default(),
            class: Class::default(),
            reading: None,
            playing: false,
            speed: Speed::default(),
            choosing: false,
            draft: None,
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
            Action::Lock(lock) => {
                State { draft: self.draft.clone(), ..state.with(Ok(Piece { lock, ..self.played.piece.clone() })) }
            }
            Action::Beside(lock) => state.compared(&lock),
            Action::Change(change) => state.turned(change),
            Action::Turn(number, turn) => match self.played.turned(number, turn) {
                Some(change) => state.turned(change),
                None => state,
            },
            Action::Strike(blow, whose, at) => state.with(self.played.with_blow(blow, whose, at)),
            Action::Spare(number) => state.with(self.played.without_fault(number)),
            Action::Undo => state.walked(Branches::back),
            Action::Redo => state.walked(Branches::forth),
            Action::Branch => state.walked(Branches::aside),
            Action::Edit(text) => state.edited(text),
            Action::Restore => state.with(Ok(self.played.piece.restored())),
            Action::Open(place) => state.visited(&place),
            Action::Go(to) => state.gone(to),
            Action::Look(look) => State { window: self.window.after(look, self.cursor_on_axis()), ..state },
            Action::Hover(hovered) => State { hovered, ..state },
            Action::Pin(spot) => state.pinned(spot),
            Action::Play => self.started_or_stopped(),
            Action::Pass(millis) => self.later(self.speed.passed(millis)),
            Action::Hurry(speed) => State { speed, ..state },
            Action::Seek(seek) => state.sought(seek),
            Action::Weigh(weigh) => state.weighed(weigh),
            Action::Sheet(turned) => state.compared_all(turned),
            Action::Try(attempt) => state.tried(attempt),
            Action::Study(study) => state.studied(study),
            Action::Bring(brought) => state.brought(brought),
            Action::PinStep => state.step_pinned(),
            Action::Dismiss => State { trouble: None, ..state },
        }
    }

    /// Shows another run, which can be undone. Where it cannot be shown, the one before stays, and the reader is told why.
    fn with(self, piece: Result<Piece, Trouble>) -> State {
        self.played_on(piece, None)
    }

    /// One parameter is turned, perhaps for the hundredth time while a finger is down.
    fn turned(self, change: Change) -> State {
        let key = change.key.clone();
        let piece = self.played.piece.clone().changed(change);
        self.played_on(Ok(piece), Some(&key))
    }

    fn played_on(self, piece: Result<Piece, Trouble>, turned: Option<&str>) -> State {
        let mut state = self.showing(piece);
        if state.trouble.is_none() {
            state.branches.grow(state.played.piece.clone(), turned);
        }
        state.judged()
    }

    /// Walks to a piece that was played before.
    fn walked(mut self, walk: fn(&mut Branches) -> Option<Piece>) -> State {
        match walk(&mut self.branches) {
            Some(piece) => self.showing(Ok(piece)),
            None => self,
        }
    }

    fn showing(self, piece: Result<Piece, Trouble>) -> State {
        match piece.and_then(|piece| Played::of(&piece)) {
            Ok(played) => {
                let is_same = self.played.piece.source.name() == played.piece.source.name();
                let window = if is_same { self.window } else { Window::default() };
                State { window, draft: None, ..self }.at(played)
            }
            Err(trouble) => State { trouble: Some(trouble), playing: false, ..self },
        }
    }

    /// The page with another run: the cursor stands where it breaks.
    fn at(self, played: Played) -> State {
        let (cursor, beside) = (Cursor::where_it_breaks(&played), self.beside_of(&played));
        State { played: Rc::new(played), beside, cursor, playing: false, trouble: None, ..self }
            .unexplained()
            .with_cursor_shown()
    }

    /// The locks that are compared are played anew with another run of the same scenario, and dropped with any other.
    fn beside_of(&self, played: &Played) -> Vec<Rc<Played>> {
        if self.played.piece.source.name() != played.piece.source.name() {
            return Vec::new();
        }
        let locks = self.beside.iter().map(|other| &other.piece.lock).filter(|lock| **lock != played.piece.lock);
        let pieces = locks.map(|lock| Piece { lock: lock.clone(), ..played.piece.clone() });
        pieces.filter_map(|piece| Played::of(&piece).ok()).map(Rc::new).collect()
    }

    /// Plays another text. While it is wrong, the run before stays, and the reader sees what is wrong.
    fn edited(self, text: String) -> State {
        let piece = self.played.piece.with_text(&text, &self.played.scenario);
        match piece.and_then(|piece| Played::of(&piece)) {
            Ok(played) => {
                let mut state = State { draft: Some(Draft { text, trouble: None }), ..self }.at(played);
                state.branches.grow(state.played.piece.clone(), Some("text"));
                state
            }
            Err(trouble) => State { draft: Some(Draft { text, trouble: Some(trouble) }), playing: false, ..self },
        }
    }

    fn compared(mut self, lock: &str) -> State {
        let count = self.beside.len();
        self.beside.retain(|other| other.piece.lock != lock);
        if self.beside.len() == count && count < MOST_BESIDE && self.played.piece.lock != lock {
            match Played::of(&Piece { lock: lock.to_owned(), ..self.played.piece.clone() }) {
                Ok(other) => self.beside.push(Rc::new(other)),
                Err(trouble) => self.trouble = Some(trouble),
            }
        }
        // One drawing has an axis of its own, several share one: the same window shows something else.
        let window = if (count == 0) == self.beside.is_empty() { self.window } else { Window::default() };
        State { window, ..self }.unexplained()
    }

    /// When the longest of the runs that are compared is over; `None`: there is only one.
    pub fn common_end(&self) -> Option<Time> {
        let ends = self.beside.iter().filter_map(|other| Some(other.run().ok()?.scene.end));
        let own = self.played.run().ok()?.scene.end;
        ends.max().map(|end| end.max(own))
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

    fn gone(self, to: Move) -> State {
        State { cursor: self.cursor.moved(&self.played, to), playing: false, ..self }.with_cursor_shown()
    }

    fn pinned(self, spot: Option<Spot>) -> State {
        let old = self.pinned.map(|spot| (spot.place, spot.what));
        let pinned = spot.filter(|spot| old != Some((spot.place, spot.what)));
        State { pinned, hovered: None, ..self }
    }

    /// Pins what draws the step at the cursor, as a click on it would.
    fn step_pinned(self) -> State {
        let run = self.played.run().ok();
        let element = run.and_then(|run| run.steps.get(self.cursor.step)).and_then(|step| step.element);
        let x = self.cursor_on_axis();
        let spot = element.map(|element| Spot { place: 0, what: Spotted::Element(element), x, y: 0 });
        self.pinned(spot)
    }

    /// Another run has other elements.
    fn unexplained(self) -> State {
        State { pinned: None, hovered: None, ..self }
    }

    /// What is explained, and whether it stays.
    pub fn explained(&self) -> (Option<Spot>, bool) {
        (self.hovered.or(self.pinned), self.hovered.is_none() && self.pinned.is_some())
    }

    /// Where the cursor lies on the axis of the drawing, in units of the track.
    pub fn cursor_on_axis(&self) -> i64 {
        self.common_end().map_or(self.cursor.x, |until| self.cursor.on_shared(until))
    }

    /// The view follows the cursor.
    fn with_cursor_shown(self) -> State {
        State { window: self.window.showing(self.cursor_on_axis()), ..self }
    }

    /// Whoever starts at the end starts again.
    fn started_or_stopped(&self) -> State {
        let cursor = match self.cursor.is_at_end(&self.played) && !self.playing {
            true => self.cursor.moved(&self.played, Move::First),
            false => self.cursor.clone(),
        };
        State { playing: !self.playing, cursor, ..self.clone() }.with_cursor_shown()
    }

    fn later(&self, millis: u32) -> State {
        if !self.playing {
            return self.clone();
        }
        let cursor = self.cursor.moved(&self.played, Move::On { millis });
        State { playing: !cursor.is_at_end(&self.played), cursor, ..self.clone() }.with_cursor_shown()
    }
}

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(self.after(action))
    }
}
