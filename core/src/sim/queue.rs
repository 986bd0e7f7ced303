//! What is going to happen, in order.

use crate::time::Time;

/// Whose turn it is among simultaneous events: faults, then servers, then clients in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Rank(pub u32);

impl Rank {
    pub const FAULT: Rank = Rank(0);
    pub const SERVER: Rank = Rank(1);

    pub fn client(client: crate::wire::ClientId) -> Rank {
        Rank(2 + u32::from(client.0))
    }
}

#[derive(Clone, Debug)]
struct Entry<T> {
    at: Time,
    rank: Rank,
    item: T,
}

/// A queue of events by time, then rank, then the order in which they were put in.
///
/// A sorted list beats a heap here: a run has a handful of pending events, and nearly all are put in at its far end.
#[derive(Clone, Debug)]
pub(super) struct Queue<T> {
    /// The next last, so that it is popped from the end.
    entries: Vec<Entry<T>>,
}

impl<T> Entry<T> {
    fn key(&self) -> (Time, Rank) {
        (self.at, self.rank)
    }
}

impl<T> Queue<T> {
    pub fn new() -> Queue<T> {
        Queue { entries: Vec::new() }
    }

    pub fn push(&mut self, at: Time, rank: Rank, item: T) {
        let entry = Entry { at, rank, item };
        // Before all equal ones in the list: nearer the end is sooner.
        let place = self.entries.iter().position(|other| other.key() <= entry.key());
        self.entries.insert(place.unwrap_or(self.entries.len()), entry);
    }

    /// When the next event is.
    pub fn next_time(&self) -> Option<Time> {
        self.entries.last().map(|entry| entry.at)
    }

    pub fn pop(&mut self) -> Option<T> {
        self.entries.pop().map(|entry| entry.item)
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Removes what no longer matters.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        self.entries.retain(|entry| keep(&entry.item));
    }

    /// What is going to happen at the next instant at which something does.
    pub fn at_next_time(&self) -> impl Iterator<Item = &T> {
        let next = self.next_time();
        self.entries.iter().rev().take_while(move |entry| Some(entry.at) == next).map(|entry| &entry.item)
    }

    /// All of it with its time and rank, the next last.
    pub fn iter(&self) -> impl Iterator<Item = (Time, Rank, &T)> {
        self.entries.iter().map(|entry| (entry.at, entry.rank, &entry.item))
    }

    /// How many events of different ranks are simultaneous with the next: what a search may put first.
    pub fn simultaneous(&self) -> u32 {
        let Some(next) = self.entries.last() else { return 0 };
        let same = self.entries.iter().rev().take_while(|entry| entry.at == next.at);
        let mut count = 0;
        let mut rank = None;
        for entry in same {
            if rank != Some(entry.rank) {
                rank = Some(entry.rank);
                count += 1;
            }
        }
        count
    }

    /// Takes the first event of the `index`-th rank among the simultaneous ones.
    pub fn pop_rank(&mut self, index: u32) -> Option<T> {
        let Entry { at, mut rank, .. } = *self.entries.last()?;
        let (mut place, mut seen) = (self.entries.len() - 1, 0);
        for (candidate, entry) in self.entries.iter().enumerate().rev() {
            if entry.at != at || seen == index {
                break;
            }
            if entry.rank != rank {
                rank = entry.rank;
                place = candidate;
                seen += 1;
            }
        }
        Some(self.entries.remove(place).item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simultaneous_events_come_by_rank_then_in_the_order_of_their_making() {
        let mut queue = Queue::new();
        queue.push(Time(5), Rank(3), "b1");
        queue.push(Time(5), Rank(2), "a1");
        queue.push(Time(5), Rank(3), "b2");
        queue.push(Time(1), Rank(9), "first");
        queue.push(Time(5), Rank(2), "a2");
        assert_eq!(queue.pop(), Some("first"));
        assert_eq!(queue.simultaneous(), 2);
        assert_eq!(queue.clone().pop_rank(1), Some("b1"));
        let rest: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(rest, ["a1", "a2", "b1", "b2"]);
    }
}
