//! What a robots.txt means for each crawler: governing group, path classes, access class.
//!
//! Group choice and matching are the engine's (RFC 9309, 2.2); path classes are the library's. What
//! is decided here is which Disallow restricts and which of the five classes follows.

use std::collections::{BTreeMap, BTreeSet};

use crate::closed_list;
use crate::library::{Crawler, CrawlerGroup, Library, PathClass, PathVerdict};
use crate::robots::{Governing, GroupKind, Robots, Rule};

closed_list! {
    /// The access class of a crawler or a domain, from open to closed: the order is the precedence.
    pub enum AccessClass {
        /// No Disallow restricts.
        FullyOpen = "fully_open",
        /// Only infrastructure is disallowed.
        FunctionallyOpen = "functionally_open",
        /// Secondary content is disallowed, primary is not.
        Secondary = "secondary",
        /// Content that the site exists for is disallowed.
        Primary = "primary",
        /// Every path is disallowed.
        WholeSite = "whole_site",
    }
}

impl AccessClass {
    /// Whether C01 calls this a block: whole site or primary content.
    pub fn is_blocked(self) -> bool {
        self >= Self::Primary
    }
}

/// What one robots.txt means, crawler by crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// One verdict a crawler of the library, in its order.
    pub crawlers: Vec<CrawlerVerdict>,
    /// The verdict of the wildcard group.
    pub wildcard: GroupVerdict,
    /// Every Disallow line that governs a crawler, in the file's order.
    pub paths: Vec<JudgedPath>,
}

/// What a robots.txt means for one crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrawlerVerdict {
    /// The crawler's product token.
    pub token: String,
    /// Whether it counts towards the headline.
    pub is_headline: bool,
    /// Which kind of group governs it.
    pub kind: GroupKind,
    /// The lines of the group's User-agent records.
    pub group_lines: Vec<u32>,
    /// Whether `/` may be fetched.
    pub root_allowed: bool,
    /// The line that decides on `/`, if a rule does.
    pub root_line: Option<u32>,
    /// What the group means.
    pub group: GroupVerdict,
}

/// What one governing group means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupVerdict {
    /// The class that follows from the group's rules.
    pub class: AccessClass,
    /// The first line of the highest class.
    pub deciding_line: Option<u32>,
    /// Whether a whole-site exclusion leaves some paths open beyond the root.
    pub carve_outs: bool,
    /// Whether a whole-site exclusion leaves just the root open (`Allow: /$`).
    pub root_only: bool,
    /// The lines of the Disallow rules that restrict.
    effective: Vec<u32>,
}

/// One Disallow line, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedPath {
    /// Its line.
    pub line: u32,
    /// The value as written.
    pub raw: Vec<u8>,
    /// Its class by the library; `None` where it covers every path, which needs no library.
    pub verdict: Option<PathVerdict>,
    /// How many of the library's crawlers its group governs.
    pub governs: u32,
    /// For how many of them it restricts: no Allow re-opens it.
    pub restricts: u32,
    /// For how many headline crawlers it restricts.
    pub restricts_headline: u32,
}

impl Policy {
    /// Reads what a robots.txt means for the library's crawlers.
    pub fn of(robots: &Robots, library: &Library, verdicts: &mut PathVerdicts<'_>) -> Self {
        let (paths, groups) = (BTreeMap::new(), BTreeMap::new());
        let mut judge = Judge { robots, verdicts, paths, groups };
        let crawlers: Vec<_> =
            library.crawlers.iter().map(|crawler| judge.crawler(crawler)).collect();
        let wildcard = judge.group(&robots.governing("*"));
        let paths = judge.paths.into_values().filter(|path| path.governs > 0).collect();
        Self { crawlers, wildcard, paths }
    }

    /// The domain's class: the most restrictive over the headline crawlers that `counts` accepts.
    pub fn class_over(&self, counts: impl Fn(&CrawlerVerdict) -> bool) -> AccessClass {
        self.headline()
            .filter(|crawler| counts(crawler))
            .map(|crawler| crawler.group.class)
            .max()
            .unwrap_or(AccessClass::FullyOpen)
    }

    /// The domain's class over the whole headline group.
    pub fn class(&self) -> AccessClass {
        self.class_over(|_| true)
    }

    /// The headline crawler without which the class would be lower, if exactly one decides it.
    pub fn decided_alone_by(&self) -> Option<&str> {
        let class = self.class();
        let mut deciding = self.headline().filter(|crawler| crawler.group.class == class);
        match (deciding.next(), deciding.next()) {
            (Some(only), None) if class > AccessClass::FullyOpen => Some(&only.token),
            _ => None,
        }
    }

    /// The verdicts of the headline group.
    pub fn headline(&self) -> impl Iterator<Item = &CrawlerVerdict> {
        self.crawlers.iter().filter(|crawler| crawler.is_headline)
    }
}

/// The library's verdicts on the values of one document, each value judged once, whatever lines it
/// stands in and in whatever dialect the document is read.
pub struct PathVerdicts<'a> {
    library: &'a Library,
    judged: BTreeMap<Vec<u8>, PathVerdict>,
}

impl<'a> PathVerdicts<'a> {
    /// Nothing judged yet.
    pub fn new(library: &'a Library) -> Self {
        Self { library, judged: BTreeMap::new() }
    }

    /// The verdict on a value.
    fn of(&mut self, raw: &[u8]) -> PathVerdict {
        if let Some(verdict) = self.judged.get(raw) {
            return verdict.clone();
        }
        let verdict = self.library.judge(raw);
        self.judged.insert(raw.to_vec(), verdict.clone());
        verdict
    }
}

/// The judgement of one document: each Disallow line and each governing group judged once.
struct Judge<'a, 'b> {
    robots: &'a Robots,
    verdicts: &'a mut PathVerdicts<'b>,
    paths: BTreeMap<u32, JudgedPath>,
    groups: BTreeMap<Vec<u32>, GroupVerdict>,
}

impl Judge<'_, '_> {
    /// The verdict for one crawler; counts the lines that govern it.
    fn crawler(&mut self, crawler: &Crawler) -> CrawlerVerdict {
        let governing = self.robots.governing(&crawler.token);
        let group = self.group(&governing);
        let is_headline = crawler.group == CrawlerGroup::Retrieval;
        for rule in disallows(&governing) {
            if let Some(path) = self.paths.get_mut(&rule.line) {
                let restricts = group.effective.binary_search(&rule.line).is_ok();
                path.governs += 1;
                path.restricts += u32::from(restricts);
                path.restricts_headline += u32::from(restricts && is_headline);
            }
        }
        let root = governing.decide(&self.robots.target(b"/"));
        CrawlerVerdict {
            token: crawler.token.clone(),
            is_headline,
            kind: governing.kind,
            root_allowed: root.allowed,
            root_line: root.rule.map(|rule| rule.line),
            group_lines: governing.group_lines,
            group,
        }
    }

    /// The verdict of a group: its highest class over the Disallow rules that restrict.
    fn group(&mut self, governing: &Governing<'_>) -> GroupVerdict {
        if let Some(judged) = self.groups.get(&governing.group_lines) {
            return judged.clone();
        }
        let mut verdict = GroupVerdict {
            class: AccessClass::FullyOpen,
            deciding_line: None,
            carve_outs: false,
            root_only: false,
            effective: Vec::new(),
        };
        let allows = Allows::of(governing);
        let mut rules: Vec<&Rule> = disallows(governing).collect();
        rules.sort_by_key(|rule| rule.line);
        let mut whole_site_octets = 0;
        for rule in rules {
            let class = self.class_of(rule);
            if allows.reopen(rule) {
                continue;
            }
            verdict.effective.push(rule.line);
            if class == AccessClass::WholeSite {
                whole_site_octets = whole_site_octets.max(rule.pattern.octets());
            }
            if class > verdict.class {
                verdict.class = class;
                verdict.deciding_line = Some(rule.line);
            }
        }
        if verdict.class == AccessClass::WholeSite {
            let mut opening = allows.of_octets(whole_site_octets).peekable();
            let opens_something = opening.peek().is_some();
            verdict.carve_outs = opening.any(|allow| !opens_root_alone(allow));
            verdict.root_only = opens_something && !verdict.carve_outs;
        }
        self.groups.insert(governing.group_lines.clone(), verdict.clone());
        verdict
    }

    /// The access class that a Disallow alone would give, judged once a line.
    fn class_of(&mut self, rule: &Rule) -> AccessClass {
        let (raw, verdicts) = (self.robots.octets(rule.raw), &mut *self.verdicts);
        let path = self.paths.entry(rule.line).or_insert_with(|| JudgedPath {
            line: rule.line,
            raw: raw.to_vec(),
            verdict: (!rule.pattern.covers_every_path()).then(|| verdicts.of(raw)),
            governs: 0,
            restricts: 0,
            restricts_headline: 0,
        });
        match path.verdict.as_ref().map(|verdict| verdict.class) {
            None => AccessClass::WholeSite,
            Some(PathClass::Primary) => AccessClass::Primary,
            Some(PathClass::Secondary) => AccessClass::Secondary,
            Some(PathClass::Functional) => AccessClass::FunctionallyOpen,
        }
    }
}

/// The Disallow rules of a group that can match a path at all.
fn disallows<'a>(governing: &Governing<'a>) -> impl Iterator<Item = &'a Rule> {
    matching(governing).filter(|rule| !rule.allow)
}

/// The rules of a group that can match a path: an empty value has no effect (RFC 9309, 2.2.2).
fn matching<'a>(governing: &Governing<'a>) -> impl Iterator<Item = &'a Rule> {
    governing.rules().iter().copied().filter(|rule| rule.pattern.can_match())
}

/// The Allow rules of a group, found by what their patterns begin with.
///
/// An Allow can match all that a Disallow matches only if its octets before the first wildcard
/// begin the Disallow's own. Looking these up by length keeps a file of ten thousand rules from
/// being compared pair by pair.
struct Allows<'a> {
    by_head: BTreeMap<&'a str, Vec<&'a Rule>>,
}

impl<'a> Allows<'a> {
    /// The Allow rules of a group, one of each pattern.
    fn of(governing: &Governing<'a>) -> Self {
        let mut by_head: BTreeMap<&str, Vec<&Rule>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for rule in matching(governing).filter(|rule| rule.allow) {
            if seen.insert(rule.pattern.as_text()) {
                by_head.entry(head(rule)).or_default().push(rule);
            }
        }
        Self { by_head }
    }

    /// Whether an Allow wins over a Disallow wherever the Disallow matches.
    ///
    /// It must be at least as long in octets (a tie goes to Allow) and match all that the Disallow
    /// matches. A longer Disallow inside it is judged for itself.
    fn reopen(&self, disallow: &Rule) -> bool {
        let wins = |allow: &&Rule| {
            allow.pattern.octets() >= disallow.pattern.octets()
                && allow.pattern.covers(&disallow.pattern)
        };
        let text = head(disallow);
        let heads = (0..=text.len()).filter_map(|end| self.by_head.get(text.get(..end)?));
        // A pattern that begins with a wildcard matches from the first slash on: `/` begins it too.
        let root = self.by_head.get("/").filter(|_| text.is_empty());
        heads.chain(root).flatten().any(wins)
    }

    /// The Allow rules of at least so many octets.
    fn of_octets(&self, octets: usize) -> impl Iterator<Item = &&'a Rule> {
        self.by_head.values().flatten().filter(move |allow| allow.pattern.octets() >= octets)
    }
}

/// What a pattern's matches all begin with.
fn head(rule: &Rule) -> &str {
    let text = rule.pattern.as_text();
    let text =
        if rule.pattern.is_anchored() { text.strip_suffix('$').unwrap_or(text) } else { text };
    text.split('*').next().unwrap_or_default()
}

/// Whether an Allow opens the root and nothing else.
fn opens_root_alone(allow: &Rule) -> bool {
    allow.pattern.as_text() == "/$"
}

#[cfg(test)]
mod tests {
    use super::{AccessClass, PathVerdicts, Policy};
    use crate::library::Library;
    use crate::robots;
    use crate::words::Word as _;

    fn policy(text: &str) -> Policy {
        let library = Library::embedded().expect("a library");
        Policy::of(&robots::parse(text.as_bytes()), &library, &mut PathVerdicts::new(&library))
    }

    /// The class and flags of the wildcard group of a document that has no other.
    fn wildcard(rules: &str) -> (&'static str, bool, bool) {
        let verdict = policy(&format!("User-agent: *\n{rules}\n")).wildcard;
        (verdict.class.word(), verdict.carve_outs, verdict.root_only)
    }

    #[test]
    fn whole_site_is_a_question_of_coverage_and_of_octets() {
        for (rules, expected) in [
            ("Disallow: /", ("whole_site", false, false)),
            ("Disallow: *", ("whole_site", false, false)),
            ("Disallow: /*", ("whole_site", false, false)),
            ("Disallow: /**$", ("whole_site", false, false)),
            ("Disallow: /\nAllow: /$", ("whole_site", false, true)),
            ("Disallow: /\nAllow: /press/", ("whole_site", true, false)),
            ("Disallow: /\nAllow: /$\nAllow: /press/", ("whole_site", true, false)),
            ("Disallow: /\nAllow: /", ("fully_open", false, false)),
            ("Disallow: /*\nAllow: /", ("whole_site", false, false)),
            ("Disallow: /*\nAllow: /a/", ("whole_site", true, false)),
            ("Disallow:", ("fully_open", false, false)),
            ("Disallow: blog", ("fully_open", false, false)),
        ] {
            assert_eq!(wildcard(rules), expected, "{rules}");
        }
    }

    #[test]
    fn a_disallow_is_reopened_only_by_an_allow_that_wins_wherever_it_matches() {
        for (rules, expected) in [
            ("Disallow: /blog/", "primary"),
            ("Disallow: /blog/\nAllow: /blog/", "fully_open"),
            ("Disallow: /blog/\nAllow: /blog", "primary"),
            ("Disallow: /blog\nAllow: /blog*", "fully_open"),
            ("Disallow: */blog/\nAllow: /*blog/", "fully_open"),
            ("Disallow: *blog/\nAllow: /*blog/", "fully_open"),
            ("Disallow: /blog/$\nAllow: /blog/", "primary"),
            ("Disallow: /blog/$\nAllow: /blog/$", "fully_open"),
            ("Disallow: /blog/\nAllow: /blog/new/", "primary"),
            ("Disallow: /\nAllow: /\nDisallow: /blog/", "primary"),
            ("Disallow: /cart\nDisallow: /wp-admin/", "functionally_open"),
        ] {
            assert_eq!(wildcard(rules).0, expected, "{rules}");
        }
    }

    #[test]
    fn the_domain_is_as_closed_as_its_most_restricted_headline_crawler() {
        let policy = policy(
            "User-agent: GPTBot\nDisallow: /\n\n\
             User-agent: PerplexityBot\nDisallow: /blog/\n\n\
             User-agent: *\nDisallow: /cart\n",
        );
        assert_eq!(policy.class(), AccessClass::Primary, "GPTBot is no headline crawler");
        assert_eq!(policy.decided_alone_by(), Some("PerplexityBot"));
        assert_eq!(policy.wildcard.class, AccessClass::FunctionallyOpen);
        let without = policy.class_over(|crawler| crawler.token != "PerplexityBot");
        assert_eq!(without, AccessClass::FunctionallyOpen);
        let lines: Vec<_> = policy
            .paths
            .iter()
            .map(|path| (path.line, path.governs, path.restricts_headline))
            .collect();
        assert_eq!(lines, [(2, 1, 0), (5, 1, 1), (8, 19, 13)]);
    }

    #[test]
    fn a_file_of_very_many_rules_is_judged_once_a_line() {
        let rules: String = (0..8_000)
            .map(|number| format!("Allow: /a{number}/x\nDisallow: /a{number}/\n"))
            .collect();
        let policy = policy(&format!("User-agent: *\n{rules}"));
        assert_eq!(policy.paths.len(), 8_000);
        assert_eq!(policy.class(), AccessClass::Secondary);
    }

    #[test]
    fn a_group_of_its_own_replaces_the_wildcard_group() {
        let policy = policy("User-agent: *\nDisallow: /\n\nUser-agent: Bingbot\nAllow: /\n");
        let bingbot = policy.crawlers.iter().find(|crawler| crawler.token == "Bingbot");
        let bingbot = bingbot.expect("on the list");
        assert_eq!(bingbot.group.class, AccessClass::FullyOpen);
        assert_eq!((bingbot.root_allowed, bingbot.root_line), (true, Some(5)));
        assert_eq!(policy.class(), AccessClass::WholeSite);
        assert_eq!(policy.decided_alone_by(), None, "thirteen decide it");
    }

    #[test]
    fn the_deciding_line_is_the_first_of_the_highest_class() {
        let policy = policy("User-agent: *\nDisallow: /cart\nDisallow: /news/\nDisallow: /blog/\n");
        assert_eq!(policy.wildcard.deciding_line, Some(3));
    }
}
