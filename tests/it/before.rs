//! What is looked at and told before a run asks anything: doctor, preflight, dry run; and a world for
//! other tools.

#![allow(clippy::disallowed_methods, reason = "a test reads what was written")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::scratch::{Scratch, output, scanner, study};

const FAULTS: &str = "fixtures/worlds/faults";

fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Status, stdout as JSON, and stderr.
fn json(arguments: &[&str]) -> (i32, serde_json::Value, String) {
    let output = output(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let document = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {stderr}"));
    (output.status.code().expect("a status"), document, stderr)
}

#[test]
fn the_doctor_tells_a_network_that_is_fit_from_one_that_is_not() {
    for (canaries, status, unfit) in [
        (&["robots-file.test"][..], 0, None),
        (&["dns-nxdomain.test", "robots-file.test"], 0, None),
        (&["dns-servfail.test", "dns-silent.test"], 7, Some("resolver")),
        (&["connect-refused.test", "connect-black-hole.test"], 7, Some("uplink")),
        (&["tls-self-signed.test"], 7, Some("tls")),
    ] {
        let mut arguments = vec!["doctor", "--json", "--world", FAULTS, "--canary"];
        arguments.extend(canaries);
        let (found, document, stderr) = json(&arguments);
        assert_eq!(found, status, "{canaries:?}: {document:#} {stderr}");
        assert_eq!(document["fit"], status == 0);
        let checks = document["checks"].as_array().expect("a list");
        let is_unfit = |check: &&serde_json::Value| check["fitness"] == "unfit";
        let found = checks.iter().find(is_unfit).map(|check| &check["subject"]);
        assert_eq!(found.and_then(|subject| subject.as_str()), unfit, "{canaries:?}");
        assert!(checks.iter().all(|check| check["fitness"] == "fit" || check["hint"].is_string()));
    }
}

#[test]
fn a_run_does_not_begin_where_no_study_can_be_made() {
    let scratch = Scratch::new();
    let sample = path(&scratch.write("s.csv", "domain\nrobots-file.test\n"));
    let out = path(&scratch.join("run"));
    let begin = |flags: &[&str]| {
        let mut arguments =
            vec!["run", "--sample", &sample, "--seed", "1", "--world", FAULTS, "--out", &out];
        arguments.extend(flags);
        let output = output(&arguments);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code().expect("a status"), stderr)
    };
    let (status, stderr) = begin(&["--canary", "dns-servfail.test"]);
    assert_eq!(status, 7, "{stderr}");
    assert!(stderr.contains("error: resolver: no DNS server resolves"), "{stderr}");
    assert!(!Path::new(&out).exists(), "nothing was begun");
    assert_eq!(begin(&["--canary", "robots-file.test"]).0, 0);
}

#[cfg(unix)]
#[test]
fn too_few_descriptors_for_the_concurrency_are_told_before_the_run() {
    let scratch = Scratch::new();
    let sample = path(&scratch.write("s.csv", "domain\nrobots-file.test\n"));
    let out = path(&scratch.join("run"));
    let script = format!(
        "ulimit -n 160 && exec \"$0\" run --sample {sample} --seed 1 --world {FAULTS} --out {out} \
         --concurrency 64"
    );
    let ended = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_scanner")])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("a shell");
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(7), "{stderr}");
    assert!(stderr.contains("may need 320") && stderr.contains("160 are allowed"), "{stderr}");
    assert!(stderr.contains("enough for 48"), "{stderr}");
    assert!(stderr.contains("--concurrency") && !Path::new(&out).exists());
}

#[test]
fn a_dry_run_tells_the_plan_and_asks_nothing() {
    let scratch = Scratch::new();
    let list = path(&scratch.write("optout.txt", "whole-site.test\nhttp-403.test\n"));
    let out = path(&scratch.join("run"));
    let arguments = [
        "run",
        "--sample",
        "faults.csv",
        "--seed",
        "7",
        "--world",
        FAULTS,
        "--out",
        &out,
        "--exclude",
        &list,
        "--concurrency",
        "4",
        "--rate",
        "2",
        "--dry-run",
    ];
    let page = study(&arguments);
    for said in ["Asks    https://", "2 domains by name", "4 domains at once, 2 begun in a second"]
    {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(page.ends_with("Nothing was asked.\n") && !Path::new(&out).exists());
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    let (status, forecast, _) = json(&arguments);
    assert_eq!((status, &forecast["excluded_by_name"]), (0, &serde_json::json!(2)));
    let asked = forecast["domains"].as_u64().expect("a number") - 2;
    assert_eq!(forecast["requests_first"], asked * 4);
    assert_eq!(forecast["requests_most"], asked * 12);
    assert_eq!(forecast["first_likely_s"], (asked * 2_600).div_ceil(4_000), "by the slots");
    assert_eq!(forecast["first"].as_array().map(Vec::len), Some(5));
}

#[cfg(unix)]
#[test]
fn a_world_is_served_for_other_tools_until_it_is_interrupted() {
    let scratch = Scratch::new();
    let ca = path(&scratch.join("ca.pem"));
    for world in [FAULTS, "fixtures/worlds/demo-808.toml"] {
        let mut child = scanner(&["world", "serve", world, "--ca", &ca, "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut document = String::new();
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        while !document.ends_with("\n}\n") {
            document.push_str(&lines.next().expect("it says where").expect("UTF-8"));
            document.push('\n');
        }
        let served: serde_json::Value = serde_json::from_str(&document).expect("one document");
        let port = served["https_port"].as_u64().expect("a port");
        assert_eq!(served["hosts"].as_array().map(Vec::len), Some(3));
        let pem = std::fs::read_to_string(&ca).expect("a certificate");
        assert!(pem.starts_with("-----BEGIN CERTIFICATE-----\nMII"), "{pem}");
        assert!(pem.lines().all(|line| line.len() <= 64));
        let reached = std::net::TcpStream::connect(("127.0.0.1", port as u16));
        assert!(reached.is_ok(), "the port is open");
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill").success());
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
    }
}
