//! Sitemaps: declared, absolute, reachable, readable, not closed by the very file that names them.

use std::collections::BTreeMap;

use url::Url;

use crate::robots::{Robots, Target};
use crate::sitemap::{self, SitemapFault, SitemapKind};
use crate::words::counted;

use super::Check;
use super::blanket::listed;
use super::context::Context;
use super::deprecated::there;
use super::finding::{Evidence, EvidenceSource, Finding, Kind, Status};
use super::request::{ended, is_something_else};
use super::state::{RobotsState, is_challenge};
use super::subject::{NotAsked, Probe, SitemapProbe};

pub(super) const CHECK: Check = Check {
    name: "sitemaps",
    about: "Whether sitemaps are declared, absolute, reachable, readable and not closed.",
    kinds: &[
        &BLOCKED,
        &MALFORMED,
        &UNREACHABLE,
        &NOT_XML,
        &LISTS_CLOSED,
        &OVER_LIMIT,
        &FOREIGN,
        &MISSING,
        &DECLARED,
        &NOT_CHECKED,
    ],
    needs_rules: true,
    run,
};

const BLOCKED: Kind = Kind {
    id: "sitemap-blocked",
    statuses: &[Status::Critical],
    title: "The file closes the sitemap that it declares",
    when: "A Sitemap of the site's own origin is closed to a crawler that no group names, or to \
           Googlebot or bingbot, while the site as a whole is open to it. Where the site is not \
           known, it is taken to be the host of all sitemaps, if they have one.",
    intent: "The sitemap is meant to be read: it is declared.",
    impact: "Crawlers may not fetch the list of pages that the file points them to.",
    fix: "Open the sitemap's path with an Allow that is longer than the rule that closes it.",
};

const MALFORMED: Kind = Kind {
    id: "sitemap-malformed",
    statuses: &[Status::Warning],
    title: "A Sitemap line has no whole address",
    when: "The value of a Sitemap is empty, is not an absolute URL of the web, or is the address of an \
           example or of one's own machine (RFC 2606, RFC 6761) that somebody forgot to fill in.",
    intent: "The sitemap at that path of the site.",
    impact: "The protocol asks for the whole address: many crawlers pass the line by.",
    fix: "Write the whole address, from `https://` on, with the site's own host.",
};

const UNREACHABLE: Kind = Kind {
    id: "sitemap-unreachable",
    statuses: &[Status::Warning],
    title: "A declared sitemap is not there",
    when: "A sitemap that robots.txt or an index names answered 4xx or 5xx, or not at all, or with a \
           page that keeps robots out.",
    intent: "The sitemap is meant to be read.",
    impact: "Crawlers find no list of pages there.",
    fix: "Correct the address, or put the sitemap there.",
};

const NOT_XML: Kind = Kind {
    id: "sitemap-not-xml",
    statuses: &[Status::Warning],
    title: "A declared sitemap is not one",
    when: "A sitemap answered with 2xx and is neither XML of a sitemap, an index or a feed, nor a \
           list of addresses.",
    intent: "The sitemap is meant to be read.",
    impact: "Crawlers find no list of pages there.",
    fix: "Serve the sitemap itself; a page that says \"not found\" should have the status 404.",
};

const LISTS_CLOSED: Kind = Kind {
    id: "sitemap-lists-closed",
    statuses: &[Status::Warning],
    title: "The sitemap lists pages that robots.txt closes",
    when: "A sitemap that was read lists addresses of the site's own origin that robots.txt closes to \
           a crawler that no group names, while the site as a whole is open to it.",
    intent: "Either the pages are meant to be found, or they are not.",
    impact: "Search engines are pointed to pages that they may not fetch, and report them as faults.",
    fix: "Take the pages out of the sitemap, or open them.",
};

const OVER_LIMIT: Kind = Kind {
    id: "sitemap-over-limit",
    statuses: &[Status::Warning],
    title: "A sitemap is larger than a sitemap may be",
    when: "A sitemap that was read has more than 50,000 addresses or more than 50 MiB.",
    intent: "Every page is meant to be listed.",
    impact: "Search engines refuse it, or read the beginning alone.",
    fix: "Split it, and list the parts in a sitemap index.",
};

const FOREIGN: Kind = Kind {
    id: "sitemap-other-origin",
    statuses: &[Status::Info],
    title: "A sitemap lies on another host",
    when: "A Sitemap names an address of another origin than the site's.",
    intent: "A host for sitemaps, or a site that has moved.",
    impact: "A sitemap elsewhere counts for this site where robots.txt names it. If the site has moved, \
             the line is a remainder.",
    fix: "",
};

const MISSING: Kind = Kind {
    id: "sitemap-missing",
    statuses: &[Status::Notice],
    title: "No sitemap is declared",
    when: "The document has no Sitemap line, and the site is not closed as a whole.",
    intent: "The sitemap was submitted elsewhere, or there is none.",
    impact: "Crawlers find pages by links alone, unless the sitemap was submitted to each of them.",
    fix: "Add `Sitemap: https://your-site/sitemap.xml` with the whole address of yours.",
};

const DECLARED: Kind = Kind {
    id: "sitemap-declared",
    statuses: &[Status::Pass],
    title: "A sitemap is declared",
    when: "The document has a Sitemap line with a whole address.",
    intent: "The site's pages are meant to be found.",
    impact: "Crawlers find the list of pages.",
    fix: "",
};

const NOT_CHECKED: Kind = Kind {
    id: "sitemap-not-checked",
    statuses: &[Status::NotChecked],
    title: "Not every sitemap was looked at",
    when: "A declared sitemap, or one that an index names, was not asked for.",
    intent: "",
    impact: "Whether it is there, and whether it is a sitemap, is not known.",
    fix: "",
};

fn run(context: &Context, findings: &mut Vec<Finding>) {
    if context.subject.robots.state() != RobotsState::File || is_something_else(context) {
        return;
    }
    declared(context, findings);
    match &context.subject.sitemaps {
        Some(probes) => probed(context, probes, findings),
        None if context.robots().sitemaps().next().is_some() => {
            let why = "They were not asked for: `--probe-sitemaps` does that.";
            findings.push(Finding::of(&NOT_CHECKED, why));
        }
        None => {}
    }
}

/// What the document itself says.
fn declared(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let (mut sound, mut unsound, mut closed, mut foreign) = (vec![], vec![], vec![], vec![]);
    let are_of_one_host = are_of_one_host(robots);
    for listed in robots.listing() {
        if listed.record != Some(crate::robots::Field::Sitemap) {
            continue;
        }
        let value = robots.octets(listed.line.value);
        let piece = Evidence::line(robots, listed.line.number, Some(listed.line.value));
        let Some(url) = address(value) else {
            unsound.push(piece);
            continue;
        };
        let site = context.subject.url.as_ref();
        if is_placeholder(&url) && !site.is_some_and(|site| is_same_site(site, &url)) {
            unsound.push(piece.noting("nobody's address: it was never filled in"));
            continue;
        }
        let is_foreign = context.subject.url.as_ref().is_some_and(|site| !is_same_site(site, &url));
        if is_foreign {
            foreign.push(piece.clone());
        } else if let Some(line) =
            closing_line(context, &url).filter(|_| site.is_some() || are_of_one_host)
        {
            closed.push(piece.clone().noting(format!("is closed by line {line}")));
        }
        sound.push(piece);
    }
    let counted =
        |evidence: &Vec<Evidence>| format!("There {}.", there(evidence.len(), "such line"));
    if sound.is_empty() && unsound.is_empty() && !context.wildcard.is_closed() {
        findings.push(Finding::of(&MISSING, "There is no Sitemap line."));
    }
    for (kind, evidence) in
        [(&BLOCKED, closed), (&MALFORMED, unsound), (&FOREIGN, foreign), (&DECLARED, sound)]
    {
        if !evidence.is_empty() {
            findings.push(Finding::of(kind, counted(&evidence)).shown_by(evidence));
        }
    }
}

/// The address of a Sitemap line, if it is a whole one.
fn address(value: &[u8]) -> Option<Url> {
    let url = Url::parse(std::str::from_utf8(value).ok()?).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

/// Whether the whole addresses of all sitemaps have one host, so that it can be taken for the site's.
fn are_of_one_host(robots: &Robots) -> bool {
    let urls: Vec<Url> = robots.sitemaps().filter_map(|(_, value)| address(value)).collect();
    urls.iter().all(|url| is_same_site(&urls[0], url))
}

/// Whether an address is one that stands in examples, or leads back to whoever asks.
fn is_placeholder(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let is_beneath = |name: &str| {
        host.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    let is_kept = ["example.com", "example.net", "example.org", "example", "invalid", "localhost"];
    is_kept.iter().any(|name| is_beneath(name))
        || matches!(url.host(), Some(url::Host::Ipv4(address)) if address.is_loopback())
        || host.contains(['{', '%', '$'])
}

/// Whether an address is of a site: the same host, `www.` and the scheme aside.
fn is_same_site(site: &Url, url: &Url) -> bool {
    let bare = |url: &Url| {
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        host.strip_prefix("www.").unwrap_or(&host).to_owned()
    };
    bare(site) == bare(url)
}

/// The line that closes a sitemap to a crawler to which the site as a whole is open.
fn closing_line(context: &Context, url: &Url) -> Option<u32> {
    let robots = context.robots();
    let target = robots.target(url.as_str().as_bytes());
    ["*", "Googlebot", "bingbot"].iter().find_map(|token| {
        let governing = robots.governing(token);
        let decision = governing.decide(&target);
        let is_open = !super::reach::Standing::of(&governing).is_closed();
        (is_open && !decision.allowed).then(|| decision.rule.map(|rule| rule.line)).flatten()
    })
}

/// What was seen of the sitemaps.
fn probed(context: &Context, probes: &[SitemapProbe], findings: &mut Vec<Finding>) {
    let (mut unreachable, mut unreadable, mut over) = (vec![], vec![], vec![]);
    let mut unasked: BTreeMap<NotAsked, usize> = BTreeMap::new();
    let mut closed = Vec::new();
    let (mut read, mut pages) = (0_usize, 0_usize);
    for probe in probes {
        let exchange = match &probe.probe {
            Probe::NotAsked(why) => {
                *unasked.entry(*why).or_default() += 1;
                continue;
            }
            Probe::Asked(exchange) => exchange,
        };
        let piece = |note: String| evidence(context, probe).noting(note);
        let Some(answer) = exchange.answer() else {
            unreachable.push(piece(ended(exchange)));
            continue;
        };
        if !(200..300).contains(&answer.status) {
            unreachable.push(piece(ended(exchange)));
            continue;
        }
        match sitemap::parse(&answer.body) {
            Err(_) if is_challenge(answer, context.knowledge.signals) => {
                unreachable.push(piece("a page that keeps robots out was answered".to_owned()));
            }
            Err(_) if answer.truncated => over.push(piece("it is longer than is read".to_owned())),
            Err(fault) => unreadable.push(piece(words(fault).to_owned())),
            Ok(sitemap) => {
                read += 1;
                if sitemap.is_over_limit || answer.truncated {
                    over.push(piece(format!("it lists {}", counted(sitemap.count, "address"))));
                }
                if sitemap.kind != SitemapKind::Index {
                    pages += sitemap.count;
                    closed.extend(closed_pages(context, &sitemap.locations));
                }
            }
        }
    }
    let several = |evidence: &Vec<Evidence>| format!("{}.", counted(evidence.len(), "sitemap"));
    for (kind, evidence) in
        [(&UNREACHABLE, unreachable), (&NOT_XML, unreadable), (&OVER_LIMIT, over)]
    {
        if !evidence.is_empty() {
            findings.push(Finding::of(kind, several(&evidence)).shown_by(evidence));
        }
    }
    if !closed.is_empty() {
        let summary = format!("{} of {pages} addresses are closed.", closed.len());
        findings.push(Finding::of(&LISTS_CLOSED, summary).shown_by(closed));
    }
    if !unasked.is_empty() {
        let why: Vec<String> = unasked
            .iter()
            .map(|(why, count)| format!("{}: {}", counted(*count, "sitemap"), why.words()))
            .collect();
        let summary = format!("{read} were read. {}.", listed(&why));
        findings.push(Finding::of(&NOT_CHECKED, summary));
    }
}

/// A sitemap as evidence: its line where robots.txt declares it, else its address.
fn evidence(context: &Context, probe: &SitemapProbe) -> Evidence {
    match probe.line {
        Some(line) => {
            let span = context.robots().line(line).map(|line| line.value);
            Evidence::line(context.robots(), line, span)
        }
        None => Evidence::of(EvidenceSource::Address, &probe.url),
    }
}

/// A fault in words.
fn words(fault: SitemapFault) -> &'static str {
    match fault {
        SitemapFault::Empty => "it is empty",
        SitemapFault::Html => "it is a web page",
        SitemapFault::NotXml => "it is neither XML nor a list of addresses",
        SitemapFault::OtherXml => "it is XML of another kind",
        SitemapFault::BrokenXml => "its XML breaks off or is not well formed",
        SitemapFault::BrokenGzip => "it cannot be unpacked",
    }
}

/// The listed addresses of the site that robots.txt closes to a crawler that nobody names.
fn closed_pages(context: &Context, locations: &[String]) -> Vec<Evidence> {
    let Some(site) = &context.subject.url else { return Vec::new() };
    let robots = context.robots();
    let governing = robots.governing("*");
    if context.wildcard.is_closed() {
        return Vec::new();
    }
    let mut closed = Vec::new();
    for location in locations {
        let decision = governing.decide(&Target::new(location.as_bytes()));
        let Some(rule) = decision.rule.filter(|_| !decision.allowed) else { continue };
        let is_own = Url::parse(location).is_ok_and(|url| is_same_site(site, &url));
        if is_own {
            let note = format!("is closed by line {}", rule.line);
            closed.push(Evidence::of(EvidenceSource::Address, location).noting(note));
        }
    }
    closed
}
