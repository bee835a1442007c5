//! What a comparison found, in one sentence or two, written by rule from its numbers.
//!
//! The meaningful rate speaks, as in a run's own finding. A difference that its adjusted test cannot
//! tell from chance at the level of 5 % is said to be such, and nothing is said of why rates differ.

use super::super::numbers::{p_equation, percent, points, rate};
use crate::compare::{Comparison, LEVEL, Paired, Samples, Series, Side};

/// The finding of a comparison.
pub(super) fn finding(comparison: &Comparison) -> String {
    let runs = &comparison.runs;
    let paired = comparison.paired.as_ref().and_then(|paired| of_pair(paired, runs));
    let series = comparison.series.as_ref().and_then(|series| of_series(series, runs));
    let samples = comparison.samples.as_ref().and_then(|samples| of_samples(samples, runs));
    paired.or(series).or(samples).unwrap_or_else(|| {
        "No policy was observed in all runs, so that nothing can be said of a difference."
            .to_owned()
    })
}

/// What stands for the rate in a sentence.
const WHAT: &str =
    "restrict at least one retrieval crawler from their whole site or their primary content";

/// Whether chance alone may have made a difference.
fn verdict(p: Option<f64>) -> &'static str {
    match p {
        Some(p) if p < LEVEL => "",
        _ => " Chance alone may have made this difference.",
    }
}

/// One sample at two dates.
fn of_pair(paired: &Paired, runs: &[Side]) -> Option<String> {
    let [first, second] = runs else { return None };
    let meaningful = paired.rates.iter().find(|rate| rate.rate == "meaningful")?;
    meaningful.first.share()?;
    Some(format!(
        "Of the {} domains observed both times, {} {WHAT} at {} and {} at {}: {} percentage points \
         (95 %), {} adjusted for the three rates. {} began to and {} ceased.{}",
        paired.compared,
        part(meaningful.first),
        first.label,
        part(meaningful.second),
        second.label,
        points(meaningful.difference),
        p_equation(Some(meaningful.p_holm)),
        meaningful.began,
        meaningful.ended,
        if meaningful.began == meaningful.ended { "" } else { verdict(Some(meaningful.p_holm)) },
    ))
}

/// A rate in a sentence: `39 (72.2 %)`.
fn part(rate: crate::stats::Rate) -> String {
    format!("{} ({})", rate.n, percent(rate.share()))
}

/// A series.
fn of_series(series: &Series, runs: &[Side]) -> Option<String> {
    let meaningful = series.rates.iter().find(|rate| rate.rate == "meaningful")?;
    let (first, last) = runs.first().zip(runs.last())?;
    let rates = meaningful.panel.as_ref().map_or(&meaningful.rates, |panel| &panel.rates);
    let (before, after) = rates.first().zip(rates.last())?;
    before.share()?;
    let whose = match series.panel {
        Some(panel) => format!("Of the {panel} domains observed in every run"),
        None => "Of the domains observed in each run's own sample".to_owned(),
    };
    let slope = match (&meaningful.panel, meaningful.trend) {
        (Some(panel), _) => format!("{} percentage points a year (95 %)", points(panel.slope)),
        (None, Some(trend)) => {
            format!("{} percentage points a year", super::super::numbers::signed(trend.slope))
        }
        (None, None) => return None,
    };
    Some(format!(
        "{whose}, {} {WHAT} at {}, {} at {}: {slope}, {} adjusted for the three rates.{}",
        rate(*before),
        first.label,
        rate(*after),
        last.label,
        p_equation(meaningful.p_holm),
        verdict(meaningful.p_holm),
    ))
}

/// Different samples.
fn of_samples(samples: &Samples, runs: &[Side]) -> Option<String> {
    let meaningful = samples.rates.iter().find(|rate| rate.rate == "meaningful")?;
    let shares = meaningful.rates.iter().zip(runs);
    let mut ordered: Vec<_> = shares.filter(|(rate, _)| rate.of > 0).collect();
    ordered.sort_by(|(one, _), (other, _)| {
        one.share().unwrap_or_default().total_cmp(&other.share().unwrap_or_default())
    });
    let ((least, where_least), (most, where_most)) = ordered.first().zip(ordered.last())?;
    if ordered.len() < 2 {
        return None;
    }
    let p = match meaningful.homogeneity {
        Some(test) => Some(test.p),
        None => meaningful.pairs.first().and_then(|pair| pair.p_holm),
    };
    let test = if meaningful.homogeneity.is_some() {
        "whether all are one"
    } else {
        "adjusted for the three rates"
    };
    Some(format!(
        "Domains that {WHAT}, of those with an observed policy: from {} in {} to {} in {} ({}, \
         {test}).{}",
        rate(**least),
        where_least.label,
        rate(**most),
        where_most.label,
        p_equation(p),
        verdict(p),
    ))
}
