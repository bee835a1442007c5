//! The headline, read otherwise: how far it hangs on one crawler, or on paths that no rule settles.

use serde::{Deserialize, Serialize};

use super::denominators::is_file_observed;
use super::{ClassCounts, Rates};
use crate::classify::AccessClass;
use crate::record::DomainRow;

/// Rates of other readings, on `policy_observed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sensitivity {
    /// The baseline left out.
    pub without_baseline: Rates,
    /// Google-Extended left out.
    pub without_google_extended: Rates,
    /// The wildcard group alone.
    pub wildcard: Rates,
    /// The paths that the library calls ambiguous or does not know, decided the other ways.
    pub unsettled_paths: Unsettled,
}

/// What ambiguous and unknown paths could change; the method reads them as secondary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsettled {
    /// Domains with at least one such line against a headline crawler.
    pub domains: u64,
    /// The rates if all of them were primary content.
    pub as_primary: Rates,
    /// The rates if all of them were mere infrastructure.
    pub as_functional: Rates,
}

/// Class counts of the readings, while domains stream by.
#[derive(Default)]
pub(super) struct Readings {
    on_files: ClassCounts,
    without_baseline: ClassCounts,
    without_google_extended: ClassCounts,
    wildcard: ClassCounts,
    unsettled: u64,
    as_primary: ClassCounts,
    as_functional: ClassCounts,
}

impl Readings {
    /// Counts the row of a domain with an observed policy.
    pub(super) fn count(&mut self, row: &DomainRow) {
        self.without_baseline.count(row.class_without_baseline);
        self.without_google_extended.count(row.class_without_google_extended);
        self.wildcard.count(row.class_wildcard);
        if is_file_observed(row) {
            self.on_files.count(row.access_class);
        }
        let unsettled = row.paths_ambiguous + row.paths_unknown;
        self.unsettled += u64::from(unsettled > 0);
        let is_secondary = row.access_class == Some(AccessClass::Secondary);
        let raised = (is_secondary && unsettled > 0).then_some(AccessClass::Primary);
        let hangs_on_them = is_secondary && unsettled == row.paths_secondary;
        let lowered = hangs_on_them.then_some(AccessClass::FunctionallyOpen);
        self.as_primary.count(raised.or(row.access_class));
        self.as_functional.count(lowered.or(row.access_class));
    }

    /// The rates on `file_observed`.
    pub(super) fn on_files(&self) -> Rates {
        self.on_files.rates()
    }

    /// The rates of the other readings.
    pub(super) fn finish(&self) -> Sensitivity {
        Sensitivity {
            without_baseline: self.without_baseline.rates(),
            without_google_extended: self.without_google_extended.rates(),
            wildcard: self.wildcard.rates(),
            unsettled_paths: Unsettled {
                domains: self.unsettled,
                as_primary: self.as_primary.rates(),
                as_functional: self.as_functional.rates(),
            },
        }
    }
}
