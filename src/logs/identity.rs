//! Whether a request was made by the crawler that it claims to be, as far as its address can tell.
//!
//! A list is in force from some time before it was first seen until as long after it was last seen
//! ([`Slack::list_s`]); before and after those times it is judged as it was then. What a list of a crawler, of an operator
//! or of a whole network proves is said in `pattern-library/registry/README.md`.

mod segments;

use std::net::IpAddr;

use crate::closed_list;
use crate::registry::{Crawler, ListKind, RangeList, Registry};
use crate::stamp::Stamp;
use crate::words::Word as _;

use super::address;
use super::answers::{Answers, DnsVerdict};
use segments::Segments;

closed_list! {
    /// What a claim is worth.
    pub enum Identity {
        /// The address stood in a list of the crawler, or DNS confirms it.
        Genuine = "genuine",
        /// It stood only in the list of another crawler of the same operator.
        Sibling = "sibling",
        /// It stood in a list of the crawler within the slack before or after.
        Adjacent = "adjacent",
        /// It stood in none, and a list was in force; or DNS contradicts it; or nothing sends the token.
        Impersonated = "impersonated",
        /// No list was in force, or none ever, and DNS does not say.
        Unverifiable = "unverifiable",
    }
}

closed_list! {
    /// What an identity rests on.
    pub enum Evidence {
        /// A list of the crawler itself.
        Crawlers = "crawlers",
        /// A list of several crawlers of its operator: it does not say which.
        Operator = "operator",
        /// The operator's whole network: weaker.
        Network = "network",
        /// Reverse and then forward DNS.
        ReverseDns = "reverse_dns",
        /// The token itself: nothing sends it.
        ControlOnly = "control_only",
        /// Lists are known, but none was in force at that time.
        ListsDated = "lists_dated",
        /// Nothing: there is no list, or no address.
        Nothing = "nothing",
    }
}

/// What a claim is worth, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What it is worth.
    pub identity: Identity,
    /// What that rests on.
    pub evidence: Evidence,
}

/// A standing from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    from_s: i64,
    standing: Standing,
}

/// The standing of one address as one crawler, over all time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Steps(Vec<Step>);

impl Steps {
    /// The standing at a moment.
    #[inline]
    pub(super) fn at(&self, at_s: i64) -> Standing {
        let past = self.0.partition_point(|step| step.from_s <= at_s);
        self.0[past.max(1) - 1].standing
    }
}

/// One of a crawler's or its operator's lists, with the ranges that hold an address.
struct Seen<'a> {
    list: &'a RangeList,
    is_own: bool,
    /// Validity of each range that holds the address, in seconds.
    ranges: Vec<(i64, i64)>,
}

/// How far lists reach beyond what is known of them, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slack {
    /// Before and after an address stood in a list, for which it is adjacent.
    pub near_s: i64,
    /// Before and after a list was seen, for which it is in force.
    pub list_s: i64,
}

/// Judges claims.
#[derive(Clone, Debug)]
pub struct Identities<'r> {
    registry: &'r Registry,
    answers: &'r Answers,
    slack: Slack,
    /// Positions of the lists of each crawler's operator, by the crawler's position.
    lists: Vec<Vec<(usize, bool)>>,
    /// An index of each list's ranges.
    ranges: Vec<Index>,
    /// The addresses cut by the ranges of each crawler's lists, by the crawler's position.
    segments: Vec<Segments>,
    /// Those cut by the ranges of delivery networks, and which of these segments are theirs.
    edges: (Segments, Vec<bool>),
}

impl<'r> Identities<'r> {
    /// Prepares to judge with some slack.
    pub fn new(registry: &'r Registry, answers: &'r Answers, slack: Slack) -> Self {
        let of_crawler = |crawler: &Crawler| {
            let lists = registry.lists.iter().enumerate();
            let theirs = lists.filter(|(_, list)| {
                list.operator == crawler.operator && list.kind != ListKind::Proxy
            });
            theirs.map(|(place, list)| (place, list.is_for(&crawler.token))).collect()
        };
        let lists: Vec<Vec<(usize, bool)>> = registry.crawlers.iter().map(of_crawler).collect();
        let segments = |lists: &Vec<(usize, bool)>| {
            Segments::of(lists.iter().map(|&(place, _)| &registry.lists[place]))
        };
        let ranges: Vec<Index> = registry.lists.iter().map(Index::of).collect();
        Self {
            registry,
            answers,
            slack,
            segments: lists.iter().map(segments).collect(),
            lists,
            edges: edges(registry, &ranges),
            ranges,
        }
    }

    /// The recorded answers of DNS.
    pub fn answers(&self) -> &'r Answers {
        self.answers
    }

    /// The slack.
    pub fn slack(&self) -> Slack {
        self.slack
    }

    /// The standing of an address as a crawler, given by its position, at a moment.
    pub fn standing(&self, crawler: usize, address: Option<IpAddr>, at_s: i64) -> Standing {
        self.steps(crawler, address).at(at_s)
    }

    /// Where what is found of an address is kept, among the places for a crawler: addresses with the
    /// same place have the same standing over all time.
    #[inline]
    pub(super) fn place(&self, crawler: usize, address: IpAddr) -> usize {
        let dns = self.dns(crawler, address).map_or(0, |verdict| 1 + verdict as usize);
        self.segments[crawler].place(address) * (1 + DnsVerdict::ALL.len()) + dns
    }

    /// How many places there are for a crawler.
    pub(super) fn places(&self, crawler: usize) -> usize {
        self.segments[crawler].count() * (1 + DnsVerdict::ALL.len())
    }

    /// Whether an address is that of a proxy: the edge of a delivery network, or a private one.
    #[inline]
    pub(super) fn is_edge(&self, address: IpAddr) -> bool {
        let (segments, is_theirs) = &self.edges;
        is_theirs[segments.place(address)] || address::is_private(address)
    }

    /// The standing of an address as a crawler over all time.
    pub(super) fn steps(&self, crawler: usize, address: Option<IpAddr>) -> Steps {
        if self.registry.crawlers[crawler].is_control_only() {
            return always(Identity::Impersonated, Evidence::ControlOnly);
        }
        let Some(address) = address else {
            return always(Identity::Unverifiable, Evidence::Nothing);
        };
        let seen: Vec<Seen<'_>> = self.lists[crawler]
            .iter()
            .map(|&(place, is_own)| Seen {
                list: &self.registry.lists[place],
                is_own,
                ranges: self.ranges[place].holding(&self.registry.lists[place], address),
            })
            .collect();
        let dns = self.dns(crawler, address);
        let mut steps: Vec<Step> = Vec::new();
        for from_s in self.breaks(&seen) {
            let standing = self.judge(&seen, dns, from_s);
            if steps.last().is_none_or(|last| last.standing != standing) {
                steps.push(Step { from_s, standing });
            }
        }
        Steps(steps)
    }

    /// What DNS says of an address as a crawler whose operator documents names.
    #[inline]
    fn dns(&self, crawler: usize, address: IpAddr) -> Option<DnsVerdict> {
        if self.answers.is_empty() {
            return None;
        }
        let known = &self.registry.crawlers[crawler];
        self.answers.verdict(known, address).filter(|_| !known.domains.is_empty())
    }

    /// The moments at which a standing may change, in order; the first lies before all.
    fn breaks(&self, seen: &[Seen<'_>]) -> Vec<i64> {
        let mut breaks = vec![i64::MIN];
        for of_list in seen {
            let (from, until) = (of_list.list.known_from.unix(), of_list.list.known_until.unix());
            let Slack { near_s, list_s } = self.slack;
            breaks.extend([from - list_s, from, until + 1, until + list_s + 1]);
            breaks.extend(of_list.list.published_since.map(Stamp::unix));
            for &(from, to) in &of_list.ranges {
                breaks.extend([from - near_s, from, to, to.saturating_add(near_s)]);
            }
        }
        breaks.sort_unstable();
        breaks.dedup();
        breaks
    }

    /// The standing at a moment.
    fn judge(&self, seen: &[Seen<'_>], dns: Option<DnsVerdict>, at_s: i64) -> Standing {
        let standing = |identity, evidence| Standing { identity, evidence };
        let in_force = |of_list: &&Seen<'_>| {
            of_list.list.is_known_at(Stamp::from_unix(at_s), self.slack.list_s)
        };
        let own = |kind: ListKind| {
            seen.iter().filter(move |of_list| of_list.is_own && of_list.list.kind == kind)
        };
        let hits = |kind: ListKind| own(kind).filter(in_force).any(|of_list| of_list.holds(at_s));
        if hits(ListKind::Crawlers) {
            return standing(Identity::Genuine, Evidence::Crawlers);
        }
        if dns == Some(DnsVerdict::Confirmed) {
            return standing(Identity::Genuine, Evidence::ReverseDns);
        }
        let names_crawlers = own(ListKind::Crawlers).any(|of_list| in_force(&of_list));
        let is_operators = hits(ListKind::Operator);
        if is_operators && !names_crawlers {
            return standing(Identity::Genuine, Evidence::Operator);
        }
        let was_near = |of_list: &Seen<'_>| of_list.was_near(at_s, self.slack.near_s);
        let mut of_crawler = seen.iter().filter(|of_list| of_list.is_own).filter(in_force);
        let kind = |of_list: &Seen<'_>| evidence_of(of_list.list.kind);
        let is_specific =
            |of_list: &&Seen<'_>| !names_crawlers || of_list.list.kind == ListKind::Crawlers;
        if let Some(near) = of_crawler
            .clone()
            .filter(is_specific)
            .find(|of_list| !of_list.holds(at_s) && was_near(of_list))
        {
            return standing(Identity::Adjacent, kind(near));
        }
        let is_siblings = |of_list: &Seen<'_>| !of_list.is_own && of_list.holds(at_s);
        if is_operators || seen.iter().filter(in_force).any(is_siblings) {
            return standing(Identity::Sibling, Evidence::Operator);
        }
        if hits(ListKind::Network) {
            return standing(Identity::Genuine, Evidence::Network);
        }
        if let Some(of_list) = of_crawler.next() {
            return standing(Identity::Impersonated, kind(of_list));
        }
        match dns {
            Some(DnsVerdict::Contradicted) => {
                standing(Identity::Impersonated, Evidence::ReverseDns)
            }
            Some(_) => standing(Identity::Unverifiable, Evidence::ReverseDns),
            None if seen.iter().any(|of_list| of_list.is_own) => {
                standing(Identity::Unverifiable, Evidence::ListsDated)
            }
            None => standing(Identity::Unverifiable, Evidence::Nothing),
        }
    }
}

impl Seen<'_> {
    /// Whether the address stood in the list, judged at the nearest moment at which it is known.
    fn holds(&self, at_s: i64) -> bool {
        let at_s = at_s.clamp(self.list.known_from.unix(), self.list.known_until.unix());
        self.ranges.iter().any(|&(from, to)| from <= at_s && at_s < to)
    }

    /// Whether it stood there within the slack before or after.
    fn was_near(&self, at_s: i64, slack_s: i64) -> bool {
        self.ranges.iter().any(|&(from, to)| {
            from <= at_s.saturating_add(slack_s) && to > at_s.saturating_sub(slack_s)
        })
    }
}

/// A standing for all time.
fn always(identity: Identity, evidence: Evidence) -> Steps {
    let standing = Standing { identity, evidence };
    Steps(vec![Step { from_s: i64::MIN, standing }])
}

/// The addresses cut by the ranges of delivery networks, and which of these segments are theirs.
fn edges(registry: &Registry, ranges: &[Index]) -> (Segments, Vec<bool>) {
    let lists = || {
        let indexed = registry.lists.iter().zip(ranges);
        indexed.filter(|(list, _)| list.kind == ListKind::Proxy)
    };
    let is_theirs =
        |address: IpAddr| lists().any(|(list, index)| !index.holding(list, address).is_empty());
    let segments = Segments::of(lists().map(|(list, _)| list));
    let theirs = segments.firsts().map(is_theirs).collect();
    (segments, theirs)
}

/// What a list of a kind is as evidence.
fn evidence_of(kind: ListKind) -> Evidence {
    match kind {
        ListKind::Crawlers => Evidence::Crawlers,
        ListKind::Operator => Evidence::Operator,
        ListKind::Network | ListKind::Proxy => Evidence::Network,
    }
}

/// A list's ranges by family and length, so that the ranges that hold an address are found without
/// looking at all.
#[derive(Clone, Debug)]
struct Index(Vec<SameLength>);

/// The ranges of one family and length: their bits, in order, each with its place in the list.
#[derive(Clone, Debug)]
struct SameLength {
    is_ipv4: bool,
    length: u8,
    networks: Vec<(u128, usize)>,
}

impl Index {
    fn of(list: &RangeList) -> Self {
        let mut index: Vec<SameLength> = Vec::new();
        for (place, range) in list.ranges.iter().enumerate() {
            let (network, length) = (range.prefix.network(), range.prefix.length());
            let is_ipv4 = network.is_ipv4();
            let is_same = |same: &SameLength| (same.is_ipv4, same.length) == (is_ipv4, length);
            let at = index.iter().position(is_same).unwrap_or_else(|| {
                index.push(SameLength { is_ipv4, length, networks: Vec::new() });
                index.len() - 1
            });
            index[at].networks.push((bits(network), place));
        }
        index.iter_mut().for_each(|same| same.networks.sort_unstable());
        Self(index)
    }

    /// The validity of each range that holds an address: from, and until before.
    fn holding(&self, list: &RangeList, address: IpAddr) -> Vec<(i64, i64)> {
        let mut found = Vec::new();
        let (is_ipv4, bits) = (address.is_ipv4(), bits(address));
        let width = if is_ipv4 { 32 } else { 128 };
        for same in self.0.iter().filter(|same| same.is_ipv4 == is_ipv4) {
            let behind = u32::from(width - same.length);
            let network = bits.checked_shr(behind).map_or(0, |kept| kept << behind);
            let first = same.networks.partition_point(|&(known, _)| known < network);
            let equal = same.networks[first..].iter().take_while(|&&(known, _)| known == network);
            found.extend(equal.map(|&(_, place)| {
                let range = &list.ranges[place];
                let to = range.valid_to.map_or(i64::MAX, Stamp::unix);
                (range.valid_from.unix(), to)
            }));
        }
        found
    }
}

/// The bits of an address, from the right.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)),
        IpAddr::V6(address) => u128::from(address),
    }
}

#[cfg(test)]
mod tests;
