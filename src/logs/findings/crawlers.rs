//! What was found of one crawler.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::logs::identity::{Evidence, Identity};
use crate::logs::ruling::Verdict;
use crate::logs::seconds::Gaps;
use crate::logs::tally::{IDENTITIES, OfCrawler, Seen, VERDICTS};
use crate::logs::waste::Yield;
use crate::registry::Crawler;
use crate::stamp::Stamp;
use crate::stats::Rate;
use crate::words::Word;

use super::{Judgement, Side, Terms};

/// One crawler. `claims = genuine + sibling + adjacent + impersonated + unverifiable`, and
/// `genuine = allowed + disallowed + no_version + ambiguous + no_target`.
#[derive(Clone, Debug, Serialize)]
pub struct CrawlerFindings {
    /// Its product token.
    pub token: String,
    /// The id of its operator.
    pub operator: String,
    /// What it is for; null where no source places it.
    pub purpose: Option<String>,
    /// What its operator says of robots.txt.
    pub stance: String,
    /// Requests whose header claims to be it.
    pub claims: u64,
    /// Of them, by what the claim is worth.
    pub genuine: u64,
    /// From the addresses of another crawler of its operator.
    pub sibling: u64,
    /// From addresses that stood in its list shortly before or after.
    pub adjacent: u64,
    /// From elsewhere.
    pub impersonated: u64,
    /// From where nobody can tell.
    pub unverifiable: u64,
    /// The same on two sides, where that was asked for.
    pub two_way: Option<TwoWay>,
    /// Genuine requests by what that rests on.
    pub genuine_by: BTreeMap<String, u64>,
    /// Impersonated requests by what says so.
    pub impersonated_by: BTreeMap<String, u64>,
    /// Unverifiable requests by why: lists too old or too new, a DNS fault, or nothing at all.
    pub unverifiable_by: BTreeMap<String, u64>,
    /// Genuine requests that were allowed.
    pub allowed: u64,
    /// Genuine requests that the version in force disallowed.
    pub disallowed: u64,
    /// Genuine requests for whose moment and host no version is known.
    pub no_version: u64,
    /// Genuine requests about which two possible versions disagree.
    pub ambiguous: u64,
    /// Genuine requests that name nothing a robots.txt could rule.
    pub no_target: u64,
    /// Violations by the judgement that was asked for.
    pub violations: u64,
    /// Their share of what was allowed or disallowed.
    pub violation_rate: Rate,
    /// Disallowed after the crawler had fetched the version that disallows.
    pub informed: u64,
    /// Disallowed, but allowed by a version of the last hours.
    pub excused: u64,
    /// Verdicts on requests that are not counted as the crawler's.
    pub beside: BTreeMap<String, BTreeMap<String, u64>>,
    /// What came of the genuine requests.
    pub outcomes: BTreeMap<String, u64>,
    /// Genuine requests by every reason that holds: one request may stand in several.
    pub outcomes_overlapping: BTreeMap<String, u64>,
    /// Genuine requests that yielded nothing: all outcomes but `productive`, `robots_fetch` and `asset`.
    pub non_productive: u64,
    /// Genuine requests by status.
    pub statuses: BTreeMap<String, u64>,
    /// Octets answered to genuine requests.
    pub octets: u64,
    /// Distinct targets of genuine requests.
    pub targets: u64,
    /// Whether that is an estimate.
    pub targets_estimated: bool,
    /// Genuine requests for the robots.txt.
    pub robots_fetches: u64,
    /// The first genuine request.
    pub first_genuine: Option<String>,
    /// The last genuine request.
    pub last_genuine: Option<String>,
    /// The first claim.
    pub first_claim: Option<String>,
    /// The last claim.
    pub last_claim: Option<String>,
    /// Claims of headers that name crawlers of several operators.
    pub mixed_headers: u64,
    /// Claims from the edge of a delivery network, or from a private address, that is not trusted.
    pub from_untrusted_edges: u64,
    /// Gaps between genuine requests against the Crawl-delay, where that was asked for and there is one.
    pub crawl_delay: Option<GapsFound>,
}

/// Claims on two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TwoWay {
    /// Genuine, with sibling and adjacent.
    pub genuine: u64,
    /// The rest.
    pub impersonated: u64,
}

/// Gaps against a Crawl-delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GapsFound {
    /// Gaps while a Crawl-delay was in force.
    pub gaps: u64,
    /// Too short, whatever the fractions of the seconds.
    pub certain: u64,
    /// Perhaps too short, the certain ones among them.
    pub possible: u64,
}

/// What the tallies do not hold of a crawler themselves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    pub(super) informed: u64,
    pub(super) gaps: Option<Gaps>,
}

impl CrawlerFindings {
    /// What was found of a crawler.
    pub(super) fn of(crawler: &Crawler, tally: OfCrawler, beside: Beside, terms: Terms) -> Self {
        let identity = |identity: Identity| tally.identities[identity as usize];
        let evidence =
            |identity: Identity| named::<Evidence, _>(&tally.evidence[identity as usize]);
        let genuine = tally.verdicts[Identity::Genuine as usize];
        let verdict = |verdict: Verdict| genuine[verdict as usize];
        let (allowed, disallowed) = (verdict(Verdict::Allowed), verdict(Verdict::Disallowed));
        let violations = match terms.judgement {
            Judgement::Effective => disallowed,
            Judgement::Grace => disallowed - tally.excused,
            Judgement::Fetched => beside.informed,
        };
        let (targets, targets_estimated) = tally.paths.count();
        let of_value = Yield::ALL.iter().filter(|outcome| outcome.is_of_value());
        let of_value: u64 = of_value.map(|&outcome| tally.yields[outcome as usize]).sum();
        Self {
            token: crawler.token.clone(),
            operator: crawler.operator.clone(),
            purpose: crawler.purpose.map(|purpose| purpose.to_string()),
            stance: crawler.stance.to_string(),
            claims: tally.identities.iter().sum(),
            genuine: identity(Identity::Genuine),
            sibling: identity(Identity::Sibling),
            adjacent: identity(Identity::Adjacent),
            impersonated: identity(Identity::Impersonated),
            unverifiable: identity(Identity::Unverifiable),
            two_way: terms.two_way.map(|side| two_way(&tally.identities, side)),
            genuine_by: evidence(Identity::Genuine),
            impersonated_by: evidence(Identity::Impersonated),
            unverifiable_by: evidence(Identity::Unverifiable),
            allowed,
            disallowed,
            no_version: verdict(Verdict::NoVersion),
            ambiguous: verdict(Verdict::Ambiguous),
            no_target: verdict(Verdict::NoTarget),
            violations,
            violation_rate: Rate::new(violations, allowed + disallowed),
            informed: beside.informed,
            excused: tally.excused,
            beside: beside_genuine(&tally.verdicts),
            outcomes: named::<Yield, _>(&tally.yields),
            outcomes_overlapping: named::<Yield, _>(&tally.reasons),
            non_productive: identity(Identity::Genuine) - of_value,
            statuses: statuses(&tally.statuses),
            octets: tally.octets,
            targets,
            targets_estimated,
            robots_fetches: tally.robots_fetches,
            first_genuine: first(tally.genuine),
            last_genuine: last(tally.genuine),
            first_claim: first(tally.claimed),
            last_claim: last(tally.claimed),
            mixed_headers: tally.mixed,
            from_untrusted_edges: tally.edges,
            crawl_delay: beside.gaps.map(|gaps| GapsFound {
                gaps: gaps.gaps,
                certain: gaps.certain,
                possible: gaps.possible,
            }),
        }
    }
}

/// Claims on two sides.
fn two_way(identities: &[u64; IDENTITIES], side: Side) -> TwoWay {
    let of = |identity: Identity| identities[identity as usize];
    let unverifiable = of(Identity::Unverifiable);
    let (to_genuine, to_impersonated) = match side {
        Side::Genuine => (unverifiable, 0),
        Side::Impersonated => (0, unverifiable),
    };
    TwoWay {
        genuine: of(Identity::Genuine)
            + of(Identity::Sibling)
            + of(Identity::Adjacent)
            + to_genuine,
        impersonated: of(Identity::Impersonated) + to_impersonated,
    }
}

/// Verdicts on requests that are not counted as the crawler's, by identity; those of impersonators
/// say nothing of it.
fn beside_genuine(
    verdicts: &[[u64; VERDICTS]; IDENTITIES],
) -> BTreeMap<String, BTreeMap<String, u64>> {
    let shown = [Identity::Sibling, Identity::Adjacent, Identity::Unverifiable];
    let of = |identity: &Identity| {
        let counts = named::<Verdict, _>(&verdicts[*identity as usize]);
        (identity.to_string(), counts)
    };
    shown.iter().map(of).filter(|(_, counts)| !counts.is_empty()).collect()
}

/// The counts that are not zero, by their members' words.
pub(super) fn named<W: Word, const N: usize>(counts: &[u64; N]) -> BTreeMap<String, u64> {
    let named = W::ALL.iter().zip(counts).filter(|(_, count)| **count > 0);
    named.map(|(member, count)| (member.word().to_owned(), *count)).collect()
}

/// Statuses by their hundreds.
fn statuses(counts: &[u64; 6]) -> BTreeMap<String, u64> {
    let name = |hundred: usize| match hundred {
        0 => "none".to_owned(),
        hundred => format!("{hundred}xx"),
    };
    let counts = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    counts.map(|(hundred, count)| (name(hundred), *count)).collect()
}

fn first(seen: Option<Seen>) -> Option<String> {
    seen.map(|seen| Stamp::from_unix(seen.first.0).to_string())
}

fn last(seen: Option<Seen>) -> Option<String> {
    seen.map(|seen| Stamp::from_unix(seen.last_s).to_string())
}
