//! What stands beside a sample: where the list comes from, and which octets it means.
//!
//! TOML, each key one that the format knows. What it says of the list (octets, rows, strata) is held
//! to the list; what it says of the world is the author's word.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::refusal::Refusal;
use crate::stamp::is_day;

/// What a sample's sidecar states.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Sidecar {
    /// Where the names come from.
    pub source: String,
    /// When they were drawn.
    pub drawn_on: String,
    /// By which rule.
    pub rule: String,
    /// How many there are.
    pub n: usize,
    /// The digest of the CSV file.
    pub sha256: String,
    /// Under which licence the source stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// What a reader should know against it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weaknesses: Vec<String>,
    /// How it was drawn from a frame, so that anyone can draw it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Drawing>,
    /// The strata, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strata: Vec<Stratum>,
    /// The lists that the names come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
}

/// A draw, as its command line said it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    /// The frame's file, without its folder.
    pub frame: String,
    /// The digest of the frame's octets.
    pub frame_sha256: String,
    /// Rows of the frame.
    pub frame_rows: usize,
    /// Rows that met the conditions.
    pub eligible: usize,
    /// The conditions.
    #[serde(rename = "where", default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// The column that gives the strata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strata: Option<String>,
    /// How the number was shared among the strata: `equal`, `proportional` or `each`.
    pub shares: String,
    /// The seed of the keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The text that stood before each domain when its key was hashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
}

/// One stratum of a sample.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Stratum {
    /// Its name.
    pub name: String,
    /// Its domains in the sample.
    pub n: usize,
    /// Its domains in what was drawn from: population over n is a domain's design weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<usize>,
}

impl Stratum {
    /// How many domains of the population one of the sample stands for.
    pub fn weight(&self) -> Option<f64> {
        let population = self.population.filter(|_| self.n > 0)?;
        Some(population as f64 / self.n as f64)
    }
}

/// A list that names come from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it is called.
    pub name: String,
    /// Where it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The version that was read.
    pub commit: String,
    /// The day of that version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The file or folder in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its licence.
    pub licence: String,
}

impl Sidecar {
    /// Reads a sidecar; the day it names must be one of the calendar.
    pub fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        let sidecar: Self =
            toml::from_str(text).map_err(|error| Refusal::of_toml(file, text, &error))?;
        if !is_day(&sidecar.drawn_on) {
            let message = format!("drawn_on is no day: {:?}", sidecar.drawn_on);
            return Err(Refusal::of(file, message, "a day is written as 2026-11-30"));
        }
        Ok(sidecar)
    }

    /// The text of the sidecar's file.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(self)
    }

    /// Where the sidecar speaks of other octets, rows or strata than the list's own.
    pub fn faults(
        &self,
        file: &str,
        digest: Digest,
        sizes: &BTreeMap<String, usize>,
    ) -> Vec<Refusal> {
        let mut faults = Vec::new();
        if Digest::from_hex(&self.sha256) != Some(digest) {
            let message = format!("sha256 is {}, the sample's is {digest}", self.sha256);
            let hint = "the sample was changed after it was frozen: restore it, or freeze it anew";
            faults.push(Refusal::of(file, message, hint));
        }
        let n: usize = sizes.values().sum();
        if self.n != n {
            let message = format!("n is {}, the sample has {n} rows", self.n);
            faults.push(Refusal::of(file, message, "correct n"));
        }
        if !self.strata.is_empty() {
            faults.extend(self.strata_faults(file, sizes));
        }
        faults
    }

    /// Where the strata stated are not those of the list.
    fn strata_faults(&self, file: &str, sizes: &BTreeMap<String, usize>) -> Vec<Refusal> {
        let mut messages = Vec::new();
        let mut stated = BTreeMap::new();
        for stratum in &self.strata {
            let Stratum { name, n, population } = stratum;
            let held = sizes.get(name).copied().unwrap_or(0);
            if *n != held {
                messages.push(format!("stratum {name:?} has n = {n}, the sample has {held} rows"));
            }
            if let Some(population) = population.filter(|population| population < n) {
                messages.push(format!("stratum {name:?} has {n} of a population of {population}"));
            }
            if stated.insert(name, n).is_some() {
                messages.push(format!("stratum {name:?} is stated twice"));
            }
        }
        for name in sizes.keys().filter(|name| !stated.contains_key(name)) {
            messages.push(format!("stratum {name:?} is not stated"));
        }
        let hint = "state each stratum once, with the number of its rows";
        messages.into_iter().map(|message| Refusal::of(file, message, hint)).collect()
    }
}
