//! A run: attempts over one sample, bounded recovery, merging, the manifest.
//!
//! Everything that can be refused is refused in `prepare`, before anything is asked. From then on
//! the run folder tells the truth at every moment, whatever ends the process: an attempt that did not
//! end has a journal, an attempt that did is named by the manifest, and merged results exist only
//! where every attempt closed. `resume` goes on from whatever a run left.

mod attempt;
mod conclude;
mod courtesy;
mod delays;
mod fitness;
mod forecast;
mod identity;
pub mod inputs;
mod prepare;
mod repeat;
mod replay;
mod rerun;
mod resume;
mod status;
mod verify;

pub use courtesy::Courtesy;
pub use fitness::{Check, Fitness, Subject, of_machine, of_network};
pub use forecast::Forecast;
pub use identity::built_in as default_user_agent;
pub use inputs::library as open_library;
pub use prepare::{Order, Prepared};
pub use repeat::Again;
pub use replay::ReplayOrder;
pub use rerun::{Repeatable, Rerun};
pub use resume::{Found, Interrupted, Resume};
pub use status::account;
pub use verify::{Derived, Difference, Verdict, VerifyOrder, verify};

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attempt::Begun;
use prepare::free_folder;

use crate::archive::{EVIDENCE_FILE, Keeper};
use crate::clock;
use crate::digest::Digest;
use crate::fetch::{OwnTrouble, Slots};
use crate::files;
use crate::manifest::{AttemptCounts, Instrument, Manifest, Occasion, Request, Status};
use crate::observation::Kept;
use crate::plan::Plan;
use crate::record::Layer;
use crate::refusal::Refusal;
use crate::sample::Sample;
use crate::scan::{Scan, Signal, Source, Stop};
use crate::seed::Seed;
use crate::store::{Claim, EvidenceFile, RunFolder};
use crate::summary::Summary;
use crate::world::{Served, WorldError};

use courtesy::Settled;

/// Told how a run goes, while it goes.
pub trait Watcher {
    /// An archive is read for what it holds of the sample; the passes count from 1.
    fn archive_read(&mut self, archive: &Path, pass: usize);

    /// An attempt begins, or goes on where `kept` counts domains that are done already.
    fn attempt_begins(&mut self, attempt: u32, domains: u64, kept: &AttemptCounts);

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
                 scanner resume {} goes on with it; no merged results were written",
                folder.display(),
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

impl From<OwnTrouble> for RunError {
    fn from(trouble: OwnTrouble) -> Self {
        Self::Failed(io::Error::other(trouble.to_string()))
    }
}

impl From<WorldError> for RunError {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Refused(refusal) => Self::Refused(refusal),
            WorldError::Unreadable(error) => {
                let hint = "a world is a folder, a model (.toml) or an archive (.warc, .warc.gz)";
                Self::Refused(files::refused(&error, hint))
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
    /// How much of what was seen is kept as evidence.
    pub evidence: Kept,
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
    files: BTreeMap<String, Digest>,
    occasion: Occasion,
    evidence: Option<EvidenceFile>,
}

/// A source of observations, the fixture internet behind it, and how many attempts it can give.
type Opened = (Source, Option<Served>, u32);

/// Where the asking stands.
struct Standing {
    /// Positions that are asked in the next attempt, in sample order.
    unresolved: Vec<usize>,
    /// The next attempt, if some of it is on disk.
    begun: Option<Begun>,
    /// Where the evidence of what is done ends.
    evidence_end: u64,
}

impl Prepared {
    /// Asks the sample, at most `attempts` times, and merges what was seen.
    pub async fn run(
        self,
        stop: &mut Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Finished, RunError> {
        let opened = self.source(self.connect().await?, stop, watcher)?;
        let folder = RunFolder::create(&self.out).map_err(unwritable)?;
        let claim = claim(&folder)?;
        // Whoever held the claim a moment ago may have begun a run here.
        free_folder(&self.out)?;
        let run = self.begin(folder, self.occasion());
        run.write_manifest(Status::Running)?;
        let everybody = (0..self.sample.entries.len()).collect();
        let standing = Standing { unresolved: everybody, begun: None, evidence_end: 0 };
        self.finish(run, claim, opened, standing, stop, watcher).await
    }

    /// A run of this in a folder, nothing of it asked yet.
    fn begin(&self, folder: RunFolder, occasion: Occasion) -> Run<'_> {
        Run {
            sample: &self.sample,
            instrument: &self.instrument,
            request: &self.request,
            marks: &self.marks,
            courtesy: &self.courtesy,
            folder,
            attempts: Vec::new(),
            files: BTreeMap::new(),
            occasion,
            evidence: None,
        }
    }

    /// Asks whoever is still to be asked, and merges what was seen.
    async fn finish(
        &self,
        mut run: Run<'_>,
        claim: Claim,
        (source, served, attempts): Opened,
        standing: Standing,
        stop: &mut Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Finished, RunError> {
        let keeper = self.keeper(&run.occasion.started_at)?;
        let opened = run.open_evidence(keeper.as_ref(), standing.evidence_end);
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
        let asked = match opened {
            Ok(()) => run.all(&scan, attempts, standing, set_attempt, stop, watcher).await,
            Err(error) => Err(error.into()),
        };
        match asked.and_then(|()| run.conclude(&self.library, stop)) {
            Ok(summary) => {
                // A claim that cannot be removed is given back all the same when the process ends.
                let _ = claim.end();
                let evidence = self.request.evidence;
                Ok(Finished { folder: self.out.clone(), summary, evidence })
            }
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
            exclude_file: self
                .courtesy
                .exclude_file
                .as_ref()
                .map(|file| file.to_string_lossy().into_owned()),
            sample_file: Some(self.sample_file.to_string_lossy().into_owned()),
            library_folder: self
                .library_folder
                .as_ref()
                .map(|folder| folder.to_string_lossy().into_owned()),
            ..Occasion::default()
        }
    }
}

/// Claims a run's folder for this process.
fn claim(folder: &RunFolder) -> Result<Claim, RunError> {
    let shown = folder.path().to_string_lossy();
    folder.claim().map_err(unwritable)?.map_err(|holder| {
        let hint = format!("scanner status {shown} tells how far it is");
        Refusal::of(&shown, format!("{holder} is writing this run"), hint).into()
    })
}

/// A folder that a run cannot be written into is refused; any other trouble with it is ours.
fn unwritable(error: io::Error) -> RunError {
    use io::ErrorKind::{NotADirectory, PermissionDenied, ReadOnlyFilesystem};
    match error.kind() {
        NotADirectory | PermissionDenied | ReadOnlyFilesystem => {
            files::refused(&error, "a run is written into its folder while it goes").into()
        }
        _ => error.into(),
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
    /// Opens the evidence where any is kept, cut back to that of the domains that are done.
    fn open_evidence(&mut self, keeper: Option<&Keeper>, end: u64) -> io::Result<()> {
        if let Some(keeper) = keeper {
            self.evidence = Some(self.folder.evidence(EVIDENCE_FILE, end, keeper.opening())?);
        }
        Ok(())
    }

    /// Runs attempt after attempt until every domain is resolved or no attempt is left.
    async fn all(
        &mut self,
        scan: &Scan,
        attempts: u32,
        standing: Standing,
        set_attempt: impl Fn(u32),
        stop: &mut Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<(), Stopped> {
        let Standing { mut unresolved, mut begun, .. } = standing;
        let closed = self.attempts.len() as u32;
        for attempt in closed + 1..=attempts {
            if unresolved.is_empty() {
                break;
            }
            if let Some(signal) = stop.signal() {
                return Err(Stopped::by(signal, &format!("before attempt {attempt}")));
            }
            set_attempt(attempt);
            let plan = Plan::new(self.sample, scan.seed, attempt, &unresolved);
            let begun = match begun.take() {
                Some(begun) => begun,
                None => Begun::open(&self.folder, self.sample, scan.seed, &plan, None)?,
            };
            unresolved = self.attempt(scan, &plan, begun, stop, watcher).await?;
        }
        Ok(())
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
        self.folder.write_manifest(&manifest.to_json())
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
