//! `scanner robots` as a person meets it.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use scanner::limits::ROBOTS_FILE_OCTETS;
use serde_json::Value;

use crate::scratch::{Scratch, output, scanner, study, text};

/// A file with something of everything.
const FILE: &str = "User-agent: GPTBot\nUser-agent: CCBot/2.0\nDisallow: /\nAllow: /press/\n\n\
    User-agent: AI2Bot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 5\nDisallow: /café/\n\
    Disallow: /*.pdf$\nAllow: /docs/index.html\nDisallow: shop\nDissallow: /tmp\nDisallowed: /x\n\
    \x1b[2J an evil line\nSitemap: /sitemap.xml\nSitemap: https://example.com/s.xml\n";

/// What a command prints about the file; its path is left out.
fn about_the_file(arguments: &[&str]) -> String {
    let scratch = Scratch::new();
    let path = scratch.write("robots.txt", FILE).to_string_lossy().into_owned();
    let mut all = vec!["robots", path.as_str()];
    all.extend(arguments);
    study(&all).replace(&path, "robots.txt")
}

/// Status and stderr of a command that must fail.
fn failure(arguments: &[&str]) -> (i32, String) {
    let output = output(arguments);
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    (output.status.code().expect("a status"), stderr)
}

#[test]
fn a_file_is_shown_with_groups_issues_sitemaps_and_crawlers() {
    insta::assert_snapshot!("robots_file", about_the_file(&[]));
}

#[test]
fn a_decision_is_explained_and_a_disallowed_url_is_no_error() {
    let arguments = ["--agent", "GPTBot", "--agent", "AI2Bot", "--url", "/press/a", "--url", "/x"];
    insta::assert_snapshot!("robots_decisions", about_the_file(&arguments));
    let arguments = ["--url", "https://example.com/docs/", "--dialect", "google"];
    insta::assert_snapshot!("robots_table", about_the_file(&arguments));
}

#[test]
fn help_teaches_the_command() {
    let output = scanner(&["robots", "--help"]).env("COLUMNS", "80").output().expect("help");
    insta::assert_snapshot!("help_robots", String::from_utf8(output.stdout).expect("UTF-8"));
}

#[test]
fn json_is_one_document_whose_fields_are_documented() {
    let printed = about_the_file(&["--json", "--agent", "GPTBot", "--url", "/press/a"]);
    let document: Value = serde_json::from_str(&printed).expect("one document");
    let decision = &document["decisions"][0]["readings"][0];
    assert_eq!(decision["allowed"], true);
    assert_eq!(decision["rule"]["line"], 4);
    assert_eq!(decision["matching"][1], 3);
    assert_eq!(decision["matching_count"], 2);
    assert_eq!(decision["ignored_wildcard_rules"], 4);
    assert_eq!(document["lines"].as_array().map(Vec::len), Some(FILE.lines().count()));

    let page = text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/robots.md"));
    let mut fields = BTreeSet::new();
    gather(&document, &mut fields);
    assert!(fields.len() > 30, "{fields:?}");
    for field in fields {
        assert!(page.contains(&format!("`{field}`")), "{field} is not in docs/robots.md");
    }
}

/// The names of all fields of a document.
fn gather(value: &Value, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                fields.insert(name.clone());
                gather(value, fields);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, fields)),
        _ => {}
    }
}

#[test]
fn what_would_steer_a_terminal_is_shown_as_an_escape() {
    let printed = about_the_file(&["--agent", "\x1b[1mGPTBot", "--url", "/\x1b[0m"]);
    assert!(!printed.contains('\x1b'), "{printed}");
    assert!(!about_the_file(&[]).contains('\x1b'));
}

#[test]
fn standard_input_is_a_file() {
    let mut child = scanner(&["robots", "-", "--agent", "a", "--url", "/"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("stdin");
    input.write_all(b"User-agent: *\nDisallow: /\n").expect("written");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(printed.contains("a is disallowed at /: line 2 `Disallow: /`"), "{printed}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_url_is_fetched_from_its_origin() {
    let world = ["--world", "fixtures/worlds/faults"];
    let ask = |url: &'static str| [&["robots", url][..], &world].concat();
    let printed = study(&ask("https://whole-site.test/some/page?x#y"));
    assert!(printed.starts_with("https://whole-site.test/robots.txt\n"), "{printed}");
    assert!(printed.contains("/ is disallowed by line"), "{printed}");
    let absent = study(&ask("https://robots-absent-404.test/"));
    assert!(absent.contains("(answered 404: no robots.txt)"), "{absent}");
    for (url, words) in [
        ("https://http-403.test/", "answered 403, so no robots.txt was read"),
        ("https://dns-nxdomain.test/", "no answer: dns in resolve (nxdomain)"),
        ("https://short-body.test/", "no answer: reset in body"),
    ] {
        let (status, stderr) = failure(&ask(url));
        assert_eq!(status, 1, "{stderr}");
        assert!(stderr.contains(words) && stderr.contains("\nhint: "), "{stderr}");
    }
}

#[test]
fn an_input_that_cannot_be_read_is_refused() {
    let (status, stderr) = failure(&["robots", "no-such-file"]);
    assert_eq!(status, 3);
    assert!(stderr.starts_with("error: no-such-file: "), "{stderr}");
    for arguments in [
        &["robots"][..],
        &["robots", "x", "--dialect", "bing"],
        &["robots", "x", "--agent", ""],
        &["robots", "x", "--world", "fixtures/worlds/faults"],
        &["robots", "https://"],
        &["robots", "https://a:b@example.com/"],
    ] {
        assert_eq!(failure(arguments).0, 2, "{arguments:?}");
    }
    // Without the fixture internet, an address of this machine is never contacted.
    let (status, stderr) = failure(&["robots", "https://127.0.0.1:1/"]);
    assert!(matches!(status, 1 | 7), "{status}: {stderr}");
}

#[test]
fn the_document_of_a_hostile_file_is_bounded() {
    let scratch = Scratch::new();
    let rules = format!("user-agent:*\n{}", "allow:/\n".repeat(62_000));
    let agents = "user-agent:*\n".repeat(39_000);
    let long = format!("user-agent:*\nallow:/{}\n", "é".repeat(250_000));
    for (name, text, most) in [
        ("rules", rules.as_str(), 48 << 20),
        ("agents", agents.as_str(), 48 << 20),
        ("long", long.as_str(), 48 << 20),
    ] {
        let path = scratch.write(name, text).to_string_lossy().into_owned();
        let printed = study(&["robots", path.as_str(), "--json", "--url", "/%C3%A9"]);
        assert!(printed.len() < most, "{name}: {} octets", printed.len());
        let document: Value = serde_json::from_str(&printed).expect("one document");
        let reading = &document["decisions"][0]["readings"][0];
        for list in ["matching", "group_lines"] {
            assert!(reading[list].as_array().is_some_and(|lines| lines.len() <= 100), "{name}");
        }
        if name == "rules" {
            assert_eq!(reading["matching_count"], 62_000);
        }
    }
}

#[test]
fn a_pipe_gives_a_document_octet_for_octet_and_none_that_steers_a_terminal() {
    let scratch = Scratch::new();
    let line = "# a\u{7f}b\u{9b}31mc\u{202e}d\u{e0041}";
    let path = scratch.write("robots.txt", line).to_string_lossy().into_owned();
    let printed = study(&["robots", path.as_str(), "--json"]);
    let document: Value = serde_json::from_str(&printed).expect("one document");
    assert_eq!(document["lines"][0]["text"], line);
    assert!(printed.contains(r"a\u007fb\u009b31mc\u202ed\udb40\udc41"), "{printed}");
    assert!(printed.is_ascii());
}

#[test]
fn a_url_of_another_origin_is_told_from_one_that_the_rules_bind() {
    for (url, is_other) in [
        ("/x", false),
        ("", false),
        ("https://whole-site.test/x", false),
        ("https://whole-site.test:443/x", false),
        ("whole-site.test/x", false),
        ("http://whole-site.test/x", true),
        ("https://whole-site.test:8443/x", true),
        ("https://www.whole-site.test/x", true),
        ("www.whole-site.test/x", true),
    ] {
        let world = "fixtures/worlds/faults";
        let mut arguments =
            vec!["robots", "https://whole-site.test/", "--world", world, "--url", url];
        arguments.extend(["--agent", "GPTBot"]);
        assert_eq!(study(&arguments).contains("\n! of another origin"), is_other, "{url}");
        arguments.push("--json");
        let document: Value = serde_json::from_str(&study(&arguments)).expect("one document");
        assert_eq!(document["decisions"][0]["other_origin"], is_other, "{url}");
    }
}

#[test]
fn standard_input_past_the_limit_is_refused() {
    let mut child = scanner(&["robots", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("stdin");
    let octets = vec![b'\n'; usize::try_from(ROBOTS_FILE_OCTETS).expect("it fits") + 1];
    input.write_all(&octets).expect("written");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3));
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(stderr.starts_with("error: standard input: longer than "), "{stderr}");
}
