//! `scanner audit` as a person and as a pipeline meet it.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::schema::faults;
use crate::scratch::{Scratch, output, scanner, study, text};

/// A file with findings of many kinds.
const FILE: &str = "User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPT-Bot\n\
    User-agent: anthropic-ai\nDisallow: /\n\nUser-agent: Googlebot\nDisalow: /backup/ # old\n\
    Disallow: admin/\nNoindex: /x\nAllow: /café/\nDisallow: /s.xml\n\
    \x1b[2J an evil line\nSitemap: https://a.test/s.xml\n";

/// A site of a fixture internet: what `scanner audit` prints of its page.
fn world(scratch: &Scratch, robots: &str, page: &str) -> String {
    scratch.write("world/world.toml", "");
    scratch.write("world/a.test/robots.txt", robots);
    scratch.write("world/a.test/page.html", page);
    scratch.write(
        "world/a.test/s.xml",
        "<urlset><url><loc>https://a.test/closed</loc></url></urlset>",
    );
    scratch.write("world/a.test/llms.txt", "# A\n\n[B](/closed)\n");
    scratch.join("world").to_string_lossy().into_owned()
}

/// What the command prints about the file; its path is left out.
fn about_the_file(arguments: &[&str]) -> String {
    let scratch = Scratch::new();
    let path = scratch.write("robots.txt", FILE).to_string_lossy().into_owned();
    let mut all = vec!["audit", path.as_str()];
    all.extend(arguments);
    study(&all).replace(&path, "robots.txt")
}

/// A JSON document that was printed.
fn json(printed: &str) -> Value {
    serde_json::from_str(printed).expect("one JSON document")
}

/// The ids of the findings of a document.
fn ids(document: &Value) -> Vec<&str> {
    let findings = document["findings"].as_array().expect("findings");
    findings.iter().filter_map(|finding| finding["id"].as_str()).collect()
}

#[test]
fn a_file_is_audited_with_carets_and_the_fix_last() {
    insta::assert_snapshot!("audit_file", about_the_file(&["--for-url", "https://a.test/"]));
}

#[test]
fn help_teaches_the_audit() {
    let output = scanner(&["audit", "--help"]).env("COLUMNS", "80").output().expect("help");
    insta::assert_snapshot!("help_audit", String::from_utf8(output.stdout).expect("UTF-8"));
}

#[test]
fn the_same_document_gives_the_same_from_file_standard_input_and_url() {
    let scratch = Scratch::new();
    let path = scratch.write("robots.txt", FILE);
    let world = world(&scratch, FILE, "<title>a</title>");
    let for_url = ["--for-url", "https://a.test/page.html", "--json"];
    let file = [&["audit", path.to_str().unwrap()][..], &for_url].concat();
    let file = json(&study(&file));
    let mut command = scanner(&[&["audit", "-"][..], &for_url].concat());
    let mut piped =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    piped.stdin.take().expect("a pipe").write_all(FILE.as_bytes()).expect("written");
    let piped = piped.wait_with_output().expect("it ends");
    let piped = json(std::str::from_utf8(&piped.stdout).expect("UTF-8"));
    let url = ["audit", "https://a.test/page.html", "--world", &world, "--json"];
    let url = json(&study(&url));
    for other in [&piped, &url] {
        assert_eq!(file["robots"], other["robots"]);
        assert_eq!(file["posture"], other["posture"]);
        let of_document = |document: &Value| -> Vec<Value> {
            let findings = document["findings"].as_array().expect("findings").clone();
            findings
                .into_iter()
                .filter(|it| !it["id"].as_str().unwrap().starts_with("indexing-"))
                .collect()
        };
        assert_eq!(of_document(&file), of_document(other));
    }
    assert!(ids(&file).contains(&"indexing-not-inspected"));
    assert!(ids(&url).contains(&"indexing-not-observed"), "the file closes the page to us");
}

#[test]
fn a_site_is_probed_saved_and_audited_again_offline() {
    let scratch = Scratch::new();
    let robots = "User-agent: *\nDisallow: /closed\n\nSitemap: https://a.test/s.xml\n\
                  Sitemap: https://b.test/s.xml\n";
    let world = world(&scratch, robots, "<meta name=robots content=noindex>");
    let saved = scratch.join("probes.json").to_string_lossy().into_owned();
    let printed = study(&[
        "audit",
        "https://a.test/page.html",
        "--world",
        &world,
        "--probe-sitemaps",
        "--probe-guidance",
        "--save-probes",
        &saved,
        "--json",
    ]);
    let live = json(&printed);
    for id in ["indexing-noindex", "sitemap-lists-closed", "llms-names-closed"] {
        assert!(ids(&live).contains(&id), "{id}: {:?}", ids(&live));
    }
    assert_eq!(live["sitemaps"][1]["not_asked"], "other_origin");

    let again = json(&study(&["audit", "--probes", &saved, "--json"]));
    let findings = |document: &Value| -> Vec<Value> {
        let all = document["findings"].as_array().expect("findings").clone();
        all.into_iter().filter(|it| it["id"] != "sitemap-not-checked").collect()
    };
    assert_eq!(findings(&live), findings(&again));

    let closed = scratch.write("closed.txt", "User-agent: *\nDisallow: /page\n");
    let closed = closed.to_string_lossy();
    let anew = json(&study(&["audit", &closed, "--probes", &saved, "--json"]));
    assert_eq!(anew["request_issues"][0]["kind"], "page_disallowed");
    assert!(ids(&anew).contains(&"indexing-not-observed"));
}

#[test]
fn a_redirected_page_is_asked_for_by_the_robots_txt_of_where_it_leads() {
    let scratch = Scratch::new();
    let world = world(&scratch, "User-agent: *\nDisallow: /closed\n", "");
    let moved = |to: &str| {
        format!(
            "[[reply]]\npath = \"/page.html\"\nstatus = 302\nfields = [\"location: {to}\"]\nbody = \"\"\n"
        )
    };
    scratch.write("world/b.test/robots.txt", "User-agent: *\nDisallow: /closed\n");
    scratch.write("world/b.test/index.html", "<title>b</title>");
    scratch.write("world/b.test/closed", "<title>closed</title>");
    let saved = scratch.join("probes.json").to_string_lossy().into_owned();
    for (to, status, not_asked) in [
        ("https://b.test/", Value::from(200), Value::Null),
        ("https://b.test/closed", Value::Null, "redirect_not_allowed".into()),
    ] {
        scratch.write("world/a.test/site.toml", &moved(to));
        let url = ["audit", "https://a.test/page.html", "--world", &world, "--json"];
        let live = json(&study(&[&url[..], &["--save-probes", &saved]].concat()));
        assert_eq!(live["page"]["request"]["status"], status, "{to}");
        assert_eq!(live["page"]["not_asked"], not_asked, "{to}");
        assert!(faults(&live).is_empty(), "{:?}", faults(&live));
        let probes = json(&text(saved.as_ref()));
        let exchanges = probes["exchanges"].as_array().expect("exchanges").iter();
        let answered: Vec<&str> = exchanges
            .filter(|exchange| !exchange["answer"].is_null())
            .map(|exchange| exchange["final_url"].as_str().expect("a URL"))
            .collect();
        assert!(answered.contains(&"https://b.test/robots.txt"), "{answered:?}");
        assert_eq!(answered.contains(&to), status == 200, "{answered:?}");
        let again = json(&study(&["audit", "--probes", &saved, "--json"]));
        assert_eq!(again["page"], live["page"], "{to}");
    }
}

#[test]
fn a_site_that_gives_no_robots_txt_is_a_finding_and_not_an_error() {
    for (host, state, is_error, id) in [
        ("http-403.test", "robots_refused", true, "robots-refused"),
        ("http-503.test", "robots_unreachable", false, "robots-unreachable"),
        ("robots-absent-404.test", "robots_missing", false, "robots-missing"),
        ("redirect-loop.test", "too_many_redirects", true, "robots-not-observed"),
        ("dns-nxdomain.test", "fetch_failed", true, "robots-not-observed"),
        ("challenge.test", "challenge", true, "robots-refused"),
    ] {
        let url = format!("https://{host}/");
        let world = ["--world", "fixtures/worlds/faults", "--json"];
        let document = json(&study(&[&["audit", &url][..], &world].concat()));
        assert_eq!(document["robots_state"], state, "{host}");
        assert_eq!(document["is_error"], is_error, "{host}");
        assert!(ids(&document).contains(&id), "{host}: {:?}", ids(&document));
        assert!(faults(&document).is_empty(), "{host}: {:?}", faults(&document));
    }
}

#[test]
fn a_pipeline_can_fail_on_a_finding() {
    let scratch = Scratch::new();
    let notice = scratch.write("notice.txt", "User-agent: *\nDisallow:\n");
    let status = |arguments: &[&str]| output(arguments).status.code().expect("a status");
    let path = notice.to_str().unwrap();
    assert_eq!(status(&["audit", path]), 0);
    assert_eq!(status(&["audit", path, "--fail-on", "warning"]), 0);
    assert_eq!(status(&["audit", path, "--fail-on", "notice"]), 4);
    assert_eq!(status(&["audit", path, "--fail-on", "info"]), 2);
    let unanswered = ["audit", "https://dns-nxdomain.test/", "--world", "fixtures/worlds/faults"];
    assert_eq!(status(&unanswered), 0);
    assert_eq!(status(&[&unanswered[..], &["--fail-on", "critical"]].concat()), 1);
    for wrong in [
        &["audit"][..],
        &["audit", path, "--for-url", "a.test"],
        &["audit", "https://a.test/", "--for-url", "https://a.test/"],
        &["audit", path, "--probe-sitemaps"],
        &["audit", path, "--world", "fixtures/worlds/faults"],
        &["audit", path, "--json", "--html"],
        &["audit", "--run", "fixtures", "--finding", "no-such"],
    ] {
        assert_eq!(status(wrong), 2, "{wrong:?}");
    }
    assert_eq!(status(&["audit", "no-such-file"]), 3);
    assert_eq!(status(&["audit", "--probes", path]), 3);
}

#[test]
fn json_holds_to_its_schema() {
    let document = json(&about_the_file(&["--json", "--with-document"]));
    assert!(faults(&document).is_empty(), "{:?}", faults(&document));
    assert_eq!(document["robots"]["document"], FILE);
    let mut broken = document.clone();
    broken["verdict"]["worst"] = "dreadful".into();
    broken["findings"][0]["evidence"][0]["line"] = "one".into();
    assert_eq!(faults(&broken).len(), 2, "{:?}", faults(&broken));
}

#[test]
fn the_page_needs_nothing_beside_it_and_escapes_what_it_quotes() {
    let scratch = Scratch::new();
    let path = scratch.write(
        "robots.txt",
        "User-agent: <script>alert(1)</script>\nDisallow: \"><img src=x>\u{202e}\n",
    );
    let page = study(&["audit", path.to_str().unwrap(), "--html"]);
    assert!(page.starts_with("<!doctype html>"));
    assert!(page.contains("&lt;script&gt;alert(1)"));
    for absent in ["<script", "<img", "src=", "http-equiv=\"refresh", "@import", "\u{202e}"] {
        let page = page.replace("&quot;&gt;&lt;img src&#x3d;x", "").replace("img src=x", "");
        assert!(!page.contains(absent), "{absent}");
    }
    let policy = "default-src &#x27;none&#x27;; style-src &#x27;sha256-";
    assert!(page.contains(policy), "{page}");
    for landmark in ["<main id=\"findings\"", "<header>", "lang=\"en\"", "class=\"skip\""] {
        assert!(page.contains(landmark), "{landmark}");
    }
}

#[test]
fn sarif_points_at_the_lines_that_are_meant() {
    let document = json(&about_the_file(&["--sarif"]));
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in run["results"].as_array().expect("results") {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
    }
    let dead = run["results"].as_array().unwrap();
    let dead = dead.iter().find(|result| result["ruleId"] == "syntax-dead-paths").expect("found");
    let region = &dead["locations"][0]["physicalLocation"]["region"];
    let (line, from, to) = (&region["startLine"], &region["startColumn"], &region["endColumn"]);
    assert_eq!((line.as_u64(), from.as_u64(), to.as_u64()), (Some(10), Some(11), Some(17)));
}

#[test]
fn a_corrected_file_goes_out_and_its_differences_are_told() {
    let scratch = Scratch::new();
    let path = scratch.write("robots.txt", FILE);
    let output = output(&["audit", path.to_str().unwrap(), "--fix"]);
    let corrected = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(corrected.contains("Disallow: /backup/ # old\nDisallow: /admin/\n"), "{corrected}");
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(told.contains("line 10: a path begins with / (comes into force)"), "{told}");
    assert!(told.contains("left to you, line 14"), "{told}");
}

#[test]
fn an_earlier_version_shows_who_moved_and_which_findings_came_and_went() {
    let scratch = Scratch::new();
    let before = scratch.write("before.txt", "User-agent: GPTBot\nDisallow: /\n");
    let now = "User-agent: *\nDisallow: /a\n\nUser-agent: ClaudBot\nDisallow: /\n\n\
               Sitemap: https://a.test/s.xml\n";
    let now = scratch.write("now.txt", now);
    let (before, now) = (before.to_string_lossy(), now.to_string_lossy());
    let document = json(&study(&["audit", &now, "--since", &before, "--json"]));
    assert!(faults(&document).is_empty(), "{:?}", faults(&document));
    let since = &document["since"];
    assert_eq!(since["came"], serde_json::json!(["agent-misspelled"]));
    assert_eq!(since["went"], serde_json::json!(["sitemap-missing"]));
    let moved = |from: &str, to: &str, token: &str| {
        since["moved"].as_array().expect("moves").iter().any(|row| {
            row["before"] == from
                && row["now"] == to
                && row["tokens"].as_array().expect("tokens").contains(&token.into())
        })
    };
    for (from, to, token) in [
        ("open", "partly", "*"),
        ("closed", "partly", "GPTBot"),
        ("open", "closed", "ClaudBot"),
        ("open", "partly", "bingbot"),
    ] {
        assert!(moved(from, to, token), "{token} {from} {to}: {since}");
    }
    let page = study(&["audit", &now, "--since", &before]);
    assert!(page.contains("  closed → partly: GPTBot\n"), "{page}");
    let page = study(&["audit", &now, "--since", &now]);
    assert!(page.contains("  nothing that an audit looks at\n"), "{page}");
    let page = study(&["audit", &now, "--since", &before, "--html"]);
    assert!(page.contains("<li>closed before, partly now: GPTBot</li>"), "{page}");
}

#[test]
fn without_the_registry_nothing_is_placed() {
    let with = json(&about_the_file(&["--json"]));
    let without = json(&about_the_file(&["--json", "--no-registry"]));
    let purposes = without["posture"]["purposes"].as_array().expect("rows");
    assert!(purposes.iter().all(|row| row["purpose"].is_null()), "{purposes:?}");
    assert_eq!(with["robots"], without["robots"]);
    assert!(!ids(&without).iter().any(|id| id.starts_with("crawler-access")));
}

#[test]
fn a_collection_gives_the_prevalence_of_each_finding_and_its_files() {
    let scratch = Scratch::new();
    scratch.write("files/a.txt", "User-agent: *\nDisallow: /\n");
    scratch.write("files/b.txt", "User-agent: *\nDisallow:\n");
    scratch.write("files/c.txt", "User-agent: *\nDisallow: /x\n");
    let folder = scratch.join("files").to_string_lossy().into_owned();
    let page = study(&["audit", "--run", &folder]);
    assert!(
        page.contains("blanket-block                        1/3   33.3 %  [6.1, 79.2]"),
        "{page}"
    );
    let listed = study(&["audit", "--run", &folder, "--finding", "sitemap-missing"]);
    assert_eq!(listed, "notice\tb.txt\nnotice\tc.txt\n");
    let document = json(&study(&["audit", "--run", &folder, "--json"]));
    let rows = document["findings"].as_array().expect("rows");
    let block = rows.iter().find(|row| row["id"] == "blanket-block").expect("a row");
    assert_eq!((&block["rate"]["n"], &block["names"][0]), (&Value::from(1), &Value::from("a.txt")));
}

#[test]
fn a_run_is_audited_from_its_evidence() {
    let scratch = Scratch::new();
    let world = world(&scratch, "User-agent: *\nDisallow: /\n", "a");
    scratch.write("world/c.test/index.html", "<title>c</title>");
    let refused = "[[reply]]\npath = \"/robots.txt\"\nstatus = 403\n";
    scratch.write("world/d.test/site.toml", refused);
    let sample = scratch.write("s.csv", "domain\na.test\nb.test\nc.test\nd.test\n");
    let run = scratch.join("run").to_string_lossy().into_owned();
    let sample = sample.to_string_lossy();
    study(&[
        "run", "--sample", &sample, "--seed", "1", "--world", &world, "--out", &run, "--quiet",
    ]);
    for (id, expected) in [
        ("blanket-block", "critical\ta.test\n"),
        ("robots-missing", "notice\tc.test\n"),
        ("robots-refused", "warning\td.test\n"),
    ] {
        assert_eq!(study(&["audit", "--run", &run, "--finding", id]), expected, "{id}");
    }
}
