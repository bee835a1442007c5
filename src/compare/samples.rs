//! Different samples side by side: countries, sectors, any lists that were drawn apart.
//!
//! Rates are taken for independent. Samples that are made up of other strata differ for that reason
//! alone: the standardised rates give every sample the same make-up, that of all samples together
//! over the strata that each of them has.

use std::collections::BTreeMap;

use serde::Serialize;

use super::RATES;
use super::side::Side;
use crate::stats::{
    Bounds, Cell, Difference, Homogeneity, Rate, Stratified, TwoRates, benjamini_hochberg, holm,
    standardised_difference, written,
};
use crate::summary::{Rates, Stratum, Summary};

/// Different samples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Samples {
    /// The three rates.
    pub rates: Vec<SampleRate>,
    /// llms.txt present, of `llms_observed`.
    pub adoption: SampleRate,
    /// Every crawler of all lists: blocked.
    pub crawlers: Vec<CrawlerSamples>,
    /// Strata that every sample has, over which rates are standardised.
    pub strata: Vec<String>,
    /// Strata that only some samples have.
    pub other_strata: Vec<String>,
    /// Pairs of samples that share domains, which the tests take for independent.
    pub overlaps: Vec<Overlap>,
}

/// Two samples that share domains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Overlap {
    /// Position of the one run.
    pub first: usize,
    /// Position of the other.
    pub second: usize,
    /// Domains that stand in both.
    pub domains: u64,
}

/// One rate in every sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SampleRate {
    /// Which rate.
    pub rate: String,
    /// It in each sample.
    pub rates: Vec<Rate>,
    /// What it can at worst be in each.
    pub bounds: Vec<Bounds>,
    /// By the design weights of each sample, where it has them.
    pub weighted: Vec<Option<Stratified>>,
    /// With the make-up of all samples together.
    pub standardised: Vec<Option<Stratified>>,
    /// Whether all are one (Pearson's chi-squared); only of more than two.
    pub homogeneity: Option<Homogeneity>,
    /// Every two samples compared.
    pub pairs: Vec<SamplePair>,
}

/// Two samples compared in one rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SamplePair {
    /// Position of the one run.
    #[serde(rename = "first_run")]
    pub first: usize,
    /// Position of the other.
    #[serde(rename = "second_run")]
    pub second: usize,
    /// Their rates, compared.
    #[serde(flatten)]
    pub compared: TwoRates,
    /// The p value adjusted for the number of pairs and rates (Holm).
    #[serde(serialize_with = "written::maybe_result")]
    pub p_holm: Option<f64>,
    /// The second standardised rate less the first.
    pub standardised_difference: Option<Difference>,
}

/// How often a crawler is blocked in every sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrawlerSamples {
    /// Its product token.
    pub crawler: String,
    /// `retrieval` or `training`.
    pub group: String,
    /// Whether it is the baseline.
    pub is_baseline: bool,
    /// Blocked in each sample.
    pub blocked: Vec<Rate>,
    /// The p value of whether all are one: chi-squared, which is the z test of two.
    #[serde(serialize_with = "written::maybe_result")]
    pub p: Option<f64>,
    /// The same, adjusted for the number of crawlers (Holm).
    #[serde(serialize_with = "written::maybe_result")]
    pub p_holm: Option<f64>,
    /// The same by Benjamini and Hochberg.
    #[serde(serialize_with = "written::maybe_result")]
    pub p_benjamini_hochberg: Option<f64>,
}

/// A sample's numbers as they are compared: HTML left out where runs judge it differently.
pub(super) struct Numbers<'a> {
    pub(super) summary: &'a Summary,
    leaves_out_html: bool,
}

impl<'a> Numbers<'a> {
    /// The numbers of a run.
    pub(super) fn of(side: &'a Side, leaves_out_html: bool) -> Self {
        Self { summary: &side.summary, leaves_out_html }
    }

    /// How many domains of a funnel are observed only because HTML was read as an absent file.
    fn html(&self, states: &BTreeMap<String, u64>) -> u64 {
        let soft = states.get("soft_404").copied().unwrap_or_default();
        if self.leaves_out_html { soft } else { 0 }
    }

    /// A rate on `policy_observed`; what HTML stood for was fully open, and is in no numerator.
    fn rate(&self, rate: Rate, states: &BTreeMap<String, u64>) -> Rate {
        Rate::new(rate.n, rate.of - self.html(states).min(rate.of))
    }

    /// One of the three rates.
    pub(super) fn overall(&self, at: usize) -> Rate {
        self.rate(nth(&self.summary.rates, at), &self.summary.funnel.robots_states)
    }

    /// What it can at worst be; HTML that was no policy is left out of the unobserved as well.
    pub(super) fn bounds(&self, at: usize) -> Bounds {
        let mut bounds = self.summary.bounds.in_order()[at];
        if self.leaves_out_html {
            let states = &self.summary.funnel.robots_states;
            let undecided = states.get("html_undecided").copied().unwrap_or_default();
            let failures = &self.summary.recovery.final_failures;
            let not_robots = failures.get("not_robots").copied().unwrap_or_default();
            // An undecided HTML answer has the mode not_robots too: each is taken off once.
            let unread = undecided.max(not_robots);
            bounds.unobserved = bounds.unobserved.saturating_sub(unread);
            bounds.of = bounds.of.saturating_sub(unread + self.html(states));
        }
        bounds
    }

    /// One of the three rates in a stratum.
    fn of_stratum(&self, stratum: &Stratum, at: usize) -> Rate {
        self.rate(nth(&stratum.rates, at), &stratum.funnel.robots_states)
    }

    /// How often a crawler is blocked.
    pub(super) fn blocked(&self, crawler: &str) -> Rate {
        let counts = self.summary.crawlers.iter().find(|counts| counts.crawler == crawler);
        let blocked = counts.map(|counts| counts.blocked).unwrap_or_default();
        self.rate(blocked, &self.summary.funnel.robots_states)
    }
}

/// One of three rates.
fn nth(rates: &Rates, at: usize) -> Rate {
    rates.named()[at].1
}

/// Compares different samples.
pub fn samples(sides: &[Side], leaves_out_html: bool, overlaps: Vec<Overlap>) -> Samples {
    let numbers: Vec<Numbers<'_>> =
        sides.iter().map(|side| Numbers::of(side, leaves_out_html)).collect();
    let strata = in_common(&numbers);
    let mut rates: Vec<SampleRate> =
        (0..RATES.len()).map(|at| sample_rate(&numbers, at, &strata)).collect();
    adjust(rates.iter_mut().flat_map(|rate| &mut rate.pairs));
    let mut adoption = adoption(&numbers);
    adjust(adoption.pairs.iter_mut());
    let other_strata = numbers.iter().flat_map(|numbers| numbers.summary.strata.keys());
    let mut other_strata: Vec<String> =
        other_strata.filter(|name| !strata.contains(name)).cloned().collect();
    other_strata.sort();
    other_strata.dedup();
    Samples { rates, adoption, crawlers: crawlers(&numbers), strata, other_strata, overlaps }
}

/// One rate in every sample.
fn sample_rate(numbers: &[Numbers<'_>], at: usize, strata: &[String]) -> SampleRate {
    let rates: Vec<Rate> = numbers.iter().map(|numbers| numbers.overall(at)).collect();
    let standardised: Vec<Option<Stratified>> =
        numbers.iter().map(|one| standardised(one, at, strata, numbers)).collect();
    SampleRate {
        rate: RATES[at].0.to_owned(),
        bounds: numbers.iter().map(|numbers| numbers.bounds(at)).collect(),
        weighted: numbers
            .iter()
            .map(|numbers| numbers.summary.frame.weighted.as_ref()?.in_order()[at])
            .collect(),
        homogeneity: (rates.len() > 2).then(|| Homogeneity::of(&rates)).flatten(),
        pairs: pairs(&rates, &standardised),
        rates,
        standardised,
    }
}

/// Adoption in every sample.
fn adoption(numbers: &[Numbers<'_>]) -> SampleRate {
    let rates: Vec<Rate> = numbers.iter().map(|one| one.summary.guidance.adoption).collect();
    let none = vec![None; rates.len()];
    SampleRate {
        rate: "adoption".to_owned(),
        bounds: numbers.iter().map(|one| one.summary.guidance.adoption_bounds).collect(),
        homogeneity: (rates.len() > 2).then(|| Homogeneity::of(&rates)).flatten(),
        pairs: pairs(&rates, &none),
        rates,
        weighted: none.clone(),
        standardised: none,
    }
}

/// Every two samples compared; nothing is adjusted yet.
fn pairs(rates: &[Rate], standardised: &[Option<Stratified>]) -> Vec<SamplePair> {
    let mut pairs = Vec::new();
    for second in 1..rates.len() {
        for first in 0..second {
            pairs.push(SamplePair {
                first,
                second,
                compared: TwoRates::of(rates[first], rates[second]),
                p_holm: None,
                standardised_difference: standardised[first]
                    .zip(standardised[second])
                    .and_then(|(one, other)| standardised_difference(one, other)),
            });
        }
    }
    pairs.sort_by_key(|pair| (pair.first, pair.second));
    pairs
}

/// Adjusts the p values of pairs for their number.
fn adjust<'a>(pairs: impl Iterator<Item = &'a mut SamplePair>) {
    let mut tested: Vec<&mut SamplePair> = pairs.filter(|pair| pair.compared.p.is_some()).collect();
    let values: Vec<f64> = tested.iter().filter_map(|pair| pair.compared.p).collect();
    for (pair, adjusted) in tested.iter_mut().zip(holm(&values)) {
        pair.p_holm = Some(adjusted);
    }
}

/// The strata that every sample has, with a domain observed in each.
fn in_common(numbers: &[Numbers<'_>]) -> Vec<String> {
    let Some((first, others)) = numbers.split_first() else { return Vec::new() };
    let is_observed = |one: &Numbers<'_>, name: &str| {
        let stratum = one.summary.strata.get(name);
        stratum.is_some_and(|stratum| one.of_stratum(stratum, 0).of > 0)
    };
    let names = first.summary.strata.keys();
    let shared = names.filter(|name| {
        is_observed(first, name) && others.iter().all(|other| is_observed(other, name))
    });
    let shared: Vec<String> = shared.cloned().collect();
    // One stratum in common standardises nothing.
    if shared.len() > 1 { shared } else { Vec::new() }
}

/// A sample's rate with the make-up of all samples together.
fn standardised(
    one: &Numbers<'_>,
    at: usize,
    strata: &[String],
    all: &[Numbers<'_>],
) -> Option<Stratified> {
    let of = |numbers: &Numbers<'_>, name: &str| {
        let stratum = numbers.summary.strata.get(name);
        stratum.map(|stratum| numbers.of_stratum(stratum, at)).unwrap_or_default()
    };
    let cells: Vec<Cell> = strata
        .iter()
        .map(|name| Cell {
            rate: of(one, name),
            weight: all.iter().map(|numbers| of(numbers, name).of as f64).sum(),
            population: None,
        })
        .collect();
    Stratified::of(&cells)
}

/// Every crawler that all lists have.
fn crawlers(numbers: &[Numbers<'_>]) -> Vec<CrawlerSamples> {
    let Some((first, others)) = numbers.split_first() else { return Vec::new() };
    let is_everywhere = |crawler: &str| {
        let has = |one: &Numbers<'_>| one.summary.crawlers.iter().any(|it| it.crawler == crawler);
        others.iter().all(has)
    };
    let mut crawlers: Vec<CrawlerSamples> = first
        .summary
        .crawlers
        .iter()
        .filter(|counts| is_everywhere(&counts.crawler))
        .map(|counts| {
            let blocked: Vec<Rate> =
                numbers.iter().map(|one| one.blocked(&counts.crawler)).collect();
            CrawlerSamples {
                crawler: counts.crawler.clone(),
                group: counts.group.clone(),
                is_baseline: counts.is_baseline,
                p: Homogeneity::of(&blocked).map(|test| test.p),
                blocked,
                p_holm: None,
                p_benjamini_hochberg: None,
            }
        })
        .collect();
    let values: Vec<f64> = crawlers.iter().filter_map(|crawler| crawler.p).collect();
    let tested = crawlers.iter_mut().filter(|crawler| crawler.p.is_some());
    for (crawler, (by_holm, by_both)) in
        tested.zip(holm(&values).into_iter().zip(benjamini_hochberg(&values)))
    {
        crawler.p_holm = Some(by_holm);
        crawler.p_benjamini_hochberg = Some(by_both);
    }
    crawlers
}
