//! The same domains, read otherwise: how far the headline hangs on choices, and the measure that is
//! superseded.

use serde_json::json;

use super::super::pictures::{RateRow, rates};
use super::Figure;
use crate::report::numbers::rate;
use crate::summary::{Binary, Rates, Summary};

/// The figures of other readings.
pub(super) fn figures(summary: &Summary) -> [Figure; 2] {
    [sensitivity(summary), superseded(summary)]
}

/// The headline, read otherwise.
fn sensitivity(summary: &Summary) -> Figure {
    let other = &summary.sensitivity;
    let baseline = summary.baseline_crawler().unwrap_or("the baseline");
    let readings: [(String, &Rates); 6] = [
        ("as published above".to_owned(), &summary.rates),
        (format!("without {baseline}"), &other.without_baseline),
        ("without Google-Extended".to_owned(), &other.without_google_extended),
        ("the wildcard group alone".to_owned(), &other.wildcard),
        ("unsettled are primary".to_owned(), &other.unsettled_paths.as_primary),
        ("unsettled are functional".to_owned(), &other.unsettled_paths.as_functional),
    ];
    let drawn: Vec<_> = readings
        .iter()
        .enumerate()
        .map(|(at, (label, read))| RateRow {
            label,
            rate: read.meaningful,
            worst: None,
            is_reference: at == 0,
        })
        .collect();
    let rows = readings.iter().map(|(name, read)| {
        let [strict, meaningful, expanded] = read.named().map(|(_, value)| rate(value));
        json!([name, strict, meaningful, expanded])
    });
    let says = format!(
        "The meaningful rate under other readings; the dashed line is the published one. Unsettled \
         are the paths that the library calls ambiguous or does not know, on {} domains; the method \
         reads them as secondary content.",
        other.unsettled_paths.domains
    );
    let head = ["reading", "strict", "meaningful", "expanded"];
    Figure::table("readings", "The same domains, read otherwise", says, &head, rows)
        .drawn(|says| rates(&drawn, says))
}

/// The superseded measure, labelled so.
fn superseded(summary: &Summary) -> Figure {
    let readings: [(&str, &Binary); 2] = [
        ("housekeeping counted", &summary.superseded.with_housekeeping),
        ("housekeeping left out", &summary.superseded.without_housekeeping),
    ];
    let rows = readings.map(|(name, binary)| {
        let cells = [binary.any, binary.fully, binary.partially, binary.also_baseline].map(rate);
        let [any, fully, partially, also_baseline] = cells;
        json!([name, any, fully, partially, also_baseline])
    });
    let says = "Superseded, and ours as a reading of the published text. Not a finding: any \
                effective Disallow against at least one retrieval crawler counts, whatever it \
                closes. It stands here so that what the graded classes corrected can be seen.";
    let head =
        ["reading", "any", "every retrieval crawler", "some of them", "of any: the baseline too"];
    Figure::table("superseded", "Superseded: the binary measure of C01 v1.2", says, &head, rows)
}
