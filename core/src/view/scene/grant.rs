//! Who holds the lock by the records, and where the records lie.

use super::build::{Builder, Open};
use super::lanes::decided_together;
use super::words;
use super::{BarKind, Element, MarkKind, Point, Tone, Weight, Whose};
use crate::history::{GrantEnd, GrantEvent, Guard, KeyChange, Token};
use crate::i18n::Text;
use crate::say;
use crate::wire::{ClientId, LockId, NodeId};

impl Builder<'_> {
    pub(super) fn grant(&mut self, point: Point, lock: LockId, event: &GrantEvent) -> Element {
        let whose = self.decider(lock);
        let on = self.which(lock);
        match event {
            GrantEvent::Granted { grant, holder, ends, .. } => {
                let name = self.names.client(*holder);
                let until = words::lease_until(*ends);
                let words =
                    say!("{name}'s lease{on} {until}", "{name} 的租约{on}{until}", name = name, on = on, until = until);
                self.holders.insert((lock, *grant), *holder);
                let key = Open::Lease(lock, *grant);
                let tone = Tone::Client(*holder);
                let bar = self.open(key, whose, lock.0, BarKind::Lease, tone, point, Text::same(&name), words.clone());
                match self.follows(point, Some(*holder), words.clone()) {
                    Some(exchange) => self.scene.exchanges[exchange as usize].changed_holder = true,
                    None => {
                        self.mark(whose, point, MarkKind::Note, tone, Weight::Plain, Text::default(), words);
                    }
                }
                bar
            }
            GrantEvent::Moved { grant, ends, by } => {
                let holder = self.holders.get(&(lock, *grant)).copied();
                let name = holder.map_or_else(String::new, |holder| self.names.client(holder));
                let until = words::lease_until(*ends);
                let words = say!(
                    "{name}'s lease{on} now runs {until}",
                    "{name} 的租约{on}改为{until}",
                    name = name,
                    on = on,
                    until = until
                );
                let tone = holder.map_or(Tone::Plain, Tone::Client);
                if let Some(exchange) = self.follows(point, *by, words.clone()) {
                    return Element::Exchange(exchange);
                }
                self.mark(whose, point, MarkKind::Renewed, tone, Weight::Plain, Text::default(), words)
            }
            GrantEvent::Ended { grant, why, by } => {
                let holder = self.holders.get(&(lock, *grant)).copied();
                let name = holder.map_or_else(String::new, |holder| self.names.client(holder));
                let tone = holder.map_or(Tone::Plain, Tone::Client);
                let drawn =
                    self.open.get(&Open::Lease(lock, *grant)).map(|index| self.scene.bars[*index as usize].lane);
                let whose = drawn.map_or(whose, |lane| self.scene.lanes[usize::from(lane.0)].whose);
                self.close(Open::Lease(lock, *grant), point);
                let words = words::lease_ended(&name, &on, *why, by.map(|by| self.names.client(by)).as_deref());
                if let (GrantEnd::Removed, true) = (why, *by == holder)
                    && let Some(exchange) = self.follows(point, *by, words.clone())
                {
                    self.scene.exchanges[exchange as usize].changed_holder = true;
                    return Element::Exchange(exchange);
                }
                let (kind, weight, label) = match why {
                    GrantEnd::Expired => (MarkKind::Expired, Weight::Loud, Text::new("expired", "到期")),
                    GrantEnd::Vanished => (MarkKind::Vanished, Weight::Loud, Text::new("gone", "消失")),
                    GrantEnd::Removed if *by == holder => (MarkKind::Removed, Weight::Plain, Text::default()),
                    GrantEnd::Removed => (MarkKind::Removed, Weight::Loud, Text::new("removed", "被删")),
                };
                self.mark(whose, point, kind, tone, weight, label, words)
            }
        }
    }

    pub(super) fn key(
        &mut self,
        point: Point,
        node: NodeId,
        key: &str,
        change: KeyChange,
        creator: Option<ClientId>,
    ) -> Element {
        let lock = self.history.header.locks.iter().position(|lock| key.starts_with(lock.key.as_str()));
        let whose = Whose::Node(node);
        let tone = creator.map_or(Tone::Plain, Tone::Client);
        let words = words::key_changed(&self.names.node(node), key, change);
        let caused = self.exchanges.just_executed(point.at, node);
        let decisive = self.decider(LockId(0)) == whose;
        if let (Some(lock), false) = (lock, decisive) {
            let open = Open::Record(node, lock as u8);
            if matches!(change, KeyChange::Created | KeyChange::Changed) && !self.open.contains_key(&open) {
                let name = creator.map_or_else(String::new, |client| self.names.client(client));
                self.open(open, whose, lock as u8, BarKind::Record, tone, point, Text::same(name), words.clone());
            } else if !matches!(change, KeyChange::Created | KeyChange::Changed) {
                self.close(open, point);
            }
        }
        match caused {
            Some(exchange) => Element::Exchange(exchange),
            None => {
                let weight = if lock.is_some() && !decisive && change != KeyChange::Changed {
                    Weight::Plain
                } else {
                    Weight::Quiet
                };
                let kind = match change {
                    KeyChange::Created | KeyChange::Changed => MarkKind::Note,
                    KeyChange::Deleted => MarkKind::Removed,
                    KeyChange::Expired => MarkKind::Expired,
                    KeyChange::Evicted | KeyChange::Vanished => MarkKind::Vanished,
                };
                self.mark(whose, point, kind, tone, weight, Text::default(), words)
            }
        }
    }

    /// The new master decides from now on. Its records tell which leases go on, in the events of the same instant.
    pub(super) fn promote(&mut self, point: Point, node: NodeId) {
        if decided_together(&self.history.header) {
            return;
        }
        self.master = node;
        self.promoted = Some(point);
        for lock in 0..self.history.header.locks.len() as u8 {
            self.close(Open::Record(node, lock), point);
        }
    }

    /// Leases that outlive a promotion are drawn on the new master's lane from there on.
    pub(super) fn move_leases(&mut self, promoted: Point) {
        let leases: Vec<Open> = self.open.keys().copied().filter(|open| matches!(open, Open::Lease(..))).collect();
        for lease in leases {
            let Some(index) = self.open.get(&lease).copied() else { continue };
            let bar = self.scene.bars[index as usize].clone();
            if bar.from.event < promoted.event {
                self.close(lease, promoted);
                self.open(
                    lease,
                    Whose::Node(self.master),
                    bar.row,
                    BarKind::Lease,
                    bar.tone,
                    promoted,
                    bar.label,
                    bar.words,
                );
            }
        }
    }

    /// The lane on which a lock's leases are drawn.
    fn decider(&self, lock: LockId) -> Whose {
        match decided_together(&self.history.header) {
            true => Whose::Lock(lock),
            false => Whose::Node(self.master),
        }
    }

    /// Which lock, where the run has several: ` on stock`.
    pub(super) fn which(&self, lock: LockId) -> Text {
        let locks = &self.history.header.locks;
        match locks.get(usize::from(lock.0)) {
            Some(info) if locks.len() > 1 => say!(" on {key}", "（{key}）", key = info.key),
            _ => Text::default(),
        }
    }

    /// Notes a consequence on the exchange that `by` has just had executed, if there is one.
    fn follows(&mut self, point: Point, by: Option<ClientId>, words: Text) -> Option<u32> {
        let index = self.exchanges.just_executed_by(point.at, by?)?;
        self.scene.exchanges[index as usize].effects.push(words);
        Some(index)
    }

    /// A token that tells a reader something: a number, or whatever is shown to a guard that wants one.
    pub(super) fn shown_token(&self, token: Option<&Token>) -> Option<String> {
        let guarded = self.history.header.resource.guard == Guard::Fencing;
        token.filter(|token| guarded || matches!(token, Token::Number(_))).map(words::token)
    }
}
