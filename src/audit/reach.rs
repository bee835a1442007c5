//! How much of a site a crawler may fetch: all of it, part of it, or nothing that is not opened by
//! name.
//!
//! Closed is the study's `whole_site`: a Disallow that covers every path and that no covering Allow
//! beats (RFC 9309, 2.2.2); carve-outs do not undo it. What a path is worth is not asked here.

use crate::closed_list;
use crate::robots::{Governing, GroupKind, Rule};

closed_list! {
    /// How much of a site a crawler may fetch.
    pub enum Reach {
        /// Everything.
        Open = "open",
        /// Everything but what some rules close.
        Partly = "partly",
        /// Nothing, but for what an Allow opens again.
        Closed = "closed",
    }
}

/// Where a crawler stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which group governs it.
    pub group: GroupKind,
    /// Another crawler's token, where it obeys that crawler's group.
    pub by_way_of: Option<String>,
    /// How much of the site it may fetch.
    pub reach: Reach,
    /// The line that decides about the site as a whole.
    pub line: Option<u32>,
    /// Whether an Allow opens part of a closed site again.
    pub has_carve_outs: bool,
}

impl Standing {
    /// Where a crawler stands that is governed so.
    pub(super) fn of(governing: &Governing) -> Self {
        let rules = governing.rules();
        let whole = rules.iter().position(|rule| rule.pattern.covers_every_path());
        let (reach, line, has_carve_outs) = match whole {
            Some(place) if !rules[place].allow => {
                let opens = |rule: &&Rule| rule.allow && rule.pattern.can_match();
                (Reach::Closed, Some(rules[place].line), rules[..place].iter().any(opens))
            }
            _ => match first_closing(rules) {
                Some(rule) => (Reach::Partly, Some(rule.line), false),
                None => (Reach::Open, whole.map(|place| rules[place].line), false),
            },
        };
        Self { group: governing.kind, by_way_of: None, reach, line, has_carve_outs }
    }

    /// Whether the whole site is closed.
    pub fn is_closed(&self) -> bool {
        self.reach == Reach::Closed
    }
}

/// The first Disallow, by weight, that closes something: one that no heavier Allow opens whole.
fn first_closing<'a>(rules: &[&'a Rule]) -> Option<&'a Rule> {
    closing(rules).next()
}

/// Every Disallow that closes something, by weight.
pub(super) fn closing<'r, 'a>(rules: &'r [&'a Rule]) -> impl Iterator<Item = &'a Rule> + 'r {
    let mut opened: Vec<&Rule> = Vec::new();
    rules.iter().copied().filter(move |rule| {
        if rule.allow {
            // A covering Allow opens all that is lighter; others are kept as far as it pays.
            if opened.len() < ALLOWS_COMPARED {
                opened.push(rule);
            }
            return false;
        }
        rule.pattern.can_match() && !opened.iter().any(|allow| allow.pattern.covers(&rule.pattern))
    })
}

/// Allows against which each Disallow is held: a hostile file has tens of thousands of both.
const ALLOWS_COMPARED: usize = 200;

#[cfg(test)]
mod tests {
    use super::{Reach, Standing};
    use crate::robots::parse;

    #[test]
    fn a_site_is_closed_by_a_covering_rule_that_no_covering_allow_beats() {
        for (rules, reach, has_carve_outs) in [
            ("", Reach::Open, false),
            ("Disallow:", Reach::Open, false),
            ("Allow: /", Reach::Open, false),
            ("Disallow: /\nAllow: /", Reach::Open, false),
            ("Disallow: /a\nAllow: /a", Reach::Open, false),
            ("Disallow: /a\nAllow: /a/b", Reach::Partly, false),
            ("Disallow: /", Reach::Closed, false),
            ("Disallow: /*\nAllow: /", Reach::Closed, false),
            ("Disallow: /\nAllow: /$", Reach::Closed, true),
            ("Disallow: /\nAllow: /press/", Reach::Closed, true),
            ("Disallow: nothing", Reach::Open, false),
        ] {
            let robots = parse(format!("User-agent: *\n{rules}\n").as_bytes());
            let standing = Standing::of(&robots.governing("GPTBot"));
            assert_eq!(
                (standing.reach, standing.has_carve_outs),
                (reach, has_carve_outs),
                "{rules}"
            );
        }
    }
}
