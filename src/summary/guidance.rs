//! The guidance layer in numbers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::denominators::is_llms_observed;
use crate::llms::GuidanceState;
use crate::record::{DomainRow, Layer};
use crate::stats::Rate;

/// The guidance layer; unscannable stays out of every denominator.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GuidanceCounts {
    /// Domains with a conformant llms.txt.
    pub present_conformant: u64,
    /// Domains with one that fails a test.
    pub present_nonconformant: u64,
    /// Domains without one.
    pub absent: u64,
    /// Domains where that could not be seen.
    pub unscannable: u64,
    /// Present of `llms_observed`.
    pub adoption: Rate,
    /// Conformant of present.
    pub conformance: Rate,
    /// Present files by the test that they fail.
    pub failed_tests: BTreeMap<String, u64>,
    /// Absent files by the kind of answer that stood in their place.
    pub soft_404: BTreeMap<String, u64>,
    /// Of `paired_observed` with a present file, those whose access class is a block.
    pub blocked_with_guidance: Rate,
    /// Of `paired_observed` without one, those whose access class is a block.
    pub blocked_without_guidance: Rate,
}

impl GuidanceCounts {
    /// Counts a row.
    pub(super) fn count(&mut self, row: &DomainRow) {
        match row.llms_state {
            GuidanceState::PresentConformant => self.present_conformant += 1,
            GuidanceState::PresentNonconformant => self.present_nonconformant += 1,
            GuidanceState::Absent => self.absent += 1,
            GuidanceState::Unscannable => self.unscannable += 1,
        }
        for test in &row.llms_failed_tests.0 {
            *self.failed_tests.entry(test.clone()).or_default() += 1;
        }
        if let Some(likeness) = &row.llms_likeness {
            *self.soft_404.entry(likeness.clone()).or_default() += 1;
        }
        if row.layer == Layer::Policy && is_llms_observed(row) {
            let is_absent = row.llms_state == GuidanceState::Absent;
            let rate = if is_absent {
                &mut self.blocked_without_guidance
            } else {
                &mut self.blocked_with_guidance
            };
            rate.of += 1;
            rate.n += u64::from(row.access_class.is_some_and(|class| class.is_blocked()));
        }
    }

    /// The counts with their rates.
    pub(super) fn finish(mut self) -> Self {
        let present = self.present_conformant + self.present_nonconformant;
        self.adoption = Rate::new(present, present + self.absent);
        self.conformance = Rate::new(self.present_conformant, present);
        self
    }
}
