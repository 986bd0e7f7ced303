//! Which faults a search may place: `pause=1,crash=1`, or the scenario's own.

use crate::history::Trouble;
use crate::i18n::{Language, Text, did_you_mean, nearest};
use crate::say;
use crate::scenario::{Fault, FaultKind, Leg, Scenario};
use crate::sim::{Allowance, FaultClass, Lengths};
use crate::time::Span;

/// Why faults cannot be searched for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", message.in_language(Language::English))]
pub struct AllowanceError {
    /// What is wrong.
    pub message: Text,
    /// What to do.
    pub hint: Text,
}

/// The most faults of one class: more is no search that ends.
const MOST: u8 = 9;

/// Reads `pause=1,crash=1,clock-step=2`; an empty text and `none` allow nothing.
///
/// # Errors
///
/// A name that is no class of fault or was there before, or a count that is not 0 to 9.
pub fn parse_allowance(text: &str) -> Result<Allowance, AllowanceError> {
    let mut allowance = Allowance::default();
    let mut told = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty() && *part != "none") {
        let (name, count) = part.split_once('=').map_or((part, "1"), |(name, count)| (name.trim(), count.trim()));
        let class = FaultClass::from_name(name).ok_or_else(|| unknown(name))?;
        let count = count.parse().ok().filter(|count| *count <= MOST).ok_or_else(|| AllowanceError {
            message: say!("\"{count}\" is not a number of faults", "\"{count}\" 不是故障次数", count = count),
            hint: say!("write 0 to 9, such as {name}=1", "请写 0 到 9，例如 {name}=1", name = name),
        })?;
        if told.contains(&class) {
            return Err(twice(class));
        }
        told.push(class);
        allowance = allowance.with(class, count);
    }
    Ok(allowance)
}

/// The kinds and counts of a scenario's own faults.
///
/// # Errors
///
/// A kind that a search cannot place by itself.
pub fn allowance_of(scenario: &Scenario) -> Result<Allowance, AllowanceError> {
    let mut allowance = Allowance::default();
    for fault in &scenario.faults {
        let class = class_of(fault).ok_or_else(|| AllowanceError {
            message: say!(
                "a search cannot place every kind of fault of this scenario by itself",
                "场景里有一类故障，搜索无法自行安排"
            ),
            hint: say!(
                "say which faults it may place, such as --faults pause=1; there are {all}",
                "请说明可以安排哪些故障，例如 --faults pause=1；可用的有 {all}",
                all = all()
            ),
        })?;
        allowance = allowance.with(class, (allowance.of(class) + 1).min(MOST));
    }
    Ok(allowance)
}

/// The lengths of a scenario's own faults, the longest of each class; a class of which one lasts for ever has none.
pub fn lengths_of(scenario: &Scenario) -> Lengths {
    let mut lengths = Lengths::default();
    for (_, class) in FaultClass::ALL {
        let own = scenario.faults.iter().filter(|fault| class_of(fault) == Some(class));
        let longest = own.map(|fault| length_of(&fault.kind)).collect::<Option<Vec<Span>>>();
        if let Some(longest) = longest.and_then(|all| all.into_iter().max()) {
            lengths = lengths.with(class, longest);
        }
    }
    lengths
}

fn length_of(kind: &FaultKind) -> Option<Span> {
    match kind {
        FaultKind::Pause { length, .. } | FaultKind::Cut { length, .. } => *length,
        FaultKind::Failover { after, .. } => Some(*after),
        FaultKind::Down { restart, .. } => *restart,
        FaultKind::Step { by, .. } => Some(Span(by.unsigned_abs())),
        FaultKind::Message { trouble: Trouble::Delayed(by), .. } => Some(*by),
        _ => None,
    }
}

/// The class of a fault; `None` for one that a search does not place by itself.
pub fn class_of(fault: &Fault) -> Option<FaultClass> {
    Some(match &fault.kind {
        FaultKind::Pause { task: false, .. } => FaultClass::Pause,
        FaultKind::Crash { restart: None, .. } => FaultClass::Crash,
        FaultKind::Step { .. } => FaultClass::ClockStep,
        FaultKind::Failover { .. } => FaultClass::Failover,
        FaultKind::Down { data_kept: Some(true), .. } => FaultClass::Restart,
        FaultKind::Down { .. } => FaultClass::RestartEmpty,
        FaultKind::Cut { .. } => FaultClass::Partition,
        FaultKind::Message { leg, trouble, .. } => match (leg, trouble) {
            (Leg::Request, Trouble::Lost) => FaultClass::LostRequest,
            (Leg::Reply, Trouble::Lost) => FaultClass::LostReply,
            (_, Trouble::Delayed(_)) => FaultClass::Delay,
            (Leg::Request, Trouble::Doubled) => FaultClass::Duplicate,
            (Leg::Reply, Trouble::Doubled) => return None,
        },
        FaultKind::Pause { task: true, .. }
        | FaultKind::Crash { restart: Some(_), .. }
        | FaultKind::Promote { .. }
        | FaultKind::Drift { .. }
        | FaultKind::Slow { .. }
        | FaultKind::Evict { .. }
        | FaultKind::FlushScripts { .. }
        | FaultKind::Operator { .. } => return None,
    })
}

fn unknown(name: &str) -> AllowanceError {
    AllowanceError {
        message: say!("\"{name}\" is no fault that a search places", "搜索里没有 \"{name}\" 这种故障", name = name),
        hint: match nearest(name, FaultClass::ALL.map(|(known, _)| known)) {
            Some(near) => did_you_mean(near),
            None => say!("there are {all}", "可用的有 {all}", all = all()),
        },
    }
}

fn twice(class: FaultClass) -> AllowanceError {
    let name = class.name();
    AllowanceError {
        message: say!("\"{name}\" is there twice", "\"{name}\" 写了两次", name = name),
        hint: say!("say once how many, such as {name}=2", "请只写一次总数，例如 {name}=2", name = name),
    }
}

fn all() -> Text {
    Text::list(FaultClass::ALL.map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_read_or_refused_with_the_nearest_name() {
        let allowance = parse_allowance("pause=2, crash").expect("it is one");
        assert_eq!((allowance.of(FaultClass::Pause), allowance.of(FaultClass::Crash)), (2, 1));
        assert_eq!(parse_allowance("none"), Ok(Allowance::default()));
        let wrong = parse_allowance("pauze=1").expect_err("it is none");
        assert_eq!(wrong.hint.en, "did you mean \"pause\"?");
        let twice = parse_allowance("pause=1,crash=1,pause=2").expect_err("which of both?");
        assert_eq!(twice.message.en, "\"pause\" is there twice");
        assert!(parse_allowance("pause=x").is_err() && parse_allowance("pause=10").is_err());
    }
}
