//! What the sample is a sample of, and the rates that its design weights give.
//!
//! The headline is unweighted: a domain counts once. Where the sidecar states the population of
//! each stratum, the rate for that population stands beside it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Stratum;
use crate::closed_list;
use crate::sample::Sample;
use crate::stats::{Cell, Rate, Stratified};
use crate::words::Word as _;

closed_list! {
    /// How a sample came about, which decides how an interval may be read.
    pub enum Design {
        /// A random draw from a frame that the sidecar names.
        Drawn = "drawn",
        /// All of its frame: the interval speaks of an imagined wider population.
        Complete = "complete",
        /// Put together by other means: no random draw.
        Curated = "curated",
        /// No sidecar says.
        Unstated = "unstated",
    }
}

/// The sample's frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// `drawn`, `complete`, `curated` or `unstated`.
    pub design: String,
    /// Domains that the frame holds, where the sidecar states it for each stratum.
    pub population: Option<u64>,
    /// Strata that were taken whole, of those with a population stated.
    pub whole_strata: Rate,
    /// The rates on `policy_observed` for that population, by design weights.
    pub weighted: Option<WeightedRates>,
}

/// The three rates by design weights, on `policy_observed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightedRates {
    /// Whole site; none where a stratum has no observed domain.
    pub strict: Option<Stratified>,
    /// Whole site or primary content.
    pub meaningful: Option<Stratified>,
    /// Whole site, primary or secondary content.
    pub expanded: Option<Stratified>,
}

impl WeightedRates {
    /// The three in increasing breadth.
    pub fn in_order(&self) -> [Option<Stratified>; 3] {
        [self.strict, self.meaningful, self.expanded]
    }
}

impl Frame {
    /// The frame of a sample whose strata were observed so.
    pub(super) fn of(sample: &Sample, strata: &BTreeMap<String, Stratum>) -> Self {
        let populations = populations(sample);
        let whole = populations.iter().flatten().fold(Rate::default(), |mut whole, (_, n, all)| {
            whole.count(n == all);
            whole
        });
        let design = design(sample, whole);
        Self {
            design: design.word().to_owned(),
            population: populations
                .as_ref()
                .map(|populations| populations.iter().map(|(_, _, all)| all).sum()),
            whole_strata: whole,
            weighted: populations.map(|populations| weighted(&populations, strata)),
        }
    }
}

/// Each stratum's name, domains and population; `None` unless each has a population.
fn populations(sample: &Sample) -> Option<Vec<(&str, u64, u64)>> {
    let strata = &sample.sidecar.as_ref()?.strata;
    let stated = strata
        .iter()
        .map(|stratum| Some((&*stratum.name, stratum.n as u64, stratum.population? as u64)));
    stated.collect::<Option<Vec<_>>>().filter(|stated| !stated.is_empty())
}

/// How a sample came about.
fn design(sample: &Sample, whole: Rate) -> Design {
    match &sample.sidecar {
        None => Design::Unstated,
        Some(_) if whole.of > 0 && whole.n == whole.of => Design::Complete,
        Some(sidecar) if sidecar.draw.is_some() => Design::Drawn,
        Some(_) => Design::Curated,
    }
}

/// The three rates, each stratum counted by its population.
fn weighted(populations: &[(&str, u64, u64)], strata: &BTreeMap<String, Stratum>) -> WeightedRates {
    let over = |rate: fn(&Stratum) -> Rate| {
        let cells: Vec<Cell> = populations
            .iter()
            .map(|(name, _, population)| Cell {
                rate: strata.get(*name).map(rate).unwrap_or_default(),
                weight: *population as f64,
                population: Some(*population),
            })
            .collect();
        Stratified::of(&cells)
    };
    WeightedRates {
        strict: over(|stratum| stratum.rates.strict),
        meaningful: over(|stratum| stratum.rates.meaningful),
        expanded: over(|stratum| stratum.rates.expanded),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Frame;
    use crate::digest::Digest;
    use crate::sample::Sample;
    use crate::stats::Rate;
    use crate::summary::{Rates, Stratum};

    const LIST: &[u8] = b"domain,stratum\na.test,x\nb.test,x\nc.test,y\n";

    /// The frame of the list under a sidecar with so much at its end.
    fn frame(rest: Option<&str>) -> Frame {
        let sidecar = rest.map(|rest| {
            let digest = Digest::of(LIST);
            format!(
                "source = 's'\ndrawn_on = '2026-11-30'\nrule = 'r'\nn = 3\nsha256 = '{digest}'\n{rest}"
            )
        });
        let sidecar = sidecar.as_deref().map(|text| ("s.toml", text));
        let sample = Sample::parse("s.csv", LIST, sidecar).expect("a sample");
        let stratum = |n, of| Stratum {
            rates: Rates { strict: Rate::new(n, of), ..Rates::default() },
            ..Stratum::default()
        };
        let strata = [("x".to_owned(), stratum(1, 2)), ("y".to_owned(), stratum(1, 1))];
        Frame::of(&sample, &BTreeMap::from(strata))
    }

    fn strata(x: usize, y: usize) -> String {
        let stratum = |name, n, population| {
            format!("[[strata]]\nname = '{name}'\nn = {n}\npopulation = {population}\n")
        };
        stratum("x", 2, x) + &stratum("y", 1, y)
    }

    const DRAW: &str = "[draw]\nframe = 'f'\nframe_sha256 = 'f'\nframe_rows = 9\neligible = 9\n\
                        shares = 'equal'\nseed = 1\n";

    #[test]
    fn a_design_is_what_the_sidecar_tells() {
        let design = |rest: Option<&str>| frame(rest).design;
        assert_eq!(design(None), "unstated");
        assert_eq!(design(Some("")), "curated");
        assert_eq!(design(Some(DRAW)), "drawn");
        assert_eq!(design(Some(&strata(2, 1))), "complete");
        assert_eq!(design(Some(&(DRAW.to_owned() + &strata(8, 1)))), "drawn");
    }

    #[test]
    fn a_stratum_counts_by_its_population() {
        let frame = frame(Some(&strata(8, 2)));
        assert_eq!((frame.population, frame.whole_strata), (Some(10), Rate::new(0, 2)));
        let strict = frame.weighted.and_then(|weighted| weighted.strict).expect("an estimate");
        assert!((strict.share - 0.6).abs() < 1e-12, "8 of 10 at a half, 2 of 10 at one");
        assert_eq!(strict.standard_error, None, "one domain of two says nothing of its spread");
    }

    #[test]
    fn without_populations_nothing_is_weighted() {
        assert_eq!(frame(Some(DRAW)).weighted, None);
    }
}
