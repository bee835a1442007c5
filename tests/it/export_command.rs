//! `scanner export` and `scanner cite` over the committed run; `tests/peers/export.sh` reads the same
//! folder with other people's tools.

#![allow(clippy::disallowed_methods, reason = "a test looks at what was written")]

use std::path::Path;

use crate::scratch::{Scratch, output, scanner, study, text};

const RUN: &str = "runs/demo-808";

/// A scratch path in UTF-8.
fn words(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

/// A copy of the committed run's manifest with one change.
fn changed_manifest(scratch: &Scratch, from: &str, to: &str) -> String {
    let manifest = text(&Path::new(env!("CARGO_MANIFEST_DIR")).join(RUN).join("manifest.json"));
    assert!(manifest.contains(from), "{from}");
    scratch.write("run/manifest.json", &manifest.replacen(from, to, 1));
    words(&scratch.join("run"))
}

#[test]
fn help_teaches() {
    for (name, arguments) in
        [("help_export", ["export", "--help"]), ("help_cite", ["cite", "--help"])]
    {
        let output = scanner(&arguments).env("COLUMNS", "80").output().expect("help");
        insta::assert_snapshot!(name, String::from_utf8(output.stdout).expect("UTF-8"));
    }
}

#[test]
fn an_export_holds_the_run_as_it_is_and_its_checksums_hold_the_export() {
    let scratch = Scratch::new();
    let out = scratch.join("export");
    let printed =
        study(&["export", RUN, "--out", &words(&out), "--licence", "CC-BY-4.0", "--json"]);
    let printed: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let listed = printed["files"].as_array().expect("files");
    let run = Path::new(env!("CARGO_MANIFEST_DIR")).join(RUN);
    for file in ["manifest.json", "merged.csv", "attempt-3.review.csv", "summary.json"] {
        assert_eq!(text(&run.join(file)), text(&out.join("run").join(file)), "{file}");
    }
    let sums = text(&out.join("SHA256SUMS"));
    assert_eq!(sums.lines().count() + 1, listed.len(), "every file but the list itself");
    for line in sums.lines() {
        let (digest, path) = line.split_once("  ").expect("digest and path");
        let octets = std::fs::read(out.join(path)).expect(path);
        assert_eq!(scanner::digest::Digest::of(&octets).to_string(), digest, "{path}");
    }
    let package: serde_json::Value =
        serde_json::from_str(&text(&out.join("datapackage.json"))).expect("JSON");
    let resources = package["resources"].as_array().expect("resources");
    let merged = resources.iter().find(|found| found["path"] == "run/merged.csv").expect("merged");
    assert_eq!(merged["schema"]["primaryKey"], serde_json::json!(["domain"]));
    assert_eq!(package["licenses"][0]["name"], "CC-BY-4.0");
}

#[test]
fn the_same_run_exports_to_the_same_octets_and_only_what_is_asked_for() {
    let scratch = Scratch::new();
    let (one, other) = (scratch.join("one"), scratch.join("other"));
    study(&["export", RUN, "--out", &words(&one), "--to", "parquet,citation"]);
    study(&["export", RUN, "--out", &words(&other), "--to", "parquet,citation"]);
    assert_eq!(text(&one.join("SHA256SUMS")), text(&other.join("SHA256SUMS")));
    assert!(one.join("parquet/merged.parquet").exists() && one.join("CITATION.cff").exists());
    assert!(!one.join("datapackage.json").exists() && !one.join("croissant.json").exists());
}

#[test]
fn what_cannot_be_published_is_refused() {
    let scratch = Scratch::new();
    let out = words(&scratch.join("out"));
    let incomplete =
        changed_manifest(&scratch, "\"status\": \"complete\"", "\"status\": \"running\"");
    scratch.write("full/file", "x");
    let full = words(&scratch.join("full"));
    let nowhere = words(&scratch.join("nowhere"));
    for (run, to, expected) in [
        (incomplete.as_str(), &out, "the run is running"),
        (RUN, &full, "something is there"),
        (&nowhere, &out, "no run is here"),
    ] {
        let output = output(&["export", run, "--out", to]);
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(3), "{expected}: {stderr}");
        assert!(stderr.contains(expected) && stderr.contains("hint: "), "{expected}: {stderr}");
    }
}

#[test]
fn a_file_that_is_not_what_the_manifest_states_is_refused() {
    let scratch = Scratch::new();
    let run = Path::new(env!("CARGO_MANIFEST_DIR")).join(RUN);
    for entry in std::fs::read_dir(run).expect("the committed run") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        scratch.write(&format!("run/{name}"), &text(&entry.path()));
    }
    let merged = text(&scratch.join("run/merged.csv"));
    scratch.write("run/merged.csv", &merged.replacen(",policy,", ",Policy,", 1));
    let out = words(&scratch.join("out"));
    let output = output(&["export", &words(&scratch.join("run")), "--out", &out]);
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("merged.csv") && stderr.contains("the manifest states"), "{stderr}");
    assert!(!scratch.join("out/SHA256SUMS").exists(), "an export without its list is not finished");
}

#[test]
fn a_citation_names_what_pins_the_run_in_each_form() {
    let arguments = |form| ["cite", RUN, "--author", "Doe, Ada", "--as", form];
    let results = "results_sha256";
    let manifest = text(&Path::new(env!("CARGO_MANIFEST_DIR")).join(RUN).join("manifest.json"));
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    let digest = manifest[results].as_str().expect("a digest");
    for (form, expected) in [
        ("cff", "  - family-names: \"Doe\"\n    given-names: \"Ada\"\n"),
        ("bibtex", "author = {Doe, Ada},"),
        ("text", "Doe, Ada. Crawler access of demo-808, "),
    ] {
        let cited = study(&arguments(form));
        assert!(cited.contains(expected) && cited.contains(digest), "{form}: {cited}");
    }
    let output = output(&["cite", RUN]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--author"), "a run knows no authors");
}
