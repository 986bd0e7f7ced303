//! A figure of a scenario along which an envelope is looked for.

use toml_edit::{DocumentMut, Item};

use super::{Outcome, Stretch};
use crate::i18n::{Language, Text};
use crate::say;
use crate::scenario::{Scenario, Topology};
use crate::sim::{FaultClass, Plan};
use crate::time::Span;

/// A figure of a scenario that can be varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// How long a client stops.
    Pause,
    /// The lease.
    Ttl,
    /// How long a message takes, one way, on every link that is not named.
    Latency,
    /// How much too fast every server's clock runs, while the clients' run right: parts per million.
    Drift,
    /// How far a wall clock jumps, forward or back.
    ClockStep,
    /// How far every replica is behind.
    Lag,
}

/// Why an axis, or a value on it, is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", message.in_language(Language::English))]
pub struct AxisError {
    /// What is wrong.
    pub message: Text,
    /// What to do.
    pub hint: Text,
}

/// The greatest drift: 20 %.
const MOST_DRIFT: u64 = 200_000;

impl Axis {
    /// Every axis with its name.
    pub const ALL: [(&'static str, Axis); 6] = [
        ("pause", Axis::Pause),
        ("ttl", Axis::Ttl),
        ("latency", Axis::Latency),
        ("drift", Axis::Drift),
        ("clock-step", Axis::ClockStep),
        ("lag", Axis::Lag),
    ];

    /// Its canonical name, such as `clock-step`.
    pub fn name(self) -> &'static str {
        Axis::ALL[self as usize].0
    }

    /// What it is, for a reader.
    pub fn title(self) -> Text {
        match self {
            Axis::Pause => say!("a client's pause", "客户端停顿时长"),
            Axis::Ttl => say!("the time to live", "租约时长 ttl"),
            Axis::Latency => say!("the latency, one way", "单程网络延迟"),
            Axis::Drift => say!("the drift of every server's clock", "所有服务器时钟的漂移"),
            Axis::ClockStep => say!("the step of a clock, forward or back", "时钟跳变幅度（向前或向后）"),
            Axis::Lag => say!("the lag of every replica", "所有副本的复制延迟"),
        }
    }

    /// The axis of a name.
    ///
    /// # Errors
    ///
    /// The name is none.
    pub fn from_name(name: &str) -> Result<Axis, AxisError> {
        let found = Axis::ALL.iter().find(|(known, _)| *known == name).map(|(_, axis)| *axis);
        let all = Text::list(Axis::ALL.map(|(known, _)| known));
        found.ok_or_else(|| AxisError {
            message: say!("\"{name}\" cannot be varied", "\"{name}\" 不能作为变化的量", name = name),
            hint: say!("there are {all}", "可用的有 {all}", all = all),
        })
    }

    /// The class of fault whose length it is, where it is one's.
    pub fn class(self) -> Option<FaultClass> {
        match self {
            Axis::Pause => Some(FaultClass::Pause),
            Axis::ClockStep => Some(FaultClass::ClockStep),
            Axis::Ttl | Axis::Latency | Axis::Drift | Axis::Lag => None,
        }
    }

    /// Whether it counts microseconds; else parts per million.
    pub fn is_time(self) -> bool {
        self != Axis::Drift
    }

    /// The finest difference: a millisecond, or a part per million.
    pub fn unit(self) -> u64 {
        if self.is_time() { 1_000 } else { 1 }
    }

    /// The finest difference in this scenario: a second for the lease of a lock that takes whole seconds only. `is_possible` says whether the
    /// scenario can have a value.
    pub fn unit_in(self, scenario: &Scenario, is_possible: impl FnOnce(u64) -> bool) -> u64 {
        const SECOND: u64 = 1_000_000;
        let broken_second = scenario.lock.ttl.0 / SECOND * SECOND + self.unit();
        if self == Axis::Ttl && !is_possible(broken_second) { SECOND } else { self.unit() }
    }

    /// What is known along the axis, in a sentence.
    pub fn tell(self, stretches: &[Stretch]) -> Text {
        let parts = stretches.iter().map(|Stretch { from, to, outcome }| {
            let word = match outcome {
                Outcome::Held => say!("holds", "成立"),
                Outcome::Broken => say!("broken", "被破坏"),
                Outcome::Unknown => say!("unknown", "无法判定"),
            };
            say!(
                "{word} from {from} to {to}",
                "{from} 到 {to} {word}",
                word = word,
                from = self.show(*from),
                to = self.show(*to)
            )
        });
        let (en, zh): (Vec<String>, Vec<String>) = parts.map(|part| (part.en, part.zh)).unzip();
        Text::new(en.join(", "), zh.join("，"))
    }

    /// Where one looks unless told: from, to.
    pub fn usual_range(self, plan: &Plan) -> (u64, u64) {
        let ttl = plan.params.iter().map(|params| params.ttl.0).max().unwrap_or(0);
        match self {
            Axis::Pause | Axis::ClockStep | Axis::Lag => (self.unit(), ttl.saturating_mul(2)),
            Axis::Ttl => (ttl / 10, ttl.saturating_mul(3)),
            Axis::Latency => (0, ttl),
            Axis::Drift => (0, MOST_DRIFT),
        }
    }

    /// A value as a reader types and sees it: `12s`, `200ppm`.
    pub fn show(self, value: u64) -> String {
        if self.is_time() { Span(value).to_string() } else { format!("{value}ppm") }
    }

    /// Reads such a value.
    ///
    /// # Errors
    ///
    /// It is no span of time; for a drift, no whole number of parts per million up to 200,000.
    pub fn read(self, text: &str) -> Result<u64, AxisError> {
        let wrong = |hint| AxisError {
            message: say!(
                "\"{text}\" is no value of {name}",
                "\"{text}\" 不是 {name} 的取值",
                text = text,
                name = self.name()
            ),
            hint,
        };
        if self.is_time() {
            return text
                .parse::<Span>()
                .map(Span::micros)
                .map_err(|_| wrong(say!("write a span of time, such as 250ms or 12s", "请写时长，例如 250ms 或 12s")));
        }
        let ppm = text.strip_suffix("ppm").and_then(|number| number.trim().parse().ok());
        ppm.filter(|ppm| *ppm <= MOST_DRIFT)
            .ok_or_else(|| wrong(say!("write 0ppm to 200000ppm", "请写 0ppm 到 200000ppm")))
    }

    /// What has to be set in a scenario for it to have this value, as `--set` takes it. The length of a fault that a search places is set nowhere.
    ///
    /// # Errors
    ///
    /// The scenario has nothing of the kind.
    pub fn settings(self, value: u64, scenario: &Scenario, plan: &Plan) -> Result<Vec<(String, String)>, AxisError> {
        let shown = self.show(value);
        Ok(match self {
            Axis::Pause | Axis::ClockStep => Vec::new(),
            Axis::Ttl => vec![("lock.ttl".into(), shown)],
            Axis::Latency => vec![("network.latency".into(), shown)],
            Axis::Drift => {
                plan.header.nodes.iter().map(|node| (format!("clocks.{}", node.name), shown.clone())).collect()
            }
            Axis::Lag => match &scenario.servers.topology {
                Some(Topology::Replicated { lags }) => {
                    vec![("servers.replicas".into(), lags.len().to_string()), ("servers.lag".into(), shown)]
                }
                _ => {
                    return Err(AxisError {
                        message: say!("this scenario has no replicas", "这个场景没有副本"),
                        hint: say!(
                            "take one with redis = \"replicated\", such as failover/before-replication",
                            "请选用 redis = \"replicated\" 的场景，例如 failover/before-replication"
                        ),
                    });
                }
            },
        })
    }

    /// What has to be set for the scenario's own faults, written in `text`, to have this length.
    ///
    /// # Errors
    ///
    /// The scenario has no such fault.
    pub fn own_settings(self, value: u64, text: &str) -> Result<Vec<(String, String)>, AxisError> {
        let document: Option<DocumentMut> = text.parse().ok();
        let faults = document.as_ref().and_then(|document| document.get("fault")).and_then(Item::as_array_of_tables);
        let shown = self.show(value);
        let settings: Vec<(String, String)> = faults
            .into_iter()
            .flatten()
            .enumerate()
            .filter_map(|(index, fault)| {
                let number = index + 1;
                match self {
                    Axis::Pause if fault.contains_key("pause") => Some((format!("fault.{number}.for"), shown.clone())),
                    Axis::ClockStep => {
                        let step = fault.get("step").and_then(Item::as_str)?;
                        let sign = if step.trim_start().starts_with('-') { '-' } else { '+' };
                        Some((format!("fault.{number}.step"), format!("{sign}{shown}")))
                    }
                    _ => None,
                }
            })
            .collect();
        if settings.is_empty() && self.class().is_some() {
            let name = self.name();
            return Err(AxisError {
                message: say!("this scenario has no {name} of its own", "这个场景自己没有 {name} 故障", name = name),
                hint: say!("leave --own-moments out: the search places one", "去掉 --own-moments，由搜索来安排"),
            });
        }
        Ok(settings)
    }
}
