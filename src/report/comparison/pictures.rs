//! The pictures of a comparison, each for the section whose numbers it shows.

use super::super::numbers::{NONE, points, signed};
use crate::compare::{Comparison, Paired, SampleRate, Samples, Series, SeriesRate, Side};
use crate::report::html::courses::{Course, courses};
use crate::report::html::differences::{DifferenceRow, differences};
use crate::report::html::marks::{MarksRow, SAMPLES_MOST, marks};
use crate::report::html::matrix::matrix;
use crate::report::html::pictures::{PartsRow, RateRow, parts, rates};
use crate::stats::{Difference, Rate};

/// A picture with what it shows in words and what its colours mean.
pub(super) struct Pictured {
    pub(super) svg: String,
    pub(super) says: String,
    /// Classes and names.
    pub(super) legend: Vec<(&'static str, &'static str)>,
}

/// The picture of a section, if it has one.
pub(super) fn pictured(id: &str, comparison: &Comparison) -> Option<Pictured> {
    let runs = &comparison.runs;
    if id == "classes" {
        return Some(classes(runs));
    }
    if let Some(paired) = &comparison.paired {
        return of_pair(id, paired, runs);
    }
    if let Some(series) = &comparison.series {
        return of_series(id, series, runs);
    }
    comparison.samples.as_ref().and_then(|samples| of_samples(id, samples, runs))
}

/// A picture without a legend.
fn plain(says: &str, draw: impl FnOnce(&str) -> String) -> Pictured {
    Pictured { svg: draw(says), says: says.to_owned(), legend: Vec::new() }
}

/// The pictures of two dates.
fn of_pair(id: &str, paired: &Paired, runs: &[Side]) -> Option<Pictured> {
    match id {
        "rates" => {
            let named = paired
                .rates
                .iter()
                .chain([&paired.adoption])
                .map(|rate| (rate.rate.as_str(), vec![rate.first, rate.second]));
            Some(drawn_courses(named, &[0.0, 1.0], runs))
        }
        "transitions" => Some(transitions(paired, runs)),
        "crawlers" => {
            let rows: Vec<DifferenceRow> = paired
                .crawlers
                .iter()
                .map(|crawler| {
                    let difference = crawler.blocked.difference;
                    row(&crawler.crawler, difference, crawler.is_baseline)
                })
                .collect();
            Some(plain(
                "Change of the share that blocks each crawler, in percentage points, with its \
                 95 % interval; an interval that holds 0 is compatible with no change.",
                |says| differences(&rows, says),
            ))
        }
        _ => None,
    }
}

/// Rates from moment to moment.
fn drawn_courses<'a>(
    named: impl Iterator<Item = (&'a str, Vec<Rate>)>,
    places: &[f64],
    runs: &[Side],
) -> Pictured {
    let drawn: Vec<Course<'_>> = named
        .filter(|(_, rates)| rates.iter().any(|rate| rate.of > 0))
        .map(|(name, rates)| Course { label: name, class: name, rates })
        .collect();
    let moments: Vec<&str> = runs.iter().map(|side| side.label.as_str()).collect();
    plain(
        "Each rate from run to run; the upright lines are 95 % intervals, set apart so that they \
         can be told from one another.",
        |says| courses(&drawn, places, &moments, says),
    )
}

/// A difference as a row.
fn row(label: &str, difference: Option<Difference>, is_reference: bool) -> DifferenceRow {
    DifferenceRow {
        label: marked(label, is_reference),
        value: difference.map(|difference| difference.value),
        interval: difference.map(|difference| (difference.low, difference.high)),
        written: points(difference),
        is_reference,
    }
}

/// How many standings are access classes, the most restrictive first.
const CLASSES: usize = 5;

/// How domains moved.
fn transitions(paired: &Paired, runs: &[Side]) -> Pictured {
    let counts = &paired.transitions.counts;
    let occurs = |at: usize| {
        counts[at].iter().sum::<u64>() > 0 || counts.iter().map(|row| row[at]).sum::<u64>() > 0
    };
    // The classes and the two infrastructure outcomes always stand there, the others where they occur.
    let shown: Vec<usize> =
        (0..counts.len()).filter(|&at| at < CLASSES + 2 || occurs(at)).collect();
    let names: Vec<String> =
        shown.iter().map(|&at| paired.transitions.standings[at].replace('_', " ")).collect();
    let cells: Vec<Vec<u64>> =
        shown.iter().map(|&from| shown.iter().map(|&to| counts[from][to]).collect()).collect();
    let class = |from: usize, to: usize| match (shown[from], shown[to]) {
        (from, to) if from == to => "same",
        (from, to) if from >= CLASSES || to >= CLASSES => "infrastructure",
        (from, to) if to < from => "closed",
        _ => "opened",
    };
    let label = |at: usize| runs.get(at).map_or(NONE, |side| side.label.as_str());
    let says = format!(
        "The row is where a domain stood at {}, the column where it stands at {}; a square has the \
         area of its number.",
        label(0),
        label(1)
    );
    Pictured {
        svg: matrix(&names, &cells, class, &says),
        says,
        legend: vec![
            ("same", "stayed"),
            ("closed", "became more restrictive"),
            ("opened", "became less restrictive"),
            ("infrastructure", "policy not observed at least once"),
        ],
    }
}

/// The pictures of a series.
fn of_series(id: &str, series: &Series, runs: &[Side]) -> Option<Pictured> {
    match id {
        "rates" => {
            let all = series.rates.iter().chain([&series.adoption]);
            let named = all.map(|rate| (rate.rate.as_str(), rate.rates.clone()));
            Some(drawn_courses(named, &series.years, runs))
        }
        "trends" => Some(slopes(&series.rates, None)),
        "crawlers" => {
            let baseline = runs.first().and_then(|side| side.summary.baseline_crawler());
            Some(slopes(&series.crawlers, baseline))
        }
        _ => None,
    }
}

/// Rises a year.
fn slopes(rates: &[SeriesRate], baseline: Option<&str>) -> Pictured {
    let rows: Vec<DifferenceRow> = rates
        .iter()
        .map(|rate| {
            let is_reference = baseline == Some(rate.rate.as_str());
            match (&rate.panel, rate.trend) {
                (None, Some(trend)) => DifferenceRow {
                    value: Some(trend.slope),
                    written: signed(trend.slope),
                    ..row(&rate.rate, None, is_reference)
                },
                (panel, _) => {
                    row(&rate.rate, panel.as_ref().and_then(|panel| panel.slope), is_reference)
                }
            }
        })
        .collect();
    let intervals =
        if rows.iter().any(|row| row.interval.is_some()) { ", with its 95 % interval" } else { "" };
    plain(&format!("Rise of each rate a year, in percentage points{intervals}."), |says| {
        differences(&rows, says)
    })
}

/// The pictures of different samples.
fn of_samples(id: &str, samples: &Samples, runs: &[Side]) -> Option<Pictured> {
    if id == "pairs" {
        return Some(pairs(samples, runs));
    }
    if id == "crawlers" {
        return (runs.len() <= SAMPLES_MOST).then(|| crawlers(samples, runs));
    }
    let rate = samples.rates.iter().chain([&samples.adoption]).find(|rate| rate.rate == id)?;
    Some(side_by_side(rate, runs))
}

/// One rate in each sample.
fn side_by_side(rate: &SampleRate, runs: &[Side]) -> Pictured {
    let drawn: Vec<RateRow<'_>> = runs
        .iter()
        .zip(&rate.rates)
        .zip(&rate.bounds)
        .map(|((side, own), worst)| RateRow {
            label: &side.label,
            rate: *own,
            worst: Some(*worst),
            is_reference: false,
        })
        .collect();
    plain(
        "The line is the 95 % interval; the pale band reaches from counting every domain that was \
         not observed as open to counting it as restricted.",
        |says| rates(&drawn, says),
    )
}

/// Every crawler in each sample.
fn crawlers(samples: &Samples, runs: &[Side]) -> Pictured {
    let names: Vec<&str> = runs.iter().map(|side| side.label.as_str()).collect();
    let rows: Vec<MarksRow> = samples
        .crawlers
        .iter()
        .map(|crawler| MarksRow {
            label: marked(&crawler.crawler, crawler.is_baseline),
            rates: crawler.blocked.clone(),
        })
        .collect();
    plain(
        "Share of each sample's policy_observed that blocks each crawler from the whole site or \
         primary content; the tests stand in the numbers.",
        |says| marks(&names, &rows, says),
    )
}

/// A crawler's name, the baseline's marked.
fn marked(name: &str, is_baseline: bool) -> String {
    if is_baseline { format!("{name} =") } else { name.to_owned() }
}

/// Every two samples compared.
fn pairs(samples: &Samples, runs: &[Side]) -> Pictured {
    let label = |at: usize| runs.get(at).map_or(NONE, |side| side.label.as_str());
    let rows: Vec<DifferenceRow> = samples
        .rates
        .iter()
        .flat_map(|rate| rate.pairs.iter().map(move |pair| (rate, pair)))
        .map(|(rate, pair)| {
            let name = format!("{}: {} → {}", rate.rate, label(pair.first), label(pair.second));
            row(&name, pair.compared.difference, false)
        })
        .collect();
    plain(
        "The second sample's rate less the first's, in percentage points, with its 95 % interval; \
         an interval that holds 0 is compatible with no difference.",
        |says| differences(&rows, says),
    )
}

/// Access classes in each run.
fn classes(runs: &[Side]) -> Pictured {
    let drawn: Vec<PartsRow<'_>> = runs
        .iter()
        .map(|side| PartsRow {
            label: side.label.clone(),
            parts: side
                .summary
                .classes
                .named()
                .map(|(name, n)| (name, n, name.to_owned()))
                .to_vec(),
        })
        .collect();
    let says = "Access classes within each run, of its domains with an observed policy.";
    Pictured {
        svg: parts(&drawn, false, says),
        says: says.to_owned(),
        legend: vec![
            ("whole_site", "whole_site"),
            ("primary", "primary"),
            ("secondary", "secondary"),
            ("functionally_open", "functionally_open"),
            ("fully_open", "fully_open"),
        ],
    }
}
