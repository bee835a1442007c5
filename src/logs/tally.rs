//! What is counted, in pieces that add up in any order: sums, least and greatest, and bounded tables.

use std::collections::BTreeMap;

use super::bounded::{Bounded, Distinct, Merge};
use super::client::ClientBasis;
use super::identity::{Evidence, Identity};
use super::part::Part;
use super::request::Rejection;
use super::ruling::Verdict;
use super::seconds::Informed;
use super::waste::Yield;
use crate::words::Word as _;

/// Rows that tables of days, hosts, addresses and paths keep.
pub(super) const ROWS_MOST: usize = 20_000;

/// Pairs of crawler and host whose gaps are measured.
const GAPS_MOST: usize = 1_024;

/// Samples of each reason for rejecting a line.
const SAMPLES_MOST: usize = 3;

/// Octets of a line that a sample shows.
const SAMPLE_OCTETS: usize = 240;

/// Members of a closed list.
pub(super) const IDENTITIES: usize = Identity::ALL.len();
pub(super) const VERDICTS: usize = Verdict::ALL.len();

/// A place in the logs: the file by its position, and the line counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: u32,
    /// The line.
    pub line: u64,
}

/// When something was seen first and last, in seconds, and where first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The first time, and where.
    pub first: (i64, Place),
    /// The last time.
    pub last_s: i64,
}

impl Seen {
    /// Seen once.
    pub(super) fn once(at_s: i64, place: Place) -> Self {
        Self { first: (at_s, place), last_s: at_s }
    }
}

impl Merge for Seen {
    fn merge(&mut self, other: Self) {
        self.first = self.first.min(other.first);
        self.last_s = self.last_s.max(other.last_s);
    }
}

/// What was seen so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    /// How often.
    pub count: u64,
    /// When.
    pub seen: Seen,
}

impl Counted {
    /// Not counted yet, but about to be.
    pub(super) fn none(at_s: i64, place: Place) -> Self {
        Self { count: 0, seen: Seen::once(at_s, place) }
    }

    /// Counts once more.
    pub(super) fn add(&mut self, at_s: i64, place: Place) {
        self.count += 1;
        self.seen.merge(Seen::once(at_s, place));
    }
}

impl Merge for Counted {
    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.seen.merge(other.seen);
    }
}

/// Counts that add up member by member.
impl<const N: usize> Merge for [u64; N] {
    fn merge(&mut self, other: Self) {
        self.iter_mut().zip(other).for_each(|(sum, count)| *sum += count);
    }
}

/// Adds a value that may be missing on either side.
fn merge_some<T: Merge>(one: &mut Option<T>, other: Option<T>) {
    match (one.as_mut(), other) {
        (Some(one), Some(other)) => one.merge(other),
        (None, other @ Some(_)) => *one = other,
        (_, None) => {}
    }
}

/// What is counted of one crawler.
#[derive(Clone, Debug, Default)]
pub(super) struct OfCrawler {
    pub(super) identities: [u64; IDENTITIES],
    /// What identities rest on.
    pub(super) evidence: [[u64; Evidence::ALL.len()]; IDENTITIES],
    /// Verdicts by identity.
    pub(super) verdicts: [[u64; VERDICTS]; IDENTITIES],
    /// Claims of headers that name crawlers of several operators.
    pub(super) mixed: u64,
    /// Claims from the edge of a delivery network, or from a private address, that is not trusted.
    pub(super) edges: u64,
    /// Genuine violations that a version of the last hours excuses.
    pub(super) excused: u64,
    /// Of genuine requests: statuses by their hundreds, 0 for none.
    pub(super) statuses: [u64; 6],
    pub(super) octets: u64,
    /// What came of them, the first that holds of each.
    pub(super) yields: [u64; Yield::ALL.len()],
    /// All that holds of them.
    pub(super) reasons: [u64; Yield::ALL.len()],
    pub(super) paths: Distinct,
    pub(super) robots_fetches: u64,
    pub(super) claimed: Option<Seen>,
    pub(super) genuine: Option<Seen>,
}

impl Merge for OfCrawler {
    fn merge(&mut self, other: Self) {
        self.identities.merge(other.identities);
        for (sum, counts) in self.evidence.iter_mut().zip(other.evidence) {
            sum.merge(counts);
        }
        for (sum, counts) in self.verdicts.iter_mut().zip(other.verdicts) {
            sum.merge(counts);
        }
        self.mixed += other.mixed;
        self.edges += other.edges;
        self.excused += other.excused;
        self.statuses.merge(other.statuses);
        self.octets += other.octets;
        self.yields.merge(other.yields);
        self.reasons.merge(other.reasons);
        self.paths.merge(other.paths);
        self.robots_fetches += other.robots_fetches;
        merge_some(&mut self.claimed, other.claimed);
        merge_some(&mut self.genuine, other.genuine);
    }
}

/// A span of time that holds another one too.
pub(super) fn wider(span: Option<(i64, i64)>, (first, last): (i64, i64)) -> (i64, i64) {
    span.map_or((first, last), |known| (known.0.min(first), known.1.max(last)))
}

/// What is counted of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OfFile {
    /// Lines, whatever they are.
    pub lines: u64,
    /// Requests.
    pub parsed: u64,
    /// Lines of nothing.
    pub blank: u64,
    /// Headers, comments, and records about something else.
    pub directives: u64,
    /// Lines that are none of these, by reason.
    pub rejected: [u64; Rejection::ALL.len()],
    /// Copies of lines that another file has, where they are left out.
    pub repeated: u64,
    /// The first and last moment of its requests.
    pub span: Option<(i64, i64)>,
}

impl OfFile {
    /// Lines that were rejected, for whatever reason.
    pub(super) fn rejections(&self) -> u64 {
        self.rejected.iter().sum()
    }

    /// Counts a moment.
    #[inline]
    pub(super) fn at(&mut self, at_s: i64) {
        self.span = Some(wider(self.span, (at_s, at_s)));
    }
}

impl Merge for OfFile {
    fn merge(&mut self, other: Self) {
        self.lines += other.lines;
        self.parsed += other.parsed;
        self.blank += other.blank;
        self.directives += other.directives;
        self.rejected.merge(other.rejected);
        self.repeated += other.repeated;
        if let Some(other) = other.span {
            self.span = Some(wider(self.span, other));
        }
    }
}

/// A rejected line that is shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sample {
    /// Where it stands.
    pub place: Place,
    /// Its first octets.
    pub line: Vec<u8>,
}

/// The rule that was broken: by whom, in which version, on which line; no line where there was no
/// file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Broken {
    /// The crawler by its position in the registry.
    pub crawler: u16,
    /// The version by its place among all.
    pub version: u32,
    /// The line of the rule.
    pub line: Option<u32>,
}

/// A path that was asked for against a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Violation {
    /// The rule and who broke it.
    pub broken: Broken,
    /// The host; empty where the log has none.
    pub host: Box<[u8]>,
    /// The target, as it was logged; its first octets where it is long.
    pub target: Box<[u8]>,
}

/// An address that claimed to be a crawler and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Impersonator {
    /// The crawler by its position in the registry.
    pub crawler: u16,
    /// The address.
    pub address: std::net::IpAddr,
    /// What says so.
    pub evidence: Evidence,
}

/// Everything that is counted.
#[derive(Clone, Debug)]
pub struct Tally {
    pub(super) files: Vec<OfFile>,
    /// Requests that were looked at: all, but for those outside of the period or the hosts asked for.
    pub(super) requests: u64,
    pub(super) octets: u64,
    /// Requests without a user-agent header.
    pub(super) unnamed: u64,
    pub(super) bases: [u64; ClientBasis::ALL.len()],
    /// Requests whose time happened twice, without saying which it was.
    pub(super) ambiguous_times: u64,
    /// Requests by minutes of their clock before UTC.
    pub(super) offsets: BTreeMap<Option<i16>, u64>,
    pub(super) crawlers: Vec<OfCrawler>,
    pub(super) days: Bounded<(i64, u16), Part>,
    pub(super) hosts: Bounded<(Box<[u8]>, u16), Part>,
    pub(super) violations: Bounded<Violation, Counted>,
    pub(super) broken: BTreeMap<Broken, Counted>,
    pub(super) impersonators: Bounded<Impersonator, Counted>,
    /// Addresses that DNS could tell more about, where that is asked for.
    pub(super) questions: Bounded<std::net::IpAddr, Counted>,
    /// By crawler and version.
    pub(super) informed: BTreeMap<(u16, u32), Informed>,
    /// Times of genuine requests by crawler and host, where gaps are asked for.
    pub(super) gaps: Bounded<(u16, Box<[u8]>), super::seconds::Seconds>,
    pub(super) samples: BTreeMap<Rejection, Vec<Sample>>,
}

impl Tally {
    /// Nothing counted, of so many files and crawlers.
    pub fn new(files: usize, crawlers: usize) -> Self {
        Self {
            files: vec![OfFile::default(); files],
            requests: 0,
            octets: 0,
            unnamed: 0,
            bases: [0; ClientBasis::ALL.len()],
            ambiguous_times: 0,
            offsets: BTreeMap::new(),
            crawlers: vec![OfCrawler::default(); crawlers],
            days: Bounded::new(ROWS_MOST),
            hosts: Bounded::new(ROWS_MOST),
            violations: Bounded::new(ROWS_MOST),
            broken: BTreeMap::new(),
            impersonators: Bounded::new(ROWS_MOST),
            questions: Bounded::new(ROWS_MOST),
            informed: BTreeMap::new(),
            gaps: Bounded::new(GAPS_MOST),
            samples: BTreeMap::new(),
        }
    }

    /// Keeps a rejected line as a sample, if it is one of the first.
    pub(super) fn sample(&mut self, rejection: Rejection, place: Place, line: &[u8]) {
        let samples = self.samples.entry(rejection).or_default();
        let is_wanted =
            samples.len() < SAMPLES_MOST || samples.last().is_some_and(|last| place < last.place);
        if is_wanted {
            let line = line[..line.len().min(SAMPLE_OCTETS)].to_vec();
            samples.push(Sample { place, line });
            samples.sort_unstable();
            samples.truncate(SAMPLES_MOST);
        }
    }

    /// The first and last moment of each file's requests.
    pub fn spans(&self) -> Vec<Option<(i64, i64)>> {
        self.files.iter().map(|file| file.span).collect()
    }

    /// The addresses that DNS could tell more about, in order, and how many there are in all.
    pub fn questions(&self) -> (Vec<std::net::IpAddr>, u64) {
        let kept = self.questions.clone().finish();
        (kept.entries.into_iter().map(|(address, _)| address).collect(), kept.distinct)
    }

    /// Adds another tally of the same files and crawlers.
    pub fn merge(&mut self, other: Self) {
        for (sum, counts) in self.files.iter_mut().zip(other.files) {
            sum.merge(counts);
        }
        self.requests += other.requests;
        self.octets += other.octets;
        self.unnamed += other.unnamed;
        self.ambiguous_times += other.ambiguous_times;
        self.bases.merge(other.bases);
        for (offset, count) in other.offsets {
            *self.offsets.entry(offset).or_default() += count;
        }
        for (sum, counts) in self.crawlers.iter_mut().zip(other.crawlers) {
            sum.merge(counts);
        }
        self.days.merge(other.days);
        self.hosts.merge(other.hosts);
        self.violations.merge(other.violations);
        merge_maps(&mut self.broken, other.broken);
        self.impersonators.merge(other.impersonators);
        self.questions.merge(other.questions);
        merge_maps(&mut self.informed, other.informed);
        self.gaps.merge(other.gaps);
        for (rejection, samples) in other.samples {
            for sample in samples {
                self.sample(rejection, sample.place, &sample.line);
            }
        }
    }
}

/// Adds a map, key by key.
fn merge_maps<K: Ord, V: Merge>(sum: &mut BTreeMap<K, V>, other: BTreeMap<K, V>) {
    for (key, value) in other {
        match sum.entry(key) {
            std::collections::btree_map::Entry::Occupied(mut entry) => entry.get_mut().merge(value),
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(value);
            }
        }
    }
}
