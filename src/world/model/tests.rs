//! What the demonstration world promises, and what a model's file may not say.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Model;
use crate::files;
use crate::sample::Sample;
use crate::world::{Connection, Dns, Fault, Internet as _, Reply, Site, Tls};

/// A file of the project.
fn path(relative: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(relative)
}

fn demo() -> Model {
    Model::open(&path("fixtures/worlds/demo-808.toml")).expect("the demonstration world is sound")
}

/// The rows of a truth table, each by column.
fn rows(truth: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = truth.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), header.len(), "{line}");
            header.iter().copied().zip(cells).collect()
        })
        .collect()
}

/// How often each value stands in a column, among the rows that a filter keeps.
fn tally<'a>(
    rows: &[BTreeMap<&'a str, &'a str>],
    column: &str,
    keep: impl Fn(&BTreeMap<&'a str, &'a str>) -> bool,
) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for row in rows.iter().filter(|row| keep(row)) {
        *counts.entry(row[column]).or_default() += 1;
    }
    counts
}

#[test]
fn the_committed_sample_is_the_one_that_the_model_generates() {
    let csv = files::read(&path("samples/demo-808.csv"), 1 << 20).expect("the sample is there");
    assert_eq!(String::from_utf8_lossy(&csv), demo().sample_csv());
    let sidecar = files::read_text(&path("samples/demo-808.toml"), 1 << 20).expect("a sidecar");
    let sample = Sample::parse("samples/demo-808.csv", &csv, Some(("demo-808.toml", &sidecar)));
    let sample = sample.expect("the sample and its sidecar agree");
    assert_eq!((sample.name.as_str(), sample.entries.len()), ("demo-808", 808));
    assert_eq!(sample.normalised, 0);
}

#[test]
fn the_truth_of_the_demonstration_has_the_published_shape() {
    let truth = demo().truth_csv();
    let rows = rows(&truth);
    let layers = tally(&rows, "layer", |_| true);
    let resolutions = tally(&rows, "resolution", |_| true);
    let classes = tally(&rows, "access_class", |row| row["layer"] == "policy");
    let states = tally(&rows, "robots_state", |_| true);
    let modes = tally(&rows, "failure_mode", |row| row["layer"] != "policy");
    let guidance = tally(&rows, "llms_state", |_| true);
    println!("{layers:?}\n{resolutions:?}\n{classes:?}\n{states:?}\n{modes:?}\n{guidance:?}");
    assert_eq!(
        layers,
        BTreeMap::from([("policy", 619), ("access_denied", 146), ("unscannable", 43)])
    );
    assert_eq!(
        resolutions,
        BTreeMap::from([("observed", 603), ("recovered", 16), ("unresolved", 189)])
    );
    assert_eq!(
        classes,
        BTreeMap::from([
            ("whole_site", 24),
            ("primary", 42),
            ("secondary", 93),
            ("functionally_open", 268),
            ("fully_open", 192),
        ])
    );
    assert_eq!(
        guidance,
        BTreeMap::from([
            ("present_conformant", 87),
            ("present_nonconformant", 9),
            ("absent", 537),
            ("unscannable", 175),
        ])
    );
    let platforms = tally(&rows, "cms", |row| !row["homepage"].is_empty());
    assert_eq!(platforms, BTreeMap::from([("", 415), ("Shopify", 40), ("WordPress", 180)]));
    let modes: Vec<&str> = modes.into_keys().collect();
    assert_eq!(
        modes,
        [
            "challenge",
            "connect",
            "dns",
            "http_401",
            "http_403",
            "http_429",
            "http_4xx",
            "http_5xx",
            "not_robots",
            "protocol",
            "redirect_loop",
            "reset",
            "timeout",
            "tls",
        ]
    );
}

#[test]
fn a_recovered_domain_keeps_its_history() {
    let truth = demo().truth_csv();
    let rows = rows(&truth);
    let histories = tally(&rows, "failure_history", |row| row["resolution"] == "recovered");
    assert_eq!(
        histories.keys().copied().collect::<Vec<_>>(),
        [
            "challenge;ok",
            "connect;connect;ok",
            "connect;http_5xx;ok",
            "dns;ok",
            "http_403;ok",
            "http_429;http_429;ok",
            "http_429;ok",
            "http_5xx;http_5xx;ok",
            "http_5xx;ok",
            "reset;ok",
            "timeout;ok",
            "timeout;timeout;ok",
        ]
    );
    for row in &rows {
        let attempts = row["failure_history"].split(';').count().to_string();
        assert_eq!(row["attempt"], attempts, "{row:?}");
        assert_eq!(row["failure_history"].ends_with("ok"), row["layer"] == "policy", "{row:?}");
    }
}

/// Whether something of a site can only end at a deadline.
fn is_silent(site: &Site) -> bool {
    let silent =
        |reply: &Reply| matches!(reply.fault, Fault::Silent | Fault::SilentInBody | Fault::Drip);
    site.dns == Dns::Silent
        || site.connection == Connection::BlackHole
        || site.tls == Tls::Silent
        || silent(&site.otherwise)
        || site.replies.values().any(silent)
}

#[test]
fn at_most_six_domains_are_silent_in_an_attempt() {
    let model = demo();
    for (attempt, expected) in [(1, 6), (2, 5), (3, 4), (4, 4)] {
        let silent = (0..model.n())
            .filter(|&at| is_silent(&model.site(&model.domain(at), attempt).expect("a site")))
            .count();
        assert_eq!(silent, expected, "attempt {attempt}");
    }
    assert_eq!(model.deadline_ms(), Some(3_000));
}

#[test]
fn quotas_keep_the_shares_at_any_size() {
    let mut model = demo();
    for n in [1, 7, 808, 10_000] {
        model = model.with_n(n);
        let truth = model.truth_csv();
        let rows = rows(&truth);
        assert_eq!(rows.len(), n);
        let names = tally(&rows, "domain", |_| true);
        assert_eq!(names.len(), n, "each name stands once");
        let strata = tally(&rows, "stratum", |_| true);
        for stratum in &model.format.stratum {
            let count = strata.get(stratum.name.get_ref().as_str()).copied().unwrap_or(0);
            assert!((count as f64 - stratum.share / 808.0 * n as f64).abs() < 1.0);
        }
        let dealt = tally(&rows, "behaviour", |_| true);
        for behaviour in &model.format.behaviour {
            let count = dealt.get(behaviour.name.get_ref().as_str()).copied().unwrap_or(0);
            let exact = behaviour.share / 808.0 * n as f64;
            assert!((count as f64 - exact).abs() < 1.0, "{behaviour:?}: {count} of {exact}");
        }
        let whole_site = tally(&rows, "access_class", |_| true).get("whole_site").copied();
        if n == 10_000 {
            let whole_site = whole_site.expect("some") as f64;
            assert!((whole_site - 24.0 / 808.0 * 10_000.0).abs() < 8.0, "{whole_site}");
        }
    }
}

#[test]
fn a_name_leads_to_its_site_and_another_to_none() {
    let model = demo();
    let truth = model.truth_csv();
    for row in rows(&truth) {
        let site = model.site(row["domain"], 3).expect("every domain of the sample has a site");
        let nameless = row["failure_mode"] == "dns";
        assert_eq!(site.dns != Dns::Address, nameless, "{row:?}");
        if row["behaviour"] == "tags_closed" {
            let robots = site.reply("/robots.txt");
            assert!(String::from_utf8_lossy(&robots.body).contains("Disallow: /tag/"));
        }
    }
    assert!(model.site("robots-hosting.test", 1).is_some());
    for host in ["amber-clinic-2.test", "nobody.test", "www.amber-clinic.test", ""] {
        assert_eq!(model.site(host, 1), None, "{host}");
    }
}

#[test]
fn a_fault_heals_by_the_attempt_and_never_by_the_asking() {
    let model = demo();
    let truth = model.truth_csv();
    let rows = rows(&truth);
    let dealt = |name: &str| {
        rows.iter().find(|row| row["behaviour"] == name).expect("somebody has it")["domain"]
    };
    let status = |domain: &str, attempt: u32| {
        model.site(domain, attempt).expect("a site").reply("/robots.txt").status
    };
    let limited = dealt("rate_limited_twice");
    for _ in 0..2 {
        assert_eq!([1, 2, 3].map(|attempt| status(limited, attempt)), [429, 429, 200]);
    }
    let slow = dealt("refused_then_unavailable");
    assert_eq!(model.site(slow, 1).expect("a site").connection, Connection::Refused);
    assert_eq!([2, 3].map(|attempt| status(slow, attempt)), [503, 200]);
}

#[test]
fn every_path_of_a_refusing_host_answers_alike() {
    let model = demo();
    let truth = model.truth_csv();
    let rows = rows(&truth);
    for (behaviour, statuses) in [
        ("forbidden", [403, 403, 403]),
        ("forbidden_file", [403, 200, 404]),
        ("every_path_says_not_found", [200, 200, 200]),
        ("page_for_robots", [200, 200, 404]),
    ] {
        let row = rows
            .iter()
            .find(|row| row["behaviour"] == behaviour && ["", "no_llms"].contains(&row["guidance"]))
            .expect("somebody has it");
        let site = model.site(row["domain"], 3).expect("a site");
        let found = ["/robots.txt", "/", "/0123.txt"].map(|path| site.reply(path).status);
        assert_eq!(found, statuses, "{behaviour}");
    }
}

/// A model of the least that a model holds.
const LEAST: &str = r#"[model]
name = "least"
about = "one domain"
seed = 1
n = 1
deadline_ms = 3000

[[stratum]]
name = "all"
share = 1
words = ["house"]

[[behaviour]]
name = "open"
about = "no file"
share = 1
robots = { status = 404 }
[behaviour.expect]
layer = "policy"
robots_state = "absent"
http_status = 404
access_class = "fully_open"
class_wildcard = "fully_open"

[[guidance]]
name = "none"
about = "404"
share = 1
expect = { llms_state = "absent" }

[[homepage]]
name = "plain"
about = "nothing"
share = 1
page = { body = "hello" }
"#;

#[test]
fn what_a_model_may_not_say_is_refused_with_its_line() {
    let least = Model::parse("m.toml", LEAST).expect("the least model is sound");
    assert_eq!((least.name(), least.sample_csv().lines().count()), ("least", 2));
    for (from, to, expected) in [
        ("seed = 1", "sead = 1", "m.toml:4: unknown field `sead`"),
        ("status = 404 }", "state = 404 }", "m.toml:17: unknown field `state`"),
        ("http_status", "http_state", "m.toml:21: unknown field `http_state`"),
        ("llms_state", "llm_state", "m.toml:29: unknown field `llm_state`"),
        ("robots = { status = 404 }", "dns = \"gone\"", "m.toml:17: \"gone\" is none of address"),
        ("robots = { status = 404 }", "dns = \"servfail\"", "m.toml:14: open: no guidance is"),
        ("robots = {", "tls = \"silent\"\nrobots = {", "m.toml:14: open: robots and a host-level"),
        ("robots = {", "whole_host = true\nrobots = {", "m.toml:14: open: no guidance is"),
        ("robots = {", "heals_on = 2\nrobots = {", "m.toml:14: heals_on and then come together"),
        ("robots = {", "heals_on = 4\nthen = \"x\"\nrobots = {", "m.toml:14: heals_on is 4"),
        ("robots = {", "heals_on = 2\nthen = \"x\"\nrobots = {", "m.toml:14: no behaviour is"),
        ("robots = {", "heals_on = 2\nthen = \"open\"\nrobots = {", "m.toml:14: \"open\" heals no"),
        ("robots = {", "tilt = { law = 2 }\nrobots = {", "m.toml:14: tilt names no stratum"),
        ("robots = {", "tilt = { all = -1 }\nrobots = {", "m.toml:14: tilt of all is -1"),
        ("robots = {", "homepage = \"x\"\nrobots = {", "m.toml:14: no homepage is named"),
        ("\"policy\"", "\"open\"", "m.toml:14: open: no layer"),
        ("\"policy\"", "\"unscannable\"", "m.toml:14: open: a failure whose robots_state"),
        ("class_wildcard = \"fully", "class_wildcard = \"quite", "m.toml:14: open: policy without"),
        ("\"absent\" }", "\"gone\" }", "m.toml:26: llms_state is \"gone\""),
        ("\"house\"", "\"House\"", "m.toml:9: \"House\" cannot stand in a name"),
        ("\"house\"", "\"house\", \"house\"", "m.toml:9: \"house\" stands in all already"),
        ("n = 1\n", "n = 0\n", "m.toml:5: a model of no domain"),
        ("name = \"plain\"", "name = \"a,b\"", "m.toml:32: \"a,b\" is no plain name"),
        ("share = 1\npage", "share = 0\npage", "m.toml: no homepage has a share"),
        ("page = {", "expect = { cms = \"a,b\" }\npage = {", "m.toml:32: a cell cannot hold"),
    ] {
        assert!(LEAST.contains(from), "{from}");
        let Err(refusal) = Model::parse("m.toml", &LEAST.replacen(from, to, 1)) else {
            panic!("{to} was taken");
        };
        let refusal = refusal.to_string();
        assert!(refusal.starts_with(expected), "{to}: {refusal}");
        assert!(refusal.contains("\nhint: "), "{to}: {refusal}");
    }
}

#[test]
fn a_file_that_is_not_there_is_refused_by_name() {
    let Err(refusal) = Model::open(&path("fixtures/worlds/nowhere.toml")) else {
        panic!("it was read");
    };
    assert!(refusal.file.ends_with("nowhere.toml"), "{refusal}");
    assert!(!refusal.message.contains("nowhere.toml"), "{refusal}");
}

/// The behaviours dealt to the domains of a small model, by their first letters.
fn dealt(model: &Model) -> String {
    let truth = model.truth_csv();
    rows(&truth).iter().map(|row| &row["behaviour"][..1]).collect()
}

#[test]
fn the_dealing_hangs_on_seed_and_name_alone() {
    let more = "[[behaviour]]\nname = \"forbidden\"\nabout = \"403\"\nshare = 2\n\
                robots = { status = 403 }\n[behaviour.expect]\nlayer = \"access_denied\"\n\
                robots_state = \"failed\"\nfailure_mode = \"http_403\"\n\n[[guidance]]";
    let text = LEAST.replace("[[guidance]]", more).replace("n = 1\n", "n = 12\n");
    let model = Model::parse("m.toml", &text).expect("sound");
    assert_eq!(dealt(&model), "foffoffoofff");
    let other = text.replace("seed = 1", "seed = 2");
    assert_eq!(dealt(&Model::parse("m.toml", &other).expect("sound")), "fffoofffoffo");
}
