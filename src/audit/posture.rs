//! The posture at a glance: every agent that the file names, grouped by what it is for.
//!
//! What cannot be placed is reported as such and never guessed.

use crate::registry::Purpose;
use crate::words::Word as _;

use super::context::Context;
use super::finding::CrawlerDetail;
use super::reach::Standing;

/// Every named agent by purpose.
#[derive(Clone, Debug)]
pub struct Posture {
    /// Where a crawler stands that nobody names.
    pub wildcard: Standing,
    /// One row for each purpose that a named agent has, in the order of purposes; the unplaced last.
    pub rows: Vec<PostureRow>,
}

/// The named agents of one purpose.
#[derive(Clone, Debug)]
pub struct PostureRow {
    /// The purpose; none for agents that cannot be placed.
    pub purpose: Option<Purpose>,
    /// The agents, in the order of the registry and then of the file.
    pub agents: Vec<CrawlerDetail>,
}

impl Posture {
    pub(super) fn of(context: &Context) -> Self {
        let purposes = Purpose::ALL.iter().map(|&purpose| Some(purpose)).chain([None]);
        let row = |purpose| {
            let of_purpose = context.named().filter(|visitor| visitor.purpose == purpose);
            PostureRow { purpose, agents: of_purpose.map(|it| context.detail(it)).collect() }
        };
        let rows = purposes.map(row).filter(|row| !row.agents.is_empty()).collect();
        Self { wildcard: context.wildcard.clone(), rows }
    }
}
