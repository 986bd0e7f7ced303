//! The faults of a scenario on its drawing: which element is whose, and what it means to drag, to pull, to add or to delete one.

use locklab_core::address::Change;
use locklab_core::history::{FaultEvent, Machine, What};
use locklab_core::i18n::Text;
use locklab_core::say;
use locklab_core::scenario::{self, FaultKind, Moment, Trigger};
use locklab_core::time::{Span, Time};
use locklab_core::view::{BarKind, Element, Whose};

use super::{Piece, Played, Run, Trouble};

/// A fault that struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Struck {
    /// Its number in the scenario, from 1.
    pub number: usize,
    /// When it struck.
    pub at: Time,
    /// When it was over, where that can be changed.
    pub until: Option<Time>,
}

/// One that can be dragged or pulled: by what a reader has taken hold of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The fault as a whole.
    All,
    /// Its end.
    End,
}

/// What is done to a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It strikes at another instant.
    At(Time),
    /// It lasts until another instant.
    Until(Time),
}

/// What can be put on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    /// A client stops.
    Pause,
    /// A client or a server dies.
    Crash,
    /// A clock jumps forward.
    Jump,
}

impl Blow {
    /// What may strike on somebody's lane.
    pub fn of(whose: Whose) -> &'static [Blow] {
        match whose {
            Whose::Client(_) => &[Blow::Pause, Blow::Crash, Blow::Jump],
            Whose::Node(_) => &[Blow::Crash, Blow::Jump],
            Whose::Faults | Whose::Lock(_) | Whose::Resource => &[],
        }
    }

    /// Its name in the page's structure.
    pub fn tag(self) -> &'static str {
        match self {
            Blow::Pause => "pause",
            Blow::Crash => "crash",
            Blow::Jump => "jump",
        }
    }

    /// Its words.
    pub fn name(self) -> Text {
        match self {
            Blow::Pause => say!("Pause", "停顿"),
            Blow::Crash => say!("Crash", "崩溃"),
            Blow::Jump => say!("Clock jump", "时钟跳变"),
        }
    }
}

impl Played {
    /// Each fault that struck, by the event with which it did.
    pub fn struck(&self) -> Vec<(u32, Struck)> {
        let Ok(run) = self.run() else { return Vec::new() };
        let faults = &self.scenario.faults;
        let mut free: Vec<bool> = vec![true; faults.len()];
        let mut struck = Vec::new();
        for (event, at) in (0..).zip(&run.history.events) {
            let What::Fault(what) = &at.what else { continue };
            let fits = |index: &usize| free[*index] && is_made_by(&faults[*index].kind, what);
            let exact =
                |index: &usize| faults[*index].at.trigger == Trigger::Start && Time(faults[*index].at.plus.0) == at.at;
            let fitting: Vec<usize> = (0..faults.len()).filter(fits).collect();
            let Some(index) = fitting.iter().find(|index| exact(index)).or(fitting.first()) else { continue };
            free[*index] = false;
            let until = length_of(&faults[*index].kind).map(|(_, length)| at.at + length);
            struck.push((event, Struck { number: index + 1, at: at.at, until }));
        }
        struck
    }

    /// The fault that an element of the drawing shows; `None`: none.
    pub fn fault_of(&self, element: Element) -> Option<Struck> {
        let run = self.run().ok()?;
        let at = match element {
            Element::Mark(index) => run.scene.marks.get(index as usize)?.at,
            Element::Bar(index) => {
                let bar = run.scene.bars.get(index as usize)?;
                let is_fault = matches!(
                    bar.kind,
                    BarKind::Paused | BarKind::Dead | BarKind::Down | BarKind::Slow | BarKind::Cut | BarKind::ClockOff
                );
                is_fault.then_some(bar.from)?
            }
            Element::Exchange(_) | Element::Fold(_) => return None,
        };
        // A clock is off from the event after the one that set it wrong.
        let nearest = |event: &u32| at.event.abs_diff(*event) <= 1;
        self.struck().into_iter().find(|(event, struck)| nearest(event) && struck.at == at.at).map(|(_, struck)| struck)
    }

    /// The change that a turn of a fault makes; `None`: it has no such end.
    pub fn turned(&self, number: usize, turn: Turn) -> Option<Change> {
        let fault = self.scenario.faults.get(number.checked_sub(1)?)?;
        let run = self.run().ok()?;
        let struck = self.struck().into_iter().map(|(_, struck)| struck).find(|struck| struck.number == number);
        let key = |name: &str| format!("fault.{number}.{name}");
        match turn {
            Turn::At(at) => {
                let nodes: Vec<String> = run.history.header.nodes.iter().map(|node| node.name.to_string()).collect();
                let moment = moved(&fault.at, struck.map(|struck| struck.at), at);
                let value = scenario::written_moment(&moment, &self.scenario, &nodes);
                Some(Change { key: key("at"), value: format!("\"{value}\"") })
            }
            Turn::Until(until) => {
                let (name, _) = length_of(&fault.kind)?;
                // A fault that is over at once cannot be pulled any more.
                let length = until.since(struck?.at).max(Span::from_millis(1));
                Some(Change { key: key(name), value: format!("\"{length}\"") })
            }
        }
    }

    /// The piece with one more fault, at an instant.
    pub(super) fn with_blow(&self, blow: Blow, whose: Whose, at: Time) -> Result<Piece, Trouble> {
        let Some(name) = self.name_of(whose) else { return Ok(self.piece.clone()) };
        let (at, tenth) = (Span(at.0).to_string(), nice(Span(self.end().0 / 8)).to_string());
        let keys = match blow {
            Blow::Pause => vec![("pause", &*name), ("at", &at), ("for", &tenth)],
            Blow::Crash => vec![("crash", &*name), ("at", &at)],
            Blow::Jump => vec![("clock", &*name), ("at", &at), ("step", "+5s")],
        };
        self.retold(scenario::with_fault(&self.text, &keys))
    }

    /// The piece without a fault.
    pub(super) fn without_fault(&self, number: usize) -> Result<Piece, Trouble> {
        self.retold(scenario::without_fault(&self.text, number))
    }

    /// The name by which a scenario's text calls a client or a server.
    pub fn name_of(&self, whose: Whose) -> Option<String> {
        let header = &self.run().ok()?.history.header;
        match whose {
            Whose::Client(client) => Some(header.clients.get(usize::from(client.0))?.name.to_string()),
            Whose::Node(node) => Some(header.nodes.get(usize::from(node.0))?.name.to_string()),
            Whose::Faults | Whose::Lock(_) | Whose::Resource => None,
        }
    }

    /// An instant as a person would name it: to a hundredth of the run or so.
    pub fn rounded(&self, at: Time) -> Time {
        let grain = self.grain().0;
        Time((at.0 + grain / 2) / grain * grain)
    }

    /// The span by which an instant is moved: a round one, a hundredth of the run or so.
    pub fn grain(&self) -> Span {
        Span(grain(Span(self.end().0 / 50)).max(1))
    }

    fn end(&self) -> Time {
        self.run().map_or(Time::START, |run: &std::rc::Rc<Run>| run.scene.end)
    }

    fn retold<E>(&self, text: Result<String, E>) -> Result<Piece, Trouble> {
        // What is played has been parsed, unless there is nothing to be played.
        let Some(text) = text.ok().filter(|_| !self.is_recorded()) else { return Ok(self.piece.clone()) };
        self.piece.with_text(&text, &self.scenario)
    }
}

/// Whether a fault of a scenario can have made this event.
fn is_made_by(kind: &FaultKind, event: &FaultEvent) -> bool {
    match (kind, event) {
        (FaultKind::Pause { client, length, .. }, FaultEvent::Paused { client: struck, length: lasting, .. }) => {
            client == struck && length == lasting
        }
        (FaultKind::Crash { client, .. }, FaultEvent::Crashed { client: struck }) => client == struck,
        (FaultKind::Down { node, .. }, FaultEvent::Down { node: struck }) => node == struck,
        (FaultKind::Step { machine, by }, FaultEvent::Stepped { machine: struck, by: jumped }) => {
            machine == struck && by == jumped
        }
        (FaultKind::Cut { from, to, .. }, FaultEvent::Cut { from: one, to: other }) => {
            let pair = |one: Machine, other: Machine| (one.min(other), one.max(other));
            pair(*from, *to) == pair(*one, *other)
        }
        (FaultKind::Slow { node, by, .. }, FaultEvent::Slowed { node: struck, by: lasting }) => {
            node == struck && by == lasting
        }
        (FaultKind::Promote { to }, FaultEvent::Promoted { node }) => to == node,
        _ => false,
    }
}

/// The key of a fault's length, and the length; `None`: it has none.
fn length_of(kind: &FaultKind) -> Option<(&'static str, Span)> {
    match kind {
        FaultKind::Pause { length, .. } | FaultKind::Cut { length, .. } | FaultKind::Slow { length, .. } => {
            length.map(|length| ("for", length))
        }
        FaultKind::Crash { restart, .. } | FaultKind::Down { restart, .. } => {
            restart.map(|restart| ("restart_after", restart))
        }
        _ => None,
    }
}

/// A moment, moved by as much as its instant is. Where it would be before what it waits for, it is an instant of its own.
fn moved(moment: &Moment, from: Option<Time>, to: Time) -> Moment {
    let waited_for = from.and_then(|from| from.0.checked_sub(moment.plus.0));
    match waited_for.and_then(|begin| to.0.checked_sub(begin)) {
        Some(plus) => Moment { plus: Span(plus), ..moment.clone() },
        None => Moment { trigger: Trigger::Start, occurrence: 1, plus: Span(to.0) },
    }
}

/// A round span that is not longer: one, two or five and noughts.
fn nice(span: Span) -> Span {
    let power = grain(span).max(1);
    let first = [5, 2, 1].into_iter().find(|first| first * power <= span.0).unwrap_or(1);
    Span((first * power).max(1_000))
}

/// The greatest power of ten that is not longer.
fn grain(span: Span) -> u64 {
    span.0.checked_ilog10().map_or(1, |power| 10_u64.pow(power))
}
