//! The guidance layer in numbers, and set against the access layer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::denominators::is_llms_observed;
use super::{ClassCounts, Funnel, Rates};
use crate::llms::GuidanceState;
use crate::record::{DomainRow, Layer};
use crate::stats::{Bounds, Rate, TwoRates, holm, written};

/// The guidance layer; unscannable stays out of every denominator.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GuidanceCounts {
    /// Domains with a conformant llms.txt.
    pub present_conformant: u64,
    /// Domains with one that fails a test.
    pub present_nonconformant: u64,
    /// Domains without one.
    pub absent: u64,
    /// Domains where that could not be seen.
    pub unscannable: u64,
    /// Present of `llms_observed`.
    pub adoption: Rate,
    /// What adoption can at worst be, over the sample less what is outside.
    pub adoption_bounds: Bounds,
    /// Conformant of present.
    pub conformance: Rate,
    /// Present files by the test that they fail.
    pub failed_tests: BTreeMap<String, u64>,
    /// Absent and unscannable ones by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Absent files by the kind of answer that stood in their place.
    pub soft_404: BTreeMap<String, u64>,
    /// Octets of the present files.
    pub octets: Spread,
    /// Markdown links in them.
    pub links: Spread,
    /// Headings in them.
    pub headings: Spread,
    /// Access on `paired_observed`: domains without an llms.txt first, those with one second.
    pub access: Vec<PairedRate>,
}

/// A rate of restriction, without and with an llms.txt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedRate {
    /// Which rate.
    pub rate: String,
    /// Domains without an llms.txt first, those with one second.
    #[serde(flatten)]
    pub compared: TwoRates,
    /// The p value adjusted for the three rates (Holm).
    #[serde(serialize_with = "written::maybe_result")]
    pub p_holm: Option<f64>,
}

/// Where the middle half of some counts lies, by nearest rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// How many there are.
    pub of: u64,
    /// The least.
    pub least: u64,
    /// A quarter is not larger.
    pub lower_quartile: u64,
    /// Half are not larger.
    pub median: u64,
    /// Three quarters are not larger.
    pub upper_quartile: u64,
    /// The largest.
    pub largest: u64,
}

/// Counts while domains stream by.
#[derive(Default)]
pub(super) struct Guidance {
    counts: GuidanceCounts,
    octets: Vec<u64>,
    links: Vec<u64>,
    headings: Vec<u64>,
    without: ClassCounts,
    with: ClassCounts,
}

impl Guidance {
    /// Counts a row.
    pub(super) fn count(&mut self, row: &DomainRow) {
        if row.layer == Layer::Outside {
            return;
        }
        let counts = &mut self.counts;
        match row.llms_state {
            GuidanceState::PresentConformant => counts.present_conformant += 1,
            GuidanceState::PresentNonconformant => counts.present_nonconformant += 1,
            GuidanceState::Absent => counts.absent += 1,
            GuidanceState::Unscannable => counts.unscannable += 1,
        }
        let is_present = is_present(row);
        for test in &row.llms_failed_tests.0 {
            *counts.failed_tests.entry(test.clone()).or_default() += 1;
        }
        if let Some(reason) = row.llms_reason.as_ref().filter(|_| !is_present) {
            *counts.reasons.entry(reason.clone()).or_default() += 1;
        }
        if let Some(likeness) = &row.llms_likeness {
            *counts.soft_404.entry(likeness.clone()).or_default() += 1;
        }
        if is_present {
            self.octets.extend(row.llms_octets);
            self.links.extend(row.llms_links);
            self.headings.extend(row.llms_headings);
        }
        if row.layer == Layer::Policy && is_llms_observed(row) {
            let classes = if is_present { &mut self.with } else { &mut self.without };
            classes.count(row.access_class);
        }
    }

    /// The counts with their rates.
    pub(super) fn finish(self, funnel: &Funnel) -> GuidanceCounts {
        let mut counts = self.counts;
        let present = counts.present_conformant + counts.present_nonconformant;
        counts.adoption = Rate::new(present, present + counts.absent);
        counts.adoption_bounds =
            Bounds { n: present, unobserved: counts.unscannable, of: funnel.reached_for() };
        counts.conformance = Rate::new(counts.present_conformant, present);
        counts.octets = Spread::of(self.octets);
        counts.links = Spread::of(self.links);
        counts.headings = Spread::of(self.headings);
        counts.access = access(&self.without.rates(), &self.with.rates());
        counts
    }
}

/// Whether a domain has an llms.txt.
pub(super) fn is_present(row: &DomainRow) -> bool {
    matches!(row.llms_state, GuidanceState::PresentConformant | GuidanceState::PresentNonconformant)
}

/// The three rates without and with an llms.txt, their p values adjusted for being three.
fn access(without: &Rates, with: &Rates) -> Vec<PairedRate> {
    let mut paired: Vec<PairedRate> = without
        .named()
        .into_iter()
        .zip(with.named())
        .map(|((name, without), (_, with))| PairedRate {
            rate: name.to_owned(),
            compared: TwoRates::of(without, with),
            p_holm: None,
        })
        .collect();
    let values: Vec<f64> = paired.iter().filter_map(|paired| paired.compared.p).collect();
    let tested = paired.iter_mut().filter(|paired| paired.compared.p.is_some());
    for (paired, adjusted) in tested.zip(holm(&values)) {
        paired.p_holm = Some(adjusted);
    }
    paired
}

impl Spread {
    /// The spread of some counts; all zero of none.
    fn of(mut values: Vec<u64>) -> Self {
        values.sort_unstable();
        let n = values.len();
        let at = |quarter: usize| {
            let rank = (n * quarter).div_ceil(4).max(1);
            values.get(rank - 1).copied().unwrap_or_default()
        };
        Self {
            of: n as u64,
            least: values.first().copied().unwrap_or_default(),
            lower_quartile: at(1),
            median: at(2),
            upper_quartile: at(3),
            largest: at(4),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Spread, access};
    use crate::stats::Rate;
    use crate::summary::Rates;

    #[test]
    fn a_spread_takes_values_that_occur() {
        let spread = Spread::of(vec![9, 1, 4, 2]);
        let (low, middle, high) = (spread.lower_quartile, spread.median, spread.upper_quartile);
        assert_eq!((spread.least, low, middle, high, spread.largest), (1, 1, 2, 4, 9));
        assert_eq!(Spread::of(vec![7]).upper_quartile, 7);
        assert_eq!(Spread::of(Vec::new()), Spread::default());
    }

    #[test]
    fn guidance_is_set_against_access_with_adjusted_tests() {
        let rates = |n, of| Rates {
            strict: Rate::new(0, of),
            meaningful: Rate::new(n, of),
            expanded: Rate::new(n, of),
        };
        let paired = access(&rates(556, 1_367), &rates(90, 250));
        assert_eq!((paired[0].compared.p, paired[0].p_holm), (None, None), "none is strict");
        assert!(paired[1].compared.p.is_some_and(|p| (p - 0.1654).abs() < 5e-5));
        assert!(paired[1].p_holm.is_some_and(|p| (p - 0.3308).abs() < 1e-4), "two were tested");
    }
}
