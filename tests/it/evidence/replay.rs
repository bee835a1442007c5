//! `scanner replay`: a run from archived responses.

use std::path::Path;

use super::run::{Made, names, told};
use crate::corpus;
use crate::rows::rows;
use crate::scratch::{Scratch, output, study, text};

/// Replays; returns what was printed.
fn replay(sample: &Path, archives: &[&Path], out: &Path, further: &[&str]) -> String {
    let mut arguments = vec!["replay", "--sample", sample.to_str().expect("UTF-8"), "--warc"];
    arguments.extend(archives.iter().map(|archive| archive.to_str().expect("UTF-8")));
    arguments.extend(["--out", out.to_str().expect("UTF-8")]);
    arguments.extend(further);
    study(&arguments)
}

#[test]
fn the_evidence_of_a_run_gives_the_tables_of_the_run_octet_for_octet() {
    let made = Made::once();
    let scratch = Scratch::new();
    let out = scratch.join("replayed");
    let printed = replay(&made.sample(), &[&made.folder().join("evidence.warc.gz")], &out, &[]);
    assert!(printed.contains("! replay: of the run that evidence.warc.gz records"), "{printed}");
    assert_eq!(names(&out), names(&made.folder()));
    let mut compared = 0;
    for name in names(&out) {
        let (one, other) = (made.folder().join(&name), out.join(&name));
        match name.as_str() {
            // Dates, addresses and what the manifest says of the source are another run's; the
            // report begins with the marks.
            "manifest.json" | "evidence.warc.gz" | "report.md" => continue,
            "summary.json" => {
                let read = |path: &Path| -> serde_json::Value {
                    let mut summary: serde_json::Value =
                        serde_json::from_str(&text(path)).expect("JSON");
                    summary.as_object_mut().expect("an object").remove("marks").expect("marks");
                    summary
                };
                assert_eq!(read(&one), read(&other));
            }
            name if name.ends_with(".timing.csv") => {
                assert_eq!(text(&other).lines().count(), 1, "nobody was asked: {name}");
            }
            _ => assert_eq!(text(&one), text(&other), "{name}"),
        }
        compared += 1;
    }
    assert_eq!(compared, 20);
    assert_eq!(told(&out), "", "a replayed run is verified like any other");
    let again = scratch.join("again");
    replay(&made.sample(), &[&out.join("evidence.warc.gz")], &again, &["--quiet"]);
    assert_eq!(text(&out.join("merged.csv")), text(&again.join("merged.csv")));
    let other = output(&[
        "replay",
        "--sample",
        made.sample().to_str().expect("UTF-8"),
        "--seed",
        "8",
        "--warc",
        out.join("evidence.warc.gz").to_str().expect("UTF-8"),
    ]);
    assert_eq!(other.status.code(), Some(2), "another seed than the recorded one");
}

/// A record of an archive.
fn record(kind: &str, url: &str, date: &str, block: &str) -> String {
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

#[test]
fn an_archive_without_a_control_decides_what_it_can() {
    let scratch = Scratch::new();
    let sample = "domain\nfile.test\nhtml.test\nmissing.test\nabsent.test\nmoved.test\nwall.test\n";
    let sample = scratch.write("s.csv", sample);
    let response = |domain: &str, http: &str| {
        let url = format!("https://{domain}/robots.txt");
        record("response", &url, "2024-05-01T00:00:00Z", http)
    };
    let archive = [
        record(
            "resource",
            "https://file.test/robots.txt",
            "2024-05-01T00:00:00Z",
            "User-agent: GPTBot\nDisallow: /\n",
        ),
        record(
            "resource",
            "https://file.test/robots.txt",
            "2024-06-01T00:00:00Z",
            "User-agent: *\n",
        ),
        response("html.test", "HTTP/1.1 200 OK\r\n\r\n<!doctype html><p>Hi"),
        response("absent.test", "HTTP/1.1 404 No\r\n\r\n"),
        response("moved.test", "HTTP/1.1 301 Moved\r\nLocation: https://x.test/\r\n\r\n"),
        response("wall.test", "HTTP/1.1 403 No\r\n\r\nno"),
    ];
    let archive = scratch.write("a.warc", &archive.concat());
    let out = scratch.join("run");
    let printed = replay(&sample, &[&archive], &out, &["--as-of", "2024-05-31"]);
    assert!(printed.contains("! replay: of captures in a.warc, as of 2024-05-31"), "{printed}");
    assert!(printed.contains("outside                2   not captured"), "{printed}");
    let found: Vec<[String; 6]> = rows(&text(&out.join("merged.csv")))
        .iter()
        .map(|row| {
            ["layer", "robots_state", "failure_mode", "page_state", "llms_state", "llms_reason"]
                .map(|column| row[column].clone())
        })
        .collect();
    let rest = ["not_captured", "unscannable", "not_captured"];
    let expected = [
        ["policy", "file", ""],
        ["unscannable", "html_undecided", "not_robots"],
        ["outside", "not_captured", ""],
        ["policy", "absent", ""],
        ["outside", "not_captured", ""],
        ["access_denied", "failed", "http_403"],
    ];
    let expected: Vec<[String; 6]> = expected
        .iter()
        .map(|access| [access[0], access[1], access[2], rest[0], rest[1], rest[2]])
        .map(|row| row.map(str::to_owned))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(told(&out), "");
    let manifest: serde_json::Value =
        serde_json::from_str(&text(&out.join("manifest.json"))).expect("JSON");
    assert_eq!(manifest["attempts"].as_array().map(Vec::len), Some(1), "one attempt");
    assert_eq!(manifest["source"]["kind"], "captures");
    assert_eq!(manifest["source"]["as_of"], "2024-05-31");
    let digest = manifest["source"]["archives"][0]["sha256"].as_str().map(str::len);
    assert_eq!(digest, Some(64));
}

#[test]
fn an_archive_that_cannot_be_read_is_refused_with_its_record() {
    let scratch = Scratch::new();
    let sample = scratch.write("s.csv", "domain\na.test\n");
    let whole = record("resource", "https://a.test/robots.txt", "2024-05-01T00:00:00Z", "x");
    for (name, octets, expected) in [
        ("cut.warc", &whole[..whole.len() - 5], "record 1: the archive ends within a record"),
        ("no.warc", "<html>", "record 1: "),
    ] {
        let archive = scratch.write(name, octets);
        let refused = output(&[
            "replay",
            "--sample",
            sample.to_str().expect("UTF-8"),
            "--warc",
            archive.to_str().expect("UTF-8"),
            "--out",
            scratch.join("run").to_str().expect("UTF-8"),
        ]);
        let stderr = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains(expected) && stderr.contains("\nhint: "), "{stderr}");
    }
    let missing = output(&["replay", "--sample", "samples/faults.csv", "--warc", "nowhere.warc"]);
    assert_eq!(missing.status.code(), Some(3));
    let usage = ["--as-of", "yesterday"];
    let arguments = ["replay", "--sample", "samples/faults.csv", "--warc", "nowhere.warc"];
    assert_eq!(output(&[&arguments[..], &usage].concat()).status.code(), Some(2));
}

#[test]
fn the_archives_of_the_corpus_are_replayed_and_verified() {
    let Some(corpus) = corpus::folder() else { return };
    let worlds = corpus.join("worlds");
    for (sample, archive, domains) in [
        ("news", "news-2025-02", 54),
        ("news", "news-2026-06", 54),
        ("top-sites", "top-sites-2022-07", 150),
    ] {
        let scratch = Scratch::new();
        let out = scratch.join("run");
        let archive = worlds.join(format!("{archive}.warc.gz"));
        replay(&worlds.join(format!("{sample}.csv")), &[&archive], &out, &["--quiet"]);
        let merged = rows(&text(&out.join("merged.csv")));
        assert_eq!(merged.len(), domains);
        assert!(merged.iter().all(|row| row["robots_state"] != "not_captured"), "{sample}");
        assert_eq!(told(&out), "", "{}", archive.display());
    }
}
