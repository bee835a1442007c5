//! One thing seen twice on the same domains: the paired difference and McNemar's test.
//!
//! R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions
//! based on paired data", Statistics in Medicine 17 (1998), 2635–2650, method 10. Q. McNemar, "Note
//! on the sampling error of the difference between correlated proportions", Psychometrika 12
//! (1947), 153–157; M. W. Fagerland, S. Lydersen, P. Laake, "The McNemar test for binary
//! matched-pairs data: mid-p and asymptotic are better than exact conditional", BMC Medical
//! Research Methodology 13 (2013), 91, on the mid-p value, which is the one reported first.

use serde::{Deserialize, Serialize};

use super::distribution::{fair_coin_mid_p, fair_coin_p};
use super::{Bounds, Difference, Rate};

/// Domains by what was seen of them the first time and the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    /// It held both times.
    pub both: u64,
    /// It held the first time alone.
    pub first_only: u64,
    /// It held the second time alone.
    pub second_only: u64,
    /// It held neither time.
    pub neither: u64,
}

impl Pairs {
    /// Counts a domain.
    pub fn count(&mut self, first: bool, second: bool) {
        match (first, second) {
            (true, true) => self.both += 1,
            (true, false) => self.first_only += 1,
            (false, true) => self.second_only += 1,
            (false, false) => self.neither += 1,
        }
    }

    /// All domains.
    pub fn of(self) -> u64 {
        self.both + self.first_only + self.second_only + self.neither
    }

    /// How often it held the first time.
    pub fn first(self) -> Rate {
        Rate::new(self.both + self.first_only, self.of())
    }

    /// How often it held the second time.
    pub fn second(self) -> Rate {
        Rate::new(self.both + self.second_only, self.of())
    }

    /// The exact p value of McNemar's test: whether changes go both ways alike.
    pub fn exact_p(self) -> f64 {
        fair_coin_p(self.first_only.min(self.second_only), self.first_only + self.second_only)
    }

    /// The mid-p value of McNemar's test, less conservative than the exact one.
    pub fn mid_p(self) -> f64 {
        fair_coin_mid_p(self.first_only.min(self.second_only), self.first_only + self.second_only)
    }

    /// The second rate less the first (Newcombe, paired); `None` of nothing.
    pub fn difference(self) -> Option<Difference> {
        let (first, second) = (self.first().share()?, self.second().share()?);
        let (first_low, first_high) = self.first().interval()?;
        let (second_low, second_high) = self.second().interval()?;
        let phi = self.phi();
        let root = |one: f64, other: f64| {
            // Rounding may leave a tiny negative where the two distances are one.
            (one * one - 2.0 * phi * one * other + other * other).max(0.0).sqrt()
        };
        let value = second - first;
        Some(Difference {
            value,
            low: value - root(second - second_low, first_high - first),
            high: value + root(second_high - second, first - first_low),
        })
    }

    /// What the change can at worst be over the `unpaired` domains that were not seen both times
    /// as well: each of them may have moved either way.
    pub fn change_bounds(self, unpaired: u64) -> Option<(f64, f64)> {
        let all = (self.of() + unpaired) as f64;
        let moved = self.second_only as f64 - self.first_only as f64;
        (all > 0.0).then(|| ((moved - unpaired as f64) / all, (moved + unpaired as f64) / all))
    }

    /// The correlation of the two, corrected as Newcombe's method asks.
    fn phi(self) -> f64 {
        let [e, f, g, h] =
            [self.both, self.first_only, self.second_only, self.neither].map(|count| count as f64);
        let margins = (e + f) * (g + h) * (e + g) * (f + h);
        if margins <= 0.0 {
            return 0.0;
        }
        let (surplus, half) = (e * h - f * g, self.of() as f64 / 2.0);
        let corrected = if surplus > half {
            surplus - half
        } else if surplus >= 0.0 {
            0.0
        } else {
            surplus
        };
        corrected / margins.sqrt()
    }
}

/// The bounds of a rate whose unobserved domains are known.
impl From<(Rate, u64)> for Bounds {
    fn from((rate, unobserved): (Rate, u64)) -> Self {
        Self { n: rate.n, unobserved, of: rate.of + unobserved }
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    fn pairs(both: u64, first_only: u64, second_only: u64, neither: u64) -> Pairs {
        Pairs { both, first_only, second_only, neither }
    }

    #[test]
    fn the_test_is_mcnemars() {
        for (first_only, second_only, exact, mid) in [
            // Approval of a president in two surveys: R's documentation, after Agresti (1990), 350.
            (150, 86, 3.716e-5, None),
            (121, 59, 4.434_449e-6, Some(3.266_65e-6)),
            (9, 2, 0.065_429_7, Some(0.038_574_2)),
        ] {
            let test = pairs(0, first_only, second_only, 0);
            assert!((test.exact_p() / exact - 1.0).abs() < 1e-4, "{test:?}: {}", test.exact_p());
            assert!(mid.is_none_or(|mid| (test.mid_p() / mid - 1.0).abs() < 1e-5), "{test:?}");
        }
        let still = pairs(3, 0, 0, 4);
        assert_eq!((still.exact_p(), still.mid_p()), (1.0, 1.0), "nothing changed");
        let alike = pairs(3, 5, 5, 4);
        assert_eq!(alike.exact_p(), 1.0);
        assert!(alike.mid_p() <= 1.0);
    }

    #[test]
    fn the_difference_has_newcombes_published_limits() {
        // Newcombe takes the first less the second; here it is the second less the first.
        let difference = pairs(36, 12, 2, 0).difference().expect("of something");
        assert!((difference.high + 0.0569).abs() < 5e-5, "{difference:?}");
        assert!((difference.low + 0.3404).abs() < 5e-5, "{difference:?}");
        let empty = pairs(0, 0, 0, 50).difference().expect("of something");
        assert!((empty.high - 0.0713).abs() < 5e-5 && (empty.low + 0.0713).abs() < 5e-5);
        assert_eq!(Pairs::default().difference(), None);
    }

    #[test]
    fn a_change_is_bounded_by_who_was_not_seen_twice() {
        let (low, high) = pairs(60, 2, 14, 599).change_bounds(133).expect("of something");
        assert!((low + 121.0 / 808.0).abs() < 1e-12 && (high - 145.0 / 808.0).abs() < 1e-12);
        assert_eq!(Pairs::default().change_bounds(0), None);
    }

    #[test]
    fn a_domain_is_counted_in_one_cell() {
        let mut counted = Pairs::default();
        for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
            counted.count(first, second);
        }
        assert_eq!(counted, pairs(1, 1, 1, 1));
        assert_eq!((counted.first().n, counted.second().n, counted.of()), (2, 2, 4));
    }
}
