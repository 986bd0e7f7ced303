//! Estimates in words.

use super::Estimate;
use crate::i18n::Text;
use crate::say;

impl Estimate {
    /// The estimate with its interval, and the bound of what was never seen.
    pub fn words(self) -> Text {
        let (low, high, unseen) = (shown(self.low), shown(self.high), shown(self.unseen));
        let Some(probability) = self.probability else {
            return say!("not seen: at most {unseen} (95 %)", "未出现：至多 {unseen}（95%）", unseen = unseen);
        };
        let seen = say!(
            "{value} (95 %: {low} to {high})",
            "{value}（95%：{low} 到 {high}）",
            value = shown(probability),
            low = low,
            high = high
        );
        if self.unseen < self.high - probability {
            return seen;
        }
        say!(
            "{seen}, and at most {unseen} more from strata in which it was not seen",
            "{seen}，另有未出现的各层至多 {unseen}",
            seen = seen,
            unseen = unseen
        )
    }

    /// The estimate in one number; `< bound` where it was never seen.
    pub fn in_one_number(self) -> String {
        self.probability.map_or_else(|| format!("< {}", shown(self.unseen)), shown)
    }
}

/// A number with three digits that count.
pub fn shown(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        1e-3..1.0 => format!("{value:.4}"),
        1.0..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        100.0..1e6 => format!("{value:.0}"),
        _ => format!("{value:.2e}"),
    }
}
