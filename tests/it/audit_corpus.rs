//! Every real robots.txt of the corpus is audited: no panic, no line lost, no finding out of measure.

use std::collections::BTreeSet;

use scanner::audit::{Audit, Knowledge, Prevalence, Status, Subject, correct};
use scanner::library::Library;
use scanner::registry::Registry;
use scanner::robots::{Dialect, LineKind};

use crate::corpus::folder;
use crate::wild::files;

/// The sets, with which every file is audited once.
const SETS: [&str; 4] = ["main.jsonl", "special.jsonl", "modern-2025-26.jsonl", "giants.jsonl.gz"];

/// Most files of the natural sample that may have any one finding of a status, in a thousand. A
/// critical finding cannot be intended, so few sites can have it; a warning is a slip.
const PER_MILLE_MOST: [(Status, u64); 3] =
    [(Status::Critical, 80), (Status::Warning, 80), (Status::Notice, 400)];

#[test]
fn every_file_is_audited_with_every_line_accounted_for() {
    let Some(corpus) = folder() else { return };
    let (signals, registry) = (Library::embedded().unwrap().signals, Registry::embedded().unwrap());
    let knowledge = Knowledge { registry: Some(&registry), signals: &signals };
    let mut natural = Prevalence::default();
    for set in SETS {
        for file in files(&corpus, set) {
            let subject = Subject::given(&file.name, file.octets.clone(), None);
            let audit = Audit::of(&subject, knowledge);
            check_lines(&file.name, &audit, &file.octets);
            if set == "main.jsonl" {
                natural.add(&file.name, &audit);
            }
        }
    }
    for row in natural.rows() {
        let most = PER_MILLE_MOST.iter().find(|(status, _)| *status == row.status);
        let most = most.map_or(1000, |(_, most)| *most);
        assert!(
            row.rate.n * 1000 <= natural.files * most,
            "{} {}: {} of {}",
            row.status,
            row.kind.id,
            row.rate.n,
            natural.files
        );
    }
}

/// Every octet stands on one line; every line that is neither blank nor a comment is a record in
/// force or has an issue, and every issue that is not told as low stands behind some finding.
fn check_lines(name: &str, audit: &Audit, octets: &[u8]) {
    let robots = audit.readings.of(Dialect::C01);
    let mut at = 0;
    for line in robots.lines() {
        assert_eq!(line.range.start, at, "{name}");
        at = line.range.end;
    }
    assert_eq!(at as usize, octets.len(), "{name}");
    for listed in robots.listing() {
        let is_silent = matches!(listed.line.kind, LineKind::Blank | LineKind::Comment);
        assert!(
            is_silent || listed.record.is_some() || !listed.issues.is_empty(),
            "{name}:{}",
            listed.line.number
        );
    }
    let told: BTreeSet<&str> = audit.findings.iter().map(|finding| finding.kind.id).collect();
    for finding in &audit.findings {
        for piece in finding.evidence.iter().filter(|piece| piece.line.is_some()) {
            assert!(piece.line.is_some_and(|line| robots.line(line).is_some()), "{name}");
        }
        assert!(
            !finding.summary.is_empty() && finding.summary.ends_with(['.', '?']),
            "{name}: {}",
            finding.summary
        );
    }
    let is_junk = robots.lines().iter().any(|line| line.kind == LineKind::Junk);
    assert!(
        !is_junk
            || told.contains("syntax-malformed-lines")
            || told.contains("robots-is-something-else"),
        "{name}"
    );
}

#[test]
fn every_file_is_corrected_once_and_for_all() {
    let Some(corpus) = folder() else { return };
    for file in files(&corpus, "main.jsonl").into_iter().chain(files(&corpus, "special.jsonl")) {
        let once = correct(&file.octets, None);
        let twice = correct(&once.octets, None);
        assert!(twice.corrections.is_empty(), "{}: {:?}", file.name, twice.corrections);
        assert_eq!(once.corrections.is_empty(), once.octets == file.octets, "{}", file.name);
    }
}
