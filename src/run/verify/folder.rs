//! A run's folder as its manifest speaks of it: the document itself, and the digest of every file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::difference::{Difference, Ended};
use crate::digest::Digest;
use crate::files;
use crate::limits::Limits;
use crate::manifest::{self, AttemptCounts};
use crate::refusal::Refusal;
use crate::run::RunError;
use crate::sample::Sidecar;
use crate::store::RunFolder;

/// The name of the document.
pub(super) const MANIFEST: &str = "manifest.json";

/// Most octets of a manifest, whose length does not depend on the sample.
const MANIFEST_OCTETS: u64 = 16 * 1024 * 1024;

/// What a manifest must say to be held to its run.
#[derive(Debug, Deserialize)]
pub(super) struct Told {
    pub(super) status: String,
    pub(super) marks: Vec<String>,
    pub(super) instrument: Instrument,
    pub(super) instrument_sha256: String,
    pub(super) sample: Sample,
    pub(super) seed: u64,
    pub(super) evidence: String,
    pub(super) source: Option<Value>,
    pub(super) attempts: Vec<AttemptCounts>,
    pub(super) files: BTreeMap<String, String>,
    pub(super) results_sha256: Option<String>,
    pub(super) occasion: Occasion,
}

/// The instrument as a manifest tells it.
#[derive(Debug, Deserialize)]
pub(super) struct Instrument {
    pub(super) method: String,
    pub(super) version: String,
    pub(super) library: String,
    pub(super) library_status: String,
    pub(super) library_sha256: String,
    pub(super) limits: Limits,
}

/// The sample as a manifest tells it.
#[derive(Debug, Deserialize)]
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) n: u64,
    pub(super) sha256: String,
    pub(super) sidecar: Option<Sidecar>,
}

/// What the occasion pins.
#[derive(Debug, Deserialize)]
pub(super) struct Occasion {
    pub(super) files: BTreeMap<String, String>,
}

/// A run's folder, its manifest read.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) told: Told,
    /// The files whose digest is another than the manifest says, or that are not there.
    wrong: BTreeMap<String, Difference>,
    digested: usize,
}

impl Folder {
    /// Reads a folder's manifest.
    pub(super) fn open(path: &Path) -> Result<Result<Self, Difference>, RunError> {
        let file = path.join(MANIFEST);
        let hint = "name the folder of a run";
        let text = files::read(&file, MANIFEST_OCTETS)
            .map_err(|error| files::unreadable(&file, &error, hint))?;
        let unreadable = |error: &dyn std::fmt::Display| {
            Ok(Err(Difference::unreadable(MANIFEST, &error.to_string())))
        };
        let document: Value = match serde_json::from_slice(&text) {
            Ok(document) => document,
            Err(error) => return unreadable(&error),
        };
        if let Some(difference) = manifest_difference(&document, &text) {
            return Ok(Err(difference));
        }
        let format = document["format"].as_str().unwrap_or_default();
        if format != manifest::FORMAT {
            let message = format!("a run of the format {format:?}, which is not read here");
            return Err(Refusal::of(&file.to_string_lossy(), message, hint).into());
        }
        match serde_json::from_value(document) {
            Ok(told) => {
                Ok(Ok(Self { path: path.to_owned(), told, wrong: BTreeMap::new(), digested: 0 }))
            }
            Err(error) => unreadable(&error),
        }
    }

    /// How many files were digested.
    pub(super) fn digested(&self) -> usize {
        self.digested
    }

    /// Digests every file that the manifest names, several at a time; those that are never the same
    /// twice may be elsewhere.
    pub(super) fn digest(&mut self, without_occasion: bool) -> Result<(), Ended> {
        let is_here = |(name, _): &(&String, &String)| {
            !without_occasion || files::exists(&self.path.join(name))
        };
        let of_occasion = self.told.occasion.files.iter().filter(is_here);
        let pinned: Vec<(&String, &String)> = self.told.files.iter().chain(of_occasion).collect();
        let found = super::parallel::in_order(&pinned, |(name, stored)| {
            let path = self.path.join(name);
            if name.contains(['/', '\\']) || !files::exists(&path) {
                return Ok(Some(Difference::of(name, "no such file", "a file of the run")));
            }
            let digest = RunFolder::at(&self.path).digest(name)?;
            let differs = digest.to_string() != **stored;
            Ok(differs.then(|| Difference::of(name, stored, digest).at("its SHA-256")))
        })?;
        self.digested = pinned.len();
        let named = pinned.iter().map(|(name, _)| (*name).clone());
        self.wrong =
            named.zip(found).filter_map(|(name, difference)| Some((name, difference?))).collect();
        Ok(())
    }

    /// Whether a file is what the manifest pins.
    pub(super) fn is_whole(&self, name: &str) -> bool {
        !self.wrong.contains_key(name)
    }

    /// Ends if a file is not what the manifest pins.
    pub(super) fn must_be_whole(&self, name: &str) -> Result<(), Ended> {
        match self.wrong.get(name) {
            Some(difference) => Err(difference.clone().into()),
            None => Ok(()),
        }
    }

    /// Ends if a file is not there.
    pub(super) fn must_be_there(&self, name: &str) -> Result<(), Ended> {
        match files::exists(&self.path.join(name)) {
            true => Ok(()),
            false => Err(Difference::of(name, "no such file", "a file of the run").into()),
        }
    }

    /// Ends if any file is not what the manifest pins.
    pub(super) fn all_must_be_whole(&self) -> Result<(), Ended> {
        match self.wrong.values().next() {
            Some(difference) => Err(difference.clone().into()),
            None => Ok(()),
        }
    }

    /// A file of a run that the manifest does not name: one that is half written, or of an attempt.
    pub(super) fn stray(&self) -> Result<Option<Difference>, Ended> {
        for path in files::entries(&self.path)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_named = self.told.files.contains_key(&name)
                || self.told.occasion.files.contains_key(&name)
                || name == MANIFEST;
            let is_of_a_run = name.starts_with("attempt-")
                || name.starts_with("evidence.")
                || name.ends_with(".partial")
                || name.ends_with(".journal");
            if !is_named && is_of_a_run {
                return Ok(Some(Difference::of(&name, "a file", "none of this name")));
            }
        }
        Ok(None)
    }

    /// Holds the figures of the manifest to what they are figures of.
    pub(super) fn check_figures(&self, library_sha256: Digest) -> Result<(), Ended> {
        let told = &self.told;
        let files: BTreeMap<String, Digest> = told
            .files
            .iter()
            .filter_map(|(name, hex)| Some((name.clone(), Digest::from_hex(hex)?)))
            .collect();
        let results = manifest::results_digest(&files).to_string();
        if told.results_sha256.as_ref() != Some(&results) {
            let stored = told.results_sha256.as_deref().unwrap_or("nothing");
            return Err(Difference::of(MANIFEST, stored, results).at("results_sha256").into());
        }
        let instrument = manifest::instrument_digest(
            &told.instrument.version,
            &told.instrument.library,
            library_sha256,
            &told.instrument.limits,
        );
        if told.instrument_sha256 != instrument.to_string() {
            let stored = &told.instrument_sha256;
            return Err(Difference::of(MANIFEST, stored, instrument)
                .at("instrument_sha256")
                .into());
        }
        Ok(())
    }
}

/// How a manifest differs from what was written.
fn manifest_difference(document: &Value, text: &[u8]) -> Option<Difference> {
    let expected = manifest::seal(document);
    let stored = &document["occasion"]["manifest_sha256"];
    if *stored != Value::String(expected.to_string()) {
        let stored = stored.as_str().unwrap_or("nothing");
        return Some(Difference::of(MANIFEST, stored, expected).at("occasion.manifest_sha256"));
    }
    (manifest::printed(document).as_bytes() != text)
        .then(|| Difference::of(MANIFEST, "other octets", "the same document as it is printed"))
}
