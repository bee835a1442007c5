//! Archives made by hand, whole and broken.

use std::io::Write as _;
use std::path::PathBuf;

use super::{CaptureKind, captures, latest};
use crate::files;

fn record(kind: &str, url: &str, date: &str, content_type: &str, block: &str) -> String {
    let length = block.len();
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
         WARC-Record-ID: <urn:uuid:0>\r\nContent-Type: {content_type}\r\n\
         Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

fn resource(url: &str, date: &str, body: &str) -> String {
    record("resource", url, date, "text/plain", body)
}

fn stored(name: &str, octets: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("scanner-archive-{}", std::process::id()));
    files::make_folder(&folder).unwrap();
    let path = folder.join(name);
    files::write_whole(&path, octets).unwrap();
    path
}

fn gzipped(members: &[String]) -> Vec<u8> {
    let mut octets = Vec::new();
    for member in members {
        let mut encoder = flate2::write::GzEncoder::new(&mut octets, flate2::Compression::fast());
        encoder.write_all(member.as_bytes()).unwrap();
        encoder.finish().unwrap();
    }
    octets
}

fn members() -> Vec<String> {
    let http = "HTTP/1.1 404 Gone\r\nServer: x\r\n\r\nno";
    vec![
        record("warcinfo", "", "2024-01-01T00:00:00Z", "application/warc-fields", "a: b\r\n"),
        resource("https://a.test/robots.txt", "2024-01-02T00:00:00Z", "old"),
        resource("https://a.test/robots.txt", "2024-01-03T00:00:00.5Z", "new"),
        resource("https://a.test/robots.txt", "2024-01-01T00:00:00Z", "oldest"),
        record(
            "response",
            "<http://b.test/>",
            "2024-01-01T00:00:00Z",
            "application/http; msgtype=response",
            http,
        ),
        record("response", "dns:a.test", "2024-01-01T00:00:00Z", "text/dns", "x"),
    ]
}

#[test]
fn plain_and_compressed_archives_give_the_same_captures() {
    let plain = stored("plain.warc", members().concat().as_bytes());
    let compressed = stored("compressed.warc.gz", &gzipped(&members()));
    for path in [plain, compressed] {
        let all: Vec<_> = captures(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(all.len(), 4, "{}", path.display());
        assert_eq!((all[0].kind, all[0].status), (CaptureKind::Resource, 200));
        assert_eq!((all[3].kind, all[3].status), (CaptureKind::Response, 404));
        assert_eq!((all[3].url.as_str(), all[3].body.as_slice()), ("http://b.test/", &b"no"[..]));
        assert_eq!(all[3].fields[0].name, "server");
    }
}

#[test]
fn names_of_fields_are_read_in_any_case() {
    let lower_case = resource("https://a.test/", "x", "yz").replace("WARC-Type", "warc-type");
    let lower_case = lower_case.replace("Content-Length", "content-length");
    let path = stored("lower-case.warc", [&*lower_case, &lower_case].concat().as_bytes());
    let bodies: Vec<_> = captures(&path).unwrap().map(|capture| capture.unwrap().body).collect();
    assert_eq!(bodies, [b"yz", b"yz"]);
}

#[test]
fn the_latest_capture_of_a_url_wins_wherever_it_stands() {
    let path = stored("latest.warc.gz", &gzipped(&members()));
    let latest = latest(&path).unwrap();
    assert_eq!(latest.len(), 2);
    assert_eq!(latest["https://a.test/robots.txt"].body, b"new");
}

#[test]
fn a_broken_archive_says_which_record_and_yields_nothing_after_it() {
    let whole = members().concat();
    let compressed = gzipped(&members());
    let no_length = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: https://a.test/\r\n\r\n";
    let no_type = resource("https://a.test/", "x", "y").replace("WARC-Type", "WARC-Kind");
    for (name, octets) in [
        ("cut.warc", &whole.as_bytes()[..whole.len() - 6]),
        ("cut.warc.gz", &compressed[..compressed.len() - 20]),
        ("no-length.warc", no_length.as_bytes()),
        ("no-type.warc", no_type.as_bytes()),
        ("other.warc", b"<html>no archive</html>"),
    ] {
        let path = stored(name, octets);
        let mut all = captures(&path).unwrap();
        let error = all.find_map(Result::err).unwrap_or_else(|| panic!("{name} is broken"));
        assert!(error.to_string().contains(&format!("{name}: record ")), "{error}");
        assert!(all.next().is_none());
    }
}
