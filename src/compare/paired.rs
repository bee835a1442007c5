//! One sample at two dates, compared domain by domain.
//!
//! Rates are compared over the domains observed both times; how many were dropped, and what they
//! could change at worst, stands beside them. Transitions count every domain.

use std::collections::BTreeMap;

use serde::Serialize;

use super::RATES;
use super::change::{Change, change};
use super::sighting::{CLASSES, Sighting, Standing};
use crate::classify::AccessClass;
use crate::llms::GuidanceState;
use crate::record::{Layer, MergedRow};
use crate::stats::{
    Agreement, Difference, Pairs, Rate, Symmetry, benjamini_hochberg, cohens_h, holm, written,
};
use crate::summary::CrawlerCounts;
use crate::words::Word as _;

/// One sample at two dates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// Domains of the sample.
    pub sample: u64,
    /// Domains observed both times, over which rates are compared.
    pub compared: u64,
    /// The others, by what they were not: `first_only` and `second_only` were observed once,
    /// `neither` never, `html` is left out, `outside` is in no denominator.
    pub dropped: BTreeMap<String, u64>,
    /// Domains by where they stood the first time and the second.
    pub transitions: Transitions,
    /// Whether moves between the five classes go both ways alike (Bowker); none where none moved.
    pub symmetry: Option<Symmetry>,
    /// Domains with the same class both times, of those compared.
    pub same_class: Rate,
    /// Cohen's kappa of the two classes.
    #[serde(serialize_with = "written::maybe_result")]
    pub kappa: Option<f64>,
    /// Gwet's AC1 of the two classes.
    #[serde(serialize_with = "written::maybe_result")]
    pub ac1: Option<f64>,
    /// The three rates.
    pub rates: Vec<PairedRate>,
    /// llms.txt present, over the domains where that was known both times.
    pub adoption: PairedRate,
    /// Every crawler of both lists: blocked.
    pub crawlers: Vec<CrawlerPair>,
    /// Every domain whose class changed, for itself or for a crawler, in sample order.
    pub changed: Vec<Change>,
}

/// How domains moved between two dates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Transitions {
    /// The standings, in the order of rows and columns.
    pub standings: Vec<String>,
    /// A row a standing the first time, a column a standing the second time.
    pub counts: Vec<Vec<u64>>,
}

/// A rate at two dates, on the same domains.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedRate {
    /// Which rate.
    pub rate: String,
    /// The first time.
    pub first: Rate,
    /// The second time.
    pub second: Rate,
    /// Domains that count the second time alone.
    pub began: u64,
    /// Domains that counted the first time alone.
    pub ended: u64,
    /// The second less the first (Newcombe, paired).
    pub difference: Option<Difference>,
    /// What the change can at worst be over all domains but those left out: its lower bound.
    #[serde(serialize_with = "written::maybe_share")]
    pub worst_low: Option<f64>,
    /// Its upper bound.
    #[serde(serialize_with = "written::maybe_share")]
    pub worst_high: Option<f64>,
    /// Cohen's h of the second and the first.
    #[serde(serialize_with = "written::maybe_result")]
    pub h: Option<f64>,
    /// McNemar's test, mid-p.
    #[serde(serialize_with = "written::result")]
    pub p: f64,
    /// McNemar's test, exact.
    #[serde(serialize_with = "written::result")]
    pub p_exact: f64,
    /// The mid-p value adjusted for the number of tests of its table (Holm).
    #[serde(serialize_with = "written::result")]
    pub p_holm: f64,
    /// The same by Benjamini and Hochberg: for those who would bound the share of false findings.
    #[serde(serialize_with = "written::result")]
    pub p_benjamini_hochberg: f64,
}

/// How often a crawler was blocked at two dates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrawlerPair {
    /// Its product token.
    pub crawler: String,
    /// `retrieval` or `training`.
    pub group: String,
    /// Whether it is the baseline.
    pub is_baseline: bool,
    /// Blocked: whole site or primary content.
    pub blocked: PairedRate,
}

/// Counts while both runs stream by.
pub struct PairedCounter {
    leaves_out_html: bool,
    sample: u64,
    compared: u64,
    dropped: BTreeMap<String, u64>,
    unpaired: u64,
    counts: Vec<Vec<u64>>,
    classes: Vec<(AccessClass, AccessClass)>,
    rates: [Pairs; 3],
    adoption: Pairs,
    adoption_unpaired: u64,
    crawlers: Vec<(CrawlerCounts, Pairs)>,
    changed: Vec<Change>,
}

impl PairedCounter {
    /// Nothing counted yet; `crawlers` are those of both lists.
    pub fn new(crawlers: Vec<CrawlerCounts>, leaves_out_html: bool) -> Self {
        let standings = Standing::ALL.len();
        Self {
            leaves_out_html,
            sample: 0,
            compared: 0,
            dropped: BTreeMap::new(),
            unpaired: 0,
            counts: vec![vec![0; standings]; standings],
            classes: Vec::new(),
            rates: [Pairs::default(); 3],
            adoption: Pairs::default(),
            adoption_unpaired: 0,
            crawlers: crawlers.into_iter().map(|counts| (counts, Pairs::default())).collect(),
            changed: Vec::new(),
        }
    }

    /// Counts a domain by what was seen of it both times; returns what changed, if anything did, so
    /// that the documents can be added to it.
    pub fn count(&mut self, first: &Sighting, second: &Sighting) -> Option<&mut Change> {
        self.sample += 1;
        let standings = [first, second].map(|sighting| sighting.standing(self.leaves_out_html));
        let [from, to] = standings.map(position);
        self.counts[from][to] += 1;
        self.guidance(&first.merged, &second.merged);
        let classes = [first, second].map(|sighting| sighting.class(self.leaves_out_html));
        let [Some(was), Some(is)] = classes else {
            self.drop(standings, classes);
            return None;
        };
        self.compared += 1;
        self.classes.push((was, is));
        for ((_, from), pairs) in RATES.iter().zip(&mut self.rates) {
            pairs.count(was >= *from, is >= *from);
        }
        for (crawler, pairs) in &mut self.crawlers {
            let blocks = |sighting: &Sighting| {
                let row = sighting.crawlers.iter().find(|row| row.crawler == crawler.crawler)?;
                Some(row.blocked)
            };
            if let Some((was, is)) = blocks(first).zip(blocks(second)) {
                pairs.count(was, is);
            }
        }
        self.changed.push(change(first, second)?);
        self.changed.last_mut()
    }

    /// Counts a domain that cannot be compared.
    fn drop(&mut self, standings: [Standing; 2], classes: [Option<AccessClass>; 2]) {
        let why = if standings.contains(&Standing::Outside) {
            "outside"
        } else if standings.contains(&Standing::Html) {
            "html"
        } else {
            self.unpaired += 1;
            match classes {
                [Some(_), None] => "first_only",
                [None, Some(_)] => "second_only",
                _ => "neither",
            }
        };
        *self.dropped.entry(why.to_owned()).or_default() += 1;
    }

    /// Counts whether a domain had an llms.txt.
    fn guidance(&mut self, first: &MergedRow, second: &MergedRow) {
        if first.row.layer == Layer::Outside || second.row.layer == Layer::Outside {
            return;
        }
        match [first, second].map(has_guidance) {
            [Some(was), Some(is)] => self.adoption.count(was, is),
            _ => self.adoption_unpaired += 1,
        }
    }

    /// The comparison.
    pub fn finish(self) -> Paired {
        let named = RATES.iter().zip(self.rates).map(|((name, _), pairs)| (*name, pairs));
        let agreement = Agreement::of(self.classes);
        let classes: Vec<Vec<u64>> =
            self.counts[..CLASSES].iter().map(|row| row[..CLASSES].to_vec()).collect();
        let (crawlers, pairs): (Vec<CrawlerCounts>, Vec<Pairs>) = self.crawlers.into_iter().unzip();
        let blocked = pairs.into_iter().map(|pairs| ("blocked", pairs));
        let adoption = tested([("adoption", self.adoption)], self.adoption_unpaired).pop();
        Paired {
            sample: self.sample,
            compared: self.compared,
            dropped: self.dropped,
            transitions: Transitions {
                standings: Standing::ALL.iter().map(|one| one.word().to_owned()).collect(),
                counts: self.counts,
            },
            symmetry: Symmetry::of(&classes),
            same_class: agreement.agreed,
            kappa: agreement.kappa,
            ac1: agreement.ac1,
            rates: tested(named, self.unpaired),
            adoption: adoption.unwrap_or_else(|| rate("adoption", Pairs::default(), 0, (1.0, 1.0))),
            crawlers: crawlers
                .into_iter()
                .zip(tested(blocked, self.unpaired))
                .map(|(counts, blocked)| CrawlerPair {
                    crawler: counts.crawler,
                    group: counts.group,
                    is_baseline: counts.is_baseline,
                    blocked,
                })
                .collect(),
            changed: self.changed,
        }
    }
}

/// Where a standing is in the list.
fn position(standing: Standing) -> usize {
    Standing::ALL.iter().position(|one| *one == standing).unwrap_or_default()
}

/// Whether a domain has an llms.txt; `None` where that was not learnt.
pub(super) fn has_guidance(merged: &MergedRow) -> Option<bool> {
    match merged.row.llms_state {
        GuidanceState::PresentConformant | GuidanceState::PresentNonconformant => Some(true),
        GuidanceState::Absent => Some(false),
        GuidanceState::Unscannable => None,
    }
}

/// Rates with their tests, adjusted for their number.
fn tested<'a>(pairs: impl IntoIterator<Item = (&'a str, Pairs)>, unpaired: u64) -> Vec<PairedRate> {
    let pairs: Vec<(&str, Pairs)> = pairs.into_iter().collect();
    let values: Vec<f64> = pairs.iter().map(|(_, pairs)| pairs.mid_p()).collect();
    let adjusted = holm(&values).into_iter().zip(benjamini_hochberg(&values));
    pairs
        .into_iter()
        .zip(adjusted)
        .map(|((name, pairs), adjusted)| rate(name, pairs, unpaired, adjusted))
        .collect()
}

/// One rate; its adjusted p values are Holm's, and Benjamini and Hochberg's.
fn rate(name: &str, pairs: Pairs, unpaired: u64, adjusted: (f64, f64)) -> PairedRate {
    let (worst_low, worst_high) = pairs.change_bounds(unpaired).unzip();
    PairedRate {
        rate: name.to_owned(),
        first: pairs.first(),
        second: pairs.second(),
        began: pairs.second_only,
        ended: pairs.first_only,
        difference: pairs.difference(),
        worst_low,
        worst_high,
        h: cohens_h(pairs.second(), pairs.first()),
        p: pairs.mid_p(),
        p_exact: pairs.exact_p(),
        p_holm: adjusted.0,
        p_benjamini_hochberg: adjusted.1,
    }
}
