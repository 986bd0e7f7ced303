//! Requests and their replies, put together from the events at both ends.

use std::collections::BTreeMap;

use super::build::Builder;
use super::words;
use super::{Element, Exchange, ExchangeTarget, MarkKind, Point, Tone, Weight, Whose};
use crate::history::{CellId, Code, Effect, LossReason, Operation, Outcome, Phase, What};
use crate::i18n::Text;
use crate::say;
use crate::time::Time;
use crate::wire::{ClientId, Command, NodeId, RequestId};

/// Where the exchanges under way are in the scene, and which was executed last.
#[derive(Default)]
pub(super) struct Exchanges {
    index: BTreeMap<(ClientId, RequestId), u32>,
    last_on: BTreeMap<NodeId, (Time, u32)>,
    last_by: BTreeMap<ClientId, (Time, u32)>,
}

impl Exchanges {
    /// The exchange that a node executed at this very instant, if its last one was.
    pub(super) fn just_executed(&self, at: Time, node: NodeId) -> Option<u32> {
        self.last_on.get(&node).filter(|(when, _)| *when == at).map(|(_, index)| *index)
    }

    /// The exchange of a client that was executed at this very instant, if its last one was.
    pub(super) fn just_executed_by(&self, at: Time, client: ClientId) -> Option<u32> {
        self.last_by.get(&client).filter(|(when, _)| *when == at).map(|(_, index)| *index)
    }

    fn executed(&mut self, at: Time, client: ClientId, node: Option<NodeId>, index: u32) {
        self.last_by.insert(client, (at, index));
        if let Some(node) = node {
            self.last_on.insert(node, (at, index));
        }
    }
}

impl Builder<'_> {
    /// Takes an event of the wire.
    pub(super) fn message(&mut self, point: Point, what: &What) -> Element {
        match what {
            What::Sent { client, node, request, phase, code, command } => {
                let index = self.begin_command(point, *client, *node, *phase, *code, command);
                self.exchanges.index.insert((*client, *request), index);
                Element::Exchange(index)
            }
            What::Executed { client: None, node, command, .. } => {
                let (node_name, command) = (self.names.node(*node), self.names.command(command, None));
                let words = Text::new(format!("{node_name} runs {command}"), format!("{node_name} 执行 {command}"));
                self.exchanges.last_on.remove(node);
                self.note(Whose::Node(*node), point, Weight::Quiet, words)
            }
            What::Executed { client: Some(client), node, request, phase, command, reply } => {
                let known = request.and_then(|request| self.exchanges.index.get(&(*client, request)).copied());
                let index = known.unwrap_or_else(|| self.begin_command(point, *client, *node, *phase, None, command));
                if self.is_of_the_resource(index) {
                    // The resource lives in this server: what the command did is told as its effect.
                    return Element::Exchange(index);
                }
                self.exchanges.executed(point.at, *client, Some(*node), index);
                let answer = reply.as_ref().map(|reply| Text::same(words::reply(reply)));
                let exchange = &mut self.scene.exchanges[index as usize];
                let again = exchange.executed.is_some() && exchange.answer.is_some();
                if again {
                    let words = Text::new(
                        format!(
                            "{} arrives once more: {}",
                            exchange.asked.en,
                            answer.map_or_else(String::new, |answer| answer.en)
                        ),
                        format!("{} 再次到达", exchange.asked.zh),
                    );
                    return self.mark(
                        Whose::Node(*node),
                        point,
                        MarkKind::Note,
                        Tone::Fault,
                        Weight::Plain,
                        Text::default(),
                        words,
                    );
                }
                exchange.executed.get_or_insert(point);
                exchange.answer = answer;
                self.describe(index);
                Element::Exchange(index)
            }
            What::Got { client, request, node, reply, .. } => {
                let Some(index) = self.exchanges.index.get(&(*client, *request)).copied() else {
                    let (client_name, node_name) = (self.names.client(*client), self.names.node(*node));
                    let words = Text::new(
                        format!("{client_name} hears {node_name}: {reply}"),
                        format!("{client_name} 收到 {node_name}：{reply}"),
                    );
                    return self.note(Whose::Client(*client), point, Weight::Quiet, words);
                };
                let exchange = &mut self.scene.exchanges[index as usize];
                exchange.heard.get_or_insert(point);
                if !self.is_of_the_resource(index) {
                    self.scene.exchanges[index as usize].answer = Some(Text::same(words::reply(reply)));
                    self.describe(index);
                }
                Element::Exchange(index)
            }
            What::Missed { client, request, why, .. } => self.missed(point, *client, *request, *why),
            What::Pushed { client, node, message } => {
                let (client_name, node_name, message) =
                    (self.names.client(*client), self.names.node(*node), words::reply(message));
                let words = Text::new(
                    format!("{node_name} tells {client_name}: {message}"),
                    format!("{node_name} 通知 {client_name}：{message}"),
                );
                self.mark(
                    Whose::Client(*client),
                    point,
                    MarkKind::Note,
                    Tone::Plain,
                    Weight::Plain,
                    Text::new("notified", "通知"),
                    words,
                )
            }
            _ => unreachable!("only events of the wire are passed here"),
        }
    }

    /// A client asks the resource.
    pub(super) fn asked(
        &mut self,
        point: Point,
        client: ClientId,
        request: RequestId,
        operation: Operation,
        cell: CellId,
    ) -> Element {
        if let Some(index) = self.exchanges.index.get(&(client, request)).copied() {
            self.turn_into_ask(index, operation, cell);
            return Element::Exchange(index);
        }
        let index = self.begin_ask(point, client, operation, cell);
        self.exchanges.index.insert((client, request), index);
        Element::Exchange(index)
    }

    /// Whether an exchange is one with the resource, wherever that lives.
    fn is_of_the_resource(&self, index: u32) -> bool {
        matches!(self.scene.exchanges[index as usize].target, ExchangeTarget::Reading | ExchangeTarget::Changing(_))
    }

    /// The resource answers.
    pub(super) fn effect(&mut self, point: Point, effect: &Effect) -> Element {
        let known = self.exchanges.index.get(&(effect.client, effect.request)).copied();
        let index = known.unwrap_or_else(|| self.begin_ask(point, effect.client, effect.operation, effect.cell));
        self.exchanges.executed(point.at, effect.client, None, index);
        let accepted = matches!(effect.outcome, Outcome::Accepted(_));
        let answer = words::outcome(self.names.0.resource.guard, effect);
        let token = self.shown_token(effect.token.as_ref());
        let exchange = &mut self.scene.exchanges[index as usize];
        if exchange.executed.is_some() {
            let words = Text::new(
                format!("the request arrives once more: {}", answer.en),
                format!("请求再次到达：{}", answer.zh),
            );
            return self.mark(
                Whose::Resource,
                point,
                MarkKind::Note,
                Tone::Fault,
                Weight::Plain,
                Text::default(),
                words,
            );
        }
        exchange.executed = Some(point);
        if let (Some(token), false) = (token, effect.operation == Operation::Call) {
            exchange.asked = Text::new(
                format!("{} with token {token}", exchange.asked.en),
                format!("{}（token {token}）", exchange.asked.zh),
            );
        }
        if let ExchangeTarget::Changing(outcome) = &mut exchange.target {
            *outcome = Some(accepted);
        }
        if !accepted {
            exchange.tone = Tone::Refused;
        }
        exchange.answer = Some(answer);
        exchange.label = words::effect_label(effect.operation, &effect.outcome);
        self.describe(index);
        Element::Exchange(index)
    }

    /// A client hears the resource's answer, or learns that it will not.
    pub(super) fn answered(&mut self, point: Point, client: ClientId, request: RequestId, heard: bool) -> Element {
        if !heard {
            return self.missed(point, client, request, LossReason::TimedOut);
        }
        let Some(index) = self.exchanges.index.get(&(client, request)).copied() else {
            let name = self.names.client(client);
            let words = Text::new(format!("{name} hears the resource"), format!("{name} 收到资源的回复"));
            return self.note(Whose::Client(client), point, Weight::Quiet, words);
        };
        self.scene.exchanges[index as usize].heard.get_or_insert(point);
        Element::Exchange(index)
    }

    fn missed(&mut self, point: Point, client: ClientId, request: RequestId, why: LossReason) -> Element {
        let Some(index) = self.exchanges.index.get(&(client, request)).copied() else {
            let (name, why) = (self.names.client(client), words::loss(why));
            return self.note(
                Whose::Client(client),
                point,
                Weight::Plain,
                Text::new(format!("{name}: {}", why.en), format!("{name}：{}", why.zh)),
            );
        };
        // A loss on the wire is followed by the client's giving up: the first says why, the last says when.
        let missed = &mut self.scene.exchanges[index as usize].missed;
        *missed = Some((point, missed.map_or(why, |(_, first)| first)));
        self.describe(index);
        Element::Exchange(index)
    }

    fn begin_command(
        &mut self,
        sent: Point,
        client: ClientId,
        node: NodeId,
        phase: Phase,
        code: Option<Code>,
        command: &Command,
    ) -> u32 {
        let asked = Text::same(self.names.command(command, code));
        let label = Text::same(self.names.command_label(command, code));
        self.begin(sent, client, Whose::Node(node), ExchangeTarget::Service(phase), label, asked)
    }

    fn begin_ask(&mut self, sent: Point, client: ClientId, operation: Operation, cell: CellId) -> u32 {
        let asked = words::operation(operation, self.names.cell(cell));
        self.begin(sent, client, Whose::Resource, target(operation), asked.clone(), asked)
    }

    /// A command on its way turns out to ask a resource that lives in the server: one exchange, with the resource.
    fn turn_into_ask(&mut self, index: u32, operation: Operation, cell: CellId) {
        let resource = self.lane(Whose::Resource);
        let label = words::operation(operation, self.names.cell(cell));
        let exchange = &mut self.scene.exchanges[index as usize];
        exchange.server = resource;
        exchange.target = target(operation);
        exchange.asked = Text::new(
            format!("{} by {}", label.en, exchange.asked.en),
            format!("{}（{}）", label.zh, exchange.asked.zh),
        );
        exchange.label = label;
        self.describe(index);
    }

    fn begin(
        &mut self,
        sent: Point,
        client: ClientId,
        server: Whose,
        target: ExchangeTarget,
        label: Text,
        asked: Text,
    ) -> u32 {
        let index = self.scene.exchanges.len() as u32;
        self.scene.exchanges.push(Exchange {
            client: self.lane(Whose::Client(client)),
            server: self.lane(server),
            sent,
            executed: None,
            heard: None,
            missed: None,
            target,
            tone: Tone::Client(client),
            label,
            asked,
            answer: None,
            effects: Vec::new(),
            changed_holder: false,
            words: Text::default(),
        });
        self.describe(index);
        index
    }

    /// Puts what is known of an exchange into a sentence.
    fn describe(&mut self, index: u32) {
        let exchange = &self.scene.exchanges[index as usize];
        let client = &self.scene.lanes[usize::from(exchange.client.0)].name;
        let server = &self.scene.lanes[usize::from(exchange.server.0)].name;
        let asks_one_of_several = matches!(exchange.target, ExchangeTarget::Service(_)) && self.names.0.nodes.len() > 1;
        let who = match asks_one_of_several {
            true => say!("{client} to {server}", "{client} → {server}", client = client, server = server),
            false => client.clone(),
        };
        let answer = exchange
            .answer
            .as_ref()
            .map_or_else(Text::default, |answer| Text::new(format!(" → {}", answer.en), format!(" → {}", answer.zh)));
        let missed = exchange.missed.map_or_else(Text::default, |(_, why)| {
            let why = words::loss(why);
            Text::new(format!("; {}", why.en), format!("；{}", why.zh))
        });
        let words = Text::new(
            format!("{}: {}{}{}", who.en, exchange.asked.en, answer.en, missed.en),
            format!("{}：{}{}{}", who.zh, exchange.asked.zh, answer.zh, missed.zh),
        );
        self.scene.exchanges[index as usize].words = words;
    }
}

/// What an operation of the resource is asked for.
fn target(operation: Operation) -> ExchangeTarget {
    match operation {
        Operation::Read => ExchangeTarget::Reading,
        Operation::Write | Operation::Atomic | Operation::Call => ExchangeTarget::Changing(None),
    }
}
