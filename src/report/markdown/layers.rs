//! The sections of report.md on failures, guidance and homepages.

use std::collections::BTreeMap;

use super::super::numbers::{bounds, counts, paired_cells, percent, rate};
use super::table::{Page, code, plain};
use super::three_cells;
use crate::summary::{Signal, Spread, Summary};

/// Failures by mode and attempt, and what recovery brought.
pub(super) fn failures(page: &mut Page, summary: &Summary) {
    let recovery = &summary.recovery;
    page.heading(2, "Failures and recovery");
    page.table(
        ["attempt", "asked", "observed", "access denied", "unscannable", "outside"],
        recovery.attempts.iter().map(|attempt| {
            [
                attempt.attempt.to_string(),
                attempt.asked.to_string(),
                attempt.observed.to_string(),
                attempt.access_denied.to_string(),
                attempt.unscannable.to_string(),
                attempt.outside.to_string(),
            ]
        }),
    );
    let by_attempt: Vec<String> =
        recovery.recovered.iter().map(|(attempt, n)| format!("{n} in attempt {attempt}")).collect();
    page.paragraph(&format!(
        "Observed at first: {}. Recovered of those asked again: {}{}. Final infrastructure \
         failures: {}.",
        recovery.initial_observed,
        rate(recovery.recovery),
        if by_attempt.is_empty() { String::new() } else { format!(" ({})", by_attempt.join(", ")) },
        recovery.unresolved,
    ));
    if recovery.failures_by_attempt.is_empty() {
        return;
    }
    page.paragraph("Failures of robots.txt by mode, in each attempt and at the end:");
    let rows = recovery.failures_by_attempt.iter().map(|(mode, by_attempt)| {
        let each: Vec<String> = recovery
            .attempts
            .iter()
            .map(|attempt| {
                by_attempt.get(&attempt.attempt).copied().unwrap_or_default().to_string()
            })
            .collect();
        let last = recovery.final_failures.get(mode).copied().unwrap_or_default();
        [code(mode), each.join(" → "), last.to_string()]
    });
    page.table(["mode", "by attempt", "final"], rows);
    if recovery.failures_by_attempt.contains_key("other") {
        page.paragraph(
            "**Some failures have no name (`other`): read review.csv before publishing.**",
        );
    }
}

/// The guidance layer.
pub(super) fn guidance(page: &mut Page, summary: &Summary) {
    let guidance = &summary.guidance;
    page.heading(2, "Guidance: llms.txt");
    page.table(
        ["rate", "n/N", "share", "interval", "worst case"],
        [
            ("present, of `llms_observed`", guidance.adoption, bounds(guidance.adoption_bounds)),
            ("conformant, of present", guidance.conformance, String::new()),
        ]
        .map(|(name, rate, worst)| {
            let [n, share, interval] = three_cells(rate);
            [name.to_owned(), n, share, interval, worst]
        }),
    );
    for (what, counted) in [
        ("Tests that present files fail", &guidance.failed_tests),
        ("Why others are absent or unscannable", &guidance.reasons),
        ("What stood in the place of absent ones", &guidance.soft_404),
    ] {
        if !counted.is_empty() {
            page.paragraph(&format!("{what}: {}.", listed(counted)));
        }
    }
    if guidance.octets.of > 0 {
        let spread = |name: &str, spread: &Spread| {
            [
                name.to_owned(),
                spread.least.to_string(),
                spread.lower_quartile.to_string(),
                spread.median.to_string(),
                spread.upper_quartile.to_string(),
                spread.largest.to_string(),
            ]
        };
        page.paragraph(&format!("The {} present files:", guidance.octets.of));
        page.table(
            ["", "least", "lower quartile", "median", "upper quartile", "largest"],
            [
                spread("octets", &guidance.octets),
                spread("links", &guidance.links),
                spread("headings", &guidance.headings),
            ],
        );
    }
    paired(page, summary);
}

/// Guidance set against access.
fn paired(page: &mut Page, summary: &Summary) {
    if summary.funnel.paired_observed == 0 {
        page.paragraph("No domain has both layers observed: guidance is not set against access.");
        return;
    }
    page.paragraph(&format!(
        "Restriction with and without an llms.txt, on the {} domains of `paired_observed` \
         (two-proportion z test without correction, p adjusted for three rates by Holm; \\* marks \
         an expected count below five, where the test is not to be leaned on):",
        summary.funnel.paired_observed
    ));
    let rows = summary.guidance.access.iter().map(|rate| paired_cells(rate, "\\*"));
    page.table(["rate", "with", "without", "difference (points)", "p", "p (Holm)"], rows);
}

/// What homepages say and show.
pub(super) fn pages(page: &mut Page, summary: &Summary) {
    let pages = &summary.pages;
    page.heading(2, "Homepages");
    page.paragraph(&format!(
        "Secondary signals, which change no class. Homepages: {}.",
        listed(&pages.states)
    ));
    if pages.with_directive.of > 0 {
        let named = [
            ("any robots directive".to_owned(), pages.with_directive),
            ("one for named crawlers of the list".to_owned(), pages.for_named_crawlers),
        ];
        let said = pages.directives.iter().chain(&pages.usage_fields);
        let each = said.map(|(name, rate)| (code(name), *rate));
        page.table(
            ["directive or field, of the observed homepages", "n/N", "share", "interval"],
            named.into_iter().chain(each).map(|(name, rate)| {
                let [n, share, interval] = three_cells(rate);
                [name, n, share, interval]
            }),
        );
    }
    for (what, signals) in [("CMS", &pages.cms), ("Delivery network or host", &pages.cdn)] {
        if signals.iter().any(|signal| signal.name.is_some()) {
            signals_table(page, what, pages.answered, signals);
        }
    }
}

/// One kind of system, by access class.
fn signals_table(page: &mut Page, what: &str, answered: u64, signals: &[Signal]) {
    page.paragraph(&format!(
        "{what}, of the {answered} domains whose homepage gave an answer (a domain may show \
         several):"
    ));
    let rows = signals.iter().map(|signal| {
        let classes = &signal.classes;
        [
            signal.name.as_deref().map_or("none shows".to_owned(), plain),
            signal.domains.to_string(),
            classes.whole_site.to_string(),
            classes.primary.to_string(),
            classes.secondary.to_string(),
            (classes.functionally_open + classes.fully_open).to_string(),
            format!("{} ({})", counts(signal.blocked), percent(signal.blocked.share())),
            signal.access_denied.to_string(),
        ]
    });
    page.table(
        [
            "system",
            "domains",
            "whole site",
            "primary",
            "secondary",
            "open",
            "blocked",
            "access denied",
        ],
        rows,
    );
}

/// Counts by word, as a list.
fn listed(counted: &BTreeMap<String, u64>) -> String {
    let each = counted.iter().map(|(word, n)| format!("{} {n}", code(word)));
    each.collect::<Vec<_>>().join(", ")
}
