//! Scripts and styles that search engines need to see a page as its readers do.

use std::collections::BTreeSet;

use crate::robots::Rule;

use super::Check;
use super::context::Context;
use super::deprecated::there;
use super::finding::{Evidence, Finding, Kind, Status};
use super::reach::closing;

pub(super) const CHECK: Check = Check {
    name: "rendering",
    about: "Whether search engines may fetch the scripts and styles that pages load.",
    kinds: &[&BLOCKED],
    needs_rules: true,
    run,
};

const BLOCKED: Kind = Kind {
    id: "rendering-blocked",
    statuses: &[Status::Notice],
    title: "Scripts or styles are closed to search engines",
    when: "The site is open to Googlebot or bingbot, but a Disallow that governs one of them \
           closes files that end in .js or .css, or a folder whose name says that they lie there.",
    intent: "To keep files that are no pages out of search results, which they never enter.",
    impact: "Search engines render pages: without scripts and styles they see another page than \
             readers do, and may judge it broken or empty.",
    fix: "Open these paths, unless every page shows the same without them: a script that only \
          counts visits may stay closed.",
};

/// Folders whose names say that scripts or styles lie there.
const FOLDERS: [&str; 14] = [
    "js",
    "css",
    "javascript",
    "javascripts",
    "script",
    "scripts",
    "style",
    "styles",
    "stylesheets",
    "assets",
    "static",
    "_next",
    "wp-includes",
    "dist",
];

/// The search engines that render pages.
const RENDERERS: [&str; 2] = ["Googlebot", "bingbot"];

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let mut lines = BTreeSet::new();
    let mut evidence = Vec::new();
    for token in RENDERERS {
        let governing = robots.governing(token);
        if super::reach::Standing::of(&governing).is_closed() {
            continue;
        }
        for rule in closing(governing.rules()).filter(|rule| closes_resources(rule)) {
            if !is_reopened(governing.rules(), rule) && lines.insert(rule.line) {
                evidence.push(Evidence::rule(robots, rule).noting(format!("governs {token}")));
            }
        }
    }
    if !evidence.is_empty() {
        evidence.sort_by_key(|piece| piece.line);
        let summary = format!("There {}.", there(evidence.len(), "such rule"));
        findings.push(Finding::of(&BLOCKED, summary).shown_by(evidence));
    }
}

/// Whether a rule closes scripts or styles, by its ending or by the folder that it closes whole.
fn closes_resources(rule: &Rule) -> bool {
    let path = rule.pattern.as_text().to_ascii_lowercase();
    let path = path.trim_end_matches(['$', '*']);
    if path.contains('?') {
        return false;
    }
    let ends_so = [".js", ".css"].iter().any(|ending| path.ends_with(ending));
    if ends_so && path.contains('*') {
        return true;
    }
    let is_folder = rule.pattern.as_text().ends_with(['/', '*']);
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    is_folder && FOLDERS.contains(&last)
}

/// Whether scripts and styles below a closed path are opened again.
fn is_reopened(rules: &[&Rule], closed: &Rule) -> bool {
    let opens = |rule: &&&Rule| {
        let path = rule.pattern.as_text().to_ascii_lowercase();
        let path = path.trim_end_matches(['$', '*']);
        rule.allow
            && rule.pattern.octets() >= closed.pattern.octets()
            && [".js", ".css"].iter().any(|ending| path.ends_with(ending))
    };
    rules.iter().any(|rule| opens(&rule))
}
