//! One attempt of a run: begun or gone on with, written down domain by domain, closed.
//!
//! The journal is complete before the tables are written, and the tables are durable before the
//! manifest names them: that naming closes the attempt, in one step.

use std::collections::BTreeSet;
use std::io;

use super::{Run, Stopped, Watcher, delays};
use crate::manifest::{AttemptCounts, Status};
use crate::merge::is_resolved;
use crate::plan::Plan;
use crate::record::{DomainRow, Layer};
use crate::sample::Sample;
use crate::scan::{Done, Ended, Listener, Scan, Stop};
use crate::seed::Seed;
use crate::store::{DomainRecord, DomainTables, EvidenceFile, Journal, RunFolder, Verdict};

/// An attempt as far as it is on disk.
pub(super) struct Begun {
    journal: Journal,
    counts: AttemptCounts,
    done: BTreeSet<usize>,
    unresolved: Vec<usize>,
    /// Octets of a torn tail of its journal, which were cut.
    pub(super) octets_cut: u64,
    /// Where the evidence of its last domain ends, if any domain is done.
    pub(super) evidence_end: Option<u64>,
}

impl Begun {
    /// Begins an attempt, or takes over what an earlier process wrote of it: as much as has its
    /// evidence within the first `evidence_octets`, where any is kept.
    pub(super) fn open(
        folder: &RunFolder,
        sample: &Sample,
        seed: Seed,
        plan: &Plan,
        evidence_octets: Option<u64>,
    ) -> io::Result<Self> {
        let mut counts = AttemptCounts::new(plan.attempt, seed.of_attempt(plan.attempt));
        let mut unresolved = Vec::new();
        let mut done = BTreeSet::new();
        let mut evidence_end = None;
        let planned: BTreeSet<usize> = plan.turns.iter().map(|turn| turn.position).collect();
        let (journal, octets_cut) = folder.journal(plan.attempt, |record| {
            let row = record.row()?;
            if evidence_octets.is_some_and(|octets| record.evidence_end > octets) {
                return Ok(Verdict::Torn);
            }
            evidence_end = Some(record.evidence_end);
            if !is_of(record, &row, sample, plan.attempt) || !planned.contains(&record.position) {
                return Err(broken(format!("{} is not asked in this attempt", row.domain)));
            }
            if !done.insert(record.position) {
                return Err(broken(format!("{} stands in it twice", row.domain)));
            }
            count(&mut counts, row.layer);
            if !is_resolved(row.layer) {
                unresolved.push(record.position);
            }
            Ok(Verdict::Kept)
        })?;
        Ok(Self { journal, counts, done, unresolved, octets_cut, evidence_end })
    }

    /// Domains that are done.
    pub(super) fn domains(&self) -> u64 {
        self.counts.asked
    }
}

/// Whether a record and its row speak of one domain of the sample in an attempt.
fn is_of(record: &DomainRecord, row: &DomainRow, sample: &Sample, attempt: u32) -> bool {
    let entry = sample.entries.get(record.position);
    row.attempt == attempt && entry.is_some_and(|entry| entry.domain == row.domain)
}

/// A journal that does not fit its run.
fn broken(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

impl Run<'_> {
    /// Asks whoever an attempt still has to ask and closes it; returns the positions still
    /// unresolved, in sample order.
    pub(super) async fn attempt(
        &mut self,
        scan: &Scan,
        plan: &Plan,
        begun: Begun,
        stop: &mut Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Vec<usize>, Stopped> {
        let Begun { journal, counts, done, unresolved, .. } = begun;
        let delays = delays::of(plan, self.sample, &self.folder, self.courtesy)?;
        watcher.attempt_begins(plan.attempt, plan.turns.len() as u64, &counts);
        if let Some(last_s) = delays.last_s() {
            watcher.waits(delays.everyone.as_secs(), last_s);
        }
        let evidence = self.evidence.as_mut();
        let mut recorder = Recorder { journal, evidence, counts, unresolved, watcher };
        let ended = scan.attempt(&plan.without(&done), &delays, stop, &mut recorder).await;
        let synced = recorder.sync();
        let Recorder { journal, counts, mut unresolved, watcher, .. } = recorder;
        match ended? {
            Ended::Whole => synced?,
            Ended::Stopped(signal) => {
                let why = format!(
                    "stopped by {} in attempt {}, {} of {} domains done",
                    signal.name(),
                    plan.attempt,
                    counts.asked,
                    plan.turns.len()
                );
                return Err(Stopped { why, signal: Some(signal) });
            }
            Ended::OwnTrouble(cause) => {
                let why = format!("this machine cannot ask on, and no domain is to blame: {cause}");
                return Err(Stopped { why, signal: None });
            }
        }
        self.close(plan.attempt, journal, counts, watcher)?;
        unresolved.sort_unstable();
        Ok(unresolved)
    }

    /// Closes an attempt: tables, then the manifest that names them, and only then no journal.
    fn close(
        &mut self,
        attempt: u32,
        journal: Journal,
        counts: AttemptCounts,
        watcher: &mut dyn Watcher,
    ) -> io::Result<()> {
        let sealed = self.folder.close_attempt(attempt, journal)?;
        self.files.extend(sealed.results);
        self.occasion.files.insert(sealed.timing.0, sealed.timing.1.to_string());
        self.occasion.evidence_octets = self.evidence.as_ref().map_or(0, EvidenceFile::octets);
        self.attempts.push(counts.clone());
        self.write_manifest(Status::Running)?;
        self.folder.forget_journal(attempt)?;
        watcher.attempt_closed(&counts);
        Ok(())
    }
}

/// Writes down each domain of an attempt as soon as it is done.
struct Recorder<'a, 'w> {
    journal: Journal,
    evidence: Option<&'a mut EvidenceFile>,
    counts: AttemptCounts,
    unresolved: Vec<usize>,
    watcher: &'w mut dyn Watcher,
}

impl Recorder<'_, '_> {
    /// Makes what was written down durable: the evidence before the lines that speak of it.
    fn sync(&mut self) -> io::Result<()> {
        if let Some(evidence) = &self.evidence {
            evidence.sync()?;
        }
        self.journal.sync()
    }
}

impl Listener for Recorder<'_, '_> {
    fn done(&mut self, done: Done) -> io::Result<()> {
        let layer = done.rows.domain.layer;
        let tables = DomainTables::of(&done.rows, &done.timing);
        let evidence_end = match &mut self.evidence {
            Some(evidence) => evidence.append(&done.evidence)?,
            None => 0,
        };
        self.journal.append(&DomainRecord { position: done.position, evidence_end, tables })?;
        if self.journal.is_due() {
            self.sync()?;
        }
        count(&mut self.counts, layer);
        if !is_resolved(layer) {
            self.unresolved.push(done.position);
        }
        self.watcher.domain_done(layer);
        Ok(())
    }

    fn heartbeat(&mut self) {
        self.watcher.heartbeat();
    }

    fn stopping(&mut self, in_flight: usize) {
        self.watcher.stopping(in_flight);
    }
}

/// Counts a domain of an attempt.
pub(super) fn count(counts: &mut AttemptCounts, layer: Layer) {
    counts.asked += 1;
    match layer {
        Layer::Policy => counts.observed += 1,
        Layer::AccessDenied => counts.access_denied += 1,
        Layer::Unscannable => counts.unscannable += 1,
        Layer::Outside => counts.outside += 1,
    }
}
