//! The page's own directives against robots.txt: a crawler that may not fetch a page never sees its
//! noindex.

use crate::page::DirectiveSource;
use crate::registry::Purpose;

use super::Check;
use super::blanket::listed;
use super::context::{Context, Visitor};
use super::directives::{PageDirective, PageReading};
use super::finding::{Evidence, EvidenceSource, Finding, Kind, Status};
use super::request::ended;
use super::subject::{NotAsked, Probe};

pub(super) const CHECK: Check = Check {
    name: "indexing",
    about: "What the page says about being indexed, and whether robots.txt lets that be seen.",
    kinds: &[&CONFLICT, &MIXED, &NOINDEX, &NOAI, &OK, &NONE, &NOT_OBSERVED, &NOT_INSPECTED],
    needs_rules: false,
    run,
};

const CONFLICT: Kind = Kind {
    id: "indexing-conflict",
    statuses: &[Status::Warning],
    title: "The page's noindex cannot be seen by crawlers that may not fetch it",
    when: "The page says noindex, and robots.txt keeps a search crawler from fetching it.",
    intent: "To keep the page out of search results, twice over.",
    impact: "The two undo each other: a crawler that may not fetch the page never reads the noindex, \
             and may list the bare address where others link to it.",
    fix: "Open the page in robots.txt until it has left the index.",
};

const MIXED: Kind = Kind {
    id: "indexing-mixed",
    statuses: &[Status::Warning],
    title: "The page says two opposite things about itself",
    when: "Two directives for the same agent are opposites, such as `index` and `noindex`.",
    intent: "One of the two; often a plug-in and the server both send one.",
    impact: "The more restrictive one counts.",
    fix: "Remove the one that is not meant, from the page or from the server's configuration.",
};

const NOINDEX: Kind = Kind {
    id: "indexing-noindex",
    statuses: &[Status::Notice],
    title: "The page asks not to be indexed",
    when: "A robots meta or an X-Robots-Tag says noindex or none to everybody.",
    intent: "To keep this page out of search results.",
    impact: "Search engines drop the page, and in time stop following its links.",
    fix: "Remove the noindex if the page is meant to be found.",
};

const NOAI: Kind = Kind {
    id: "indexing-noai",
    statuses: &[Status::Notice],
    title: "The page says noai, and robots.txt lets training crawlers in",
    when: "A directive says noai or noimageai, and training crawlers may fetch the page.",
    intent: "To keep the content out of the training of models.",
    impact: "No large operator documents that it reads noai. Crawlers go by robots.txt, which lets \
             them in.",
    fix: "Close the site to training crawlers in robots.txt as well.",
};

const OK: Kind = Kind {
    id: "indexing-ok",
    statuses: &[Status::Pass],
    title: "The page may be indexed",
    when: "The page has directives, and none keeps it from being indexed.",
    intent: "The page is meant to be found.",
    impact: "Search engines may list it.",
    fix: "",
};

const NONE: Kind = Kind {
    id: "indexing-none",
    statuses: &[Status::Pass],
    title: "The page has no robots directives",
    when: "A whole page was read, and neither a meta nor a field is a robots directive.",
    intent: "The page is meant to be found.",
    impact: "Search engines may list it.",
    fix: "",
};

const NOT_OBSERVED: Kind = Kind {
    id: "indexing-not-observed",
    statuses: &[Status::NotChecked],
    title: "The page was not read",
    when: "The page was asked for, and no whole answer of 2xx came; or robots.txt, or its state, \
           forbids to ask.",
    intent: "",
    impact: "Whether the page has a noindex is not known.",
    fix: "",
};

const NOT_INSPECTED: Kind = Kind {
    id: "indexing-not-inspected",
    statuses: &[Status::NotChecked],
    title: "No page was looked at",
    when: "A robots.txt was given without a page.",
    intent: "",
    impact: "Whether pages have a noindex is not known.",
    fix: "",
};

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let reading = PageReading::of(context.subject, context.knowledge);
    if !reading.was_read {
        findings.push(unread(context, &reading));
        return;
    }
    for (one, other) in &reading.conflicts {
        let summary = format!("It says `{}` and `{}`.", one.value, other.value);
        findings.push(Finding::of(&MIXED, summary).shown_by([shown(one), shown(other)]));
    }
    noai(context, &reading, findings);
    let hidden = |visitor: &&Visitor| {
        let agent = visitor.token.to_ascii_lowercase();
        let told = reading.effective.iter().find(|it| it.agent.as_deref() == Some(&*agent));
        let is_noindex = told.or(reading.for_all()).is_some_and(|it| !it.is_indexable);
        is_noindex && context.detail(visitor).may_fetch_page == Some(false)
    };
    let blind: Vec<&Visitor> = context.of_purpose(Purpose::Search).filter(hidden).collect();
    let evidence = || reading.directives.iter().filter(|it| is_noindex(it)).map(shown);
    if !blind.is_empty() {
        let names: Vec<&str> = blind.iter().map(|visitor| visitor.token.as_str()).collect();
        let details = blind.iter().map(|visitor| context.detail(visitor)).collect();
        let summary = format!("These never see the noindex: {}.", listed(&names));
        findings.push(Finding::of(&CONFLICT, summary).about(details).shown_by(evidence()));
    }
    let for_all = reading.for_all();
    if for_all.is_some_and(|effect| !effect.is_indexable) {
        findings.push(Finding::of(&NOINDEX, "It says noindex to everybody.").shown_by(evidence()));
    } else if reading.directives.is_empty() {
        findings.push(Finding::of(&NONE, "Neither the page nor its header has any."));
    } else {
        let said: Vec<&str> = reading.directives.iter().map(|it| it.value.as_str()).collect();
        let summary = format!("Its directives are {}.", listed(&said));
        let evidence = reading.directives.iter().map(shown);
        findings.push(Finding::of(&OK, summary).shown_by(evidence));
    }
}

/// A directive that keeps a page from being indexed.
fn is_noindex(directive: &PageDirective) -> bool {
    matches!(directive.value.as_str(), "noindex" | "none")
}

/// A directive as evidence.
fn shown(directive: &PageDirective) -> Evidence {
    let PageDirective { source, agent, value, .. } = directive;
    match (source, agent) {
        (DirectiveSource::Meta, agent) => {
            let name = agent.as_deref().unwrap_or("robots");
            Evidence::of(EvidenceSource::Meta, format!("{name}: {value}"))
        }
        (DirectiveSource::Header, None) => {
            Evidence::of(EvidenceSource::Header, format!("x-robots-tag: {value}"))
        }
        (DirectiveSource::Header, Some(agent)) => {
            Evidence::of(EvidenceSource::Header, format!("x-robots-tag: {agent}: {value}"))
        }
    }
}

/// A page that refuses training where robots.txt does not.
fn noai(context: &Context, reading: &PageReading, findings: &mut Vec<Finding>) {
    let is_noai = |it: &&PageDirective| matches!(it.value.as_str(), "noai" | "noimageai");
    let said: Vec<&PageDirective> = reading.directives.iter().filter(is_noai).collect();
    if said.is_empty() {
        return;
    }
    let may_fetch = |visitor: &&Visitor| context.detail(visitor).may_fetch_page.unwrap_or(true);
    let open: Vec<&str> = context
        .of_purpose(Purpose::Training)
        .filter(may_fetch)
        .map(|visitor| visitor.token.as_str())
        .collect();
    if !open.is_empty() {
        let summary = format!("robots.txt lets in {}.", listed(&open));
        let evidence = said.into_iter().map(shown);
        findings.push(Finding::of(&NOAI, summary).shown_by(evidence));
    }
}

/// Why no page was read.
fn unread(context: &Context, reading: &PageReading) -> Finding {
    match &context.subject.page {
        Probe::NotAsked(NotAsked::NoSite | NotAsked::NotRequested) => {
            Finding::of(&NOT_INSPECTED, "The robots.txt was given by itself.")
        }
        Probe::NotAsked(why) => {
            Finding::of(&NOT_OBSERVED, super::request::capital(why.words()) + ".")
        }
        Probe::Asked(exchange) => {
            let why = if reading.is_challenge {
                "a page that keeps robots out was answered".to_owned()
            } else if reading.is_truncated {
                "it is longer than is read".to_owned()
            } else {
                ended(exchange)
            };
            Finding::of(&NOT_OBSERVED, super::request::capital(&why) + ".")
        }
    }
}
