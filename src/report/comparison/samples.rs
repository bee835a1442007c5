//! Different samples side by side.

use super::super::numbers::{
    NONE, bounds, counts, p_equation, p_value, percent, points, range, weighted,
};
use super::layout::{Section, ours, theirs};
use super::paired::share;
use crate::compare::{SampleRate, Samples, Side};
use crate::words::counted;

/// The sections of a comparison of samples.
pub(super) fn sections(samples: &Samples, runs: &[Side]) -> Vec<Section> {
    let mut sections: Vec<Section> = samples.rates.iter().map(|rate| each(rate, runs)).collect();
    if samples.adoption.rates.iter().any(|rate| rate.of > 0) {
        sections.push(each(&samples.adoption, runs));
    }
    sections.push(pairs(samples, runs));
    sections.push(crawlers(samples, runs));
    sections
}

/// One rate in each sample.
fn each(rate: &SampleRate, runs: &[Side]) -> Section {
    let (id, title) = match rate.rate.as_str() {
        "strict" => ("strict", "Strict: the whole site"),
        "meaningful" => ("meaningful", "Meaningful: + primary content"),
        "expanded" => ("expanded", "Expanded: + secondary content"),
        _ => ("adoption", "llms.txt present, of llms_observed"),
    };
    let mut section = Section::titled(id, ours(title));
    section.heads =
        ["sample", "n/N", "share", "interval", "worst case", "by design weights", "standardised"]
            .map(str::to_owned)
            .to_vec();
    section.rows = (0..runs.len())
        .map(|at| {
            let own = rate.rates[at];
            let small = if own.is_small() { " *" } else { "" };
            vec![
                theirs(&format!("{}{small}", runs[at].label)),
                ours(counts(own)),
                ours(percent(own.share())),
                ours(range(own.interval())),
                ours(bounds(rate.bounds[at])),
                ours(weighted(rate.weighted[at])),
                ours(weighted(rate.standardised[at])),
            ]
        })
        .collect();
    if rate.rates.iter().any(|rate| rate.is_small()) {
        section.notes.push(ours("* fewer than 30: read the interval, not the share."));
    }
    if let Some(test) = rate.homogeneity {
        section.notes.push(ours(format!(
            "All one? Pearson's chi-squared {:.2}, {} degrees of freedom, n = {}, {}.",
            test.chi_squared,
            test.freedom,
            rate.rates.iter().map(|rate| rate.of).sum::<u64>(),
            p_equation(Some(test.p))
        )));
    }
    section
}

/// Every two samples compared.
fn pairs(samples: &Samples, runs: &[Side]) -> Section {
    let mut section =
        Section::titled("pairs", ours("Every two samples: the second less the first"));
    section.heads = [
        "rate",
        "samples",
        "n",
        "points [95 %]",
        "h",
        "p",
        "p (Holm)",
        "standardised, points [95 %]",
    ]
    .map(str::to_owned)
    .to_vec();
    let all = samples.rates.iter().chain([&samples.adoption]);
    let mut has_small_cells = false;
    for rate in all {
        for pair in rate.pairs.iter().filter(|pair| pair.compared.difference.is_some()) {
            let compared = &pair.compared;
            has_small_cells |= compared.has_small_cells;
            let small = if compared.has_small_cells { " *" } else { "" };
            section.rows.push(vec![
                ours(format!("{}{small}", rate.rate)),
                theirs(&format!("{} → {}", runs[pair.first].label, runs[pair.second].label)),
                ours((compared.first.of + compared.second.of).to_string()),
                ours(points(compared.difference)),
                ours(compared.h.map_or(NONE.to_owned(), |h| format!("{h:+.2}"))),
                ours(p_value(compared.p)),
                ours(p_value(pair.p_holm)),
                ours(points(pair.standardised_difference)),
            ]);
        }
    }
    let tests: usize = samples.rates.iter().map(|rate| rate.pairs.len()).sum();
    section.notes.push(ours(format!(
        "Newcombe's interval; two-proportion z test without correction, adjusted for {} of three \
         rates (Holm).",
        counted(tests, "comparison")
    )));
    if has_small_cells {
        section
            .notes
            .push(ours("* an expected count is below five: the test is not to be leaned on."));
    }
    section.notes.push(ours(strata(samples)));
    for overlap in &samples.overlaps {
        section.notes.push(theirs(&format!(
            "{} in common to {} and {}: the tests take samples for independent.",
            counted(overlap.domains as usize, "domain"),
            runs[overlap.first].label,
            runs[overlap.second].label
        )));
    }
    section
}

/// What the rates were standardised over.
fn strata(samples: &Samples) -> String {
    if samples.strata.is_empty() {
        return "The samples have no strata in common: nothing is standardised, and a difference \
                may be one of their make-up."
            .to_owned();
    }
    let left_out = samples.other_strata.len();
    let left_out = if left_out == 0 {
        String::new()
    } else {
        format!("; {left_out} that only some have, or where one observed nobody, are left out")
    };
    format!(
        "Standardised: every sample with the make-up of all together, over the {} strata that all \
         have, {} of {} domains{left_out}.",
        samples.strata.len(),
        standing(&samples.rates, |rate| rate.standardised.iter().flatten().map(|one| one.of).sum()),
        standing(&samples.rates, |rate| rate.rates.iter().map(|one| one.of).sum()),
    )
}

/// A number of domains that is the same in each of the three rates.
fn standing(rates: &[SampleRate], count: impl Fn(&SampleRate) -> u64) -> u64 {
    rates.first().map(count).unwrap_or_default()
}

/// Every crawler in each sample.
fn crawlers(samples: &Samples, runs: &[Side]) -> Section {
    let mut section = Section::titled("crawlers", ours("Blocked, by crawler (= is the baseline)"));
    section.heads = std::iter::once("crawler".to_owned())
        .chain(runs.iter().map(|side| side.label.clone()))
        .chain(["p", "p (Holm)", "p (BH)"].map(str::to_owned))
        .collect();
    section.rows = samples
        .crawlers
        .iter()
        .map(|crawler| {
            let mark = if crawler.is_baseline { " =" } else { "" };
            let mut row = vec![theirs(&format!("{}{mark}", crawler.crawler))];
            row.extend(crawler.blocked.iter().map(|rate| ours(share(*rate))));
            row.push(ours(p_value(crawler.p)));
            row.push(ours(p_value(crawler.p_holm)));
            row.push(ours(p_value(crawler.p_benjamini_hochberg)));
            row
        })
        .collect();
    section.notes.push(ours(format!(
        "Pearson's chi-squared without correction on {} domains, adjusted for {} by Holm, and by \
         Benjamini and Hochberg (BH).",
        samples
            .rates
            .first()
            .map(|rate| rate.rates.iter().map(|one| one.of).sum::<u64>())
            .unwrap_or_default(),
        counted(samples.crawlers.len(), "crawler")
    )));
    section
}
