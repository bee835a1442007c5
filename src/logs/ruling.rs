//! What the robots.txt in force says of a request.
//!
//! The governing group of each crawler in each version is found once. A crawler that its operator
//! documents to obey another's group where it has none of its own does so before `*`.

use std::sync::OnceLock;

use crate::closed_list;
use crate::registry::Registry;
use crate::robots::{Governing, GroupKind, Reason, Target};

use super::history::{History, InForce, State, UNREACHABLE_S};
use super::request::Request;

closed_list! {
    /// What is said of a request.
    pub enum Verdict {
        /// It was allowed.
        Allowed = "allowed",
        /// It was not: a violation, if the request is genuine.
        Disallowed = "disallowed",
        /// No version of the host's robots.txt is known for that moment.
        NoVersion = "no_version",
        /// Either of two versions may have been in force, and they disagree.
        Ambiguous = "ambiguous",
        /// The request names nothing that a robots.txt could rule.
        NoTarget = "no_target",
    }
}

closed_list! {
    /// Why a verdict is what it is.
    pub enum Ground {
        /// The rule with the most octets of those that match.
        Longest = "longest",
        /// An Allow beside a Disallow of as many octets.
        Tie = "tie",
        /// No rule matches, or no group governs.
        Default = "default",
        /// The robots.txt itself is always allowed.
        AlwaysAllowed = "always_allowed",
        /// There was no file, and everything is allowed.
        NoFile = "no_file",
        /// The file could not be had, and everything is disallowed.
        Unreachable = "unreachable",
        /// It could not be had for more than thirty days, and everything is allowed.
        UnreachableLong = "unreachable_long",
        /// There is no verdict.
        None = "none",
    }
}

/// What is said of a request, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What is said.
    pub verdict: Verdict,
    /// Why.
    pub ground: Ground,
    /// The place of the version among all.
    pub version: Option<usize>,
    /// The line of the deciding rule.
    pub line: Option<u32>,
}

impl Ruling {
    /// No verdict.
    pub(super) fn none(verdict: Verdict) -> Self {
        Self { verdict, ground: Ground::None, version: None, line: None }
    }
}

/// Which group governs a crawler in one version.
#[derive(Debug)]
pub struct Governed<'h> {
    /// The group.
    pub governing: Governing<'h>,
    /// The token whose group it is, where that is not the crawler's own.
    pub through: Option<&'h str>,
}

/// The governing groups of all crawlers in all versions, found when they are first needed.
pub struct Rulings<'h> {
    history: &'h History,
    registry: &'h Registry,
    governed: Vec<OnceLock<Box<[OnceLock<Governed<'h>>]>>>,
}

impl<'h> Rulings<'h> {
    /// Nothing is found yet.
    pub fn new(history: &'h History, registry: &'h Registry) -> Self {
        let governed = (0..history.versions()).map(|_| OnceLock::new()).collect();
        Self { history, registry, governed }
    }

    /// The history that rules.
    pub fn history(&self) -> &'h History {
        self.history
    }

    /// What is said of the target of a request; nothing for certain where its log does not tell which
    /// of two moments it was made at, and the rules of the two disagree.
    pub fn rule_of(
        &self,
        host: Option<usize>,
        crawler: usize,
        target: &Target,
        request: &Request<'_>,
    ) -> Ruling {
        let ruling = self.rule(host, crawler, target, request.at_s);
        let again = request.again_s.map(|again_s| self.rule(host, crawler, target, again_s));
        match again {
            Some(again) if again.verdict != ruling.verdict => {
                Ruling { verdict: Verdict::Ambiguous, ..ruling }
            }
            _ => ruling,
        }
    }

    /// What is said of a target at a moment, where a crawler, given by its position, asks a host.
    pub fn rule(&self, host: Option<usize>, crawler: usize, target: &Target, at_s: i64) -> Ruling {
        let Some(found) = host.and_then(|host| self.history.at(host, at_s)) else {
            return Ruling::none(Verdict::NoVersion);
        };
        let ruling = self.by_version(found, crawler, target, at_s);
        // A version that was seen, not put there, may have been in force since the last look.
        let next = self.history.of(found.host, found.place + 1);
        let rival =
            next.filter(|next| next.version.uncertain_from_s.is_some_and(|from| from < at_s));
        match rival {
            Some(rival)
                if self.by_version(rival, crawler, target, at_s).verdict != ruling.verdict =>
            {
                Ruling { verdict: Verdict::Ambiguous, ..ruling }
            }
            _ => ruling,
        }
    }

    /// Whether a version that was in force within so many seconds before allowed the target.
    pub fn was_allowed_within(
        &self,
        host: usize,
        crawler: usize,
        target: &Target,
        at_s: i64,
        grace_s: i64,
    ) -> bool {
        let Some(found) = self.history.at(host, at_s) else { return false };
        let mut next_from_s = found.version.from_s;
        for place in (0..found.place).rev() {
            // The older version was in force until the moment before the newer one.
            if next_from_s <= at_s.saturating_sub(grace_s) {
                return false;
            }
            let Some(older) = self.history.of(found.host, place) else { return false };
            let ruling = self.by_version(older, crawler, target, next_from_s - 1);
            if ruling.verdict == Verdict::Allowed {
                return true;
            }
            next_from_s = older.version.from_s;
        }
        false
    }

    /// What one version says.
    fn by_version(&self, found: InForce<'h>, crawler: usize, target: &Target, at_s: i64) -> Ruling {
        let version = Some(found.id);
        let said = |verdict, ground| Ruling { verdict, ground, version, line: None };
        if target.is_robots_txt() {
            return said(Verdict::Allowed, Ground::AlwaysAllowed);
        }
        match found.version.state {
            State::Absent => said(Verdict::Allowed, Ground::NoFile),
            State::Unreachable if at_s - found.version.from_s >= UNREACHABLE_S => {
                said(Verdict::Allowed, Ground::UnreachableLong)
            }
            State::Unreachable => said(Verdict::Disallowed, Ground::Unreachable),
            State::Unknown => said(Verdict::NoVersion, Ground::None),
            State::File => {
                let Some(governed) = self.governed(found, crawler) else {
                    return said(Verdict::NoVersion, Ground::None);
                };
                let decision = governed.governing.decide(target);
                let verdict = if decision.allowed { Verdict::Allowed } else { Verdict::Disallowed };
                let line = decision.rule.map(|rule| rule.line);
                Ruling { verdict, ground: ground_of(decision.reason), version, line }
            }
        }
    }

    /// The group that governs a crawler in a version.
    pub fn governed(&self, found: InForce<'h>, crawler: usize) -> Option<&Governed<'h>> {
        let row = self.governed.get(found.id)?;
        let crawlers = self.registry.crawlers.len();
        let row = row.get_or_init(|| (0..crawlers).map(|_| OnceLock::new()).collect());
        let robots = found.version.robots.as_ref()?;
        Some(row.get(crawler)?.get_or_init(|| governed(self.registry, robots, crawler)))
    }
}

/// The group that governs a crawler in a document: its own, or that of a token that it is documented
/// to fall back to, or the one of `*`.
fn governed<'h>(
    registry: &'h Registry,
    robots: &'h crate::robots::Robots,
    crawler: usize,
) -> Governed<'h> {
    let first = &registry.crawlers[crawler];
    let own = robots.governing(&first.token);
    let (mut other, mut steps) = (first.falls_back_to.as_deref(), 0);
    if own.kind != GroupKind::Own {
        while let Some(token) = other.filter(|_| steps < registry.crawlers.len()) {
            let governing = robots.governing(token);
            if governing.kind == GroupKind::Own {
                return Governed { governing, through: Some(token) };
            }
            other = registry.crawler(token).and_then(|crawler| crawler.falls_back_to.as_deref());
            steps += 1;
        }
    }
    Governed { governing: own, through: None }
}

/// Why a decision was made, as a ground.
fn ground_of(reason: Reason) -> Ground {
    match reason {
        Reason::Longest => Ground::Longest,
        Reason::Tie => Ground::Tie,
        Reason::Default => Ground::Default,
        Reason::AlwaysAllowed => Ground::AlwaysAllowed,
    }
}

#[cfg(test)]
mod tests;
