//! Every crawler: how often it is blocked beside the baseline, by access class, and what the baseline
//! says of those who block.

use serde_json::json;

use super::super::pictures::{PartsRow, RateRow, parts, rates};
use super::{CLASSES, Figure, rate_row};
use crate::library::CrawlerGroup;
use crate::report::numbers::{NONE, counts, p_value, percent, points, range};
use crate::report::sentences;
use crate::summary::{CrawlerCounts, Summary};
use crate::words::Word as _;

/// The figures of the crawlers.
pub(super) fn figures(summary: &Summary) -> Vec<Figure> {
    vec![beside(summary), matrix(summary), baseline(summary)]
}

/// The crawlers, the headline group first.
fn in_order(summary: &Summary) -> Vec<&CrawlerCounts> {
    let of_group = |group: &CrawlerGroup| {
        let group = group.word();
        summary.crawlers.iter().filter(move |of| of.group == group)
    };
    CrawlerGroup::ALL.iter().flat_map(of_group).collect()
}

/// A crawler's name, the baseline's marked.
fn named(of: &CrawlerCounts) -> String {
    format!("{}{}", of.crawler, if of.is_baseline { " (baseline)" } else { "" })
}

/// Every crawler beside the baseline.
fn beside(summary: &Summary) -> Figure {
    let names: Vec<String> = in_order(summary).into_iter().map(named).collect();
    let drawn: Vec<_> = in_order(summary)
        .into_iter()
        .zip(&names)
        .map(|(of, label)| RateRow {
            label,
            rate: of.blocked,
            worst: None,
            is_reference: of.is_baseline,
        })
        .collect();
    let rows = in_order(summary).into_iter().map(|of| {
        let beside = of.beside_baseline;
        let apart = beside.map(|beside| {
            format!("{} / {} / {}", beside.crawler_only, beside.both, beside.baseline_only)
        });
        json!([
            named(of),
            of.group,
            counts(of.blocked),
            percent(of.blocked.share()),
            range(of.blocked.interval()),
            apart.unwrap_or_else(|| NONE.to_owned()),
            points(beside.and_then(|beside| beside.excess)),
            p_value(beside.map(|beside| beside.p_holm)),
            p_value(beside.map(|beside| beside.p_benjamini_hochberg)),
            of.decided_alone,
        ])
    });
    let name = summary.baseline_crawler().unwrap_or("the baseline");
    let sentence = sentences::baseline(summary).unwrap_or_default();
    let says = format!(
        "Share of policy_observed that blocks each crawler from the whole site or primary content; \
         the dashed line is {name}, the baseline. p values are adjusted for the number of crawlers \
         by Holm, and by Benjamini and Hochberg (BH). {sentence}"
    );
    let head = [
        "crawler",
        "group",
        "blocked",
        "share",
        "95 % interval",
        "only it / both / only baseline",
        "difference, points",
        "p (McNemar mid-p, Holm)",
        "p (BH)",
        "decides alone",
    ];
    Figure::table("crawlers", "By crawler", says, &head, rows).drawn(|says| rates(&drawn, says))
}

/// Every crawler by access class.
fn matrix(summary: &Summary) -> Figure {
    let drawn: Vec<_> = in_order(summary)
        .into_iter()
        .map(|of| PartsRow {
            label: named(of),
            parts: of.classes.named().map(|(name, n)| (name, n, name.to_owned())).to_vec(),
        })
        .collect();
    let rows = in_order(summary).into_iter().map(|of| {
        let classes = of.classes.named().map(|(_, n)| json!(n));
        let groups = [of.own_group, of.wildcard_group].map(|n| json!(n));
        let first = [json!(named(of)), json!(of.group)];
        first.into_iter().chain(classes).chain(groups).collect()
    });
    let says = format!(
        "The class of each of the {} domains of policy_observed for each crawler, the retrieval \
         crawlers first, then those of training; and how many govern it by a group of its own or \
         by the wildcard group.",
        summary.classes.observed()
    );
    let first = ["crawler", "group"].into_iter();
    let head: Vec<&str> = first.chain(CLASSES).chain(["own group", "wildcard group"]).collect();
    Figure::table("matrix", "Access classes, by crawler", says, &head, rows)
        .drawn(|says| parts(&drawn, false, says))
        .coloured(&CLASSES)
}

/// Those who block, beside the baseline.
fn baseline(summary: &Summary) -> Figure {
    let baseline = &summary.baseline;
    let name = summary.baseline_crawler().unwrap_or("the baseline");
    let rows = [
        ("an AI crawler".to_owned(), baseline.block_ai),
        ("a retrieval crawler".to_owned(), baseline.block_retrieval),
        ("every retrieval crawler".to_owned(), baseline.block_every_retrieval),
        ("a training crawler".to_owned(), baseline.block_training),
        (name.to_owned(), baseline.block_baseline),
        (format!("AI, not {name}"), baseline.ai_only),
        (format!("{name}, not AI"), baseline.baseline_only),
        (format!("AI: {name} too"), baseline.also_block_baseline),
        (format!("retrieval: {name} too"), baseline.retrieval_also_block_baseline),
    ];
    let drawn: Vec<_> = rows
        .iter()
        .map(|(label, rate)| RateRow { label, rate: *rate, worst: None, is_reference: false })
        .collect();
    let says = format!(
        "Domains that block, of policy_observed; in the last two rows, of the domains that block an \
         AI or a retrieval crawler. {name} is never counted as an AI crawler."
    );
    let head = ["block", "n/N", "share", "95 % interval"];
    let numbers = rows.iter().map(|(label, rate)| rate_row(label, *rate));
    Figure::table("baseline", "Beside the baseline", says, &head, numbers)
        .drawn(|says| rates(&drawn, says))
}
