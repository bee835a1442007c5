//! Archives made by hand, sought for a sample.

use std::io::Write as _;
use std::path::PathBuf;

use super::{Holdings, Search};
use crate::files;
use crate::limits::Limits;
use crate::observation::{Exchange, Outcome, Step};
use crate::sample::Domain;

/// How an archive is packed.
#[derive(Clone, Copy, Debug)]
enum Packing {
    Plain,
    GzipMembers,
    GzipWhole,
    ZstdFrames,
    ZstdWhole,
}

const PACKINGS: [Packing; 5] = [
    Packing::Plain,
    Packing::GzipMembers,
    Packing::GzipWhole,
    Packing::ZstdFrames,
    Packing::ZstdWhole,
];

fn record(kind: &str, url: &str, date: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
         {fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn resource(url: &str, date: &str, body: &str) -> Vec<u8> {
    record("resource", url, date, "Content-Type: text/plain\r\n", body.as_bytes())
}

fn response(url: &str, date: &str, fields: &str, http: &str) -> Vec<u8> {
    record("response", url, date, fields, http.as_bytes())
}

fn packed(records: &[Vec<u8>], packing: Packing) -> Vec<u8> {
    let gzip = |octets: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(octets).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = |octets: &[u8]| zstd::encode_all(octets, 1).unwrap();
    match packing {
        Packing::Plain => records.concat(),
        Packing::GzipMembers => records.iter().flat_map(|record| gzip(record)).collect(),
        Packing::GzipWhole => gzip(&records.concat()),
        Packing::ZstdFrames => records.iter().flat_map(|record| zstd(record)).collect(),
        Packing::ZstdWhole => zstd(&records.concat()),
    }
}

/// A folder of one test.
fn folder(test: &str) -> PathBuf {
    let name = format!("scanner-holdings-{test}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    files::make_folder(&folder).unwrap();
    folder
}

fn domain() -> Domain {
    Domain::parse("a.test").unwrap()
}

/// What archives hold of a.test.
fn held(test: &str, archives: &[(&[Vec<u8>], Packing)], as_of: Option<&str>) -> [Exchange; 4] {
    let folder = folder(test);
    let mut paths = Vec::new();
    for (number, (records, packing)) in archives.iter().enumerate() {
        let path = folder.join(format!("{number}.warc"));
        files::write_whole(&path, &packed(records, *packing)).unwrap();
        paths.push(path);
    }
    let search = Search {
        domains: &[domain()],
        control_path: &|_| "/0.txt".to_owned(),
        as_of: as_of.map(str::to_owned),
        limits: Limits::METHOD,
        is_stopped: &|| false,
    };
    let scratch = folder.join("run");
    let holdings = Holdings::open(&paths, &search, &scratch, &mut |_, _| {}).unwrap();
    let seen = holdings.observe(0, &domain(), "/0.txt").unwrap().observation;
    [seen.robots, seen.homepage, seen.control, seen.llms]
}

/// A short form of an exchange.
fn told(exchange: &Exchange) -> String {
    let hops: String = exchange.hops.iter().map(|hop| format!("{} ", hop.status)).collect();
    let end = match &exchange.outcome {
        Outcome::Answered(answer) => {
            format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body))
        }
        Outcome::Failed(failure) => format!("{} {}", failure.mode, failure.cause),
        Outcome::NotCaptured => "not captured".to_owned(),
        other => format!("{other:?}"),
    };
    format!("{hops}{end}")
}

const ROBOTS: &str = "https://a.test/robots.txt";

#[test]
fn an_archive_gives_the_same_however_it_is_packed() {
    let records = [
        record("warcinfo", "", "2024-01-01T00:00:00Z", "", b"a: b\r\n"),
        record("request", ROBOTS, "2024-01-01T00:00:00Z", "", b"GET / HTTP/1.1\r\n\r\n"),
        resource(ROBOTS, "2024-01-01T00:00:00Z", "old"),
        resource(ROBOTS, "2024-01-03T00:00:00Z", "new"),
        resource(ROBOTS, "2024-01-02T00:00:00Z", "between"),
        response("dns:a.test", "2024-01-04T00:00:00Z", "", "20240104\r\n"),
        response("https://a.test/", "2024-01-01T00:00:00Z", "", "HTTP/1.1 403 No\r\n\r\nno"),
        resource("https://a.test/robots.txt?x", "2025-01-01T00:00:00Z", "another URL"),
        resource("https://b.test/robots.txt", "2025-01-01T00:00:00Z", "another host"),
    ];
    for packing in PACKINGS {
        let held = held("packing", &[(&records, packing)], None);
        let told = held.each_ref().map(told);
        assert_eq!(told, ["200 new", "403 no", "not captured", "not captured"], "{packing:?}");
        let left: Vec<_> = files::entries(&folder("packing")).unwrap();
        assert_eq!(left.len(), 1, "nothing is left behind but the archive: {left:?}");
    }
}

#[test]
fn the_latest_capture_up_to_a_day_counts_in_whatever_archive_it_stands() {
    let first = [
        resource(ROBOTS, "2024-01-02T10:00:00Z", "second"),
        resource(ROBOTS, "2024-01-02T10:00:00.5Z", "half a second later"),
    ];
    let second = [
        resource(ROBOTS, "2024-01-01T00:00:00Z", "first"),
        resource(ROBOTS, "2024-01-03T00:00:00Z", "third"),
        resource(ROBOTS, "2024-01-03T00:00:00Z", "third, behind"),
        resource("http://a.test/robots.txt", "2024-02-01T00:00:00Z", "over http"),
    ];
    let archives: [(&[Vec<u8>], Packing); 2] =
        [(&first, Packing::GzipMembers), (&second, Packing::Plain)];
    for (as_of, expected) in [
        (None, "200 third, behind"),
        (Some("2024-01-03"), "200 third, behind"),
        (Some("2024-01-02"), "200 half a second later"),
        (Some("2024-01-02T10:00:00"), "200 half a second later"),
        (Some("2024-01-02T09:59:59"), "200 first"),
        (Some("2024"), "200 third, behind"),
        (Some("2023-12-31"), "not captured"),
    ] {
        assert_eq!(told(&held("as-of", &archives, as_of)[0]), expected, "{as_of:?}");
    }
    let only_http = [resource("http://a.test:80/robots.txt", "2024-02-01T00:00:00Z", "http")];
    assert_eq!(told(&held("http", &[(&only_http, Packing::Plain)], None)[0]), "200 http");
}

#[test]
fn a_redirect_is_followed_as_far_as_it_was_captured() {
    let date = "2024-01-01T00:00:00Z";
    let moved = |url: &str, to: &str| {
        response(url, date, "", &format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\n\r\n"))
    };
    let there = || response("https://www.a.test/r", date, "", "HTTP/1.1 200 OK\r\n\r\nthere");
    for (records, expected) in [
        (vec![there(), moved(ROBOTS, "https://www.a.test/r#x")], "301 200 there"),
        (vec![moved(ROBOTS, "https://www.a.test/r")], "301 not captured"),
        (vec![moved(ROBOTS, ROBOTS)], "301 redirect_loop cycle"),
        (vec![moved(ROBOTS, "ftp://a.test/")], "301 redirect_loop scheme"),
        (
            vec![
                moved(ROBOTS, "/1"),
                moved("https://a.test/1", "/2"),
                moved("https://a.test/2", "https://WWW.a.test/r"),
                there(),
            ],
            "301 301 301 200 there",
        ),
        (
            (0..8)
                .map(|n| {
                    let from = if n == 0 { ROBOTS.into() } else { format!("https://a.test/{n}") };
                    moved(&from, &format!("/{}", n + 1))
                })
                .collect(),
            "301 301 301 301 301 301 redirect_loop too_many",
        ),
    ] {
        let held = held("redirect", &[(&records, Packing::GzipMembers)], None);
        assert_eq!(told(&held[0]), expected);
    }
}

#[test]
fn a_revisit_takes_its_body_from_the_record_that_it_repeats() {
    let digest = "WARC-Payload-Digest: sha1:AAAA\r\n";
    let original =
        || response(ROBOTS, "2024-01-01T00:00:00Z", digest, "HTTP/1.1 200 OK\r\n\r\nbody");
    let revisit = |fields: &str, http: &str| {
        record("revisit", ROBOTS, "2024-02-01T00:00:00Z", fields, http.as_bytes())
    };
    let refers = "WARC-Refers-To-Target-URI: <https://a.test/robots.txt>\r\n\
                  WARC-Refers-To-Date: 2024-01-01T00:00:00Z\r\n";
    let head = "HTTP/1.1 203 OK\r\nServer: x\r\n\r\n";
    let elsewhere = || {
        response("https://b.test/", "2025-01-01T00:00:00Z", digest, "HTTP/1.1 200 OK\r\n\r\nbody")
    };
    for (records, expected) in [
        (vec![original(), revisit(refers, head)], "203 body"),
        (vec![revisit(digest, head), original()], "203 body"),
        (vec![revisit(digest, head), elsewhere()], "203 body"),
        (vec![original(), revisit(refers, "HTTP/1.1 304 Not Modified\r\n\r\n")], "200 body"),
        (vec![revisit(refers, head)], "not captured"),
        (vec![original(), revisit("", head)], "not captured"),
    ] {
        for packing in [Packing::GzipMembers, Packing::ZstdWhole] {
            assert_eq!(told(&held("revisit", &[(&records, packing)], None)[0]), expected);
        }
    }
}

#[test]
fn what_an_archive_did_to_a_body_is_undone_or_told() {
    let date = "2024-01-01T00:00:00Z";
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let coded = |coding: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n");
        record("response", ROBOTS, date, "", &[head.as_bytes(), body].concat())
    };
    for (record, expected) in [
        (coded("gzip", &gzip("packed")), "200 packed"),
        (coded("gzip", b"unpacked"), "200 unpacked"),
        (coded("br", b"unpacked"), "200 unpacked"),
        (coded("br", b"\x8B\xFF\xFE"), "protocol content_encoding"),
        (response(ROBOTS, date, "", "User-agent: *"), "protocol malformed_head"),
        (response(ROBOTS, date, "WARC-Truncated: length\r\n", "HTTP/1.1 200 OK\r\n\r\nx"), "200 x"),
        (
            response(ROBOTS, date, "WARC-Truncated: disconnect\r\n", "HTTP/1.1 200 OK\r\n\r\nx"),
            "reset truncated_capture",
        ),
    ] {
        assert_eq!(told(&held("body", &[(&[record], Packing::Plain)], None)[0]), expected);
    }
}

#[test]
fn a_control_that_was_captured_is_found() {
    let url = Step::Control.url(&domain(), "/0.txt");
    let records = [resource(&url, "2024-01-01T00:00:00Z", "soft")];
    assert_eq!(told(&held("control", &[(&records, Packing::Plain)], None)[2]), "200 soft");
}
