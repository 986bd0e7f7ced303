//! The views of the page, and what the address bar says of them.
//!
//! The part of the address after `#` is a run (`L1-…`, perhaps with `&step=…` or `&at=…`, and `&with=…`), or the word of another view,
//! perhaps with what it shows (`word/rest`).

use std::rc::Rc;

use locklab_core::time::{Span, Time};

use super::{Cursor, MOST_BESIDE, Move, State};

/// A view of the page: what stands under the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// One run.
    #[default]
    Run,
    /// One run's timeline and nothing else, for articles and slides. `?embed` in the address asks for it.
    Embed,
    /// The course.
    Lessons,
    /// The search for the simplest way to break the lock of the run that is shown.
    Search,
    /// Every mechanism against every threat.
    Matrix,
    /// "Break this lock".
    Game,
}

/// What the address bar says of a history that was opened from a file: the file itself is on the reader's disk.
const RECORDED: &str = "file";

impl View {
    /// The views that the header leads to, in order.
    pub const LINKED: [View; 5] = [View::Run, View::Search, View::Matrix, View::Lessons, View::Game];

    /// The word that names it in the address; `None`: it is named by a run.
    pub fn word(self) -> Option<&'static str> {
        match self {
            View::Run | View::Embed => None,
            View::Lessons => Some("lessons"),
            View::Search => Some("search"),
            View::Matrix => Some("matrix"),
            View::Game => Some("game"),
        }
    }
}

impl State {
    /// What the address bar says of what is shown; `None`: nothing that could be opened again.
    pub fn place(&self) -> Option<String> {
        match self.view {
            View::Run | View::Embed => self.run_place(),
            View::Game => Some(format!("game{}", self.game.place())),
            View::Lessons => Some(format!("lessons{}", self.class.place())),
            View::Search => Some(format!("search/{}", self.hunt().run)),
            View::Matrix => Some("matrix".to_owned()),
        }
    }

    /// Where the header leads to for the run that is shown.
    pub fn run_place(&self) -> Option<String> {
        if self.played.is_recorded() { Some(RECORDED.to_owned()) } else { self.address() }
    }

    /// The address of the run that is shown, with the locks beside it and the cursor.
    pub fn address(&self) -> Option<String> {
        let mut address = self.played.address()?;
        if self.cursor != Cursor::where_it_breaks(&self.played) {
            let is_at_step = self.cursor == self.cursor.moved(&self.played, Move::To(self.cursor.step));
            address.push_str(&match is_at_step {
                true => format!("&step={}", self.cursor.step + 1),
                false => format!("&at={}", Span(self.cursor.at.0)),
            });
        }
        if !self.beside.is_empty() {
            let locks: Vec<&str> = self.beside.iter().map(|other| &*other.piece.lock).collect();
            address.push_str(&format!("&with={}", locks.join(",")));
        }
        Some(address)
    }

    /// Shows what the address bar says.
    pub(super) fn visited(self, place: &str) -> State {
        if place == RECORDED {
            return State { view: View::Run, playing: false, ..self };
        }
        let (word, rest) = place.split_once('/').unwrap_or((place, ""));
        match View::LINKED.into_iter().find(|view| view.word() == Some(word)) {
            Some(View::Game) => self.in_game(rest),
            Some(View::Lessons) => self.in_class(rest),
            Some(View::Search) => self.in_search(rest),
            Some(view) => State { view, playing: false, ..self },
            None if self.view == View::Embed => self.with_run_at(place),
            None => State { view: View::Run, ..self }.with_run_at(place),
        }
    }

    /// Opens a run's address with what follows it. What follows and makes no sense is left out: the run is what matters.
    fn with_run_at(self, place: &str) -> State {
        let (run, rest) = place.split_once('&').unwrap_or((place, ""));
        let before = self.played.clone();
        let state = self.open(run);
        if Rc::ptr_eq(&before, &state.played) {
            return state;
        }
        rest.split('&').fold(state, |state, part| match part.split_once('=') {
            Some(("step", step)) => match step.parse::<usize>() {
                Ok(step) => state.gone(Move::To(step.saturating_sub(1))),
                Err(_) => state,
            },
            Some(("at", at)) => match at.parse::<Span>() {
                Ok(at) => state.gone(Move::At(Time(at.0))),
                Err(_) => state,
            },
            Some(("with", locks)) => locks.split(',').take(MOST_BESIDE).fold(state, |state, lock| state.compared(lock)),
            _ => state,
        })
    }
}
