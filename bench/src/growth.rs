//! What a search costs as the work grows: more clients, more faults, more nodes.
//!
//! Everything is searched, for a property that holds, within a budget for each cell. A search that does not end within it is not over: how many states it had met by then is told.

use locklab_core::check::Property;
use locklab_core::explore::Progress;
use serde::Serialize;

use crate::search::Question;
use crate::stopwatch::Stopwatch;

/// The most seconds for a cell.
const BUDGET: f64 = 1.2;

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
}

/// Measures every cell.
pub fn measure() -> anyhow::Result<Vec<Cell>> {
    let mut cells = Vec::new();
    for nodes in NODES {
        for clients in CLIENTS {
            for faults in FAULTS {
                cells.push(cell(clients, faults, nodes, BUDGET)?);
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
    Ok(Cell { clients, faults, nodes, states: search.states() as u64, seconds: stopwatch.seconds(), bytes, is_over })
}

/// Clients that start one after another and work for as long.
fn scenario(clients: u32, nodes: u32) -> (&'static str, String) {
    let (lock, servers) = match nodes {
        1 => ("token-lua", "redis = \"single\"".to_owned()),
        nodes => ("redlock", format!("redis = \"independent\"\nnodes = {nodes}")),
    };
    let mut text = format!("title = \"growth\"\n[servers]\n{servers}\n[lock]\nkind = \"{lock}\"\nttl = \"10s\"\n");
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
