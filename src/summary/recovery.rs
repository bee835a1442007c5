//! Attempts, recovery and final failures, decomposed by mode.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::manifest::AttemptCounts;
use crate::record::{MergedRow, Resolution};

/// The run protocol in numbers.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Recovery {
    /// Domains whose policy was observed in attempt 1.
    pub initial_observed: u64,
    /// Domains recovered, by the attempt that did it.
    pub recovered: BTreeMap<u32, u64>,
    /// Final infrastructure failures.
    pub unresolved: u64,
    /// Final failures by mode.
    pub final_failures: BTreeMap<String, u64>,
    /// Failures by mode in each attempt.
    pub failures_by_attempt: BTreeMap<String, BTreeMap<u32, u64>>,
    /// The attempts.
    pub attempts: Vec<AttemptOutcome>,
}

/// How one attempt went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttemptOutcome {
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// Domains asked.
    pub asked: u64,
    /// Policies observed.
    pub observed: u64,
    /// Refusals.
    pub access_denied: u64,
    /// Domains that could not be scanned.
    pub unscannable: u64,
}

impl From<&AttemptCounts> for AttemptOutcome {
    fn from(counts: &AttemptCounts) -> Self {
        Self {
            attempt: counts.attempt,
            asked: counts.asked,
            observed: counts.observed,
            access_denied: counts.access_denied,
            unscannable: counts.unscannable,
        }
    }
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
        for (mode, attempt) in history.iter().zip(1..).filter(|(mode, _)| *mode != "ok") {
            let by_attempt = self.failures_by_attempt.entry(mode.clone()).or_default();
            *by_attempt.entry(attempt).or_default() += 1;
        }
        if let (Resolution::Unresolved, Some(mode)) = (merged.merged.resolution, history.last()) {
            *self.final_failures.entry(mode.clone()).or_default() += 1;
        }
    }
}
