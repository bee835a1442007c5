//! The audit of blocks of lines: each line read, each claim judged, everything counted.
//!
//! What is the same for all is in [`Case`]; an [`Auditor`] has its own tallies and memories and shares
//! nothing, so that any number of them may work at once. Requests that claim nothing, most of a log,
//! are counted and left at once.

use crate::registry::Registry;
use crate::robots::Target;

use super::address;
use super::bounded::Merge as _;
use super::client::{Client, Proxies};
use super::format::{Layout, Reading};
use super::hash;
use super::history::host_name;
use super::identity::{Evidence, Identities, Identity, Standing};
use super::memo::{Claimed, Headers, Standings, hash_of};
use super::overlap::Copies;
use super::part::{Genuine, Once, Part};
use super::request::{Line, Request};
use super::ruling::{Ruling, Rulings, Verdict};
use super::seconds::Seconds;
use super::selection::Selection;
use super::tally::{Broken, Counted, Impersonator, OfFile, Place, Seen, Tally, Violation};
use super::waste::{Asked, Site, Yield};

/// Octets of a target that a table keeps.
const TARGET_OCTETS: usize = 512;

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

/// What is found of one claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Who made it.
    pub client: Client,
    /// What the claim is worth.
    pub standing: Standing,
    /// Whether the client is a proxy: the edge of a delivery network, or a private address.
    pub is_edge: bool,
    /// What the robots.txt says.
    pub ruling: Ruling,
    /// The position of the host's history.
    pub host: Option<usize>,
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
        let judged = Judged { client, standing, is_edge, ruling, host: self.host.2 };
        self.count(request, claim, &judged, &target, place);
        self.target = Some(target);
    }

    /// Counts a claim that has been judged.
    fn count(
        &mut self,
        request: &Request<'_>,
        claim: Claimed,
        judged: &Judged,
        target: &Target,
        place: Place,
    ) {
        let (identity, verdict) = (judged.standing.identity, judged.ruling.verdict);
        let seen = Seen::once(request.at_s, place);
        let of_crawler = &mut self.tally.crawlers[usize::from(claim.crawler)];
        of_crawler.identities[identity as usize] += 1;
        of_crawler.evidence[identity as usize][judged.standing.evidence as usize] += 1;
        of_crawler.verdicts[identity as usize][verdict as usize] += 1;
        of_crawler.mixed += u64::from(claim.is_mixed);
        of_crawler.edges += u64::from(judged.is_edge);
        merge_seen(&mut of_crawler.claimed, seen);
        if self.case.wants_questions && identity != Identity::Genuine {
            self.count_question(claim.crawler, judged, request.at_s, place);
        }
        let outcome = match identity {
            Identity::Genuine => {
                Some(self.count_genuine(request, claim.crawler, judged, target, place))
            }
            Identity::Impersonated => {
                self.count_impersonator(claim.crawler, judged, request.at_s, place);
                None
            }
            _ => None,
        };
        let genuine = outcome.map(|outcome| Genuine {
            verdict,
            outcome,
            hundred: hundred(request.status),
            octets: request.octets,
        });
        self.count_part(claim.crawler, Once { at_s: request.at_s, identity, genuine });
    }

    /// Counts a claim by day and by host.
    fn count_part(&mut self, crawler: u16, claim: Once) {
        let day = claim.at_s.div_euclid(86_400);
        let hash_of_day = hash::of_number(u64::from(crawler), day as u64);
        let part = self.tally.days.at(hash_of_day, || ((day, crawler), Part::default()));
        part.into_iter().for_each(|part| part.add(claim));
        let host = &self.host.1;
        let hash_of_host = hash::of(u64::from(crawler), host);
        let part = self
            .tally
            .hosts
            .at(hash_of_host, || ((host.clone().into_boxed_slice(), crawler), Part::default()));
        part.into_iter().for_each(|part| part.add(claim));
    }

    /// Counts what only a genuine request is asked about; returns what came of it.
    fn count_genuine(
        &mut self,
        request: &Request<'_>,
        crawler: u16,
        judged: &Judged,
        target: &Target,
        place: Place,
    ) -> Yield {
        let ruling = judged.ruling;
        let reasons = self.case.site.reasons(Asked {
            host: &self.host.1,
            target,
            verdict: ruling.verdict,
            status: request.status,
            octets: request.octets,
        });
        let outcome = reasons.first();
        let of_crawler = &mut self.tally.crawlers[usize::from(crawler)];
        of_crawler.statuses[hundred(request.status)] += 1;
        of_crawler.octets += request.octets;
        of_crawler.yields[outcome as usize] += 1;
        reasons.all().for_each(|reason| of_crawler.reasons[reason as usize] += 1);
        of_crawler.paths.add(hash::of(0, target.octets()));
        merge_seen(&mut of_crawler.genuine, Seen::once(request.at_s, place));
        if outcome == Yield::RobotsFetch {
            of_crawler.robots_fetches += 1;
            // What was answered is the version in force, if it was answered at all.
            if let (200 | 304, Some(version)) = (request.status, ruling.version) {
                let key = (crawler, version as u32);
                self.tally.informed.entry(key).or_default().fetched(request.at_s);
            }
        }
        if self.case.wants_gaps {
            let host = &self.host.1;
            let new = || ((crawler, host.clone().into_boxed_slice()), Seconds::default());
            let seconds = self.tally.gaps.at(hash::of(u64::from(crawler), host), new);
            seconds.into_iter().for_each(|seconds| seconds.add(request.at_s));
        }
        if ruling.verdict == Verdict::Disallowed {
            self.count_violation(request, crawler, judged, target, place);
        }
        outcome
    }

    /// Counts a violation.
    fn count_violation(
        &mut self,
        request: &Request<'_>,
        crawler: u16,
        judged: &Judged,
        target: &Target,
        place: Place,
    ) {
        let (Some(version), Some(host)) = (judged.ruling.version, judged.host) else { return };
        let at_s = request.at_s;
        let grace_s = self.case.grace_s;
        let rulings = &self.case.rulings;
        if rulings.was_allowed_within(host, usize::from(crawler), target, at_s, grace_s) {
            self.tally.crawlers[usize::from(crawler)].excused += 1;
        }
        let version = version as u32;
        let broken = Broken { crawler, version, line: judged.ruling.line };
        let none = || Counted::none(at_s, place);
        self.tally.broken.entry(broken).or_insert_with(none).add(at_s, place);
        self.tally.informed.entry((crawler, version)).or_default().broke(at_s);
        let rule = u64::from(version) << 32 | u64::from(judged.ruling.line.unwrap_or(0));
        let hash = hash::of(hash::of_number(u64::from(crawler), rule), &self.host.1);
        let hash = hash::of(hash, &request.target);
        let host = &self.host.1;
        let counted = self.tally.violations.at(hash, || {
            let octets = request.target.len().min(TARGET_OCTETS);
            let target = request.target[..octets].into();
            (Violation { broken, host: host.as_slice().into(), target }, none())
        });
        counted.into_iter().for_each(|counted| counted.add(at_s, place));
    }

    /// Counts a claim that is none of the crawler's.
    fn count_impersonator(&mut self, crawler: u16, judged: &Judged, at_s: i64, place: Place) {
        let Some(mut address) = judged.client.address else { return };
        if self.case.hides_addresses {
            address = address::network_address(address);
        }
        let evidence: Evidence = judged.standing.evidence;
        let hash = hash_of(crawler, address) ^ hash::of_number(0, evidence as u64);
        let counted = self
            .tally
            .impersonators
            .at(hash, || (Impersonator { crawler, address, evidence }, Counted::none(at_s, place)));
        counted.into_iter().for_each(|counted| counted.add(at_s, place));
    }

    /// Notes an address whose claim DNS could settle.
    fn count_question(&mut self, crawler: u16, judged: &Judged, at_s: i64, place: Place) {
        let Some(address) = judged.client.address else { return };
        let is_documented = !self.case.registry.crawlers[usize::from(crawler)].domains.is_empty();
        if is_documented && !self.case.identities.answers().knows(address) {
            let none = || (address, Counted::none(at_s, place));
            let counted = self.tally.questions.at(hash_of(0, address), none);
            counted.into_iter().for_each(|counted| counted.add(at_s, place));
        }
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

/// The place of a status among counts by hundreds.
#[inline]
fn hundred(status: u16) -> usize {
    usize::from(status / 100).min(5)
}

/// Widens what was seen.
fn merge_seen(known: &mut Option<Seen>, seen: Seen) {
    match known {
        Some(known) => known.merge(seen),
        None => *known = Some(seen),
    }
}
