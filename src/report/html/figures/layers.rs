//! The other layers: failures and recovery, guidance, homepages and the systems that they show.

use serde_json::{Value, json};

use super::super::pictures::{CountRow, PartsRow, bars, parts};
use super::{CLASSES, Figure, rate_row};
use crate::report::numbers::{bounds, counts, paired_cells, percent};
use crate::report::sentences;
use crate::stats::Rate;
use crate::summary::{Signal, Spread, Summary};

/// The figures of the other layers.
pub(super) fn figures(summary: &Summary) -> Vec<Figure> {
    let mut figures = vec![failures(summary), recovery(summary), guidance(summary)];
    if summary.funnel.paired_observed > 0 {
        figures.push(paired(summary));
    }
    if summary.guidance.octets.of > 0 {
        figures.push(files(summary));
    }
    figures.push(pages(summary));
    let systems = [
        ("cms", "Content management systems", &summary.pages.cms),
        ("cdn", "Delivery networks and hosts", &summary.pages.cdn),
    ];
    let is_shown = |signals: &[Signal]| signals.iter().any(|signal| signal.name.is_some());
    let shown = systems.into_iter().filter(|(_, _, signals)| is_shown(signals));
    figures.extend(shown.map(|(id, heading, signals)| system(id, heading, signals)));
    figures
}

/// Failures by attempt.
fn failures(summary: &Summary) -> Figure {
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
    Figure::table("failures", "Failures by attempt", says, &head, rows)
        .drawn(|says| match recovery.failures_by_attempt.is_empty() {
            true => String::new(),
            false => parts(&drawn, true, says),
        })
        .coloured(&["network", "tls", "http", "content"])
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

/// What each attempt brought.
fn recovery(summary: &Summary) -> Figure {
    let recovery = &summary.recovery;
    let rows = recovery.attempts.iter().map(|outcome| {
        json!([
            outcome.attempt,
            outcome.asked,
            outcome.observed,
            outcome.access_denied,
            outcome.unscannable,
            outcome.outside,
            outcome.seed.get(..12),
        ])
    });
    let says = format!(
        "{} policies were observed at first; of the domains asked again, {} ({}) were recovered; {} \
         are final infrastructure failures.",
        recovery.initial_observed,
        counts(recovery.recovery),
        percent(recovery.recovery.share()),
        recovery.unresolved
    );
    let head = [
        "attempt",
        "asked",
        "observed",
        "access denied",
        "unscannable",
        "outside",
        "its seed begins",
    ];
    Figure::table("recovery", "Recovery", says, &head, rows)
}

/// The guidance layer.
fn guidance(summary: &Summary) -> Figure {
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
    rows.extend(guidance.failed_tests.iter().map(|(test, n)| {
        rate_row(&format!("fails: {test}"), Rate::new(*n, guidance.conformance.of))
    }));
    rows.extend(guidance.soft_404.iter().map(|(kind, n)| {
        rate_row(&format!("absent, soft 404: {kind}"), Rate::new(*n, guidance.absent))
    }));
    rows.extend(guidance.reasons.iter().map(|(reason, n)| {
        let others = guidance.absent + guidance.unscannable;
        rate_row(&format!("absent or unscannable: {reason}"), Rate::new(*n, others))
    }));
    let mut says =
        "Domains by what stands at /llms.txt, checked against a path that cannot exist.".to_owned();
    if guidance.adoption_bounds.unobserved > 0 {
        says.push_str(&format!(
            " Adoption lies between the worst-case bounds {}, whatever the {} domains where it was \
             not learnt would have shown.",
            bounds(guidance.adoption_bounds),
            guidance.adoption_bounds.unobserved
        ));
    }
    let head = ["what", "n/N", "share", "95 % interval"];
    Figure::table("guidance", "Guidance: llms.txt", says, &head, rows)
        .drawn(|says| bars(&drawn, of, says))
}

/// Guidance set against access.
fn paired(summary: &Summary) -> Figure {
    let rows = summary.guidance.access.iter().map(|rate| json!(paired_cells(rate, "*")));
    let says = format!(
        "On the {} domains with both layers observed: two-proportion z test without correction, \
         adjusted for the three rates; * marks an expected count below five, where the test is not \
         to be leaned on. {}",
        summary.funnel.paired_observed,
        sentences::guidance(summary).unwrap_or_default()
    );
    let head = ["rate", "with llms.txt", "without", "difference, points", "p", "p (Holm)"];
    Figure::table("paired", "Guidance and access", says, &head, rows)
}

/// What the llms.txt files hold.
fn files(summary: &Summary) -> Figure {
    let guidance = &summary.guidance;
    let row = |name: &str, spread: &Spread| {
        json!([
            name,
            spread.least,
            spread.lower_quartile,
            spread.median,
            spread.upper_quartile,
            spread.largest
        ])
    };
    let rows = [
        row("octets", &guidance.octets),
        row("links", &guidance.links),
        row("headings", &guidance.headings),
    ];
    let says = format!("The {} files that are present, by nearest rank.", guidance.octets.of);
    let head = ["of a file", "least", "lower quartile", "median", "upper quartile", "largest"];
    Figure::table("files", "The llms.txt files", says, &head, rows)
}

/// What homepages say.
fn pages(summary: &Summary) -> Figure {
    let pages = &summary.pages;
    let mut rows = vec![
        rate_row("any robots directive, of the homepages read", pages.with_directive),
        rate_row("one for named crawlers of the list", pages.for_named_crawlers),
    ];
    let said = pages.directives.iter().chain(&pages.usage_fields);
    rows.extend(said.map(|(name, rate)| rate_row(name, *rate)));
    let says = "What the homepages that were read say. Secondary signals: no rate of restriction \
                depends on them.";
    let head = ["signal", "n/N", "share", "95 % interval"];
    Figure::table("pages", "Homepages", says, &head, rows)
}

/// Domains that show a system, by access class.
fn system(id: &'static str, heading: &'static str, signals: &[Signal]) -> Figure {
    let name = |signal: &Signal| signal.name.clone().unwrap_or_else(|| "none shows".to_owned());
    let drawn: Vec<_> = signals
        .iter()
        .map(|signal| PartsRow {
            label: name(signal),
            parts: signal.classes.named().map(|(name, n)| (name, n, name.to_owned())).to_vec(),
        })
        .collect();
    let rows = signals.iter().map(|signal| {
        let first = [json!(name(signal)), json!(signal.domains)];
        let classes = signal.classes.named().map(|(_, n)| json!(n));
        let blocked = format!("{} ({})", counts(signal.blocked), percent(signal.blocked.share()));
        let last = [json!(blocked), json!(signal.access_denied), json!(signal.unscannable)];
        first.into_iter().chain(classes).chain(last).collect()
    });
    let says = "Access classes of the domains whose homepage answered, by the system that its head, \
                its text or the robots.txt shows, of those with an observed policy; a domain may \
                show several. Secondary signals: no rate of restriction depends on them, and \
                nothing here says that a system is the cause.";
    let first = ["system", "domains"].into_iter();
    let last = ["blocked", "access denied", "unscannable"];
    let head: Vec<&str> = first.chain(CLASSES).chain(last).collect();
    Figure::table(id, heading, says, &head, rows)
        .drawn(|says| parts(&drawn, false, says))
        .coloured(&CLASSES)
}
