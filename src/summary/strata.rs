//! The numbers of each stratum.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::denominators::is_llms_observed;
use super::guidance::is_present;
use super::{ClassCounts, Funnel, RateBounds, Rates};
use crate::record::{DomainRow, Layer};
use crate::stats::Rate;

/// The numbers of one stratum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stratum {
    /// From its part of the sample to the denominators.
    pub funnel: Funnel,
    /// Its domains by access class.
    pub classes: ClassCounts,
    /// Its three rates on `policy_observed`.
    pub rates: Rates,
    /// What they can at worst be.
    pub bounds: RateBounds,
    /// llms.txt present, of `llms_observed`.
    pub adoption: Rate,
}

/// Counts while domains stream by.
#[derive(Default)]
pub(super) struct Strata(BTreeMap<String, Stratum>);

impl Strata {
    /// Counts a row.
    pub(super) fn count(&mut self, row: &DomainRow) {
        // Names are few and rows are many: a name is only copied once.
        if !self.0.contains_key(&row.stratum) {
            self.0.insert(row.stratum.clone(), Stratum::default());
        }
        let Some(stratum) = self.0.get_mut(&row.stratum) else { return };
        stratum.funnel.count(row);
        if row.layer == Layer::Policy {
            stratum.classes.count(row.access_class);
        }
        if is_llms_observed(row) {
            stratum.adoption.count(is_present(row));
        }
    }

    /// The strata, by name.
    pub(super) fn finish(self) -> BTreeMap<String, Stratum> {
        let mut strata = self.0;
        for stratum in strata.values_mut() {
            stratum.rates = stratum.classes.rates();
            stratum.bounds = stratum.rates.bounds(&stratum.funnel);
        }
        strata
    }
}
