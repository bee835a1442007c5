//! The parts of the report: each figure with its picture, what it shows in words, and its numbers.

use serde_json::{Value, json};

use super::Provenance;
use super::pictures::{CountRow, PartsRow, RateRow, bars, parts, rates};
use crate::library::CrawlerGroup;
use crate::report::numbers::{bounds, counts, p_value, percent, points, range, weighted};
use crate::report::sentences;
use crate::stats::Rate;
use crate::summary::{CrawlerCounts, Summary};
use crate::words::Word as _;

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

/// The figures, in reading order.
pub(super) fn figures(summary: &Summary) -> Vec<Value> {
    let mut figures = vec![headline(summary), funnel(summary), classes(summary)];
    if summary.strata.len() > 1 {
        figures.push(strata(summary));
    }
    figures.push(crawlers(summary));
    figures.push(failures(summary));
    figures.push(guidance(summary));
    figures.push(pages(summary));
    figures.push(review(summary));
    figures
}

/// A figure: its id, heading, what it says, picture, and the numbers behind it.
fn figure(id: &str, heading: &str, says: &str, svg: String, head: &[&str], rows: Value) -> Value {
    json!({
        "id": id, "heading": heading, "says": says, "svg": svg, "head": head, "rows": rows,
    })
}

/// The three rates with their intervals.
fn headline(summary: &Summary) -> Value {
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
    figure(
        "rates",
        "Restriction",
        "Share of the domains with an observed policy. The line is the Wilson 95 % interval; the \
         pale band reaches from counting every domain that was not observed as open to counting \
         it as restricted.",
        rates(&drawn, &sentences::finding(summary)),
        &["rate", "n/N", "share", "95 % interval", "worst case", "on files alone"],
        rows.collect(),
    )
}

/// From the sample to the denominators.
fn funnel(summary: &Summary) -> Value {
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
    let svg = bars(&drawn, funnel.sample, &says);
    figure("funnel", "From the sample to the denominators", &says, svg, &FUNNEL, rows.into())
}

/// The columns of the funnel.
const FUNNEL: [&str; 4] = ["domains", "n", "of the sample", "what they are"];

/// Domains by access class.
fn classes(summary: &Summary) -> Value {
    let of = summary.classes.observed();
    let named = summary.classes.named();
    let drawn = named.map(|(label, n)| CountRow { label, n, class: label });
    let rows = named.map(|(label, n)| {
        let rate = Rate::new(n, of);
        json!([label, counts(rate), percent(rate.share()), range(rate.interval())])
    });
    let says = "The most restrictive class over the retrieval crawlers, of policy_observed.";
    let svg = bars(&drawn, of, says);
    let head = ["class", "n/N", "share", "95 % interval"];
    figure("classes", "Access classes", says, svg, &head, rows.into())
}

/// The classes and the meaningful rate of each stratum.
fn strata(summary: &Summary) -> Value {
    let drawn: Vec<_> = summary
        .strata
        .iter()
        .map(|(name, stratum)| PartsRow {
            label: name.clone(),
            parts: stratum.classes.named().map(|(name, n)| (name, n, name.to_owned())).to_vec(),
        })
        .collect();
    let rows = summary.strata.iter().map(|(name, stratum)| {
        let rate = stratum.rates.meaningful;
        let small = if rate.is_small() { " *" } else { "" };
        json!([
            format!("{name}{small}"),
            stratum.funnel.sample,
            counts(rate),
            percent(rate.share()),
            range(rate.interval()),
            bounds(stratum.bounds.meaningful),
            format!("{} ({})", percent(stratum.adoption.share()), counts(stratum.adoption)),
        ])
    });
    let says = "Access classes within each stratum, of its domains with an observed policy. * marks \
                a denominator below 30: read the interval, not the share.";
    let svg = parts(&drawn, false, says);
    let head =
        ["stratum", "sample", "meaningful", "share", "95 % interval", "worst case", "llms.txt"];
    figure("strata", "By stratum", says, svg, &head, rows.collect())
}

/// Every crawler beside the baseline.
fn crawlers(summary: &Summary) -> Value {
    let in_order: Vec<&CrawlerCounts> = CrawlerGroup::ALL
        .iter()
        .flat_map(|group| summary.crawlers.iter().filter(|of| of.group == group.word()))
        .collect();
    let drawn: Vec<_> = in_order
        .iter()
        .map(|of| RateRow {
            label: &of.crawler,
            rate: of.blocked,
            worst: None,
            is_reference: of.is_baseline,
        })
        .collect();
    let rows = in_order.iter().map(|of| {
        let beside = of.beside_baseline;
        let apart = beside.map(|beside| {
            format!("{} / {} / {}", beside.crawler_only, beside.both, beside.baseline_only)
        });
        let name = if of.is_baseline { " (baseline)" } else { "" };
        json!([
            format!("{}{name}", of.crawler),
            of.group,
            counts(of.blocked),
            percent(of.blocked.share()),
            range(of.blocked.interval()),
            apart.unwrap_or_else(|| "–".to_owned()),
            points(beside.and_then(|beside| beside.excess)),
            p_value(beside.map(|beside| beside.p_holm)),
            of.decided_alone,
        ])
    });
    let name = summary.baseline_crawler().unwrap_or("the baseline");
    let sentence = sentences::baseline(summary).unwrap_or_default();
    let says = format!(
        "Share of policy_observed that blocks each crawler from the whole site or primary content; \
         the dashed line is {name}, the baseline. {sentence}"
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
        "decides alone",
    ];
    figure("crawlers", "By crawler", &says, rates(&drawn, &says), &head, rows.collect())
}

/// Failures by attempt.
fn failures(summary: &Summary) -> Value {
    let recovery = &summary.recovery;
    let attempts = recovery.attempts.iter().map(|attempt| attempt.attempt);
    let drawn: Vec<_> = attempts
        .clone()
        .map(|attempt| PartsRow {
            label: format!("attempt {attempt}"),
            parts: recovery
                .failures_by_attempt
                .iter()
                .map(|(mode, by_attempt)| {
                    let n = by_attempt.get(&attempt).copied().unwrap_or_default();
                    (mode.as_str(), n, format!("failure {}", kind_of_failure(mode)))
                })
                .collect(),
        })
        .collect();
    let mut head = vec!["mode".to_owned(), "kind".to_owned()];
    head.extend(attempts.clone().map(|attempt| format!("attempt {attempt}")));
    head.push("final".to_owned());
    let rows = recovery.failures_by_attempt.iter().map(|(mode, by_attempt)| {
        let mut row = vec![json!(mode), json!(kind_of_failure(mode))];
        row.extend(attempts.clone().map(|attempt| json!(by_attempt.get(&attempt).unwrap_or(&0))));
        row.push(json!(recovery.final_failures.get(mode).unwrap_or(&0)));
        json!(row)
    });
    let recovered: u64 = recovery.recovered.values().sum();
    let says = format!(
        "Domains without an observed policy after each attempt: refused (http), without a usable \
         answer (network, tls), or answered with something else (content). {recovered} were \
         recovered by asking again; {} stay unresolved.",
        recovery.unresolved
    );
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let svg = parts(&drawn, true, &says);
    figure("failures", "Failures by attempt", &says, svg, &head, rows.collect())
}

/// Whether a failure mode is of the network, of TLS, of HTTP, or of what was answered.
fn kind_of_failure(mode: &str) -> &'static str {
    match mode {
        "dns" | "connect" | "timeout" | "reset" => "network",
        "tls" => "tls",
        mode if mode.starts_with("http_") => "http",
        _ => "content",
    }
}

/// The guidance layer.
fn guidance(summary: &Summary) -> Value {
    let guidance = &summary.guidance;
    let named = [
        ("present_conformant", guidance.present_conformant, "kept"),
        ("present_nonconformant", guidance.present_nonconformant, "partly"),
        ("absent", guidance.absent, "whole"),
        ("unscannable", guidance.unscannable, "lost"),
    ];
    let drawn = named.map(|(label, n, class)| CountRow { label, n, class });
    let of = named.iter().map(|(_, n, _)| n).sum();
    let mut rows: Vec<Value> = vec![
        rate_row("present, of llms_observed", guidance.adoption),
        rate_row("conformant, of present", guidance.conformance),
    ];
    rows.extend(guidance.access.iter().flat_map(|paired| {
        let p = p_value(paired.p_holm);
        [
            rate_row(&format!("{}, without llms.txt", paired.rate), paired.compared.first),
            rate_row(&format!("{}, with one (p {p}, Holm)", paired.rate), paired.compared.second),
        ]
    }));
    rows.extend(guidance.failed_tests.iter().map(|(test, n)| {
        rate_row(&format!("fails: {test}"), Rate::new(*n, guidance.conformance.of))
    }));
    let sentence = sentences::guidance(summary).unwrap_or_default();
    let says = format!(
        "Domains by what stands at /llms.txt, checked against a path that cannot exist. {sentence}"
    );
    let head = ["what", "n/N", "share", "95 % interval"];
    figure("guidance", "Guidance: llms.txt", &says, bars(&drawn, of, &says), &head, rows.into())
}

/// A rate as a row of a table.
fn rate_row(name: &str, rate: Rate) -> Value {
    json!([name, counts(rate), percent(rate.share()), range(rate.interval())])
}

/// What homepages say and show.
fn pages(summary: &Summary) -> Value {
    let pages = &summary.pages;
    let mut rows = vec![
        rate_row("any robots directive, of the homepages read", pages.with_directive),
        rate_row("one for named crawlers of the list", pages.for_named_crawlers),
    ];
    let said = pages.directives.iter().chain(&pages.usage_fields);
    rows.extend(said.map(|(name, rate)| rate_row(name, *rate)));
    for (what, signals) in [("CMS", &pages.cms), ("CDN or host", &pages.cdn)] {
        for signal in signals {
            let name = signal.name.as_deref().unwrap_or("none shows");
            let label = format!("{what}: {name}, of {} domains that block", signal.domains);
            rows.push(rate_row(&label, signal.blocked));
        }
    }
    let says = "What the homepages that were read say and show. Secondary signals: no rate of \
                restriction depends on them. For each system, the share that blocks, of its domains \
                with an observed policy.";
    let head = ["signal", "n/N", "share", "95 % interval"];
    figure("pages", "Homepages", says, String::new(), &head, rows.into())
}

/// What a person should look at.
fn review(summary: &Summary) -> Value {
    let rows = summary.review.iter().map(|(kind, n)| json!([kind, n]));
    let says = "Rows of review.csv: what a person should look at before publication. The domains \
                below show theirs.";
    figure("review", "To review", says, String::new(), &["kind", "rows"], rows.collect())
}

/// What pins the run.
pub(super) fn provenance(summary: &Summary, made: &Provenance) -> Vec<(&'static str, String)> {
    vec![
        ("begun", made.started_at.clone()),
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
    ]
}
