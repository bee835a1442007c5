//! Documents beside robots.txt that speak to crawlers: llms.txt, ai.txt, tdmrep.

use crate::html::looks_like_html;
use crate::llms::links;
use crate::registry::Purpose;
use crate::robots::Target;
use crate::words::counted;

use super::Check;
use super::blanket::listed;
use super::context::{Context, Visitor};
use super::finding::{Evidence, EvidenceSource, Finding, Kind, Status};
use super::state::is_challenge;
use super::subject::{GuidanceKind, GuidanceProbe, pairs};

pub(super) const CHECK: Check = Check {
    name: "guidance",
    about: "Whether llms.txt, ai.txt and tdmrep are there, and whether robots.txt agrees with them.",
    kinds: &[&LLMS_CLOSED, &LLMS_NAMES_CLOSED, &LLMS, &AI_TXT, &TDMREP],
    needs_rules: true,
    run,
};

const LLMS_CLOSED: Kind = Kind {
    id: "llms-closed",
    statuses: &[Status::Warning],
    title: "llms.txt is closed to those for whom it is written",
    when: "There is an llms.txt, and crawlers of AI search or of user-triggered fetches to which the \
           site as a whole is open may not fetch it.",
    intent: "The file is written for assistants.",
    impact: "Assistants that obey robots.txt never read it.",
    fix: "Add `Allow: /llms.txt` to the groups of these crawlers, or of `*`.",
};

const LLMS_NAMES_CLOSED: Kind = Kind {
    id: "llms-names-closed",
    statuses: &[Status::Warning],
    title: "llms.txt points to pages that robots.txt closes",
    when: "A link of the llms.txt leads to an address of the same site that a crawler which nobody \
           names may not fetch, while the site as a whole is open to it.",
    intent: "The pages are meant for assistants.",
    impact: "Assistants that obey robots.txt may not fetch what the file recommends to them.",
    fix: "Open these pages, or take them out of llms.txt.",
};

const LLMS: Kind = Kind {
    id: "llms-present",
    statuses: &[Status::Info],
    title: "There is an llms.txt",
    when: "`/llms.txt` answered with 2xx and is no web page.",
    intent: "To tell assistants what to read.",
    impact: "It recommends; it grants and closes nothing.",
    fix: "",
};

const AI_TXT: Kind = Kind {
    id: "ai-txt-present",
    statuses: &[Status::Info],
    title: "There is an ai.txt",
    when: "`/ai.txt` answered with 2xx and is no web page.",
    intent: "To state permissions for the training of models.",
    impact: "No large operator documents that it reads the file. Crawlers go by robots.txt.",
    fix: "",
};

const TDMREP: Kind = Kind {
    id: "tdmrep-present",
    statuses: &[Status::Info],
    title: "Text and data mining is reserved",
    when: "`/.well-known/tdmrep.json` answered with 2xx and is no web page, or the page has a field \
           `tdm-reservation`.",
    intent: "To reserve text and data mining as European law has it.",
    impact: "It reserves rights; it closes nothing. Crawlers go by robots.txt.",
    fix: "",
};

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let probes = context.subject.guidance.as_deref().unwrap_or_default();
    for probe in probes {
        let Some(body) = document(context, probe) else { continue };
        match probe.kind {
            GuidanceKind::Llms => llms(context, body, findings),
            GuidanceKind::AiTxt => {
                findings.push(Finding::of(&AI_TXT, "It is there.").shown_by([path(probe.kind)]));
            }
            GuidanceKind::Tdmrep => {
                findings.push(Finding::of(&TDMREP, "It is there.").shown_by([path(probe.kind)]));
            }
        }
    }
    let answer = context.subject.page.whole_answer();
    let fields = answer.map(|answer| pairs(&answer.fields)).unwrap_or_default();
    if let Some((name, value)) = fields.iter().find(|(name, _)| name == "tdm-reservation") {
        let evidence = Evidence::of(EvidenceSource::Header, format!("{name}: {value}"));
        findings.push(Finding::of(&TDMREP, "The page's header says so.").shown_by([evidence]));
    }
}

/// A document's path as evidence.
fn path(kind: GuidanceKind) -> Evidence {
    Evidence::of(EvidenceSource::Address, kind.path())
}

/// The body of a document that is there: a whole 2xx that is no page.
fn document<'a>(context: &Context, probe: &'a GuidanceProbe) -> Option<&'a [u8]> {
    let answer = probe.probe.whole_answer()?;
    let is_page = looks_like_html(&answer.body) || is_challenge(answer, context.knowledge.signals);
    let is_there = !is_page && !answer.body.trim_ascii().is_empty();
    is_there.then_some(&answer.body)
}

/// An llms.txt against the rules.
fn llms(context: &Context, body: &[u8], findings: &mut Vec<Finding>) {
    let text = String::from_utf8_lossy(body);
    let links = links(&text);
    let summary = format!("It holds {}.", counted(links.len(), "link"));
    findings.push(Finding::of(&LLMS, summary).shown_by([path(GuidanceKind::Llms)]));
    let target = Target::new(GuidanceKind::Llms.path().as_bytes());
    let is_shut_out = |visitor: &&Visitor| {
        let is_reader = matches!(visitor.purpose, Some(Purpose::AiSearch | Purpose::UserTriggered));
        is_reader
            && !visitor.standing.is_closed()
            && !context.governing(visitor).decide(&target).allowed
    };
    let shut_out: Vec<&Visitor> = context.crawlers.iter().filter(is_shut_out).collect();
    if let Some(first) = shut_out.first() {
        let rule = context.governing(first).decide(&target).rule;
        let evidence = rule.map(|rule| Evidence::rule(context.robots(), rule));
        let names: Vec<&str> = shut_out.iter().map(|visitor| visitor.token.as_str()).collect();
        let details = shut_out.iter().map(|visitor| context.detail(visitor)).collect();
        let summary = format!("It is closed to {}.", listed(&names));
        findings.push(Finding::of(&LLMS_CLOSED, summary).about(details).shown_by(evidence));
    }
    closed_links(context, &links, findings);
}

/// Links of an llms.txt that robots.txt closes.
fn closed_links(context: &Context, links: &[(u32, String)], findings: &mut Vec<Finding>) {
    let Some(site) = &context.subject.url else { return };
    if context.wildcard.is_closed() {
        return;
    }
    let governing = context.robots().governing("*");
    let mut evidence = Vec::new();
    for (line, link) in links {
        let Ok(url) = site.join(link) else { continue };
        if url.origin() != site.origin() {
            continue;
        }
        let decision = governing.decide(&Target::new(url.as_str().as_bytes()));
        let Some(rule) = decision.rule.filter(|_| !decision.allowed) else { continue };
        let piece = Evidence::of(EvidenceSource::Llms, link)
            .noting(format!("is closed by line {} of robots.txt", rule.line));
        evidence.push(Evidence { line: Some(*line), ..piece });
    }
    if !evidence.is_empty() {
        let summary = format!("{} of {} are closed.", evidence.len(), counted(links.len(), "link"));
        findings.push(Finding::of(&LLMS_NAMES_CLOSED, summary).shown_by(evidence));
    }
}
