//! `scanner status` of runs that go, were interrupted, ended, or were changed.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::kills::{Moment, kill};
use super::study::{DOMAINS, Study, ended, names};
use crate::scratch::{output, scanner, text};

/// The exit status and the document that a status prints.
fn status(folder: &Path) -> (Option<i32>, serde_json::Value) {
    let output = output(&["status", "--json", &folder.to_string_lossy()]);
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code(), serde_json::from_str(&stdout).expect("one document"))
}

/// The page that a status prints.
fn page(folder: &Path) -> String {
    let output = output(&["status", &folder.to_string_lossy()]);
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[cfg(unix)]
#[test]
fn a_run_that_another_process_writes_is_told_of_and_left_alone() {
    let study = Study::new();
    let folder = study.scratch.join("run");
    let mut slow = study.run(&folder);
    slow.args(["--rate", "8"]);
    let mut running = slow.spawn().expect("the program starts");
    let journal = folder.join("attempt-1.journal");
    while !fs::metadata(&journal).is_ok_and(|journal| journal.len() > 0) {
        assert_eq!(running.try_wait().expect("a child"), None, "it ended before it began");
        std::thread::yield_now();
    }
    let (exit, account) = status(&folder);
    assert_eq!((exit, &account["state"]), (Some(5), &"running".into()));
    assert_eq!(account["process"], running.id());
    let current = &account["current"];
    let counts = ["attempt", "domains"].map(|name| current[name].as_u64().expect("a number"));
    assert_eq!(counts, [1, DOMAINS as u64]);
    let of = |name: &str| current[name].as_u64().expect("a number");
    assert!(of("done") > 0 && of("done") + of("left") == DOMAINS as u64, "{current}");
    assert!(page(&folder).contains(&format!("process {} is writing it", running.id())));
    let id = running.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status();
    assert!(sent.expect("kill").success());
    assert_eq!(running.wait().expect("it ends").code(), Some(143));
    let page = page(&folder);
    assert!(page.contains("interrupted") && page.contains("stopped by SIGTERM"), "{page}");
}

#[test]
fn an_interrupted_run_says_what_is_left_and_how_to_go_on() {
    let study = Study::new();
    let folder = study.scratch.join("run");
    let moment = Moment::Lines { attempt: 2, lines: 3 };
    kill(study.run(&folder), &folder, &moment).expect("it runs long enough");
    let before = names(&folder);
    let (exit, account) = status(&folder);
    assert_eq!((exit, &account["state"]), (Some(5), &"interrupted".into()));
    assert_eq!(account["process"], serde_json::Value::Null);
    assert_eq!(account["attempts"][0]["asked"], DOMAINS);
    assert_eq!((&account["current"]["attempt"], &account["attempts_left"]), (&2.into(), &1.into()));
    assert_eq!(account["is_safe_to_publish"], false);
    let page = page(&folder);
    for expected in [
        "its process ended without a word",
        &format!("scanner resume {}", folder.display()),
        "of 24 asked, ",
        "then at most 1 attempt more, and merging",
        "- it is not complete",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    assert_eq!(names(&folder), before, "asking changes nothing");
}

#[test]
fn a_complete_run_says_what_speaks_against_publication() {
    let study = Study::new();
    let folder = study.uninterrupted("run");
    let (exit, account) = status(&folder);
    assert_eq!((exit, &account["state"]), (Some(0), &"complete".into()));
    let reasons = account["reasons_against"].as_array().expect("a list");
    let begin = |word: &str| {
        reasons.iter().any(|reason| reason.as_str().is_some_and(|r| r.starts_with(word)))
    };
    assert!(begin("modified: the pattern library") && begin("fixture internet"), "{reasons:?}");
    assert_eq!(account["to_review"], text(&folder.join("review.csv")).lines().count() - 1);

    let crawlers = folder.join("crawlers.csv");
    let mut changed = fs::read(&crawlers).expect("readable");
    changed[100] ^= 1;
    fs::write(&crawlers, &changed).expect("written");
    let (exit, account) = status(&folder);
    assert_eq!((exit, &account["state"]), (Some(4), &"complete".into()));
    assert_eq!(account["faults"][0], "crawlers.csv is not as the manifest pins it");
    fs::remove_file(folder.join("attempt-2.csv")).expect("removed");
    fs::remove_file(folder.join("evidence.warc.gz")).expect("removed");
    let page = page(&folder);
    for expected in ["- attempt-2.csv is missing", "- evidence.warc.gz is not here: no verdict"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}

#[test]
fn what_is_no_run_is_refused_and_a_published_run_is_in_order() {
    let (exit, stderr) = ended(scanner(&["status", "samples"]));
    assert_eq!(exit, Some(3), "{stderr}");
    assert!(stderr.contains("no run is here"), "{stderr}");
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs/demo-808");
    let (exit, account) = status(&published);
    assert_eq!((exit, &account["faults"]), (Some(0), &serde_json::json!([])));
}
