//! More than two dates: a panel of one sample, or several samples in the order of their dates.
//!
//! Every rate is given twice for a panel: on each run's own `policy_observed`, which is its
//! headline, and over the domains observed every time, which alone can show a trend that no change
//! of who was observed has made.

use serde::Serialize;

use super::RATES;
use super::paired::has_guidance;
use super::samples::Numbers;
use super::side::Side;
use super::sighting::Sighting;
use crate::record::Layer;
use crate::stamp::Stamp;
use crate::stats::{Armitage, Bounds, Panel, PanelTrend, Rate, benjamini_hochberg, holm, written};
use crate::summary::CrawlerCounts;

/// Seconds of a Julian year, in which slopes are given.
const YEAR: f64 = 31_557_600.0;

/// Runs in the order of their dates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Each run's time in years after the first.
    pub years: Vec<f64>,
    /// Domains observed in every run; none where the samples differ.
    pub panel: Option<u64>,
    /// The three rates.
    pub rates: Vec<SeriesRate>,
    /// llms.txt present.
    pub adoption: SeriesRate,
    /// Every crawler of all lists: blocked.
    pub crawlers: Vec<SeriesRate>,
}

/// One rate over the runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeriesRate {
    /// Which rate, or which crawler's.
    pub rate: String,
    /// It in each run, on that run's own denominator.
    pub rates: Vec<Rate>,
    /// What it can at worst be in each run; none for a crawler.
    pub bounds: Vec<Bounds>,
    /// Over the domains observed every time, a year being the unit.
    pub panel: Option<PanelTrend>,
    /// Over different samples (Cochran and Armitage), a year being the unit.
    pub trend: Option<Armitage>,
    /// The trend's p value adjusted for the number of rates of its table (Holm).
    #[serde(serialize_with = "written::maybe_result")]
    pub p_holm: Option<f64>,
    /// The same by Benjamini and Hochberg.
    #[serde(serialize_with = "written::maybe_result")]
    pub p_benjamini_hochberg: Option<f64>,
}

/// Counts while the runs of one sample stream by.
pub struct SeriesCounter {
    leaves_out_html: bool,
    years: Vec<f64>,
    domains: u64,
    rates: Vec<Panel>,
    adoption: Panel,
    crawlers: Vec<(CrawlerCounts, Panel)>,
}

impl SeriesCounter {
    /// Nothing counted yet; `crawlers` are those of all lists.
    pub fn new(sides: &[Side], crawlers: Vec<CrawlerCounts>, leaves_out_html: bool) -> Self {
        let years = years(sides);
        let panel = || Panel::new(&years);
        Self {
            leaves_out_html,
            domains: 0,
            rates: RATES.iter().map(|_| panel()).collect(),
            adoption: panel(),
            crawlers: crawlers.into_iter().map(|counts| (counts, panel())).collect(),
            years,
        }
    }

    /// Counts a domain by what each run saw of it.
    pub fn count(&mut self, sightings: &[Sighting]) {
        let is_inside = |sighting: &Sighting| sighting.merged.row.layer != Layer::Outside;
        let guidance = sightings.iter().map(|one| has_guidance(&one.merged));
        if let Some(guidance) = guidance.collect::<Option<Vec<bool>>>()
            && sightings.iter().all(is_inside)
        {
            self.adoption.count(&guidance);
        }
        let classes = sightings.iter().map(|one| one.class(self.leaves_out_html));
        let Some(classes) = classes.collect::<Option<Vec<_>>>() else { return };
        self.domains += 1;
        for ((_, from), panel) in RATES.iter().zip(&mut self.rates) {
            panel.count(&classes.iter().map(|class| class >= from).collect::<Vec<_>>());
        }
        for (crawler, panel) in &mut self.crawlers {
            let blocked = sightings.iter().map(|sighting| {
                let row = sighting.crawlers.iter().find(|row| row.crawler == crawler.crawler)?;
                Some(row.blocked)
            });
            if let Some(blocked) = blocked.collect::<Option<Vec<_>>>() {
                panel.count(&blocked);
            }
        }
    }

    /// The series.
    pub fn finish(self, sides: &[Side]) -> Series {
        let numbers = numbers(sides, self.leaves_out_html);
        let mut rates: Vec<SeriesRate> = self
            .rates
            .into_iter()
            .enumerate()
            .map(|(at, panel)| SeriesRate { panel: Some(panel.finish()), ..headline(&numbers, at) })
            .collect();
        let mut crawlers: Vec<SeriesRate> = self
            .crawlers
            .into_iter()
            .map(|(counts, panel)| SeriesRate {
                panel: Some(panel.finish()),
                ..blocked(&numbers, &counts.crawler)
            })
            .collect();
        let mut adoption =
            [SeriesRate { panel: Some(self.adoption.finish()), ..adoption(&numbers) }];
        adjust(&mut rates);
        adjust(&mut crawlers);
        adjust(&mut adoption);
        let [adoption] = adoption;
        Series { years: self.years, panel: Some(self.domains), rates, adoption, crawlers }
    }
}

/// The series of different samples in the order of their dates; `crawlers` are those of all lists.
pub fn trend(sides: &[Side], crawlers: &[CrawlerCounts], leaves_out_html: bool) -> Series {
    let years = years(sides);
    let numbers = numbers(sides, leaves_out_html);
    let tested = |rate: SeriesRate| {
        let points: Vec<(f64, Rate)> = years.iter().copied().zip(rate.rates.clone()).collect();
        SeriesRate { trend: Armitage::of(&points), ..rate }
    };
    let mut rates: Vec<SeriesRate> =
        (0..RATES.len()).map(|at| tested(headline(&numbers, at))).collect();
    let mut crawlers: Vec<SeriesRate> =
        crawlers.iter().map(|counts| tested(blocked(&numbers, &counts.crawler))).collect();
    let mut adoption = [tested(adoption(&numbers))];
    adjust(&mut rates);
    adjust(&mut crawlers);
    adjust(&mut adoption);
    let [adoption] = adoption;
    Series { years, panel: None, rates, adoption, crawlers }
}

/// Each run's time in years after the first, to a thousandth.
fn years(sides: &[Side]) -> Vec<f64> {
    let stamp = |side: &Side| side.date.as_deref().and_then(Stamp::parse).map(Stamp::unix);
    let first = sides.first().and_then(stamp).unwrap_or_default();
    let after = |side: &Side| (stamp(side).unwrap_or(first) - first) as f64 / YEAR;
    sides.iter().map(|side| (after(side) * 1e3).round() / 1e3).collect()
}

fn numbers(sides: &[Side], leaves_out_html: bool) -> Vec<Numbers<'_>> {
    sides.iter().map(|side| Numbers::of(side, leaves_out_html)).collect()
}

/// A rate of each run, without a trend yet.
fn plain(name: &str, rates: Vec<Rate>, bounds: Vec<Bounds>) -> SeriesRate {
    SeriesRate {
        rate: name.to_owned(),
        rates,
        bounds,
        panel: None,
        trend: None,
        p_holm: None,
        p_benjamini_hochberg: None,
    }
}

/// One of the three rates of each run.
fn headline(numbers: &[Numbers<'_>], at: usize) -> SeriesRate {
    let rates = numbers.iter().map(|one| one.overall(at)).collect();
    plain(RATES[at].0, rates, numbers.iter().map(|one| one.bounds(at)).collect())
}

/// How often each run found a crawler blocked.
fn blocked(numbers: &[Numbers<'_>], crawler: &str) -> SeriesRate {
    plain(crawler, numbers.iter().map(|one| one.blocked(crawler)).collect(), Vec::new())
}

/// Adoption in each run.
fn adoption(numbers: &[Numbers<'_>]) -> SeriesRate {
    let rates = numbers.iter().map(|one| one.summary.guidance.adoption).collect();
    let bounds = numbers.iter().map(|one| one.summary.guidance.adoption_bounds).collect();
    plain("adoption", rates, bounds)
}

/// Adjusts the trends' p values for their number.
fn adjust(rates: &mut [SeriesRate]) {
    let p = |rate: &SeriesRate| {
        rate.panel.as_ref().map(|panel| panel.p).or(rate.trend.map(|trend| trend.p))
    };
    let values: Vec<f64> = rates.iter().filter_map(p).collect();
    let tested = rates.iter_mut().filter(|rate| p(rate).is_some());
    for (rate, (by_holm, by_both)) in
        tested.zip(holm(&values).into_iter().zip(benjamini_hochberg(&values)))
    {
        rate.p_holm = Some(by_holm);
        rate.p_benjamini_hochberg = Some(by_both);
    }
}
