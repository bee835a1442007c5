//! A site audit as one JSON document; `docs/audit.schema.json` is its schema.
//!
//! Text is the documents', as UTF-8 with what is none replaced; lines count from 1, columns are
//! octets from 1. The same documents give the same octets.

use serde::Serialize;

use super::audit::AuditReport;
use super::robots_json::{GroupRow, IssueRow, LineRow, SitemapRow};
use crate::audit::{
    Audit, CrawlerDetail, Effective, Evidence, Finding, Move, PageDirective, PostureRow, Probe,
    Since, SitemapProbe, Standing, Status, Subject,
};
use crate::observation::Exchange;
use crate::page::DirectiveSource;
use crate::robots::{Dialect, Robots};
use crate::sitemap;
use crate::words::Word as _;

/// The version of the document's form.
const FORM: &str = "scanner-audit/1";

/// The audit as JSON, with a line end.
pub fn audit_json(report: &AuditReport) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(&Document::of(report))? + "\n")
}

/// The same as a value.
pub(super) fn audit_value(report: &AuditReport) -> serde_json::Result<serde_json::Value> {
    serde_json::to_value(Document::of(report))
}

#[derive(Serialize)]
struct Document {
    form: &'static str,
    source: String,
    url: Option<String>,
    robots_state: &'static str,
    is_error: bool,
    robots_request: Option<RequestRow>,
    request_issues: Vec<RequestIssueRow>,
    verdict: VerdictRow,
    since: Option<SinceRow>,
    findings: Vec<FindingRow>,
    posture: PostureRows,
    page: PageRow,
    sitemaps: Option<Vec<ProbedRow>>,
    robots: RobotsRow,
}

#[derive(Serialize)]
struct RequestRow {
    url: String,
    redirects: Vec<RedirectRow>,
    final_url: String,
    status: Option<u16>,
    failure: Option<String>,
    octets: Option<usize>,
    is_truncated: bool,
}

#[derive(Serialize)]
struct RedirectRow {
    url: String,
    status: u16,
    location: String,
}

#[derive(Serialize)]
struct RequestIssueRow {
    kind: &'static str,
    url: String,
    detail: String,
}

#[derive(Serialize)]
struct VerdictRow {
    worst: Option<&'static str>,
    counts: CountsRow,
    actionable: Vec<&'static str>,
}

#[derive(Serialize)]
struct SinceRow {
    source: String,
    moved: Vec<MoveRow>,
    came: Vec<&'static str>,
    went: Vec<&'static str>,
}

#[derive(Serialize)]
struct MoveRow {
    before: &'static str,
    now: &'static str,
    tokens: Vec<String>,
}

#[derive(Serialize)]
struct CountsRow {
    critical: usize,
    warning: usize,
    notice: usize,
}

#[derive(Serialize)]
struct FindingRow {
    id: &'static str,
    status: &'static str,
    title: &'static str,
    summary: String,
    intent: &'static str,
    impact: String,
    fix: String,
    evidence: Vec<EvidenceRow>,
    evidence_left_out: usize,
    crawlers: Vec<CrawlerRow>,
}

#[derive(Serialize)]
struct EvidenceRow {
    source: &'static str,
    line: Option<u32>,
    column: Option<u32>,
    span_octets: Option<u32>,
    text: String,
    note: String,
}

#[derive(Serialize)]
struct CrawlerRow {
    token: String,
    operator: Option<String>,
    purpose: Option<&'static str>,
    reach: &'static str,
    group: &'static str,
    by_way_of: Option<String>,
    line: Option<u32>,
    may_fetch_page: Option<bool>,
}

#[derive(Serialize)]
struct PostureRows {
    wildcard: StandingRow,
    purposes: Vec<PurposeRow>,
}

#[derive(Serialize)]
struct StandingRow {
    reach: &'static str,
    group: &'static str,
    line: Option<u32>,
    has_carve_outs: bool,
}

#[derive(Serialize)]
struct PurposeRow {
    purpose: Option<&'static str>,
    agents: Vec<CrawlerRow>,
}

#[derive(Serialize)]
struct PageRow {
    request: Option<RequestRow>,
    not_asked: Option<&'static str>,
    was_read: bool,
    is_truncated: bool,
    is_challenge: bool,
    directives: Vec<DirectiveRow>,
    effective: Vec<EffectiveRow>,
    conflicts: Vec<[DirectiveRow; 2]>,
}

#[derive(Serialize)]
struct DirectiveRow {
    source: &'static str,
    agent: Option<String>,
    value: String,
}

#[derive(Serialize)]
struct EffectiveRow {
    agent: Option<String>,
    is_indexable: bool,
    is_followable: bool,
    restrictions: String,
    from_meta: usize,
    from_header: usize,
}

#[derive(Serialize)]
struct ProbedRow {
    url: String,
    line: Option<u32>,
    request: Option<RequestRow>,
    not_asked: Option<&'static str>,
    kind: Option<&'static str>,
    fault: Option<&'static str>,
    addresses: Option<usize>,
}

#[derive(Serialize)]
struct RobotsRow {
    octets: usize,
    octets_read: usize,
    lines: Vec<LineRow>,
    groups: Vec<GroupRow>,
    issues: Vec<IssueRow>,
    sitemaps: Vec<SitemapRow>,
    document: Option<String>,
}

impl Document {
    fn of(report: &AuditReport) -> Self {
        let AuditReport { subject, audit, .. } = *report;
        let robots = audit.readings.of(Dialect::C01);
        let issue = |issue: &crate::audit::RequestIssue| RequestIssueRow {
            kind: issue.kind.word(),
            url: issue.url.clone(),
            detail: issue.detail.clone(),
        };
        let probes = subject.sitemaps.as_deref();
        Self {
            form: FORM,
            source: subject.source.clone(),
            url: subject.url.as_ref().map(ToString::to_string),
            robots_state: audit.state.word(),
            is_error: audit.state.is_error(),
            robots_request: subject.robots.exchange().map(RequestRow::of),
            request_issues: audit.request_issues.iter().map(issue).collect(),
            verdict: VerdictRow::of(audit),
            since: report.since.map(|(source, since)| SinceRow::of(source, since)),
            findings: audit.findings.iter().map(|it| FindingRow::of(robots, it)).collect(),
            posture: PostureRows {
                wildcard: StandingRow::of(&audit.posture.wildcard),
                purposes: audit.posture.rows.iter().map(PurposeRow::of).collect(),
            },
            page: PageRow::of(subject, audit),
            sitemaps: probes.map(|probes| probes.iter().map(ProbedRow::of).collect()),
            robots: RobotsRow::of(report, robots),
        }
    }
}

impl RequestRow {
    fn of(exchange: &Exchange) -> Self {
        let answer = exchange.answer();
        let redirect = |hop: &crate::observation::Hop| RedirectRow {
            url: hop.url.clone(),
            status: hop.status,
            location: hop.location.clone(),
        };
        let failure = exchange.failure();
        Self {
            url: exchange.url.clone(),
            redirects: exchange.hops.iter().map(redirect).collect(),
            final_url: exchange.final_url.clone(),
            status: answer.map(|answer| answer.status),
            failure: failure.map(|it| format!("{} in {} ({})", it.mode, it.operation, it.cause)),
            octets: answer.map(|answer| answer.body.len()),
            is_truncated: answer.is_some_and(|answer| answer.truncated),
        }
    }
}

impl SinceRow {
    fn of(source: &str, since: &Since) -> Self {
        let row = |it: &Move| MoveRow {
            before: it.before.word(),
            now: it.now.word(),
            tokens: it.tokens.clone(),
        };
        Self {
            source: source.to_owned(),
            moved: since.moved.iter().map(row).collect(),
            came: since.came.clone(),
            went: since.went.clone(),
        }
    }
}

impl VerdictRow {
    fn of(audit: &Audit) -> Self {
        let counts = audit.counts();
        let count = |status| counts.get(&status).copied().unwrap_or(0);
        Self {
            worst: audit.worst().map(|status| status.word()),
            counts: CountsRow {
                critical: count(Status::Critical),
                warning: count(Status::Warning),
                notice: count(Status::Notice),
            },
            actionable: audit.actionable().map(|finding| finding.kind.id).collect(),
        }
    }
}

impl FindingRow {
    fn of(robots: &Robots, finding: &Finding) -> Self {
        Self {
            id: finding.kind.id,
            status: finding.status.word(),
            title: finding.kind.title,
            summary: finding.summary.clone(),
            intent: finding.kind.intent,
            impact: finding.impact().to_owned(),
            fix: finding.fix().to_owned(),
            evidence: finding.evidence.iter().map(|it| EvidenceRow::of(robots, it)).collect(),
            evidence_left_out: finding.evidence_left_out,
            crawlers: finding.crawlers.iter().map(CrawlerRow::of).collect(),
        }
    }
}

impl EvidenceRow {
    fn of(robots: &Robots, evidence: &Evidence) -> Self {
        let line = evidence.line.and_then(|number| robots.line(number));
        let column = evidence.span.zip(line);
        Self {
            source: evidence.source.word(),
            line: evidence.line,
            column: column.map(|(span, line)| span.start.saturating_sub(line.text.start) + 1),
            span_octets: evidence.span.map(|span| span.octets()),
            text: evidence.text.clone(),
            note: evidence.note.clone(),
        }
    }
}

impl CrawlerRow {
    fn of(detail: &CrawlerDetail) -> Self {
        Self {
            token: detail.token.clone(),
            operator: detail.operator.clone(),
            purpose: detail.purpose.map(|purpose| purpose.word()),
            reach: detail.reach.word(),
            group: detail.group.word(),
            by_way_of: detail.by_way_of.clone(),
            line: detail.line,
            may_fetch_page: detail.may_fetch_page,
        }
    }
}

impl StandingRow {
    fn of(standing: &Standing) -> Self {
        Self {
            reach: standing.reach.word(),
            group: standing.group.word(),
            line: standing.line,
            has_carve_outs: standing.has_carve_outs,
        }
    }
}

impl PurposeRow {
    fn of(row: &PostureRow) -> Self {
        Self {
            purpose: row.purpose.map(|purpose| purpose.word()),
            agents: row.agents.iter().map(CrawlerRow::of).collect(),
        }
    }
}

impl PageRow {
    fn of(subject: &Subject, audit: &Audit) -> Self {
        let (request, not_asked) = probed(&subject.page);
        let page = &audit.page;
        let pair = |(one, other): &(PageDirective, PageDirective)| {
            [DirectiveRow::of(one), DirectiveRow::of(other)]
        };
        Self {
            request,
            not_asked,
            was_read: page.was_read,
            is_truncated: page.is_truncated,
            is_challenge: page.is_challenge,
            directives: page.directives.iter().map(DirectiveRow::of).collect(),
            effective: page.effective.iter().map(EffectiveRow::of).collect(),
            conflicts: page.conflicts.iter().map(pair).collect(),
        }
    }
}

/// A probe as its request or the reason why there was none.
fn probed(probe: &Probe) -> (Option<RequestRow>, Option<&'static str>) {
    match probe {
        Probe::Asked(exchange) => (Some(RequestRow::of(exchange)), None),
        Probe::NotAsked(why) => (None, Some(why.word())),
    }
}

impl DirectiveRow {
    fn of(directive: &PageDirective) -> Self {
        let source = match directive.source {
            DirectiveSource::Meta => "meta",
            DirectiveSource::Header => "header",
        };
        Self { source, agent: directive.agent.clone(), value: directive.value.clone() }
    }
}

impl EffectiveRow {
    fn of(effective: &Effective) -> Self {
        Self {
            agent: effective.agent.clone(),
            is_indexable: effective.is_indexable,
            is_followable: effective.is_followable,
            restrictions: effective.restrictions.clone(),
            from_meta: effective.from_meta,
            from_header: effective.from_header,
        }
    }
}

impl ProbedRow {
    fn of(probe: &SitemapProbe) -> Self {
        let (request, not_asked) = probed(&probe.probe);
        let answer = probe.probe.exchange().and_then(Exchange::answer);
        let answer = answer.filter(|answer| (200..300).contains(&answer.status));
        let read = answer.map(|answer| sitemap::parse(&answer.body));
        let sitemap = read.as_ref().and_then(|read| read.as_ref().ok());
        let fault = read.as_ref().and_then(|read| read.as_ref().err());
        Self {
            url: probe.url.clone(),
            line: probe.line,
            request,
            not_asked,
            kind: sitemap.map(|sitemap| sitemap.kind.word()),
            fault: fault.map(|fault| fault.word()),
            addresses: sitemap.map(|sitemap| sitemap.count),
        }
    }
}

impl RobotsRow {
    fn of(report: &AuditReport, robots: &Robots) -> Self {
        let octets = report.subject.robots.octets();
        let document = report.has_document.then(|| String::from_utf8_lossy(octets).into_owned());
        Self {
            octets: octets.len(),
            octets_read: robots.octets_read(),
            lines: robots.listing().iter().map(|line| LineRow::of(robots, line)).collect(),
            groups: robots.groups().iter().map(|group| GroupRow::of(robots, group)).collect(),
            issues: robots.issues().iter().map(|issue| IssueRow::of(robots, issue)).collect(),
            sitemaps: robots.sitemaps().map(SitemapRow::of).collect(),
            document,
        }
    }
}
