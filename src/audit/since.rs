//! What changed since an earlier version of a robots.txt: crawlers that may fetch more or less of the
//! site, and findings that came and went.

use std::collections::{BTreeMap, BTreeSet};

use super::reach::Reach;
use super::{Audit, Finding};

/// What changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Since {
    /// Crawlers whose reach is another one; those of one move stand together.
    pub moved: Vec<Move>,
    /// Findings to act on that are new, by id.
    pub came: Vec<&'static str>,
    /// Findings to act on that are gone, by id.
    pub went: Vec<&'static str>,
}

/// Crawlers that moved alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// How much of the site they might fetch.
    pub before: Reach,
    /// How much they may fetch now.
    pub now: Reach,
    /// Their tokens; `*` is whoever no list and neither version names.
    pub tokens: Vec<String>,
}

impl Since {
    /// What changed from one version to another.
    pub fn of(before: &Audit, now: &Audit) -> Self {
        let ids = |audit: &Audit| -> BTreeSet<&'static str> {
            audit.actionable().map(|finding: &Finding| finding.kind.id).collect()
        };
        let (old, new) = (ids(before), ids(now));
        let in_order = |audit: &Audit, than: &BTreeSet<&'static str>| {
            let mut told: Vec<&'static str> =
                audit.actionable().map(|it| it.kind.id).filter(|id| !than.contains(id)).collect();
            told.dedup();
            told
        };
        Self { moved: moves(before, now), came: in_order(now, &old), went: in_order(before, &new) }
    }

    /// Whether nothing changed.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The crawlers that moved. Of a crawler that one version alone names, the other says what it says of
/// everybody.
fn moves(before: &Audit, now: &Audit) -> Vec<Move> {
    let reaches = |audit: &Audit| -> BTreeMap<String, Reach> {
        let pairs = audit.standings.iter();
        pairs.map(|(token, reach)| (token.to_ascii_lowercase(), *reach)).collect()
    };
    let (old, new) = (reaches(before), reaches(now));
    let for_all = |audit: &Audit| audit.posture.wildcard.reach;
    let mut moves: BTreeMap<(Reach, Reach), Vec<String>> = BTreeMap::new();
    let mut note = |token: &str, was: Reach, is: Reach| {
        if was != is {
            moves.entry((was, is)).or_default().push(token.to_owned());
        }
    };
    note("*", for_all(before), for_all(now));
    for (token, reach) in &now.standings {
        let was = old.get(&token.to_ascii_lowercase()).copied().unwrap_or(for_all(before));
        note(token, was, *reach);
    }
    for (token, reach) in &before.standings {
        if !new.contains_key(&token.to_ascii_lowercase()) {
            note(token, *reach, for_all(now));
        }
    }
    let moves = moves.into_iter();
    moves.map(|((before, now), tokens)| Move { before, now, tokens }).collect()
}

#[cfg(test)]
mod tests {
    use super::{Move, Reach, Since};
    use crate::audit::{Audit, Knowledge, Subject};
    use crate::library::Library;

    fn audited(text: &str) -> Audit {
        let signals = Library::embedded().unwrap().signals;
        let subject = Subject::given("robots.txt", text.as_bytes().to_vec(), None);
        Audit::of(&subject, Knowledge { registry: None, signals: &signals })
    }

    #[test]
    fn who_may_fetch_more_or_less_is_told_with_the_findings_that_came_and_went() {
        let before = audited("User-agent: A\nDisallow: /\n\nUser-agent: B\nDisallow:\n");
        let now = audited(
            "User-agent: *\nDisallow: /\n\nUser-agent: b\nDisallow:\n\nSitemap: https://a.test/s\n",
        );
        let since = Since::of(&before, &now);
        let closed = Move { before: Reach::Open, now: Reach::Closed, tokens: vec!["*".to_owned()] };
        assert_eq!(since.moved, [closed]);
        assert_eq!(since.came, ["blanket-allowlist"]);
        assert_eq!(since.went, ["sitemap-missing"]);
        assert!(Since::of(&now, &now).is_nothing());
    }
}
