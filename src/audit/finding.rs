//! Findings: what an audit says, how sure it is that this is unintended, and on what evidence.
//!
//! A status grades intention and never cost: what something costs stands in the words about its
//! impact. Every kind of finding is declared once, beside the check that finds it.

use crate::closed_list;
use crate::registry::Purpose;
use crate::robots::{GroupKind, Robots, Rule, Span};

use super::reach::Reach;

closed_list! {
    /// How sure we are that what was found is not what the site's owner meant, the surest first.
    pub enum Status {
        /// It cannot be intended.
        Critical = "critical",
        /// It contradicts itself, or does not do what it says.
        Warning = "warning",
        /// It looks deliberate, and has a consequence worth knowing.
        Notice = "notice",
        /// A readout of the policy; nothing to mend.
        Info = "info",
        /// It was looked for, and all is well.
        Pass = "pass",
        /// It was not observed; the summary says why.
        NotChecked = "not_checked",
    }
}

impl Status {
    /// Whether there is something that an owner can act on.
    pub fn is_actionable(self) -> bool {
        matches!(self, Self::Critical | Self::Warning | Self::Notice)
    }
}

/// One kind of finding. The words are part of the output and change only with it.
#[derive(Debug)]
pub struct Kind {
    /// The name that never changes.
    pub id: &'static str,
    /// The statuses that it may have, the gravest first.
    pub statuses: &'static [Status],
    /// What was found, in a line without a final stop.
    pub title: &'static str,
    /// When it is found, for its documentation.
    pub when: &'static str,
    /// What the owner may have meant.
    pub intent: &'static str,
    /// What it means for the site.
    pub impact: &'static str,
    /// What to change; empty where there is nothing to mend.
    pub fix: &'static str,
}

closed_list! {
    /// Where a piece of evidence stands.
    pub enum EvidenceSource {
        /// In the robots.txt.
        Robots = "robots",
        /// In the header fields of an answer.
        Header = "header",
        /// In a meta tag of the page.
        Meta = "meta",
        /// It is an address.
        Address = "address",
        /// In the llms.txt.
        Llms = "llms",
    }
}

/// A piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Where it stands.
    pub source: EvidenceSource,
    /// The line, where there are lines.
    pub line: Option<u32>,
    /// The octets of a robots.txt that are meant.
    pub span: Option<Span>,
    /// What stands there, as text; octets that are not UTF-8 are replaced.
    pub text: String,
    /// What is to be said of it; may be empty.
    pub note: String,
}

/// What holds for one crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrawlerDetail {
    /// Its product token.
    pub token: String,
    /// The name of its operator, where it is known.
    pub operator: Option<String>,
    /// What it is for, where the registry places it.
    pub purpose: Option<Purpose>,
    /// How much of the site it may fetch.
    pub reach: Reach,
    /// Which group governs it.
    pub group: GroupKind,
    /// Another crawler's token, where it obeys that crawler's group.
    pub by_way_of: Option<String>,
    /// The line that decides at `/`.
    pub line: Option<u32>,
    /// Whether it may fetch the audited page, where one is known.
    pub may_fetch_page: Option<bool>,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What kind it is.
    pub kind: &'static Kind,
    /// How sure we are that it is unintended.
    pub status: Status,
    /// What holds here, in a sentence or two.
    pub summary: String,
    /// What it means here, where the kind's own words do not say it.
    pub impact: Option<String>,
    /// What to change here, where the kind's own words do not say it.
    pub fix: Option<String>,
    /// On what evidence; the first pieces of it.
    pub evidence: Vec<Evidence>,
    /// Pieces of evidence that are not listed.
    pub evidence_left_out: usize,
    /// What holds for which crawlers.
    pub crawlers: Vec<CrawlerDetail>,
}

/// Pieces of evidence that a finding lists: a file can be wrong in ten thousand lines.
const EVIDENCE_MOST: usize = 50;

impl Finding {
    /// A finding of a kind, with the gravest status that the kind may have.
    pub(super) fn of(kind: &'static Kind, summary: impl Into<String>) -> Self {
        Self {
            kind,
            status: kind.statuses[0],
            summary: summary.into(),
            impact: None,
            fix: None,
            evidence: Vec::new(),
            evidence_left_out: 0,
            crawlers: Vec::new(),
        }
    }

    /// The same with another of its kind's statuses.
    pub(super) fn graded(mut self, status: Status) -> Self {
        debug_assert!(self.kind.statuses.contains(&status), "{}: {status}", self.kind.id);
        self.status = status;
        self
    }

    /// The same with words of its own about the impact.
    pub(super) fn costing(mut self, impact: impl Into<String>) -> Self {
        self.impact = Some(impact.into());
        self
    }

    /// The same with words of its own about what to change.
    pub(super) fn mended_by(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// The same with what holds for some crawlers.
    pub(super) fn about(mut self, crawlers: Vec<CrawlerDetail>) -> Self {
        self.crawlers = crawlers;
        self
    }

    /// The same with pieces of evidence.
    pub(super) fn shown_by(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        for piece in evidence {
            if self.evidence.len() < EVIDENCE_MOST {
                self.evidence.push(piece);
            } else {
                self.evidence_left_out += 1;
            }
        }
        self
    }

    /// The same with pieces of evidence before those that it has.
    pub(super) fn shown_first_by(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        let after = std::mem::take(&mut self.evidence);
        self.shown_by(evidence).shown_by(after)
    }

    /// What it means for the site.
    pub fn impact(&self) -> &str {
        self.impact.as_deref().unwrap_or(self.kind.impact)
    }

    /// What to change; empty where there is nothing to mend.
    pub fn fix(&self) -> &str {
        self.fix.as_deref().unwrap_or(self.kind.fix)
    }
}

impl Evidence {
    /// A line of a robots.txt, and the octets of it that are meant.
    pub(super) fn line(robots: &Robots, number: u32, span: Option<Span>) -> Self {
        let text = String::from_utf8_lossy(robots.line_text(number)).into_owned();
        let source = EvidenceSource::Robots;
        Self { source, line: Some(number), span, text, note: String::new() }
    }

    /// The line of a rule, its value meant.
    pub(super) fn rule(robots: &Robots, rule: &Rule) -> Self {
        Self::line(robots, rule.line, Some(rule.raw))
    }

    /// Something that stands in another place.
    pub(super) fn of(source: EvidenceSource, text: impl Into<String>) -> Self {
        Self { source, line: None, span: None, text: text.into(), note: String::new() }
    }

    /// The same with something said of it.
    pub(super) fn noting(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}
