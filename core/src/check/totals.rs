//! The figures of a run, each with a name.

use super::UnknownName;
use crate::i18n::{Language, Say, Text};
use crate::time::{Span, Time};

/// A figure of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A length of time.
    Span(Span),
    /// A number of things.
    Count(u64),
    /// Stretches of time, each with its first instant and the first instant after it; [`Time::NEVER`]: without end.
    Intervals(Vec<Interval>),
    /// So many of one thing for so many of another; nothing divided by nothing stays as it is.
    Ratio(Ratio),
}

/// A stretch of time: its first instant, and the first instant after it ([`Time::NEVER`]: it has no end).
pub type Interval = (Time, Time);

/// A ratio of two numbers, kept as the two numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    /// What is divided.
    pub of: u64,
    /// By what.
    pub by: u64,
}

impl Amount {
    /// Whether it is nothing: no time, none, no stretch.
    pub fn is_zero(&self) -> bool {
        match self {
            Amount::Span(span) => *span == Span::ZERO,
            Amount::Count(count) => *count == 0,
            Amount::Intervals(intervals) => intervals.is_empty(),
            Amount::Ratio(ratio) => ratio.of == 0,
        }
    }
}

/// Worded for a reader: `2 s`, `3`, `[5s, 8s)`, `2.5`.
impl Say for Amount {
    fn say(&self, language: Language) -> String {
        match self {
            Amount::Span(span) => span.say(language),
            Amount::Count(count) => count.say(language),
            Amount::Intervals(intervals) if intervals.is_empty() => match language {
                Language::English => "none".into(),
                Language::Chinese => "无".into(),
            },
            Amount::Intervals(intervals) => {
                let never = match language {
                    Language::English => "never",
                    Language::Chinese => "永不",
                };
                let end = |until: Time| if until == Time::NEVER { never.to_owned() } else { until.to_string() };
                let each = intervals.iter().map(|(from, until)| format!("[{from}, {})", end(*until)));
                each.collect::<Vec<_>>().join(" ")
            }
            Amount::Ratio(Ratio { of: _, by: 0 }) => "-".into(),
            Amount::Ratio(Ratio { of, by }) => {
                let hundredths = (u128::from(*of) * 100 + u128::from(*by) / 2) / u128::from(*by);
                let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        }
    }
}

impl From<Span> for Amount {
    fn from(span: Span) -> Amount {
        Amount::Span(span)
    }
}

impl From<u64> for Amount {
    fn from(count: u64) -> Amount {
        Amount::Count(count)
    }
}

impl From<Vec<Interval>> for Amount {
    fn from(intervals: Vec<Interval>) -> Amount {
        Amount::Intervals(intervals)
    }
}

impl From<Ratio> for Amount {
    fn from(ratio: Ratio) -> Amount {
        Amount::Ratio(ratio)
    }
}

/// A figure's name, and what it means in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalInfo {
    /// The canonical name.
    pub name: &'static str,
    /// What it means, in English.
    pub en: &'static str,
    /// What it means, in Chinese.
    pub zh: &'static str,
}

impl TotalInfo {
    /// The figure of a name, or of another name that the cases use for it.
    pub fn find(name: &str) -> Option<&'static TotalInfo> {
        let name = canonical(name);
        TOTALS.iter().find(|total| total.name == name)
    }

    /// What it means.
    pub fn meaning(&self) -> Text {
        Text::new(self.en, self.zh)
    }
}

macro_rules! totals {
    ($($name:ident: $type:ty, $en:literal, $zh:literal;)*) => {
        /// The figures of a run. A property that has a figure is broken exactly when it is judged and the figure is above zero.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Totals {
            $(#[doc = $en] pub $name: $type,)*
        }

        /// Every figure, in the order in which they are listed.
        pub const TOTALS: &[TotalInfo] = &[$(TotalInfo { name: stringify!($name), en: $en, zh: $zh }),*];

        impl Totals {
            /// A figure by its name, or by another name that the cases use for it (`overlap_conflicting`, `orphans`).
            pub fn by_name(&self, name: &str) -> Result<Amount, UnknownName> {
                match canonical(name) {
                    $(stringify!($name) => Ok(self.$name.clone().into()),)*
                    _ => Err(UnknownName::new("total", name, TOTALS.iter().map(|total| total.name))),
                }
            }
        }
    };
}

totals! {
    overlap: Span, "Time in which sections that exclude each other overlapped, summed over all pairs of clients.", "互斥的临界区重叠的时间，按客户端两两相加。";
    lease_overlap: Span, "Time in which leases that exclude each other were granted at once, summed over all pairs.", "互斥的租约同时有效的时间，两两相加。";
    claimed_overlap: Span, "Time in which two clients inside at once both still counted on their leases, by what they were told.", "两个客户端同时处于临界区、且都认为自己的租约仍有效的时间。";
    overrun: Span, "Time inside sections without a lease of one's own, such as after it has ended.", "处于临界区、自己却没有租约的时间，比如租约到期之后。";
    stale_writes: u64, "Changes that the resource accepted from an old grant after a request of a newer one.", "资源在接受新授权的请求之后，又接受的旧授权的写入次数。";
    rejected_writes: u64, "Changes that the resource's guard refused.", "被资源的防护拒绝的写入次数。";
    false_conflicts: u64, "Changes that were refused as a conflict although nothing had changed since they were read.", "读取之后并没有任何改动、却被当作冲突拒绝的写入次数。";
    lost_updates: u64, "Accepted updates that are not part of the final value.", "已被接受、但没有保留在最终值里的更新次数。";
    foreign_releases: u64, "Grants removed by somebody else than their holder.", "被他人删除的授权数。";
    foreign_renewals: u64, "Grants whose end was moved by somebody else than their holder.", "被他人改动到期时间的授权数。";
    false_success: u64, "Times a caller was told \"acquired\" or \"extended\" without a lease.", "没有租约却被告知加锁或续期成功的次数。";
    false_failure: u64, "Times a caller was told of failure although it held the lock, or the lock was free.", "明明持有锁或锁空闲、却被告知失败的次数。";
    resurrections: u64, "Leases that began again within one hold after a gap.", "在一次持有期间中断后又恢复的租约数。";
    orphan: Vec<Interval>, "Stretches in which a lease was on and its holder neither inside nor on the way in.", "租约有效、但持有者不在临界区也不在加锁途中的时段。";
    idle: Vec<Interval>, "Stretches without any holder while somebody waited.", "无人持有、却有客户端在等待的时段。";
    idle_time: Span, "Time without any holder while somebody waited.", "无人持有、却有客户端在等待的总时间。";
    grants: u64, "Times somebody was told \"acquired\".", "被告知加锁成功的次数。";
    attempts: u64, "Tries to acquire that were sent; without a lock, tries to change the resource.", "发出的加锁尝试次数；没有锁时，为尝试修改资源的次数。";
    winners: u64, "Clients whose last run was done in the end.", "最终完成工作的客户端数。";
    failures: u64, "Clients whose last run was given up.", "最终放弃的客户端数。";
    runs: u64, "Times a job took effect.", "任务生效的次数。";
    missed_runs: u64, "Runs of a job that somebody began and that took effect for nobody.", "有人开始、却始终没有任何人完成的任务执行次数。";
    oversold: u64, "How much more was sold than there was.", "超卖的数量。";
    renewals: u64, "Renewals that took effect at the service.", "在服务端生效的续期次数。";
    failed_renewals: u64, "Renewals that failed, as far as their client knows.", "客户端得知失败的续期次数。";
    hold_count: u64, "The re-entry count that the service's records show at the end.", "结束时服务端记录中的重入计数。";
    hold_time: Span, "Time inside sections, summed over all clients.", "所有客户端处于临界区的时间之和。";
    longest_hold: Span, "The longest section.", "最长的一次持有。";
    wait_time: Span, "Time spent trying to acquire, summed over all clients.", "所有客户端等待加锁的时间之和。";
    longest_wait: Span, "The longest wait for the lock.", "最长的一次等待。";
    most_overtaken: u64, "The most often that one waiter was overtaken in one wait.", "单次等待中被插队的最多次数。";
    commands: u64, "Commands that clients sent to servers.", "客户端发往服务器的命令数。";
    messages_per_acquisition: Ratio, "Messages for the lock, requests and replies, for each time it was acquired.", "平均每次加锁所需的消息数（请求与回复）。";
}

/// The figures that tell what went wrong, or what stopped it.
const OF_SAFETY: [&str; 15] = [
    "overlap",
    "lease_overlap",
    "claimed_overlap",
    "overrun",
    "stale_writes",
    "rejected_writes",
    "false_conflicts",
    "lost_updates",
    "foreign_releases",
    "foreign_renewals",
    "false_success",
    "resurrections",
    "oversold",
    "missed_runs",
    "orphan",
];

/// The figures that an operator watches.
const OF_OPERATION: [&str; 6] =
    ["hold_time", "wait_time", "idle_time", "failed_renewals", "commands", "messages_per_acquisition"];

impl Totals {
    /// The figures that a reader should see: what went wrong and by how much, then what an operator watches; none that is nothing.
    pub fn telling(&self) -> Vec<(&'static TotalInfo, Amount)> {
        let mut figures = self.of_safety();
        figures.extend(self.above_zero(&OF_OPERATION));
        figures
    }

    /// The figures that tell what went wrong, or what stopped it; none that is nothing.
    pub fn of_safety(&self) -> Vec<(&'static TotalInfo, Amount)> {
        self.above_zero(&OF_SAFETY)
    }

    fn above_zero(&self, names: &[&str]) -> Vec<(&'static TotalInfo, Amount)> {
        // A ratio to nothing says nothing.
        let is_undefined = |amount: &Amount| matches!(amount, Amount::Ratio(Ratio { by: 0, .. }));
        let infos = names.iter().filter_map(|name| TOTALS.iter().find(|info| info.name == *name));
        infos
            .filter_map(|info| Some((info, self.by_name(info.name).ok()?)))
            .filter(|(_, amount)| !amount.is_zero() && !is_undefined(amount))
            .collect()
    }
}

fn canonical(name: &str) -> &str {
    match name {
        "overlap_conflicting" => "overlap",
        "orphans" => "orphan",
        name => name,
    }
}
