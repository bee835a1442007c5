//! The sections of report.md on how far the headline hangs on choices, and what to review.

use super::super::numbers::rate;
use super::table::{Page, code, plain};
use crate::summary::{Rates, Summary};

/// The headline, read otherwise.
pub(super) fn sensitivity(page: &mut Page, summary: &Summary) {
    page.heading(2, "The same domains, read otherwise");
    let baseline = summary.baseline_crawler().map_or("the baseline".to_owned(), plain);
    let other = &summary.sensitivity;
    let unsettled = &other.unsettled_paths;
    let rows: [(String, &Rates); 6] = [
        ("as published above".to_owned(), &summary.rates),
        (format!("without {baseline}"), &other.without_baseline),
        ("without Google-Extended".to_owned(), &other.without_google_extended),
        ("the wildcard group alone".to_owned(), &other.wildcard),
        ("unsettled paths as primary content".to_owned(), &unsettled.as_primary),
        ("unsettled paths as infrastructure".to_owned(), &unsettled.as_functional),
    ];
    page.table(
        ["reading", "strict", "meaningful", "expanded"],
        rows.map(|(name, rates)| {
            let [strict, meaningful, expanded] = rates.named().map(|(_, value)| rate(value));
            [name, strict, meaningful, expanded]
        }),
    );
    page.paragraph(&format!(
        "Unsettled are the paths that the library calls ambiguous or does not know, on {} domains; \
         the method reads them as secondary content.",
        unsettled.domains
    ));
}

/// The superseded measure, labelled so.
pub(super) fn superseded(page: &mut Page, summary: &Summary) {
    page.heading(2, "Superseded: the binary measure of C01 v1.2");
    page.paragraph(
        "**Superseded, and ours as a reading of the published text. Not a finding:** any effective \
         Disallow against at least one retrieval crawler counts, whatever it closes. It stands \
         here so that what the graded classes corrected can be seen on this sample.",
    );
    let superseded = &summary.superseded;
    let rows = [
        ("housekeeping counted", &superseded.with_housekeeping),
        ("housekeeping left out", &superseded.without_housekeeping),
    ];
    page.table(
        ["reading", "any", "every retrieval crawler", "some of them", "of any: the baseline too"],
        rows.map(|(name, binary)| {
            [
                name.to_owned(),
                rate(binary.any),
                rate(binary.fully),
                rate(binary.partially),
                rate(binary.also_baseline),
            ]
        }),
    );
}

/// What a person should look at before publication.
pub(super) fn review(page: &mut Page, summary: &Summary) {
    page.heading(2, "To review before publication");
    if summary.review.is_empty() {
        page.paragraph("`review.csv` lists nothing.");
        return;
    }
    let rows = summary.review.iter().map(|(kind, n)| [code(kind), n.to_string()]);
    page.table(["rows of review.csv", "n"], rows);
}
