//! Logs of any packing and any dealing give the same.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::feed::Feed;
use super::room::Room;
use super::source::{Compression, Origin, Source};
use super::tar::tests::archive;
use super::{Expected, plan};
use crate::limits::LOG_BLOCK_OCTETS;
use crate::logs::{Format, Layout, Zone};

/// A folder of one test, which vanishes with it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("scanner-{name}-{}", std::process::id()));
        crate::files::make_folder(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, octets: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        crate::files::write_whole(&path, octets).unwrap();
        path
    }
}

impl Drop for Scratch {
    #[allow(clippy::disallowed_methods, reason = "a test removes what it wrote")]
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn line(second: u32) -> String {
    let (minutes, seconds) = (second / 60 % 60, second % 60);
    format!(
        "192.0.2.1 - - [30/Nov/2026:08:{minutes:02}:{seconds:02} +0000] \"GET /{second} HTTP/1.1\" 200 1 \"-\" \"GPTBot/1.3\"\n"
    )
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn whole(path: &Path) -> (Vec<u8>, Option<String>) {
    let mut source = Source::open(&Origin::file(path)).unwrap();
    let mut buffer = vec![0; 4 * LOG_BLOCK_OCTETS];
    let (octets, end) = source.fill(&mut buffer);
    buffer.truncate(octets);
    (buffer, end.err().map(|error| error.to_string()))
}

#[test]
fn a_log_is_the_same_however_it_is_packed() {
    let scratch = Scratch::new("packed");
    let text: Vec<u8> = (0..500).flat_map(|second| line(second).into_bytes()).collect();
    let half = text.len() / 2;
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&text).unwrap();
    let mut xz =
        lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    xz.write_all(&text).unwrap();
    for (compression, octets) in [
        (Compression::Plain, text.clone()),
        (Compression::Gzip, gzip(&text)),
        // Two members one after the other.
        (Compression::Gzip, [gzip(&text[..half]), gzip(&text[half..])].concat()),
        (Compression::Zstd, zstd::stream::encode_all(&text[..], 1).unwrap()),
        (Compression::Bzip2, bzip2.finish().unwrap()),
        (Compression::Xz, xz.finish().unwrap()),
    ] {
        // The name says nothing.
        let path = scratch.write("access.log.tar.gz.13", &octets);
        assert_eq!(Source::open(&Origin::file(&path)).unwrap().compression(), compression);
        assert_eq!(whole(&path), (text.clone(), None), "{compression}");
    }
}

#[test]
fn of_a_damaged_file_what_decodes_is_used_and_the_damage_said() {
    let scratch = Scratch::new("damaged");
    let text: Vec<u8> = (0..20_000).flat_map(|second| line(second).into_bytes()).collect();
    let mut packed = gzip(&text);
    packed.truncate(packed.len() / 2);
    let (octets, fault) = whole(&scratch.write("a.gz", &packed));
    assert!(!octets.is_empty() && text.starts_with(&octets));
    assert!(fault.is_some());
    assert!(Source::open(&Origin::file(&scratch.write("b", b"\xff\xfea\0"))).is_err());
}

#[test]
fn blocks_hold_whole_lines_and_know_their_numbers() {
    let scratch = Scratch::new("blocks");
    let text: Vec<u8> = (0..60_000).flat_map(|second| line(second % 3_600).into_bytes()).collect();
    let mut feed = Feed::new(
        &Origin::file(&scratch.write("a", &text)),
        Layout::of(Format::Combined, Zone::UTC),
    );
    let (mut block, mut read, mut next_line) = (Room::default(), Vec::new(), 1);
    while let Some(dealt) = feed.deal(&mut block).unwrap() {
        assert_eq!(dealt.first_line, next_line);
        assert_eq!(block.held().last(), Some(&b'\n'));
        next_line += block.held().iter().filter(|&&octet| octet == b'\n').count() as u64;
        read.extend_from_slice(block.held());
    }
    assert_eq!((read, next_line), (text, 60_001));
}

#[test]
fn a_growing_file_is_read_to_its_last_whole_line() {
    let scratch = Scratch::new("growing");
    let layout = || Layout::of(Format::Combined, Zone::UTC);
    let one = line(1);
    for (rest, unfinished) in [("", 0), (one.trim_end(), 0), (&one[..50], 50), ("\n", 0)] {
        let path = scratch.write("a", format!("{one}{rest}").as_bytes());
        let mut feed = Feed::new(&Origin::file(&path), layout());
        let mut block = Room::default();
        feed.deal(&mut block).unwrap();
        assert_eq!(feed.unfinished_octets, unfinished, "{rest}");
        assert_eq!(block.held().len(), one.len() + rest.len() - unfinished as usize);
    }
}

#[test]
fn a_mark_before_the_first_line_is_no_part_of_it() {
    let scratch = Scratch::new("mark");
    let path = scratch.write("a", format!("\u{feff}{}{}", line(1), line(2)).as_bytes());
    let expected = Expected { format: None, stated: Zone::UTC.into(), keeps_heads: true };
    let planned = plan(std::slice::from_ref(&path), &expected).unwrap();
    assert_eq!(planned[0].head, format!("{}{}", line(1), line(2)).as_bytes());
    let mut feed = Feed::new(&Origin::file(&path), planned[0].sniffed.layout.clone());
    let mut block = Room::default();
    feed.deal(&mut block).unwrap();
    assert!(block.held().starts_with(b"192.0.2.1 "));
}

#[test]
fn a_line_longer_than_any_is_one_line_still() {
    let scratch = Scratch::new("long");
    let long = "x".repeat(crate::limits::LOG_LINE_OCTETS + 3 * LOG_BLOCK_OCTETS);
    let path = scratch.write("a", format!("{}{long}\n{}", line(1), line(2)).as_bytes());
    let mut feed = Feed::new(&Origin::file(&path), Layout::of(Format::Combined, Zone::UTC));
    let (mut block, mut lines) = (Room::default(), 0);
    while feed.deal(&mut block).unwrap().is_some() {
        lines += block.held().iter().filter(|&&octet| octet == b'\n').count();
        assert!(block.held().len() < long.len());
    }
    assert_eq!(lines, 3);
}

#[test]
fn files_stand_in_the_order_of_time_and_copies_are_read_once() {
    let scratch = Scratch::new("plan");
    let (early, late) = (line(1), line(100));
    let paths = vec![
        scratch.write("access.log", late.as_bytes()),
        scratch.write("access.log.1", early.as_bytes()),
        scratch.write("access.log.2.gz", &gzip(early.as_bytes())),
        scratch.write("access.log.3", format!("{early}{late}").as_bytes()),
    ];
    let expected = Expected { format: None, stated: Zone::UTC.into(), keeps_heads: true };
    let planned = plan(&paths, &expected).unwrap();
    let names: Vec<(String, Option<usize>)> = planned
        .iter()
        .map(|file| (file.name().rsplit('/').next().unwrap().to_owned(), file.copy_of))
        .collect();
    let expected = [
        ("access.log.1", None),
        ("access.log.2.gz", Some(0)),
        ("access.log.3", None),
        ("access.log", None),
    ];
    assert_eq!(names, expected.map(|(name, copy)| (name.to_owned(), copy)));
    assert!(
        plan(
            &[scratch.0.join("absent")],
            &Expected { format: None, stated: Zone::UTC.into(), keeps_heads: true }
        )
        .is_err()
    );
}

#[test]
fn an_archive_is_the_logs_in_it_however_it_and_they_are_packed() {
    let scratch = Scratch::new("archive");
    let expected = Expected { format: None, stated: Zone::UTC.into(), keeps_heads: true };
    let (early, late) = (line(1), line(100));
    let packed = archive(&[
        (b'5', "logs/", b""),
        (b'0', "logs/access.log", late.as_bytes()),
        (b'0', "logs/access.log.1", &gzip(early.as_bytes())),
        (b'0', "logs/copy.log", late.as_bytes()),
    ]);
    for octets in [packed.clone(), gzip(&packed)] {
        // The name says nothing.
        let path = scratch.write("access.log.3", &octets);
        let planned = plan(std::slice::from_ref(&path), &expected).unwrap();
        let name =
            |at: usize| planned[at].name().rsplit("access.log.3/").next().unwrap().to_owned();
        assert_eq!(planned.len(), 3);
        assert_eq!(name(0), "logs/access.log.1");
        assert_eq!((name(1), name(2)), ("logs/access.log".into(), "logs/copy.log".into()));
        assert_eq!(planned[2].copy_of, Some(1));
        let mut feed = Feed::new(&planned[0].origin, planned[0].sniffed.layout.clone());
        let mut block = Room::default();
        feed.deal(&mut block).unwrap();
        assert_eq!(block.held(), early.as_bytes());
        let one = plan(&[path.join("logs/access.log")], &expected).unwrap();
        assert_eq!(one.len(), 1);
        let within = scratch.write("outer.tar", &archive(&[(b'0', "inner.tar", &packed)]));
        for (path, message) in [
            (path.join("logs/absent"), "holds no such file"),
            (within, "an archive within an archive"),
            (scratch.write("empty.tar", &archive(&[(b'5', "logs/", b"")])), "holds no such file"),
            (scratch.write("cut.tar", &packed[..1_800]), "breaks off"),
            (scratch.write("a.zip", b"PK\x03\x04rest of it"), "zip"),
            (scratch.write("plain", late.as_bytes()).join("x"), ""),
        ] {
            let refusal = plan(&[path], &expected).unwrap_err().to_string();
            assert!(refusal.contains(message) && refusal.contains("hint: "), "{refusal}");
        }
    }
}
