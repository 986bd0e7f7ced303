//! Estimates and what they are worth: only + - * / and square roots, so that every machine computes the same.

/// An estimated probability with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate; `None`: it was never seen, and only a bound is known.
    pub probability: Option<f64>,
    /// The lower bound.
    pub low: f64,
    /// The upper bound of what was seen; where nothing was, zero.
    pub high: f64,
    /// At most so much more, from strata in which it was never seen and not excluded either.
    pub unseen: f64,
}

impl Estimate {
    /// The same estimate of so many times as much.
    pub fn times(self, factor: f64) -> Estimate {
        Estimate {
            probability: self.probability.map(|probability| probability * factor),
            low: self.low * factor,
            high: self.high * factor,
            unseen: self.unseen * factor,
        }
    }
}

/// How often something was seen in a stratum, and how much of everything the stratum is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// The stratum's probability.
    pub weight: f64,
    /// How many runs.
    pub runs: u64,
    /// In how many it was seen.
    pub seen: u64,
    /// Whether an exhaustive search has shown that it cannot happen there.
    pub excluded: bool,
}

/// The two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.959_963_985;

/// -ln 0.05: whoever has seen nothing in n runs excludes more than 3/n (the rule of three).
const THREE: f64 = 2.995_732_274;

/// Wilson's interval for a proportion.
pub fn wilson(seen: u64, runs: u64) -> (f64, f64) {
    if runs == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (runs as f64, seen as f64 / runs as f64);
    let centre = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let low = if seen == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if seen == runs { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

/// The weighted sum over strata. Where something was seen, the interval combines Wilson's intervals by the square-and-add rule (Zou and Donner, 2008: MOVER). For the
/// strata in which nothing was, the bound is exact: the greatest sum of w p for which seeing nothing had a chance of 5 %, which is the rule of three in the worst of them.
pub fn stratified(counts: &[Count]) -> Estimate {
    let (mut sum, mut below, mut above, mut unseen) = (0.0, 0.0, 0.0, 0.0_f64);
    for count in counts {
        if count.seen == 0 {
            let three = if count.runs == 0 { 1.0 } else { (THREE / count.runs as f64).min(1.0) };
            unseen = if count.excluded { unseen } else { unseen.max(count.weight * three) };
            continue;
        }
        let share = count.seen as f64 / count.runs as f64;
        let (low, high) = wilson(count.seen, count.runs);
        sum += count.weight * share;
        below += (count.weight * (share - low)) * (count.weight * (share - low));
        above += (count.weight * (high - share)) * (count.weight * (high - share));
    }
    let was_seen = counts.iter().any(|count| count.seen > 0);
    let (low, high) = ((sum - below.sqrt()).max(0.0), (sum + above.sqrt()).min(1.0));
    Estimate { probability: was_seen.then_some(sum), low, high, unseen }
}

/// e to the -x, for x from 0 to 700, by halving and Taylor's series.
pub fn exp_minus(x: f64) -> f64 {
    let (mut halvings, mut small) = (0, x);
    while small > 0.5 {
        small /= 2.0;
        halvings += 1;
    }
    let (mut term, mut sum) = (1.0, 1.0);
    for order in 1..25 {
        term *= small / f64::from(order);
        sum += term;
    }
    (0..halvings).fold(1.0 / sum, |power, _| power * power)
}

/// The chances of 0, 1, 2, ... events when `mean` are expected, up to where less than 10^-15 is left.
pub fn poisson(mean: f64) -> Vec<f64> {
    let mut chances = vec![exp_minus(mean)];
    let mut count = 0.0;
    while chances.len() < 10_000 {
        count += 1.0;
        let next = chances[chances.len() - 1] * mean / count;
        chances.push(next);
        if count > mean && next < 1e-15 {
            break;
        }
    }
    chances
}

/// The logarithm to base ten in thousandths, rounded down; of 0 and less: -300,000.
pub fn decades(value: f64) -> i64 {
    if value <= 1e-300 {
        return -300_000;
    }
    let (mut whole, mut rest) = (0_i64, value);
    while rest >= 10.0 {
        rest /= 10.0;
        whole += 1;
    }
    while rest < 1.0 {
        rest *= 10.0;
        whole -= 1;
    }
    // The tenth power of the rest shows the next digit.
    let mut part = 0;
    for _ in 0..3 {
        let (mut power, mut digit) = (1.0, 0);
        (0..10).for_each(|_| power *= rest);
        while power >= 10.0 && digit < 9 {
            power /= 10.0;
            digit += 1;
        }
        part = part * 10 + digit;
        rest = power;
    }
    whole * 1_000 + part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, wanted: f64) -> bool {
        (value - wanted).abs() <= wanted.abs() * 1e-4
    }

    #[test]
    fn wilsons_interval_is_as_in_the_tables() {
        let (low, high) = wilson(10, 100);
        assert!(near(low, 0.055_229) && near(high, 0.174_366), "{low} {high}");
        let (low, high) = wilson(0, 100);
        assert!(low == 0.0 && near(high, 0.036_995), "{high}");
    }

    fn count(weight: f64, runs: u64, seen: u64) -> Count {
        Count { weight, runs, seen, excluded: false }
    }

    #[test]
    fn what_was_never_seen_is_bounded_by_the_rule_of_three() {
        let estimate = stratified(&[count(1.0, 300, 0)]);
        assert!(estimate.probability.is_none() && near(estimate.unseen, 2.995_732 / 300.0));
        // A rare stratum, looked at as often, adds nothing to the worst.
        let strata = [count(0.001, 300, 0), count(0.999, 300, 0)];
        assert!(near(stratified(&strata).unseen, 0.999 * 2.995_732 / 300.0));
        let excluded = Count { excluded: true, ..strata[1] };
        assert!(near(stratified(&[strata[0], excluded]).unseen, 0.001 * 2.995_732 / 300.0));
    }

    #[test]
    fn a_rare_stratum_makes_a_rare_event_well_known() {
        let estimate = stratified(&[count(0.000_001, 1_000, 500), count(0.999_999, 1_000_000, 0)]);
        assert!(near(estimate.probability.expect("seen"), 5e-7));
        assert!(estimate.low > 4.6e-7 && estimate.high < 5.4e-7, "{estimate:?}");
        assert!(near(estimate.unseen, 2.995_729e-6));
    }

    #[test]
    fn chances_of_counts_sum_to_one() {
        for mean in [0.000_001, 0.3, 7.0, 200.0] {
            assert!(near(poisson(mean).iter().sum(), 1.0), "{mean}");
        }
        assert!(near(exp_minus(1.0), 0.367_879_4) && near(exp_minus(20.0), 2.061_153_6e-9));
        assert!(near(poisson(0.000_001)[2], 5e-13));
    }

    #[test]
    fn logarithms_are_in_thousandths() {
        for (value, thousandths) in
            [(1.0, 0), (1_000.0, 3_000), (0.000_01, -5_000), (2.0, 301), (0.05, -1_302), (0.0, -300_000)]
        {
            assert!(decades(value).abs_diff(thousandths) <= 1, "{value} {}", decades(value));
        }
    }
}
