//! What a run's manifest asks for again, and what differs between it and the instrument at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Courtesy, Order, Prepared, RunError, identity, inputs};
use crate::digest::Digest;
use crate::limits::Limits;
use crate::manifest::{Excluded, Instrument, Recorded};
use crate::refusal::Refusal;

/// Where the inputs of a recorded run are now, and how fast it is to be asked; what is not said is
/// as the run recorded it.
#[derive(Clone, Debug, Default)]
pub struct Again {
    /// The sample's file.
    pub sample: Option<PathBuf>,
    /// The pattern library's folder.
    pub library: Option<PathBuf>,
    /// Domains asked at the same time.
    pub concurrency: Option<usize>,
    /// Domains begun in a second at most.
    pub rate: Option<u32>,
}

impl Again {
    /// The order that a recorded run was given.
    pub(super) fn order(self, manifest: &Path, recorded: &Recorded) -> Result<Order, RunError> {
        let occasion = &recorded.occasion;
        let library = self.library.or_else(|| occasion.library_folder.as_ref().map(PathBuf::from));
        let words = inputs::library(library.as_deref())?;
        let contact = recorded.contact.as_deref();
        let sent = identity::of_this_version(&recorded.user_agent, &recorded.instrument.version);
        let user_agent = identity::asked_for(&sent, contact, &words);
        let user_agent = user_agent.map_err(|fault| {
            let hint = "a manifest is written by scanner run alone";
            Refusal::of(&manifest.to_string_lossy(), fault, hint)
        })?;
        let named = occasion.sample_file.as_ref().map(PathBuf::from);
        let of_that_name = || PathBuf::from(format!("{}.csv", recorded.sample.name));
        let attempts = recorded.instrument.limits.get("attempts").copied().unwrap_or_default();
        Ok(Order {
            sample: self.sample.or(named).unwrap_or_else(of_that_name),
            seed: recorded.seed,
            out: None,
            attempts: attempts.try_into().unwrap_or(u32::MAX),
            limits: Limits::told_by(&recorded.marks),
            concurrency: self.concurrency.unwrap_or(occasion.concurrency),
            rate: self.rate.or(occasion.rate),
            user_agent,
            contact: recorded.contact.clone(),
            library,
            world: recorded.world.as_ref().map(PathBuf::from),
            evidence: recorded.evidence,
            resolver: occasion.resolver.iter().filter_map(|named| named.parse().ok()).collect(),
            courtesy: Courtesy::recorded(recorded),
        })
    }
}

/// What makes two runs two studies: sample, method, pattern library and limits, where they differ
/// between a recorded run and one that is ready to ask. Each is "what: there, here".
pub(super) fn differences_of_study(recorded: &Recorded, here: &Prepared) -> Vec<String> {
    let there = &recorded.instrument;
    let named = |name: &str, digest: Digest| format!("{name} {}", digest.short());
    let mut found = vec![
        difference("sample", &recorded.sample.sha256.short(), &here.sample.digest.short()),
        difference("method", &there.method, &here.instrument.method),
        difference(
            "pattern library",
            &named(&there.library, there.library_sha256),
            &named(&here.instrument.library, here.instrument.library_sha256),
        ),
    ];
    found.extend(limits(&there.limits, &here.instrument.limits.by_name()));
    found.into_iter().flatten().collect()
}

/// Who asks, and how, where that differs.
pub(super) fn differences_of_asker(recorded: &Recorded, here: &Prepared) -> Vec<String> {
    let request = &here.request;
    let found = [
        difference("version", &recorded.instrument.version, Instrument::VERSION),
        difference("user-agent", &recorded.user_agent, &request.user_agent),
        difference("address family", &recorded.address_family, request.address_family),
        difference(
            "opt-out list",
            excluded(recorded.exclusions.as_ref()),
            excluded(request.exclusions.as_ref()),
        ),
        difference("roots", &recorded.roots, &request.roots),
        difference(
            "request headers",
            &fields(&recorded.request_headers),
            &fields(&request.headers),
        ),
    ];
    found.into_iter().flatten().collect()
}

/// All that differs, so that rows of both would be of two kinds.
pub(super) fn differences(recorded: &Recorded, here: &Prepared) -> Vec<String> {
    let mut found = differences_of_study(recorded, here);
    found.extend(differences_of_asker(recorded, here));
    if found.is_empty() {
        found.extend(difference("marks", &recorded.marks.join("; "), &here.marks.join("; ")));
    }
    found
}

/// An opt-out list by its digest.
fn excluded(list: Option<&Excluded>) -> &str {
    list.map_or("none", |list| &list.sha256)
}

/// Header fields in words.
fn fields(headers: &[(String, String)]) -> String {
    let lines = headers.iter().map(|(name, value)| format!("{name}: {value}"));
    lines.collect::<Vec<_>>().join(", ")
}

/// The limits that differ.
fn limits(there: &BTreeMap<String, u64>, here: &BTreeMap<String, u64>) -> Vec<Option<String>> {
    let shown = |limit: Option<&u64>| limit.map_or_else(|| "none".to_owned(), u64::to_string);
    let names: BTreeSet<&String> = there.keys().chain(here.keys()).collect();
    let pair = |name: &String| (shown(there.get(name)), shown(here.get(name)));
    names.into_iter().map(|name| difference(name, &pair(name).0, &pair(name).1)).collect()
}

/// A difference in words, if it is one.
fn difference(what: &str, there: &str, here: &str) -> Option<String> {
    (there != here).then(|| format!("{what}: {there} in the run, {here} here"))
}
