//! What is counted of a crawler on one day or one host.

use super::bounded::Merge;
use super::identity::Identity;
use super::ruling::Verdict;
use super::tally::{IDENTITIES, VERDICTS, wider};
use super::waste::Yield;

/// A claim that has been judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Once {
    pub(super) at_s: i64,
    pub(super) identity: Identity,
    /// What is counted of genuine requests alone.
    pub(super) genuine: Option<Genuine>,
}

/// A genuine request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Genuine {
    pub(super) verdict: Verdict,
    pub(super) outcome: Yield,
    /// The hundred of its status, 0 for none.
    pub(super) hundred: usize,
    pub(super) octets: u64,
}

/// What is counted of a crawler on one day or one host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// Identities.
    pub identities: [u64; IDENTITIES],
    /// Verdicts of the genuine requests, and what else is counted of them alone.
    pub verdicts: [u64; VERDICTS],
    /// By hundreds, 0 for none.
    pub statuses: [u64; 6],
    pub octets: u64,
    pub non_productive: u64,
    pub robots_fetches: u64,
    /// The first and the last claim.
    pub span: Option<(i64, i64)>,
}

impl Part {
    /// Genuine requests of which a robots.txt says nothing for certain.
    pub(super) fn without_verdict(&self) -> u64 {
        let verdicts = [Verdict::NoVersion, Verdict::Ambiguous, Verdict::NoTarget];
        verdicts.iter().map(|&verdict| self.verdicts[verdict as usize]).sum()
    }

    /// Counts a claim.
    #[inline]
    pub(super) fn add(&mut self, claim: Once) {
        self.identities[claim.identity as usize] += 1;
        self.span = Some(wider(self.span, (claim.at_s, claim.at_s)));
        if let Some(genuine) = claim.genuine {
            self.verdicts[genuine.verdict as usize] += 1;
            self.statuses[genuine.hundred] += 1;
            self.octets += genuine.octets;
            self.non_productive += u64::from(!genuine.outcome.is_of_value());
            self.robots_fetches += u64::from(genuine.outcome == Yield::RobotsFetch);
        }
    }
}

impl Merge for Part {
    fn merge(&mut self, other: Self) {
        self.identities.merge(other.identities);
        self.verdicts.merge(other.verdicts);
        self.statuses.merge(other.statuses);
        self.octets += other.octets;
        self.non_productive += other.non_productive;
        self.robots_fetches += other.robots_fetches;
        if let Some(other) = other.span {
            self.span = Some(wider(self.span, other));
        }
    }
}
