//! Numbers as Redis reads and prints them.

/// An integer as Redis accepts it: an optional minus sign and digits, no leading zero, blank or plus sign.
pub(super) fn integer(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    match digits {
        [b'0'] if !negative => return Some(0),
        [b'1'..=b'9', ..] if digits.len() <= 19 => {}
        _ => return None,
    }
    let mut value: i64 = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        // Counted downwards, because the least number has no positive counterpart.
        value = value.checked_mul(10)?.checked_sub(i64::from(digit - b'0'))?;
    }
    if negative { Some(value) } else { value.checked_neg() }
}

/// A double as `strtod` reads it, without blanks; `None` for NaN and for anything that is not wholly a number.
pub(super) fn double(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    let value: f64 = text.parse().ok()?;
    (!value.is_nan()).then_some(value)
}

/// A double with 17 significant digits, as Redis 7 prints scores (C's `%.17g`).
pub(super) fn print_double(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.into();
    }
    general(value, 17)
}

/// C's `%.{digits}g`: the shorter of plain and scientific form, without trailing zeros.
pub(super) fn general(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.into();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').expect("scientific form has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim_zeros(mantissa), exponent.abs());
    }
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    trim_zeros(&format!("{value:.places$}")).to_string()
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Whether a word is a float that Redis reads but cannot add.
pub(super) fn is_infinite(word: &[u8]) -> bool {
    double(word).is_some_and(f64::is_infinite)
}

/// A decimal number with 17 places, in which INCRBYFLOAT adds.
///
/// Redis adds in the 80-bit floats of x86 and prints 17 places, which for numbers of up to 18 significant digits is exactly decimal
/// addition. Larger ones differ from it in the last digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal(i128);

impl Decimal {
    const PLACES: u32 = 17;
    const ONE: i128 = 10_i128.pow(Self::PLACES);

    /// Reads a decimal number with an optional fraction and exponent; `None` if it is none or beyond about 10^20.
    pub(super) fn parse(word: &[u8]) -> Option<Decimal> {
        let text = std::str::from_utf8(word).ok()?;
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, number) = match number.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, number.strip_prefix('+').unwrap_or(number)),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.len() + fraction.len() == 0 {
            return None;
        }
        let mut value: i128 = 0;
        let mut place = Self::PLACES as i32 + exponent;
        for digit in whole.bytes().chain(fraction.bytes()) {
            if !digit.is_ascii_digit() {
                return None;
            }
            value = value.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
        }
        place -= fraction.len() as i32;
        let scale = 10_i128.checked_pow(place.unsigned_abs());
        value = match (place >= 0, scale) {
            _ if value == 0 => 0,
            (true, Some(scale)) => value.checked_mul(scale)?,
            (false, Some(scale)) => value / scale,
            (true, None) => return None,
            (false, None) => 0,
        };
        Some(Decimal(if negative { -value } else { value }))
    }

    /// The sum, unless it is out of range.
    pub(super) fn plus(self, other: Decimal) -> Option<Decimal> {
        self.0.checked_add(other.0).map(Decimal)
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let value = self.0.unsigned_abs();
        let (whole, fraction) = (value / Self::ONE as u128, value % Self::ONE as u128);
        if fraction == 0 {
            return write!(f, "{sign}{whole}");
        }
        let fraction = format!("{fraction:0places$}", places = Self::PLACES as usize);
        write!(f, "{sign}{whole}.{}", fraction.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_strictly_as_redis_reads_them() {
        for (word, value) in [
            ("0", Some(0)),
            ("-1", Some(-1)),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("-0", None),
            ("01", None),
            ("+1", None),
            (" 1", None),
            ("1.5", None),
            ("", None),
            ("-", None),
        ] {
            assert_eq!(integer(word.as_bytes()), value, "{word}");
        }
    }

    #[test]
    fn scores_print_with_seventeen_digits() {
        for (value, text) in [
            (0.1, "0.10000000000000001"),
            (8.5, "8.5"),
            (f64::MAX, "1.7976931348623157e+308"),
            (1_700_000_000_123.0, "1700000000123"),
            (-0.0, "-0"),
            (1e-7, "9.9999999999999995e-08"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(print_double(value), text);
        }
    }

    #[test]
    fn decimals_add_without_rounding() {
        let sum = |a: &str, b: &str| {
            Decimal::parse(a.as_bytes()).unwrap().plus(Decimal::parse(b.as_bytes()).unwrap()).unwrap().to_string()
        };
        assert_eq!(sum("0.1", "0.2"), "0.3");
        assert_eq!(sum("8", "0.5"), "8.5");
        assert_eq!(sum("-1.5", "1"), "-0.5");
        assert_eq!(sum("5.0e3", "2.0e2"), "5200");
        assert_eq!(Decimal::parse(b"1.x"), None);
    }
}
