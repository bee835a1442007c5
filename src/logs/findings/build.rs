//! Tallies → findings.

use std::collections::BTreeMap;

use crate::logs::address;
use crate::logs::auditor::Case;
use crate::logs::bounded::{Bounded, Merge};
use crate::logs::client::ClientBasis;
use crate::logs::identity::Identity;
use crate::logs::overlap::Shared;
use crate::logs::part::Part;
use crate::logs::request::Rejection;
use crate::logs::ruling::Verdict;
use crate::logs::seconds::Gaps;
use crate::logs::tally::{Broken, Counted, Place, Tally};
use crate::stamp::Stamp;

use super::crawlers::{Beside, named};
use super::rows::*;
use super::{
    CrawlerFindings, FileFound, FileName, Findings, GroupFindings, LinesFound, OverlapFound,
    OverlapPair, RequestsFound, Terms, TermsFound,
};

/// The word for crawlers that no source places.
const UNPLACED: &str = "unplaced";

impl Findings {
    /// What was found: the tallies of a case over files, and what the files share.
    pub fn of(
        case: &Case<'_>,
        tally: Tally,
        files: &[FileName],
        overlap: Option<&Shared>,
        terms: Terms,
    ) -> Self {
        let (mut informed, mut fetched) = (BTreeMap::<u16, u64>::new(), BTreeMap::new());
        for ((crawler, version), of_version) in tally.informed {
            let (first_s, after, _) = of_version.finish();
            *informed.entry(crawler).or_default() += after;
            fetched.extend(first_s.map(|first_s| ((crawler, version), first_s)));
        }
        let named_files = Names { case, files, fetched };
        let mut gaps: BTreeMap<u16, Gaps> = BTreeMap::new();
        let gaps_kept = tally.gaps.finish();
        let mut notes = case.rulings.history().remarks();
        if gaps_kept.is_cut {
            notes.push(format!(
                "gaps between requests were measured on a sample of about {} pairs of crawler and host",
                gaps_kept.distinct
            ));
        }
        for ((crawler, host), seconds) in gaps_kept.entries {
            let delay_s = |at_s| named_files.crawl_delay_s(crawler, &host, at_s);
            let found = Gaps::of(&seconds.in_order(), delay_s);
            gaps.entry(crawler).or_default().merge(found);
        }
        let mut crawlers: Vec<CrawlerFindings> = Vec::new();
        for (position, of) in (0_u16..).zip(tally.crawlers) {
            if of.identities.iter().all(|count| *count == 0) {
                continue;
            }
            let beside = Beside {
                informed: informed.get(&position).copied().unwrap_or(0),
                gaps: gaps.get(&position).copied().filter(|gaps| gaps.gaps > 0),
            };
            let crawler = &case.registry.crawlers[usize::from(position)];
            crawlers.push(CrawlerFindings::of(crawler, of, beside, terms));
        }
        crawlers.sort_by(|a, b| b.claims.cmp(&a.claims).then_with(|| a.token.cmp(&b.token)));
        let purpose = |of: &CrawlerFindings| of.purpose.clone().unwrap_or(UNPLACED.to_owned());
        let claims = crawlers.iter().map(|of| of.claims).sum();
        let offsets = tally.offsets.into_iter().map(|(offset, count)| (offset_word(offset), count));
        Self {
            terms: terms_found(case, terms),
            lines: lines(&tally.files),
            files: named_files.files(&tally.files),
            overlap: overlap.map(|shared| named_files.overlap(shared)),
            requests: RequestsFound {
                requests: tally.requests,
                claims,
                octets: tally.octets,
                without_user_agent: tally.unnamed,
                client_bases: named::<ClientBasis, _>(&tally.bases),
                clock_offsets: offsets.collect(),
                ambiguous_times: tally.ambiguous_times,
            },
            purposes: GroupFindings::by(&crawlers, purpose),
            operators: GroupFindings::by(&crawlers, |of| of.operator.clone()),
            crawlers,
            days: table(tally.days, |(day, crawler), part| named_files.day(day, crawler, &part)),
            hosts: table(tally.hosts, |(host, crawler), part| {
                named_files.host(&host, crawler, &part)
            }),
            rules: named_files.rules(tally.broken),
            violations: table(tally.violations, |violation, counted| ViolationRow {
                token: named_files.token(violation.broken.crawler),
                host: text(&violation.host),
                target: text(&violation.target),
                decoded: decoded(&violation.target),
                version_from: named_files.version_from(violation.broken),
                line: violation.broken.line,
                rule: named_files.rule(violation.broken),
                version_fetched: named_files.version_fetched(violation.broken),
                count: counted.count,
                first: stamp(counted.seen.first.0),
                last: stamp(counted.seen.last_s),
                example: named_files.place(counted.seen.first.1),
            }),
            impersonators: table(tally.impersonators, |who, counted| ImpersonatorRow {
                token: named_files.token(who.crawler),
                address: match case.hides_addresses {
                    true => address::network(who.address),
                    false => who.address.to_string(),
                },
                network: address::network(who.address),
                evidence: who.evidence.to_string(),
                count: counted.count,
                first: stamp(counted.seen.first.0),
                last: stamp(counted.seen.last_s),
                example: named_files.place(counted.seen.first.1),
            }),
            versions: named_files.versions(),
            samples: tally
                .samples
                .into_iter()
                .flat_map(|(reason, samples)| {
                    samples.into_iter().map(move |sample| (reason, sample))
                })
                .map(|(reason, sample)| SampleRow {
                    reason: reason.to_string(),
                    file: named_files.file(sample.place.file),
                    line: sample.place.line,
                    text: text(&sample.line),
                })
                .collect(),
            notes,
        }
    }
}

/// What was judged by, for a reader.
fn terms_found(case: &Case<'_>, terms: Terms) -> TermsFound {
    let selection = &case.selection;
    let tokens = |crawlers: &Vec<u16>| {
        crawlers
            .iter()
            .map(|&position| case.registry.crawlers[usize::from(position)].token.clone())
            .collect()
    };
    let newest = case.registry.lists.iter().map(|list| list.known_until).max();
    TermsFound {
        judgement: terms.judgement.to_string(),
        grace_hours: case.grace_s / 3_600,
        range_slack_days: case.identities.slack().near_s / 86_400,
        list_slack_days: case.identities.slack().list_s / 86_400,
        ranges_until: newest.map(|newest| newest.to_string()),
        robots_hosts: case.rulings.history().hosts.len(),
        sitemap_urls: case.site.listed.as_ref().map(crate::logs::Listing::len),
        non_canonical_urls: case.site.non_canonical.len(),
        trusts_proxies: !case.proxies.is_empty(),
        hides_addresses: case.hides_addresses,
        since: selection.since_s.map(stamp),
        until: selection.until_s.map(stamp),
        crawlers: selection.crawlers.as_ref().map(tokens),
        host: selection.host.as_ref().map(|host| text(host)),
    }
}

/// The lines of all files.
fn lines(files: &[crate::logs::tally::OfFile]) -> LinesFound {
    let mut lines = LinesFound::default();
    let mut rejected = [0; <Rejection as crate::words::Word>::ALL.len()];
    for file in files {
        lines.lines += file.lines;
        lines.parsed += file.parsed;
        lines.blank += file.blank;
        lines.directives += file.directives;
        lines.rejected += file.rejections();
        lines.repeated += file.repeated;
        rejected.merge(file.rejected);
    }
    lines.reasons = named::<Rejection, _>(&rejected);
    lines
}

/// A bounded table as rows.
fn table<K: Ord, V: Merge, R>(table: Bounded<K, V>, row: impl Fn(K, V) -> R) -> Table<R> {
    let kept = table.finish();
    let rows = kept.entries.into_iter().map(|(key, value)| row(key, value)).collect();
    Table { distinct: kept.distinct, is_cut: kept.is_cut, rows }
}

/// What positions stand for.
struct Names<'a, 'r> {
    case: &'a Case<'r>,
    files: &'a [FileName],
    /// When a crawler is first known to have fetched a version.
    fetched: BTreeMap<(u16, u32), i64>,
}

impl Names<'_, '_> {
    fn token(&self, crawler: u16) -> String {
        self.case.registry.crawlers[usize::from(crawler)].token.clone()
    }

    fn file(&self, file: u32) -> String {
        self.files.get(file as usize).map_or(String::new(), |file| file.name.clone())
    }

    fn place(&self, place: Place) -> String {
        format!("{}:{}", self.file(place.file), place.line)
    }

    fn day(&self, day: i64, crawler: u16, part: &Part) -> DayRow {
        DayRow {
            day: format!("{:#}", Stamp::from_unix(day * 86_400)),
            token: self.token(crawler),
            counts: counts(part),
        }
    }

    fn host(&self, host: &[u8], crawler: u16, part: &Part) -> HostRow {
        HostRow {
            host: text(host),
            token: self.token(crawler),
            counts: counts(part),
            first: part.span.map_or(String::new(), |(first, _)| stamp(first)),
            last: part.span.map_or(String::new(), |(_, last)| stamp(last)),
        }
    }

    /// When a crawler is first known to have fetched the version whose rule it broke.
    fn version_fetched(&self, broken: Broken) -> Option<String> {
        self.fetched.get(&(broken.crawler, broken.version)).copied().map(stamp)
    }

    /// The broken rules, the most often broken first.
    fn rules(&self, broken: BTreeMap<Broken, Counted>) -> Vec<RuleRow> {
        let mut rules: Vec<RuleRow> = broken
            .into_iter()
            .map(|(broken, counted)| {
                let found = self.case.rulings.history().version(broken.version as usize);
                RuleRow {
                    token: self.token(broken.crawler),
                    host: found.map_or(String::new(), |found| found.host.host.clone()),
                    version_from: self.version_from(broken),
                    file: found.map_or(String::new(), |found| found.version.file.clone()),
                    line: broken.line,
                    rule: self.rule(broken),
                    version_fetched: self.version_fetched(broken),
                    count: counted.count,
                    first: stamp(counted.seen.first.0),
                    last: stamp(counted.seen.last_s),
                    example: self.place(counted.seen.first.1),
                }
            })
            .collect();
        rules.sort_by_key(|rule| std::cmp::Reverse(rule.count));
        rules
    }

    /// The moment from which the version of a broken rule was in force.
    fn version_from(&self, broken: Broken) -> String {
        let found = self.case.rulings.history().version(broken.version as usize);
        found.map_or(String::new(), |found| from_of(found.version.from_s).unwrap_or_default())
    }

    /// The rule as it is written, or why there is none.
    fn rule(&self, broken: Broken) -> String {
        let found = self.case.rulings.history().version(broken.version as usize);
        let robots = found.and_then(|found| found.version.robots.as_ref());
        match (robots, broken.line) {
            (Some(robots), Some(line)) => text(robots.line_text(line)),
            _ => "(the file could not be had: everything is disallowed)".to_owned(),
        }
    }

    /// The Crawl-delay of a crawler on a host at a moment, in seconds.
    fn crawl_delay_s(&self, crawler: u16, host: &[u8], at_s: i64) -> Option<f64> {
        let history = self.case.rulings.history();
        let found = history.at(history.host(host)?, at_s)?;
        let governed = self.case.rulings.governed(found, usize::from(crawler))?;
        found.version.robots.as_ref()?.crawl_delay_s(&governed.governing)
    }

    fn files(&self, tallies: &[crate::logs::tally::OfFile]) -> Vec<FileFound> {
        let found = |(file, tally): (&FileName, &crate::logs::tally::OfFile)| FileFound {
            name: file.name.clone(),
            format: file.format.map(|format| format.to_string()),
            copy_of: file.copy_of.clone(),
            lines: tally.lines,
            parsed: tally.parsed,
            blank: tally.blank,
            directives: tally.directives,
            rejected: tally.rejections(),
            first: tally.span.map(|(first, _)| stamp(first)),
            last: tally.span.map(|(_, last)| stamp(last)),
            unfinished_octets: file.unfinished_octets,
            fault: file.fault.clone(),
        };
        self.files.iter().zip(tallies).map(found).collect()
    }

    fn overlap(&self, shared: &Shared) -> OverlapFound {
        let pair = |(&(file, other), &copies): (&(u32, u32), &u64)| OverlapPair {
            file: self.file(file),
            other: self.file(other),
            copies,
        };
        OverlapFound {
            copies: shared.copies,
            is_estimate: shared.sample_bits > 0,
            left_out: self.case.copies.is_some(),
            pairs: shared.pairs.iter().map(pair).collect(),
        }
    }

    fn versions(&self) -> Vec<VersionRow> {
        let hosts = self.case.rulings.history().hosts.iter();
        let rows = hosts.flat_map(|host| host.versions.iter().map(move |version| (host, version)));
        rows.map(|(host, version)| VersionRow {
            host: host.host.clone(),
            from: from_of(version.from_s),
            state: version.state.to_string(),
            status: version.status,
            file: version.file.clone(),
            sha256: version.digest.map(|digest| digest.to_string()),
            basis: version.basis.to_string(),
        })
        .collect()
    }
}

/// What was counted, as a row shows it.
fn counts(part: &Part) -> PartCounts {
    let of = |identity: Identity| part.identities[identity as usize];
    PartCounts {
        claims: part.identities.iter().sum(),
        genuine: of(Identity::Genuine),
        sibling: of(Identity::Sibling),
        adjacent: of(Identity::Adjacent),
        impersonated: of(Identity::Impersonated),
        unverifiable: of(Identity::Unverifiable),
        allowed: part.verdicts[Verdict::Allowed as usize],
        disallowed: part.verdicts[Verdict::Disallowed as usize],
        no_verdict: part.without_verdict(),
        non_productive: part.non_productive,
        robots_fetches: part.robots_fetches,
        status_2xx: part.statuses[2],
        status_3xx: part.statuses[3],
        status_4xx: part.statuses[4],
        status_5xx: part.statuses[5],
        octets: part.octets,
    }
}

/// A moment in UTC.
fn stamp(at_s: i64) -> String {
    Stamp::from_unix(at_s).to_string()
}

/// The moment from which a version was in force; none for one that always was.
fn from_of(from_s: i64) -> Option<String> {
    (from_s > i64::MIN).then(|| stamp(from_s))
}

/// Octets as text; each that is no UTF-8 stands as `\xHH`, so that none is lost.
fn text(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|octet| text.push_str(&format!("\\x{octet:02x}")));
    }
    text
}

/// A target without its percent escapes, as text.
fn decoded(target: &[u8]) -> String {
    text(&crate::logs::request::decoded(target))
}

/// The word for the offset of a clock.
fn offset_word(offset: Option<i16>) -> String {
    match offset {
        None => "unstated".to_owned(),
        Some(minutes) => {
            let sign = if minutes < 0 { '-' } else { '+' };
            let minutes = minutes.unsigned_abs();
            format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
        }
    }
}
