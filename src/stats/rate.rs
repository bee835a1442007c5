//! A proportion with its Wilson score interval, and the exact one for who asks.
//!
//! E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
//! the American Statistical Association 22 (1927), 209–212; without continuity correction.
//! C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case
//! of the binomial", Biometrika 26 (1934), 404–413. Values of both: R. G. Newcombe, "Two-sided
//! confidence intervals for the single proportion", Statistics in Medicine 17 (1998), 857–872.

use serde::{Deserialize, Serialize};

use super::distribution::{Z, beta_interval};
use super::written;

/// A denominator below this is called small wherever its rate is shown: its interval is some
/// 35 points wide, and one domain moves the rate by more than three.
const SMALL: u64 = 30;

/// A count of a denominator. A rate is never held without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Written", from = "Written")]
pub struct Rate {
    /// How many.
    pub n: u64,
    /// Of how many.
    pub of: u64,
}

/// A rate as it is written: with share and interval, which follow from the counts.
#[derive(Serialize, Deserialize)]
struct Written {
    n: u64,
    of: u64,
    #[serde(serialize_with = "written::maybe_share")]
    share: Option<f64>,
    #[serde(serialize_with = "written::maybe_share")]
    low: Option<f64>,
    #[serde(serialize_with = "written::maybe_share")]
    high: Option<f64>,
}

impl Rate {
    /// `n` of `of`.
    pub fn new(n: u64, of: u64) -> Self {
        Self { n, of }
    }

    /// Counts one more, in the numerator too where it `holds`.
    pub fn count(&mut self, holds: bool) {
        self.n += u64::from(holds);
        self.of += 1;
    }

    /// The share, from 0 to 1; `None` of nothing.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.n as f64 / self.of as f64)
    }

    /// The Wilson 95 % interval, from 0 to 1; `None` of nothing.
    pub fn interval(self) -> Option<(f64, f64)> {
        let share = self.share()?;
        let of = self.of as f64;
        let spread = Z * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
        let centre = share + Z * Z / (2.0 * of);
        let scale = 1.0 + Z * Z / of;
        // The bounds at 0 and at `of` are exact; the formula would leave a rounding error there.
        let low = if self.n == 0 { 0.0 } else { (centre - spread) / scale };
        let high = if self.n == self.of { 1.0 } else { (centre + spread) / scale };
        Some((low, high))
    }

    /// The Clopper–Pearson 95 % interval, which never covers less than it says; `None` of nothing.
    pub fn exact_interval(self) -> Option<(f64, f64)> {
        self.share()?;
        beta_interval(self.n as f64, self.of as f64)
    }

    /// Whether the denominator is too small for the rate to be read without its interval.
    pub fn is_small(self) -> bool {
        self.of < SMALL
    }
}

impl From<Rate> for Written {
    fn from(rate: Rate) -> Self {
        let (low, high) = rate.interval().unzip();
        Self { n: rate.n, of: rate.of, share: rate.share(), low, high }
    }
}

impl From<Written> for Rate {
    fn from(written: Written) -> Self {
        Self { n: written.n, of: written.of }
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    /// Percentages to one decimal.
    fn percent(rate: Rate) -> (f64, f64, f64) {
        let tenth = |value: f64| (value * 1_000.0).round() / 10.0;
        let (low, high) = rate.interval().expect("of something");
        (tenth(rate.share().expect("of something")), tenth(low), tenth(high))
    }

    #[test]
    fn the_interval_is_wilsons() {
        for (n, of, expected) in [
            (261, 619, (42.2, 38.3, 46.1)),
            (133, 314, (42.4, 37.0, 47.9)),
            (58, 174, (33.3, 26.8, 40.6)),
            (660, 1_643, (40.2, 37.8, 42.6)),
            (284, 1_894, (15.0, 13.5, 16.7)),
            (0, 20, (0.0, 0.0, 16.1)),
            (20, 20, (100.0, 83.9, 100.0)),
        ] {
            assert_eq!(percent(Rate::new(n, of)), expected, "{n}/{of}");
        }
    }

    /// Whether a published interval, to so many digits, is this one.
    fn is_published(
        interval: Option<(f64, f64)>,
        published: (f64, f64),
        half_a_digit: f64,
    ) -> bool {
        interval.is_some_and(|(low, high)| {
            (low - published.0).abs() <= half_a_digit && (high - published.1).abs() <= half_a_digit
        })
    }

    #[test]
    fn wilsons_interval_has_newcombes_published_values() {
        for (n, of, published) in [
            (81, 263, (0.2553, 0.3662)),
            (15, 148, (0.0624, 0.1605)),
            (0, 20, (0.0, 0.1611)),
            (1, 29, (0.0061, 0.1718)),
        ] {
            assert!(is_published(Rate::new(n, of).interval(), published, 5e-5), "{n}/{of}");
        }
    }

    #[test]
    fn the_exact_interval_has_newcombes_and_conovers_published_values() {
        for (n, of, published) in [
            (81, 263, (0.2527, 0.3676)),
            (15, 148, (0.0578, 0.1617)),
            (0, 20, (0.0, 0.1684)),
            (1, 29, (0.0009, 0.1776)),
        ] {
            assert!(is_published(Rate::new(n, of).exact_interval(), published, 5e-5), "{n}/{of}");
        }
        // Mendel's peas, W. J. Conover, Practical Nonparametric Statistics (1971), 97–104.
        let peas = Rate::new(682, 925).exact_interval();
        assert!(is_published(peas, (0.707_668_3, 0.765_406_6), 5e-8), "{peas:?}");
    }

    #[test]
    fn nothing_has_no_rate() {
        let nothing = Rate::new(0, 0);
        assert_eq!((nothing.share(), nothing.interval()), (None, None));
        assert_eq!(nothing.exact_interval(), None);
    }

    #[test]
    fn a_rate_is_written_with_its_denominator_and_read_back() {
        let json = serde_json::to_string(&Rate::new(1, 3)).expect("plain numbers");
        assert_eq!(json, r#"{"n":1,"of":3,"share":0.333333,"low":0.061492,"high":0.79234}"#);
        let nothing = serde_json::to_string(&Rate::new(0, 0)).expect("plain numbers");
        assert_eq!(nothing, r#"{"n":0,"of":0,"share":null,"low":null,"high":null}"#);
        assert_eq!(serde_json::from_str::<Rate>(&json).expect("a rate"), Rate::new(1, 3));
    }
}
