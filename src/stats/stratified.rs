//! A share over strata that count by weights of their own: of a population, or of a standard.
//!
//! W. G. Cochran, Sampling Techniques (1977), chapter 5, with the finite population correction
//! where a stratum's population is known. The interval is that of E. L. Korn, B. I. Graubard,
//! "Confidence intervals for proportions with small expected number of positive counts estimated
//! from survey data", Survey Methodology 24 (1998), 193–201: exact limits at the effective number.
//! Domains of a stratum that were not observed are taken to be like those that were.

use serde::{Deserialize, Serialize};

use super::difference::square_and_add;
use super::distribution::{beta_interval, students_point};
use super::{Difference, Rate, written};

/// One stratum's rate and what it counts for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The rate seen in it.
    pub rate: Rate,
    /// What it counts for, on any scale.
    pub weight: f64,
    /// The size of its population, where that is known and finite.
    pub population: Option<u64>,
}

/// A share over weighted strata.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stratified {
    /// The share.
    #[serde(serialize_with = "written::share")]
    pub share: f64,
    /// Its standard error; none where a stratum has one domain of several.
    #[serde(serialize_with = "written::maybe_share")]
    pub standard_error: Option<f64>,
    /// The lower bound of its interval.
    #[serde(serialize_with = "written::maybe_share")]
    pub low: Option<f64>,
    /// The upper bound.
    #[serde(serialize_with = "written::maybe_share")]
    pub high: Option<f64>,
    /// Domains that it rests on.
    pub of: u64,
}

impl Stratified {
    /// The share over strata; `None` where there is none, or a stratum that counts has no domain.
    pub fn of(cells: &[Cell]) -> Option<Self> {
        let counting: Vec<&Cell> = cells.iter().filter(|cell| cell.weight > 0.0).collect();
        let all: f64 = counting.iter().map(|cell| cell.weight).sum();
        let (mut share, mut variance) = (0.0, Some(0.0));
        for cell in &counting {
            let weight = cell.weight / all;
            share += weight * cell.rate.share()?;
            variance = variance.zip(cell.variance()).map(|(sum, own)| sum + weight * weight * own);
        }
        let of: u64 = counting.iter().map(|cell| cell.rate.of).sum();
        (of > 0).then_some(())?;
        let interval = variance.and_then(|variance| limits(share, variance, of, counting.len()));
        let (low, high) = interval.unzip();
        Some(Self { share, standard_error: variance.map(f64::sqrt), low, high, of })
    }

    /// The interval, where there is one.
    pub fn interval(self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }
}

impl Cell {
    /// The variance of its share; `None` of one domain of several.
    fn variance(&self) -> Option<f64> {
        let (share, n) = (self.rate.share()?, self.rate.of as f64);
        let left_out = self
            .population
            .map_or(1.0, |population| (1.0 - n / (population as f64).max(1.0)).max(0.0));
        if left_out == 0.0 {
            return Some(0.0);
        }
        (self.rate.of > 1).then(|| left_out * share * (1.0 - share) / (n - 1.0))
    }
}

/// Korn and Graubard's limits.
fn limits(share: f64, variance: f64, of: u64, strata: usize) -> Option<(f64, f64)> {
    let is_whole = share <= 0.0 || share >= 1.0;
    if variance <= 0.0 && !is_whole {
        // Every stratum was seen whole: there is no sampling error.
        return Some((share, share));
    }
    let (n, freedom) = (of as f64, of as f64 - strata as f64);
    if freedom < 1.0 {
        return None;
    }
    let effective = if is_whole { n } else { share * (1.0 - share) / variance };
    let corrected = effective * (students_point(n - 1.0)? / students_point(freedom)?).powi(2);
    beta_interval(share * corrected, corrected)
}

/// The second standardised share less the first, by their own limits.
pub fn standardised_difference(first: Stratified, second: Stratified) -> Option<Difference> {
    Some(square_and_add((first.share, first.interval()?), (second.share, second.interval()?)))
}

#[cfg(test)]
mod tests {
    use super::{Cell, Stratified, standardised_difference};
    use crate::stats::Rate;

    fn cell(n: u64, of: u64, population: u64) -> Cell {
        Cell { rate: Rate::new(n, of), weight: population as f64, population: Some(population) }
    }

    #[test]
    fn the_estimate_is_cochrans_and_its_limits_korn_and_graubards() {
        // Californian schools by type, stratified: T. Lumley's survey package, data `api`.
        let schools = [cell(91, 100, 4_421), cell(26, 50, 755), cell(35, 50, 1_018)];
        let estimate = Stratified::of(&schools).expect("of something");
        assert!((estimate.share - 0.827_948).abs() < 5e-7, "{estimate:?}");
        assert!(estimate.standard_error.is_some_and(|error| (error - 0.024_345).abs() < 5e-7));
        let (low, high) = estimate.interval().expect("an interval");
        // Quantiles of the beta distribution at an effective number of 240.35, by SciPy.
        assert!((low - 0.774_17).abs() < 5e-6 && (high - 0.873_43).abs() < 5e-6, "{estimate:?}");
        assert_eq!(estimate.of, 200);
    }

    #[test]
    fn equal_strata_without_a_population_weigh_as_they_are() {
        let cells = [(3, 10), (5, 10)].map(|(n, of)| Cell {
            rate: Rate::new(n, of),
            weight: 1.0,
            population: None,
        });
        let estimate = Stratified::of(&cells).expect("of something");
        assert!((estimate.share - 0.4).abs() < 1e-12);
    }

    #[test]
    fn what_was_seen_whole_has_no_sampling_error() {
        let estimate = Stratified::of(&[cell(3, 10, 10), cell(1, 4, 4)]).expect("of something");
        assert_eq!(estimate.interval(), Some((estimate.share, estimate.share)));
    }

    #[test]
    fn at_the_ends_the_limits_are_those_of_the_plain_number() {
        let none = Stratified::of(&[cell(0, 10, 100), cell(0, 10, 100)]).expect("of something");
        let (low, high) = none.interval().expect("an interval");
        assert!(low == 0.0 && (high - 0.1684).abs() < 5e-3, "{none:?}");
    }

    #[test]
    fn a_stratum_without_a_domain_leaves_no_estimate_and_one_of_several_no_interval() {
        assert_eq!(Stratified::of(&[cell(1, 10, 100), cell(0, 0, 9)]), None);
        assert_eq!(Stratified::of(&[]), None);
        let single = Stratified::of(&[cell(1, 10, 100), cell(0, 1, 9)]).expect("of something");
        assert_eq!((single.standard_error, single.interval()), (None, None));
        let counted_out = Cell { weight: 0.0, ..cell(0, 0, 9) };
        assert!(Stratified::of(&[cell(1, 10, 100), counted_out]).is_some());
    }

    #[test]
    fn standardised_shares_differ_by_their_own_limits() {
        let stratified = |n| Stratified::of(&[cell(n, 50, 1_000)]).expect("of something");
        let difference = standardised_difference(stratified(10), stratified(20)).expect("limits");
        assert!((difference.value - 0.2).abs() < 1e-12);
        assert!(difference.low > 0.0 && difference.high < 0.4, "{difference:?}");
    }
}
