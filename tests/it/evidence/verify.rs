//! `scanner verify`: nothing that a run says can be changed unseen.

#![allow(clippy::disallowed_methods, reason = "a test reads and spoils what it wrote")]

use scanner::run::RunError;
use scanner::seed::Stream;

use super::run::{Made, copy_of, names, replace, reseal, told, verified};
use crate::scratch::{Scratch, output};

/// How many octets of each file are spoilt.
const FLIPS: u64 = 12;

#[test]
fn a_run_that_nobody_touched_holds() {
    let made = Made::once();
    let verdict = verified(&made.folder()).expect("it can be verified");
    assert_eq!(verdict.difference, None);
    assert_eq!(verdict.unchecked, Vec::<String>::new());
    let domains: Vec<u64> = verdict.attempts.iter().map(|attempt| attempt.domains).collect();
    assert_eq!(domains, [9, 5, 4]);
}

#[test]
fn one_flipped_bit_in_any_file_is_found_and_the_file_named() {
    let scratch = Scratch::new();
    let folder = copy_of(&Made::once().folder(), &scratch);
    let mut flips = 0;
    for name in names(&folder) {
        let path = folder.join(&name);
        let whole = std::fs::read(&path).expect("a file");
        let mut stream = Stream::new("flips", &[name.as_bytes()]);
        for _ in 0..FLIPS {
            let at = stream.below(whole.len() as u64) as usize;
            let mut spoilt = whole.clone();
            spoilt[at] ^= 1 << stream.below(8);
            std::fs::write(&path, &spoilt).expect("written");
            let verdict = verified(&folder).unwrap_or_else(|error| panic!("{name} {at}: {error}"));
            let difference = verdict.difference.unwrap_or_else(|| panic!("{name} {at} is unseen"));
            assert_eq!(difference.file, name, "octet {at}: {difference}");
            flips += 1;
        }
        std::fs::write(&path, &whole).expect("written");
    }
    assert_eq!(told(&folder), "", "the folder is whole again");
    println!("{flips} flips, each found");
}

#[test]
fn a_forged_cell_is_named_by_file_row_column_stored_and_derived() {
    for (file, from, to, expected) in [
        (
            "merged.csv",
            "primary.test,a,1,9,policy,file",
            "primary.test,a,1,9,policy,empty",
            "merged.csv: row 1 (primary.test), column robots_state: stored empty, derived file",
        ),
        (
            "attempt-2.csv",
            "http-403.test,a,2",
            "http-403.test,b,2",
            "attempt-2.csv: row 1 (http-403.test), column stratum: stored b, derived a",
        ),
        (
            "attempt-1.crawlers.csv",
            "primary.test,a,GPTBot,training",
            "primary.test,a,GPTBot,retrieval",
            "attempt-1.crawlers.csv: row 15 (primary.test), column crawler_group: \
             stored retrieval, derived training",
        ),
        (
            "crawlers.csv",
            "primary.test,a,CCBot,training",
            "primary.test,a,CCbot,training",
            "crawlers.csv: row 17 (primary.test), column crawler: stored CCbot, derived CCBot",
        ),
        (
            "summary.json",
            "\"sample\": 9",
            "\"sample\": 8",
            "summary.json: funnel.sample: stored 8, derived 9",
        ),
    ] {
        let scratch = Scratch::new();
        let folder = copy_of(&Made::once().folder(), &scratch);
        replace(&folder.join(file), from, to);
        reseal(&folder, |_| {});
        assert_eq!(told(&folder), expected);
    }
}

#[test]
fn a_row_that_is_missing_or_too_many_is_named() {
    let scratch = Scratch::new();
    let folder = copy_of(&Made::once().folder(), &scratch);
    let path = folder.join("attempt-1.review.csv");
    let text = std::fs::read_to_string(&path).expect("UTF-8");
    let rows = text.lines().count() - 1;
    std::fs::write(&path, format!("{text}a.test,a,truncated,,x,y\n")).expect("written");
    reseal(&folder, |_| {});
    let expected = format!("attempt-1.review.csv: row {} (a.test): stored", rows + 1);
    assert!(told(&folder).starts_with(&expected), "{}", told(&folder));
    let shorter = text.trim_end().rsplit_once('\n').expect("rows").0;
    std::fs::write(&path, format!("{shorter}\n")).expect("written");
    reseal(&folder, |_| {});
    assert!(told(&folder).contains("stored no further row, derived a row"), "{}", told(&folder));
}

#[test]
fn forged_counts_and_figures_of_the_manifest_are_named() {
    for (change, expected) in [
        (
            (|document| document["attempts"][0]["observed"] = 8.into())
                as fn(&mut serde_json::Value),
            "manifest.json: attempts[0].observed: stored 8, derived 4",
        ),
        (
            |document| document["seed"] = 8.into(),
            "attempt-1.csv: row 1 (primary.test), column asked_as: stored",
        ),
        (
            |document| document["sample"]["n"] = 10.into(),
            "manifest.json: sample.n: stored 10, derived 9",
        ),
        (
            |document| document["instrument"]["limits"]["redirects"] = 6.into(),
            "manifest.json: instrument_sha256: stored",
        ),
        (|document| document["marks"] = serde_json::json!([]), "summary.json: marks[0]: stored"),
        (
            |document| {
                document["attempts"].as_array_mut().expect("attempts").pop();
            },
            "manifest.json: attempts: stored 2, derived 3",
        ),
    ] {
        let scratch = Scratch::new();
        let folder = copy_of(&Made::once().folder(), &scratch);
        reseal(&folder, change);
        assert!(told(&folder).starts_with(expected), "{expected}: {}", told(&folder));
    }
}

#[test]
fn a_file_too_few_or_too_many_is_named() {
    let made = Made::once();
    for name in ["evidence.warc.gz", "attempt-2.csv", "attempt-1.timing.csv", "paths.csv"] {
        let scratch = Scratch::new();
        let folder = copy_of(&made.folder(), &scratch);
        std::fs::remove_file(folder.join(name)).expect("removed");
        let expected = format!("{name}: stored no such file");
        assert!(told(&folder).starts_with(&expected), "{}", told(&folder));
    }
    let scratch = Scratch::new();
    let folder = copy_of(&made.folder(), &scratch);
    std::fs::write(folder.join("notes.txt"), "a reader's").expect("written");
    std::fs::remove_file(folder.join("report.md")).expect("removed");
    assert_eq!(told(&folder), "", "what anybody can derive, or added, is no part of the run");
    std::fs::write(folder.join("attempt-4.csv"), "domain\n").expect("written");
    assert_eq!(told(&folder), "attempt-4.csv: stored a file, derived none of this name");
}

#[test]
fn what_was_not_kept_is_said_and_the_rest_is_verified() {
    let policy = Made::with(&["--evidence", "policy"]);
    let verdict = verified(&policy.folder()).expect("it can be verified");
    assert_eq!(verdict.difference, None);
    assert!(verdict.unchecked[0].contains("homepages were not kept"), "{:?}", verdict.unchecked);
    let none = Made::with(&["--evidence", "none"]);
    assert!(!none.folder().join("evidence.warc.gz").exists());
    let expected = "evidence.warc.gz: stored no evidence, derived what every row follows from";
    assert_eq!(told(&none.folder()), expected);
    let manifest = crate::scratch::text(&none.folder().join("manifest.json"));
    assert!(manifest.contains("\"no evidence: no verdict of this run can be verified\""));
    for name in ["merged.csv", "crawlers.csv", "paths.csv", "review.csv", "attempt-1.csv"] {
        let [one, other] =
            [&policy, &none].map(|made| crate::scratch::text(&made.folder().join(name)));
        assert_eq!(one, other, "{name} is the same whatever is kept");
    }
}

#[test]
fn the_exit_status_tells_whether_a_run_holds() {
    let made = Made::once();
    let (run, sample) = (made.folder(), made.sample());
    let run = run.to_str().expect("UTF-8");
    let held = output(&["verify", run, "--sample", sample.to_str().expect("UTF-8")]);
    assert_eq!(held.status.code(), Some(0), "{}", String::from_utf8_lossy(&held.stdout));
    let other = output(&["verify", run, "--sample", "samples/faults.csv", "--json"]);
    assert_eq!(other.status.code(), Some(4));
    let document: serde_json::Value = serde_json::from_slice(&other.stdout).expect("JSON");
    assert_eq!(document["difference"]["column"], "sample.sha256");
    assert_eq!(document["verified"], false);
    let nothing = output(&["verify", "samples"]);
    assert_eq!(nothing.status.code(), Some(3));
    let scratch = Scratch::new();
    let folder = copy_of(&made.folder(), &scratch);
    reseal(&folder, |document| document["status"] = "incomplete".into());
    assert!(matches!(verified(&folder), Err(RunError::Incomplete { .. })));
    reseal(&folder, |document| document["instrument"]["library_sha256"] = "0".repeat(64).into());
    reseal(&folder, |document| document["status"] = "complete".into());
    assert!(matches!(verified(&folder), Err(RunError::Refused(_))), "another library");
}
