//! Merged rows → the study's numbers.
//!
//! Every figure is counted in one pass over the merged tables; a rate is never held without its
//! denominator, and the denominators are named: `policy_observed`, `file_observed`,
//! `llms_observed`, `paired_observed`. docs/summary.md says what each field means.

mod baseline;
mod crawlers;
mod denominators;
mod frame;
mod guidance;
mod pages;
mod recovery;
mod sensitivity;
mod strata;
mod superseded;

pub use baseline::Baseline;
pub use crawlers::{BesideBaseline, CrawlerCounts};
pub use denominators::{ClassCounts, Funnel, RateBounds, Rates};
pub use frame::{Design, Frame, WeightedRates};
pub use guidance::{GuidanceCounts, PairedRate, Spread};
pub use pages::{Pages, Signal};
pub use recovery::Recovery;
pub use sensitivity::{Sensitivity, Unsettled};
pub use strata::Stratum;
pub use superseded::{Binary, Superseded};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::library::Library;
use crate::manifest::{AttemptCounts, Instrument};
use crate::record::{CrawlerRow, Layer, MergedRow, ReviewRow};
use crate::sample::Sample;
use crate::words::Word as _;

use crawlers::Crawlers;
use guidance::Guidance;
use pages::PageCounter;
use sensitivity::Readings;
use strata::Strata;

/// The name of the document and of its version.
const FORMAT: &str = "scanner summary 1";

/// The numbers of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// What the document is: `scanner summary 1`.
    pub format: String,
    /// Why the run is off the method, or on a fixture internet: the first line of every output.
    pub marks: Vec<String>,
    /// The sample's name.
    pub sample: String,
    /// The sample's digest.
    pub sample_sha256: String,
    /// What it is a sample of, with the design-weighted rates.
    pub frame: Frame,
    /// The run's seed.
    pub seed: u64,
    /// One figure for version, library and limits.
    pub instrument_sha256: String,
    /// Name of the pattern library.
    pub library: String,
    /// Digest of the pattern library.
    pub library_sha256: String,
    /// From the sample to the denominators.
    pub funnel: Funnel,
    /// How many domains stand in each access class.
    pub classes: ClassCounts,
    /// The three rates on `policy_observed`: the headline.
    pub rates: Rates,
    /// What they can at worst be, whatever the unobserved domains would have shown.
    pub bounds: RateBounds,
    /// The same rates on `file_observed`.
    pub rates_on_files: Rates,
    /// Other readings of the headline group and of the paths that no rule settles.
    pub sensitivity: Sensitivity,
    /// The superseded measure of v1.2.
    pub superseded: Superseded,
    /// The funnel and rates of each stratum.
    pub strata: BTreeMap<String, Stratum>,
    /// One entry a crawler, in the list's order.
    pub crawlers: Vec<CrawlerCounts>,
    /// What blocking an AI crawler has to do with blocking Googlebot.
    pub baseline: Baseline,
    /// Attempts, recovery and final failures.
    pub recovery: Recovery,
    /// The guidance layer.
    pub guidance: GuidanceCounts,
    /// What homepages say and show.
    pub pages: Pages,
    /// Rows of review.csv by kind.
    pub review: BTreeMap<String, u64>,
}

/// What a summary is made for.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The sample.
    pub sample: &'a Sample,
    /// The run's seed.
    pub seed: u64,
    /// The instrument.
    pub instrument: &'a Instrument,
    /// The run's marks.
    pub marks: &'a [String],
    /// The attempts, as counted when they closed.
    pub attempts: &'a [AttemptCounts],
}

/// Counts while the merged tables stream by.
pub struct Counter {
    funnel: Funnel,
    classes: ClassCounts,
    readings: Readings,
    strata: Strata,
    crawlers: Crawlers,
    recovery: Recovery,
    guidance: Guidance,
    pages: PageCounter,
    review: BTreeMap<String, u64>,
}

impl Counter {
    /// Nothing counted yet.
    pub fn new(library: &Library) -> Self {
        Self {
            funnel: Funnel::default(),
            classes: ClassCounts::default(),
            readings: Readings::default(),
            strata: Strata::default(),
            crawlers: Crawlers::new(library),
            recovery: Recovery::default(),
            guidance: Guidance::default(),
            pages: PageCounter::default(),
            review: BTreeMap::new(),
        }
    }

    /// Counts a merged row.
    pub fn domain(&mut self, merged: &MergedRow) {
        let row = &merged.row;
        self.funnel.count(row);
        self.strata.count(row);
        self.recovery.count(merged);
        self.guidance.count(row);
        self.pages.count(row);
        if row.layer == Layer::Policy {
            self.classes.count(row.access_class);
            self.readings.count(row);
            self.crawlers.decided_alone_by(row.decided_alone_by.as_deref());
        }
    }

    /// Counts a merged crawler row; a domain's rows come one after another.
    pub fn crawler(&mut self, row: &CrawlerRow) {
        self.crawlers.count(row);
    }

    /// Counts a merged review row.
    pub fn review(&mut self, row: &ReviewRow) {
        *self.review.entry(row.kind.word().to_owned()).or_default() += 1;
    }

    /// The numbers.
    pub fn finish(self, subject: Subject<'_>) -> Summary {
        let funnel = self.funnel;
        let counted = self.crawlers.finish(&funnel);
        let strata = self.strata.finish();
        let rates = self.classes.rates();
        Summary {
            format: FORMAT.to_owned(),
            marks: subject.marks.to_vec(),
            sample: subject.sample.name.clone(),
            sample_sha256: subject.sample.digest.to_string(),
            frame: Frame::of(subject.sample, &strata),
            seed: subject.seed,
            instrument_sha256: subject.instrument.digest().to_string(),
            library: subject.instrument.library.clone(),
            library_sha256: subject.instrument.library_sha256.to_string(),
            classes: self.classes,
            rates,
            bounds: rates.bounds(&funnel),
            rates_on_files: self.readings.on_files(),
            sensitivity: self.readings.finish(),
            superseded: counted.superseded,
            strata,
            crawlers: counted.crawlers,
            baseline: counted.baseline,
            recovery: Recovery { attempts: subject.attempts.to_vec(), ..self.recovery },
            guidance: self.guidance.finish(&funnel),
            pages: self.pages.finish(),
            review: self.review,
            funnel,
        }
    }
}

impl Summary {
    /// The document, its keys in a fixed order, with a final line end.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads the document back; what is derived from counts is derived anew.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// The baseline crawler's name, where the list has one.
    pub fn baseline_crawler(&self) -> Option<&str> {
        let baseline = self.crawlers.iter().find(|counts| counts.is_baseline);
        baseline.map(|counts| counts.crawler.as_str())
    }
}
