//! The paths that the library does not settle, and on how many domains each stands.

use std::collections::{BTreeMap, BTreeSet};

use crate::classify::ReviewKind;
use crate::record::ReviewRow;
use crate::words::Word as _;

/// Most paths that are shown.
const PATHS_MOST: usize = 40;

/// Paths while they are counted.
#[derive(Clone, Debug, Default)]
pub struct Unsettled(BTreeMap<(String, &'static str), u64>);

/// A path that the library calls ambiguous or does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnsettledPath {
    /// What it says.
    pub(super) text: String,
    /// Why it is to be reviewed.
    pub(super) kind: &'static str,
    /// Domains on which it stands.
    pub(super) domains: u64,
}

impl Unsettled {
    /// Counts the paths of a domain, each once.
    pub fn count(&mut self, review: &[ReviewRow]) {
        let is_path =
            |kind: ReviewKind| matches!(kind, ReviewKind::AmbiguousPath | ReviewKind::UnknownPath);
        let rows = review.iter().filter(|row| is_path(row.kind));
        let paths: BTreeSet<(&str, &'static str)> =
            rows.map(|row| (row.text.as_str(), row.kind.word())).collect();
        for (text, kind) in paths {
            *self.0.entry((text.to_owned(), kind)).or_default() += 1;
        }
    }

    /// Those of most domains, these first.
    pub(super) fn most(&self) -> Vec<UnsettledPath> {
        let path = |((text, kind), domains): (&(String, &'static str), &u64)| UnsettledPath {
            text: text.clone(),
            kind,
            domains: *domains,
        };
        let mut paths: Vec<UnsettledPath> = self.0.iter().map(path).collect();
        paths.sort_by_key(|path| std::cmp::Reverse(path.domains));
        paths.truncate(PATHS_MOST);
        paths
    }
}
