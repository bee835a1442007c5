//! What a person should look at before publication.
//!
//! Nothing here changes a verdict: a review row says where the instrument was least sure.

use crate::closed_list;
use crate::library::PathReason;
use crate::observation::{Exchange, Observation};
use crate::robots::Dialect;
use crate::words::Word as _;

use super::{Access, Classification, FailureMode, GroupVerdict, PolicyState};

closed_list! {
    /// Why a person should look.
    pub enum ReviewKind {
        /// A path that the library calls ambiguous: counted as secondary.
        AmbiguousPath = "ambiguous_path",
        /// A path that no rule knows: counted as secondary.
        UnknownPath = "unknown_path",
        /// robots.txt was answered with HTML that is not the site's answer to everything.
        HtmlRobots = "html_robots",
        /// robots.txt was answered with the page that the site gives for every path.
        Soft404Robots = "soft_404_robots",
        /// llms.txt was answered with what the site gives for a path that cannot exist.
        Soft404Guidance = "soft_404_guidance",
        /// robots.txt was answered by another site.
        OffSiteRobots = "off_site_robots",
        /// llms.txt was answered by another site.
        OffSiteGuidance = "off_site_guidance",
        /// A refusal whose body is a bot-challenge page.
        ChallengeRefusal = "challenge_refusal",
        /// A whole-site exclusion that leaves some paths open.
        CarveOuts = "carve_outs",
        /// A whole-site exclusion that leaves just the root open.
        RootOnly = "root_only",
        /// A robots.txt that another dialect puts into another access class.
        DialectDiffers = "dialect_differs",
        /// A robots.txt longer than the limit.
        Truncated = "truncated",
        /// A failure that no mode of the closed list names.
        OtherFailure = "other_failure",
    }
}

/// One thing to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Why.
    pub kind: ReviewKind,
    /// The line of robots.txt, where one is meant.
    pub line: Option<u32>,
    /// The text to look at: a path, a host, a cause.
    pub text: String,
}

impl Review {
    fn of(kind: ReviewKind, text: impl Into<String>) -> Self {
        Self { kind, line: None, text: text.into() }
    }
}

/// Lists what to look at: paths first, then the document, the hosts and the failure.
pub(super) fn of(observation: &Observation, classification: &Classification) -> Vec<Review> {
    let mut reviews = paths(classification);
    reviews.extend(document(classification));
    reviews.extend(hosts(observation, classification));
    reviews.extend(failure(observation, classification));
    reviews
}

/// The paths that restrict and that no rule settles.
fn paths(classification: &Classification) -> Vec<Review> {
    let policy = classification.policy.iter();
    let restricting = policy.flat_map(|policy| &policy.paths).filter(|path| path.restricts > 0);
    restricting
        .filter_map(|path| {
            let kind = match path.verdict.as_ref()?.reason {
                PathReason::Ambiguous => ReviewKind::AmbiguousPath,
                PathReason::Unknown => ReviewKind::UnknownPath,
                _ => return None,
            };
            let text = String::from_utf8_lossy(&path.raw);
            Some(Review { line: Some(path.line), ..Review::of(kind, text) })
        })
        .collect()
}

/// Whole-site exclusions with exceptions, and a document that was cut.
fn document(classification: &Classification) -> Vec<Review> {
    let mut reviews = Vec::new();
    if let Some(policy) = &classification.policy {
        let carves_out: fn(&GroupVerdict) -> bool = |group| group.carve_outs;
        let opens_root: fn(&GroupVerdict) -> bool = |group| group.root_only;
        for (flag, kind) in
            [(carves_out, ReviewKind::CarveOuts), (opens_root, ReviewKind::RootOnly)]
        {
            if let Some(crawler) = policy.headline().find(|crawler| flag(&crawler.group)) {
                let line = crawler.group.deciding_line;
                reviews.push(Review { line, ..Review::of(kind, &crawler.token) });
            }
        }
    }
    let class = classification.policy.as_ref().map(|policy| policy.class());
    let others = classification.other_dialects;
    for (dialect, other) in [(Dialect::Google, others.google), (Dialect::Strict, others.strict)] {
        if let Some(other) = other.filter(|other| Some(*other) != class) {
            reviews.push(Review::of(ReviewKind::DialectDiffers, format!("{dialect}: {other}")));
        }
    }
    if let Some(document) = classification.document.as_ref().filter(|document| document.truncated) {
        let text = format!("{} octets read", document.octets);
        reviews.push(Review::of(ReviewKind::Truncated, text));
    }
    reviews
}

/// Answers that stand for something else than the file asked for.
fn hosts(observation: &Observation, classification: &Classification) -> Vec<Review> {
    let mut reviews = Vec::new();
    if classification.access == Access::Policy(PolicyState::Soft404) {
        reviews.push(Review::of(ReviewKind::Soft404Robots, &observation.robots.final_url));
    }
    if let Some(likeness) = classification.guidance.likeness {
        reviews.push(Review::of(ReviewKind::Soft404Guidance, likeness.word()));
    }
    for (exchange, kind) in [
        (&observation.robots, ReviewKind::OffSiteRobots),
        (&observation.llms, ReviewKind::OffSiteGuidance),
    ] {
        if is_off_site(exchange) {
            reviews.push(Review::of(kind, exchange.final_host()));
        }
    }
    reviews
}

/// Failures that need an eye.
fn failure(observation: &Observation, classification: &Classification) -> Vec<Review> {
    let Access::Infrastructure(failed) = &classification.access else { return Vec::new() };
    let mut reviews = Vec::new();
    match failed.mode {
        FailureMode::NotRobots => {
            reviews.push(Review::of(ReviewKind::HtmlRobots, &observation.robots.final_url));
        }
        FailureMode::Other => reviews.push(Review::of(ReviewKind::OtherFailure, &failed.cause)),
        FailureMode::Challenge => {}
        _ if classification.is_challenge => {
            reviews.push(Review::of(ReviewKind::ChallengeRefusal, &failed.cause));
        }
        _ => {}
    }
    reviews
}

/// Whether an exchange ended at another site than the one asked.
///
/// The same host with or without a leading `www.` and a host below it are the same site; anything
/// else is flagged, which may flag a company's second domain and misses none.
pub(super) fn is_off_site(exchange: &Exchange) -> bool {
    let bare = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_owned();
    let asked = bare(crate::observation::host_of(&exchange.url));
    let answered = bare(exchange.final_host());
    let below = |host: &str, parent: &str| host.ends_with(&format!(".{parent}"));
    asked != answered && !below(&answered, &asked)
}
