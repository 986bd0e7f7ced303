//! Everything that has a name, with one sentence each.

mod faults;
mod guards;
mod milestones;

pub use faults::{FaultInfo, fault};
pub use guards::{GuardInfo, guard};

use clap::ValueEnum;
use locklab_core::check::{Property, TOTALS, happenings};
use locklab_core::compare::Threat;
use locklab_core::i18n::Text;
use locklab_core::locks;
use locklab_core::say;
use locklab_core::scenario::{Scenario, library};

use crate::args::Topic;

/// A name and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The canonical name.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// One sentence.
    pub summary: Text,
}

impl Entry {
    fn new(name: &str, summary: Text) -> Entry {
        Entry { name: name.to_owned(), aliases: Vec::new(), summary }
    }
}

/// The topics, in the order in which they are listed.
pub fn topics() -> impl Iterator<Item = Topic> {
    Topic::value_variants().iter().copied()
}

/// What a topic is about.
pub fn heading(topic: Topic) -> Text {
    match topic {
        Topic::Locks => say!("Locks", "锁"),
        Topic::Guards => say!("Guards at the resource, without a lock", "资源自己的防护（不用锁）"),
        Topic::Scenarios => say!("Scenarios", "场景"),
        Topic::Faults => say!("Faults (a scenario writes them: [[fault]])", "故障（场景里写成 [[fault]]）"),
        Topic::Threats => say!(
            "Threats (the columns of a comparison: locklab compare --against pause)",
            "考验（对比的各列：locklab compare --against pause）"
        ),
        Topic::Properties => say!("Properties", "性质"),
        Topic::Milestones => say!(
            "Milestones (a fault waits for them: at = \"A.acquired\")",
            "里程碑（故障等待它们：at = \"A.acquired\"）"
        ),
        Topic::Happenings => {
            say!(
                "Happenings (an expectation names them: happens = [\"A.write-refused\"])",
                "事件（预期中写它们：happens = [\"A.write-refused\"]）"
            )
        }
        Topic::Totals => say!(
            "Figures (an expectation names them: totals = {{ overlap = \"2s\" }})",
            "数据（预期中写它们：totals = {{ overlap = \"2s\" }}）"
        ),
    }
}

/// All names of a topic, in the order in which a reader should meet them.
pub fn entries(topic: Topic) -> Vec<Entry> {
    match topic {
        Topic::Locks => locks::kinds()
            .iter()
            .map(|kind| Entry {
                name: kind.name.to_string(),
                aliases: kind.aliases.iter().map(|alias| (*alias).to_owned()).collect(),
                summary: kind.summary.clone(),
            })
            .collect(),
        Topic::Guards => guards::ALL
            .iter()
            .map(|guard| Entry {
                name: guard.name.to_owned(),
                aliases: guard.aliases.iter().map(|alias| (*alias).to_owned()).collect(),
                summary: guard.summary(),
            })
            .collect(),
        Topic::Scenarios => library::all().iter().map(|scenario| Entry::new(scenario.name, title(scenario))).collect(),
        Topic::Faults => faults::ALL.iter().map(|fault| Entry::new(fault.key, fault.summary())).collect(),
        Topic::Threats => Threat::ALL.iter().map(|threat| Entry::new(threat.name(), threat.sentence())).collect(),
        Topic::Properties => {
            Property::ALL.iter().map(|property| Entry::new(property.name(), property.sentence())).collect()
        }
        Topic::Milestones => milestones::all().map(|(name, summary)| Entry::new(name, summary)).collect(),
        Topic::Happenings => happenings().map(|(name, summary)| Entry::new(name, summary)).collect(),
        Topic::Totals => TOTALS.iter().map(|total| Entry::new(total.name, total.meaning())).collect(),
    }
}

/// A built-in scenario's title.
fn title(scenario: &library::BuiltIn) -> Text {
    Scenario::parse(scenario.name, scenario.text).map(|parsed| parsed.title).unwrap_or_default()
}
