//! A run from archived responses: the same plan, the same judging, the same folder, and nobody asked.
//!
//! An archive is either captures that somebody gathered, of which one a request counts, in one
//! attempt; or the evidence of a run over the same sample, whose attempts are gone through again as
//! they were. Which it is stands in the record that opens it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::courtesy::Settled;
use super::prepare::{Asked, NO_EVIDENCE, Prepared, default_folder, free_folder, library_marks};
use super::{Opened, RunError, Watcher, inputs};
use crate::archive::{Evidence, Holdings, Search};
use crate::clock;
use crate::digest::{Digest, Hasher};
use crate::files;
use crate::limits::Limits;
use crate::manifest::{self, Instrument, Request};
use crate::observation::Kept;
use crate::refusal::Refusal;
use crate::sample::{Domain, Sample};
use crate::scan::{Live, Recorded, Source, Stop};
use crate::seed::Seed;
use crate::stamp::Stamp;
use crate::words::quoted;
use crate::world::Served;

/// Domains that are read at the same time.
const READ_AT_ONCE: usize = 32;

/// What stands in the manifest where a live run says how it asked.
const NOBODY_ASKED: &str = "nobody was asked";

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct ReplayOrder {
    /// The sample's file.
    pub sample: PathBuf,
    /// The archives.
    pub archives: Vec<PathBuf>,
    /// The last day or moment of which captures count.
    pub as_of: Option<String>,
    /// The run's folder; by default one under `runs/` that names sample and day.
    pub out: Option<PathBuf>,
    /// The run's seed; by default that of the recorded run, or 0.
    pub seed: Option<u64>,
    /// A library instead of the embedded one.
    pub library: Option<PathBuf>,
    /// How much of what is read is kept as evidence.
    pub evidence: Kept,
}

impl ReplayOrder {
    /// The command that gives the same results again.
    pub fn command(&self) -> String {
        let path = |path: &PathBuf| quoted(&path.to_string_lossy());
        let mut command = format!("scanner replay --sample {} --warc", path(&self.sample));
        for archive in &self.archives {
            command.push_str(&format!(" {}", path(archive)));
        }
        let mut add = |flag: &str, value: Option<String>| {
            if let Some(value) = value {
                command.push_str(&format!(" --{flag} {value}"));
            }
        };
        add("as-of", self.as_of.as_deref().map(quoted));
        add("seed", self.seed.map(|seed| seed.to_string()));
        add("library", self.library.as_ref().map(path));
        add("evidence", (self.evidence != Kept::Full).then(|| self.evidence.to_string()));
        command
    }
}

/// Archives that are read instead of asking anybody.
pub(super) struct Archives {
    paths: Vec<PathBuf>,
    as_of: Option<String>,
    is_recorded: bool,
}

/// What the evidence of a run says of that run.
struct Opening {
    seed: u64,
    limits: Limits,
    user_agent: String,
}

impl Prepared {
    /// Reads and checks everything that a replay needs.
    pub fn of_replay(order: &ReplayOrder) -> Result<Self, RunError> {
        let sample = inputs::sample(&order.sample)?;
        let library = inputs::library(order.library.as_deref())?;
        if let Some(miss) = library.check().into_iter().next() {
            return Err(RunError::Refused(miss));
        }
        let as_of = order.as_of.as_deref().map(last_moment).transpose()?;
        let archives = described(&order.archives)?;
        let opening = recorded(&order.archives, &sample)?;
        let seed = match (&opening, order.seed) {
            (Some(opening), Some(seed)) if seed != opening.seed => {
                return Err(RunError::Usage(format!(
                    "--seed {seed} is not that of the recorded run, {}",
                    opening.seed
                )));
            }
            (Some(opening), _) => opening.seed,
            (None, seed) => seed.unwrap_or(0),
        };
        let out = match &order.out {
            Some(out) => free_folder(out)?,
            None => {
                let day = order.as_of.clone().unwrap_or_else(clock::utc_today);
                let day = day.get(..10).unwrap_or(&day);
                default_folder(&format!("{}@{day}-replay", sample.name))?
            }
        };
        let is_recorded = opening.is_some();
        let kind = if is_recorded { "recorded" } else { "captures" };
        let mut marks = library_marks(&library);
        if order.evidence == Kept::None {
            marks.push(NO_EVIDENCE.to_owned());
        }
        marks.push(mark(&archives, order.as_of.as_deref(), is_recorded));
        let limits = opening.as_ref().map_or(Limits::METHOD, |opening| opening.limits.clone());
        Ok(Self {
            sample_file: order.sample.clone(),
            library_folder: order.library.clone(),
            marks,
            instrument: Instrument {
                method: library.method.clone(),
                library: library.name.clone(),
                library_status: library.status.to_string(),
                library_sha256: library.digest,
                limits,
            },
            request: Request {
                seed,
                user_agent: opening.map(|opening| opening.user_agent).unwrap_or_default(),
                contact: None,
                headers: Vec::new(),
                roots: NOBODY_ASKED.to_owned(),
                address_family: NOBODY_ASKED,
                world: None,
                exclusions: None,
                source: Some(manifest::Source {
                    kind: kind.to_owned(),
                    archives,
                    as_of: order.as_of.clone(),
                }),
                evidence: order.evidence,
            },
            sample: Arc::new(sample),
            library: Arc::new(library),
            out,
            concurrency: READ_AT_ONCE,
            rate: None,
            resolver: Vec::new(),
            courtesy: Settled::default(),
            asked: Asked::Archives(Archives { paths: order.archives.clone(), as_of, is_recorded }),
        })
    }

    /// The source of observations, and how many attempts it can give.
    pub(super) fn source(
        &self,
        network: Option<(Live, Option<Served>)>,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Opened, RunError> {
        let attempts = self.instrument.limits.attempts;
        match (&self.asked, network) {
            (Asked::Archives(archives), _) => {
                let opened = tokio::task::block_in_place(|| match archives.is_recorded {
                    true => self.recorded(archives, watcher).map(|source| (source, attempts)),
                    false => self.captured(archives, stop, watcher).map(|source| (source, 1)),
                });
                let (source, attempts) = opened?;
                Ok((source, None, attempts))
            }
            (_, Some((live, served))) => Ok((Source::Live(live), served, attempts)),
            (_, None) => Err(RunError::Unfit("there is no network to ask".to_owned())),
        }
    }

    /// Opens the evidence of a run.
    fn recorded(&self, archives: &Archives, watcher: &mut dyn Watcher) -> Result<Source, RunError> {
        let path = &archives.paths[0];
        watcher.archive_read(path, 1);
        let numbered = self.sample.entries.iter().enumerate();
        let positions: std::collections::BTreeMap<&str, usize> =
            numbered.map(|(position, entry)| (entry.domain.as_str(), position)).collect();
        let evidence = Evidence::open(path, &|domain| positions.get(domain).copied())
            .map_err(|error| broken(path, &error))?;
        let limits = self.instrument.limits.clone();
        Ok(Source::Recorded(Recorded { evidence, limits, as_of: archives.as_of.clone() }))
    }

    /// Seeks the sample in archives.
    fn captured(
        &self,
        archives: &Archives,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Source, RunError> {
        let domains: Vec<Domain> =
            self.sample.entries.iter().map(|entry| entry.domain.clone()).collect();
        let seed = Seed(self.request.seed);
        let search = Search {
            domains: &domains,
            control_path: &|domain| seed.control_path(domain),
            as_of: archives.as_of.clone(),
            limits: self.instrument.limits.clone(),
            is_stopped: &|| stop.is_asked(),
        };
        let mut last: &Path = &self.out;
        let mut watch = |number: usize, pass: usize| {
            last = &archives.paths[number];
            watcher.archive_read(last, pass);
        };
        let holdings = Holdings::open(&archives.paths, &search, &self.out, &mut watch);
        holdings.map(Source::Captured).map_err(|error| match stop.signal() {
            Some(signal) => RunError::Incomplete {
                folder: self.out.clone(),
                why: format!("stopped by {} while archives were read", signal.name()),
                signal: Some(signal),
            },
            None => broken(last, &error),
        })
    }
}

/// The refusal of an archive that cannot be read.
fn broken(path: &Path, error: &std::io::Error) -> RunError {
    let hint =
        "an archive is WARC 1.0 or 1.1, plain, gzip or zstd; what is broken cannot be trusted";
    files::unreadable(path, error, hint).into()
}

/// A day or moment as dates are compared with it: without its `Z`.
fn last_moment(text: &str) -> Result<String, RunError> {
    match Stamp::parse(text) {
        Some(_) => Ok(text.trim_end_matches('Z').to_owned()),
        None => Err(RunError::Usage(format!(
            "--as-of {text:?} is no day (2026-06-30) and no moment (2026-06-30T12:00:00Z)"
        ))),
    }
}

/// The archives with their digests.
fn described(paths: &[PathBuf]) -> Result<Vec<manifest::Archive>, RunError> {
    let describe = |path: &PathBuf| {
        let refused = |error| broken(path, &error);
        Ok(manifest::Archive {
            file: path.to_string_lossy().into_owned(),
            octets: files::octets(path).map_err(refused)?,
            sha256: digest(path).map_err(refused)?.to_string(),
        })
    };
    paths.iter().map(describe).collect()
}

/// The digest of a file.
fn digest(path: &Path) -> std::io::Result<Digest> {
    let mut hasher = Hasher::new();
    files::read_through(path, |piece| hasher.update(piece))?;
    Ok(hasher.finish())
}

/// What the only archive says of the run whose evidence it is, if it is that of a run over this
/// sample.
fn recorded(paths: &[PathBuf], sample: &Sample) -> Result<Option<Opening>, RunError> {
    let [path] = paths else { return Ok(None) };
    let info = Evidence::info(path).map_err(|error| broken(path, &error))?;
    let sha256 = sample.digest.to_string();
    let Some(info) = info.filter(|info| info.get("scanner-sample-sha256") == Some(&sha256)) else {
        return Ok(None);
    };
    let field = |name: &str| info.get(name).map(String::as_str).unwrap_or_default();
    let refused = || {
        let hint = "it must be the evidence.warc.gz of a run, as it was written";
        Refusal::of(&path.to_string_lossy(), "its first record cannot be read", hint)
    };
    Ok(Some(Opening {
        seed: field("scanner-seed").parse().map_err(|_| refused())?,
        limits: serde_json::from_str(field("scanner-limits")).map_err(|_| refused())?,
        user_agent: field("http-header-user-agent").to_owned(),
    }))
}

/// The mark of a replay.
fn mark(archives: &[manifest::Archive], as_of: Option<&str>, is_recorded: bool) -> String {
    let name = |archive: &manifest::Archive| {
        let path = Path::new(&archive.file);
        path.file_name().map_or(archive.file.clone(), |name| name.to_string_lossy().into_owned())
    };
    let what = match archives {
        [one] => name(one),
        many => format!("{} archives", many.len()),
    };
    let until = as_of.map(|last| format!(", as of {last}")).unwrap_or_default();
    match is_recorded {
        true => format!("replay: of the run that {what} records{until}; nobody was asked"),
        false => format!("replay: of captures in {what}{until}; nobody was asked"),
    }
}
