//! The parts of the report: each figure with its picture, what it shows in words, and its numbers.
//!
//! Here stand access and its denominators, what to review and what pins the run; the crawlers, the
//! other layers and the other readings have files of their own.

mod crawlers;
mod layers;
mod readings;

use serde::Serialize;
use serde_json::{Value, json};

use super::pictures::{CountRow, PartsRow, RateRow, bars, parts, rates};
use super::unsettled::UnsettledPath;
use super::{Provenance, Shown};
use crate::report::numbers::{NONE, bounds, counts, percent, range, weighted};
use crate::report::sentences;
use crate::stats::Rate;
use crate::summary::{Stratum, Summary};

/// What each rate counts.
const RATES: [(&str, &str); 3] = [
    ("Strict", "the whole site is closed to a retrieval crawler"),
    ("Meaningful", "the whole site or its primary content"),
    ("Expanded", "the whole site, primary or secondary content"),
];

/// The three headline rates.
pub(super) fn cards(summary: &Summary) -> Vec<Value> {
    let weights = summary.frame.weighted.as_ref().map(|weights| weights.in_order());
    let rows = RATES.iter().zip(summary.rates.named()).zip(summary.bounds.in_order());
    let cards = rows.enumerate().map(|(place, (((name, what), (_, rate)), worst))| {
        json!({
            "name": name,
            "what": what,
            "share": percent(rate.share()),
            "counts": counts(rate),
            "interval": range(rate.interval()),
            "worst": bounds(worst),
            "weighted": weights.map(|weights| weighted(weights[place])),
        })
    });
    cards.collect()
}

/// A figure: its picture, what it says, and the numbers behind it.
#[derive(Serialize)]
pub(super) struct Figure {
    id: &'static str,
    heading: &'static str,
    says: String,
    /// The picture; empty where the numbers alone stand.
    svg: String,
    /// Classes of the picture's colours, each of which is its own name.
    legend: &'static [&'static str],
    head: Vec<String>,
    rows: Vec<Value>,
}

impl Figure {
    /// A figure without a picture.
    fn table(
        id: &'static str,
        heading: &'static str,
        says: impl Into<String>,
        head: &[&str],
        rows: impl IntoIterator<Item = Value>,
    ) -> Self {
        let head = head.iter().map(|&name| name.to_owned()).collect();
        let rows = rows.into_iter().collect();
        Self { id, heading, says: says.into(), svg: String::new(), legend: &[], head, rows }
    }

    /// The same with a picture, drawn with what the figure says as its description.
    fn drawn(mut self, draw: impl FnOnce(&str) -> String) -> Self {
        self.svg = draw(&self.says);
        self
    }

    /// The same with the names of its colours.
    fn coloured(mut self, legend: &'static [&'static str]) -> Self {
        self.legend = legend;
        self
    }
}

/// The access classes, as a legend names them.
const CLASSES: [&str; 5] =
    ["whole_site", "primary", "secondary", "functionally_open", "fully_open"];

/// The figures, in reading order.
pub(super) fn figures(summary: &Summary, shown: &Shown) -> Vec<Figure> {
    let mut figures = vec![headline(summary), funnel(summary), classes(summary)];
    if summary.strata.len() > 1 {
        figures.push(strata(summary));
    }
    figures.extend(crawlers::figures(summary));
    figures.extend(layers::figures(summary));
    figures.extend(readings::figures(summary));
    figures.push(review(summary));
    let paths = shown.unsettled.most();
    if !paths.is_empty() {
        figures.push(unsettled(&paths));
    }
    figures
}

/// A rate as a row of a table.
fn rate_row(name: &str, rate: Rate) -> Value {
    json!([name, counts(rate), percent(rate.share()), range(rate.interval())])
}

/// The three rates with their intervals.
fn headline(summary: &Summary) -> Figure {
    let named = || RATES.iter().zip(summary.rates.named()).zip(summary.bounds.in_order());
    let drawn: Vec<_> = named()
        .map(|(((label, _), (_, rate)), worst)| RateRow {
            label,
            rate,
            worst: Some(worst),
            is_reference: false,
        })
        .collect();
    let rows = named().zip(summary.rates_on_files.named());
    let rows = rows.map(|((((label, _), (_, rate)), worst), (_, on_files))| {
        let interval = range(rate.interval());
        let files = format!("{} ({})", percent(on_files.share()), counts(on_files));
        json!([label, counts(rate), percent(rate.share()), interval, bounds(worst), files])
    });
    let says = "Share of the domains with an observed policy. The line is the Wilson 95 % \
                interval; the pale band reaches from counting every domain that was not observed \
                as open to counting it as restricted.";
    let head = ["rate", "n/N", "share", "95 % interval", "worst case", "on files alone"];
    Figure::table("rates", "Restriction", says, &head, rows)
        .drawn(|_| rates(&drawn, &sentences::finding(summary)))
}

/// From the sample to the denominators.
fn funnel(summary: &Summary) -> Figure {
    let funnel = &summary.funnel;
    let named = [
        ("sample", funnel.sample, "whole", "every domain of the frozen list"),
        ("access denied", funnel.access_denied, "lost", "answered and refused"),
        ("unscannable", funnel.unscannable, "lost", "no policy could be read"),
        ("outside", funnel.outside, "lost", "not captured, or excluded: in no denominator"),
        ("policy_observed", funnel.policy_observed, "kept", "read, or known to have none"),
        ("file_observed", funnel.file_observed, "kept", "those that have a robots.txt"),
        ("llms_observed", funnel.llms_observed, "kept", "llms.txt known present or absent"),
        ("paired_observed", funnel.paired_observed, "kept", "both layers observed"),
    ];
    let drawn = named.map(|(label, n, class, _)| CountRow { label, n, class });
    let rows = named.map(|(label, n, _, what)| {
        json!([label, n, percent(Rate::new(n, funnel.sample).share()), what])
    });
    let says = format!(
        "Every rate of this page names one of these denominators. {} of {} domains have an \
         observed policy.",
        funnel.policy_observed, funnel.sample
    );
    let head = ["domains", "n", "of the sample", "what they are"];
    Figure::table("funnel", "From the sample to the denominators", says, &head, rows)
        .drawn(|says| bars(&drawn, funnel.sample, says))
}

/// Domains by access class.
fn classes(summary: &Summary) -> Figure {
    let of = summary.classes.observed();
    let named = summary.classes.named();
    let drawn = named.map(|(label, n)| CountRow { label, n, class: label });
    let rows = named.map(|(label, n)| rate_row(label, Rate::new(n, of)));
    let says = "The most restrictive class over the retrieval crawlers, of policy_observed.";
    let head = ["class", "n/N", "share", "95 % interval"];
    Figure::table("classes", "Access classes", says, &head, rows)
        .drawn(|says| bars(&drawn, of, says))
        .coloured(&CLASSES)
}

/// Most strata that are drawn; the table has all.
const STRATA_DRAWN: usize = 24;

/// The classes and the meaningful rate of each stratum.
fn strata(summary: &Summary) -> Figure {
    let mut largest: Vec<(&String, &Stratum)> = summary.strata.iter().collect();
    largest.sort_by_key(|(_, stratum)| std::cmp::Reverse(stratum.funnel.policy_observed));
    let left_out = largest.len().saturating_sub(STRATA_DRAWN);
    let drawn: Vec<_> = largest
        .into_iter()
        .take(STRATA_DRAWN)
        .map(|(name, stratum)| PartsRow {
            label: format!("{name}{}", asterisk(stratum.rates.meaningful)),
            parts: stratum.classes.named().map(|(name, n)| (name, n, name.to_owned())).to_vec(),
        })
        .collect();
    let rows = summary.strata.iter().map(|(name, stratum)| {
        let rate = stratum.rates.meaningful;
        json!([
            format!("{name}{}", asterisk(rate)),
            stratum.funnel.sample,
            counts(rate),
            percent(rate.share()),
            range(rate.interval()),
            if rate.is_small() { range(rate.exact_interval()) } else { NONE.to_owned() },
            bounds(stratum.bounds.meaningful),
            format!("{} ({})", percent(stratum.adoption.share()), counts(stratum.adoption)),
        ])
    });
    let left_out = match left_out {
        0 => String::new(),
        left_out => format!(" The {left_out} with the fewest stand in the table alone."),
    };
    let says = format!(
        "Access classes within each stratum, of its domains with an observed policy, the largest \
         strata first. * marks a denominator below 30: read the interval, not the share; beside \
         Wilson's stands there the exact one of Clopper and Pearson, which covers at least 95 % \
         however small the stratum is. Strata are not tested against one another: among many, some \
         differ by chance.{left_out}"
    );
    let head = [
        "stratum",
        "sample",
        "meaningful",
        "share",
        "95 % interval",
        "exact 95 %",
        "worst case",
        "llms.txt",
    ];
    Figure::table("strata", "By stratum", says, &head, rows)
        .drawn(|says| parts(&drawn, false, says))
        .coloured(&CLASSES)
}

/// The mark of a rate with a small denominator.
fn asterisk(rate: Rate) -> &'static str {
    if rate.is_small() { " *" } else { "" }
}

/// What a person should look at.
fn review(summary: &Summary) -> Figure {
    let rows = summary.review.iter().map(|(kind, n)| json!([kind, n]));
    let says = "Rows of review.csv: what a person should look at before publication. The domains \
                below show theirs.";
    Figure::table("review", "To review", says, &["kind", "rows"], rows)
}

/// The paths that the library does not settle, by how many domains they stand on.
fn unsettled(paths: &[UnsettledPath]) -> Figure {
    let rows = paths.iter().map(|path| json!([path.text, path.kind, path.domains]));
    let says = "Disallowed paths that the library calls ambiguous or does not know, those of most \
                domains first; review.csv has all. The method reads them as secondary content; \
                “The same domains, read otherwise” says what the rates would be if they were \
                something else.";
    let head = ["path", "kind", "domains"];
    Figure::table("unsettled", "Paths that are not settled", says, &head, rows)
}

/// What pins the run.
pub(super) fn provenance(summary: &Summary, made: &Provenance) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("begun", made.started_at.clone()),
        ("repeat", made.command.clone()),
        ("method", made.method.clone()),
        ("scanner", made.version.clone()),
        ("user-agent", made.user_agent.clone()),
        ("sample", summary.sample.clone()),
        ("sample SHA-256", summary.sample_sha256.clone()),
        ("seed", summary.seed.to_string()),
        ("pattern library", summary.library.clone()),
        ("pattern library SHA-256", summary.library_sha256.clone()),
        ("instrument SHA-256", summary.instrument_sha256.clone()),
        ("results SHA-256", made.results_sha256.clone()),
    ];
    // A run that asked nobody has no user-agent.
    rows.retain(|(_, value)| !value.is_empty());
    rows
}
