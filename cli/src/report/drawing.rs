//! The forms that tell one run: drawings, and the history itself.

use locklab_core::i18n::Language;
use locklab_core::view::{self, Highlight, Scene, scene, svg};

use crate::failure::Failure;
use crate::play::{Judged, Outcome, Played};

/// The timeline as a drawing.
pub fn svg(played: &Played, language: Language) -> Result<String, Failure> {
    let scene = drawn(judged(played)?);
    Ok(svg::svg(&scene, &svg::Options { language, ..svg::Options::default() }))
}

/// The timeline as a page of its own.
pub fn html(played: &Played, language: Language) -> Result<String, Failure> {
    let judged = judged(played)?;
    Ok(view::html(&judged.history, &judged.report, language))
}

/// The history as JSON lines.
pub fn history(played: &Played) -> Result<String, Failure> {
    Ok(judged(played)?.history.to_lines())
}

fn judged(played: &Played) -> Result<&Judged, Failure> {
    match &played.outcome {
        Outcome::Judged(judged) => Ok(judged),
        Outcome::NotApplicable { why, .. } => Err(Failure::input(why.clone())),
    }
}

fn drawn(judged: &Judged) -> Scene {
    scene(&judged.history, Highlight::of(&judged.report, &judged.history.header))
}
