//! Wrong clocks: `[clocks]`, and the amounts by which a fault moves them.

use toml::de::DeTable;

use super::amount::{signed_ratio, signed_span};
use super::fields::{Word, short, word};
use super::names::Names;
use crate::history::Machine;
use crate::i18n::Text;
use crate::scenario::problem::Problems;

/// The strongest drift in parts per million: a clock never stands still or runs twice as fast.
const MOST_DRIFT: i64 = 500_000;

/// Clocks that are wrong from the start: `A = "+3s"`, `redis = "200ppm"`, or both in one string.
pub(super) fn clocks(table: &DeTable, names: &Names, problems: &mut Problems) -> Vec<(Machine, i64, i64)> {
    let mut clocks = Vec::new();
    for (key, value) in table {
        let machine = names.machine(&Word { text: key.get_ref(), at: key.span() }, problems);
        let Some(word) = word(value, problems) else { continue };
        let (mut ahead, mut ppm) = (0, 0);
        for part in word.text.split_whitespace() {
            let part = Word { text: part, at: word.at.clone() };
            if part.text.ends_with("ppm") || part.text.ends_with('%') {
                ppm = drift(&part, problems).unwrap_or(0);
            } else {
                ahead = step(&part, problems).unwrap_or(0);
            }
        }
        clocks.extend(machine.map(|machine| (machine, ahead, ppm)));
    }
    clocks
}

/// `-30s`: how far a wall clock jumps, in microseconds.
pub(super) fn step(word: &Word, problems: &mut Problems) -> Option<i64> {
    let by = signed_span(word.text);
    if by.is_none() {
        let given = short(word.text);
        problems
            .add(
                word.at.clone(),
                Text::new(format!("\"{given}\" is no step of a clock"), format!("\"{given}\" 不是时钟跳变")),
            )
            .allowed("\"+30s\" or \"-30s\", at most 365d", "\"+30s\" 或 \"-30s\"，最多 365d");
    }
    by
}

/// `200ppm`, `-0.5%`: how wrong a clock runs, in parts per million.
pub(super) fn drift(word: &Word, problems: &mut Problems) -> Option<i64> {
    let ppm = signed_ratio(word.text).filter(|ppm| ppm.abs() <= MOST_DRIFT);
    if ppm.is_none() {
        let given = short(word.text);
        problems
            .add(
                word.at.clone(),
                Text::new(format!("\"{given}\" is no drift of a clock"), format!("\"{given}\" 不是时钟漂移")),
            )
            .allowed("\"200ppm\" or \"-0.5%\", at most 50%", "\"200ppm\" 或 \"-0.5%\"，最多 50%");
    }
    ppm
}
