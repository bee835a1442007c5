//! Counts by crawler, each beside the baseline, and what a domain blocks altogether.
//!
//! A crawler and the baseline are seen on the same domains: their difference is a paired one, and
//! its p values are adjusted for the number of crawlers (Holm).

use serde::{Deserialize, Serialize};

use super::baseline::{Baseline, BaselineCounter, Verdict};
use super::superseded::{Superseded, SupersededCounter};
use super::{ClassCounts, Funnel, RateBounds, Rates};
use crate::library::Library;
use crate::record::CrawlerRow;
use crate::robots::GroupKind;
use crate::sample::Domain;
use crate::stats::{Difference, Pairs, Rate, benjamini_hochberg, holm, written};
use crate::words::Word as _;

/// The numbers of one crawler, on `policy_observed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrawlerCounts {
    /// Its product token.
    pub crawler: String,
    /// `retrieval` (the headline group) or `training`.
    pub group: String,
    /// Whether it is the baseline control.
    pub is_baseline: bool,
    /// Domains by class.
    pub classes: ClassCounts,
    /// The three rates.
    pub rates: Rates,
    /// What they can at worst be.
    pub bounds: RateBounds,
    /// Whole site or primary content.
    pub blocked: Rate,
    /// Domains that govern it by a group of its own.
    pub own_group: u64,
    /// Domains that govern it by the wildcard group.
    pub wildcard_group: u64,
    /// Domains whose access class it decides alone; 0 for a crawler outside the headline group.
    pub decided_alone: u64,
    /// Set against the baseline; none for the baseline itself, and where the list has none.
    pub beside_baseline: Option<BesideBaseline>,
}

/// How often a crawler is blocked and the baseline is not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BesideBaseline {
    /// Domains that block both.
    pub both: u64,
    /// Domains that block this crawler and leave the baseline open.
    pub crawler_only: u64,
    /// Domains that block the baseline and leave this crawler open.
    pub baseline_only: u64,
    /// Domains that block neither.
    pub neither: u64,
    /// The crawler's share less the baseline's (Newcombe, paired).
    pub excess: Option<Difference>,
    /// The mid-p value of McNemar's test.
    #[serde(serialize_with = "written::result")]
    pub p: f64,
    /// The same, adjusted for the number of crawlers (Holm).
    #[serde(serialize_with = "written::result")]
    pub p_holm: f64,
    /// The same by Benjamini and Hochberg: for those who would bound the share of false findings.
    #[serde(serialize_with = "written::result")]
    pub p_benjamini_hochberg: f64,
}

/// What the crawler rows come to.
pub(super) struct Counted {
    pub(super) crawlers: Vec<CrawlerCounts>,
    pub(super) baseline: Baseline,
    pub(super) superseded: Superseded,
}

/// Counts while crawler rows stream by.
pub(super) struct Crawlers {
    counts: Vec<CrawlerCounts>,
    pairs: Vec<Pairs>,
    baseline: BaselineCounter,
    superseded: SupersededCounter,
    present: Option<(Domain, Vec<Verdict>)>,
}

impl Crawlers {
    /// One empty count a crawler of the library.
    pub(super) fn new(library: &Library) -> Self {
        let counts = library.crawlers.iter().map(|crawler| CrawlerCounts {
            crawler: crawler.token.clone(),
            group: crawler.group.word().to_owned(),
            is_baseline: crawler.is_baseline(),
            classes: ClassCounts::default(),
            rates: Rates::default(),
            bounds: RateBounds::default(),
            blocked: Rate::default(),
            own_group: 0,
            wildcard_group: 0,
            decided_alone: 0,
            beside_baseline: None,
        });
        Self {
            counts: counts.collect(),
            pairs: vec![Pairs::default(); library.crawlers.len()],
            baseline: BaselineCounter::default(),
            superseded: SupersededCounter::default(),
            present: None,
        }
    }

    /// Counts a row; a domain's rows come one after another.
    pub(super) fn count(&mut self, row: &CrawlerRow) {
        let Some(at) = self.counts.iter().position(|counts| counts.crawler == row.crawler) else {
            return;
        };
        if self.present.as_ref().is_none_or(|(domain, _)| *domain != row.domain) {
            self.close_domain();
            self.present = Some((row.domain.clone(), Vec::with_capacity(self.counts.len())));
        }
        let counts = &mut self.counts[at];
        counts.classes.count(Some(row.class));
        counts.blocked.count(row.blocked);
        counts.own_group += u64::from(row.governing_group == GroupKind::Own);
        counts.wildcard_group += u64::from(row.governing_group == GroupKind::Wildcard);
        let verdict = Verdict {
            at,
            group: row.crawler_group,
            is_baseline: counts.is_baseline,
            class: row.class,
        };
        if let Some((_, verdicts)) = &mut self.present {
            verdicts.push(verdict);
        }
    }

    /// Counts that a crawler alone decides a domain's class.
    pub(super) fn decided_alone_by(&mut self, token: Option<&str>) {
        let counts = self.counts.iter_mut();
        for counts in counts.filter(|counts| Some(counts.crawler.as_str()) == token) {
            counts.decided_alone += 1;
        }
    }

    /// Counts what the present domain does to all its crawlers.
    fn close_domain(&mut self) {
        let Some((_, verdicts)) = self.present.take() else { return };
        self.baseline.count(&verdicts);
        self.superseded.count(&verdicts);
        if let Some(baseline) = verdicts.iter().find(|verdict| verdict.is_baseline) {
            for verdict in verdicts.iter().filter(|verdict| !verdict.is_baseline) {
                self.pairs[verdict.at].count(baseline.is_blocked(), verdict.is_blocked());
            }
        }
    }

    /// The counts, and the baseline comparison.
    pub(super) fn finish(mut self, funnel: &Funnel) -> Counted {
        self.close_domain();
        for counts in &mut self.counts {
            counts.rates = counts.classes.rates();
            counts.bounds = counts.rates.bounds(funnel);
        }
        let compared: Vec<usize> =
            (0..self.pairs.len()).filter(|&at| self.pairs[at].of() > 0).collect();
        let values: Vec<f64> = compared.iter().map(|&at| self.pairs[at].mid_p()).collect();
        let adjusted = holm(&values).into_iter().zip(benjamini_hochberg(&values));
        for (&at, adjusted) in compared.iter().zip(adjusted) {
            self.counts[at].beside_baseline = Some(BesideBaseline::of(self.pairs[at], adjusted));
        }
        Counted {
            baseline: self.baseline.finish(),
            superseded: self.superseded.finish(),
            crawlers: self.counts,
        }
    }
}

impl BesideBaseline {
    /// A crawler (second) set against the baseline (first), its p value adjusted by Holm, and by
    /// Benjamini and Hochberg.
    fn of(pairs: Pairs, adjusted: (f64, f64)) -> Self {
        Self {
            both: pairs.both,
            crawler_only: pairs.second_only,
            baseline_only: pairs.first_only,
            neither: pairs.neither,
            excess: pairs.difference(),
            p: pairs.mid_p(),
            p_holm: adjusted.0,
            p_benjamini_hochberg: adjusted.1,
        }
    }
}
