//! Who is who in a scenario: its clients and servers by name.

use std::sync::Arc;

use super::fields::{Word, short};
use crate::history::Machine;
use crate::i18n::Text;
use crate::scenario::problem::Problems;
use crate::wire::{ClientId, NodeId};

/// What the resource is called as a machine.
pub(super) const RESOURCE: &str = "resource";

/// The names of a scenario. Ids are places in its lists.
pub(super) struct Names {
    clients: Vec<Arc<str>>,
    nodes: Vec<(Arc<str>, NodeId)>,
}

impl Names {
    /// The names of these clients and servers.
    pub(super) fn new(clients: Vec<Arc<str>>, nodes: Vec<(Arc<str>, NodeId)>) -> Names {
        Names { clients, nodes }
    }

    /// The client of a name, if there is one.
    pub(super) fn find_client(&self, name: &str) -> Option<ClientId> {
        self.clients.iter().position(|known| &**known == name).map(|index| ClientId(index as u16))
    }

    /// The server of a name, if there is one.
    pub(super) fn find_node(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().find(|(known, _)| &**known == name).map(|(_, node)| *node)
    }

    /// The machine of a name, if there is one.
    pub(super) fn find_machine(&self, name: &str) -> Option<Machine> {
        let resource = (name == RESOURCE).then_some(Machine::Resource);
        resource.or(self.find_client(name).map(Machine::Client)).or(self.find_node(name).map(Machine::Node))
    }

    /// The only server, if there is only one.
    pub(super) fn only_node(&self) -> Option<NodeId> {
        self.nodes.first().map(|(_, node)| *node)
    }

    /// A client, or a complaint.
    pub(super) fn client(&self, word: &Word, problems: &mut Problems) -> Option<ClientId> {
        let found = self.find_client(word.text);
        if found.is_none() {
            self.unknown(word, ("client", "客户端"), self.client_names(), problems);
        }
        found
    }

    /// A client where a server could have stood as well, or a complaint.
    pub(super) fn client_or_server(&self, word: &Word, problems: &mut Problems) -> Option<ClientId> {
        let found = self.find_client(word.text);
        if found.is_none() {
            self.unknown(
                word,
                ("client or server", "客户端或服务器"),
                self.client_names().chain(self.node_names()),
                problems,
            );
        }
        found
    }

    /// A server, or a complaint.
    pub(super) fn node(&self, word: &Word, problems: &mut Problems) -> Option<NodeId> {
        let found = self.find_node(word.text);
        if found.is_none() {
            self.unknown(word, ("server", "服务器"), self.node_names(), problems);
        }
        found
    }

    /// A machine, or a complaint.
    pub(super) fn machine(&self, word: &Word, problems: &mut Problems) -> Option<Machine> {
        let found = self.find_machine(word.text);
        if found.is_none() {
            let names = self.client_names().chain(self.node_names()).chain([RESOURCE]);
            self.unknown(word, ("machine", "机器"), names, problems);
        }
        found
    }

    fn client_names(&self) -> impl Iterator<Item = &str> {
        self.clients.iter().map(|name| &**name)
    }

    fn node_names(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|(name, _)| &**name)
    }

    fn unknown<'n>(
        &self,
        word: &Word,
        what: (&str, &str),
        names: impl Iterator<Item = &'n str>,
        problems: &mut Problems,
    ) {
        let given = short(word.text);
        problems
            .add(
                word.at.clone(),
                Text::new(format!("there is no {} \"{given}\"", what.0), format!("没有名为 \"{given}\" 的{}", what.1)),
            )
            .names(&given, names);
    }
}
