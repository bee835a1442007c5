//! The funnel from the sample to the denominators, the class counts, the three rates and what they
//! can at worst be.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::classify::AccessClass;
use crate::llms::GuidanceState;
use crate::record::{DomainRow, Layer, RobotsState};
use crate::stats::{Bounds, Rate};
use crate::words::Word as _;

/// From the sample to the denominators, each by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Funnel {
    /// Domains of the sample.
    pub sample: u64,
    /// Domains outside every denominator.
    pub outside: u64,
    /// Domains that answered and refused.
    pub access_denied: u64,
    /// Domains that could not be scanned.
    pub unscannable: u64,
    /// Domains on the policy layer, those without a robots file included.
    pub policy_observed: u64,
    /// Those that have a robots file: without absent and soft_404.
    pub file_observed: u64,
    /// Domains whose llms.txt is known to be present or absent.
    pub llms_observed: u64,
    /// Domains on both.
    pub paired_observed: u64,
    /// Domains by what robots.txt turned out to be.
    pub robots_states: BTreeMap<String, u64>,
}

/// Whether a domain has a robots file that was read.
pub(super) fn is_file_observed(row: &DomainRow) -> bool {
    matches!(row.robots_state, RobotsState::File | RobotsState::Empty)
}

/// Whether a domain's llms.txt is known to be present or absent; what is outside every denominator
/// is outside this one too.
pub(super) fn is_llms_observed(row: &DomainRow) -> bool {
    row.layer != Layer::Outside && row.llms_state != GuidanceState::Unscannable
}

impl Funnel {
    /// Domains that a bound counts over: the sample less those outside every denominator.
    pub fn reached_for(&self) -> u64 {
        self.sample - self.outside
    }

    /// Domains whose policy could not be observed.
    pub fn unobserved(&self) -> u64 {
        self.access_denied + self.unscannable
    }

    /// The worst-case bounds of a count on `policy_observed`.
    pub fn bounds(&self, n: u64) -> Bounds {
        Bounds { n, unobserved: self.unobserved(), of: self.reached_for() }
    }

    /// Counts a row.
    pub(super) fn count(&mut self, row: &DomainRow) {
        self.sample += 1;
        match row.layer {
            Layer::Policy => self.policy_observed += 1,
            Layer::AccessDenied => self.access_denied += 1,
            Layer::Unscannable => self.unscannable += 1,
            Layer::Outside => self.outside += 1,
        }
        let is_paired = row.layer == Layer::Policy && is_llms_observed(row);
        self.file_observed += u64::from(is_file_observed(row));
        self.llms_observed += u64::from(is_llms_observed(row));
        self.paired_observed += u64::from(is_paired);
        *self.robots_states.entry(row.robots_state.word().to_owned()).or_default() += 1;
    }
}

/// How many domains stand in each access class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassCounts {
    /// Every path is disallowed.
    pub whole_site: u64,
    /// Content that the site exists for is disallowed.
    pub primary: u64,
    /// Secondary content is disallowed.
    pub secondary: u64,
    /// Only infrastructure is disallowed.
    pub functionally_open: u64,
    /// No Disallow restricts.
    pub fully_open: u64,
}

/// The three rates, in increasing breadth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// Whole site.
    pub strict: Rate,
    /// Whole site or primary content.
    pub meaningful: Rate,
    /// Whole site, primary or secondary content.
    pub expanded: Rate,
}

/// What the three rates can at worst be, over the sample less what is outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateBounds {
    /// Of the strict rate.
    pub strict: Bounds,
    /// Of the meaningful rate.
    pub meaningful: Bounds,
    /// Of the expanded rate.
    pub expanded: Bounds,
}

impl Rates {
    /// The three in increasing breadth, each by its name.
    pub fn named(&self) -> [(&'static str, Rate); 3] {
        [("strict", self.strict), ("meaningful", self.meaningful), ("expanded", self.expanded)]
    }

    /// Their worst-case bounds.
    pub fn bounds(&self, funnel: &Funnel) -> RateBounds {
        RateBounds {
            strict: funnel.bounds(self.strict.n),
            meaningful: funnel.bounds(self.meaningful.n),
            expanded: funnel.bounds(self.expanded.n),
        }
    }
}

impl RateBounds {
    /// The three in increasing breadth.
    pub fn in_order(&self) -> [Bounds; 3] {
        [self.strict, self.meaningful, self.expanded]
    }
}

impl ClassCounts {
    /// The counts, the most restrictive class first, each by its word.
    pub fn named(&self) -> [(&'static str, u64); 5] {
        [
            (AccessClass::WholeSite.word(), self.whole_site),
            (AccessClass::Primary.word(), self.primary),
            (AccessClass::Secondary.word(), self.secondary),
            (AccessClass::FunctionallyOpen.word(), self.functionally_open),
            (AccessClass::FullyOpen.word(), self.fully_open),
        ]
    }

    /// Counts a class, where there is one.
    pub(super) fn count(&mut self, class: Option<AccessClass>) {
        match class {
            Some(AccessClass::WholeSite) => self.whole_site += 1,
            Some(AccessClass::Primary) => self.primary += 1,
            Some(AccessClass::Secondary) => self.secondary += 1,
            Some(AccessClass::FunctionallyOpen) => self.functionally_open += 1,
            Some(AccessClass::FullyOpen) => self.fully_open += 1,
            None => {}
        }
    }

    /// All that were counted: the domains with an observed policy.
    pub fn observed(&self) -> u64 {
        self.whole_site + self.primary + self.secondary + self.functionally_open + self.fully_open
    }

    /// The three rates of these counts.
    pub fn rates(&self) -> Rates {
        let of = self.observed();
        let meaningful = self.whole_site + self.primary;
        Rates {
            strict: Rate::new(self.whole_site, of),
            meaningful: Rate::new(meaningful, of),
            expanded: Rate::new(meaningful + self.secondary, of),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ClassCounts, Funnel};
    use crate::stats::{Bounds, Rate};

    #[test]
    fn each_rate_holds_the_one_before_it() {
        let counts = ClassCounts {
            whole_site: 2,
            primary: 3,
            secondary: 5,
            functionally_open: 7,
            fully_open: 11,
        };
        let rates = counts.rates();
        assert_eq!(rates.strict, Rate::new(2, 28));
        assert_eq!(rates.meaningful, Rate::new(5, 28));
        assert_eq!(rates.expanded, Rate::new(10, 28));
    }
    #[test]
    fn bounds_count_the_unobserved_either_way_and_leave_out_what_is_outside() {
        let counts = ClassCounts { whole_site: 3, fully_open: 7, ..ClassCounts::default() };
        let funnel = Funnel {
            sample: 20,
            outside: 4,
            access_denied: 5,
            unscannable: 1,
            policy_observed: 10,
            ..Funnel::default()
        };
        let strict = counts.rates().bounds(&funnel).strict;
        assert_eq!(strict, Bounds { n: 3, unobserved: 6, of: 16 });
    }
}
