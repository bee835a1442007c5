//! What the checks share: the document in every dialect, and where each crawler stands.

use std::collections::{BTreeMap, BTreeSet};

use crate::library::Signals;
use crate::registry::{Crawler, Placement, Purpose, Registry, Stance};
use crate::robots::{Dialect, Governing, GroupKind, Issue, Readings, Robots, Target};

use super::finding::CrawlerDetail;
use super::reach::Standing;
use super::subject::Subject;

/// What is known beside the documents.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a> {
    /// The crawler registry, unless it is left out.
    pub registry: Option<&'a Registry>,
    /// The signs of pages that keep robots out.
    pub signals: &'a Signals,
}

/// A crawler that the audit speaks of: one that the registry knows, or that the file names.
#[derive(Clone, Debug)]
pub(super) struct Visitor<'a> {
    /// Its product token; as the file writes it where the registry does not know it.
    pub(super) token: String,
    /// What the registry knows of it.
    pub(super) crawler: Option<&'a Crawler>,
    /// What it is for, where that is known.
    pub(super) purpose: Option<Purpose>,
    /// Whether the file names it.
    pub(super) is_named: bool,
    /// Where it stands.
    pub(super) standing: Standing,
}

/// Everything that a check may look at.
pub(super) struct Context<'a> {
    pub(super) subject: &'a Subject,
    pub(super) knowledge: Knowledge<'a>,
    pub(super) readings: &'a Readings,
    pub(super) issues: Vec<Issue>,
    /// Where the crawler stands that nobody names.
    pub(super) wildcard: Standing,
    /// Every crawler: those of the registry in its order, then the others that the file names.
    pub(super) crawlers: Vec<Visitor<'a>>,
    target: Option<Target>,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        subject: &'a Subject,
        readings: &'a Readings,
        knowledge: Knowledge<'a>,
    ) -> Self {
        let robots = readings.of(Dialect::C01);
        let url = subject.url.as_ref();
        Self {
            subject,
            knowledge,
            readings,
            issues: robots.issues(),
            wildcard: Standing::of(&robots.governing("*")),
            crawlers: visitors(robots, knowledge.registry),
            target: url.map(|url| robots.target(url.as_str().as_bytes())),
        }
    }

    /// The document as the study reads it.
    pub(super) fn robots(&self) -> &'a Robots {
        self.readings.of(Dialect::C01)
    }

    /// Every crawler of a purpose.
    pub(super) fn of_purpose(&self, purpose: Purpose) -> impl Iterator<Item = &Visitor<'a>> {
        self.crawlers.iter().filter(move |crawler| crawler.purpose == Some(purpose))
    }

    /// The crawler of a token, if the registry knows it or the file names it.
    pub(super) fn crawler(&self, token: &str) -> Option<&Visitor<'a>> {
        self.crawlers.iter().find(|crawler| crawler.token.eq_ignore_ascii_case(token))
    }

    /// Every crawler that the file names.
    pub(super) fn named(&self) -> impl Iterator<Item = &Visitor<'a>> {
        self.crawlers.iter().filter(|crawler| crawler.is_named)
    }

    /// What governs a crawler, its fall-back considered.
    pub(super) fn governing(&self, crawler: &Visitor) -> Governing<'a> {
        governing(self.robots(), &crawler.token, crawler.crawler).0
    }

    /// What holds for a crawler.
    pub(super) fn detail(&self, crawler: &Visitor) -> CrawlerDetail {
        let operator = crawler.crawler.zip(self.knowledge.registry);
        let operator = operator.and_then(|(known, registry)| registry.operator(&known.operator));
        let decide = |target: &Target| self.governing(crawler).decide(target).allowed;
        CrawlerDetail {
            token: crawler.token.clone(),
            operator: operator.map(|operator| operator.name.clone()),
            purpose: crawler.purpose,
            reach: crawler.standing.reach,
            group: crawler.standing.group,
            by_way_of: crawler.standing.by_way_of.clone(),
            line: crawler.standing.line,
            may_fetch_page: self.target.as_ref().map(decide),
        }
    }
}

/// Every crawler of the registry, and every other that the file names.
fn visitors<'a>(robots: &Robots, registry: Option<&'a Registry>) -> Vec<Visitor<'a>> {
    let named = robots.named_tokens();
    let known = registry.map_or(&[][..], |registry| &registry.crawlers);
    let by_star = Standing::of(&robots.governing("*"));
    // A crawler's own group is found by the first word of its token: where no user-agent record
    // begins so, neither it nor its fall-back needs to be asked for.
    let words: BTreeSet<String> = named.iter().map(|token| token.to_ascii_lowercase()).collect();
    let may_be_named = |token: &str| words.contains(&first_word(token).to_ascii_lowercase());
    let mut standings: BTreeMap<Vec<u32>, Standing> = BTreeMap::new();
    let mut stand = |token: &str, crawler: Option<&Crawler>| {
        let fallback = crawler.and_then(|crawler| crawler.falls_back_to.as_deref());
        let is_plain = crawler.is_none_or(|crawler| crawler.stance != Stance::OwnGroupOnly);
        if is_plain && !may_be_named(token) && !fallback.is_some_and(may_be_named) {
            return by_star.clone();
        }
        let (governing, by_way_of) = governing(robots, token, crawler);
        let known = standings.entry(governing.group_lines.clone());
        let standing = known.or_insert_with(|| Standing::of(&governing)).clone();
        Standing { by_way_of, group: governing.kind, ..standing }
    };
    let mut visitors: Vec<Visitor> = Vec::new();
    let mut seen = BTreeSet::new();
    for crawler in known {
        let standing = stand(&crawler.token, Some(crawler));
        let is_named = standing.group == GroupKind::Own && standing.by_way_of.is_none();
        seen.insert(crawler.token.to_ascii_lowercase());
        let token = crawler.token.clone();
        let purpose = crawler.purpose;
        visitors.push(Visitor { token, crawler: Some(crawler), purpose, is_named, standing });
    }
    let taken: BTreeSet<String> = visitors
        .iter()
        .filter(|crawler| crawler.is_named)
        .map(|crawler| first_word(&crawler.token).to_ascii_lowercase())
        .collect();
    for token in named {
        let lower = token.to_ascii_lowercase();
        if seen.contains(&lower) || taken.contains(&lower) {
            continue;
        }
        let purpose = registry.and_then(|registry| match registry.place(token) {
            Placement::Crawler(crawler) => crawler.purpose,
            placement => placement.purpose(),
        });
        let (token, standing) = (token.to_owned(), stand(token, None));
        visitors.push(Visitor { token, crawler: None, purpose, is_named: true, standing });
    }
    visitors
}

/// What governs a crawler: its own group, else that of the token that it falls back to, else that of
/// `*`, unless it passes `*` by.
fn governing<'a>(
    robots: &'a Robots,
    token: &str,
    crawler: Option<&Crawler>,
) -> (Governing<'a>, Option<String>) {
    let own = robots.governing(token);
    if own.kind == GroupKind::Own {
        return (own, None);
    }
    let Some(crawler) = crawler else { return (own, None) };
    if let Some(fallback) = &crawler.falls_back_to {
        let theirs = robots.governing(fallback);
        if theirs.kind == GroupKind::Own {
            return (theirs, Some(fallback.clone()));
        }
    }
    if crawler.stance == Stance::OwnGroupOnly {
        return (Governing::none(), None);
    }
    (own, None)
}

/// The first word of a token: what a user-agent record is found by.
fn first_word(token: &str) -> &str {
    let end = token.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    &token[..end.unwrap_or(token.len())]
}
