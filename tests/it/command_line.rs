//! The command line as a person meets it: help, refusals, exit statuses.

#![allow(clippy::disallowed_methods, reason = "a test looks at what was written")]

use crate::scratch::{Scratch, output, scanner, study, text};

/// Status and stderr of a command that must fail.
fn failure(arguments: &[&str]) -> (i32, String) {
    let output = output(arguments);
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    (output.status.code().expect("a status"), stderr)
}

#[test]
fn help_teaches() {
    for (name, arguments) in [
        ("help", vec!["--help"]),
        ("help_run", vec!["run", "--help"]),
        ("help_replay", vec!["replay", "--help"]),
        ("help_verify", vec!["verify", "--help"]),
        ("help_resume", vec!["resume", "--help"]),
        ("help_status", vec!["status", "--help"]),
        ("help_rerun", vec!["rerun", "--help"]),
        ("help_completions", vec!["completions", "--help"]),
        ("help_explain", vec!["explain", "--help"]),
        ("help_man", vec!["man", "--help"]),
        ("help_library", vec!["library", "--help"]),
        ("help_world", vec!["world", "--help"]),
        ("help_world_serve", vec!["world", "serve", "--help"]),
        ("help_doctor", vec!["doctor", "--help"]),
        ("help_crawlers", vec!["crawlers", "--help"]),
        ("help_crawlers_list", vec!["crawlers", "list", "--help"]),
        ("help_crawlers_show", vec!["crawlers", "show", "--help"]),
        ("help_crawlers_refresh", vec!["crawlers", "refresh", "--help"]),
    ] {
        let output = scanner(&arguments).env("COLUMNS", "80").output().expect("help");
        insta::assert_snapshot!(name, String::from_utf8(output.stdout).expect("UTF-8"));
    }
}

#[test]
fn every_command_has_a_page_of_the_manual_and_a_shell_completes_it() {
    let scratch = Scratch::new();
    let folder = scratch.join("man");
    assert_eq!(study(&["man", &folder.to_string_lossy()]), "");
    let script = study(&["completions", "bash"]);
    let help = study(&["--help"]);
    let (_, commands) = help.split_once("Commands:\n").expect("a list of commands");
    let names = commands.lines().take_while(|line| !line.is_empty());
    let names = names
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    for name in names.filter(|name| *name != "help") {
        let page = text(&folder.join(format!("scanner-{name}.1")));
        assert!(page.contains(".SH DESCRIPTION"), "{name}");
        assert!(script.contains(name), "{name}");
    }
    assert!(folder.join("scanner.1").exists() && folder.join("scanner-sample-draw.1").exists());
}

#[test]
fn a_command_line_that_cannot_be_is_usage() {
    for arguments in [
        &["run"][..],
        &["run", "--sample", "samples/demo-808.csv"],
        &["run", "--sample", "samples/demo-808.csv", "--seed", "x"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--attempts", "0"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--concurrency", "0"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--concurrency", "10000"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--user-agent", "Mozilla/5.0"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--rate", "0"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--rate", "2000000000"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--attempts", "10"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--contact", ""],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--user-agent", "study AhrefsBot/7"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--address-rate", "0"],
        &["run", "--sample", "demo-808.csv", "--seed", "1", "--resolver", "dns.example"],
        &["doctor", "--world", "fixtures/worlds/faults"],
        &["fly"],
    ] {
        assert_eq!(failure(arguments).0, 2, "{arguments:?}");
    }
}

#[test]
fn a_bad_input_is_refused_before_anything_is_asked() {
    let scratch = Scratch::new();
    let good = scratch.write("good.csv", "domain\na.test\n");
    let bad = scratch.write("bad.csv", "domain\nexa mple.com\n");
    let pinned = scratch.write("pinned.csv", "domain\na.test\n");
    scratch.write(
        "pinned.toml",
        &format!(
            "source = 's'\ndrawn_on = '2026-11-30'\nrule = 'r'\nn = 1\nsha256 = '{}'\n",
            "0".repeat(64)
        ),
    );
    scratch.write("full/file", "x");
    scratch.write("library/library.toml", "name = 'x'\n");
    scratch.write("world/world.toml", "colour = 'blue'\n");
    scratch.write("model.toml", "colour = 'blue'\n");
    let path = |name: &str| scratch.join(name).to_string_lossy().into_owned();
    let faults = "fixtures/worlds/faults".to_owned();
    let (good, bad) = (good.to_string_lossy().into_owned(), bad.to_string_lossy().into_owned());
    let pinned = pinned.to_string_lossy().into_owned();
    let absent = path("absent.csv");
    for (sample, extra, expected) in [
        (&bad, vec!["--world", &faults], "bad.csv:2: domain has a space"),
        (&absent, vec!["--world", &faults], "absent.csv: "),
        (&pinned, vec!["--world", &faults], "pinned.toml: sha256 is 000"),
        (&good, vec!["--world", &faults, "--out", &path("full")], "the folder is not empty"),
        (&good, vec!["--world", &faults, "--library", &path("library")], "library"),
        (&good, vec!["--world", &path("world")], "world.toml:1: unknown field"),
        (&good, vec!["--world", &path("model.toml")], "model.toml:1: unknown field"),
        (&good, vec!["--world", &path("nowhere")], "nowhere: "),
    ] {
        let mut arguments = vec!["run", "--seed", "1", "--sample", sample.as_str()];
        arguments.extend(extra.iter().map(|text| &**text));
        let out = path("out");
        if !arguments.contains(&"--out") {
            arguments.extend(["--out", out.as_str()]);
        }
        let (status, stderr) = failure(&arguments);
        assert_eq!(status, 3, "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{expected}: {stderr}");
        assert!(stderr.contains("\nhint: "), "{stderr}");
        assert!(!scratch.join("out").exists(), "nothing was begun: {arguments:?}");
    }
}

#[test]
fn json_is_one_document_on_stdout_and_quiet_says_nothing() {
    let scratch = Scratch::new();
    let sample = scratch.write("s.csv", "domain\nprimary.test\ndns-nxdomain.test\n");
    let sample = sample.to_string_lossy().into_owned();
    let run = |name: &str, flag: &str| {
        let out = scratch.join(name);
        let world = "fixtures/worlds/faults";
        let out = out.to_string_lossy().into_owned();
        study(&["run", "--sample", &sample, "--seed", "1", "--world", world, "--out", &out, flag])
    };
    let printed = run("json", "--json");
    let summary: serde_json::Value = serde_json::from_str(&printed).expect("one document");
    assert_eq!(summary["funnel"]["sample"], 2);
    assert_eq!(printed, text(&scratch.join("json").join("summary.json")));
    assert_eq!(run("quiet", "--quiet"), "");
    assert!(run("plain", "--attempts=1").contains("! modified: 1 attempts"));
}

#[cfg(unix)]
#[test]
fn a_merge_that_fails_leaves_no_merged_results() {
    let scratch = Scratch::new();
    let sample = scratch.write("s.csv", "domain\nprimary.test\nheals-on-2.test\n");
    let out = scratch.join("run");
    let mut child = scanner(&[
        "run",
        "--sample",
        sample.to_str().expect("UTF-8"),
        "--seed",
        "1",
        "--rate",
        "1",
        "--quiet",
        "--world",
        "fixtures/worlds/faults",
        "--out",
        out.to_str().expect("UTF-8"),
    ])
    .stderr(std::process::Stdio::piped())
    .spawn()
    .expect("the program starts");
    while !out.join("manifest.json").exists() {
        assert_eq!(child.try_wait().expect("a child"), None, "it ended before it began");
        std::thread::yield_now();
    }
    // A folder where a result is to be written: what a full disk is to any other.
    std::fs::create_dir(out.join("review.csv.partial")).expect("a folder");
    let output = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("review.csv.partial"), "{stderr}");
    assert!(!out.join("merged.csv").exists() && out.join("attempt-2.csv").exists());
    assert!(text(&out.join("manifest.json")).contains("\"status\": \"incomplete\""));
}

#[cfg(unix)]
#[test]
fn a_stderr_that_nobody_reads_does_not_end_a_run() {
    let scratch = Scratch::new();
    let sample = scratch.write("s.csv", "domain\nprimary.test\n");
    let out = scratch.join("run");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let status = scanner(&[
        "run",
        "--sample",
        sample.to_str().expect("UTF-8"),
        "--seed",
        "1",
        "--world",
        "fixtures/worlds/faults",
        "--out",
        out.to_str().expect("UTF-8"),
    ])
    .stdout(std::process::Stdio::null())
    .stderr(writer)
    .status();
    assert_eq!(status.expect("it ends").code(), Some(0));
    assert!(out.join("merged.csv").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_it_saw_and_merges_nothing() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143)] {
        let scratch = Scratch::new();
        let out = scratch.join("run");
        let mut child = scanner(&[
            "run",
            "--sample",
            "samples/demo-808.csv",
            "--seed",
            "42",
            "--quiet",
            "--rate",
            "20",
            "--world",
            "fixtures/worlds/demo-808.toml",
            "--out",
            out.to_str().expect("UTF-8"),
        ])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
        let journal = out.join("attempt-1.journal");
        while !std::fs::metadata(&journal).is_ok_and(|file| file.len() > 0) {
            assert_eq!(child.try_wait().expect("a child"), None, "it ended before it began");
            std::thread::yield_now();
        }
        let id = child.id().to_string();
        let sent = std::process::Command::new("kill").args([signal, &id]).status();
        assert!(sent.expect("kill").success());
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{stderr}");
        assert!(stderr.contains("the run is incomplete: stopped by SIG"), "{stderr}");
        assert!(!out.join("merged.csv").exists());
        let lines = text(&journal).lines().count();
        assert!((1..64).contains(&lines), "{lines} domains are on disk, as soon as they are done");
        let manifest: serde_json::Value =
            serde_json::from_str(&text(&out.join("manifest.json"))).expect("JSON");
        assert_eq!(manifest["status"], "incomplete");
    }
}

#[test]
fn a_word_of_the_results_is_explained_and_a_slip_is_put_right() {
    let explained = study(&["explain", "redirect", "loop"]);
    assert!(explained.starts_with("redirect_loop (failure mode)\n  "), "{explained}");
    let columns = study(&["explain", "class_wildcard", "--json"]);
    let columns: serde_json::Value = serde_json::from_str(&columns).expect("JSON");
    assert_eq!(columns[0]["kind"], "column of merged.csv, attempt-N.csv");
    let unknown = output(&["explain", "meaningfull"]);
    assert_eq!(unknown.status.code(), Some(3));
    let said = String::from_utf8_lossy(&unknown.stderr);
    assert!(said.contains("hint: did you mean \"meaningful\"?"), "{said}");
}
