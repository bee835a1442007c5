//! What an answer to one page holds that the registry does not.

use super::Page;
use super::memory::Memory;
use super::mentions::names_in;
use crate::closed_list;
use crate::observation::{Answer, Exchange};
use crate::registry::{ListKind, Placement, Prefix, Range, RangeList, Registry, Snapshot, Stamp};

closed_list! {
    /// How the visit to a page ended.
    pub enum Ended {
        /// The page was read, and holds what the registry does not, or lacks what it holds.
        News = "news",
        /// The page was read, and the registry has it all.
        NothingNew = "nothing_new",
        /// The page is as it was when it was last read.
        Unchanged = "unchanged",
        /// robots.txt closes the page to us: it was not asked for.
        Disallowed = "disallowed",
        /// robots.txt could not be read: the page was not asked for.
        RobotsUnknown = "robots_unknown",
        /// robots.txt asks for longer pauses than are waited for: the page was not asked for.
        TooSlow = "too_slow",
        /// No answer, or one that is no page.
        Failed = "failed",
        /// An answer that is not what is published there.
        Unreadable = "unreadable",
    }
}

/// What differs in one list of ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeNews {
    /// The list's id.
    pub list: String,
    /// Ranges that the page has and the registry has not.
    pub added: Vec<Prefix>,
    /// Ranges that the registry has and the page has no longer.
    pub gone: Vec<Range>,
}

/// What differs in the crawlers that a page documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenNews {
    /// Names on the page that the registry does not know.
    pub unknown: Vec<String>,
    /// Tokens that the registry has from this page, and that the page does not hold.
    pub unmentioned: Vec<String>,
}

/// One visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The page's address.
    pub url: String,
    /// What was expected there, in a word.
    pub kind: &'static str,
    /// How the visit ended.
    pub ended: Ended,
    /// Why, where the word does not say it all; may be empty.
    pub detail: String,
    /// The status of the last answer.
    pub status: Option<u16>,
    /// The lists that are confirmed as they are now.
    pub seen: Vec<String>,
    /// Lists that differ.
    pub ranges: Vec<RangeNews>,
    /// Crawlers that differ.
    pub tokens: TokenNews,
}

impl Visit {
    /// A visit that gave nothing to compare.
    pub fn ended(page: &Page<'_>, ended: Ended, detail: impl Into<String>) -> Self {
        Self {
            url: page.url.to_owned(),
            kind: page.kind(),
            ended,
            detail: detail.into(),
            status: None,
            seen: Vec::new(),
            ranges: Vec::new(),
            tokens: TokenNews::default(),
        }
    }
}

/// Judges how a visit ended, at a moment; `is_challenge` says that a page to keep robots out was
/// answered. An answer that was read is noted in the memory.
pub fn judge(
    registry: &Registry,
    page: &Page<'_>,
    exchange: &Exchange,
    is_challenge: bool,
    at: Stamp,
    memory: &mut Memory,
) -> Visit {
    let Some(answer) = exchange.answer() else {
        let why =
            exchange.failure().map(|it| format!("{} in {} ({})", it.mode, it.operation, it.cause));
        return Visit::ended(page, Ended::Failed, why.unwrap_or_else(|| "not asked".to_owned()));
    };
    let status = Some(answer.status);
    let visit = match answer.status {
        304 => unchanged(page),
        200..=299 if is_challenge => {
            Visit::ended(page, Ended::Unreadable, "a page that keeps robots out was answered")
        }
        200..=299 if answer.truncated => {
            Visit::ended(page, Ended::Unreadable, "it is longer than is read")
        }
        200..=299 if memory.holds(page.url, &answer.body) => unchanged(page),
        200..=299 => read(registry, page, answer, at),
        _ => Visit::ended(page, Ended::Failed, ""),
    };
    if matches!(visit.ended, Ended::News | Ended::NothingNew) {
        memory.note_read(page.url, answer);
    }
    Visit { status, ..visit }
}

/// A page that is as it was.
fn unchanged(page: &Page<'_>) -> Visit {
    let seen = compared(page).map(|list| list.id.clone()).collect();
    Visit { seen, ..Visit::ended(page, Ended::Unchanged, "") }
}

/// A page that was read.
fn read(registry: &Registry, page: &Page<'_>, answer: &Answer, at: Stamp) -> Visit {
    if page.lists.is_empty() {
        let tokens = TokenNews::of(registry, page, &answer.body);
        let ended = if tokens == TokenNews::default() { Ended::NothingNew } else { Ended::News };
        return Visit { tokens, ..Visit::ended(page, ended, "") };
    }
    let text = String::from_utf8_lossy(&answer.body);
    let snapshot = match Snapshot::parse(at, &text) {
        Ok(snapshot) => snapshot,
        Err(why) => return Visit::ended(page, Ended::Unreadable, why),
    };
    let ranges: Vec<RangeNews> =
        compared(page).filter_map(|list| RangeNews::of(list, &snapshot)).collect();
    let seen = compared(page).map(|list| list.id.clone()).collect();
    let ended = if ranges.is_empty() { Ended::NothingNew } else { Ended::News };
    Visit { seen, ranges, ..Visit::ended(page, ended, "") }
}

/// The lists that a page holds whole: where one is its crawlers' own, another that joins several
/// pages is not held against this one.
fn compared<'p>(page: &'p Page<'_>) -> impl Iterator<Item = &'p RangeList> {
    let has_own = page.lists.iter().any(|list| list.kind == ListKind::Crawlers);
    let is_held = move |list: &&&RangeList| !has_own || list.kind == ListKind::Crawlers;
    page.lists.iter().filter(is_held).copied()
}

impl RangeNews {
    /// What differs between a list and a copy of it; none if nothing does.
    fn of(list: &RangeList, snapshot: &Snapshot) -> Option<Self> {
        let current: Vec<&Range> =
            list.ranges.iter().filter(|range| range.valid_to.is_none()).collect();
        let is_new = |prefix: &&Prefix| !current.iter().any(|range| range.prefix == **prefix);
        let is_gone = |range: &&&Range| snapshot.prefixes.binary_search(&range.prefix).is_err();
        let added: Vec<Prefix> = snapshot.prefixes.iter().filter(is_new).copied().collect();
        let gone: Vec<Range> =
            current.iter().filter(is_gone).map(|range| (*range).clone()).collect();
        let differs = !added.is_empty() || !gone.is_empty();
        differs.then(|| Self { list: list.id.clone(), added, gone })
    }
}

impl TokenNews {
    /// What differs between the crawlers of a page and its body.
    fn of(registry: &Registry, page: &Page<'_>, body: &[u8]) -> Self {
        let is_unknown = |name: &String| {
            let is_sent = registry
                .crawlers
                .iter()
                .any(|crawler| crawler.headers.iter().any(|sent| sent.eq_ignore_ascii_case(name)));
            !is_sent && registry.place(name) == Placement::Unknown
        };
        // A page may name a token in what its scripts show, so all of it is looked through.
        let all = String::from_utf8_lossy(body).to_ascii_lowercase();
        let tokens = page.crawlers.iter().map(|crawler| &crawler.token);
        Self {
            unknown: names_in(body).into_iter().filter(is_unknown).collect(),
            unmentioned: tokens
                .filter(|token| !all.contains(&token.to_ascii_lowercase()))
                .cloned()
                .collect(),
        }
    }
}
