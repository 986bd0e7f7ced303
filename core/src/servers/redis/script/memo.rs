//! What scripts did before, so that they need not be interpreted again.
//!
//! A script is a pure function: given its keys and arguments, its first command is fixed; given the replies so far, so is the next
//! command, and at last the result. A [`Path`] is that function as far as it has been seen: a tree whose nodes are commands and whose
//! branches are replies. A remembered run still executes every command on the server, in order, and compares the reply; only
//! the interpreter is skipped. So it cannot differ from a fresh run, even if the script reads the clock. Where a reply is new, the
//! interpreter runs the script, is told the replies that were already given, and goes on from there. Strings are kept as
//! [`Piece`]s: for a script that only compares them, one run stands for all that differ in names.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::pattern::{EndShape, Piece, Shape};
use crate::servers::redis::data::Bytes;

/// How many nodes are kept before everything is forgotten.
const MOST_NODES: usize = 50_000;

/// How many different replies of one command are kept.
const MOST_BRANCHES: usize = 4_096;

/// What is known of one script with one pattern of keys and arguments, from some reply on.
#[derive(Debug)]
pub(super) enum Path {
    /// It ends so.
    End(EndShape),
    /// It runs this command, and goes on as its reply says.
    Command { words: Vec<Piece>, branches: BTreeMap<Shape, Path> },
}

/// One command of a run and its reply.
pub(super) type Step = (Vec<Piece>, Shape);

/// All remembered runs: by the script's digest, then by the words that it was given, from the number of keys on.
#[derive(Debug, Default)]
pub(super) struct Memo {
    paths: BTreeMap<Bytes, BTreeMap<Vec<Piece>, Path>>,
    nodes: usize,
}

impl Memo {
    /// What is known of this script with these words.
    pub(super) fn find(&self, digest: &Bytes, words: &[Piece]) -> Option<&Path> {
        self.paths.get(digest)?.get(words)
    }

    /// Remembers a whole run.
    pub(super) fn learn(&mut self, digest: &Bytes, words: Vec<Piece>, steps: Vec<Step>, ending: EndShape) {
        if self.nodes >= MOST_NODES {
            *self = Memo::default();
        }
        match self.paths.entry(digest.clone()).or_default().entry(words) {
            Entry::Occupied(known) => self.nodes += extend(known.into_mut(), steps, ending),
            Entry::Vacant(place) => {
                self.nodes += steps.len() + 1;
                place.insert(path_of(steps, ending));
            }
        }
    }
}

fn path_of(steps: Vec<Step>, ending: EndShape) -> Path {
    steps.into_iter().rev().fold(Path::End(ending), |rest, (words, reply)| Path::Command {
        words,
        branches: BTreeMap::from([(reply, rest)]),
    })
}

/// Adds a run to what is known, and returns the number of new nodes.
fn extend(path: &mut Path, steps: Vec<Step>, ending: EndShape) -> usize {
    let mut steps = steps.into_iter();
    let Path::Command { branches, .. } = path else { return 0 };
    let Some((_, reply)) = steps.next() else { return 0 };
    if let Some(rest) = branches.get_mut(&reply) {
        return extend(rest, steps.collect(), ending);
    }
    if branches.len() == MOST_BRANCHES {
        return 0;
    }
    let steps: Vec<Step> = steps.collect();
    let nodes = steps.len() + 1;
    branches.insert(reply, path_of(steps, ending));
    nodes
}
