//! report.md: a run's numbers as a page that people quote from, and that renders anywhere.
//!
//! A pure function of the summary, so that the same run gives the same octets. In reading order:
//! marks, the finding, the three rates, the funnel, classes, strata, crawlers beside the baseline,
//! failures, guidance, homepages, how far the headline hangs on choices, what to review, provenance.

mod layers;
mod readings;
mod table;

use super::numbers::{NONE, bounds, counts, p_value, percent, points, range, weighted};
use super::sentences;
use crate::library::CrawlerGroup;
use crate::stats::{Rate, Stratified};
use crate::summary::{CrawlerCounts, RateBounds, Rates, Summary};
use crate::words::Word as _;
use table::code;
pub(super) use table::{Page, plain};

/// What each rate adds to the one before.
const BREADTH: [&str; 3] =
    ["strict: the whole site", "meaningful: + primary content", "expanded: + secondary content"];

/// The page.
pub fn markdown(summary: &Summary) -> String {
    let mut page = Page::titled(&format!("Crawler access: {}", plain(&summary.sample)));
    if !summary.marks.is_empty() {
        page.list(summary.marks.iter().map(|mark| format!("**{}**", plain(mark))));
    }
    page.paragraph(&sentences::finding(summary));
    headline(&mut page, summary);
    funnel(&mut page, summary);
    classes(&mut page, summary);
    strata(&mut page, summary);
    crawlers(&mut page, summary);
    layers::failures(&mut page, summary);
    layers::guidance(&mut page, summary);
    layers::pages(&mut page, summary);
    readings::sensitivity(&mut page, summary);
    readings::superseded(&mut page, summary);
    readings::review(&mut page, summary);
    provenance(&mut page, summary);
    page.0
}

/// The three rates with their intervals and bounds.
fn headline(page: &mut Page, summary: &Summary) {
    page.heading(2, "Restriction");
    page.paragraph(
        "Domains by the most restrictive access class over the retrieval crawlers, of \
         `policy_observed`: those whose robots.txt was read, or that have none. The interval is \
         Wilson's at 95 %. The worst case counts every domain that was not observed first as open, \
         then as restricted.",
    );
    three(page, &summary.rates, &summary.bounds);
    page.paragraph(&sentences::design(&summary.frame));
    if let Some(weights) = &summary.frame.weighted {
        page.paragraph(
            "The rates above count each domain once. By design weights (each stratum by its \
             share of the frame; interval of Korn and Graubard), the rates for the frame are:",
        );
        let row =
            |(name, estimate): (&str, Option<Stratified>)| [name.to_owned(), weighted(estimate)];
        page.table(
            ["rate for the frame", "weighted"],
            BREADTH.into_iter().zip(weights.in_order()).map(row),
        );
    }
    page.paragraph("On `file_observed`, without the domains that have no robots.txt:");
    page.table(
        ["rate", "n/N", "share", "interval"],
        BREADTH.into_iter().zip(summary.rates_on_files.named()).map(|(name, (_, rate))| {
            let [n, share, interval] = three_cells(rate);
            [name.to_owned(), n, share, interval]
        }),
    );
}

/// The three rates as a table.
fn three(page: &mut Page, rates: &Rates, worst: &RateBounds) {
    let rows = BREADTH.into_iter().zip(rates.named()).zip(worst.in_order());
    page.table(
        ["rate", "n/N", "share", "interval", "worst case"],
        rows.map(|((name, (_, rate)), worst)| {
            let [n, share, interval] = three_cells(rate);
            [name.to_owned(), n, share, interval, bounds(worst)]
        }),
    );
}

/// A rate as three cells: counts, share and interval.
fn three_cells(rate: Rate) -> [String; 3] {
    [counts(rate), percent(rate.share()), range(rate.interval())]
}

/// From the sample to the denominators.
fn funnel(page: &mut Page, summary: &Summary) {
    let funnel = &summary.funnel;
    page.heading(2, "From the sample to the denominators");
    let state = |word: &str| funnel.robots_states.get(word).copied().unwrap_or_default();
    let share = |n: u64| percent(Rate::new(n, funnel.sample).share());
    let row = |name: &str, n: u64, what: String| [name.to_owned(), n.to_string(), share(n), what];
    page.words(
        ["domains", "n", "of the sample", "what they are"],
        [
            row("sample", funnel.sample, String::new()),
            row("outside", funnel.outside, "not captured, or excluded: in no denominator".into()),
            row("access denied", funnel.access_denied, "answered and refused".into()),
            row("unscannable", funnel.unscannable, "no policy could be read".into()),
            row(
                "`policy_observed`",
                funnel.policy_observed,
                format!(
                    "file {}, empty {}, absent {}, soft 404 {}",
                    state("file"),
                    state("empty"),
                    state("absent"),
                    state("soft_404")
                ),
            ),
            row("`file_observed`", funnel.file_observed, "file and empty".into()),
            row("`llms_observed`", funnel.llms_observed, "llms.txt present or absent".into()),
            row("`paired_observed`", funnel.paired_observed, "both layers".into()),
        ],
    );
}

/// Domains by access class.
fn classes(page: &mut Page, summary: &Summary) {
    page.heading(2, "Access classes");
    let of = summary.classes.observed();
    page.table(
        ["class", "n/N", "share", "interval"],
        summary.classes.named().map(|(name, n)| {
            let [n, share, interval] = three_cells(Rate::new(n, of));
            [code(name), n, share, interval]
        }),
    );
}

/// The rates of each stratum.
fn strata(page: &mut Page, summary: &Summary) {
    if summary.strata.len() < 2 {
        return;
    }
    page.heading(2, "By stratum");
    page.paragraph(
        "Meaningful restriction and llms.txt adoption. \\* marks a denominator below 30: read the \
         interval, not the share; beside Wilson's stands there the exact one of Clopper and Pearson, \
         which covers at least 95 % however small the stratum is. Strata are not tested against one another: among many, some \
         differ by chance.",
    );
    let rows = summary.strata.iter().map(|(name, stratum)| {
        let meaningful = stratum.rates.meaningful;
        let small = if meaningful.is_small() { " \\*" } else { "" };
        let [n, share, interval] = three_cells(meaningful);
        let adoption =
            format!("{} ({})", counts(stratum.adoption), percent(stratum.adoption.share()));
        [
            format!("{}{small}", plain(name)),
            stratum.funnel.sample.to_string(),
            n,
            share,
            interval,
            if meaningful.is_small() {
                range(meaningful.exact_interval())
            } else {
                NONE.to_owned()
            },
            bounds(stratum.bounds.meaningful),
            adoption,
        ]
    });
    page.table(
        ["stratum", "sample", "n/N", "share", "interval", "exact", "worst case", "llms.txt"],
        rows,
    );
}

/// Every crawler, beside the baseline.
fn crawlers(page: &mut Page, summary: &Summary) {
    page.heading(2, "By crawler");
    let name = summary.baseline_crawler().map_or("the baseline".to_owned(), plain);
    page.paragraph(&format!(
        "Blocked means the whole site or primary content. Beside {name} on the same domains: how \
         many block this crawler alone, {name} alone or both; the difference in percentage points \
         with its paired interval (Newcombe); McNemar's test by mid-p, adjusted for the number of \
         crawlers by Holm, and by Benjamini and Hochberg (BH). *Alone* counts the domains whose class this crawler alone decides.",
    ));
    for &group in CrawlerGroup::ALL {
        page.paragraph(match group {
            CrawlerGroup::Retrieval => "Retrieval and citation, the headline group:",
            CrawlerGroup::Training => "Training, reported apart:",
        });
        let of_group = summary.crawlers.iter().filter(|counts| counts.group == group.word());
        page.table(
            [
                "crawler",
                "whole site",
                "primary",
                "blocked",
                "share",
                "interval",
                "only it / both / only baseline",
                "difference",
                "p (Holm)",
                "p (BH)",
                "own group",
                "alone",
            ],
            of_group.map(crawler),
        );
    }
    if let Some(sentence) = sentences::baseline(summary) {
        page.paragraph(&sentence);
    }
    let baseline = &summary.baseline;
    let named = [
        ("block an AI crawler", baseline.block_ai),
        ("block a retrieval crawler", baseline.block_retrieval),
        ("block every retrieval crawler", baseline.block_every_retrieval),
        ("block a training crawler", baseline.block_training),
        ("block the baseline", baseline.block_baseline),
        ("block an AI crawler and not the baseline", baseline.ai_only),
        ("block the baseline and no AI crawler", baseline.baseline_only),
        (
            "of those that block a retrieval crawler: the baseline too",
            baseline.retrieval_also_block_baseline,
        ),
    ];
    page.paragraph("Domains of `policy_observed`, the baseline never counted as an AI crawler:");
    page.table(
        ["domains that", "n/N", "share", "interval"],
        named.map(|(name, rate)| {
            let [n, share, interval] = three_cells(rate);
            [name.to_owned(), n, share, interval]
        }),
    );
}

/// One crawler's row.
fn crawler(counts: &CrawlerCounts) -> [String; 12] {
    let beside = counts.beside_baseline;
    let token = code(&counts.crawler);
    let [n, share, interval] = three_cells(counts.blocked);
    [
        if counts.is_baseline { format!("{token} (baseline)") } else { token },
        counts.classes.whole_site.to_string(),
        counts.classes.primary.to_string(),
        n,
        share,
        interval,
        beside.map_or(NONE.to_owned(), |beside| {
            format!("{} / {} / {}", beside.crawler_only, beside.both, beside.baseline_only)
        }),
        points(beside.and_then(|beside| beside.excess)),
        p_value(beside.map(|beside| beside.p_holm)),
        p_value(beside.map(|beside| beside.p_benjamini_hochberg)),
        counts.own_group.to_string(),
        counts.decided_alone.to_string(),
    ]
}

/// What the numbers were made with.
fn provenance(page: &mut Page, summary: &Summary) {
    page.heading(2, "Provenance");
    page.words(
        ["what", "value"],
        [
            ["sample".to_owned(), code(&summary.sample)],
            ["sample SHA-256".to_owned(), code(&summary.sample_sha256)],
            ["seed".to_owned(), summary.seed.to_string()],
            ["pattern library".to_owned(), code(&summary.library)],
            ["pattern library SHA-256".to_owned(), code(&summary.library_sha256)],
            ["instrument SHA-256".to_owned(), code(&summary.instrument_sha256)],
        ],
    );
    page.paragraph(
        "`manifest.json` beside this page holds when and by whom it was asked, the digest of every \
         result file and the one figure `results_sha256` to cite; METHODOLOGY.md says what each \
         term means; `summary.json` holds every number of this page.",
    );
}
