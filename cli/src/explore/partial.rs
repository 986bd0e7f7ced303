//! What one shard of a search has found about each lock, as its file holds it.

use std::collections::BTreeMap;

use locklab_core::address::Change;
use locklab_core::check::Property;
use locklab_core::choices::Taken;
use locklab_core::explore::{Answer, Attack, Cost, PARTS, Search, Summary};
use locklab_core::i18n::Text;
use locklab_core::locks::Kind;
use locklab_core::say;
use locklab_core::scenario;
use locklab_core::sim::Plan;
use locklab_core::time::Time;
use serde::{Deserialize, Serialize};

use super::divided::Searched;
use super::inquiry::Inquiry;
use crate::failure::Failure;
use crate::interrupt::Stop;
use crate::partial::{Share, damaged};
use crate::play::Stage;

/// What one shard has found about one lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockPartial {
    /// The lock.
    pub lock: String,
    /// Why it ended before its end, if it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped: Option<Stop>,
    /// Before the division: the same in every shard.
    before: Written,
    /// After it; empty where the search was over before.
    parts: BTreeMap<u32, Written>,
}

/// A [`Summary`], written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    states: u64,
    waiting: u64,
    reached: WrittenCost,
    answers: Vec<WrittenAnswer>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WrittenCost {
    faults: u32,
    choices: u32,
    micros: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WrittenAnswer {
    property: String,
    #[serde(flatten)]
    answer: AnswerName,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
enum AnswerName {
    Broken {
        cost: WrittenCost,
        /// The faults as a scenario writes them.
        fault: String,
        /// The choices that are not the default: place and index.
        choices: Vec<(u32, u32)>,
        /// Where the run is cut, in microseconds.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        until: Option<u64>,
    },
    Holds,
    NotApplicable,
    Unknown,
}

impl Share for Vec<LockPartial> {
    fn is_complete(&self) -> bool {
        self.iter().all(|lock| lock.stopped.is_none())
    }
}

impl LockPartial {
    /// What was found about a lock.
    pub fn new(inquiry: &Inquiry, lock: &Kind, search: &Search, searched: &Searched) -> LockPartial {
        let write = |summary: &Summary| written(summary, &inquiry.stage, search.plan());
        LockPartial {
            lock: lock.name.to_string(),
            stopped: searched.stopped,
            before: write(&searched.before),
            parts: searched.parts.iter().map(|(part, summary)| (*part, write(summary))).collect(),
        }
    }

    /// What all shards have found about one lock together, in the order of the parts.
    pub fn joined(shards: &[&LockPartial], inquiry: &Inquiry, lock: &Kind) -> Result<(Summary, Option<Stop>), Failure> {
        let read = |written: &Written| read(written, inquiry, lock).map_err(damaged);
        let first = &shards[0].before;
        if shards.iter().any(|shard| shard.before != *first) {
            return Err(different(&shards[0].lock));
        }
        let mut parts: BTreeMap<u32, &Written> = BTreeMap::new();
        for shard in shards {
            parts.extend(shard.parts.iter().map(|(part, written)| (*part, written)));
        }
        if !parts.is_empty() && !parts.keys().copied().eq(0..PARTS) {
            return Err(damaged(say!("parts of the search are missing", "缺少搜索的若干份")));
        }
        let parts = parts.into_values().map(read).collect::<Result<Vec<_>, _>>()?;
        let stopped = shards.iter().find_map(|shard| shard.stopped);
        Ok((read(first)?.joined(&parts), stopped))
    }

    /// Whether it was stopped before its own share had begun: such a shard knows nothing that could be put together.
    pub fn is_without_share(&self) -> bool {
        self.stopped.is_some() && self.parts.is_empty()
    }
}

fn written(summary: &Summary, stage: &Stage, plan: &Plan) -> Written {
    let nodes: Vec<String> = plan.header.nodes.iter().map(|node| node.name.clone()).collect();
    let answer = |answer: &Answer| match answer {
        Answer::Broken(attack) => AnswerName::Broken {
            cost: written_cost(attack.cost),
            fault: scenario::written_faults(&attack.faults, &stage.scenario, &nodes),
            choices: attack.taken.iter().map(|taken| (taken.at, taken.index)).collect(),
            until: attack.until.map(|until| until.0),
        },
        Answer::Holds => AnswerName::Holds,
        Answer::NotApplicable => AnswerName::NotApplicable,
        Answer::Unknown => AnswerName::Unknown,
    };
    Written {
        states: summary.states,
        waiting: summary.waiting,
        reached: written_cost(summary.reached),
        answers: summary
            .answers
            .iter()
            .map(|(property, of)| WrittenAnswer { property: property.name().into(), answer: answer(of) })
            .collect(),
    }
}

fn written_cost(cost: Cost) -> WrittenCost {
    WrittenCost { faults: cost.faults(), choices: cost.choices(), micros: cost.length().0 }
}

fn read(written: &Written, inquiry: &Inquiry, lock: &Kind) -> Result<Summary, Text> {
    let answers = written.answers.iter().map(|WrittenAnswer { property, answer }| {
        let property: Property = property
            .parse()
            .map_err(|_| say!("there is no property \"{property}\"", "没有性质 \"{property}\"", property = property))?;
        Ok((property, read_answer(property, answer, inquiry, lock)?))
    });
    Ok(Summary {
        answers: answers.collect::<Result<_, Text>>()?,
        states: written.states,
        waiting: written.waiting,
        reached: read_cost(written.reached),
    })
}

fn read_answer(property: Property, answer: &AnswerName, inquiry: &Inquiry, lock: &Kind) -> Result<Answer, Text> {
    let AnswerName::Broken { cost, fault, choices, until } = answer else {
        return Ok(match answer {
            AnswerName::Holds => Answer::Holds,
            AnswerName::NotApplicable => Answer::NotApplicable,
            AnswerName::Unknown | AnswerName::Broken { .. } => Answer::Unknown,
        });
    };
    let wrong = || say!("its faults cannot be read: {fault}", "无法读取其中的故障：{fault}", fault = fault);
    let mut changes = inquiry.stage.changes.clone();
    changes.push(Change { key: "fault".into(), value: fault.clone() });
    let stage = Stage::new(&inquiry.source, changes).map_err(|_| wrong())?;
    let plan = Plan::new(&stage.scenario, lock).map_err(|_| wrong())?;
    Ok(Answer::Broken(Box::new(Attack {
        property,
        cost: read_cost(*cost),
        faults: plan.faults,
        taken: choices.iter().map(|(at, index)| Taken { at: *at, index: *index }).collect(),
        until: until.map(Time),
    })))
}

fn read_cost(cost: WrittenCost) -> Cost {
    Cost::new(cost.faults, cost.choices, Time(cost.micros))
}

fn different(lock: &str) -> Failure {
    Failure::input(say!(
        "the shards disagree about what they all searched with the lock {lock}",
        "各份对锁 {lock} 的共同部分说法不一",
        lock = lock
    ))
    .hint(say!("search all shards again with one version of locklab", "请用同一个版本的 locklab 重新搜索各份"))
}
