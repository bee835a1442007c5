//! More than two dates: every rate in every run, and its trend.

use super::super::numbers::{bounds, p_value, percent, range, signed};
use super::layout::{Cell, Section, ours, theirs};
use super::paired::share;
use crate::compare::{Series, SeriesRate, Side};
use crate::words::counted;

/// The sections of a series.
pub(super) fn sections(series: &Series, runs: &[Side]) -> Vec<Section> {
    let mut rates = headline(series, runs);
    rates.rows = series.rates.iter().map(each_run).collect();
    if series.adoption.rates.iter().any(|rate| rate.of > 0) {
        rates.rows.push(each_run(&series.adoption));
    }
    let crawlers = Section {
        rows: series.crawlers.iter().map(|rate| marked(trend(rate), rate, runs)).collect(),
        ..trend_section(
            "crawlers",
            "Trend of blocking, by crawler (= is the baseline)",
            series,
            runs,
            series.crawlers.len(),
        )
    };
    let mut trends = trend_section("trends", "Trend", series, runs, series.rates.len());
    trends.rows = series.rates.iter().map(trend).collect();
    let mut sections = vec![rates];
    if series.rates.iter().flat_map(|rate| &rate.bounds).any(|bounds| bounds.unobserved > 0) {
        sections.push(worst(series, runs));
    }
    sections.extend([trends, crawlers]);
    sections
}

/// The rates of each run on its own denominator.
fn headline(series: &Series, runs: &[Side]) -> Section {
    let mut section =
        Section::titled("rates", ours("Restriction, each run on its own policy_observed"));
    section.heads = heads("rate", runs);
    let small = series.rates.iter().flat_map(|rate| &rate.rates).any(|rate| rate.is_small());
    if small {
        section.notes.push(ours("A denominator is below 30: read the intervals, not the shares."));
    }
    section
}

/// A rate in each run, with its interval.
fn each_run(rate: &SeriesRate) -> Vec<Cell> {
    let cells = rate
        .rates
        .iter()
        .map(|rate| ours(format!("{} [{}]", share(*rate), range(rate.interval()))));
    std::iter::once(theirs(&rate.rate)).chain(cells).collect()
}

/// What the rates can at worst be in each run.
fn worst(series: &Series, runs: &[Side]) -> Section {
    let mut section =
        Section::titled("worst", ours("The same, worst case over those not observed"));
    section.heads = heads("rate", runs);
    section.rows = series
        .rates
        .iter()
        .map(|rate| {
            let cells = rate.bounds.iter().map(|one| ours(bounds(*one)));
            std::iter::once(theirs(&rate.rate)).chain(cells).collect()
        })
        .collect();
    section
}

/// A section of trends, and how they were tested.
fn trend_section(
    id: &'static str,
    title: &str,
    series: &Series,
    runs: &[Side],
    tests: usize,
) -> Section {
    let mut section = Section::titled(id, ours(title));
    let how = match series.panel {
        Some(panel) => {
            let observed = counted(panel as usize, "domain");
            section.words.push(ours(format!("Over the {observed} observed in every run:")));
            section.heads = heads("rate", runs);
            section.heads.extend(
                [
                    "rising/falling",
                    "points a year [95 %]",
                    "p",
                    "p (Holm)",
                    "p (BH)",
                    "differ at all, p",
                ]
                .map(str::to_owned),
            );
            format!(
                "The slope is the mean of the domains' own; the test is the sign test on them by \
                 mid-p, on {observed}, adjusted for {} by Holm, and by Benjamini and Hochberg (BH). The \
                 last column is Cochran's Q.",
                counted(tests, "rate")
            )
        }
        None => {
            section.heads = ["rate", "points a year", "z", "p", "p (Holm)", "p (BH)"]
                .map(str::to_owned)
                .to_vec();
            format!(
                "Cochran and Armitage's test over {} runs of different samples, adjusted for {} \
                 by Holm, and by Benjamini and Hochberg (BH).",
                runs.len(),
                counted(tests, "rate")
            )
        }
    };
    section.notes.push(ours(how));
    section
}

/// A rate's trend.
fn trend(rate: &SeriesRate) -> Vec<Cell> {
    let mut row = vec![theirs(&rate.rate)];
    if let Some(panel) = &rate.panel {
        row.extend(panel.rates.iter().map(|rate| ours(percent(rate.share()))));
        row.push(ours(format!("{}/{}", panel.rising, panel.falling)));
        row.push(ours(super::super::numbers::points(panel.slope)));
        row.push(ours(p_value(Some(panel.p))));
        row.push(ours(p_value(rate.p_holm)));
        row.push(ours(p_value(rate.p_benjamini_hochberg)));
        row.push(ours(p_value(panel.q_p)));
    } else {
        let trend = rate.trend;
        let none = super::super::numbers::NONE;
        row.push(ours(trend.map_or(none.to_owned(), |trend| signed(trend.slope))));
        row.push(ours(trend.map_or(none.to_owned(), |trend| format!("{:.2}", trend.z))));
        row.push(ours(p_value(trend.map(|trend| trend.p))));
        row.push(ours(p_value(rate.p_holm)));
        row.push(ours(p_value(rate.p_benjamini_hochberg)));
    }
    row
}

/// The row of a crawler, the baseline's marked.
fn marked(mut row: Vec<Cell>, rate: &SeriesRate, runs: &[Side]) -> Vec<Cell> {
    let baseline = runs.first().and_then(|side| side.summary.baseline_crawler());
    if baseline == Some(rate.rate.as_str())
        && let Some(name) = row.first_mut()
    {
        *name = theirs(&format!("{} =", rate.rate));
    }
    row
}

/// A first head, and one a run.
fn heads(first: &str, runs: &[Side]) -> Vec<String> {
    let labels = runs.iter().map(|side| side.label.clone());
    std::iter::once(first.to_owned()).chain(labels).collect()
}
