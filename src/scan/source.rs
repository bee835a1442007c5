//! Where observations come from: the network, archives, or the evidence of a run.

use std::io;

use super::{Live, Seen};
use crate::archive::{Evidence, Holdings, Recalled, is_by, recall};
use crate::limits::Limits;
use crate::observation::{Exchange, Observation, Outcome};
use crate::sample::Domain;

/// A source of observations.
#[allow(clippy::large_enum_variant, reason = "one source stands for a whole run")]
pub enum Source {
    /// The network.
    Live(Live),
    /// Archives: of each request the capture that counts, the same in every attempt.
    Captured(Holdings),
    /// What a run kept: of each attempt what it saw.
    Recorded(Recorded),
}

/// The evidence of a run as a source.
pub struct Recorded {
    /// The evidence.
    pub evidence: Evidence,
    /// The limits that it was observed under.
    pub limits: Limits,
    /// The last day or moment that counts, as text of RFC 3339 without its `Z`.
    pub as_of: Option<String>,
}

impl Source {
    /// Reads what is stored of a domain.
    pub(super) fn read(
        &self,
        attempt: u32,
        position: usize,
        domain: &Domain,
        control_path: &str,
    ) -> io::Result<Seen> {
        let recalled = match self {
            Self::Live(_) => return Err(io::Error::other("the network is asked, not read")),
            Self::Captured(holdings) => holdings.observe(position, domain, control_path)?,
            Self::Recorded(recorded) => recorded.read(attempt, position, domain, control_path)?,
        };
        let Recalled { observation, circumstances } = recalled;
        Ok(Seen { observation, circumstances, timing: Vec::new() })
    }
}

impl Recorded {
    /// Reads what the run saw of a domain in an attempt; what it did not see was not captured.
    pub fn read(
        &self,
        attempt: u32,
        position: usize,
        domain: &Domain,
        control_path: &str,
    ) -> io::Result<Recalled> {
        let octets = match self.evidence.block(attempt, position) {
            Some(block) => block.read(&mut self.evidence.pieces()?)?,
            None => Vec::new(),
        };
        let recalled = recall(octets, domain, control_path, &self.limits)?;
        let mut dates = recalled.circumstances.values().flat_map(|seen| &seen.dates);
        let is_later = |date: &String| self.as_of.as_ref().is_some_and(|last| !is_by(date, last));
        if dates.any(is_later) {
            let nothing = |step: crate::observation::Step| {
                Exchange::unasked(step.url(domain, control_path), Outcome::NotCaptured)
            };
            let observation = Observation::of(domain.clone(), nothing);
            return Ok(Recalled { observation, circumstances: Default::default() });
        }
        Ok(recalled)
    }
}
