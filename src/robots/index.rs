//! Which user-agent records name a product token, found without looking at all of them.
//!
//! A hostile document can hold tens of thousands of user-agent records, and it is asked about tens
//! of crawlers.

use super::agent::Agent;
use super::dialect::{Dialect, is_token_part};
use super::group::Group;

/// The user-agent records of a document, by what they name.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Places of the records that name a token: by the token's digest, then in order.
    named: Vec<(u64, Place)>,
    /// Places of the records that stand for every crawler without a group of its own, in order.
    wildcards: Vec<Place>,
}

/// A user-agent record: which group, and which agent of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The group.
    pub(super) group: u32,
    /// The agent within the group.
    pub(super) agent: u32,
}

impl Place {
    /// The record itself.
    pub(super) fn agent(self, groups: &[Group]) -> &Agent {
        &groups[self.group as usize].agents[self.agent as usize]
    }
}

impl Index {
    /// The index of a document's groups.
    pub(super) fn new(octets: &[u8], groups: &[Group]) -> Self {
        let mut index = Self::default();
        for (group, of_group) in (0..).zip(groups) {
            for (agent, of_agent) in (0..).zip(&of_group.agents) {
                let place = Place { group, agent };
                if of_agent.is_wildcard {
                    index.wildcards.push(place);
                } else if !of_agent.token.is_empty() {
                    index.named.push((digest(&octets[of_agent.token.range()]), place));
                }
            }
        }
        index.named.sort_unstable();
        index
    }

    /// The records that name a token, in the order of the document.
    ///
    /// A value that names a token begins with the same token part as what is asked for. Among those
    /// that do, and the few others with the same digest, the dialect decides.
    pub(super) fn naming<'a>(
        &'a self,
        octets: &'a [u8],
        groups: &'a [Group],
        dialect: Dialect,
        asked: &'a [u8],
    ) -> impl Iterator<Item = Place> + 'a {
        let end = asked.iter().position(|&octet| !is_token_part(octet)).unwrap_or(asked.len());
        let sought = digest(&asked[..end]);
        let first = self.named.partition_point(|&(digest, _)| digest < sought);
        self.named[first..]
            .iter()
            .take_while(move |(digest, _)| *digest == sought)
            .map(|&(_, place)| place)
            .filter(move |place| place.agent(groups).names(octets, dialect, asked))
    }

    /// The records that stand for every crawler without a group of its own.
    pub(super) fn wildcards(&self) -> impl Iterator<Item = Place> + '_ {
        self.wildcards.iter().copied()
    }
}

/// A digest of a token that ignores ASCII case: FNV-1a, 64 bits. It decides nothing by itself.
fn digest(token: &[u8]) -> u64 {
    token.iter().fold(0xcbf2_9ce4_8422_2325, |digest, octet| {
        (digest ^ u64::from(octet.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}
