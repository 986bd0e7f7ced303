//! The story step by step, for whoever walks through it.

use super::text::Style;
use super::text::rows::rows;
use super::{Element, Point, Scene};
use crate::i18n::Text;

/// One turn of the story, as the text timeline tells it too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When.
    pub at: Point,
    /// How many events have happened when it is over. Never fewer than at the step before.
    pub events: usize,
    /// What draws it.
    pub element: Option<Element>,
    /// What happens.
    pub words: Text,
    /// Whether a promise is broken here.
    pub is_violation: bool,
}

/// All steps of a scene, in order.
pub fn steps(scene: &Scene) -> Vec<Step> {
    let mut events = 0;
    let step = |row: super::text::rows::Row| {
        events = events.max(row.state as usize + 1).min(scene.times.len());
        let element = scene.owners.get(row.at.event as usize).copied();
        let is_violation = row.style == Style::Broken;
        Step { at: row.at, events, element, words: unmarked(row.words), is_violation }
    };
    rows(scene).into_iter().map(step).collect()
}

/// The words without the sign that a text timeline needs for want of colour.
fn unmarked(words: Text) -> Text {
    let bare = |words: String| words.strip_prefix("!! ").map(str::to_owned).unwrap_or(words);
    Text::new(bare(words.en), bare(words.zh))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::examples::gc_pause;
    use crate::view::scene;

    #[test]
    fn steps_go_forward_in_time_and_in_events() {
        let history = gc_pause();
        let steps = steps(&scene(&history, Vec::new()));
        assert!(steps.len() > 15);
        assert!(steps.is_sorted_by_key(|step| step.at));
        assert!(steps.is_sorted_by_key(|step| step.events));
        assert!(steps.iter().all(|step| step.events <= history.events.len() && step.element.is_some()));
    }
}
