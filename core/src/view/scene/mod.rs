//! The scene: what is to be drawn, before anyone decides how.
//!
//! Everything is an integer or a text, and every event of the history belongs to exactly one element, so that a reader who points at
//! an event finds its drawing and a reader who points at a drawing finds its events.

mod build;
mod client;
mod exchange;
mod fault;
mod fold;
mod grant;
mod lanes;
mod words;

pub use build::scene;
pub(super) use words::{Names, loss, signed};

use crate::history::{LossReason, Phase};
use crate::i18n::Text;
use crate::time::Time;
use crate::wire::{ClientId, LockId, NodeId};

/// A run as lanes, bars, marks and exchanges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The scenario's title.
    pub title: Text,
    /// The lock's canonical name.
    pub lock: String,
    /// The instant of the last event.
    pub end: Time,
    /// The lanes from top to bottom. The first is that of the faults; it may be empty.
    pub lanes: Vec<Lane>,
    /// What lasts.
    pub bars: Vec<Bar>,
    /// What happens at an instant.
    pub marks: Vec<Mark>,
    /// Requests with their replies.
    pub exchanges: Vec<Exchange>,
    /// Long boring stretches, told as one.
    pub folds: Vec<Fold>,
    /// What is broken, as the checker found it.
    pub highlights: Vec<Highlight>,
    /// When each event happened, by its index.
    pub times: Vec<Time>,
    /// The element that each event belongs to, by its index.
    pub owners: Vec<Element>,
}

impl Scene {
    /// The lane of a client, if the run has one.
    pub fn lane_of(&self, whose: Whose) -> Option<LaneId> {
        self.lanes.iter().position(|lane| lane.whose == whose).map(|index| LaneId(index as u16))
    }

    /// Whether anything is drawn on a lane.
    pub fn is_used(&self, lane: LaneId) -> bool {
        self.bars.iter().any(|bar| bar.lane == lane)
            || self.marks.iter().any(|mark| mark.lane == lane && mark.weight > Weight::Quiet)
            || self.exchanges.iter().any(|exchange| exchange.client == lane || exchange.server == lane)
            || self.folds.iter().any(|fold| fold.client == lane)
    }

    /// The last event of the same instant that still belongs to what an element brought about: its reply, a lease that begins.
    pub fn settled(&self, element: Element, at: Point) -> u32 {
        let mut event = at.event;
        loop {
            let next = event as usize + 1;
            let belongs = match self.owners.get(next) {
                Some(owner) if *owner == element => true,
                Some(Element::Bar(bar)) => {
                    let bar = &self.bars[*bar as usize];
                    matches!(bar.kind, BarKind::Lease | BarKind::Record) && bar.from.event as usize == next
                }
                _ => false,
            };
            if !belongs || self.times[next] != at.at {
                return event;
            }
            event = next as u32;
        }
    }

    /// What an element means, in a sentence.
    pub fn words(&self, element: Element) -> &Text {
        match element {
            Element::Bar(index) => &self.bars[index as usize].words,
            Element::Mark(index) => &self.marks[index as usize].words,
            Element::Exchange(index) => &self.exchanges[index as usize].words,
            Element::Fold(index) => &self.folds[index as usize].words,
        }
    }
}

/// A lane, by its place from the top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneId(pub u16);

/// One horizontal band of the drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Who lives on it.
    pub whose: Whose,
    /// What it is called.
    pub name: Text,
    /// What it is, in a sentence.
    pub words: Text,
    /// How many bars lie side by side on it at most, at least 1.
    pub rows: u8,
}

/// Who lives on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whose {
    /// The faults of real life.
    Faults,
    /// A client.
    Client(ClientId),
    /// The lock as such, where no single server decides who holds it.
    Lock(LockId),
    /// A server.
    Node(NodeId),
    /// The protected resource.
    Resource,
}

/// An instant and the event that makes it: simultaneous events keep their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// True time.
    pub at: Time,
    /// The index of the event; the number of events for the end of the run.
    pub event: u32,
}

/// One element of a scene, by kind and index. Its display is its id in the drawings: `bar-3`, `mark-0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// One of [`Scene::bars`].
    Bar(u32),
    /// One of [`Scene::marks`].
    Mark(u32),
    /// One of [`Scene::exchanges`].
    Exchange(u32),
    /// One of [`Scene::folds`].
    Fold(u32),
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Element::Bar(index) => write!(f, "bar-{index}"),
            Element::Mark(index) => write!(f, "mark-{index}"),
            Element::Exchange(index) => write!(f, "exchange-{index}"),
            Element::Fold(index) => write!(f, "fold-{index}"),
        }
    }
}

/// What a colour stands for. Every tone is also told by shape or words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tone {
    /// Nothing in particular.
    Plain,
    /// Something of this client: its section, its lease, its effect.
    Client(ClientId),
    /// A fault of real life.
    Fault,
    /// A promise that is broken.
    Broken,
    /// A guard that refused.
    Refused,
}

/// How much a reader should be bothered with something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// Follows from what stands beside it: only at the cursor.
    Quiet,
    /// Part of the story.
    Plain,
    /// A turn of the story.
    Loud,
}

/// Something that lasts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Where.
    pub lane: LaneId,
    /// Which of the lane's rows, from 0.
    pub row: u8,
    /// What it is.
    pub kind: BarKind,
    /// Its colour's meaning.
    pub tone: Tone,
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub until: Point,
    /// Whether it still lasts when the run ends.
    pub open: bool,
    /// A few words to write on it; may be empty.
    pub label: Text,
    /// What it is, in a sentence.
    pub words: Text,
}

/// What lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BarKind {
    /// A client tries to get the lock.
    Waiting,
    /// A client acts as holder.
    Section,
    /// A client computes.
    Work,
    /// A client is stopped.
    Paused,
    /// A client is dead.
    Dead,
    /// By the records of the service, somebody holds the lock.
    Lease,
    /// The lock's record lies on this server.
    Record,
    /// A server is down.
    Down,
    /// A server is slow.
    Slow,
    /// Two machines cannot reach each other.
    Cut,
    /// A clock shows a wrong time.
    ClockOff,
}

/// Something that happens at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub lane: LaneId,
    /// Which of the lane's rows, from 0.
    pub row: u8,
    /// When.
    pub at: Point,
    /// What it is.
    pub kind: MarkKind,
    /// Its colour's meaning.
    pub tone: Tone,
    /// How much it matters.
    pub weight: Weight,
    /// One or two words to write beside it; may be empty.
    pub label: Text,
    /// What happened, in a sentence.
    pub words: Text,
}

/// What happens at an instant; decides the shape of the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    /// A step of a client, or another note.
    Note,
    /// A client enters its section.
    Entered,
    /// A client leaves it.
    Left,
    /// A client does not get what it wants.
    Refused,
    /// A lease is prolonged.
    Renewed,
    /// A lease's time is over.
    Expired,
    /// A record or a lease is removed.
    Removed,
    /// A record or a lease is gone without anybody removing it.
    Vanished,
    /// A fault strikes.
    Strikes,
    /// A fault is over.
    Heals,
    /// A clock jumps.
    ClockStep,
    /// A server becomes the master.
    Promoted,
    /// The run is over.
    End,
}

/// A request and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The lane of the client that asks.
    pub client: LaneId,
    /// The lane of the server or resource that is asked.
    pub server: LaneId,
    /// When the client sent it (or, for a message that nobody asked for, when it heard it).
    pub sent: Point,
    /// When it took effect.
    pub executed: Option<Point>,
    /// When the client heard the reply.
    pub heard: Option<Point>,
    /// When and why the client got no reply.
    pub missed: Option<(Point, LossReason)>,
    /// What was asked of whom.
    pub target: ExchangeTarget,
    /// Its colour's meaning.
    pub tone: Tone,
    /// A few words to write beside it.
    pub label: Text,
    /// The request in full; scripts are named, not printed.
    pub asked: Text,
    /// The reply, once there is one.
    pub answer: Option<Text>,
    /// What followed from it at the service at once, such as a lease that begins; a sentence each.
    pub effects: Vec<Text>,
    /// Whether it changed who holds a lock.
    pub changed_holder: bool,
    /// What happened, in a sentence.
    pub words: Text,
}

impl Exchange {
    /// The last point of it that is known.
    pub fn last(&self) -> Point {
        [self.executed, self.heard, self.missed.map(|(point, _)| point)]
            .into_iter()
            .flatten()
            .fold(self.sent, Point::max)
    }

    /// The point at which it takes its place in the story: its effect, or else its sending.
    pub fn told_at(&self) -> Point {
        self.executed.unwrap_or(self.sent)
    }
}

/// What an exchange asks of whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExchangeTarget {
    /// A command to a server.
    Service(Phase),
    /// Looking at the resource.
    Reading,
    /// Changing the resource; whether it was accepted, `None` while unknown.
    Changing(Option<bool>),
}

impl std::str::FromStr for Element {
    type Err = NoElement;

    fn from_str(text: &str) -> Result<Element, NoElement> {
        let (kind, index) = text.split_once('-').ok_or(NoElement)?;
        let index = index.parse().map_err(|_| NoElement)?;
        match kind {
            "bar" => Ok(Element::Bar(index)),
            "mark" => Ok(Element::Mark(index)),
            "exchange" => Ok(Element::Exchange(index)),
            "fold" => Ok(Element::Fold(index)),
            _ => Err(NoElement),
        }
    }
}

/// A text is not the id of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the id of an element")]
pub struct NoElement;

/// A stretch in which one client repeats itself, told as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The client that repeats itself.
    pub client: LaneId,
    /// The server that it mostly asks.
    pub server: LaneId,
    /// Where the first folded repetition begins.
    pub from: Point,
    /// Where the last one ends.
    pub until: Point,
    /// How many repetitions are folded, at least 2.
    pub count: u32,
    /// A few words to write beside it.
    pub label: Text,
    /// What is repeated, in a sentence.
    pub words: Text,
}

/// A stretch in which a promise is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Its first instant.
    pub from: Time,
    /// Its first instant after the end; equal to `from` for what happens at an instant.
    pub until: Time,
    /// The event with which it begins; `None`: nothing happens at its first instant.
    pub event: Option<u32>,
    /// The clients that take part.
    pub clients: Vec<ClientId>,
    /// Whether the resource takes part.
    pub resource: bool,
    /// What is broken, in a few words.
    pub label: Text,
    /// What is broken and why, in a sentence.
    pub words: Text,
}
