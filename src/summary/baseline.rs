//! What blocking an AI crawler has to do with blocking Googlebot.
//!
//! The baseline is never an AI crawler: a domain that closes itself to search at large is told from
//! one that closes itself to AI alone.

use serde::{Deserialize, Serialize};

use crate::classify::AccessClass;
use crate::library::CrawlerGroup;
use crate::stats::Rate;

/// The baseline comparison, over domains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// Of `policy_observed`: block at least one crawler of the list but the baseline.
    pub block_ai: Rate,
    /// Of `policy_observed`: block at least one retrieval crawler but the baseline.
    pub block_retrieval: Rate,
    /// Of `policy_observed`: block every retrieval crawler but the baseline.
    pub block_every_retrieval: Rate,
    /// Of `policy_observed`: block at least one training crawler.
    pub block_training: Rate,
    /// Of `policy_observed`: block the baseline.
    pub block_baseline: Rate,
    /// Of `policy_observed`: block an AI crawler and leave the baseline open.
    pub ai_only: Rate,
    /// Of `policy_observed`: block the baseline and no AI crawler.
    pub baseline_only: Rate,
    /// Of the domains that block an AI crawler: block the baseline too.
    pub also_block_baseline: Rate,
    /// Of the domains that block a retrieval crawler but the baseline: block the baseline too.
    pub retrieval_also_block_baseline: Rate,
}

/// What a domain's policy is for one crawler of the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// The crawler's position in the list.
    pub(super) at: usize,
    /// Its group.
    pub(super) group: CrawlerGroup,
    /// Whether it is the baseline.
    pub(super) is_baseline: bool,
    /// The class that the domain has for it.
    pub(super) class: AccessClass,
}

impl Verdict {
    /// Whether the domain blocks it.
    pub(super) fn is_blocked(&self) -> bool {
        self.class.is_blocked()
    }
}

/// Counts while domains stream by.
#[derive(Default)]
pub(super) struct BaselineCounter(Baseline);

impl BaselineCounter {
    /// Counts a domain by all its verdicts.
    pub(super) fn count(&mut self, verdicts: &[Verdict]) {
        let (mut retrieval, mut training, mut baseline) = (Rate::default(), false, false);
        for verdict in verdicts {
            match verdict.group {
                _ if verdict.is_baseline => baseline |= verdict.is_blocked(),
                CrawlerGroup::Retrieval => retrieval.count(verdict.is_blocked()),
                CrawlerGroup::Training => training |= verdict.is_blocked(),
            }
        }
        let is_retrieval = retrieval.n > 0;
        let is_ai = is_retrieval || training;
        let counts = &mut self.0;
        counts.block_ai.count(is_ai);
        counts.block_retrieval.count(is_retrieval);
        counts.block_every_retrieval.count(is_retrieval && retrieval.n == retrieval.of);
        counts.block_training.count(training);
        counts.block_baseline.count(baseline);
        counts.ai_only.count(is_ai && !baseline);
        counts.baseline_only.count(baseline && !is_ai);
        if is_ai {
            counts.also_block_baseline.count(baseline);
        }
        if is_retrieval {
            counts.retrieval_also_block_baseline.count(baseline);
        }
    }

    /// The comparison.
    pub(super) fn finish(self) -> Baseline {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{BaselineCounter, Verdict};
    use crate::classify::AccessClass;
    use crate::library::CrawlerGroup;
    use crate::stats::Rate;

    /// The verdicts on two retrieval crawlers, a training crawler and the baseline.
    fn verdicts(blocked: [bool; 4]) -> Vec<Verdict> {
        let list = [
            (CrawlerGroup::Retrieval, false),
            (CrawlerGroup::Retrieval, false),
            (CrawlerGroup::Training, false),
            (CrawlerGroup::Retrieval, true),
        ];
        let class = |blocked| if blocked { AccessClass::Primary } else { AccessClass::Secondary };
        (0..)
            .zip(list)
            .zip(blocked)
            .map(|((at, (group, is_baseline)), blocked)| Verdict {
                at,
                group,
                is_baseline,
                class: class(blocked),
            })
            .collect()
    }

    #[test]
    fn a_block_of_the_baseline_is_never_a_block_of_an_ai_crawler() {
        let mut counter = BaselineCounter::default();
        for blocked in [
            [true, true, true, true],
            [true, false, false, false],
            [false, false, true, false],
            [false, false, false, true],
            [false, false, false, false],
        ] {
            counter.count(&verdicts(blocked));
        }
        let found = counter.finish();
        assert_eq!(found.block_ai, Rate::new(3, 5));
        assert_eq!(found.block_retrieval, Rate::new(2, 5));
        assert_eq!(found.block_every_retrieval, Rate::new(1, 5));
        assert_eq!(found.block_training, Rate::new(2, 5));
        assert_eq!(found.block_baseline, Rate::new(2, 5));
        assert_eq!((found.ai_only, found.baseline_only), (Rate::new(2, 5), Rate::new(1, 5)));
        assert_eq!(found.also_block_baseline, Rate::new(1, 3));
        assert_eq!(found.retrieval_also_block_baseline, Rate::new(1, 2));
    }
}
