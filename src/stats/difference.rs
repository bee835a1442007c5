//! Two independent rates: their difference with its interval, its test and its size.
//!
//! R. G. Newcombe, "Interval estimation for the difference between independent proportions:
//! comparison of eleven methods", Statistics in Medicine 17 (1998), 873–890, method 10. The test is
//! the two-proportion z test with the pooled share and without continuity correction, whose square
//! is Pearson's chi-squared. J. Cohen, Statistical Power Analysis for the Behavioral Sciences
//! (1988), chapter 6, for h: 0.2 is small, 0.5 medium, 0.8 large.

use serde::{Deserialize, Serialize};

use super::distribution::normal_p;
use super::{Rate, written};

/// Below this expected count a test that rests on the normal distribution is not to be leaned on
/// (W. G. Cochran, "Some methods for strengthening the common χ² tests", Biometrics 10 (1954)).
const EXPECTED_LEAST: f64 = 5.0;

/// A difference of shares with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The difference, from -1 to 1.
    #[serde(serialize_with = "written::share")]
    pub value: f64,
    /// Its lower bound.
    #[serde(serialize_with = "written::share")]
    pub low: f64,
    /// Its upper bound.
    #[serde(serialize_with = "written::share")]
    pub high: f64,
}

/// Two independent rates, compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwoRates {
    /// The first rate.
    pub first: Rate,
    /// The second rate.
    pub second: Rate,
    /// The second less the first (Newcombe).
    pub difference: Option<Difference>,
    /// The statistic of the two-proportion z test.
    #[serde(serialize_with = "written::maybe_result")]
    pub z: Option<f64>,
    /// Its p value.
    #[serde(serialize_with = "written::maybe_result")]
    pub p: Option<f64>,
    /// Cohen's h of the second and the first.
    #[serde(serialize_with = "written::maybe_result")]
    pub h: Option<f64>,
    /// Whether a cell is too small for the z test: an expected count below five.
    pub has_small_cells: bool,
}

impl TwoRates {
    /// Compares two rates of different domains.
    pub fn of(first: Rate, second: Rate) -> Self {
        let z = z_of(first, second);
        Self {
            first,
            second,
            difference: newcombe(first, second),
            z,
            p: z.map(normal_p),
            h: cohens_h(second, first),
            has_small_cells: least_expected(first, second) < EXPECTED_LEAST,
        }
    }
}

/// The second rate less the first, by squaring and adding the distances to the Wilson limits.
fn newcombe(first: Rate, second: Rate) -> Option<Difference> {
    let (a, b) = (first.share()?, second.share()?);
    Some(square_and_add((a, first.interval()?), (b, second.interval()?)))
}

/// The second value less the first, each with its own limits: the limits of the difference lie at
/// the root of the summed squares of the distances (R. G. Newcombe, 1998; G. Y. Zou, A. Donner,
/// "Construction of confidence limits about effect measures", Statistics in Medicine 27 (2008),
/// 1693–1702).
pub(super) fn square_and_add(first: (f64, (f64, f64)), second: (f64, (f64, f64))) -> Difference {
    let (a, (a_low, a_high)) = first;
    let (b, (b_low, b_high)) = second;
    let value = b - a;
    Difference {
        value,
        low: value - (b - b_low).hypot(a_high - a),
        high: value + (b_high - b).hypot(a - a_low),
    }
}

/// The z statistic; `None` of nothing, or where both rates are 0 or both are 1.
fn z_of(first: Rate, second: Rate) -> Option<f64> {
    let (a, b) = (first.share()?, second.share()?);
    let pooled = Rate::new(first.n + second.n, first.of + second.of).share()?;
    let variance = pooled * (1.0 - pooled) * (1.0 / first.of as f64 + 1.0 / second.of as f64);
    (variance > 0.0).then(|| (b - a) / variance.sqrt())
}

/// The least count that a cell would have if both rates were one.
fn least_expected(first: Rate, second: Rate) -> f64 {
    let (n, of) = (first.n + second.n, first.of + second.of);
    let rarer = n.min(of - n) as f64;
    rarer * first.of.min(second.of) as f64 / (of.max(1)) as f64
}

/// The distance of two shares on the arcsine scale; `None` of nothing.
pub fn cohens_h(one: Rate, other: Rate) -> Option<f64> {
    let angle = |rate: Rate| Some(2.0 * rate.share()?.sqrt().asin());
    Some(angle(one)? - angle(other)?)
}

#[cfg(test)]
mod tests {
    use super::{TwoRates, cohens_h};
    use crate::stats::Rate;

    #[test]
    fn the_difference_has_newcombes_published_limits() {
        for (one, other, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((6, 7), (2, 7), 0.0582, 0.8062),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((0, 10), (0, 20), -0.1611, 0.2775),
            ((0, 10), (0, 10), -0.2775, 0.2775),
            ((10, 10), (0, 20), 0.6791, 1.0),
        ] {
            let rate = |(n, of)| Rate::new(n, of);
            let compared = TwoRates::of(rate(other), rate(one));
            let difference = compared.difference.expect("of something");
            assert!((difference.low - low).abs() < 5e-5, "{one:?} {other:?}: {difference:?}");
            assert!((difference.high - high).abs() < 5e-5, "{one:?} {other:?}: {difference:?}");
        }
    }

    #[test]
    fn the_test_is_the_uncorrected_two_proportion_z() {
        let p = |one, other| TwoRates::of(one, other).p.expect("not all alike");
        // The published paired analysis: blocked of adopters and of non-adopters of llms.txt.
        assert!((p(Rate::new(90, 250), Rate::new(556, 1_367)) - 0.1654).abs() < 5e-5);
        // Aspirin and heart attacks: Pearson's chi-squared is 25.01.
        let aspirin = TwoRates::of(Rate::new(189, 11_034), Rate::new(104, 11_037));
        assert!(aspirin.z.is_some_and(|z| (z * z - 25.0139).abs() < 5e-4), "{aspirin:?}");
        assert_eq!(TwoRates::of(Rate::new(0, 9), Rate::new(0, 8)).p, None);
        assert_eq!(TwoRates::of(Rate::new(0, 0), Rate::new(1, 8)).difference, None);
    }

    #[test]
    fn a_test_on_small_cells_says_so() {
        let is_small = |one, other| TwoRates::of(one, other).has_small_cells;
        assert!(!is_small(Rate::new(90, 250), Rate::new(556, 1_367)));
        assert!(is_small(Rate::new(2, 250), Rate::new(3, 250)));
        assert!(is_small(Rate::new(4, 8), Rate::new(300, 600)));
    }

    #[test]
    fn the_size_is_cohens_h() {
        let h = |one, other| cohens_h(one, other).expect("of something");
        assert!((h(Rate::new(65, 100), Rate::new(45, 100)) - 0.404_860).abs() < 5e-7);
        let third = h(Rate::new(1, 2), Rate::new(1, 4));
        assert!((third - std::f64::consts::FRAC_PI_6).abs() < 1e-12);
    }
}
