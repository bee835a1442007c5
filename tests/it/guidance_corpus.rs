//! Guidance, challenges and page directives against answers that real sites gave.

use std::path::Path;

use scanner::control::Page;
use scanner::html::looks_like_html;
use scanner::library::{GuidanceRules, Signals};
use scanner::llms::{Answered, Fetched, Guidance, GuidanceState, assess};
use scanner::page::{Directive, challenge, directives, effective, signals};
use serde_json::Value;

use crate::corpus;

/// Files whose verdict is another than the corpus's own heuristic labels suggest, and why.
const DIFFERENCES: [(&str, bool, &str); 2] = [
    ("www.lantmannenunibake.dk", true, "short, but a title, a summary and an address of its own"),
    ("globecook.com", true, "short, but a title, a motto and a link of its own"),
];

/// Heads whose directives differ from the corpus's list, and why.
const HEAD_DIFFERENCES: [(&str, &str); 2] = [
    ("hpd.de-Homosexuellenhass.html", "the skeleton cut a tag inside a quoted value"),
    ("jaegermagazin.de-südtirol.html", "the skeleton cut a tag inside a quoted value"),
];

fn library(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pattern-library/c01-v1.5-r1").join(name);
    scanner::files::read_text(&path, 1 << 20).expect("the library is there")
}

fn rules() -> GuidanceRules {
    GuidanceRules::parse("llms.toml", &library("llms.toml")).expect("well formed")
}

pub(crate) fn markers() -> Signals {
    Signals::parse("signals.toml", &library("signals.toml")).expect("well formed")
}

/// The rows of a JSON-lines file.
pub(crate) fn rows(path: &Path) -> Vec<Value> {
    let text = scanner::files::read_text(path, 1 << 26).expect("the corpus is readable");
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

/// The octets of RFC 4648 base64.
pub(crate) fn base64(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for symbol in text.bytes().filter(|&symbol| symbol != b'=') {
        let value = match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            octets.push((bits >> held) as u8);
        }
    }
    octets
}

pub(crate) fn string<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_default()
}

/// The verdict on a body that a site gave for /llms.txt beside a control that answered 404.
fn judged(rules: &GuidanceRules, body: &[u8], content_type: Option<&str>) -> Guidance {
    let page = |requested_path, status, body| Page {
        requested_path,
        status,
        final_url: "https://a.test/llms.txt",
        redirected: false,
        body,
    };
    let answer = |page, content_type| Answered { page, content_type, challenge: false };
    let file = answer(page("/llms.txt", 200, body), content_type);
    let control = answer(page("/none.txt", 404, b"not found".as_slice()), None);
    assess(rules, Fetched::Answered(file), Fetched::Answered(control))
}

#[test]
fn real_files_are_judged_as_their_labels_say_or_for_a_stated_reason() {
    let Some(folder) = corpus::folder() else { return };
    let rules = rules();
    let (mut files, mut odd) = (0, Vec::new());
    for row in rows(&folder.join("data/llms-wild.jsonl")) {
        if row["kind"] != "llms" {
            continue;
        }
        files += 1;
        let body = base64(string(&row, "body_b64"));
        let guidance = judged(&rules, &body, row["content_type"].as_str());
        let labels: Vec<&str> =
            row["labels"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let is_labelled_fit = labels.contains(&"heading")
            && !["empty", "html", "placeholder-suspect"].iter().any(|label| labels.contains(label));
        let is_conformant = guidance.state == GuidanceState::PresentConformant;
        let is_stated = DIFFERENCES.iter().any(|(domain, conformant, _)| {
            *domain == row["domain"] && *conformant == is_conformant
        });
        if (is_conformant != is_labelled_fit) != is_stated {
            odd.push(format!(
                "{} conformant={is_conformant} failed={:?} placeholder={:?} labels={labels:?}",
                row["domain"], guidance.failed, guidance.placeholder
            ));
        }
    }
    assert_eq!(files, 94);
    assert!(odd.is_empty(), "{}", odd.join("\n"));
}

#[test]
fn html_and_json_given_for_a_text_path_are_told_from_text() {
    let Some(folder) = corpus::folder() else { return };
    let rules = rules();
    for row in rows(&folder.join("data/llms-wild.jsonl")) {
        let body = base64(string(&row, "body_b64"));
        let is_html = looks_like_html(&body);
        match string(&row, "kind") {
            "html-body-for-text-path" => assert!(is_html, "{}", row["url"]),
            "json-body-for-text-path" => assert!(!is_html, "{}", row["url"]),
            _ => {
                let is_wall = body.starts_with(b"<script>");
                assert_eq!(is_html, is_wall, "{}", row["url"]);
            }
        }
        let is_answer = string(&row, "kind").ends_with("-for-text-path");
        let state = judged(&rules, &body, None).state;
        assert!(!is_answer || state == GuidanceState::PresentNonconformant, "{}", row["url"]);
    }
}

#[test]
fn walls_are_recognised_and_nothing_else_is() {
    let Some(folder) = corpus::folder() else { return };
    let library = markers();
    let mut walls = Vec::new();
    for row in rows(&folder.join("data/llms-wild.jsonl")) {
        let body = base64(string(&row, "body_b64"));
        let fields: Vec<(&str, &str)> = row["headers"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap_or_default()))
            .collect();
        if let Some(verdict) = challenge(&library, &fields, &body) {
            walls.push(format!("{} {}", string(&row, "domain"), verdict.id));
        }
    }
    walls.sort();
    let expected = [
        "bringyourwholeselftowork-emea.splashthat.com datadome-settings",
        "iqzb.com cookie-wall-jm",
        "k3688.com cookie-wall-jm",
        "mbie.govt.nz imperva-frame",
        "www.piraeusbank.gr imperva-frame",
    ];
    assert_eq!(walls, expected);
}

#[test]
fn directives_of_real_heads_are_those_that_stand_there() {
    let Some(folder) = corpus::folder() else { return };
    let library = markers();
    let (mut heads, mut odd) = (0, Vec::new());
    for row in rows(&folder.join("data/heads-wild.jsonl")) {
        let Some(skeleton) = row["head_skeleton"].as_str() else { continue };
        heads += 1;
        let found = directives(&[], skeleton.as_bytes(), &["bingbot", "googlebot-news"]);
        effective(&found, None);
        assert_eq!(challenge(&library, &[], skeleton.as_bytes()), None, "{}", row["source"]);
        let mut expected = Vec::new();
        let mut generators = Vec::new();
        for tag in row["tags"].as_array().into_iter().flatten() {
            let name = string(tag, "name").to_lowercase();
            if tag["where"] != "head" {
                continue;
            }
            if name == "generator" {
                generators.push(string(tag, "content").to_lowercase());
                continue;
            }
            for value in string(tag, "content").split(',') {
                let value = value.trim().to_lowercase().replace(": ", ":");
                if !value.is_empty() {
                    expected.push((name.clone(), value));
                }
            }
        }
        let told = |directive: &Directive| {
            let name = directive.agent.clone().unwrap_or_else(|| "robots".to_owned());
            (name, directive.value.clone())
        };
        let found: Vec<_> = found.iter().map(told).collect();
        let is_stated =
            HEAD_DIFFERENCES.iter().any(|(end, _)| string(&row, "source").ends_with(end));
        if (found != expected) != is_stated {
            odd.push(format!("{}\n  found {found:?}\n  stand {expected:?}", row["source"]));
        }
        let detected = signals(&library, &[], skeleton.as_bytes(), b"");
        for (start, name) in [("wordpress", "WordPress"), ("drupal", "Drupal"), ("typo3", "TYPO3")]
        {
            if generators.iter().any(|content| content.starts_with(start))
                && !detected.cms.iter().any(|found| found == name)
            {
                odd.push(format!("{}: {name} is not detected", row["source"]));
            }
        }
    }
    assert_eq!(heads, 417);
    assert!(odd.is_empty(), "{} of {heads}\n{}", odd.len(), odd.join("\n"));
}

#[test]
fn markers_that_are_quoted_and_decoys_that_are_served_are_no_challenge() {
    let Some(folder) = corpus::folder() else { return };
    let library = markers();
    let text = scanner::files::read_text(&folder.join("data/challenge-markers.json"), 1 << 20)
        .expect("the corpus is readable");
    let facts: Value = serde_json::from_str(&text).expect("JSON");
    for fact in facts["markers"].as_array().into_iter().flatten() {
        let marker = string(fact, "marker");
        let quoted = marker.replace('&', "&amp;").replace('<', "&lt;");
        let article = format!(
            "<!doctype html><title>On bot walls</title><article><p>{}<pre>{quoted}</pre></article>",
            "A wall has many bricks. ".repeat(61)
        );
        assert_eq!(challenge(&library, &[], article.as_bytes()), None, "{marker}");
        if fact["kind"] != "DECOY" {
            continue;
        }
        let fields: Vec<(&str, &str)> = marker
            .split(", ")
            .map(|field| field.split_once(": ").unwrap_or((field, "1")))
            .collect();
        let page = format!("<!doctype html><title>Home</title><script src=\"{marker}\"></script>");
        let verdict = match (string(fact, "where"), marker.starts_with("article")) {
            (_, true) => continue,
            ("header", _) => challenge(&library, &fields, b"<!doctype html><title>Home</title>"),
            _ => challenge(&library, &[], page.as_bytes()),
        };
        assert_eq!(verdict, None, "{marker}");
    }
}
