//! Several independent rates: whether they are one, and whether they rise or fall in order.
//!
//! Pearson's chi-squared for k rates. P. Armitage, "Tests for linear trends in proportions and
//! frequencies", Biometrics 11 (1955), 375–386; W. G. Cochran, "Some methods for strengthening the
//! common χ² tests", Biometrics 10 (1954), 417–451. Worked values: A. Agresti, Categorical Data
//! Analysis (2002), section 3.4, and R's `prop.test`.

use serde::{Deserialize, Serialize};

use super::distribution::{chi_squared_p, normal_p};
use super::{Rate, written};

/// Whether several rates of different domains are one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Homogeneity {
    /// Pearson's chi-squared.
    #[serde(serialize_with = "written::result")]
    pub chi_squared: f64,
    /// Its degrees of freedom.
    pub freedom: usize,
    /// Its p value.
    #[serde(serialize_with = "written::result")]
    pub p: f64,
}

impl Homogeneity {
    /// Tests rates of different domains; `None` where all are 0, all are 1 or one is of nothing.
    pub fn of(rates: &[Rate]) -> Option<Self> {
        let pooled = pooled(rates)?;
        let mut chi_squared = 0.0;
        for rate in rates {
            chi_squared += rate.of as f64 * (rate.share()? - pooled).powi(2);
        }
        chi_squared /= pooled * (1.0 - pooled);
        let freedom = rates.len().checked_sub(1)?;
        Some(Self { chi_squared, freedom, p: chi_squared_p(chi_squared, freedom)? })
    }
}

/// A linear trend over rates of different domains, each with its place (a time, say).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Armitage {
    /// The rise of the share for one unit of the places.
    #[serde(serialize_with = "written::share")]
    pub slope: f64,
    /// The statistic.
    #[serde(serialize_with = "written::result")]
    pub z: f64,
    /// Its p value.
    #[serde(serialize_with = "written::result")]
    pub p: f64,
}

impl Armitage {
    /// Tests rates at places; `None` where all rates are 0, all are 1 or all places are one.
    pub fn of(points: &[(f64, Rate)]) -> Option<Self> {
        let rates: Vec<Rate> = points.iter().map(|(_, rate)| *rate).collect();
        let pooled = pooled(&rates)?;
        let of: f64 = rates.iter().map(|rate| rate.of as f64).sum();
        let mean = points.iter().map(|(at, rate)| at * rate.of as f64).sum::<f64>() / of;
        let spread: f64 =
            points.iter().map(|(at, rate)| rate.of as f64 * (at - mean).powi(2)).sum();
        if spread <= 0.0 {
            return None;
        }
        let rise: f64 = points
            .iter()
            .map(|(at, rate)| (at - mean) * (rate.n as f64 - rate.of as f64 * pooled))
            .sum();
        let z = rise / (pooled * (1.0 - pooled) * spread).sqrt();
        Some(Self { slope: rise / spread, z, p: normal_p(z) })
    }
}

/// The share over all; `None` of nothing, and where it is 0 or 1, so that nothing can be tested.
fn pooled(rates: &[Rate]) -> Option<f64> {
    let all =
        Rate::new(rates.iter().map(|rate| rate.n).sum(), rates.iter().map(|rate| rate.of).sum());
    all.share().filter(|share| *share > 0.0 && *share < 1.0)
}

#[cfg(test)]
mod tests {
    use super::{Armitage, Homogeneity};
    use crate::stats::Rate;

    #[test]
    fn several_rates_are_tested_as_pearson_does() {
        // Smokers among lung cancer patients of four hospitals: R's documentation, after Fleiss.
        let smokers = [(83, 86), (90, 93), (129, 136), (70, 82)].map(|(n, of)| Rate::new(n, of));
        let test = Homogeneity::of(&smokers).expect("not all alike");
        assert!((test.chi_squared - 12.6004).abs() < 5e-5, "{test:?}");
        assert_eq!(test.freedom, 3);
        assert!((test.p - 0.005585).abs() < 5e-7, "{test:?}");
        assert_eq!(Homogeneity::of(&[Rate::new(0, 5), Rate::new(0, 7)]), None);
        assert_eq!(Homogeneity::of(&[Rate::new(1, 5), Rate::new(0, 0)]), None);
    }

    #[test]
    fn a_trend_is_tested_as_cochran_and_armitage_do() {
        // Alcohol and malformation: Agresti's M² of 6.57, which is (n-1)/n of this statistic.
        let points =
            [(0.0, 48, 17_066), (0.5, 38, 14_464), (1.5, 5, 788), (4.0, 1, 126), (7.0, 1, 37)]
                .map(|(at, n, without)| (at, Rate::new(n, n + without)));
        let trend = Armitage::of(&points).expect("not all alike");
        assert!((trend.z * trend.z - 6.57).abs() < 5e-3, "{trend:?}");
        assert!((trend.p - 0.0104).abs() < 5e-5, "{trend:?}");
        assert_eq!(Armitage::of(&[(1.0, Rate::new(1, 5)), (1.0, Rate::new(2, 5))]), None);
    }
}
