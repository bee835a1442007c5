//! What a run was: instrument, sample, seed, limits, marks, digests; pure.
//!
//! Everything but `occasion` is the same for the same sample, seed, instrument and world; times,
//! concurrency, the resolver, where the inputs lay and what interrupted the run stand in `occasion`
//! alone. So does the document's own seal, a figure against damage and not against forgery: whoever
//! changes the document can seal it anew. `recorded` reads a manifest back, `account` says what follows from it.

mod account;
mod recorded;

pub use account::{Account, Current, Findings, State};
pub use recorded::{Recorded, RecordedInstrument, RecordedSample};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::closed_list;
use crate::digest::Digest;
use crate::limits::{Limits, Politeness};
use crate::observation::Kept;
use crate::sample::Sample;
use crate::words::Word as _;

/// How the mark of a run begins that gives a site nobody to write to.
pub const NO_CONTACT: &str = "no contact";

/// The word for the document's form.
pub const FORMAT: &str = "scanner run 1";

closed_list! {
    /// How far a run is.
    pub enum Status {
        /// It is being written, or its process died.
        Running = "running",
        /// It stopped before its end; no merged results were written.
        Incomplete = "incomplete",
        /// It ended; its results are final.
        Complete = "complete",
    }
}

/// The measuring instrument of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrument {
    /// The method it implements.
    pub method: String,
    /// Name of the pattern library.
    pub library: String,
    /// `draft` or `frozen`.
    pub library_status: String,
    /// Digest of the pattern library.
    pub library_sha256: Digest,
    /// The limits in force.
    pub limits: Limits,
}

impl Instrument {
    /// The version of this program.
    pub const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    /// One figure for version, library and limits.
    pub fn digest(&self) -> Digest {
        instrument_digest(Self::VERSION, &self.library, self.library_sha256, &self.limits)
    }
}

/// One figure for a version of the program, a library and limits.
pub fn instrument_digest(
    version: &str,
    library: &str,
    library_sha256: Digest,
    limits: &Limits,
) -> Digest {
    let limits = serde_json::to_string(limits).expect("whole numbers can be written");
    let lines = format!("version {version}\nlibrary {library} {library_sha256}\nlimits {limits}\n");
    Digest::of(lines.as_bytes())
}

/// What the run was asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The run's seed.
    pub seed: u64,
    /// The user-agent header sent.
    pub user_agent: String,
    /// Whom a site may write to.
    pub contact: Option<String>,
    /// The header fields of every request, in the order of sending.
    pub headers: Vec<(String, String)>,
    /// Whose certificates are believed.
    pub roots: String,
    /// Which address families are asked, in order.
    pub address_family: &'static str,
    /// The fixture internet asked instead of the real one, as named on the command line.
    pub world: Option<String>,
    /// The opt-out list, where there is one.
    pub exclusions: Option<Excluded>,
    /// The archives that were read instead of asking anybody.
    pub source: Option<Source>,
    /// How much of what is seen is kept as evidence.
    pub evidence: Kept,
}

/// Which opt-out list a run kept to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excluded {
    /// The SHA-256 of its file, as hex.
    pub sha256: String,
    /// Domains on it.
    pub domains: usize,
    /// Networks on it.
    pub networks: usize,
}

/// The archives that a run was replayed from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// `captures` of archives, or what a run `recorded`.
    pub kind: String,
    /// The archives, in the order in which they were named.
    pub archives: Vec<Archive>,
    /// The last day or moment of which captures count.
    pub as_of: Option<String>,
}

/// An archive that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Archive {
    /// Its file, as named on the command line.
    pub file: String,
    /// Its octets.
    pub octets: u64,
    /// The digest of its octets.
    pub sha256: String,
}

/// How one attempt went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptCounts {
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// Its seed.
    pub seed: String,
    /// Domains asked.
    pub asked: u64,
    /// Policies observed.
    pub observed: u64,
    /// Refusals.
    pub access_denied: u64,
    /// Domains that could not be scanned.
    pub unscannable: u64,
    /// Domains outside every denominator.
    pub outside: u64,
}

impl AttemptCounts {
    /// Nobody asked yet.
    pub fn new(attempt: u32, seed: Digest) -> Self {
        let seed = seed.to_string();
        Self { attempt, seed, asked: 0, observed: 0, access_denied: 0, unscannable: 0, outside: 0 }
    }
}

/// What differs between two runs of the same thing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Occasion {
    /// When the run began, in UTC.
    pub started_at: String,
    /// When it ended, in UTC.
    pub ended_at: Option<String>,
    /// Domains asked at the same time.
    pub concurrency: usize,
    /// Domains begun in a second at most; none is no bound.
    pub rate: Option<u32>,
    /// How hard one address and one network were asked at most; none is no bound.
    pub politeness: Option<Politeness>,
    /// Seconds between the end of an attempt and the next.
    pub attempt_gap_s: u32,
    /// Longest Retry-After that was waited for, in seconds.
    pub retry_after_most_s: u32,
    /// DNS servers asked.
    pub resolver: Vec<String>,
    /// Hosts that had to show, where nobody else did, that the network was there.
    pub canaries: Vec<String>,
    /// Seconds for which the network might have been away before the run stopped.
    pub outage_most_s: u32,
    /// Why the run stopped before its end.
    pub stopped_by: Option<String>,
    /// What interrupted the run before, and when it was resumed.
    pub interruptions: Vec<Interruption>,
    /// The sample's file, as named on the command line.
    pub sample_file: Option<String>,
    /// The opt-out list's file, as named on the command line.
    pub exclude_file: Option<String>,
    /// The folder of the pattern library, as named on the command line; none is the embedded one.
    pub library_folder: Option<String>,
    /// Where the evidence ended when the last attempt closed, in octets.
    pub evidence_octets: u64,
    /// Digests of the files that are never the same twice.
    pub files: BTreeMap<String, String>,
}

/// An interruption of a run that was resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interruption {
    /// When the run stopped, in UTC; none where its process ended without a word.
    pub stopped_at: Option<String>,
    /// Why it stopped.
    pub stopped_by: String,
    /// When it was resumed, in UTC.
    pub resumed_at: String,
    /// Attempts that were closed by then.
    pub attempts_closed: u32,
    /// Domains of the next attempt that were on disk, and were not asked again.
    pub domains_kept: u64,
    /// Octets of its journal's torn tail, which were cut.
    pub octets_cut: u64,
    /// Octets of evidence behind that of the last domain kept, which were cut.
    pub evidence_octets_cut: u64,
}

/// What a run was.
#[derive(Clone, Debug)]
pub struct Manifest<'a> {
    /// How far it is.
    pub status: Status,
    /// Why it is off the method, or on a fixture internet.
    pub marks: Vec<String>,
    /// The instrument.
    pub instrument: &'a Instrument,
    /// The sample.
    pub sample: &'a Sample,
    /// What was asked for.
    pub request: &'a Request,
    /// The attempts that closed.
    pub attempts: Vec<AttemptCounts>,
    /// Digests of the result files.
    pub files: BTreeMap<String, Digest>,
    /// What differs between two runs of the same thing.
    pub occasion: Occasion,
}

impl Manifest<'_> {
    /// One figure for all result files: the digest of the lines that `sha256sum` prints for them,
    /// by name.
    pub fn results_digest(&self) -> Digest {
        results_digest(&self.files)
    }

    /// The document, its keys in a fixed order, sealed, with a final line end.
    pub fn to_json(&self) -> String {
        let mut document = self.document();
        document["occasion"][SEAL] = seal(&document).to_string().into();
        printed(&document)
    }

    /// The document as a value.
    fn document(&self) -> serde_json::Value {
        let sample = self.sample;
        let files: BTreeMap<_, _> =
            self.files.iter().map(|(name, digest)| (name.clone(), digest.to_string())).collect();
        let is_complete = self.status == Status::Complete;
        serde_json::json!({
            "format": FORMAT,
            "status": self.status.word(),
            "marks": self.marks,
            "instrument": {
                "method": self.instrument.method,
                "version": Instrument::VERSION,
                "library": self.instrument.library,
                "library_status": self.instrument.library_status,
                "library_sha256": self.instrument.library_sha256.to_string(),
                "limits": self.instrument.limits,
            },
            "instrument_sha256": self.instrument.digest().to_string(),
            "sample": {
                "name": sample.name,
                "n": sample.entries.len(),
                "normalised": sample.normalised,
                "sha256": sample.digest.to_string(),
                "sidecar": sample.sidecar,
            },
            "seed": self.request.seed,
            "user_agent": self.request.user_agent,
            "contact": self.request.contact,
            "request_headers": self.request.headers,
            "roots": self.request.roots,
            "address_family": self.request.address_family,
            "world": self.request.world,
            "exclusions": self.request.exclusions,
            "source": self.request.source,
            "evidence": self.request.evidence.word(),
            "attempts": self.attempts,
            "files": files,
            "results_sha256": is_complete.then(|| self.results_digest().to_string()),
            "occasion": self.occasion,
        })
    }
}

/// The key of the document's seal, in its `occasion`.
const SEAL: &str = "manifest_sha256";

/// The digest of a manifest as it is printed without its seal.
pub fn seal(document: &serde_json::Value) -> Digest {
    let mut document = document.clone();
    if let Some(occasion) = document.get_mut("occasion").and_then(|value| value.as_object_mut()) {
        occasion.remove(SEAL);
    }
    Digest::of(printed(&document).as_bytes())
}

/// A manifest as it is printed: its keys in a fixed order, with a final line end.
pub fn printed(document: &serde_json::Value) -> String {
    serde_json::to_string_pretty(document).expect("a value can be written") + "\n"
}

/// One figure for result files: the digest of the lines that `sha256sum` prints for them, by name.
pub fn results_digest(files: &BTreeMap<String, Digest>) -> Digest {
    let lines: String = files.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect();
    Digest::of(lines.as_bytes())
}
