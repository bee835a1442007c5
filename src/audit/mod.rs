//! The site audit: one site's documents → findings.
//!
//! A check is one file that declares its kinds of findings and is registered in [`CHECKS`]; nothing
//! else knows it. All of it is pure: `site` fetches, `report` prints. The words of findings are part
//! of the output and change only with it.

mod access;
mod agents;
mod blanket;
mod coherence;
mod context;
mod deprecated;
mod dialects;
mod directives;
mod finding;
mod fix;
mod guidance;
mod indexing;
mod inheritance;
mod licence;
mod managed;
mod page_text;
mod posture;
mod precedence;
mod prevalence;
mod reach;
mod rendering;
mod request;
mod sensitive;
mod signals;
mod since;
mod sitemaps;
mod size;
mod state;
mod subject;
mod syntax;
#[cfg(test)]
mod tests;
mod unseen;

use std::collections::BTreeMap;

use crate::robots::Readings;

use context::Context;

pub use context::Knowledge;
pub use directives::{Effective, PageDirective, PageReading};
pub use finding::{CrawlerDetail, Evidence, EvidenceSource, Finding, Kind, Status};
pub use fix::{Corrected, Correction, correct};
pub use page_text::findings_page;
pub use posture::{Posture, PostureRow};
pub use prevalence::{Prevalence, PrevalenceRow};
pub use reach::{Reach, Standing};
pub use request::{RequestIssue, RequestIssueKind};
pub use since::{Move, Since};
pub use state::{RobotsState, permits};
pub use subject::{
    Document, GuidanceKind, GuidanceProbe, NotAsked, Probe, SitemapProbe, Subject, robots_url,
};

/// A check: what it looks for, and the kinds of findings that it may have.
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// What it looks at, in a sentence.
    pub about: &'static str,
    /// The kinds of its findings.
    pub kinds: &'static [&'static Kind],
    /// Whether it reads the rules, and so has nothing to say where none are in force.
    needs_rules: bool,
    run: fn(&Context, &mut Vec<Finding>),
}

/// Every check, in the order in which findings of one status are told.
pub const CHECKS: &[Check] = &[
    request::CHECK,
    size::CHECK,
    blanket::CHECK,
    managed::CHECK,
    coherence::CHECK,
    agents::CHECK,
    indexing::CHECK,
    rendering::CHECK,
    sitemaps::CHECK,
    syntax::CHECK,
    precedence::CHECK,
    inheritance::CHECK,
    dialects::CHECK,
    deprecated::CHECK,
    sensitive::CHECK,
    signals::CHECK,
    licence::CHECK,
    guidance::CHECK,
    access::CHECK,
];

/// Every kind of finding, in the order of the checks.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    CHECKS.iter().flat_map(|check| check.kinds.iter().copied())
}

/// What an audit came to.
#[derive(Debug)]
pub struct Audit {
    /// The robots.txt in every dialect.
    pub readings: Readings,
    /// What it was treated as.
    pub state: RobotsState,
    /// What was noticed about the requests.
    pub request_issues: Vec<RequestIssue>,
    /// Every named agent, grouped by purpose.
    pub posture: Posture,
    /// Every crawler that is known or named, and how much of the site it may fetch.
    pub standings: Vec<(String, Reach)>,
    /// What the page says of itself.
    pub page: PageReading,
    /// The findings: the gravest first, those of one status in the order of the checks.
    pub findings: Vec<Finding>,
}

impl Audit {
    /// Audits a site's documents.
    pub fn of(subject: &Subject, knowledge: Knowledge) -> Self {
        let readings = Readings::new(subject.robots.octets());
        let context = Context::new(subject, &readings, knowledge);
        let mut findings = Vec::new();
        let state = subject.robots.state();
        for check in CHECKS {
            if state.is_in_force() || !check.needs_rules {
                (check.run)(&context, &mut findings);
            }
        }
        findings.sort_by_key(|finding| finding.status);
        let request_issues = request::issues(subject);
        let posture = Posture::of(&context);
        let page = PageReading::of(subject, knowledge);
        let standing = |visitor: &context::Visitor| (visitor.token.clone(), visitor.standing.reach);
        let standings = context.crawlers.iter().map(standing).collect();
        drop(context);
        Self { readings, state, request_issues, posture, standings, page, findings }
    }

    /// The gravest status that an owner can act on; none where there is nothing to mend.
    pub fn worst(&self) -> Option<Status> {
        self.actionable().map(|finding| finding.status).min()
    }

    /// What an owner can act on, the worst first.
    pub fn actionable(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.status.is_actionable())
    }

    /// How many findings have each status that an owner can act on.
    pub fn counts(&self) -> BTreeMap<Status, usize> {
        let graded = [Status::Critical, Status::Warning, Status::Notice];
        let mut counts: BTreeMap<Status, usize> = graded.map(|status| (status, 0)).into();
        for finding in self.actionable() {
            *counts.entry(finding.status).or_default() += 1;
        }
        counts
    }
}
