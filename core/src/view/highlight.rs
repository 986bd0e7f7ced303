//! What the checker found, as the drawings show it.

use super::scene::Names;
use super::{BarKind, ExchangeTarget, Highlight, Point, Scene};
use crate::check::{Property, Report, Violation};
use crate::history::Header;
use crate::i18n::{Language, Text};
use crate::say;
use crate::time::Time;

impl Highlight {
    /// The violations of a report, in its order.
    pub fn of(report: &Report, header: &Header) -> Vec<Highlight> {
        report.violations.iter().map(|violation| highlight(violation, Names(header))).collect()
    }

    /// Where it begins: at its event, or at its instant.
    pub fn begins(&self, scene: &Scene) -> Point {
        let at = self.from;
        let event = self.event.unwrap_or_else(|| scene.times.partition_point(|time| *time < at) as u32);
        Point { at, event }
    }

    /// Its last instant on a drawing of this scene: what has no end lasts until the run's.
    pub fn until_in(&self, scene: &Scene) -> Time {
        self.until.min(scene.end)
    }
}

/// Gives each violation its event: the one that the checker names, or at its instant the client that enters, the lease that ends, the
/// resource's answer.
pub(super) fn place(scene: &mut Scene) {
    let entered = scene.bars.iter().filter(|bar| bar.kind == BarKind::Section).map(|bar| bar.from);
    let ended = scene.bars.iter().filter(|bar| bar.kind == BarKind::Lease).map(|bar| bar.until);
    let mut turns: Vec<Point> = entered.chain(ended).collect();
    let changed = scene.exchanges.iter().filter(|exchange| matches!(exchange.target, ExchangeTarget::Changing(_)));
    let mut changes: Vec<Point> = changed.filter_map(|exchange| exchange.executed).collect();
    turns.sort_unstable();
    changes.sort_unstable();
    for highlight in &mut scene.highlights {
        let at = highlight.from;
        let points = if highlight.resource { &changes } else { &turns };
        let latest = points[..points.partition_point(|point| point.at <= at)].last().filter(|point| point.at == at);
        let named = highlight.event.filter(|event| scene.times.get(*event as usize) == Some(&at));
        highlight.event = named.or(latest.map(|point| point.event));
    }
}

fn highlight(violation: &Violation, names: Names<'_>) -> Highlight {
    let lasting = matches!(violation.property, Property::MutualExclusion | Property::NoOverrun);
    let title = violation.property.title();
    let length = match violation.length() {
        Some(span) if violation.until > violation.from => say!(" for {span}", " {span}", span = span.to_string()),
        Some(_) => Text::default(),
        None => say!(", without end", "，没有尽头"),
    };
    let what = sentence(violation, names);
    Highlight {
        from: violation.from,
        until: violation.until,
        event: (!lasting).then_some(violation.event as u32),
        clients: violation.clients.clone(),
        resource: violation.cell.is_some(),
        label: Text::new(format!("{}{}", what.en, length.en), format!("{}{}", what.zh, length.zh)),
        words: Text::new(
            format!("{}: {}{}", violation.property, what.en, length.en),
            format!("{}：{}{}", title.zh, what.zh, length.zh),
        ),
    }
}

/// What happened, in a few words.
fn sentence(violation: &Violation, names: Names<'_>) -> Text {
    let clients: Vec<String> = violation.clients.iter().map(|client| names.client(*client)).collect();
    let one = clients.first().cloned().unwrap_or_default();
    let all = Text::new(listed(&clients, Language::English), listed(&clients, Language::Chinese));
    match violation.property {
        Property::MutualExclusion => say!("{all} are both inside", "{all} 同时在临界区内", all = all),
        Property::NoOverrun => say!("{one} is inside without a lease", "{one} 没有租约却还在临界区内", one = one),
        Property::NoStaleWrite => say!("{one}'s late write is accepted", "{one} 迟到的写入被接受", one = one),
        Property::NoLostUpdate => say!("an update is lost ({all})", "有更新丢失（{all}）", all = all),
        Property::NoForeignRelease => match clients.get(1) {
            Some(other) => say!("{one} touches {other}'s lease", "{one} 动了 {other} 的租约", one = one, other = other),
            None => say!("somebody else touches {one}'s lease", "别人动了 {one} 的租约", one = one),
        },
        Property::NoFalseSuccess => {
            say!("{one} is told of a lease that it does not have", "{one} 被告知拥有并不存在的租约", one = one)
        }
        Property::Continuity => say!("{one}'s lease was interrupted", "{one} 的租约中断过", one = one),
        Property::NoDeadlock if violation.grant.is_some() => {
            say!("{one} is gone and its lock stays", "{one} 已经不在，它的锁却留着", one = one)
        }
        Property::NoDeadlock if clients.len() == 1 => say!("{one} waits for itself", "{one} 在等自己", one = one),
        Property::NoDeadlock => say!("{all} wait for each other", "{all} 互相等待", all = all),
        Property::Progress => say!("nobody gets the free lock in time", "锁空闲却没人按时拿到"),
        Property::Available => say!("nobody gets the lock in time", "没有人按时拿到锁"),
        Property::FencingMonotonic => {
            say!("{one}'s token is not greater than an earlier one", "{one} 的令牌没有比之前的更大", one = one)
        }
        Property::NoOversell => say!("more is sold than there was ({one})", "卖出的比库存多（{one}）", one = one),
        Property::ExactlyOnce if clients.is_empty() => {
            say!("a run of the job never took effect", "任务的一次运行始终没有生效")
        }
        Property::ExactlyOnce => say!("the job takes effect once too often", "任务多生效了一次"),
        Property::Fairness => say!("{one} is overtaken too often", "{one} 被插队太多次", one = one),
    }
}

fn listed(names: &[String], language: Language) -> String {
    let (comma, and) = match language {
        Language::English => (", ", " and "),
        Language::Chinese => ("、", " 和 "),
    };
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{}{and}{last}", first.join(comma)),
    }
}
