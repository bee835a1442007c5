//! One run of a comparison: what it measured, with what, and when.

use serde::Serialize;

use crate::closed_list;
use crate::summary::Summary;
use crate::words::Word as _;

closed_list! {
    /// Where a run's answers came from.
    pub enum SourceKind {
        /// The real internet.
        Live = "live",
        /// Captures that somebody gathered, without controls.
        Captures = "captures",
        /// The evidence of another run.
        Recorded = "recorded",
        /// A fixture internet.
        Fixture = "fixture",
    }
}

/// One run, as a comparison names it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// What it is called: a date, a country, or its folder's name.
    pub label: String,
    /// Its folder.
    pub folder: String,
    /// The sample's name.
    pub sample: String,
    /// The sample's digest.
    pub sample_sha256: String,
    /// The run's seed.
    pub seed: u64,
    /// The day, or moment, that it speaks of; none where its archives do not say.
    pub date: Option<String>,
    /// The country of its sample, where its sidecar says.
    pub country: Option<String>,
    /// `live`, `captures`, `recorded` or `fixture`.
    pub source: String,
    /// The version of the program.
    pub version: String,
    /// The limits in force, as JSON.
    #[serde(skip)]
    pub limits: String,
    /// One figure for version, library and limits.
    pub instrument_sha256: String,
    /// Name of the pattern library.
    pub library: String,
    /// Its digest.
    pub library_sha256: String,
    /// One figure for all result files.
    pub results_sha256: Option<String>,
    /// The user-agent header sent, which changes what refuses.
    pub user_agent: String,
    /// The numbers of the run.
    #[serde(skip)]
    pub summary: Summary,
}

impl Side {
    /// Whether its answers are captures, which have no control: HTML in the place of a robots.txt
    /// cannot be told from a page for every path.
    pub fn is_captures(&self) -> bool {
        self.source == SourceKind::Captures.word()
    }
}
