//! What a reader has played so far, as a tree: undo and redo walk along it, and a change after an undo is a branch of its own.

use super::Piece;

/// The most pieces that are kept. A reader who goes beyond begins anew with the present one.
const MOST: usize = 1_000;

/// All that was played, and where in it the reader is.
#[derive(Clone, Debug, PartialEq)]
pub struct Branches {
    nodes: Vec<Node>,
    here: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    piece: Piece,
    /// What was turned to make it; a slider that is turned on makes no further piece.
    turned: Option<String>,
    parent: Option<usize>,
    /// The branch that redo follows: the one that was left last.
    next: Option<usize>,
}

impl Branches {
    /// A tree of one piece.
    pub fn of(piece: Piece) -> Branches {
        Branches { nodes: vec![Node { piece, turned: None, parent: None, next: None }], here: 0 }
    }

    /// A piece follows the present one. `turned` names what makes the difference, where that can go on: a slider, a text.
    pub fn grow(&mut self, piece: Piece, turned: Option<&str>) {
        let present = &mut self.nodes[self.here];
        if present.piece == piece {
            return;
        }
        if turned.is_some() && present.turned.as_deref() == turned && present.next.is_none() {
            present.piece = piece;
            return;
        }
        if self.nodes.len() >= MOST {
            *self = Branches::of(self.nodes[self.here].piece.clone());
        }
        let new = self.nodes.len();
        self.nodes[self.here].next = Some(new);
        self.nodes.push(Node { piece, turned: turned.map(str::to_owned), parent: Some(self.here), next: None });
        self.here = new;
    }

    /// The piece before.
    pub fn back(&mut self) -> Option<Piece> {
        let parent = self.nodes[self.here].parent?;
        self.nodes[parent].next = Some(self.here);
        self.go(parent)
    }

    /// The piece that was left by going back.
    pub fn forth(&mut self) -> Option<Piece> {
        self.nodes[self.here].next.and_then(|next| self.go(next))
    }

    /// The next of the pieces that were made of the same one.
    pub fn aside(&mut self) -> Option<Piece> {
        let siblings = self.siblings();
        let place = siblings.iter().position(|node| *node == self.here)?;
        let other = siblings[(place + 1) % siblings.len()];
        let parent = self.nodes[other].parent?;
        self.nodes[parent].next = Some(other);
        self.go(other)
    }

    /// Whether there is a piece before, one after, and another one beside.
    pub fn ways(&self) -> (bool, bool, bool) {
        let node = &self.nodes[self.here];
        (node.parent.is_some(), node.next.is_some(), self.siblings().len() > 1)
    }

    fn siblings(&self) -> Vec<usize> {
        let parent = self.nodes[self.here].parent;
        (0..self.nodes.len()).filter(|node| parent.is_some() && self.nodes[*node].parent == parent).collect()
    }

    fn go(&mut self, node: usize) -> Option<Piece> {
        // What is turned now is turned anew.
        self.nodes[node].turned = None;
        self.here = node;
        Some(self.nodes[node].piece.clone())
    }
}
