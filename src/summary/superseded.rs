//! The superseded binary measure of C01 v1.2, computed so that its correction can be shown.
//!
//! Ours, as a reading of the published text: a domain "blocks" if any effective Disallow stands
//! against at least one retrieval crawler, whatever it closes. The later method replaced it since
//! it counts housekeeping as a block; the count without housekeeping stands beside it.

use serde::{Deserialize, Serialize};

use super::baseline::Verdict;
use crate::classify::AccessClass;
use crate::library::CrawlerGroup;
use crate::stats::Rate;

/// The binary measure, never to be published as a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Superseded {
    /// What it is: `superseded`.
    pub status: String,
    /// Every effective Disallow counts, housekeeping too.
    pub with_housekeeping: Binary,
    /// A Disallow of mere infrastructure does not count.
    pub without_housekeeping: Binary,
}

/// One reading of the binary measure, on `policy_observed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// Something is disallowed for at least one retrieval crawler, the baseline among them.
    pub any: Rate,
    /// For every one of them.
    pub fully: Rate,
    /// For some of them.
    pub partially: Rate,
    /// Of `any`: something is disallowed for the baseline too.
    pub also_baseline: Rate,
}

/// Counts while domains stream by.
#[derive(Default)]
pub(super) struct SupersededCounter {
    with_housekeeping: Binary,
    without_housekeeping: Binary,
}

impl SupersededCounter {
    /// Counts a domain by all its verdicts.
    pub(super) fn count(&mut self, verdicts: &[Verdict]) {
        self.with_housekeeping.count(verdicts, AccessClass::FunctionallyOpen);
        self.without_housekeeping.count(verdicts, AccessClass::Secondary);
    }

    /// The measure.
    pub(super) fn finish(self) -> Superseded {
        Superseded {
            status: "superseded".to_owned(),
            with_housekeeping: self.with_housekeeping,
            without_housekeeping: self.without_housekeeping,
        }
    }
}

impl Binary {
    /// Counts a domain: a crawler counts as blocked from a class upwards.
    fn count(&mut self, verdicts: &[Verdict], from: AccessClass) {
        let (mut retrieval, mut baseline) = (Rate::default(), false);
        for verdict in verdicts.iter().filter(|one| one.group == CrawlerGroup::Retrieval) {
            retrieval.count(verdict.class >= from);
            baseline |= verdict.is_baseline && verdict.class >= from;
        }
        let (is_any, is_all) = (retrieval.n > 0, retrieval.n == retrieval.of);
        self.any.count(is_any);
        self.fully.count(is_any && is_all);
        self.partially.count(is_any && !is_all);
        if is_any {
            self.also_baseline.count(baseline);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SupersededCounter;
    use crate::classify::AccessClass::{self, FullyOpen, FunctionallyOpen, Secondary};
    use crate::library::CrawlerGroup::{self, Retrieval, Training};
    use crate::stats::Rate;
    use crate::summary::baseline::Verdict;

    fn verdict(group: CrawlerGroup, is_baseline: bool, class: AccessClass) -> Verdict {
        Verdict { at: 0, group, is_baseline, class }
    }

    #[test]
    fn housekeeping_counts_in_one_reading_and_not_in_the_other() {
        let mut counter = SupersededCounter::default();
        for classes in [
            [FunctionallyOpen, FunctionallyOpen],
            [Secondary, FunctionallyOpen],
            [FullyOpen, FullyOpen],
        ] {
            counter.count(&[
                verdict(Retrieval, false, classes[0]),
                verdict(Retrieval, true, classes[1]),
                verdict(Training, false, Secondary),
            ]);
        }
        let found = counter.finish();
        let with = found.with_housekeeping;
        assert_eq!((with.any, with.fully, with.partially), (r(2, 3), r(2, 3), r(0, 3)));
        assert_eq!(with.also_baseline, r(2, 2));
        let without = found.without_housekeeping;
        assert_eq!((without.any, without.fully, without.partially), (r(1, 3), r(0, 3), r(1, 3)));
        assert_eq!(without.also_baseline, r(0, 1));
    }

    fn r(n: u64, of: u64) -> Rate {
        Rate::new(n, of)
    }
}
