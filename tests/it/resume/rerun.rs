//! `scanner rerun`: the same study asked again, in a new folder, and compared.

use std::path::Path;
use std::process::Command;

use super::kills::{Moment, kill};
use super::study::{Study, assert_same, contents, ended, manifest};
use crate::scratch::{scanner, text};

/// `scanner rerun` of a folder into another.
fn rerun(old: &Path, new: &Path) -> Command {
    let mut command = scanner(&["rerun", "--quiet", "--json"]);
    command.arg(old).arg("--out").arg(new);
    command
}

#[test]
fn a_finished_run_is_asked_again_and_what_moved_is_told() {
    let study = Study::new();
    let old = study.uninterrupted("old");
    let before = contents(&old);
    let new = study.scratch.join("new");
    study.scratch.write("world/site-05.test/robots.txt", "User-agent: *\nDisallow: /\n");
    let output = rerun(&old, &new).output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let comparison: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let changed = comparison["paired"]["changed"].as_array().expect("domain by domain");
    assert!(!changed.is_empty() && changed.iter().all(|one| one["domain"] == "site-05.test"));
    assert_eq!(contents(&old), before, "the old run is only read");
    for same in ["sample", "seed", "instrument", "user_agent", "evidence", "world"] {
        assert_eq!(manifest(&old)[same], manifest(&new)[same], "{same}");
    }

    let again = study.scratch.join("again");
    let (status, stderr) = ended(rerun(&new, &again));
    assert_eq!(status, Some(0), "{stderr}");
    assert_same(&again, &new);
}

#[test]
fn what_cannot_be_asked_again_as_it_was_is_refused() {
    let study = Study::new();
    let old = study.uninterrupted("old");
    let killed = study.scratch.join("killed");
    let moment = Moment::Lines { attempt: 1, lines: 3 };
    kill(study.run(&killed), &killed, &moment).expect("it runs long enough");
    let new = study.scratch.join("new");
    let refused = |command: Command, expected: &str| {
        let (status, stderr) = ended(command);
        assert_eq!(status, Some(3), "{expected}: {stderr}");
        assert!(stderr.contains(expected) && stderr.contains("\nhint: "), "{expected}: {stderr}");
        assert!(!new.exists(), "nothing was begun: {expected}");
    };
    refused(rerun(&killed, &new), "the run is not complete");
    refused(rerun(&study.scratch.join("nowhere"), &new), "no run is here");
    refused(rerun(&old, &killed), "the folder is not empty");
    let longer = text(&study.scratch.join("healing.csv")) + "another.test,news\n";
    study.scratch.write("healing.csv", &longer);
    refused(rerun(&old, &new), "it cannot be asked again here: sample: ");
}
