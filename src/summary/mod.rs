//! Merged rows → the study's numbers.
//!
//! Every figure is counted in one pass over the merged tables; a rate is never held without its
//! denominator, and the denominators are named: `policy_observed`, `file_observed`,
//! `llms_observed`, `paired_observed`.

mod crawlers;
mod denominators;
mod guidance;
mod recovery;

pub use crawlers::{Baseline, CrawlerCounts};

use crawlers::Crawlers;
pub use denominators::{ClassCounts, Funnel, Rates};
pub use guidance::GuidanceCounts;
pub use recovery::Recovery;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::library::Library;
use crate::manifest::{AttemptCounts, Instrument};
use crate::record::{CrawlerRow, Layer, MergedRow, ReviewRow};
use crate::sample::Sample;
use crate::words::Word as _;

/// The numbers of a study.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Why the run is off the method, or on a fixture internet: the first line of every output.
    pub marks: Vec<String>,
    /// The sample's name.
    pub sample: String,
    /// The sample's digest.
    pub sample_sha256: String,
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
    /// The same on `file_observed`.
    pub rates_on_files: Rates,
    /// The class without the baseline, without Google-Extended and of the wildcard group alone.
    pub sensitivity: Sensitivity,
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
    /// Rows of review.csv by kind.
    pub review: BTreeMap<String, u64>,
}

/// Rates of other readings of the headline group.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sensitivity {
    /// The baseline left out.
    pub without_baseline: Rates,
    /// Google-Extended left out.
    pub without_google_extended: Rates,
    /// The wildcard group alone.
    pub wildcard: Rates,
}

/// The numbers of one stratum.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stratum {
    /// From its part of the sample to the denominators.
    pub funnel: Funnel,
    /// Its three rates on `policy_observed`.
    pub rates: Rates,
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
    class_tallies: Tallies,
    strata: BTreeMap<String, (Funnel, ClassCounts)>,
    crawlers: Crawlers,
    recovery: Recovery,
    guidance: GuidanceCounts,
    review: BTreeMap<String, u64>,
}

/// Class counts of the readings beside the headline.
#[derive(Default)]
struct Tallies {
    on_files: ClassCounts,
    without_baseline: ClassCounts,
    without_google_extended: ClassCounts,
    wildcard: ClassCounts,
}

impl Counter {
    /// Nothing counted yet.
    pub fn new(library: &Library) -> Self {
        Self {
            funnel: Funnel::default(),
            classes: ClassCounts::default(),
            class_tallies: Tallies::default(),
            strata: BTreeMap::new(),
            crawlers: Crawlers::new(library),
            recovery: Recovery::default(),
            guidance: GuidanceCounts::default(),
            review: BTreeMap::new(),
        }
    }

    /// Counts a merged row.
    pub fn domain(&mut self, merged: &MergedRow) {
        let row = &merged.row;
        self.funnel.count(row);
        let stratum = self.strata.entry(row.stratum.clone()).or_default();
        stratum.0.count(row);
        self.recovery.count(merged);
        self.guidance.count(row);
        if row.layer == Layer::Policy {
            self.classes.count(row.access_class);
            stratum.1.count(row.access_class);
            let tallies = &mut self.class_tallies;
            tallies.without_baseline.count(row.class_without_baseline);
            tallies.without_google_extended.count(row.class_without_google_extended);
            tallies.wildcard.count(row.class_wildcard);
            if denominators::is_file_observed(row) {
                tallies.on_files.count(row.access_class);
            }
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
        let tallies = &self.class_tallies;
        let strata = self
            .strata
            .into_iter()
            .map(|(name, (funnel, classes))| (name, Stratum { funnel, rates: classes.rates() }));
        let (crawlers, baseline) = self.crawlers.finish();
        let mut recovery = self.recovery;
        recovery.attempts = subject.attempts.to_vec();
        Summary {
            marks: subject.marks.to_vec(),
            sample: subject.sample.name.clone(),
            sample_sha256: subject.sample.digest.to_string(),
            seed: subject.seed,
            instrument_sha256: subject.instrument.digest().to_string(),
            library: subject.instrument.library.clone(),
            library_sha256: subject.instrument.library_sha256.to_string(),
            rates: self.classes.rates(),
            rates_on_files: tallies.on_files.rates(),
            sensitivity: Sensitivity {
                without_baseline: tallies.without_baseline.rates(),
                without_google_extended: tallies.without_google_extended.rates(),
                wildcard: tallies.wildcard.rates(),
            },
            funnel: self.funnel,
            classes: self.classes,
            strata: strata.collect(),
            crawlers,
            baseline,
            recovery,
            guidance: self.guidance.finish(),
            review: self.review,
        }
    }
}

impl Summary {
    /// The document, its keys in a fixed order, with a final line end.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
