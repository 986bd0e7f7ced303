//! One point of an envelope: figures of a scenario that are given values.

use super::{Axis, AxisError};
use crate::explore::Adversity;
use crate::scenario::Scenario;
use crate::sim::Plan;
use crate::time::Span;

/// What a search has to play for some figures to have these values: its faults, and the changes of the scenario as `--set` takes them.
///
/// Faults that a search places get their length, and at least one of the kind may strike. The scenario's own faults, written in `text`, get theirs by a change.
///
/// # Errors
///
/// The scenario has nothing of the kind.
pub fn point(
    settings: &[(Axis, u64)],
    faults: Adversity,
    scenario: &Scenario,
    text: &str,
    plan: &Plan,
) -> Result<(Adversity, Vec<(String, String)>), AxisError> {
    let (mut faults, mut changes) = (faults, Vec::new());
    for (axis, value) in settings {
        match (axis.class(), &mut faults) {
            (Some(class), Adversity::Placed(allowance, lengths)) => {
                *allowance = allowance.with(class, allowance.of(class).max(1));
                *lengths = lengths.with(class, Span(*value));
            }
            (Some(_), Adversity::Own) => changes.extend(axis.own_settings(*value, text)?),
            (None, _) => changes.extend(axis.settings(*value, scenario, plan)?),
        }
    }
    Ok((faults, changes))
}
