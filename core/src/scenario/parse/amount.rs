//! Amounts that spans alone cannot say: `-30s`, `200ppm`, `0.5%`.

use crate::time::Span;

/// The longest span of a scenario: a year.
pub(super) const YEAR: Span = Span::from_secs(365 * 24 * 3_600);

/// A span with a sign such as `-30s`, in microseconds; at most a year.
pub(super) fn signed_span(text: &str) -> Option<i64> {
    let (sign, rest) = sign(text);
    let span: Span = rest.parse().ok().filter(|span| *span <= YEAR)?;
    Some(sign * i64::try_from(span.micros()).ok()?)
}

/// A ratio such as `200ppm` or `0.5%`, in parts per million; at most 100 %.
pub(super) fn ratio(text: &str) -> Option<u32> {
    let (number, size) = match text.strip_suffix("ppm") {
        Some(number) => (number, 1),
        None => (text.strip_suffix('%')?, 10_000),
    };
    let (whole, part) = number.trim_end().split_once('.').unwrap_or((number.trim_end(), "0"));
    let digits = |text: &str| !text.is_empty() && text.len() <= 7 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return None;
    }
    let part = part.trim_end_matches('0');
    let scale = 10_u64.pow(part.len() as u32);
    let scaled = (whole.parse::<u64>().ok()? * scale + part.parse::<u64>().unwrap_or(0)) * size;
    let exact = scaled.is_multiple_of(scale) && scaled / scale <= 1_000_000;
    if exact { u32::try_from(scaled / scale).ok() } else { None }
}

/// A ratio with a sign such as `-200ppm`, in parts per million.
pub(super) fn signed_ratio(text: &str) -> Option<i64> {
    let (sign, rest) = sign(text);
    Some(sign * i64::from(ratio(rest)?))
}

fn sign(text: &str) -> (i64, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_exact_or_nothing() {
        for (text, ppm) in [("0.5%", 5_000), ("200ppm", 200), ("100%", 1_000_000), ("0.0001%", 1), ("0 %", 0)] {
            assert_eq!(ratio(text), Some(ppm), "{text}");
        }
        for text in ["5", "%", "1.%", "0.00001%", "101%", "-1%", "99999999999%", "1e3ppm"] {
            assert_eq!(ratio(text), None, "{text}");
        }
    }

    #[test]
    fn signs_stand_once_before_the_number() {
        assert_eq!(signed_ratio("-1%"), Some(-10_000));
        assert_eq!(signed_span("-30s"), Some(-30_000_000));
        assert_eq!(signed_span("+1ms"), Some(1_000));
        for text in ["--1ms", "1", "-", "400d"] {
            assert_eq!(signed_span(text), None, "{text}");
        }
    }
}
