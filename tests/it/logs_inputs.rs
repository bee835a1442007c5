//! What the log audit takes beside plain logs: sitemaps, lists that are corrected, archives, frames.

use std::io::Write as _;

use serde_json::Value;

use crate::logs_model::{CRAWLERS, FIRST, Model};
use crate::scratch::{Scratch, output, study};

/// One request of GPTBot from an address of its list.
fn line(day: u32, path: &str) -> String {
    format!(
        "198.51.100.7 - - [{day:02}/Nov/2026:08:00:00 +0000] \"GET {path} HTTP/1.1\" 200 9 \"-\" \"GPTBot/1.3\"\n"
    )
}

/// A list of GPTBot's, seen on two days, in which that address stands.
fn ranges(scratch: &Scratch) -> Vec<String> {
    for day in ["2026-11-01", "2026-11-30"] {
        scratch.write(&format!("ranges/GPTBot/{day}.txt"), "198.51.100.0/28\n");
    }
    let folder = scratch.join("ranges").to_string_lossy().into_owned();
    vec!["--ranges".into(), folder, "--allow-test-ranges".into()]
}

fn audited(log: &str, options: &[String]) -> Value {
    let mut arguments = vec!["logs", "audit", "--json", log];
    arguments.extend(options.iter().map(String::as_str));
    serde_json::from_str(&study(&arguments)).expect("one document")
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a test writes octets")]
fn what_stands_in_no_sitemap_is_found_offline_by_host_and_through_an_index() {
    let scratch = Scratch::new();
    let paths =
        ["/listed", "/unlisted", "/style.css", "/listed?utm_source=x", "/old", "/robots.txt"];
    let log: String = paths.iter().map(|path| line(15, path)).collect();
    let log = scratch.write("access.log", &log).to_string_lossy().into_owned();
    let index = scratch.write(
        "maps/sitemap.xml",
        "<sitemapindex><sitemap><loc>https://a.test/deep/pages.xml.gz?v=1</loc></sitemap></sitemapindex>",
    );
    let index = index.to_string_lossy().into_owned();
    let canonical = scratch.write("canonical.csv", "url,canonical\n/old,/listed\n");
    let mut options = ranges(&scratch);
    options.extend(["--sitemap".into(), index.clone()]);
    let arguments = |options: &[String]| {
        let mut all = vec!["logs".to_owned(), "audit".into(), log.clone()];
        all.extend(options.iter().cloned());
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let output = output(&all);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, said) = arguments(&options);
    assert!(
        status == Some(3) && said.contains("pages.xml.gz") && said.contains("hint: "),
        "{said}"
    );
    let pages = "<urlset><url><loc>https://a.test/listed</loc></url>\
                 <url><loc>https://a.test/old</loc></url></urlset>";
    std::fs::write(scratch.join("maps/pages.xml.gz"), gzip(pages.as_bytes())).unwrap();
    options.extend(["--canonical".into(), canonical.to_string_lossy().into_owned()]);
    let found = audited(&log, &options);
    assert_eq!(found["terms"]["sitemap_urls"], 2);
    let of = &found["crawlers"][0];
    let outcomes = serde_json::json!({
        "robots_fetch": 1, "asset": 1, "not_in_sitemap": 2, "non_canonical": 1, "productive": 1,
    });
    assert_eq!(of["outcomes"], outcomes);
    assert_eq!(of["outcomes_overlapping"]["parameter_duplicate"], 1);
    assert_eq!(of["outcomes_overlapping"]["not_in_sitemap"], 2);
    assert_eq!(of["non_productive"], 3);
    // Of a host that no sitemap speaks of nothing is known.
    options.extend(["--log-host".into(), "b.test".into()]);
    assert_eq!(audited(&log, &options)["crawlers"][0]["outcomes"]["not_in_sitemap"], Value::Null);
    for (text, message) in [
        ("<html><body>", "no sitemap: html"),
        ("<urlset><url>", "no sitemap: broken_xml"),
        (
            "<sitemapindex><sitemap><loc>https://a.test/index.xml</loc></sitemap></sitemapindex>",
            "an index within",
        ),
    ] {
        scratch.write("maps/index.xml", text);
        let index = scratch.join("maps/index.xml").to_string_lossy().into_owned();
        let (status, said) = arguments(&["--sitemap".into(), index]);
        assert!(status == Some(3) && said.contains(message), "{said}");
    }
}

#[test]
fn a_list_is_corrected_by_overrides_and_was_none_before_it_was_published() {
    let scratch = Scratch::new();
    let log: String = [5, 12, 20, 28].map(|day| line(day, "/")).concat();
    let log = scratch.write("access.log", &log).to_string_lossy().into_owned();
    let options = ranges(&scratch);
    let counts = |found: &Value| {
        let of = &found["crawlers"][0];
        ["genuine", "adjacent", "impersonated", "unverifiable"]
            .map(|name| of[name].as_u64().unwrap())
    };
    assert_eq!(counts(&audited(&log, &options)), [4, 0, 0, 0]);
    let header = "source_id,prefix,valid_from,valid_to,reason\n";
    let row = "GPTBot,198.51.100.0/28,2026-11-11,2026-11-19,the archive missed a copy\n";
    scratch.write("ranges/overrides.csv", &format!("{header}{row}"));
    // On the 5th and the 20th within seven days, on the 28th not.
    assert_eq!(counts(&audited(&log, &options)), [1, 2, 1, 0]);
    scratch.write(
        "ranges/sources.csv",
        "source_id,operator,tokens,category,kind,url,published_since,read_at,note\n\
         GPTBot,OpenAI,GPTBot,training,list,https://openai.com/gptbot.json,2026-11-10,2026-11-30,\n",
    );
    assert_eq!(counts(&audited(&log, &options)), [1, 1, 1, 1]);
    for (row, message) in [
        ("GTPBot,198.51.100.0/28,,,x\n", "unknown list"),
        ("GPTBot,198.51.100.1/28,,,x\n", "bits are set"),
        ("GPTBot,198.51.100.0/28,soon,,x\n", "not a moment"),
    ] {
        let overrides = scratch.write("ranges/overrides.csv", &format!("{header}{row}"));
        let mut arguments = vec!["logs", "audit", &log];
        arguments.extend(options.iter().map(String::as_str));
        let output = output(&arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(&format!("{}:2: ", overrides.display())), "{said}");
        assert!(said.contains(message) && said.contains("hint: "), "{said}");
    }
}

#[test]
fn one_log_gives_the_same_in_whatever_format_and_frame_it_is_written() {
    let scratch = Scratch::new();
    let robots = scratch.write("robots.txt", FIRST).to_string_lossy().into_owned();
    let mut options = vec!["--robots-history".to_owned(), robots, "--allow-test-ranges".into()];
    for (token, _, first) in CRAWLERS {
        for day in ["2026-10-01", "2026-11-15"] {
            let name = format!("ranges/{token}/{day}.txt");
            scratch.write(&name, &format!("198.51.100.{first}/28\n"));
        }
    }
    options.extend(["--ranges".into(), scratch.join("ranges").to_string_lossy().into_owned()]);
    let model = Model::new(3_000, 17);
    let numbers = |found: Value| {
        let crawlers = found["crawlers"].as_array().unwrap().iter().map(|of| {
            let fields = ["token", "claims", "genuine", "impersonated", "allowed", "disallowed"];
            fields.map(|field| of[field].clone())
        });
        crawlers.collect::<Vec<_>>()
    };
    let log = scratch.write("combined.log", &model.text()).to_string_lossy().into_owned();
    let expected = numbers(audited(&log, &options));
    assert_eq!(expected.len(), CRAWLERS.len());
    for (name, text) in model.renderings() {
        let log = scratch.write(name, &text).to_string_lossy().into_owned();
        assert_eq!(numbers(audited(&log, &options)), expected, "{name}");
    }
}

#[test]
fn a_sniff_tells_the_frame_the_format_and_the_peers_that_are_proxies() {
    let scratch = Scratch::new();
    let peers = ["104.16.0.1", "10.0.0.1", "198.51.100.7"];
    let lines = peers.map(|peer| format!("1 2 {}", line(15, "/").replace("198.51.100.7", peer)));
    let log = scratch.write("access.log", &lines.concat()).to_string_lossy().into_owned();
    let found: Value = serde_json::from_str(&study(&["logs", "sniff", "--json", &log])).unwrap();
    let file = &found["files"][0];
    assert_eq!((&file["format"], &file["frame"]), (&"combined".into(), &"2 words".into()));
    assert_eq!(file["proxies"], serde_json::json!({ "cloudflare-edge": 1, "private": 1 }));
    let page = study(&["logs", "sniff", &log]);
    assert!(page.contains("framed by 2 words") && page.contains("cloudflare-edge 1"), "{page}");
}
