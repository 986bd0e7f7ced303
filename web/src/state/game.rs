//! "Break this lock": the level that is open, the faults that the reader has placed, and how it went so far.

use std::collections::BTreeMap;
use std::rc::Rc;

use locklab_core::explore::{Answer, Search, allowance_of};
use locklab_core::game::{LEVELS, Level};
use locklab_core::i18n::Text;
use locklab_core::scenario::{self, Moment, Trigger};
use locklab_core::sim::{self, FaultClass};
use locklab_core::time::Span;

use super::{Cursor, Move, Piece, Source, State, View};
use crate::errand::Report;

/// A game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Game {
    /// The level that is open; `None`: the list of them.
    pub level: Option<usize>,
    /// How many hints the reader has asked for.
    pub hints: usize,
    /// Whether the reader says that this level cannot be broken.
    pub is_given_up: bool,
    /// What the search says of the levels that it has searched.
    searched: BTreeMap<usize, Rc<Par>>,
    /// The fewest faults with which each level has been solved, by its name; for one that cannot be broken, none.
    pub solved: BTreeMap<String, usize>,
}

/// What the search says of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Par {
    /// It can be broken with so many faults.
    Broken {
        /// How many the simplest attack takes.
        faults: usize,
        /// From the vaguest to the solution.
        hints: Vec<Text>,
    },
    /// It holds in all states within the budget.
    Holds {
        /// How many states there are.
        states: usize,
    },
}

/// A move of the reader.
#[derive(Clone, Debug, PartialEq)]
pub enum Try {
    /// Strike a machine with a fault, at the step at which the cursor is.
    Strike(FaultClass, String),
    /// Start again.
    Again,
    /// Ask for one more hint.
    Hint,
    /// Say that it cannot be done.
    GiveUp,
    /// The worker has told what the search says of a level.
    Heard(Report),
}

impl Par {
    /// What a search that is over says.
    pub fn of(level: &Level, search: &Search) -> Par {
        match search.answers().next() {
            Some((_, Answer::Broken(attack))) => {
                Par::Broken { faults: attack.faults.len(), hints: level.hints(&attack, search.plan()) }
            }
            _ => Par::Holds { states: search.states() },
        }
    }
}

impl Game {
    /// The open level.
    pub fn level(&self) -> Option<&'static Level> {
        LEVELS.get(self.level?)
    }

    /// What the search says of the open level, once it is over.
    pub fn par(&self) -> Option<&Rc<Par>> {
        self.searched.get(&self.level?)
    }

    /// The level that is still to be searched.
    pub fn unsearched(&self) -> Option<usize> {
        self.level.filter(|level| !self.searched.contains_key(level))
    }

    /// What the address bar says after `game`.
    pub(super) fn place(&self) -> String {
        self.level().map_or(String::new(), |level| format!("/{}", level.name))
    }

    /// The solved levels as the browser keeps them: `token=1,watchdog=1`.
    pub fn kept(&self) -> String {
        self.solved.iter().map(|(name, faults)| format!("{name}={faults}")).collect::<Vec<_>>().join(",")
    }

    /// Takes back what the browser has kept. What makes no sense is left out.
    pub fn remember(&mut self, kept: &str) {
        let pairs = kept.split(',').filter_map(|pair| pair.split_once('='));
        let known = pairs.filter(|(name, _)| Level::find(name).is_some());
        self.solved.extend(known.filter_map(|(name, faults)| Some((name.to_owned(), faults.parse().ok()?))));
    }
}

impl State {
    /// The state after a move.
    pub(super) fn tried(mut self, attempt: Try) -> State {
        let Some(level) = self.game.level() else { return self };
        match attempt {
            Try::Strike(class, victim) => self.struck_with(class, &victim),
            Try::Again => self.at_level(level),
            Try::Hint => {
                self.game.hints += 1;
                self
            }
            Try::GiveUp => {
                self.game.is_given_up = true;
                self.scored(level)
            }
            Try::Heard(Report::Level(which, par)) => {
                self.game.searched.insert(which, Rc::new(par));
                self.scored(level)
            }
            // Without its search a level can still be played, only without par and hints.
            Try::Heard(_) => self,
        }
    }

    /// Shows what the address bar says after `game`.
    pub(super) fn in_game(mut self, place: &str) -> State {
        let level = LEVELS.iter().position(|level| level.name == place);
        let is_open = self.view == View::Game && level == self.game.level;
        self.view = View::Game;
        self.playing = false;
        self.game.level = level;
        match self.game.level() {
            Some(level) if !is_open => self.at_level(level),
            _ => self,
        }
    }

    /// A level before the first move.
    fn at_level(mut self, level: &Level) -> State {
        self.game.hints = 0;
        self.game.is_given_up = false;
        self.beside.clear();
        let source = Source::Own { name: level.name.to_owned(), text: level.text() };
        let state = self.with(Piece::of(source));
        State { cursor: state.cursor.moved(&state.played, Move::First), ..state }
    }

    fn struck_with(self, class: FaultClass, victim: &str) -> State {
        let at = self.moment_at_cursor();
        let before = self.cursor.clone();
        let text = scenario::with_fault(&self.played.text, &keys(class, victim, &at));
        let piece = text.map_or_else(
            |_| Ok(self.played.piece.clone()),
            |text| self.played.piece.with_text(&text, &self.played.scenario),
        );
        let state = self.with(piece);
        let cursor = Cursor::where_it_breaks(&state.played);
        let cursor = if cursor.step == 0 { before.moved(&state.played, Move::At(before.at)) } else { cursor };
        State { cursor, ..state }
    }

    /// The moment of the step at which the cursor is, as a scenario writes it.
    pub fn moment_at_cursor(&self) -> String {
        let start = || Moment { trigger: Trigger::Start, occurrence: 1, plus: Span(self.cursor.at.0) };
        let Ok(run) = self.played.run() else { return "0s".to_owned() };
        let seen = run.history.events.get(..self.cursor.events).unwrap_or(&run.history.events);
        // What can be named is named, so that a fault falls between two steps of one instant.
        let named = sim::moment(seen).filter(|_| seen.last().is_some_and(|event| event.at == self.cursor.at));
        let moment = named.map_or_else(start, |(trigger, occurrence)| Moment { trigger, occurrence, plus: Span::ZERO });
        let nodes: Vec<String> = run.history.header.nodes.iter().map(|node| node.name.to_string()).collect();
        scenario::written_moment(&moment, &self.played.scenario, &nodes)
    }

    /// Whom a fault of a class can strike, by name.
    pub fn victims(&self, class: FaultClass) -> Vec<String> {
        let Ok(run) = self.played.run() else { return Vec::new() };
        let header = &run.history.header;
        let clients = || header.clients.iter().map(|client| client.name.to_string());
        let nodes = || header.nodes.iter().map(|node| node.name.to_string());
        match class {
            FaultClass::ClockStep => nodes().chain(clients()).collect(),
            FaultClass::Restart | FaultClass::RestartEmpty => nodes().collect(),
            FaultClass::Failover => nodes().skip(1).collect(),
            _ => clients().collect(),
        }
    }

    /// How many more faults of each class may be placed.
    pub fn budget_left(&self, level: &Level) -> Vec<(FaultClass, u8)> {
        let spent = allowance_of(&self.played.scenario).unwrap_or_default();
        level.budget().each().map(|(class, allowed)| (class, allowed.saturating_sub(spent.of(class)))).collect()
    }

    /// Takes note of a level that is solved.
    fn scored(mut self, level: &Level) -> State {
        let solved = match self.game.par().map(|par| &**par) {
            Some(Par::Holds { .. }) => self.game.is_given_up.then_some(0),
            _ => {
                level.attempt(&self.played.scenario).ok().filter(|attempt| attempt.breaks).map(|attempt| attempt.faults)
            }
        };
        if let Some(faults) = solved {
            let best = self.game.solved.entry(level.name.to_owned()).or_insert(faults);
            *best = faults.min(*best);
        }
        self
    }

    /// Takes note of a level that the run which is shown solves.
    pub(super) fn judged(self) -> State {
        match self.game.level() {
            Some(level) if self.view == View::Game => self.scored(level),
            _ => self,
        }
    }
}

/// What a fault of a class says in a scenario. Lengths are long against a lease; a reader pulls them shorter on the timeline.
fn keys<'k>(class: FaultClass, victim: &'k str, at: &'k str) -> Vec<(&'static str, &'k str)> {
    let mut keys = match class {
        FaultClass::Pause => vec![("pause", victim), ("for", "15s")],
        FaultClass::Crash => vec![("crash", victim)],
        FaultClass::ClockStep => vec![("clock", victim), ("step", "+11s")],
        FaultClass::Failover => vec![("failover", victim), ("after", "500ms")],
        FaultClass::Restart => vec![("crash", victim), ("restart_after", "10ms"), ("data", "kept")],
        FaultClass::RestartEmpty => vec![("crash", victim), ("restart_after", "10ms"), ("data", "lost")],
        FaultClass::Partition => vec![("partition", victim), ("from", "redis"), ("for", "20s")],
        FaultClass::LostRequest => vec![("lose", "request"), ("of", victim)],
        FaultClass::LostReply => vec![("lose", "reply"), ("of", victim)],
        FaultClass::Duplicate => vec![("duplicate", "request"), ("of", victim)],
        FaultClass::Delay => vec![("delay", "request"), ("of", victim), ("by", "15s")],
    };
    keys.push(("at", at));
    keys
}
