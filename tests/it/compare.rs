//! `scanner compare` over fixture worlds whose changes are known.

#![allow(clippy::disallowed_methods, reason = "a test changes copies of what it made")]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::scratch::{Scratch, output, scanner, study, text};

/// One sample of two strata, and another that shares one domain with it.
const ONE: &str = "domain,stratum\na.test,x\nb.test,x\nc.test,x\nd.test,y\ne.test,y\nf.test,y\n\
                   g.test,y\nh.test,y\n";
const OTHER: &str = "domain,stratum\nc.test,x\nother-1.test,x\nother-2.test,y\n";

const CLOSED: &str = "User-agent: *\nDisallow: /\n";
const BLOG: &str = "User-agent: *\nDisallow: /search\nDisallow: /blog/\n";
const STRANGE: &str = "User-agent: *\nDisallow: /cart\nSitemap: https://www.other.test/a.xml\n";
const NO_TRAINING: &str = "User-agent: GPTBot\nDisallow: /\n";
const OPEN: &str = "User-agent: *\nDisallow: /cart\n";
const REFUSES: &str = "[[reply]]\npath = \"/robots.txt\"\nstatus = 403\nbody = \"no\"\n";
const CATCHES_ALL: &str = "[otherwise]\nstatus = 200\nfields = [\"content-type: text/html\"]\n\
                           body = \"<!doctype html><title>Shop</title><p>Welcome to the shop\"\n";

/// The files of the world at a date, counted from 0.
fn world(date: usize) -> Vec<(String, &'static str)> {
    let mut files: Vec<(&str, &str)> = vec![
        ("world.toml", "about = \"a date\"\ndeadline_ms = 3000\n"),
        ("c.test/robots.txt", CLOSED),
        ("h.test/site.toml", CATCHES_ALL),
        ("other-1.test/robots.txt", CLOSED),
        ("other-2.test/robots.txt", OPEN),
        ("d.test/robots.txt", if date < 2 { OPEN } else { CLOSED }),
    ];
    match date {
        0 => files.extend([
            ("a.test/robots.txt", OPEN),
            ("b.test/robots.txt", BLOG),
            ("e.test/site.toml", REFUSES),
            ("f.test/robots.txt", OPEN),
            ("g.test/robots.txt", OPEN),
        ]),
        _ => files.extend([
            ("a.test/robots.txt", CLOSED),
            ("b.test/robots.txt", STRANGE),
            ("d.test/llms.txt", "# D\n\n> Lamps.\n"),
            ("e.test/robots.txt", OPEN),
            ("g.test/robots.txt", NO_TRAINING),
        ]),
    }
    files.into_iter().map(|(name, text)| (format!("world-{date}/{name}"), text)).collect()
}

/// Runs a sample over the world of a date; no evidence is kept.
fn run(scratch: &Scratch, name: &str, sample: &str, date: usize, extra: &[&str]) -> String {
    kept(scratch, name, sample, date, &[&["--evidence", "none"], extra].concat())
}

/// Runs a sample over the world of a date.
fn kept(scratch: &Scratch, name: &str, sample: &str, date: usize, extra: &[&str]) -> String {
    for (file, text) in world(date) {
        scratch.write(&file, text);
    }
    let path = |name: &str| scratch.join(name).to_string_lossy().into_owned();
    let list =
        scratch.write(&format!("{}.csv", if sample == ONE { "one" } else { "other" }), sample);
    let (world, out) = (path(&format!("world-{date}")), path(name));
    let list = list.to_string_lossy();
    let fixed =
        ["run", "--seed", "1", "--quiet", "--sample", &list, "--world", &world, "--out", &out];
    study(&[&fixed[..], extra].concat());
    out
}

/// A comparison as JSON, every field of which docs/compare.md or the shapes of docs/summary.md name.
fn compared(arguments: &[&str]) -> Value {
    let printed = study(&[&["compare", "--json"][..], arguments].concat());
    let comparison = serde_json::from_str(&printed).expect("one document");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let summary = text(&root.join("docs/summary.md"));
    let shapes = summary.split("## Fields").next().expect("shapes");
    let pages = text(&root.join("docs/compare.md")) + shapes;
    let named = pages.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut unnamed = Vec::new();
    undocumented(&comparison, &named, &mut unnamed);
    assert!(unnamed.is_empty(), "not in docs/compare.md: {unnamed:?}");
    comparison
}

/// The fields of a document that no page names.
fn undocumented(value: &Value, named: &BTreeSet<&str>, unnamed: &mut Vec<String>) {
    match value {
        Value::Array(entries) => {
            entries.iter().for_each(|entry| undocumented(entry, named, unnamed));
        }
        Value::Object(fields) => {
            for (key, inner) in fields {
                if !named.contains(key.as_str()) {
                    unnamed.push(key.clone());
                }
                undocumented(inner, named, unnamed);
            }
        }
        _ => {}
    }
}

/// The entry of a list whose field says so.
fn entry<'a>(list: &'a Value, field: &str, says: &str) -> &'a Value {
    let entries = list.as_array().expect("a list");
    entries.iter().find(|entry| entry[field] == says).unwrap_or_else(|| panic!("no {says}"))
}

#[test]
fn two_dates_of_one_sample_are_compared_domain_by_domain() {
    let scratch = Scratch::new();
    let then = run(&scratch, "then", ONE, 0, &[]);
    let now = run(&scratch, "now", ONE, 1, &[]);
    let comparison = compared(&[&then, &now]);
    let paired = &comparison["paired"];
    assert_eq!((&paired["sample"], &paired["compared"]), (&json!(8), &json!(6)), "{paired:#}");
    assert_eq!(paired["dropped"], json!({"first_only": 1, "second_only": 1}));
    let strict = entry(&paired["rates"], "rate", "strict");
    let counts =
        [&strict["first"]["n"], &strict["second"]["n"], &strict["began"], &strict["ended"]];
    assert_eq!(counts, [1, 2, 1, 0], "{strict:#}");
    assert_eq!((&strict["first"]["of"], &strict["p"]), (&json!(6), &json!(0.5)));
    let meaningful = entry(&paired["rates"], "rate", "meaningful");
    assert_eq!((&meaningful["began"], &meaningful["ended"]), (&json!(1), &json!(1)));
    // Two domains of eight were seen once: the change of nothing may be two of eight either way.
    assert_eq!(
        (&meaningful["worst_low"], &meaningful["worst_high"]),
        (&json!(-0.25), &json!(0.25))
    );
    assert_eq!(paired["adoption"]["began"], 1);
    let standings = paired["transitions"]["standings"].as_array().expect("a list");
    let at = |word: &str| standings.iter().position(|one| one == word).expect("a standing");
    let moved = |from: &str, to: &str| paired["transitions"]["counts"][at(from)][at(to)].clone();
    assert_eq!(moved("functionally_open", "whole_site"), 1, "a.test");
    assert_eq!(moved("access_denied", "functionally_open"), 1, "e.test");
    assert_eq!(moved("functionally_open", "unscannable"), 1, "f.test");
    let crawler = |token: &str| entry(&paired["crawlers"], "crawler", token)["blocked"].clone();
    assert_eq!((&crawler("GPTBot")["began"], &crawler("Bingbot")["began"]), (&json!(2), &json!(1)));

    let changed = &paired["changed"];
    assert_eq!(changed.as_array().map(Vec::len), Some(3), "{changed:#}");
    let a = entry(changed, "domain", "a.test");
    assert_eq!(a["second"]["line"]["text"], "Disallow: /");
    assert_eq!((&a["first"]["line"]["line"], &a["second"]["line"]["line"]), (&json!(2), &json!(2)));
    assert_eq!(a["robots"], json!({"removed": ["/cart"], "added": ["/"], "lines": null}));
    let note = comparison["notes"][0].as_str().expect("a note");
    assert!(note.starts_with("no evidence is kept beside then and now"), "{note}");
    let b = entry(changed, "domain", "b.test");
    assert_eq!(b["first"]["line"]["text"], "Disallow: /blog/");
    let g = entry(changed, "domain", "g.test");
    assert_eq!(entry(&g["crawlers"], "second", "whole_site")["crawlers"], json!(["GPTBot"]));

    let page = study(&["compare", &then, &now]);
    // The day of the test and the digests of its runs are not what the page is about.
    let page = page.replace(&*scratch.join("").to_string_lossy(), "");
    let plain = |line: &str| match line.split_once("  fixture  ") {
        Some((before, _)) => format!("{}  DATE  fixture  DIGEST", &before[..before.len() - 12]),
        None => line.to_owned(),
    };
    let page: Vec<String> = page.lines().map(plain).collect();
    insta::assert_snapshot!("two_dates", page.join("\n"));
    let page = study(&["compare", &then, &now, "--markdown"]);
    for part in ["| strict |", "a.test", "McNemar", "adjusted for", "**fixture internet"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn documents_are_compared_line_by_line_where_both_runs_keep_evidence() {
    let scratch = Scratch::new();
    let then = kept(&scratch, "then", ONE, 0, &[]);
    let now = kept(&scratch, "now", ONE, 1, &[]);
    let comparison = compared(&[&then, &now]);
    assert_eq!(comparison["notes"], json!([]));
    let lines = |domain: &str| {
        entry(&comparison["paired"]["changed"], "domain", domain)["robots"]["lines"].clone()
    };
    assert_eq!(
        lines("a.test"),
        json!([
            {"change": "removed", "line": 2, "text": "Disallow: /cart"},
            {"change": "added", "line": 2, "text": "Disallow: /"},
        ])
    );
    assert_eq!(
        lines("b.test").as_array().map(Vec::len),
        Some(4),
        "two lines gone, two new: {:#}",
        lines("b.test")
    );
    let b = entry(&comparison["paired"]["changed"], "domain", "b.test");
    assert_eq!(b["first"]["sitemaps_elsewhere"], json!([]));
    assert_eq!(b["second"]["sitemaps_elsewhere"], json!(["www.other.test"]));
    let page = study(&["compare", &then, &now]);
    assert!(page.contains("its sitemaps are of www.other.test alone"), "{page}");
    assert!(page.contains("  Look before anything is published:"), "{page}");
    let marked = study(&["compare", &then, &now, "--markdown"]);
    assert!(marked.contains("\n  - \\- 2: Disallow: /cart\n"), "no list in the list: {marked}");
    for part in ["\n      - 2: Disallow: /cart\n", "\n      + 2: Disallow: /\n"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn the_page_shows_pictures_and_what_changed_and_asks_nobody() {
    let scratch = Scratch::new();
    let then = kept(&scratch, "then", ONE, 0, &[]);
    let now = kept(&scratch, "now", ONE, 1, &[]);
    let other = run(&scratch, "other", OTHER, 0, &[]);
    let third = run(&scratch, "third", ONE, 2, &[]);
    let page = |name: &str, arguments: &[&str]| {
        let file = scratch.join(name).to_string_lossy().into_owned();
        study(&[&["compare", "--html", &file][..], arguments].concat());
        text(&scratch.join(name))
    };
    let paired = page("paired.html", &[&then, &now]);
    for part in [
        "<h2 id=\"rates\">",
        "class=\"course meaningful\"",
        "<title>functionally open → whole site: 1</title>",
        "<title>access denied → functionally open: 1</title>",
        "became more restrictive",
        "<code>− 2: Disallow: &#x2f;cart</code>",
        "line 2 decides, <code>Disallow: &#x2f;</code>",
        "1 began to and 1 ceased.",
        "default-src &#x27;none&#x27;",
    ] {
        let part = part.replace("&#x27;", "'");
        assert!(paired.contains(&part), "{part}");
    }
    assert_eq!(paired, page("again.html", &[&then, &now]), "twice the same");
    let days = ["--label", "2022-07-01", "--label", "2023-07-01", "--label", "2024-07-01"];
    let series = page("series.html", &[&[&*then, &now, &third][..], &days].concat());
    for part in ["<h2 id=\"trends\">", "class=\"course strict\"", "points a year", "id=\"classes\""]
    {
        assert!(series.contains(part), "{part}");
    }
    let countries = ["--by", "country", "--label", "xa", "--label", "xb"];
    let samples = page("samples.html", &[&[&*then, &other][..], &countries].concat());
    for part in ["<h2 id=\"meaningful\">", "strict: xa → xb", "class=\"worst\"", "id=\"classes\""]
    {
        assert!(samples.contains(part), "{part}");
    }
    for page in [paired, series, samples] {
        for reach in ["http://", "https://", "url(", "@import", "src=", "<link", "style="] {
            assert!(!page.contains(reach), "{reach} reaches outside or past the policy");
        }
    }
}

#[test]
fn what_a_comparison_is_asked_to_fail_on_sets_the_status() {
    let scratch = Scratch::new();
    let then = run(&scratch, "then", ONE, 0, &[]);
    let again = run(&scratch, "again", ONE, 0, &[]);
    let now = run(&scratch, "now", ONE, 1, &[]);
    let out = scratch.join("written").to_string_lossy().into_owned();
    for (runs, what, expected) in [
        ([&then, &now], "change", 4),
        ([&then, &now], "closing", 4),
        ([&then, &now], "significant", 0),
        ([&then, &again], "change", 0),
        ([&then, &again], "closing", 0),
    ] {
        let output = output(&["compare", runs[0], runs[1], "--fail-on", what, "--out", &out]);
        assert_eq!(output.status.code(), Some(expected), "{runs:?} {what}");
    }
    let written = text(&scratch.join("written/comparison.json"));
    let written: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(written["paired"]["same_class"]["n"], written["paired"]["compared"]);
    assert!(text(&scratch.join("written/comparison.md")).starts_with("# Crawler access compared"));
    assert!(text(&scratch.join("written/comparison.html")).starts_with("<!doctype html>"));
}

#[test]
fn more_dates_are_a_series_over_the_domains_observed_every_time() {
    let scratch = Scratch::new();
    let runs = [0, 1, 2].map(|date| run(&scratch, &format!("run-{date}"), ONE, date, &[]));
    // Named out of order: the dates decide.
    let comparison = compared(&[
        &runs[2],
        &runs[0],
        &runs[1],
        "--label",
        "2024-07-01",
        "--label",
        "2022-07-01",
        "--label",
        "2023-07-01",
    ]);
    let series = &comparison["series"];
    assert_eq!(series["years"], json!([0.0, 0.999, 2.001]));
    assert_eq!(series["panel"], 6);
    let strict = entry(&series["rates"], "rate", "strict");
    let n = |rates: &Value| {
        rates.as_array().map(|all| all.iter().map(|rate| rate["n"].clone()).collect())
    };
    assert_eq!(
        n(&strict["panel"]["rates"]),
        Some(json!([1, 2, 3]).as_array().expect("a list").clone())
    );
    assert_eq!((&strict["panel"]["rising"], &strict["panel"]["falling"]), (&json!(2), &json!(0)));
    // Two of six domains close over two years: a sixth a year.
    let slope = strict["panel"]["slope"]["value"].as_f64().expect("a slope");
    assert!((slope - 1.0 / 6.0).abs() < 1e-3, "{slope}");
    let page = study(&[
        "compare",
        &runs[0],
        &runs[1],
        &runs[2],
        "--label",
        "2022-07-01",
        "--label",
        "2023-07-01",
        "--label",
        "2024-07-01",
    ]);
    assert!(page.contains("2022-07-01 → 2023-07-01 → 2024-07-01"), "{page}");
    let output = output(&["compare", &runs[0], &runs[1], &runs[2], "--fail-on", "closing"]);
    assert_eq!(output.status.code(), Some(2), "closing is asked of two runs");
}

#[test]
fn different_samples_are_compared_as_independent_draws() {
    let scratch = Scratch::new();
    let one = run(&scratch, "one", ONE, 0, &[]);
    let other = run(&scratch, "other", OTHER, 0, &[]);
    let comparison = compared(&[&one, &other, "--by", "country", "--label", "xa", "--label", "xb"]);
    assert_eq!(comparison["runs"][1]["country"], "xb");
    let samples = &comparison["samples"];
    let strict = entry(&samples["rates"], "rate", "strict");
    let pair = &strict["pairs"][0];
    assert_eq!((&pair["first"]["n"], &pair["first"]["of"]), (&json!(1), &json!(7)));
    assert_eq!((&pair["second"]["n"], &pair["second"]["of"]), (&json!(2), &json!(3)));
    assert_eq!(pair["has_small_cells"], true);
    assert_eq!(samples["strata"], json!(["x", "y"]));
    // x: 1/3 and 2/2, y: 0/4 and 0/1; together x counts five and y five.
    let share = |at: usize| strict["standardised"][at]["share"].as_f64().expect("a share");
    assert!((share(0) - 1.0 / 6.0).abs() < 1e-5 && (share(1) - 0.5).abs() < 1e-5, "{strict:#}");
    assert_eq!(samples["overlaps"], json!([{"first": 0, "second": 1, "domains": 1}]));
    let page = study(&["compare", &one, &other]);
    for part in [
        "Every two samples",
        "* an expected count is below five",
        "1 domain in common to one and other",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn runs_of_different_instruments_are_refused_unless_forced_and_then_marked() {
    let scratch = Scratch::new();
    let one = run(&scratch, "one", ONE, 0, &[]);
    let other = run(&scratch, "other", ONE, 0, &["--attempts", "1"]);
    let refused = output(&["compare", &one, &other]);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("not made with one instrument: limits"), "{stderr}");
    assert!(stderr.contains("\nhint: "), "{stderr}");
    let forced = compared(&[&one, &other, "--force"]);
    let mark = forced["marks"][0].as_str().expect("a mark");
    assert!(mark.starts_with("forced: different instruments; limits"), "{mark}");
    assert!(study(&["compare", &one, &other, "--force"]).starts_with("! forced: different"));
    let page = scratch.join("forced.html");
    study(&["compare", &one, &other, "--force", "--html", &page.to_string_lossy()]);
    assert!(text(&page).contains("<p class=\"mark\">forced: different instruments"), "marked");
    assert!(
        study(&["compare", &one, &other, "--force", "--markdown"]).contains("**forced: different")
    );
}

/// A copy of a run, as if it had been made from captures.
fn as_captures(scratch: &Scratch, run: &str) -> String {
    for file in std::fs::read_dir(run).expect("a folder") {
        let file = file.expect("an entry").path();
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        if file.is_dir() {
            continue;
        }
        scratch.write(&format!("captures/{name}"), &text(&file));
    }
    let manifest = scratch.join("captures/manifest.json");
    let mut facts: Value = serde_json::from_str(&text(&manifest)).expect("JSON");
    facts["world"] = Value::Null;
    facts["source"] = json!({"kind": "captures", "as_of": "2024-05-26", "archives": []});
    scratch.write("captures/manifest.json", &facts.to_string());
    scratch.join("captures").to_string_lossy().into_owned()
}

#[test]
fn against_captures_html_is_left_out_on_both_sides() {
    let scratch = Scratch::new();
    let one = run(&scratch, "one", ONE, 0, &[]);
    let captures = as_captures(&scratch, &one);
    let comparison = compared(&[&captures, &one]);
    let note = comparison["notes"][0].as_str().expect("a note");
    assert!(note.contains("HTML are left out on all sides"), "{note}");
    let note = comparison["notes"][1].as_str().expect("a note");
    assert!(note.contains("a crawler that did not exist yet"), "{note}");
    assert_eq!(comparison["paired"]["dropped"]["html"], 1, "h.test");
    assert_eq!(comparison["runs"][0]["date"], "2024-05-26");
    let other = run(&scratch, "other", OTHER, 0, &[]);
    let samples = compared(&[&captures, &other]);
    let strict = entry(&samples["samples"]["rates"], "rate", "strict");
    assert_eq!(strict["rates"][0]["of"], 6, "seven observed less h.test");
}

#[test]
fn what_cannot_be_compared_is_refused_with_a_hint() {
    let scratch = Scratch::new();
    let one = run(&scratch, "one", ONE, 0, &[]);
    let again = run(&scratch, "again", ONE, 0, &[]);
    let other = run(&scratch, "other", OTHER, 0, &[]);
    let nowhere = scratch.join("nowhere").to_string_lossy().into_owned();
    for (arguments, expected) in [
        (vec![&*one, &*nowhere], "no such folder"),
        (vec![&*one, &*one], "the run is named twice"),
        (vec![&*one, &*again, "--by", "country"], "all runs are of one sample"),
        (vec![&*one, &*other, "--by", "country"], "the run states no country"),
        (vec![&*one, &*again, &*other], "it shares its sample one"),
        (vec![&*one, &*other, "--label", "x"], "1 labels for 2 runs"),
    ] {
        let output = output(&[&["compare"][..], &arguments].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected) && stderr.contains("\nhint: "), "{expected}: {stderr}");
    }
    assert_eq!(output(&["compare", &one]).status.code(), Some(2));
    let help = scanner(&["compare", "--help"]).env("COLUMNS", "80").output().expect("help");
    insta::assert_snapshot!("help_compare", String::from_utf8(help.stdout).expect("UTF-8"));
    assert!(Path::new(&one).join("manifest.json").exists());
}
