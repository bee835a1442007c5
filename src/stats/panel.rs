//! One thing seen several times on the same domains: its trend.
//!
//! The slope is the mean of the domains' own least-squares slopes, which is the slope of a linear
//! model of the share with independent working correlation; its interval takes the spread of these
//! slopes over the domains, and so is right whatever the sightings of a domain have to do with one
//! another (K.-Y. Liang, S. L. Zeger, "Longitudinal data analysis using generalized linear models",
//! Biometrika 73 (1986), 13–22). The test is the sign test on the slopes of the domains that
//! moved, by mid-p: with two sightings it is McNemar's. Whether the rates differ at all is W. G.
//! Cochran's Q, "The comparison of percentages in matched samples", Biometrika 37 (1950), 256–266.

use serde::{Deserialize, Serialize};

use super::distribution::{Z, chi_squared_p, fair_coin_mid_p};
use super::{Difference, Rate, written};

/// Below this a slope counts as none: what rounding leaves of a sum of zero.
const LEVEL: f64 = 1e-9;

/// Domains while they are counted.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The places of the sightings less their mean.
    places: Vec<f64>,
    held: Vec<u64>,
    domains: u64,
    rising: u64,
    falling: u64,
    slopes: f64,
    squared_slopes: f64,
    squared_sums: u64,
}

/// The trend over a panel of domains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PanelTrend {
    /// The rate at each sighting.
    pub rates: Vec<Rate>,
    /// Domains whose own slope rises.
    pub rising: u64,
    /// Domains whose own slope falls.
    pub falling: u64,
    /// The rise of the share for one unit of the places, with its interval; none where no domain
    /// moved or all places are one.
    pub slope: Option<Difference>,
    /// The mid-p value of the sign test on the slopes.
    #[serde(serialize_with = "written::result")]
    pub p: f64,
    /// Cochran's Q, which asks whether the rates differ at all; none where no domain moved.
    #[serde(serialize_with = "written::maybe_result")]
    pub q: Option<f64>,
    /// Its p value.
    #[serde(serialize_with = "written::maybe_result")]
    pub q_p: Option<f64>,
}

impl Panel {
    /// No domain counted yet; one place a sighting, such as its time in years.
    pub fn new(places: &[f64]) -> Self {
        let mean = places.iter().sum::<f64>() / places.len().max(1) as f64;
        Self {
            places: places.iter().map(|place| place - mean).collect(),
            held: vec![0; places.len()],
            domains: 0,
            rising: 0,
            falling: 0,
            slopes: 0.0,
            squared_slopes: 0.0,
            squared_sums: 0,
        }
    }

    /// Counts a domain by what was seen of it each time.
    pub fn count(&mut self, sightings: &[bool]) {
        self.domains += 1;
        let mut slope = 0.0;
        let mut sum = 0;
        for ((place, held), &holds) in self.places.iter().zip(&mut self.held).zip(sightings) {
            *held += u64::from(holds);
            sum += u64::from(holds);
            slope += if holds { *place } else { 0.0 };
        }
        self.rising += u64::from(slope > LEVEL);
        self.falling += u64::from(slope < -LEVEL);
        let spread: f64 = self.places.iter().map(|place| place * place).sum();
        if spread > 0.0 {
            self.slopes += slope / spread;
            self.squared_slopes += (slope / spread).powi(2);
        }
        self.squared_sums += sum * sum;
    }

    /// The trend.
    pub fn finish(self) -> PanelTrend {
        let q = self.q();
        let freedom = self.held.len().saturating_sub(1);
        PanelTrend {
            rates: self.held.iter().map(|&held| Rate::new(held, self.domains)).collect(),
            rising: self.rising,
            falling: self.falling,
            slope: self.slope(),
            p: fair_coin_mid_p(self.rising.min(self.falling), self.rising + self.falling),
            q,
            q_p: q.and_then(|q| chi_squared_p(q, freedom)),
        }
    }

    /// The mean slope with its interval.
    fn slope(&self) -> Option<Difference> {
        if self.rising + self.falling == 0 || self.domains < 2 {
            return None;
        }
        let n = self.domains as f64;
        let value = self.slopes / n;
        let variance = (self.squared_slopes - n * value * value).max(0.0) / (n - 1.0);
        let reach = Z * (variance / n).sqrt();
        Some(Difference { value, low: value - reach, high: value + reach })
    }

    /// Cochran's Q.
    fn q(&self) -> Option<f64> {
        let k = self.held.len() as f64;
        let total: u64 = self.held.iter().sum();
        let squares: u64 = self.held.iter().map(|held| held * held).sum();
        let spread = k * total as f64 - self.squared_sums as f64;
        let surplus = k * squares as f64 - (total * total) as f64;
        (spread > 0.0).then(|| (k - 1.0) * surplus / spread)
    }
}

#[cfg(test)]
mod tests {
    use super::Panel;
    use crate::stats::Pairs;

    #[test]
    fn the_difference_at_all_is_cochrans_q() {
        // Three drugs, favourable or not: the example of the SAS documentation.
        let mut panel = Panel::new(&[0.0, 1.0, 2.0]);
        let drugs = [
            ("FFF", 6),
            ("FFU", 16),
            ("FUF", 2),
            ("FUU", 4),
            ("UFF", 2),
            ("UFU", 4),
            ("UUF", 6),
            ("UUU", 6),
        ];
        for (answers, times) in drugs {
            let held: Vec<bool> = answers.chars().map(|answer| answer == 'F').collect();
            (0..times).for_each(|_| panel.count(&held));
        }
        let trend = panel.finish();
        assert!(trend.q.is_some_and(|q| (q - 8.470_588).abs() < 5e-7), "{trend:?}");
        assert!(trend.q_p.is_some_and(|p| (p - 0.014_475_6).abs() < 5e-8), "{trend:?}");
    }

    #[test]
    fn two_sightings_are_mcnemars_test_and_the_difference() {
        let (mut panel, mut pairs) = (Panel::new(&[2022.0, 2024.0]), Pairs::default());
        let cells =
            [((true, true), 36), ((true, false), 2), ((false, true), 9), ((false, false), 3)];
        for ((first, second), times) in cells {
            for _ in 0..times {
                panel.count(&[first, second]);
                pairs.count(first, second);
            }
        }
        let trend = panel.finish();
        assert!((trend.p - pairs.mid_p()).abs() < 1e-12 && (trend.p - 0.038_574_2).abs() < 5e-8);
        // Seven of fifty more in two years.
        assert!(trend.slope.is_some_and(|slope| (slope.value - 0.07).abs() < 1e-12));
        assert_eq!((trend.rising, trend.falling), (9, 2));
    }

    #[test]
    fn where_nothing_moved_there_is_no_slope() {
        let mut panel = Panel::new(&[0.0, 1.0, 2.0]);
        (0..9).for_each(|domain| panel.count(&[domain > 4; 3]));
        let trend = panel.finish();
        assert_eq!((trend.slope, trend.q, trend.p), (None, None, 1.0));
        // Up and down again is no trend, though the rates differ.
        let mut panel = Panel::new(&[0.0, 1.0, 2.0]);
        (0..9).for_each(|_| panel.count(&[false, true, false]));
        let trend = panel.finish();
        assert_eq!((trend.rising, trend.falling, trend.p), (0, 0, 1.0));
        assert!(trend.q_p.is_some_and(|p| p < 0.01));
    }
}
