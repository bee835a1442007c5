//! summary.json, report.md and `scanner report`: documented, derived, the same twice.

use std::collections::BTreeSet;
use std::path::Path;

use scanner::summary::Summary;
use serde_json::Value;

use crate::scratch::{Scratch, output, scanner, study, text};

/// The fields of each shape of docs/summary.md, sorted.
const SHAPES: [(&str, &[&str]); 9] = [
    ("bounds", &["high", "low", "n", "of", "unobserved"]),
    ("binary", &["also_baseline", "any", "fully", "partially"]),
    ("classes", &["fully_open", "functionally_open", "primary", "secondary", "whole_site"]),
    ("difference", &["high", "low", "value"]),
    (
        "funnel",
        &[
            "access_denied",
            "file_observed",
            "llms_observed",
            "outside",
            "paired_observed",
            "policy_observed",
            "robots_states",
            "sample",
            "unscannable",
        ],
    ),
    ("rate", &["high", "low", "n", "of", "share"]),
    ("rates", &["expanded", "meaningful", "strict"]),
    ("spread", &["largest", "least", "lower_quartile", "median", "of", "upper_quartile"]),
    ("weighted", &["high", "low", "of", "share", "standard_error"]),
];

/// Objects whose keys are data.
const MAPS: [&str; 12] = [
    "strata",
    "recovery.recovered",
    "recovery.final_failures",
    "recovery.failures_by_attempt",
    "recovery.failures_by_attempt.*",
    "guidance.failed_tests",
    "guidance.reasons",
    "guidance.soft_404",
    "pages.states",
    "pages.directives",
    "pages.usage_fields",
    "review",
];

fn committed(name: &str) -> String {
    text(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
}

/// The shape that an object has, if its keys are one's.
fn shape(value: &Value) -> Option<&'static str> {
    let mut keys: Vec<&str> = value.as_object()?.keys().map(String::as_str).collect();
    keys.sort_unstable();
    let name = SHAPES.iter().find(|(_, fields)| *fields == keys)?.0;
    let is_bounded = name == "rates" && shape(&value["strict"]) == Some("bounds");
    // The three weighted rates are documented one by one.
    let is_weighted = name == "rates" && !is_bounded && shape(&value["strict"]) != Some("rate");
    (!is_weighted).then_some(if is_bounded { "rate_bounds" } else { name })
}

/// Every path of a document with its type; `nothing` where it is null.
fn paths(at: &str, value: &Value, found: &mut BTreeSet<(String, String)>) {
    let mut leaf = |kind: &str| {
        found.insert((at.to_owned(), kind.to_owned()));
    };
    match value {
        Value::Null => leaf("nothing"),
        Value::Bool(_) => leaf("true or false"),
        Value::Number(_) => leaf("number"),
        Value::String(_) => leaf("text"),
        Value::Array(entries) => {
            entries.iter().for_each(|entry| paths(&format!("{at}[]"), entry, found));
        }
        Value::Object(fields) => match shape(value) {
            Some(name) => leaf(&format!("`{name}`")),
            None => {
                for (key, inner) in fields {
                    let key = if MAPS.contains(&at) { "*" } else { key };
                    let inside = if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
                    paths(&inside, inner, found);
                }
            }
        },
    }
}

#[test]
fn every_path_of_the_summary_is_documented_and_no_other() {
    let page = committed("docs/summary.md");
    let rows = page.lines().skip_while(|line| *line != "## Fields");
    let documented: BTreeSet<(String, String)> = rows
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .map(|(path, rest)| (path.to_owned(), rest.split(" | ").next().unwrap_or("").to_owned()))
        .collect();
    let summary: Value = serde_json::from_str(&committed("runs/demo-808/summary.json")).unwrap();
    let mut written = BTreeSet::new();
    paths("", &summary, &mut written);
    let is_null = |path: &str| {
        written.iter().any(|(at, kind)| {
            kind == "nothing" && (path == at || path.starts_with(&format!("{at}.")))
        })
    };
    let undocumented: Vec<_> = written
        .iter()
        .filter(|(path, kind)| {
            kind != "nothing" && !documented.contains(&(path.clone(), kind.clone()))
        })
        .collect();
    assert!(undocumented.is_empty(), "not in docs/summary.md: {undocumented:#?}");
    let unwritten: Vec<_> =
        documented.iter().filter(|row| !written.contains(row) && !is_null(&row.0)).collect();
    assert!(unwritten.is_empty(), "documented and not written: {unwritten:#?}");
}

#[test]
fn a_summary_is_read_back_as_it_was_written() {
    let written = committed("runs/demo-808/summary.json");
    let summary = Summary::from_json(&written).expect("a summary");
    assert!(summary.to_json().expect("JSON") == written, "the summary reads back otherwise");
    let report = scanner::report::markdown(&summary);
    let is_derived = report == committed("runs/demo-808/report.md");
    assert!(is_derived, "report.md is not what its summary gives: make runs/demo-808 anew");
}

#[test]
fn the_report_command_prints_and_writes_what_the_run_did() {
    let scratch = Scratch::new();
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs/demo-808");
    for name in
        ["manifest.json", "summary.json", "merged.csv", "crawlers.csv", "paths.csv", "review.csv"]
    {
        scratch.write(&format!("run/{name}"), &text(&demo.join(name)));
    }
    let run = scratch.join("run");
    let run = run.to_str().expect("UTF-8");
    let printed = study(&["report", run]);
    assert!(printed.contains("demo-808: 808 domains, seed 42"), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() <= 100), "it fits a terminal");
    let (report, summary) = (text(&demo.join("report.md")), text(&demo.join("summary.json")));
    assert!(text(&scratch.join("run/report.md")) == report, "the page that the run wrote");
    let page = text(&scratch.join("run/report.html"));
    assert!(page.len() < 1_000_000 && page.contains("66 of 619 domains"), "{} octets", page.len());
    assert_eq!(page.matches("<tr class=\"more\">").count(), 808, "every domain opens");
    for id in [
        "rates",
        "funnel",
        "classes",
        "strata",
        "crawlers",
        "matrix",
        "baseline",
        "failures",
        "recovery",
        "guidance",
        "paired",
        "files",
        "pages",
        "cms",
        "cdn",
        "readings",
        "superseded",
        "review",
        "unsettled",
        "domains",
        "provenance",
    ] {
        assert_eq!(page.matches(&format!("<h2 id=\"{id}\">")).count(), 1, "{id}");
    }
    let command = "scanner run --sample samples/demo-808.csv --seed 42 \
                   --world fixtures/worlds/demo-808.toml";
    assert!(page.contains(&command.replace('/', "&#x2f;")), "the command that repeats it");
    assert!(page.contains(">Googlebot (baseline)<"), "the baseline is marked");
    assert!(study(&["report", run, "--markdown"]) == report, "the same page, printed");
    assert!(study(&["report", run, "--json"]) == summary, "the same document, printed");
    let help = scanner(&["report", "--help"]).env("COLUMNS", "80").output().expect("help");
    insta::assert_snapshot!("help_report", String::from_utf8(help.stdout).expect("UTF-8"));
}

#[test]
fn what_is_no_finished_run_is_refused() {
    let scratch = Scratch::new();
    scratch.write("empty/manifest.json", "{}");
    scratch.write("broken/summary.json", "{\n\"format\": 1}");
    for (name, expected) in [
        ("nowhere", "no such folder"),
        ("empty", "no summary.json stands in it"),
        ("broken", "summary.json:2: not a summary"),
    ] {
        let output = output(&["report", scratch.join(name).to_str().expect("UTF-8")]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{name}: {stderr}");
        assert!(stderr.contains(expected) && stderr.contains("\nhint: "), "{name}: {stderr}");
    }
}

#[test]
fn the_published_correction_can_be_shown_on_any_run() {
    let summary = Summary::from_json(&committed("runs/demo-808/summary.json")).expect("a summary");
    let binary = summary.superseded;
    assert_eq!(binary.status, "superseded");
    let restricting = summary.classes.observed() - summary.classes.fully_open;
    assert_eq!(binary.with_housekeeping.any.n, restricting, "any effective Disallow counts");
    assert_eq!(binary.without_housekeeping.any, summary.rates.expanded);
    assert_eq!(binary.with_housekeeping.any.of, summary.funnel.policy_observed);
}
