//! Attempts, recovery and final failures, decomposed by mode.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::classify::FailureMode;
use crate::manifest::AttemptCounts;
use crate::record::{MergedRow, Resolution};
use crate::stats::Rate;
use crate::words::Word as _;

/// The run protocol in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovery {
    /// Domains whose policy was observed in attempt 1.
    pub initial_observed: u64,
    /// Domains recovered, by the attempt that did it.
    pub recovered: BTreeMap<u32, u64>,
    /// Recovered of the domains that were asked again.
    pub recovery: Rate,
    /// Final infrastructure failures.
    pub unresolved: u64,
    /// Final failures by mode.
    pub final_failures: BTreeMap<String, u64>,
    /// Failures by mode in each attempt.
    pub failures_by_attempt: BTreeMap<String, BTreeMap<u32, u64>>,
    /// The attempts.
    pub attempts: Vec<AttemptCounts>,
}

impl Recovery {
    /// Counts a merged row.
    pub(super) fn count(&mut self, merged: &MergedRow) {
        match merged.merged.resolution {
            Resolution::Observed => self.initial_observed += 1,
            Resolution::Recovered => *self.recovered.entry(merged.row.attempt).or_default() += 1,
            Resolution::Unresolved => self.unresolved += 1,
            Resolution::Outside => {}
        }
        let history = &merged.merged.failure_history.0;
        for (mode, attempt) in
            history.iter().zip(1..).filter(|(mode, _)| FailureMode::from_word(mode).is_some())
        {
            let by_attempt = self.failures_by_attempt.entry(mode.clone()).or_default();
            *by_attempt.entry(attempt).or_default() += 1;
        }
        if history.len() > 1 {
            self.recovery.count(merged.merged.resolution == Resolution::Recovered);
        }
        if let (Resolution::Unresolved, Some(mode)) = (merged.merged.resolution, history.last()) {
            *self.final_failures.entry(mode.clone()).or_default() += 1;
        }
    }
}
