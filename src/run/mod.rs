//! A run: attempts over one sample, bounded recovery, merging, the manifest.
//!
//! Everything that can be refused is refused in `prepare`, before anything is asked. From then on
//! the run folder tells the truth at every moment: an attempt that did not end has a journal and no
//! tables, and merged results exist only where every attempt closed.

mod conclude;
mod courtesy;
mod delays;
mod identity;
pub mod inputs;
mod prepare;

pub use courtesy::Courtesy;
pub use inputs::library as open_library;
pub use prepare::{Order, Prepared};

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::archive::EVIDENCE_FILE;
use crate::clock;
use crate::fetch::Slots;
use crate::manifest::{AttemptCounts, Instrument, Manifest, Occasion, Request, Status};
use crate::merge::is_resolved;
use crate::plan::Plan;
use crate::record::Layer;
use crate::refusal::Refusal;
use crate::sample::Sample;
use crate::scan::{Done, Ended, Listener, Scan, Signal, Stop};
use crate::seed::Seed;
use crate::store::{DomainRecord, DomainTables, EvidenceFile, Journal, RunFolder};
use crate::summary::Summary;
use crate::world::WorldError;

use courtesy::Settled;

/// Told how a run goes, while it goes.
pub trait Watcher {
    /// An attempt begins.
    fn attempt_begins(&mut self, attempt: u32, domains: u64);

    /// The attempt that begins asks nobody for so many seconds, and the last domain after so many.
    fn waits(&mut self, everyone_s: u64, last_s: u64);

    /// A domain is done.
    fn domain_done(&mut self, layer: Layer);

    /// A second has passed.
    fn heartbeat(&mut self);

    /// A signal came: no further domain is asked, and so many are still in flight.
    fn stopping(&mut self, in_flight: usize);

    /// An attempt closed.
    fn attempt_closed(&mut self, counts: &AttemptCounts);
}

/// Why a run has no merged results.
#[derive(Debug)]
pub enum RunError {
    /// The command line asks for something that cannot be.
    Usage(String),
    /// An input was refused before anything was asked.
    Refused(Refusal),
    /// The network is not fit to measure.
    Unfit(String),
    /// It stopped before its end; what was observed is in the folder.
    Incomplete {
        /// The run's folder.
        folder: PathBuf,
        /// Why it stopped.
        why: String,
        /// The signal that stopped it, if one did.
        signal: Option<Signal>,
    },
    /// Nothing was asked yet, and something of ours failed.
    Failed(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Unfit(message) => f.write_str(message),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Failed(error) => error.fmt(f),
            Self::Incomplete { folder, why, .. } => write!(
                f,
                "the run is incomplete: {why}\nhint: what was observed is in {}; \
                 nothing was merged and no merged results were written",
                folder.display()
            ),
        }
    }
}

impl std::error::Error for RunError {}

impl From<Refusal> for RunError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<WorldError> for RunError {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Refused(refusal) => Self::Refused(refusal),
            WorldError::Unreadable(error) => {
                // It may be any file of the world; its message names it first.
                let message = error.to_string();
                let (file, reason) = message.split_once(": ").unwrap_or(("", &message));
                let hint = "a world is a folder, a model (.toml) or an archive (.warc, .warc.gz)";
                Self::Refused(Refusal::of(file, reason, hint))
            }
        }
    }
}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// A finished run.
pub struct Finished {
    /// Its folder.
    pub folder: PathBuf,
    /// Its numbers.
    pub summary: Summary,
}

/// A run while it goes.
struct Run<'a> {
    sample: &'a Sample,
    instrument: &'a Instrument,
    request: &'a Request,
    marks: &'a [String],
    courtesy: &'a Settled,
    folder: RunFolder,
    attempts: Vec<AttemptCounts>,
    files: BTreeMap<String, crate::digest::Digest>,
    occasion: Occasion,
    evidence: Option<EvidenceFile>,
}

impl Prepared {
    /// Asks the sample, at most `attempts` times, and merges what was seen.
    pub async fn run(
        self,
        stop: &mut Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Finished, RunError> {
        let (source, served) = self.connect().await?;
        let folder = RunFolder::create(&self.out)?;
        let mut run = Run {
            sample: &self.sample,
            instrument: &self.instrument,
            request: &self.request,
            marks: &self.marks,
            courtesy: &self.courtesy,
            folder,
            attempts: Vec::new(),
            files: BTreeMap::new(),
            occasion: self.occasion(),
            evidence: None,
        };
        let keeper = self.keeper(&run.occasion.started_at)?;
        if let Some(keeper) = &keeper {
            run.evidence = Some(run.folder.evidence(EVIDENCE_FILE, keeper.opening())?);
        }
        run.write_manifest(Status::Running)?;
        let scan = Scan {
            sample: Arc::clone(&self.sample),
            library: Arc::clone(&self.library),
            source: Arc::new(source),
            keeper: keeper.map(Arc::new),
            seed: Seed(self.request.seed),
            slots: Slots::held_back(self.concurrency),
            concurrency: self.concurrency,
            rate: self.rate,
        };
        let set_attempt = |attempt| {
            if let Some(served) = &served {
                served.set_attempt(attempt);
            }
        };
        let asked =
            run.all(&scan, self.instrument.limits.attempts, set_attempt, stop, watcher).await;
        match asked.and_then(|()| run.conclude(&self.library, stop)) {
            Ok(summary) => Ok(Finished { folder: self.out.clone(), summary }),
            Err(Stopped { why, signal }) => Err(run.stopped(why, signal)),
        }
    }

    /// What differs between two runs of the same thing, as known at the start.
    fn occasion(&self) -> Occasion {
        Occasion {
            started_at: clock::utc_now(),
            concurrency: self.concurrency,
            rate: self.rate,
            politeness: self.courtesy.politeness,
            attempt_gap_s: self.courtesy.attempt_gap_s,
            retry_after_most_s: self.courtesy.retry_after_most_s,
            resolver: self.resolver.clone(),
            canaries: self.courtesy.canaries.clone(),
            outage_most_s: self.courtesy.outage_most_s,
            ..Occasion::default()
        }
    }
}

/// Why a run stopped before its end.
struct Stopped {
    why: String,
    signal: Option<Signal>,
}

impl Stopped {
    /// Stopped by a signal outside any attempt.
    fn by(signal: Signal, during: &str) -> Self {
        Self { why: format!("stopped by {} {during}", signal.name()), signal: Some(signal) }
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self { why: error.to_string(), signal: None }
    }
}

impl Run<'_> {
    /// Runs attempt after attempt until every domain is resolved or no attempt is left.
    async fn all(
        &mut self,
        scan: &Scan,
        attempts: u32,
        set_attempt: impl Fn(u32),
        stop: &mut Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<(), Stopped> {
        let mut unresolved: Vec<usize> = (0..self.sample.entries.len()).collect();
        for attempt in 1..=attempts {
            if unresolved.is_empty() {
                break;
            }
            if let Some(signal) = stop.signal() {
                return Err(Stopped::by(signal, &format!("before attempt {attempt}")));
            }
            set_attempt(attempt);
            let plan = Plan::new(self.sample, scan.seed, attempt, &unresolved);
            unresolved = self.one(scan, &plan, stop, watcher).await?;
        }
        Ok(())
    }

    /// Runs one attempt and closes it; returns the positions still unresolved, in sample order.
    async fn one(
        &mut self,
        scan: &Scan,
        plan: &Plan,
        stop: &mut Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Vec<usize>, Stopped> {
        let attempt = plan.attempt;
        let delays = delays::of(plan, self.sample, &self.folder, self.courtesy)?;
        watcher.attempt_begins(attempt, plan.turns.len() as u64);
        if let Some(last_s) = delays.last_s() {
            watcher.waits(delays.everyone.as_secs(), last_s);
        }
        let mut recorder = Recorder {
            journal: self.folder.journal(attempt)?,
            evidence: self.evidence.as_mut(),
            counts: AttemptCounts::new(attempt, scan.seed.of_attempt(attempt)),
            unresolved: Vec::new(),
            watcher,
        };
        let ended = scan.attempt(plan, &delays, stop, &mut recorder).await;
        let synced = recorder.sync();
        let Recorder { journal, evidence, counts, mut unresolved, watcher } = recorder;
        let evidence_octets = evidence.map_or(0, |evidence| evidence.octets());
        match ended? {
            Ended::Whole => synced?,
            Ended::Stopped(signal) => {
                let why = format!(
                    "stopped by {} in attempt {attempt}, {} of {} domains done",
                    signal.name(),
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
        let sealed = self.folder.close_attempt(attempt, journal)?;
        self.files.extend(sealed.results);
        self.occasion.files.insert(sealed.timing.0, sealed.timing.1.to_string());
        self.occasion.evidence_octets = evidence_octets;
        watcher.attempt_closed(&counts);
        self.attempts.push(counts);
        self.write_manifest(Status::Running)?;
        unresolved.sort_unstable();
        Ok(unresolved)
    }

    /// Writes the manifest as things stand.
    fn write_manifest(&self, status: Status) -> io::Result<()> {
        let manifest = Manifest {
            status,
            marks: self.marks.to_vec(),
            instrument: self.instrument,
            sample: self.sample,
            request: self.request,
            attempts: self.attempts.clone(),
            files: self.files.clone(),
            occasion: self.occasion.clone(),
        };
        self.folder.write("manifest.json", &manifest.to_json()?)?;
        Ok(())
    }

    /// Writes down that the run stopped, and says so.
    fn stopped(&mut self, mut why: String, signal: Option<Signal>) -> RunError {
        self.occasion.ended_at = Some(clock::utc_now());
        self.occasion.stopped_by = Some(why.clone());
        if let Err(error) = self.write_manifest(Status::Incomplete) {
            why = format!("{why}; the manifest could not be written either: {error}");
        }
        RunError::Incomplete { folder: self.folder.path().to_owned(), why, signal }
    }
}

/// Writes down each domain of an attempt as soon as it is done.
struct Recorder<'a> {
    journal: Journal,
    evidence: Option<&'a mut EvidenceFile>,
    counts: AttemptCounts,
    unresolved: Vec<usize>,
    watcher: &'a mut dyn Watcher,
}

impl Recorder<'_> {
    /// Makes what was written down durable: the evidence before the lines that speak of it.
    fn sync(&mut self) -> io::Result<()> {
        if let Some(evidence) = &self.evidence {
            evidence.sync()?;
        }
        self.journal.sync()
    }
}

impl Listener for Recorder<'_> {
    fn done(&mut self, done: Done) -> io::Result<()> {
        let layer = done.rows.domain.layer;
        let tables = DomainTables::of(&done.rows, &done.timing);
        let block = done.evidence?;
        let evidence_end = match &mut self.evidence {
            Some(evidence) => evidence.append(&block)?,
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
fn count(counts: &mut AttemptCounts, layer: Layer) {
    counts.asked += 1;
    match layer {
        Layer::Policy => counts.observed += 1,
        Layer::AccessDenied => counts.access_denied += 1,
        Layer::Unscannable => counts.unscannable += 1,
        Layer::Outside => counts.outside += 1,
    }
}
