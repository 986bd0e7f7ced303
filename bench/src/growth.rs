//! What a search costs as the work grows: more clients, more faults, more nodes.
//!
//! Everything is searched, for a property that holds, within a budget for each cell. Of a search that does not end within it is told how far it came. Whatever is larger than such a one
//! has a smaller budget: it would not end either, and only shows how far that gets it.

use locklab_core::check::Property;
use locklab_core::explore::{Cost, Progress};
use serde::Serialize;

use crate::search::Question;
use crate::stopwatch::Stopwatch;

/// The most seconds for a cell.
pub const BUDGET: f64 = 20.0;

/// The most seconds for a cell that is larger than one which did not end.
pub const LARGER: f64 = 2.0;

/// The most bytes for a cell.
const MEMORY: usize = 3 << 30;

/// The numbers of clients.
pub const CLIENTS: [u32; 4] = [2, 3, 4, 5];

/// One, two and three faults.
pub const FAULTS: [&str; 3] = ["pause=1", "pause=1,crash=1", "pause=2,crash=1"];

/// The numbers of nodes: one is a plain lock on one Redis, several are Redlock's.
pub const NODES: [u32; 4] = [1, 3, 5, 7];

/// What one search came to.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// How many clients.
    pub clients: u32,
    /// Which faults.
    pub faults: &'static str,
    /// How many nodes.
    pub nodes: u32,
    /// How many different states were met.
    pub states: u64,
    /// Seconds on one core.
    pub seconds: f64,
    /// The most bytes that it took.
    pub bytes: usize,
    /// Whether everything was searched.
    pub is_over: bool,
    /// Everything simpler was searched: with fewer faults, or with so many and fewer choices of order.
    pub reached: Reached,
}

/// How far a search came.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Reached {
    /// With so many faults.
    pub faults: u32,
    /// And so many choices of order that are not the default.
    pub choices: u32,
}

impl From<Cost> for Reached {
    fn from(cost: Cost) -> Reached {
        Reached { faults: cost.faults(), choices: cost.choices() }
    }
}

/// Measures every cell.
pub fn measure() -> anyhow::Result<Vec<Cell>> {
    let mut cells: Vec<Cell> = Vec::new();
    for nodes in NODES {
        for clients in CLIENTS {
            for (place, faults) in FAULTS.into_iter().enumerate() {
                // One node and several have locks of their own, which are not compared.
                let is_smaller = |cell: &&Cell| {
                    (cell.nodes == 1) == (nodes == 1)
                        && (cell.nodes <= nodes && cell.clients <= clients)
                        && FAULTS[..=place].contains(&cell.faults)
                };
                let is_hopeless = cells.iter().filter(is_smaller).any(|cell| !cell.is_over);
                cells.push(cell(clients, faults, nodes, if is_hopeless { LARGER } else { BUDGET })?);
            }
        }
    }
    Ok(cells)
}

fn cell(clients: u32, faults: &'static str, nodes: u32, budget: f64) -> anyhow::Result<Cell> {
    let (lock, text) = scenario(clients, nodes);
    let question = Question::new("bench/growth", &text, lock, faults, Property::NoForeignRelease)?;
    let stopwatch = Stopwatch::start();
    let mut search = question.search()?;
    let mut bytes = search.bytes();
    let mut is_over = false;
    while !is_over && stopwatch.seconds() < budget && bytes < MEMORY {
        is_over = search.advance(32) == Progress::Over;
        bytes = bytes.max(search.bytes());
    }
    let (states, seconds, reached) = (search.states() as u64, stopwatch.seconds(), search.reached().into());
    Ok(Cell { clients, faults, nodes, states, seconds, bytes, is_over, reached })
}

/// Clients that start one after another and work for as long; they ask for the lock once a second.
fn scenario(clients: u32, nodes: u32) -> (&'static str, String) {
    let (lock, servers) = match nodes {
        1 => ("token-lua", "redis = \"single\"".to_owned()),
        nodes => ("redlock", format!("redis = \"independent\"\nnodes = {nodes}")),
    };
    let mut text =
        format!("title = \"growth\"\n[servers]\n{servers}\n[lock]\nkind = \"{lock}\"\nttl = \"10s\"\nretry = \"1s\"\n");
    for client in 0..clients {
        text.push_str(&format!("[[client]]\nname = \"C{client}\"\nstarts = \"{client}s\"\nwork = \"3s\"\n"));
    }
    text.push_str(&format!("[expect.{lock}]\nbroken = []\nhappens = [\"C0.acquired\"]\n"));
    (lock, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_tells_how_far_it_came() -> anyhow::Result<()> {
        let cell = cell(2, FAULTS[2], 3, 0.0)?;
        assert!(!cell.is_over && cell.states >= 1 && cell.bytes > 0, "{cell:?}");
        Ok(())
    }
}
