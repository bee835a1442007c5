//! Measures reading web archives beside warcio: `cargo bench --bench warc`.
//!
//! One archive is read by each in turn, round by round; the least of the rounds counts. The archive is
//! one of the corpus, repeated until it is large, or one that is made here. What the numbers mean
//! stands in `benches/README.md`.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![allow(clippy::disallowed_methods, reason = "a measurement reads the clock and the environment")]
#![allow(missing_docs, reason = "a program has no readers of its interface")]

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use scanner::archive::{self, Holdings, Search};
use scanner::limits::Limits;
use scanner::observation::host_of;
use scanner::sample::Domain;

/// Rounds of which the least counts.
const ROUNDS: usize = 5;

/// Octets of the archive that is read, compressed.
const OCTETS: usize = 48 * 1024 * 1024;

fn main() {
    let folder = std::env::temp_dir().join(format!("scanner-bench-warc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("bench.warc.gz");
    let (source, octets) = make(&path);
    let once = read_in_order(&path);
    println!(
        "{source}: {octets} octets of gzip, {} captures with {} octets, least of {ROUNDS} rounds\n",
        once.0, once.1
    );
    let domains = domains_of(&path);
    let mut times = [f64::MAX; 3];
    for _ in 0..ROUNDS {
        times[0] = times[0].min(seconds(|| assert_eq!(read_in_order(&path), once)));
        times[1] = times[1].min(seconds(|| find(&path, &domains, &folder)));
        times[2] = times[2].min(warcio(&path, once).unwrap_or(f64::MAX));
    }
    println!("| | s | MB/s of gzip | MB/s of captures | times warcio |");
    println!("| --- | --- | --- | --- | --- |");
    let names =
        ["scanner, in order, one thread", "scanner, search for a sample, all cores", "warcio"];
    for (name, time) in names.into_iter().zip(times).filter(|(_, time)| *time < f64::MAX) {
        let rate = |octets: usize| octets as f64 / 1e6 / time;
        let ratio = times[2] / time;
        let ratio = if ratio.is_finite() { format!("{ratio:.1}") } else { "–".to_owned() };
        println!("| {name} | {time:.3} | {:.0} | {:.0} | {ratio} |", rate(octets), rate(once.1));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Makes the archive; returns where it comes from, and its octets.
fn make(path: &Path) -> (String, usize) {
    let corpus = std::env::var("SCANNER_CORPUS").unwrap_or_else(|_| "../shared".to_owned());
    let of_corpus = PathBuf::from(corpus).join("worlds/captured-2024-05.warc.gz");
    let (source, once) = match std::fs::read(&of_corpus) {
        Ok(octets) => ("captured-2024-05, repeated".to_owned(), octets),
        Err(_) => ("made here".to_owned(), made()),
    };
    let all = once.repeat(OCTETS.div_ceil(once.len()));
    std::fs::write(path, &all).unwrap();
    (source, all.len())
}

/// An archive of robots.txt files of many lengths, each record a gzip member.
fn made() -> Vec<u8> {
    let mut octets = Vec::new();
    for number in 0..2_000_u32 {
        let line =
            |line: u32| format!("Disallow: /{}/\n", line.wrapping_mul(2_654_435_761) % 99_991);
        let rules: String = (0..number % 400).map(|at| line(number * 400 + at)).collect();
        let body = format!("User-agent: *\n{rules}");
        let record = format!(
            "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
             WARC-Target-URI: https://d{number}.test/robots.txt\r\nContent-Length: {}\r\n\r\n\
             {body}\r\n\r\n",
            body.len()
        );
        let level = flate2::Compression::default();
        let mut encoder = flate2::write::GzEncoder::new(&mut octets, level);
        encoder.write_all(record.as_bytes()).unwrap();
        encoder.finish().unwrap();
    }
    octets
}

/// Reads every capture; returns how many there are and the octets of their bodies.
fn read_in_order(path: &Path) -> (usize, usize) {
    let captures = archive::captures(path).unwrap().map(|capture| capture.unwrap().body.len());
    captures.fold((0, 0), |(count, octets), length| (count + 1, octets + length))
}

/// The hosts that the archive speaks of.
fn domains_of(path: &Path) -> Vec<Domain> {
    let urls = archive::captures(path).unwrap().map(|capture| capture.unwrap().url);
    let hosts: BTreeSet<String> = urls.map(|url| host_of(&url).to_owned()).collect();
    hosts.iter().filter_map(|host| Domain::parse(host).ok()).collect()
}

/// Seeks every domain in the archive, as a replay does.
fn find(path: &Path, domains: &[Domain], folder: &Path) {
    let search = Search {
        domains,
        control_path: &|_| "/0.txt".to_owned(),
        as_of: None,
        limits: Limits::METHOD,
        is_stopped: &|| false,
    };
    let scratch = folder.join("run");
    let held = Holdings::open(&[path.to_owned()], &search, &scratch, &mut |_, _| {}).unwrap();
    assert_eq!(held.captured(), domains.len());
}

/// Seconds that warcio takes for the same, where `tests/peers/warc.sh` has installed it.
fn warcio(path: &Path, expected: (usize, usize)) -> Option<f64> {
    let home = std::env::var("XDG_CACHE_HOME").map(PathBuf::from);
    let home =
        home.or_else(|_| std::env::var("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let python = home.ok()?.join("scanner-peers/warcio-1.7.5/bin/python");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/read_warc.py");
    let output = Command::new(python).arg(script).arg(path).output().ok()?;
    let printed = String::from_utf8(output.stdout).ok()?;
    let (counted, seconds) = printed.trim().split_once('\n')?;
    assert_eq!(counted, format!("{} {}", expected.0, expected.1), "warcio reads the same");
    seconds.parse().ok()
}

/// Seconds that something takes.
fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
