//! Who is who, in words.

use crate::history::{Header, Machine};
use crate::i18n::Text;
use crate::say;
use crate::wire::{ClientId, NodeId};

/// A client's name.
pub fn client(header: &Header, id: ClientId) -> String {
    header.clients.get(usize::from(id.0)).map_or_else(|| format!("#{}", id.0), |client| client.name.clone())
}

/// The names of several clients.
pub fn clients(header: &Header, ids: &[ClientId]) -> Vec<String> {
    ids.iter().map(|id| client(header, *id)).collect()
}

/// A server's name.
pub fn node(header: &Header, id: NodeId) -> String {
    header.nodes.get(usize::from(id.0)).map_or_else(|| format!("#{}", id.0), |node| node.name.clone())
}

/// A machine's name.
pub fn machine(header: &Header, machine: Machine) -> Text {
    match machine {
        Machine::Client(id) => Text::same(client(header, id)),
        Machine::Node(id) => Text::same(node(header, id)),
        Machine::Resource => say!("the resource", "资源"),
    }
}

/// A text from the run, cut where it would bury the sentence around it.
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
