//! The whole failure corpus: each shape has its true name, at any concurrency and every time.

#![allow(clippy::disallowed_methods, reason = "the page is written on request")]

use std::collections::BTreeMap;
use std::path::Path;

use crate::rows::{Cells, differences, rows};
use crate::scratch::{Scratch, output, study, text};

const WORLD: &str = "fixtures/worlds/failures.toml";

/// The result files of a run, by name, that must be the same every time.
fn results(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).expect("a run folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".csv") && !name.contains("timing") || name == "summary.json")
        .map(|name| (name.clone(), text(&folder.join(&name))))
        .collect()
}

/// Runs the corpus.
fn run(scratch: &Scratch, name: &str, concurrency: &str) {
    let out = scratch.join(name);
    let out = out.to_str().expect("UTF-8");
    let sample = scratch.join("failures.csv");
    let sample = sample.to_str().expect("UTF-8");
    study(&[
        "run",
        "--sample",
        sample,
        "--seed",
        "11",
        "--world",
        WORLD,
        "--quiet",
        "--evidence",
        "none",
        "--concurrency",
        concurrency,
        "--out",
        out,
    ]);
}

#[test]
fn six_runs_of_the_failure_corpus_find_every_shape_by_its_true_name() {
    let scratch = Scratch::new();
    scratch.write("failures.csv", &study(&["world", "sample", WORLD]));
    let runs = [("a", "8"), ("b", "512"), ("c", "64"), ("d", "16"), ("e", "128"), ("f", "64")];
    for pair in runs.chunks(2) {
        std::thread::scope(|scope| {
            for (name, concurrency) in pair {
                scope.spawn(|| run(&scratch, name, concurrency));
            }
        });
    }
    let truth = rows(&study(&["world", "truth", WORLD]));
    let found = rows(&text(&scratch.join("a/merged.csv")));
    let differences = differences(&truth, &found);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(found.iter().all(|row| row["failure_mode"] != "other"), "nothing lands in `other`");
    let first = results(&scratch.join("a"));
    for (name, concurrency) in runs {
        for (file, contents) in results(&scratch.join(name)) {
            assert!(contents == first[&file], "{file} differs at concurrency {concurrency}");
        }
    }
    let page = page(&truth, &found);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/failures.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).expect("written");
    }
    assert_eq!(text(&path), page, "UPDATE_DOCS=1 cargo test writes it anew");
}

/// What a run saw of each shape, as a page.
fn page(truth: &[Cells], found: &[Cells]) -> String {
    let model: toml::Table =
        toml::from_str(&text(&Path::new(env!("CARGO_MANIFEST_DIR")).join(WORLD))).expect("TOML");
    let shapes = model["behaviour"].as_array().expect("behaviours");
    let mut page = "# Failures by their true names\n\n\
         What a run saw of `fixtures/worlds/failures.toml`, shape by shape. Written by a test \
         (`UPDATE_DOCS=1 cargo test`), which makes\nsix runs at different concurrencies and finds \
         no difference between them. A shape that is no failure is a `file`.\n\n\
         | shape | what happens | mode | operation | cause | domains |\n\
         | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for shape in shapes {
        let name = shape["name"].as_str().expect("a name");
        let dealt = truth.iter().filter(|row| row["behaviour"] == name);
        let domains: Vec<&str> = dealt.map(|row| row["domain"].as_str()).collect();
        let row = found.iter().find(|row| domains.contains(&row["domain"].as_str()));
        let row = row.unwrap_or_else(|| panic!("{name}: nobody was dealt it"));
        let mode = if row["failure_mode"].is_empty() { "robots_state" } else { "failure_mode" };
        page.push_str(&format!(
            "| `{name}` | {} | `{}` | {} | {} | {} |\n",
            shape["about"].as_str().expect("a reason"),
            row[mode],
            row["failure_operation"],
            row["failure_cause"],
            domains.len()
        ));
    }
    page
}

#[test]
fn other_limits_are_kept_to_and_mark_the_run() {
    let scratch = Scratch::new();
    scratch.write("one.csv", "domain\nanswer-silent.test\n");
    let (sample, out) = (scratch.join("one.csv"), scratch.join("run"));
    study(&[
        "run",
        "--sample",
        sample.to_str().expect("UTF-8"),
        "--seed",
        "1",
        "--quiet",
        "--attempts",
        "1",
        "--world",
        "fixtures/worlds/faults",
        "--limit",
        "head_ms=50",
        "--limit",
        "redirects=2",
        "--out",
        out.to_str().expect("UTF-8"),
    ]);
    let manifest = text(&out.join("manifest.json"));
    for part in [
        "\"head_ms\": 50",
        "\"connect_ms\": 3000",
        "modified: head_ms is 50 where the method has 10000",
        "modified: redirects is 2 where the method has 5",
    ] {
        assert!(manifest.contains(part), "{part}: {manifest}");
    }
    let row = &rows(&text(&out.join("merged.csv")))[0];
    assert_eq!(
        (row["failure_mode"].as_str(), row["failure_operation"].as_str()),
        ("timeout", "request")
    );
}

#[test]
fn a_limit_that_cannot_be_is_refused_before_anything_is_asked() {
    for (written, message) in [
        ("connect_ms", "not a name and a whole number"),
        ("connect_ms=-1", "not a name and a whole number"),
        ("connect_ms=1", "connect_ms is 1, and not between 10 and 600000"),
        ("patience=1", "no limit is named \"patience\": there are redirects, resolve_ms"),
    ] {
        let output = output(&[
            "run",
            "--sample",
            "demo-808.csv",
            "--seed",
            "1",
            "--world",
            "fixtures/worlds/demo-808.toml",
            "--limit",
            written,
        ]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(message), "{written}: {stderr}");
        assert_eq!(output.status.code(), Some(2), "{written}");
    }
}
