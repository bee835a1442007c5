//! The audit of blocks of lines: each line read, each claim judged, everything counted.
//!
//! What is the same for all is in [`Case`]; an [`Auditor`] has its own tallies and memories and shares
//! nothing, so that any number of them may work at once. Requests that claim nothing, most of a log,
//! are counted and left at once.

mod counts;

use crate::registry::Registry;
use crate::robots::Target;

use super::bounded::Merge as _;
use super::client::{Client, Proxies};
use super::format::{Layout, Reading};
use super::history::host_name;
use super::identity::{Identities, Standing};
use super::memo::{Claimed, Headers, Standings};
use super::overlap::Copies;
use super::request::{Line, Request};
use super::ruling::{Ruling, Rulings, Verdict};
use super::selection::Selection;
use super::tally::{OfFile, Place, Tally};
use super::waste::Site;

/// Everything by which requests are judged.
pub struct Case<'r> {
    /// The crawlers.
    pub registry: &'r Registry,
    /// Who may speak for others.
    pub proxies: &'r Proxies,
    /// What claims are worth.
    pub identities: Identities<'r>,
    /// What the robots.txt in force says.
    pub rulings: Rulings<'r>,
    /// What the owner says of the site.
    pub site: &'r Site,
    /// The host of requests whose log names none.
    pub host: Option<Vec<u8>>,
    /// Seconds for which an older version excuses.
    pub grace_s: i64,
    /// Whether addresses that DNS could tell more about are asked for.
    pub wants_questions: bool,
    /// Whether gaps between requests are asked for.
    pub wants_gaps: bool,
    /// Whether networks stand for addresses, so that findings can be shared.
    pub hides_addresses: bool,
    /// Which requests are looked at.
    pub selection: Selection,
    /// Which copies of lines are left out.
    pub copies: Option<Copies>,
}

/// A claim, and what is found of it.
struct Judged<'a> {
    request: &'a Request<'a>,
    claim: Claimed,
    /// Where it stands.
    place: Place,
    /// Who made it.
    client: Client,
    /// What the claim is worth.
    standing: Standing,
    /// Whether the client is a proxy: the edge of a delivery network, or a private address.
    is_edge: bool,
    /// What was asked for, in the form in which it is compared.
    target: Target,
    /// What the robots.txt says.
    ruling: Ruling,
}

/// A block of whole lines of one file.
#[derive(Clone, Copy, Debug)]
pub struct Block<'b> {
    /// The file by its position.
    pub file: u32,
    /// The number of the first line, counted from 1.
    pub first_line: u64,
    /// The lines, each with its end but perhaps the last.
    pub octets: &'b [u8],
}

/// One worker of an audit.
pub struct Auditor<'c, 'r> {
    case: &'c Case<'r>,
    headers: Headers,
    standings: Standings,
    /// The last host that was seen, as it was written, its name and its history.
    host: (Vec<u8>, Vec<u8>, Option<usize>),
    /// The last clock that was seen, by its minutes before UTC, and requests of it not yet counted.
    offset: (Option<i16>, u64),
    /// The last target, whose room the next one takes.
    target: Option<Target>,
    tally: Tally,
}

impl<'c, 'r> Auditor<'c, 'r> {
    /// A worker that has counted nothing.
    pub fn new(case: &'c Case<'r>, files: usize) -> Self {
        let tally = Tally::new(files, case.registry.crawlers.len());
        let none = Vec::new();
        let name = case.host.clone().unwrap_or_default();
        let history = case.rulings.history().host(&name);
        let (headers, standings) = (Headers::new(), Standings::new(case.registry.crawlers.len()));
        let (host, offset) = ((none, name, history), (None, 0));
        Self { case, headers, standings, host, offset, target: None, tally }
    }

    /// What was counted.
    pub fn finish(mut self) -> Tally {
        self.settle_offset();
        self.tally
    }

    /// Audits a block.
    pub fn audit(&mut self, block: Block<'_>, layout: &Layout, reading: &mut Reading) {
        let mut place = Place { file: block.file, line: block.first_line };
        let mut rest = block.octets;
        let mut counts = OfFile::default();
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest);
            let line = &rest[..end.unwrap_or(rest.len())];
            rest = end.map_or(&[][..], |end| &rest[end + 1..]);
            counts.lines += 1;
            match &layout.read(line, reading) {
                Line::Request(request) => {
                    counts.parsed += 1;
                    counts.at(request.at_s);
                    let is_copy =
                        self.case.copies.as_ref().is_some_and(|copies| {
                            copies.leaves_out(block.file, request.at_s, line)
                        });
                    if is_copy {
                        counts.repeated += 1;
                    } else {
                        self.request(request, place);
                    }
                }
                Line::Blank => counts.blank += 1,
                Line::Directive => counts.directives += 1,
                &Line::Rejected(rejection) => {
                    counts.rejected[rejection as usize] += 1;
                    let shown = if self.case.hides_addresses { &[] } else { line };
                    self.tally.sample(rejection, place, shown);
                }
            }
            place.line += 1;
        }
        self.tally.files[block.file as usize].merge(counts);
    }

    /// Counts a request.
    #[inline]
    fn request(&mut self, request: &Request<'_>, place: Place) {
        let selection = &self.case.selection;
        if selection.since_s.is_some_and(|since| request.at_s < since)
            || selection.until_s.is_some_and(|until| request.at_s >= until)
        {
            return;
        }
        if selection.host.is_some() {
            self.find_host(request);
            if selection.host.as_ref() != Some(&self.host.1) {
                return;
            }
        }
        self.tally.requests += 1;
        self.tally.octets += request.octets;
        self.tally.unnamed += u64::from(request.user_agent.is_empty());
        self.count_offset(request.offset_minutes);
        self.tally.ambiguous_times += u64::from(request.again_s.is_some());
        let plain = || request.plain_user_agent();
        let claim = self.headers.claimed(self.case.registry, &request.user_agent, plain);
        let Some(claim) = claim else { return };
        if selection.crawlers.as_ref().is_none_or(|of| of.binary_search(&claim.crawler).is_ok()) {
            self.claim(request, claim, place);
        }
    }

    /// Counts the clock of a request, which is nearly always that of the last one.
    #[inline]
    fn count_offset(&mut self, offset: Option<i16>) {
        if self.offset.0 != offset {
            self.settle_offset();
            self.offset.0 = offset;
        }
        self.offset.1 += 1;
    }

    /// Adds the requests of the last clock to those of that clock.
    fn settle_offset(&mut self) {
        let (offset, requests) = self.offset;
        if requests > 0 {
            *self.tally.offsets.entry(offset).or_default() += requests;
            self.offset.1 = 0;
        }
    }

    /// Judges and counts a claim.
    fn claim(&mut self, request: &Request<'_>, claim: Claimed, place: Place) {
        self.find_host(request);
        let client = self.case.proxies.client(request);
        let (standing, is_edge) = match client.address {
            Some(address) => {
                let identities = &self.case.identities;
                let at_s = request.at_s;
                let standing = self.standings.at(identities, claim.crawler, address, at_s);
                (standing, identities.is_edge(address))
            }
            None => {
                let crawler = usize::from(claim.crawler);
                (self.case.identities.standing(crawler, None, request.at_s), false)
            }
        };
        let written = request.plain_target();
        let has_target = can_be_ruled(&written);
        let target = match self.target.take() {
            Some(last) => last.renewed(&written),
            None => Target::new(&written),
        };
        let ruling = if has_target {
            let crawler = usize::from(claim.crawler);
            self.case.rulings.rule_of(self.host.2, crawler, &target, request)
        } else {
            Ruling::none(Verdict::NoTarget)
        };
        self.tally.bases[client.basis as usize] += 1;
        let judged = Judged { request, claim, place, client, standing, is_edge, target, ruling };
        self.count(&judged);
        self.target = Some(judged.target);
    }

    /// Finds the host that was asked: the one of an absolute target, or the log's, or the one that the
    /// caller states.
    #[inline]
    fn find_host(&mut self, request: &Request<'_>) {
        let written = written_host(request);
        // Most logs name no host, and some C libraries compare two texts of no octets a hundred times
        // more slowly than others, since what is empty has no address that could be read.
        let known = self.host.0.as_slice();
        if written.len() == known.len() && (written.is_empty() || written == known) {
            return;
        }
        let name = match (written, &self.case.host) {
            ([], Some(stated)) => stated.clone(),
            (written, _) => host_name(written),
        };
        let history = self.case.rulings.history().host(&name);
        self.host = (written.to_vec(), name, history);
    }
}

/// Whether a target names something that a robots.txt could rule: a path, or a URL.
pub(super) fn can_be_ruled(target: &[u8]) -> bool {
    target.first() == Some(&b'/') || memchr::memmem::find(target, b"://").is_some()
}

/// The host of a request as it was written; empty where there is none.
pub(super) fn written_host<'a>(request: &'a Request<'_>) -> &'a [u8] {
    let target = &*request.target;
    if target.first() == Some(&b'/') || target.len() < 8 {
        return &request.host;
    }
    match memchr::memmem::find(target, b"://") {
        // RFC 9112, 3.2.2: the host of an absolute target counts, whatever the header says.
        Some(at) if at <= 5 => {
            let rest = &target[at + 3..];
            &rest[..memchr::memchr2(b'/', b'?', rest).unwrap_or(rest.len())]
        }
        _ => &request.host,
    }
}
