//! What is counted of a claim that has been judged: by crawler, day, host, rule, path and address.

use super::{Auditor, Judged};
use crate::logs::address;
use crate::logs::bounded::Merge as _;
use crate::logs::hash;
use crate::logs::identity::{Evidence, Identity};
use crate::logs::memo::hash_of;
use crate::logs::part::{Genuine, Once, Part};
use crate::logs::ruling::Verdict;
use crate::logs::seconds::Seconds;
use crate::logs::tally::{Broken, Counted, Impersonator, Seen, Violation};
use crate::logs::waste::{Asked, Yield};

/// Octets of a target that a table keeps.
const TARGET_OCTETS: usize = 512;

impl Auditor<'_, '_> {
    /// Counts a claim that has been judged.
    pub(super) fn count(&mut self, judged: &Judged<'_>) {
        let &Judged { request, claim, .. } = judged;
        let (identity, verdict) = (judged.standing.identity, judged.ruling.verdict);
        let seen = Seen::once(request.at_s, judged.place);
        let of_crawler = &mut self.tally.crawlers[usize::from(claim.crawler)];
        of_crawler.identities[identity as usize] += 1;
        of_crawler.evidence[identity as usize][judged.standing.evidence as usize] += 1;
        of_crawler.verdicts[identity as usize][verdict as usize] += 1;
        of_crawler.mixed += u64::from(claim.is_mixed);
        of_crawler.edges += u64::from(judged.is_edge);
        merge_seen(&mut of_crawler.claimed, seen);
        if self.case.wants_questions && identity != Identity::Genuine {
            self.count_question(judged);
        }
        let outcome = match identity {
            Identity::Genuine => Some(self.count_genuine(judged)),
            Identity::Impersonated => {
                self.count_impersonator(judged);
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
    fn count_genuine(&mut self, judged: &Judged<'_>) -> Yield {
        let &Judged { request, ref target, ruling, .. } = judged;
        let crawler = judged.claim.crawler;
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
        merge_seen(&mut of_crawler.genuine, Seen::once(request.at_s, judged.place));
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
            self.count_violation(judged);
        }
        outcome
    }

    /// Counts a violation.
    fn count_violation(&mut self, judged: &Judged<'_>) {
        let &Judged { request, place, ref target, .. } = judged;
        let (Some(version), Some(host)) = (judged.ruling.version, self.host.2) else { return };
        let (crawler, at_s) = (judged.claim.crawler, request.at_s);
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
    fn count_impersonator(&mut self, judged: &Judged<'_>) {
        let (crawler, at_s, place) = (judged.claim.crawler, judged.request.at_s, judged.place);
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
    fn count_question(&mut self, judged: &Judged<'_>) {
        let (crawler, at_s, place) = (judged.claim.crawler, judged.request.at_s, judged.place);
        let Some(address) = judged.client.address else { return };
        let is_documented = !self.case.registry.crawlers[usize::from(crawler)].domains.is_empty();
        if is_documented && !self.case.identities.answers().knows(address) {
            let none = || (address, Counted::none(at_s, place));
            let counted = self.tally.questions.at(hash_of(0, address), none);
            counted.into_iter().for_each(|counted| counted.add(at_s, place));
        }
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
