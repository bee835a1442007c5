//! Whether a finished run is what it says: every digest, every row from the evidence, every count.
//!
//! Nothing is asked, no clock is read, nothing is written. What depends on nothing comes first: the
//! manifest, the evidence, the attempts derived from it, the tables merged from them, the summary
//! counted from those. The first difference in that order is named.

mod attempts;
mod difference;
mod folder;
mod merged;
mod parallel;
mod table;

pub use attempts::Derived;
pub use difference::Difference;

use std::path::PathBuf;

use super::{RunError, inputs};
use crate::archive::EVIDENCE_FILE;
use crate::digest::Digest;
use crate::library::Library;
use crate::manifest::{Instrument, Status};
use crate::observation::Kept;
use crate::record::DomainRow;
use crate::refusal::Refusal;
use crate::sample::{Entry, Sample};
use crate::store::RunFolder;
use crate::words::Word as _;
use attempts::Deriver;
use difference::Ended;
use folder::{Folder, MANIFEST};
use merged::Merger;

/// What is to be verified.
#[derive(Clone, Debug)]
pub struct VerifyOrder {
    /// The run's folder.
    pub run: PathBuf,
    /// The sample that the run must be of, where it is to be compared.
    pub sample: Option<PathBuf>,
    /// The library that the run was judged by, where it is not the embedded one.
    pub library: Option<PathBuf>,
    /// Whether evidence and timing may be elsewhere: no row is derived from evidence then.
    pub without_evidence: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Verdict {
    /// The sample's name.
    pub sample: String,
    /// The run's seed.
    pub seed: u64,
    /// The run's marks.
    pub marks: Vec<String>,
    /// How many files were digested.
    pub files: usize,
    /// What was derived from evidence, by attempt; empty where nothing could be.
    pub attempts: Vec<Derived>,
    /// What could not be checked, and why.
    pub unchecked: Vec<String>,
    /// The first difference, if there is one.
    pub difference: Option<Difference>,
}

/// Verifies a run; an `Err` says why it cannot be verified at all.
pub fn verify(order: &VerifyOrder) -> Result<Verdict, RunError> {
    let mut verdict = Verdict::default();
    let mut folder = match Folder::open(&order.run)? {
        Ok(folder) => folder,
        Err(difference) => {
            verdict.difference = Some(difference);
            return Ok(verdict);
        }
    };
    if folder.told.status != Status::Complete.word() {
        let why = format!(
            "its status is {}, and only a finished run can be verified",
            folder.told.status
        );
        return Err(RunError::Incomplete { folder: order.run.clone(), why, signal: None });
    }
    let library = inputs::library(order.library.as_deref())?;
    check_library(&folder, &library, order)?;
    let sample = order.sample.as_deref().map(inputs::sample).transpose()?;
    verdict.sample = folder.told.sample.name.clone();
    verdict.seed = folder.told.seed;
    verdict.marks = folder.told.marks.clone();
    match check(&mut folder, &library, sample.as_ref(), order.without_evidence, &mut verdict) {
        Ok(()) => {}
        Err(Ended::Different(difference)) => verdict.difference = Some(*difference),
        Err(Ended::Failed(error)) => return Err(error.into()),
    }
    Ok(verdict)
}

/// Refuses to judge a run by another library than its own.
fn check_library(folder: &Folder, library: &Library, order: &VerifyOrder) -> Result<(), RunError> {
    let told = &folder.told.instrument;
    if told.library_sha256 == library.digest.to_string() {
        return Ok(());
    }
    let message = format!(
        "the run was judged by the library {} {}, not by {} {}",
        told.library,
        told.library_sha256.get(..12).unwrap_or_default(),
        library.name,
        library.digest.short()
    );
    let hint = "name the run's own library with --library DIR";
    Err(Refusal::of(&order.run.to_string_lossy(), message, hint).into())
}

/// Checks what depends on nothing first.
fn check(
    folder: &mut Folder,
    library: &Library,
    sample: Option<&Sample>,
    without_evidence: bool,
    verdict: &mut Verdict,
) -> Result<(), Ended> {
    folder.digest(without_evidence)?;
    verdict.files = folder.digested();
    let told = &folder.told;
    if told.instrument.version != Instrument::VERSION {
        verdict.unchecked.push(format!(
            "the run was made by version {}, this is {}: a difference may be the program's",
            told.instrument.version,
            Instrument::VERSION
        ));
    }
    folder.check_figures(library.digest)?;
    if let Some(stray) = folder.stray()? {
        return Err(stray.into());
    }
    let listed = listed_sample(folder)?;
    if let Some(sample) = sample {
        check_sample(&listed, sample)?;
    }
    let kept = Kept::from_word(&told.evidence);
    let attempts = match kept {
        None => {
            return Err(Difference::of(MANIFEST, &told.evidence, "a level").at("evidence").into());
        }
        Some(_) if without_evidence => {
            let why = "the evidence was left out: no row was derived again";
            verdict.unchecked.push(why.to_owned());
            told.attempts.clone()
        }
        Some(Kept::None) => {
            verdict.unchecked.push("no evidence was kept: no row can be derived again".to_owned());
            told.attempts.clone()
        }
        Some(kept) => {
            folder.must_be_whole(EVIDENCE_FILE)?;
            let (derived, counts) = Deriver::open(folder, &listed, library, kept)?.all()?;
            verdict.attempts = derived;
            if kept == Kept::Policy {
                let why = "homepages were not kept: their columns cannot be derived again";
                verdict.unchecked.push(why.to_owned());
            }
            counts
        }
    };
    let library_sha256 = library.digest;
    let sample = &listed;
    Merger { folder, sample, library, library_sha256, attempts: &attempts }.all()?;
    folder.all_must_be_whole()?;
    if kept == Some(Kept::None) && !without_evidence {
        return Err(
            Difference::of(EVIDENCE_FILE, "no evidence", "what every row follows from").into()
        );
    }
    Ok(())
}

/// The sample as the run's own tables list it: those of the first attempt, or the merged ones where
/// only these are whole.
fn listed_sample(folder: &Folder) -> Result<Sample, Ended> {
    let names = ["attempt-1.csv", "merged.csv"];
    let name = names.into_iter().find(|name| folder.is_whole(name)).unwrap_or(names[0]);
    let mut entries = Vec::new();
    let unreadable = |error: std::io::Error| Ended::from(Difference::unreadable(name, &error));
    for row in entries_of(folder, name).map_err(unreadable)? {
        entries.push(row.map_err(unreadable)?);
    }
    let told = &folder.told.sample;
    if entries.len() as u64 != told.n {
        return Err(Difference::of(MANIFEST, told.n, entries.len()).at("sample.n").into());
    }
    let digest = Digest::from_hex(&told.sha256);
    let digest = digest.ok_or_else(|| {
        Difference::of(MANIFEST, &told.sha256, "64 hex digits").at("sample.sha256")
    })?;
    let (name, sidecar) = (told.name.clone(), told.sidecar.clone());
    Ok(Sample { name, entries, digest, normalised: 0, sidecar })
}

/// The domains and strata of a table.
fn entries_of(
    folder: &Folder,
    name: &str,
) -> std::io::Result<Box<dyn Iterator<Item = std::io::Result<Entry>>>> {
    use crate::record::MergedRow;
    let run = RunFolder::at(&folder.path);
    let entry = |row: DomainRow| Entry { domain: row.domain, stratum: row.stratum };
    Ok(match name {
        "merged.csv" => {
            let rows = run.read::<MergedRow>(name)?;
            Box::new(rows.map(move |row| row.map(|merged| entry(merged.row))))
        }
        _ => Box::new(run.read::<DomainRow>(name)?.map(move |row| row.map(entry))),
    })
}

/// Holds the run to the sample that it must be of.
fn check_sample(listed: &Sample, sample: &Sample) -> Result<(), Ended> {
    if listed.digest != sample.digest {
        let difference = Difference::of(MANIFEST, listed.digest, sample.digest);
        return Err(difference.at("sample.sha256").into());
    }
    let differing = listed.entries.iter().zip(&sample.entries).zip(1..);
    let mut differing = differing.filter(|((stored, derived), _)| stored != derived);
    if let Some(((stored, derived), row)) = differing.next() {
        let difference = Difference::of("attempt-1.csv", &stored.domain, &derived.domain);
        return Err(Difference { row: Some(row), ..difference }.at("domain").into());
    }
    Ok(())
}
