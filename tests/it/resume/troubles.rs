//! What a run meets besides kills: no room, no rights, another process, other inputs, meddling.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scanner::digest::Digest;

use super::kills::{Moment, kill};
use super::study::{
    Study, assert_ended_well, assert_same, contents, ended, manifest, names, resume,
};
use crate::scratch::text;

/// A run killed while attempt 2 is being asked.
fn killed_in_attempt_2(study: &Study) -> PathBuf {
    let folder = study.scratch.join("killed");
    let moment = Moment::Lines { attempt: 2, lines: 3 };
    let hit = kill(study.run(&folder), &folder, &moment).expect("it runs long enough");
    assert_eq!(hit, "attempt 2");
    folder
}

/// A command that is refused with such words, its folder left as it was.
fn assert_refused(command: Command, folder: &Path, expected: &str) {
    let before = contents(folder);
    let (status, stderr) = ended(command);
    assert_eq!(status, Some(3), "{expected}: {stderr}");
    assert!(stderr.contains(expected) && stderr.contains("\nhint: "), "{expected}: {stderr}");
    let after = contents(folder);
    let is_claim = |name: &&String| name.as_str() != "run.lock";
    assert!(after.keys().filter(is_claim).eq(before.keys().filter(is_claim)), "{expected}");
    for name in after.keys().filter(is_claim) {
        assert_eq!(after.get(name), before.get(name), "{expected}: {name}");
    }
}

/// The same command where no file may grow beyond so many octets: what a full disk is to it.
fn with_room(command: &Command, kilooctets: u32) -> Command {
    let mut confined = Command::new("sh");
    // POSIX counts in blocks of 512 octets. The signal that comes with the limit is ignored.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", 2 * kilooctets);
    confined.args(["-c", &script]).arg(command.get_program()).args(command.get_args());
    confined.current_dir(env!("CARGO_MANIFEST_DIR"));
    confined.stdout(Stdio::null()).stderr(Stdio::piped());
    confined
}

#[cfg(unix)]
#[test]
fn a_run_without_room_stops_with_a_word_and_goes_on_when_there_is_some() {
    let study = Study::new();
    let expected = study.uninterrupted("expected");
    let folder = study.scratch.join("run");
    let mut ends = Vec::new();
    // The last limits are near the size of the largest result. A run is complete without its pages,
    // and what tells of times, as timing and evidence do, has another size each time.
    let mut tables = names(&expected);
    let is_result =
        |name: &String| !["report.", "timing", "evidence"].iter().any(|part| name.contains(part));
    tables.retain(is_result);
    let largest = tables.iter().map(|name| size(&expected.join(name))).max();
    let largest = u32::try_from(largest.expect("files") / 1024).expect("a small run");
    for kilooctets in [1, 4, 16, 40, largest / 2, largest] {
        let (status, stderr) = ended(with_room(&study.go_on(&folder), kilooctets));
        if status == Some(0) {
            break;
        }
        assert!(stderr.contains("File too large"), "{kilooctets} KiB: {stderr}");
        assert!(!folder.join("merged.csv").exists());
        ends.push(status.expect("a status"));
    }
    assert_eq!(ends[..2], [1, 5], "no room for the manifest, then none for the journal");
    assert!(ends[2..].iter().all(|status| *status == 5), "{ends:?}");
    assert_eq!(manifest(&folder)["status"], "incomplete");
    assert_ended_well(resume(&folder));
    assert_same(&folder, &expected);
    let interruptions = &manifest(&folder)["occasion"]["interruptions"];
    let first = interruptions[0]["stopped_by"].as_str().expect("a reason");
    assert!(
        first.contains(".partial: File too large") || first.contains(".journal: File too large"),
        "{first}"
    );
}

/// Octets of a file.
fn size(path: &Path) -> u64 {
    fs::metadata(path).expect("there").len()
}

#[cfg(unix)]
#[test]
fn a_second_process_is_told_of_the_first_and_changes_nothing() {
    let study = Study::new();
    let folder = study.scratch.join("run");
    let mut slow = study.run(&folder);
    slow.args(["--rate", "4"]);
    let mut first = slow.spawn().expect("the program starts");
    while !folder.join("attempt-1.journal").exists() {
        assert_eq!(first.try_wait().expect("a child"), None, "it ended before it began");
        std::thread::yield_now();
    }
    let id = first.id().to_string();
    let (status, stderr) = ended(resume(&folder));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains(&format!("another process (id {id}) is writing")), "{stderr}");
    let (status, stderr) = ended(study.run(&folder));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("the folder is not empty"), "{stderr}");
    assert_eq!(text(&folder.join("run.lock")).trim(), id);
    let sent = Command::new("kill").args(["-TERM", &id]).status();
    assert!(sent.expect("kill").success());
    assert_eq!(first.wait().expect("it ends").code(), Some(143));
    let mut faster = resume(&folder);
    faster.args(["--rate", "1000"]);
    assert_ended_well(faster);
    let interruption = &manifest(&folder)["occasion"]["interruptions"][0];
    let why = interruption["stopped_by"].as_str().expect("a reason");
    assert!(why.starts_with("stopped by SIGTERM in attempt 1"), "{why}");
    assert_same(&folder, &study.uninterrupted("expected"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_refused() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    let study = Study::new();
    let folder = killed_in_attempt_2(&study);
    let mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("changed");
    };
    // Rights do not bind root, who lends the program to somebody whom they do bind.
    let is_root = fs::metadata(&folder).expect("there").uid() == 0;
    let lent = study.scratch.join("scanner");
    if is_root {
        fs::copy(env!("CARGO_BIN_EXE_scanner"), &lent).expect("copied");
    }
    let confined = |command: &Command| {
        let program = if is_root { lent.as_os_str() } else { command.get_program() };
        let mut confined = Command::new(program);
        confined.args(command.get_args()).current_dir(study.scratch.join("world"));
        if is_root {
            confined.uid(65_534).gid(65_534);
        }
        confined
    };
    mode(&folder, 0o555);
    fs::remove_file(folder.join("run.lock")).expect("root may, and so may an owner of the file");
    mode(&folder, 0o555);
    assert_refused(confined(&resume(&folder)), &folder, "run.lock: Permission denied");
    let beneath = folder.join("another");
    assert_refused(confined(&study.run(&beneath)), &folder, "another: Permission denied");
    mode(&folder, 0o755);
    assert_ended_well(resume(&folder));
}

#[test]
fn a_run_of_another_sample_library_version_or_limit_is_refused_with_what_differs() {
    let study = Study::new();
    let folder = killed_in_attempt_2(&study);
    let path = |name: &str| study.scratch.join(name);
    let with = |arguments: &[&str]| {
        let mut command = resume(&folder);
        command.args(arguments);
        command
    };
    let longer = text(&path("healing.csv")) + "another.test,news\n";
    let longer = study.scratch.write("longer/healing.csv", &longer);
    assert_refused(
        with(&["--sample", &longer.to_string_lossy()]),
        &folder,
        "another run: sample: ",
    );
    let gone = path("gone.csv");
    assert_refused(with(&["--sample", &gone.to_string_lossy()]), &folder, "gone.csv: No such file");
    let library = another_library(&study);
    let expected = "another run: pattern library: c01-v1.5-r1 ";
    assert_refused(with(&["--library", &library.to_string_lossy()]), &folder, expected);

    study.scratch.write("world/world.toml", "deadline_ms = 4000\n");
    assert_refused(resume(&folder), &folder, "exchange_ms: 10000 in the run, 4000 here");
    study.scratch.write("world/world.toml", "");
    let said = text(&folder.join("manifest.json"));
    for (from, to, expected) in [
        ("\"version\": \"", "\"version\": \"9.", "version: 9."),
        ("scanner run 1", "scanner run 2", "its format is"),
        ("crawler-access-scanner/", "Mozilla/", "no run of this version sends"),
    ] {
        study.scratch.write("killed/manifest.json", &said.replace(from, to));
        assert_refused(resume(&folder), &folder, expected);
    }
    study.scratch.write("killed/manifest.json", &said);
    assert_ended_well(resume(&folder));
}

/// The embedded library with one word more in a comment: another digest, the same verdicts.
fn another_library(study: &Study) -> PathBuf {
    let embedded = Path::new(env!("CARGO_MANIFEST_DIR")).join("pattern-library/c01-v1.5-r1");
    let mut sums = String::new();
    for name in names(&embedded).into_iter().filter(|name| name != "SHA256SUMS") {
        let mut text = text(&embedded.join(&name));
        if name == "paths.toml" {
            text.push_str("# another\n");
        }
        sums.push_str(&format!("{}  {name}\n", Digest::of(text.as_bytes())));
        study.scratch.write(&format!("library/{name}"), &text);
    }
    study.scratch.write("library/SHA256SUMS", &sums);
    study.scratch.join("library")
}

#[test]
fn a_closed_attempt_a_journal_or_evidence_that_was_changed_is_refused() {
    let study = Study::new();
    let folder = killed_in_attempt_2(&study);
    let write = |name: &str, octets: &[u8]| fs::write(folder.join(name), octets).expect("written");
    let whole = contents(&folder);
    for (name, expected) in [
        ("attempt-1.csv", "attempt-1.csv is not as it was when its attempt closed"),
        ("attempt-1.timing.csv", "attempt-1.timing.csv is not as it was"),
    ] {
        let mut changed = whole[name].clone();
        *changed.last_mut().expect("octets") ^= 1;
        write(name, &changed);
        assert_refused(resume(&folder), &folder, expected);
        fs::remove_file(folder.join(name)).expect("removed");
        assert_refused(resume(&folder), &folder, "a file of a closed attempt is gone: ");
        write(name, &whole[name]);
    }
    let journal = &whole["attempt-2.journal"];
    let twice = [&journal[..], &journal[..]].concat();
    write("attempt-2.journal", &twice);
    assert_refused(resume(&folder), &folder, "attempt-2.journal: site-");
    fs::remove_file(folder.join("attempt-2.journal")).expect("removed");
    write("attempt-2.csv", b"a table that nobody knows");
    assert_refused(
        resume(&folder),
        &folder,
        "attempt-2.csv: neither manifest nor journal knows it",
    );
    fs::remove_file(folder.join("attempt-2.csv")).expect("removed");
    write("attempt-2.journal", journal);
    let evidence = "evidence.warc.gz.partial";
    write(evidence, &whole[evidence][..100]);
    assert_refused(resume(&folder), &folder, "it is shorter than when the last attempt closed");
    fs::remove_file(folder.join(evidence)).expect("removed");
    assert_refused(resume(&folder), &folder, "evidence.warc.gz: it is gone");
    write(evidence, &whole[evidence]);
    assert_ended_well(resume(&folder));
    assert_same(&folder, &study.uninterrupted("expected"));
}

#[test]
fn a_complete_run_is_left_as_it_is() {
    let study = Study::new();
    let folder = study.uninterrupted("run");
    let before = contents(&folder);
    let (status, stderr) = ended(resume(&folder));
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert_eq!(contents(&folder), before);
    let shown = crate::scratch::study(&["resume", "--json", &folder.to_string_lossy()]);
    assert_eq!(shown, text(&folder.join("summary.json")));
    for page in ["report.md", "report.html"] {
        std::fs::remove_file(folder.join(page)).expect("removed");
        assert_eq!(ended(resume(&folder)).0, Some(0));
        assert_eq!(contents(&folder), before, "the page is written that a kill had prevented");
    }
    let nowhere = study.scratch.join("nowhere");
    let (status, stderr) = ended(resume(&nowhere));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("no run is here") && !nowhere.exists(), "{stderr}");
}
