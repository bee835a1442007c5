//! A small run over the folder world, made once, and what tests do to its folder.

#![allow(clippy::disallowed_methods, reason = "a test reads and spoils what it wrote")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use scanner::digest::Digest;
use scanner::manifest;
use scanner::run::{RunError, Verdict, VerifyOrder, verify};

use crate::scratch::{Scratch, study};

/// Quick hosts of every kind: observed, recovered, refused, soft, redirected, never answered.
const SAMPLE: &str = "domain,stratum\nprimary.test,a\nhttp-403.test,a\nheals-on-2-from-403.test,b\n\
                      llms-soft-404-identical.test,b\nrobots-redirected.test,a\nrobots-html.test,a\n\
                      dns-nxdomain.test,b\nprotocol-bad-gzip.test,a\nown-groups-open.test,b\n";

/// The arguments of a run over the sample.
fn arguments<'a>(sample: &'a str, out: &'a str) -> Vec<&'a str> {
    let world = "fixtures/worlds/faults";
    vec!["run", "--sample", sample, "--seed", "7", "--world", world, "--quiet", "--out", out]
}

/// A run's sample and folder.
pub(crate) struct Made {
    scratch: Scratch,
}

impl Made {
    /// Makes a run with further arguments.
    pub(crate) fn with(further: &[&str]) -> Self {
        let scratch = Scratch::new();
        let sample = scratch.write("small.csv", SAMPLE);
        let out = scratch.join("run");
        let all = arguments(sample.to_str().expect("UTF-8"), out.to_str().expect("UTF-8"));
        study(&[&all[..], further].concat());
        Self { scratch }
    }

    /// The run that is made once and never spoilt.
    pub(crate) fn once() -> &'static Self {
        static MADE: OnceLock<Made> = OnceLock::new();
        MADE.get_or_init(|| Self::with(&[]))
    }

    /// Its sample.
    pub(crate) fn sample(&self) -> PathBuf {
        self.scratch.join("small.csv")
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> PathBuf {
        self.scratch.join("run")
    }
}

/// A copy of a run's folder.
pub(crate) fn copy_of(folder: &Path, scratch: &Scratch) -> PathBuf {
    let copy = scratch.join("copy");
    std::fs::create_dir_all(&copy).expect("a folder");
    for name in names(folder) {
        std::fs::copy(folder.join(&name), copy.join(&name)).expect("copied");
    }
    copy
}

/// The names of a folder's files, in order.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Verifies a folder.
pub(crate) fn verified(folder: &Path) -> Result<Verdict, RunError> {
    let run = folder.to_owned();
    verify(&VerifyOrder { run, sample: None, library: None, without_evidence: false })
}

/// The first difference of a folder, as it is told.
pub(crate) fn told(folder: &Path) -> String {
    let difference = verified(folder).expect("it can be verified").difference;
    difference.map(|difference| difference.to_string()).unwrap_or_default()
}

/// Changes a manifest and seals it anew, with the digests of the files as they are now: what a
/// forger would do who does not know the instrument.
pub(crate) fn reseal(folder: &Path, change: impl FnOnce(&mut serde_json::Value)) {
    let path = folder.join("manifest.json");
    let mut document: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).expect("a manifest")).expect("JSON");
    change(&mut document);
    let mut results = std::collections::BTreeMap::new();
    for part in ["/files", "/occasion/files"] {
        let files = document.pointer_mut(part).and_then(|files| files.as_object_mut());
        for (name, digest) in files.expect("files") {
            let found = Digest::of(&std::fs::read(folder.join(name)).expect("a file"));
            *digest = found.to_string().into();
            if part == "/files" {
                results.insert(name.clone(), found);
            }
        }
    }
    document["results_sha256"] = manifest::results_digest(&results).to_string().into();
    document["occasion"]["manifest_sha256"] = manifest::seal(&document).to_string().into();
    std::fs::write(&path, manifest::printed(&document)).expect("written");
}

/// Replaces a text in a file, which must hold it.
pub(crate) fn replace(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).expect("UTF-8");
    assert!(text.contains(from), "{} holds no {from:?}", path.display());
    std::fs::write(path, text.replacen(from, to, 1)).expect("written");
}
