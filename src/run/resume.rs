//! An interrupted run, gone on with: nothing that is on disk is asked again.
//!
//! The manifest says which attempts are closed, and their tables must be as it says. The next
//! attempt goes on from its journal, if it has one. Everything is looked at before anything is
//! written, and a run of another instrument, sample or library is refused: its rows would be of two
//! kinds.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use super::attempt::Begun;
use super::repeat::{Again, differences};
use super::{Finished, Prepared, Run, RunError, Standing, Watcher, claim};
use crate::archive::EVIDENCE_FILE;
use crate::clock;
use crate::digest::Digest;
use crate::files;
use crate::manifest::{Interruption, Occasion, Recorded, Status};
use crate::merge;
use crate::observation::Kept;
use crate::plan::Plan;
use crate::record::DomainRow;
use crate::refusal::Refusal;
use crate::scan::Stop;
use crate::seed::Seed;
use crate::store::{Claim, RunFolder, attempt_tables};

/// The table that a run ends with.
pub(super) const MERGED: &str = "merged.csv";

/// Why a run stopped that could not say so.
const WITHOUT_A_WORD: &str = "its process ended without a word";

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Resume {
    /// The run's folder.
    pub folder: PathBuf,
    /// Where its inputs are now, and how fast it is to be asked.
    pub again: Again,
}

/// What is found in a run's folder.
pub enum Found {
    /// A complete run: there is nothing to resume.
    Complete(PathBuf),
    /// A run that is ready to go on.
    Interrupted(Box<Interrupted>),
}

/// An interrupted run that is ready to go on.
pub struct Interrupted {
    prepared: Prepared,
    recorded: Recorded,
    folder: RunFolder,
    claim: Claim,
    standing: Standing,
    interruption: Interruption,
}

impl Resume {
    /// Looks at the folder and checks everything that going on needs. Nothing is changed yet, but that
    /// a journal's torn tail is cut.
    pub fn find(self) -> Result<Found, RunError> {
        let folder = RunFolder::at(&self.folder);
        if is_complete(&folder, &folder.recorded()?) {
            folder.forget_claim();
            return Ok(Found::Complete(self.folder));
        }
        let claim = claim(&folder)?;
        // Read again: until the claim was ours, another process may have gone on.
        let recorded = folder.recorded()?;
        if is_complete(&folder, &recorded) {
            return Ok(Found::Complete(self.folder));
        }
        let shown = self.folder.to_string_lossy();
        let refused = |message: String, hint: &str| Refusal::of(&shown, message, hint);
        if recorded.source.is_some() {
            let hint = "replay it anew: nobody is asked again by that";
            return Err(refused("a replay of archives is not gone on with".into(), hint).into());
        }
        let prepared = self.prepared(&folder, &recorded)?;
        let differences = differences(&recorded, &prepared);
        if !differences.is_empty() {
            let hint =
                "its rows would be of two kinds: go on with what it began with, or begin anew";
            return Err(refused(format!("another run: {}", differences.join("; ")), hint).into());
        }
        if let Some(fault) = fault_of_closed(&folder, &recorded) {
            let hint = "a closed attempt never changes: bring its file back, or begin anew";
            return Err(refused(fault, hint).into());
        }
        let standing = standing(&folder, &recorded, &prepared).map_err(damaged)?;
        let interruption = interruption(&folder, &recorded, &standing).map_err(damaged)?;
        let found = Interrupted { prepared, recorded, folder, claim, standing, interruption };
        Ok(Found::Interrupted(Box::new(found)))
    }

    /// What the run needs to go on.
    fn prepared(&self, folder: &RunFolder, recorded: &Recorded) -> Result<Prepared, RunError> {
        let order = self.again.clone().order(&folder.manifest_path(), recorded)?;
        Prepared::again(&order, &self.folder)
    }
}

impl Interrupted {
    /// Why the run is off the method, or on a fixture internet.
    pub fn marks(&self) -> &[String] {
        self.prepared.marks()
    }

    /// What interrupted it, and what of it is kept.
    pub fn interruption(&self) -> &Interruption {
        &self.interruption
    }

    /// Asks whoever is still to be asked, and merges what was seen.
    pub async fn resume(
        self,
        stop: &mut Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Finished, RunError> {
        let Self { prepared, recorded, folder, claim, standing, interruption } = self;
        let opened = prepared.source(prepared.connect().await?, stop, watcher)?;
        let mut run = prepared.begin(folder, occasion(&prepared, &recorded, interruption));
        run.files = of_closed(&recorded, &recorded.files);
        run.attempts = recorded.attempts;
        run.say_resumed().map_err(|error| RunError::Incomplete {
            folder: prepared.out.clone(),
            why: error.to_string(),
            signal: None,
        })?;
        prepared.finish(run, claim, opened, standing, stop, watcher).await
    }
}

impl Run<'_> {
    /// Writes down that the run goes on, and clears away what its process could not.
    fn say_resumed(&self) -> io::Result<()> {
        self.write_manifest(Status::Running)?;
        self.attempts.iter().try_for_each(|counts| self.folder.forget_journal(counts.attempt))
    }
}

/// Whether a run ended: its manifest says so, and merged.csv, which comes last, is there.
pub(super) fn is_complete(folder: &RunFolder, recorded: &Recorded) -> bool {
    recorded.status == Status::Complete && files::exists(&folder.file(MERGED))
}

/// What is wrong with the closed attempts: their files must be as the manifest pins them.
fn fault_of_closed(folder: &RunFolder, recorded: &Recorded) -> Option<String> {
    let timing = &recorded.occasion.files;
    for (counts, expected) in recorded.attempts.iter().zip(1..) {
        if counts.attempt != expected {
            return Some(format!("attempt {expected} is missing among the closed ones"));
        }
        for name in attempt_tables(counts.attempt) {
            let of_result = recorded.files.get(&name).map(Digest::to_string);
            let Some(pinned) = of_result.or_else(|| timing.get(&name).cloned()) else {
                return Some(format!("{name} is not pinned by the manifest"));
            };
            match folder.digest(&name) {
                Ok(digest) if digest.to_string() == pinned => {}
                Ok(_) => return Some(format!("{name} is not as it was when its attempt closed")),
                Err(error) => return Some(format!("a file of a closed attempt is gone: {error}")),
            }
        }
    }
    None
}

/// Where the asking stands.
fn standing(folder: &RunFolder, recorded: &Recorded, prepared: &Prepared) -> io::Result<Standing> {
    let sample = &prepared.sample;
    let closed = recorded.attempts.len() as u32;
    let unresolved = match closed {
        0 => (0..sample.entries.len()).collect(),
        _ => {
            let [domains, ..] = attempt_tables(closed);
            merge::unresolved(sample, folder.read::<DomainRow>(&domains)?)?
        }
    };
    let evidence_octets = evidence_octets(folder, recorded)?;
    let next = closed + 1;
    let begun = match folder.journalled(next)? {
        Some(_) => {
            let seed = Seed(prepared.request.seed);
            let plan = Plan::new(sample, seed, next, &unresolved);
            Some(Begun::open(folder, sample, seed, &plan, evidence_octets)?)
        }
        None => {
            refuse_unknown_tables(folder, next)?;
            None
        }
    };
    let of_closed = recorded.occasion.evidence_octets;
    let evidence_end = begun.as_ref().and_then(|begun| begun.evidence_end).unwrap_or(of_closed);
    Ok(Standing { unresolved, begun, evidence_end })
}

/// Octets of evidence on disk, where any is kept; less than the closed attempts have is refused.
fn evidence_octets(folder: &RunFolder, recorded: &Recorded) -> io::Result<Option<u64>> {
    if recorded.evidence == Kept::None {
        return Ok(None);
    }
    let of_closed = recorded.occasion.evidence_octets;
    let next = recorded.attempts.len() as u32 + 1;
    let found = folder.evidence_octets(EVIDENCE_FILE)?;
    let are_any_done = of_closed > 0 || folder.journalled(next)?.is_some_and(|done| done > 0);
    let fault = match found {
        None if are_any_done => "it is gone, and domains that are done have their evidence in it",
        Some(octets) if octets < of_closed => "it is shorter than when the last attempt closed",
        _ => return Ok(Some(found.unwrap_or_default())),
    };
    let message = format!("{}: {fault}", folder.file(EVIDENCE_FILE).display());
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}

/// Refuses tables of an attempt that neither the manifest nor a journal knows: they would be
/// overwritten.
fn refuse_unknown_tables(folder: &RunFolder, attempt: u32) -> io::Result<()> {
    match attempt_tables(attempt).iter().find(|name| files::exists(&folder.file(name))) {
        None => Ok(()),
        Some(name) => {
            let shown = folder.file(name);
            let message = format!("{}: neither manifest nor journal knows it", shown.display());
            Err(io::Error::new(io::ErrorKind::InvalidData, message))
        }
    }
}

/// What interrupted a run, and what of it is kept.
fn interruption(
    folder: &RunFolder,
    recorded: &Recorded,
    standing: &Standing,
) -> io::Result<Interruption> {
    let occasion = &recorded.occasion;
    let stopped_by = occasion.stopped_by.clone();
    let evidence_octets = evidence_octets(folder, recorded)?.unwrap_or_default();
    Ok(Interruption {
        stopped_at: occasion.ended_at.clone(),
        stopped_by: stopped_by.unwrap_or_else(|| WITHOUT_A_WORD.to_owned()),
        resumed_at: clock::utc_now(),
        attempts_closed: recorded.attempts.len() as u32,
        domains_kept: standing.begun.as_ref().map_or(0, Begun::domains),
        octets_cut: standing.begun.as_ref().map_or(0, |begun| begun.octets_cut),
        evidence_octets_cut: evidence_octets.saturating_sub(standing.evidence_end),
    })
}

/// The occasion of a run that goes on.
fn occasion(prepared: &Prepared, recorded: &Recorded, interruption: Interruption) -> Occasion {
    let before = &recorded.occasion;
    Occasion {
        started_at: before.started_at.clone(),
        interruptions: before.interruptions.iter().cloned().chain([interruption]).collect(),
        evidence_octets: before.evidence_octets,
        files: of_closed(recorded, &before.files),
        ..prepared.occasion()
    }
}

/// The digests of the closed attempts' files alone.
fn of_closed<D: Clone>(recorded: &Recorded, files: &BTreeMap<String, D>) -> BTreeMap<String, D> {
    let names = recorded.attempts.iter().flat_map(|counts| attempt_tables(counts.attempt));
    names
        .filter_map(|name| files.get_key_value(&name))
        .map(|(n, d)| (n.clone(), d.clone()))
        .collect()
}

/// What is on disk cannot be gone on from.
fn damaged(error: io::Error) -> RunError {
    let hint = "what is broken here was not broken by an interruption; nothing was overwritten";
    files::refused(&error, hint).into()
}
