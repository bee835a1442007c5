//! The log audit as a person meets it: a log whose truth is known, however it is packed and dealt;
//! overlaps; hostile lines; explanations.

use std::io::Write as _;
use std::path::PathBuf;

use serde_json::Value;

use crate::logs_model::{CHANGE_S, CRAWLERS, FIRST, Model, SECOND};
use crate::scratch::{Scratch, output, scanner, study, text};

/// Writes what the model's requests are judged by, and returns the options that name it.
fn evidence(scratch: &Scratch) -> Vec<String> {
    scratch.write("robots/robots.2026-10-01.txt", FIRST);
    scratch.write("robots/robots.2026-10-25T003000Z.txt", SECOND);
    for (token, _, first) in CRAWLERS {
        for day in ["2026-10-01", "2026-11-15"] {
            scratch
                .write(&format!("ranges/{token}/{day}.txt"), &format!("198.51.100.{first}/28\n"));
        }
    }
    let path = |name: &str| scratch.join(name).to_string_lossy().into_owned();
    ["--robots-history", &path("robots"), "--ranges", &path("ranges"), "--allow-test-ranges"]
        .map(str::to_owned)
        .to_vec()
}

/// The findings of an audit.
fn audited(logs: &[&PathBuf], options: &[String], more: &[&str]) -> Value {
    let logs: Vec<String> = logs.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let mut arguments = vec!["logs", "audit", "--json"];
    arguments.extend(logs.iter().map(String::as_str));
    arguments.extend(options.iter().map(String::as_str));
    arguments.extend(more);
    serde_json::from_str(&study(&arguments)).expect("one document")
}

/// The findings without what names files.
fn without_names(mut findings: Value) -> Value {
    findings["files"] = Value::Null;
    findings["samples"] = Value::Null;
    findings["overlap"] = Value::Null;
    for rule in findings["rules"].as_array_mut().expect("rules") {
        rule["example"] = Value::Null;
    }
    findings
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn the_truth_of_a_log_that_was_made_is_found_exactly() {
    let scratch = Scratch::new();
    let options = evidence(&scratch);
    let model = Model::new(20_000, 7);
    let log = scratch.write("access.log", &model.text());
    let findings = audited(&[&log], &options, &[]);
    let lines = &findings["lines"];
    assert_eq!(lines["parsed"], model.parsed);
    let malformed = lines["blank"].as_u64().unwrap() + lines["rejected"].as_u64().unwrap();
    assert_eq!(malformed, model.malformed);
    let crawlers = findings["crawlers"].as_array().unwrap();
    assert_eq!(crawlers.len(), CRAWLERS.len(), "no decoy is a claim");
    for of in crawlers {
        let truth = &model.crawlers[of["token"].as_str().unwrap()];
        for (field, expected) in [
            ("claims", truth.claims),
            ("genuine", truth.genuine),
            ("impersonated", truth.impersonated),
            ("allowed", truth.allowed),
            ("disallowed", truth.disallowed),
            ("violations", truth.disallowed),
        ] {
            assert_eq!(of[field], expected, "{} {field}", of["token"]);
        }
        // The version that broke rules belong to changes within the hour that happens twice.
        let before: u64 = findings["rules"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|rule| {
                rule["token"] == of["token"] && rule["version_from"] == "2026-10-01T00:00:00Z"
            })
            .map(|rule| rule["count"].as_u64().unwrap())
            .sum();
        assert_eq!(before, truth.disallowed_before, "{}", of["token"]);
    }
    assert_eq!(findings["requests"]["clock_offsets"].as_object().unwrap().len(), 2);
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a test writes octets")]
fn findings_are_the_same_however_a_log_is_packed_parted_ordered_and_dealt() {
    let scratch = Scratch::new();
    let options = evidence(&scratch);
    let model = Model::new(12_000, 11);
    let whole = scratch.write("access.log", &model.text());
    let expected = without_names(audited(&[&whole], &options, &["--threads", "1"]));
    let packed = scratch.join("packed");
    std::fs::write(&packed, gzip(model.text().as_bytes())).unwrap();
    let windows = scratch.write("windows.log", &model.text().replace('\n', "\r\n"));
    let unended = scratch.write("unended.log", model.text().trim_end());
    for (log, threads) in
        [(&whole, "2"), (&whole, "7"), (&packed, "3"), (&windows, "2"), (&unended, "1")]
    {
        let found = audited(&[log], &options, &["--threads", threads]);
        assert!(without_names(found) == expected, "{} {threads}", log.display());
    }
    // Dealt out line by line into files of which each holds the whole time.
    let mut parts = vec![String::new(); 3];
    for (place, line) in model.lines.iter().enumerate() {
        parts[place % 3].push_str(line);
    }
    let parts: Vec<PathBuf> = (0..)
        .zip(&parts)
        .map(|(place, part)| scratch.write(&format!("part.{place}"), part))
        .collect();
    let orders = [[0, 1, 2], [2, 0, 1]];
    for order in orders {
        let logs: Vec<&PathBuf> = order.iter().map(|&place| &parts[place]).collect();
        assert!(without_names(audited(&logs, &options, &["--threads", "2"])) == expected);
    }
}

#[test]
fn a_selection_narrows_what_is_looked_at() {
    let scratch = Scratch::new();
    let options = evidence(&scratch);
    let model = Model::new(4_000, 13);
    let log = scratch.write("access.log", &model.text());
    let change = scanner::registry::Stamp::from_unix(CHANGE_S).to_string();
    let before = audited(&[&log], &options, &["--until", &change, "--crawler", "gptbot"]);
    let after = audited(
        &[&log],
        &options,
        &["--since", &change, "--purpose", "training", "--crawler", "GPTBot"],
    );
    let of = |findings: &Value, field: &str| {
        let crawlers = findings["crawlers"].as_array().unwrap();
        crawlers.iter().find(|of| of["token"] == "GPTBot").unwrap()[field].as_u64().unwrap()
    };
    let truth = &model.crawlers["GPTBot"];
    assert_eq!(before["crawlers"].as_array().unwrap().len(), 1);
    assert_eq!(of(&before, "disallowed"), truth.disallowed_before);
    assert_eq!(of(&before, "claims") + of(&after, "claims"), truth.claims);
    // The log names no host: who asks for one is told how to name it.
    let host = ["--host", "www.example.net"];
    let none = audited(&[&log], &options, &host);
    let notes = none["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().contains("--log-host")), "{notes:?}");
    let named = audited(&[&log], &options, &[&host[..], &["--log-host", host[1]]].concat());
    assert_eq!(of(&named, "claims"), truth.claims);
    let output = output(&["logs", "audit", &log.to_string_lossy(), "--crawler", "GTPBot"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean \"GPTBot\""));
}

#[test]
fn copies_of_files_count_once_and_shared_lines_are_measured_and_left_out_on_request() {
    let scratch = Scratch::new();
    let line = |second: u32| {
        format!(
            "192.0.2.1 - - [30/Nov/2026:08:00:{second:02} +0000] \"GET /{second} HTTP/1.1\" 200 1 \"-\" \"GPTBot/1.3\"\n"
        )
    };
    let lines = |seconds: std::ops::Range<u32>| seconds.map(line).collect::<String>();
    // Two requests of one second in one file are two requests.
    let first = scratch.write("access.log.1", &(lines(0..30) + &line(29)));
    let second = scratch.write("access.log", &lines(20..40));
    let copy = scratch.write("copy.log", &lines(20..40));
    let found = audited(&[&first, &second, &copy], &[], &[]);
    assert_eq!(found["lines"]["lines"], 51);
    assert!(found["files"][2]["copy_of"].is_string());
    assert_eq!(found["overlap"]["copies"], 10);
    assert_eq!(found["requests"]["claims"], 51);
    let found = audited(&[&first, &second, &copy], &[], &["--dedupe", "lines"]);
    assert_eq!(
        (&found["lines"]["repeated"], &found["requests"]["claims"]),
        (&10.into(), &41.into())
    );
}

#[test]
fn what_a_stranger_wrote_steers_neither_terminal_nor_spreadsheet() {
    let scratch = Scratch::new();
    let stamp = "[30/Nov/2026:08:00:00 +0000]";
    let hostile = format!(
        "198.51.100.1 - - {stamp} \"GET /=HYPERLINK(1)<script> HTTP/1.1\" 200 1 \"-\" \"GPTBot/1.3\"\n\
         198.51.100.1 - - {stamp} \"GET =1+1 HTTP/1.1\" 200 1 \"-\" \"GPTBot/1.3\"\n\x1b[2J\x07 garbage\n"
    );
    let log = scratch.write("access.log", &hostile);
    let robots = scratch.write("robots.txt", "User-agent: *\nDisallow: /*<script>\n");
    scratch.write("ranges/GPTBot/2026-11-30.txt", "198.51.100.0/28\n");
    let path = |name: &str| scratch.join(name).to_string_lossy().into_owned();
    let out = path("out");
    let page = study(&[
        "logs",
        "audit",
        &log.to_string_lossy(),
        "--robots-history",
        &robots.to_string_lossy(),
        "--ranges",
        &path("ranges"),
        "--allow-test-ranges",
        "-o",
        &out,
    ]);
    assert!(!page.contains('\x1b'), "{page}");
    let table = text(&scratch.join("out/violations.csv"));
    assert!(table.contains("/=HYPERLINK(1)<script>") && !table.contains('\x1b'), "{table}");
    let summary = text(&scratch.join("out/summary.json"));
    assert!(!summary.contains('\x1b') && summary.contains("\\u001b[2J"), "{summary}");
    let html = text(&scratch.join("out/report.html"));
    assert!(!html.contains("<script") && html.contains("</html>") && !html.contains("http://evil"));
    for file in ["crawlers", "purposes", "operators", "days", "hosts", "rules", "impersonators"] {
        assert!(text(&scratch.join(&format!("out/{file}.csv"))).lines().count() > 0, "{file}");
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a test reads octets")]
fn the_manifest_holds_every_file_that_was_read_and_written_and_is_the_same_twice() {
    let scratch = Scratch::new();
    let options = evidence(&scratch);
    let log = scratch.write("access.log", &Model::new(300, 3).text());
    let out = scratch.join("out").to_string_lossy().into_owned();
    audited(&[&log], &options, &["-o", &out]);
    let first = text(&scratch.join("out/manifest.json"));
    audited(&[&log], &options, &["-o", &out, "--threads", "3"]);
    assert_eq!(text(&scratch.join("out/manifest.json")), first);
    let manifest: Value = serde_json::from_str(&first).unwrap();
    let roles = |role: &str| {
        let inputs = manifest["inputs"].as_array().unwrap().iter();
        inputs.filter(|input| input["role"] == role).count()
    };
    let expected =
        [("log", 1), ("robots_history", 2), ("ranges", 2 * CRAWLERS.len()), ("registry", 7)];
    for (role, number) in expected {
        assert_eq!(roles(role), number, "{role}");
    }
    let outputs = manifest["outputs"].as_array().unwrap();
    let written = std::fs::read_dir(&out).unwrap().count();
    assert_eq!(outputs.len() + 1, written, "all but the manifest itself");
    for output in outputs {
        let octets =
            std::fs::read(scratch.join("out").join(output["name"].as_str().unwrap())).unwrap();
        let digest = scanner::digest::Digest::of(&octets).to_string();
        assert_eq!(output["sha256"], digest, "{}", output["name"]);
    }
}

#[test]
fn addresses_are_hidden_where_that_is_asked_for() {
    let scratch = Scratch::new();
    let options = evidence(&scratch);
    let log = scratch.write("access.log", &Model::new(3_000, 9).text());
    let out = scratch.join("out").to_string_lossy().into_owned();
    audited(&[&log], &options, &["-o", &out, "--hide-addresses"]);
    let table = text(&scratch.join("out/impersonators.csv"));
    assert_eq!(table.lines().count(), 1 + CRAWLERS.len(), "one network: {table}");
    assert!(
        table.lines().skip(1).all(|row| row.contains(",192.0.2.0/24,192.0.2.0/24,")),
        "{table}"
    );
    for name in ["summary.json", "report.html", "violations.csv", "impersonators.csv"] {
        let document = text(&scratch.join("out").join(name));
        let addresses =
            document.matches("192.0.2.").filter(|_| !document.contains("192.0.2.0")).count();
        assert_eq!(addresses, 0, "{name}");
        assert!(!document.contains("198.51.100.") && !document.contains("192.0.2.9"), "{name}");
    }
}

#[test]
fn a_verdict_is_explained_down_to_the_two_lines() {
    let scratch = Scratch::new();
    let options = evidence(&scratch);
    let model = Model::new(400, 3);
    let log = scratch.write("access.log", &model.text());
    let findings = audited(&[&log], &options, &[]);
    let example = findings["rules"][0]["example"].as_str().unwrap().to_owned();
    let mut arguments = vec!["logs", "explain", "--json", &example];
    arguments.extend(options.iter().map(String::as_str));
    let account: Value = serde_json::from_str(&study(&arguments)).unwrap();
    assert_eq!(account["identity"], "genuine");
    assert_eq!(account["verdict"], "disallowed");
    assert_eq!(account["rule_line"], findings["rules"][0]["line"]);
    assert_eq!(account["rule"], findings["rules"][0]["rule"]);
    arguments[2] = "--grace=24h";
    let page = study(&arguments);
    assert!(page.contains("6. The verdict") && page.contains("disallowed"), "{page}");
    for (place, status) in [("access.log", 2), ("access.log:0", 2), ("absent.log:1", 3)] {
        assert_eq!(output(&["logs", "explain", place]).status.code(), Some(status), "{place}");
    }
}

#[test]
fn bad_input_is_refused_with_its_place_and_a_hint() {
    let scratch = Scratch::new();
    let log = scratch.write("access.log", "nothing that is a log\n").to_string_lossy().into_owned();
    let manifest = scratch.write(
        "robots/manifest.csv",
        "origin,effective_from,status,file,sha256,basis,observed_at,note\na.test,2026-10-25T02:30:00,404,,,,,\n",
    );
    scratch.write("ranges/GTPBot/2026-11-30.txt", "66.249.64.0/27\n");
    scratch.write("tests/GPTBot/2026-11-30.txt", "198.51.100.0/28\n");
    let path = |name: &str| scratch.join(name).to_string_lossy().into_owned();
    for (arguments, expected) in [
        (vec!["absent.log".to_owned()], "absent.log: "),
        (vec![log.clone()], "no line of any file is a request"),
        (vec!["-".into()], "the format of standard input"),
        (
            vec![log.clone(), "--robots-history".into(), path("robots")],
            &*format!("{}:2: ", manifest.display()),
        ),
        (vec![log.clone(), "--ranges".into(), path("ranges")], "unknown crawler: \"GTPBot\""),
        (vec![log.clone(), "--ranges".into(), path("tests")], "space that no crawler can have"),
        (vec![log.clone(), "--format".into(), "combinde".into()], "unknown format"),
        (vec![log.clone(), "--trust".into(), "clodflare".into()], "unknown network"),
        (vec![log.clone(), "--tz".into(), "Europe/Nowhere".into()], "no zone of this machine"),
    ] {
        let mut all = vec!["logs", "audit"];
        all.extend(arguments.iter().map(String::as_str));
        let output = output(&all);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected) && stderr.contains("hint: "), "{arguments:?}: {stderr}");
    }
}

#[test]
fn the_schema_names_the_fields_of_the_document_and_no_others() {
    let scratch = Scratch::new();
    let options = evidence(&scratch);
    let log = scratch.write("access.log", &Model::new(500, 5).text());
    let findings = audited(&[&log], &options, &[]);
    let schema = text(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/logs.schema.json"));
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&schema["properties"]), names(&findings));
    for table in ["files", "crawlers", "purposes", "operators", "rules", "versions"] {
        let row = &findings[table][0];
        assert_eq!(
            names(&schema["properties"][table]["items"]["properties"]),
            names(row),
            "{table}"
        );
    }
    assert_eq!(names(&schema["properties"]["terms"]["properties"]), names(&findings["terms"]));
    for table in ["days", "hosts"] {
        let rows = &schema["properties"][table]["properties"]["rows"];
        assert_eq!(
            names(&rows["items"]["properties"]),
            names(&findings[table]["rows"][0]),
            "{table}"
        );
    }
}

#[test]
fn help_teaches_the_commands() {
    for command in ["audit", "sniff", "explain"] {
        let output = scanner(&["logs", command, "--help"]).env("COLUMNS", "80").output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        insta::assert_snapshot!(format!("help_logs_{command}"), help);
    }
}

#[test]
fn every_field_and_column_is_documented() {
    let scratch = Scratch::new();
    let options = evidence(&scratch);
    let log = scratch.write("access.log", &Model::new(500, 5).text());
    let out = scratch.join("out").to_string_lossy().into_owned();
    let findings =
        audited(&[&log], &options, &["-o", &out, "--crawl-delay", "--two-way", "genuine"]);
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = text(&docs.join("logs.md")) + &text(&docs.join("logs-columns.md"));
    let mut names = std::collections::BTreeSet::new();
    gather(&findings, &mut names);
    for name in names {
        assert!(page.contains(&format!("`{name}`")), "{name} is not in docs/logs.md");
    }
}

/// The names of the fields of a document, but for those of counts by word.
fn gather(value: &Value, names: &mut std::collections::BTreeSet<String>) {
    const COUNTS: [&str; 11] = [
        "reasons",
        "client_bases",
        "clock_offsets",
        "genuine_by",
        "impersonated_by",
        "unverifiable_by",
        "beside",
        "outcomes",
        "outcomes_overlapping",
        "statuses",
        "violation_rate",
    ];
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                names.insert(name.clone());
                if !COUNTS.contains(&name.as_str()) {
                    gather(value, names);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, names)),
        _ => {}
    }
}
