//! What must hold for every drawing, whatever the run.

use proptest::prelude::*;

use super::*;
use crate::view::examples::{failover, gc_pause, gc_pause_highlights, long, quorum};
use crate::view::{Weight, scene};

/// The names of the elements that are opened and closed, checked to nest; panics where the markup is malformed.
fn well_formed(markup: &str) -> usize {
    let mut open = Vec::new();
    let mut count = 0;
    for tag in markup.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') || text.contains("> text") || open.last() == Some(&"style"), "stray > after {tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().expect("a tag has a name");
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name)),
            (false, true) => count += 1,
            (false, false) => {
                open.push(name);
                count += 1;
            }
        }
    }
    assert!(open.is_empty());
    count
}

/// The labels of arrows and marks: position, width and text.
fn labels(markup: &str) -> Vec<(i64, i64, i64)> {
    let words = markup
        .split("<g class=\"words\">")
        .nth(1)
        .expect("a drawing has words")
        .split("</g>")
        .next()
        .expect("a group ends");
    let number = |line: &str, key: &str| -> i64 {
        let rest = line.split(&format!(" {key}=\"")).nth(1).expect("an attribute");
        rest.split('"').next().expect("a value").parse().expect("a number")
    };
    let text =
        |line: &str| line.split('>').nth(1).expect("a text").trim_end_matches("</text").replace("&gt;", ">").to_owned();
    let lines = words.lines().filter(|line| line.starts_with("<text"));
    lines.map(|line| (number(line, "x"), number(line, "y"), text_width(&text(line), SMALL))).collect()
}

#[test]
fn a_hostile_history_stays_text() {
    let mut history = gc_pause();
    history.header.clients[0].name = "<script>alert(1)</script>".into();
    history.header.title = Text::same("\"><img src=x onerror=alert(1)>");
    let drawing = svg(&scene(&history, Vec::new()), &Options::default());
    assert!(!drawing.contains("<script") && !drawing.contains("<img"));
    well_formed(&drawing);
}

#[test]
fn every_turn_of_the_story_has_a_group_with_its_id() {
    let scene = scene(&gc_pause(), gc_pause_highlights());
    let drawing = svg(&scene, &Options { prefix: "left-".into(), ..Options::default() });
    for index in 0..scene.exchanges.len() {
        assert!(drawing.contains(&format!("id=\"left-exchange-{index}\"")), "exchange {index}");
    }
    for (index, mark) in scene.marks.iter().enumerate() {
        assert_eq!(
            drawing.contains(&format!("id=\"left-mark-{index}\"")),
            mark.weight > Weight::Quiet,
            "{}",
            mark.words.en
        );
    }
    assert!(drawing.contains("two inside") && drawing.contains("stale write"));
}

#[test]
fn a_long_run_makes_a_drawing_that_can_be_used() {
    let history = long();
    assert!(history.events.len() > 19_000, "{} events", history.events.len());
    let drawing = svg(&scene(&history, Vec::new()), &Options::default());
    let elements = well_formed(&drawing);
    assert!(elements < 10_000, "{elements} elements");
    let part = svg(
        &scene(&history, Vec::new()),
        &Options { zoom: Some(Zoom { axis: 60_000, from: 30_000, margin: 1_000 }), ..Options::default() },
    );
    let elements = well_formed(&part);
    assert!(elements < 2_000, "{elements} elements in one screen of a deep zoom");
}

#[test]
fn a_page_may_bring_the_style_sheet_itself() {
    let drawing = svg(&scene(&gc_pause(), Vec::new()), &Options { style: StyleSheet::Outside, ..Options::default() });
    assert!(!drawing.contains("<style") && !drawing.contains("style="));
}

proptest! {
    #[test]
    fn labels_never_overlap(width in 200_u32..2_000, chinese in any::<bool>(), linear in any::<bool>(), which in 0_usize..3) {
        let language = if chinese { Language::Chinese } else { Language::English };
        let axis = if linear { AxisMode::Linear } else { AxisMode::Readable };
        let history = [gc_pause, failover, quorum][which]();
        let drawing = svg(&scene(&history, gc_pause_highlights()), &Options { language, width, axis, ..Options::default() });
        well_formed(&drawing);
        let labels = labels(&drawing);
        prop_assert!(!labels.is_empty());
        for (index, (x, y, wide)) in labels.iter().enumerate() {
            prop_assert!(x + wide <= i64::from(width), "a label leaves the page");
            for (other_x, other_y, other_wide) in &labels[index + 1..] {
                let apart = x + wide <= *other_x || other_x + other_wide <= *x || (y - other_y).abs() >= 11;
                prop_assert!(apart, "({x}, {y}) and ({other_x}, {other_y})");
            }
        }
    }
}
