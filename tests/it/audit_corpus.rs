//! Every real robots.txt of the corpus is audited: no panic, no line lost, no finding out of measure.

use std::collections::BTreeSet;

use scanner::audit::{Audit, Knowledge, Prevalence, Status, Subject, correct, kinds};
use scanner::library::Library;
use scanner::registry::Registry;
use scanner::robots::{Dialect, LineKind};

use crate::audit_bounds::BOUNDS;
use crate::corpus::folder;
use crate::wild::files;

/// Every set, and of how many of its files one is audited: the large ones are sampled, so that the
/// test stays short. With SCANNER_CORPUS_WHOLE all files are.
const SETS: [(&str, usize); 6] = [
    ("main.jsonl", 1),
    ("special.jsonl", 3),
    ("modern-2025-26.jsonl", 1),
    ("giants.jsonl.gz", 1),
    ("bulk.jsonl.gz", 8),
    ("versions.jsonl.gz", 6),
];

/// The sets that were drawn without regard to what stands in a file: shares are judged on them.
const NATURAL: [&str; 2] = ["main.jsonl", "bulk.jsonl.gz"];

/// Whether every file is audited, and not one of several.
#[allow(clippy::disallowed_methods, reason = "how much of a corpus a test reads measures nothing")]
fn is_whole() -> bool {
    std::env::var_os("SCANNER_CORPUS_WHOLE").is_some()
}

#[test]
fn every_file_is_audited_with_every_line_accounted_for() {
    let Some(corpus) = folder() else { return };
    let (signals, registry) = (Library::embedded().unwrap().signals, Registry::embedded().unwrap());
    let knowledge = Knowledge { registry: Some(&registry), signals: &signals };
    for (set, every) in SETS {
        let every = if is_whole() { 1 } else { every };
        let mut prevalence = Prevalence::default();
        for file in files(&corpus, set).into_iter().step_by(every) {
            let subject = Subject::given(&file.name, file.octets.clone(), None);
            let audit = Audit::of(&subject, knowledge);
            check_lines(&file.name, &audit, &file.octets);
            prevalence.add(&file.name, &audit);
        }
        println!("{set}: {} files audited, one of {every}", prevalence.files);
        if NATURAL.contains(&set) {
            check_shares(set, &prevalence);
        }
    }
}

/// No finding occurs in more files than is plausible: `audit_bounds` says how many, and why.
fn check_shares(set: &str, prevalence: &Prevalence) {
    for row in prevalence.rows() {
        let bound = BOUNDS.iter().find(|bound| bound.id == row.kind.id);
        let most = bound.and_then(|bound| {
            bound.per_mille_most.iter().find(|(status, _)| *status == row.status)
        });
        let Some((_, most)) = most.filter(|_| row.status.is_actionable()) else { continue };
        println!(
            "{set}: {} {} {}/{}, at most {most} in 1000",
            row.status, row.kind.id, row.rate.n, prevalence.files
        );
        assert!(
            row.rate.n * 1000 <= prevalence.files * most,
            "{set}: {} {}: {} of {}, but {}",
            row.status,
            row.kind.id,
            row.rate.n,
            prevalence.files,
            bound.map_or("", |bound| bound.why)
        );
    }
}

#[test]
fn every_finding_that_can_be_acted_on_has_a_bound_and_a_reason() {
    for kind in kinds() {
        let graded: Vec<Status> =
            kind.statuses.iter().copied().filter(|status| status.is_actionable()).collect();
        let bound = BOUNDS.iter().find(|bound| bound.id == kind.id);
        let bounded: Vec<Status> = bound
            .map(|bound| bound.per_mille_most.iter().map(|(status, _)| *status).collect())
            .unwrap_or_default();
        assert_eq!(bounded, graded, "{}", kind.id);
        assert!(bound.is_none_or(|bound| !bound.why.is_empty()), "{}", kind.id);
    }
    assert!(BOUNDS.iter().all(|bound| kinds().any(|kind| kind.id == bound.id)));
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
    let tells_of_junk =
        ["syntax-malformed-lines", "robots-is-something-else", "syntax-hidden-characters"];
    assert!(!is_junk || tells_of_junk.iter().any(|id| told.contains(id)), "{name}");
}

#[test]
fn every_file_is_corrected_once_and_for_all() {
    let Some(corpus) = folder() else { return };
    let every = if is_whole() { 1 } else { 2 };
    let all = files(&corpus, "main.jsonl").into_iter().chain(files(&corpus, "special.jsonl"));
    for file in all.step_by(every) {
        let once = correct(&file.octets, None);
        let twice = correct(&once.octets, None);
        assert!(twice.corrections.is_empty(), "{}: {:?}", file.name, twice.corrections);
        assert_eq!(once.corrections.is_empty(), once.octets == file.octets, "{}", file.name);
    }
}
