//! Who is governed by which rules, and what they decide (RFC 9309, 2.2.1 and 2.2.2).

use super::group::{Group, Rule};
use super::index::Place;
use super::target::Target;
use crate::closed_list;

closed_list! {
    /// Which group governs a crawler.
    pub enum GroupKind {
        /// Groups that name it.
        Own = "own",
        /// The groups of `*`.
        Wildcard = "wildcard",
        /// None: everything is allowed.
        None = "none",
    }
}

closed_list! {
    /// Why a decision is what it is.
    pub enum Reason {
        /// The rule with the most octets of those that match.
        Longest = "longest",
        /// An Allow beside a matching Disallow of as many octets: the least restrictive wins.
        Tie = "tie",
        /// No rule matches, or no group governs.
        Default = "default",
        /// The robots.txt itself is always allowed.
        AlwaysAllowed = "always_allowed",
    }
}

/// What one crawler is governed by: all groups that name it, merged, or else those of `*`.
#[derive(Clone, Debug)]
pub struct Governing<'a> {
    /// Which group governs.
    pub kind: GroupKind,
    /// The lines of the user-agent records that make it govern, in order.
    pub group_lines: Vec<u32>,
    rules: Vec<&'a Rule>,
}

/// What is decided about one target, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<'a> {
    /// Whether the crawler may fetch the target.
    pub allowed: bool,
    /// The rule that decides; the first of its equals.
    pub rule: Option<&'a Rule>,
    /// Why.
    pub reason: Reason,
}

impl<'a> Governing<'a> {
    /// Merges the groups of user-agent records given in order, if there are any.
    pub(super) fn merge(
        kind: GroupKind,
        groups: &'a [Group],
        places: impl Iterator<Item = Place>,
    ) -> Option<Self> {
        let mut group_lines = Vec::new();
        let mut rules = Vec::new();
        let mut merged = 0;
        let mut last = None;
        for place in places {
            group_lines.push(place.agent(groups).line);
            if last.replace(place.group) != Some(place.group) {
                rules.extend(groups[place.group as usize].rules_by_weight());
                merged += 1;
            }
        }
        if merged > 1 {
            rules.sort_by_key(|rule| rule.weight());
        }
        (merged > 0).then_some(Self { kind, group_lines, rules })
    }

    /// The state of a crawler that no group governs, or that goes by none.
    pub fn none() -> Self {
        Self { kind: GroupKind::None, group_lines: Vec::new(), rules: Vec::new() }
    }

    /// The rules in the order in which they decide, those without effect last.
    pub fn rules(&self) -> &[&'a Rule] {
        &self.rules
    }

    /// Decides about a target.
    pub fn decide(&self, target: &Target) -> Decision<'a> {
        if target.is_robots_txt() {
            return Decision { allowed: true, rule: None, reason: Reason::AlwaysAllowed };
        }
        let Some(place) = self.rules.iter().position(|rule| rule.pattern.matches(target)) else {
            return Decision { allowed: true, rule: None, reason: Reason::Default };
        };
        let rule = self.rules[place];
        let is_tie = rule.allow && self.has_equal_disallow(place, target);
        let reason = if is_tie { Reason::Tie } else { Reason::Longest };
        Decision { allowed: rule.allow, rule: Some(rule), reason }
    }

    /// Whether a Disallow of as many octets matches too; it stands behind the Allow.
    fn has_equal_disallow(&self, place: usize, target: &Target) -> bool {
        let octets = self.rules[place].pattern.octets();
        self.rules[place + 1..]
            .iter()
            .take_while(|rule| rule.pattern.octets() == octets)
            .any(|rule| !rule.allow && rule.pattern.matches(target))
    }
}
