//! Counts by crawler, and the Googlebot baseline.

use serde::Serialize;

use super::ClassCounts;
use crate::library::{CrawlerGroup, Library};
use crate::record::CrawlerRow;
use crate::robots::GroupKind;
use crate::sample::Domain;
use crate::stats::Rate;
use crate::words::Word as _;

/// The numbers of one crawler, on `policy_observed`.
#[derive(Clone, Debug, Serialize)]
pub struct CrawlerCounts {
    /// Its product token.
    pub crawler: String,
    /// `retrieval` (the headline group) or `training`.
    pub group: String,
    /// Whether it is the baseline control.
    pub is_baseline: bool,
    /// Domains by class.
    pub classes: ClassCounts,
    /// Whole site or primary content.
    pub blocked: Rate,
    /// Domains that govern it by a group of its own.
    pub own_group: u64,
    /// Domains that govern it by the wildcard group.
    pub wildcard_group: u64,
    /// Domains whose access class it decides alone; 0 for a crawler outside the headline group.
    pub decided_alone: u64,
}

/// What blocking an AI crawler has to do with blocking Googlebot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Baseline {
    /// Domains that block at least one retrieval crawler but the baseline.
    pub block_retrieval: Rate,
    /// Domains that block at least one training crawler.
    pub block_training: Rate,
    /// Domains that block the baseline.
    pub block_baseline: Rate,
    /// Of the domains that block any AI crawler of the list, those that block the baseline too.
    pub also_block_baseline: Rate,
}

/// Counts while crawler rows stream by.
pub(super) struct Crawlers {
    counts: Vec<CrawlerCounts>,
    baseline: Baseline,
    any_ai: u64,
    any_ai_and_baseline: u64,
    domains: u64,
    present: Option<Present>,
}

/// What the domain whose rows are passing blocks.
struct Present {
    domain: Domain,
    retrieval: bool,
    training: bool,
    baseline: bool,
}

impl Crawlers {
    /// One empty count a crawler of the library.
    pub(super) fn new(library: &Library) -> Self {
        let counts = library.crawlers.iter().map(|crawler| CrawlerCounts {
            crawler: crawler.token.clone(),
            group: crawler.group.word().to_owned(),
            is_baseline: crawler.is_baseline(),
            classes: ClassCounts::default(),
            blocked: Rate::default(),
            own_group: 0,
            wildcard_group: 0,
            decided_alone: 0,
        });
        Self {
            counts: counts.collect(),
            baseline: Baseline::default(),
            any_ai: 0,
            any_ai_and_baseline: 0,
            domains: 0,
            present: None,
        }
    }

    /// Counts a row; a domain's rows come one after another.
    pub(super) fn count(&mut self, row: &CrawlerRow) {
        let Some(counts) = self.counts.iter_mut().find(|counts| counts.crawler == row.crawler)
        else {
            return;
        };
        counts.classes.count(Some(row.class));
        counts.blocked.n += u64::from(row.blocked);
        counts.blocked.of += 1;
        counts.own_group += u64::from(row.governing_group == GroupKind::Own);
        counts.wildcard_group += u64::from(row.governing_group == GroupKind::Wildcard);
        let is_baseline = counts.is_baseline;
        if self.present.as_ref().is_none_or(|present| present.domain != row.domain) {
            self.close_domain();
            let domain = row.domain.clone();
            self.present =
                Some(Present { domain, retrieval: false, training: false, baseline: false });
        }
        if let (true, Some(present)) = (row.blocked, &mut self.present) {
            match row.crawler_group {
                _ if is_baseline => present.baseline = true,
                CrawlerGroup::Retrieval => present.retrieval = true,
                CrawlerGroup::Training => present.training = true,
            }
        }
    }

    /// Counts that a crawler alone decides a domain's class.
    pub(super) fn decided_alone_by(&mut self, token: Option<&str>) {
        let counts = self.counts.iter_mut();
        for counts in counts.filter(|counts| Some(counts.crawler.as_str()) == token) {
            counts.decided_alone += 1;
        }
    }

    /// Counts what the present domain blocks.
    fn close_domain(&mut self) {
        let Some(present) = self.present.take() else { return };
        let any_ai = present.retrieval || present.training;
        self.domains += 1;
        self.baseline.block_retrieval.n += u64::from(present.retrieval);
        self.baseline.block_training.n += u64::from(present.training);
        self.baseline.block_baseline.n += u64::from(present.baseline);
        self.any_ai += u64::from(any_ai);
        self.any_ai_and_baseline += u64::from(any_ai && present.baseline);
    }

    /// The counts, and the baseline comparison.
    pub(super) fn finish(mut self) -> (Vec<CrawlerCounts>, Baseline) {
        self.close_domain();
        let mut baseline = self.baseline;
        baseline.block_retrieval.of = self.domains;
        baseline.block_training.of = self.domains;
        baseline.block_baseline.of = self.domains;
        baseline.also_block_baseline = Rate::new(self.any_ai_and_baseline, self.any_ai);
        (self.counts, baseline)
    }
}
