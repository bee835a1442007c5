//! The main job over the model world: truth, determinism, and the committed run.

#![allow(clippy::disallowed_methods, reason = "a test reads what it wrote")]

use std::path::Path;

use crate::rows::{differences, rows};
use crate::scratch::{Scratch, study, text};

const WORLD: &str = "fixtures/worlds/demo-808.toml";

/// Runs demo-808 at some concurrency.
fn demo(scratch: &Scratch, concurrency: &str) {
    let out = scratch.join(concurrency);
    let out = out.to_str().expect("UTF-8");
    study(&[
        "run",
        "--sample",
        "samples/demo-808.csv",
        "--seed",
        "42",
        "--world",
        WORLD,
        "--quiet",
        "--concurrency",
        concurrency,
        "--out",
        out,
    ]);
}

/// The names of a run's files that must be the same twice.
fn result_files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a run folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| !name.ends_with(".timing.csv"))
        .filter(|name| {
            !["manifest.json", "evidence.warc.gz", "report.html"].contains(&name.as_str())
        })
        .collect();
    names.sort();
    names
}

/// A manifest without its occasion.
fn manifest(folder: &Path) -> serde_json::Value {
    let text = text(&folder.join("manifest.json"));
    let mut manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    manifest.as_object_mut().expect("an object").remove("occasion").expect("an occasion");
    manifest
}

/// Every result file of two runs is the same, byte for byte.
fn assert_same(one: &Path, other: &Path) {
    let names = result_files(one);
    assert_eq!(names, result_files(other), "{} and {}", one.display(), other.display());
    assert!(names.len() >= 17, "{names:?}");
    for name in names {
        let differ = text(&one.join(&name)) != text(&other.join(&name));
        assert!(!differ, "{name} differs between {} and {}", one.display(), other.display());
    }
    assert_eq!(manifest(one), manifest(other));
}

#[test]
fn demo_808_gives_the_same_bytes_at_any_concurrency_and_finds_the_truth() {
    let scratch = Scratch::new();
    std::thread::scope(|scope| {
        scope.spawn(|| demo(&scratch, "1"));
        scope.spawn(|| demo(&scratch, "64"));
    });
    assert_same(&scratch.join("1"), &scratch.join("64"));
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs/demo-808");
    assert_same(&scratch.join("64"), &committed);

    let truth = rows(&study(&["world", "truth", WORLD]));
    let found = rows(&text(&scratch.join("64").join("merged.csv")));
    assert_eq!((truth.len(), found.len()), (808, 808));
    let differences = differences(&truth, &found);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_committed_run_holds_without_its_evidence() {
    let printed = study(&["verify", "runs/demo-808", "--without-evidence"]);
    assert!(printed.contains("\nverified without evidence: "), "{printed}");
}

#[test]
fn the_committed_sample_is_the_one_that_the_model_generates() {
    let generated = study(&["world", "sample", WORLD]);
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/demo-808.csv");
    assert_eq!(generated, text(&committed));
}
