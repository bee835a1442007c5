//! Blanket rules: what the file says to every crawler at once.

use crate::robots::{GroupKind, Rule};
use crate::words::counted;

use super::Check;
use super::context::Context;
use super::finding::{Evidence, Finding, Kind, Status};
use super::reach::Reach;
use super::request::is_something_else;
use super::state::RobotsState;

pub(super) const CHECK: Check = Check {
    name: "blanket",
    about: "What the rules for `*` do to the site as a whole, and whether the file rules anything.",
    kinds: &[&EMPTY, &BLOCK, &ROOT_ONLY, &CARVE_OUTS, &ALLOWLIST, &OPEN],
    needs_rules: true,
    run,
};

const EMPTY: Kind = Kind {
    id: "blanket-empty",
    statuses: &[Status::Info],
    title: "The file rules nothing",
    when: "No user-agent record stands in the document, so that no rule applies to anyone.",
    intent: "Often a placeholder, or a file that only points to sitemaps.",
    impact: "Every crawler may fetch every page, as if there were no robots.txt.",
    fix: "",
};

const BLOCK: Kind = Kind {
    id: "blanket-block",
    statuses: &[Status::Critical],
    title: "The whole site is closed to every crawler",
    when: "A Disallow of the `*` group covers every path, nothing is opened again, and no crawler \
           with a group of its own may fetch the site.",
    intent: "Most often a rule of a test site that went live with it.",
    impact: "Search engines stop reading the site and its pages fall out of their results; link \
             previews, assistants and archives see nothing.",
    fix: "If the site is meant to be found, delete the Disallow. If it is not meant for the public, \
          ask for a password instead: robots.txt hides nothing.",
};

const ROOT_ONLY: Kind = Kind {
    id: "blanket-root-only",
    statuses: &[Status::Notice],
    title: "Only the home page is open",
    when: "The `*` group closes every path and opens `/$` alone.",
    intent: "The owner wants the home page found, and nothing else read.",
    impact: "Every page but the home page is closed to crawlers without a group of their own.",
    fix: "If more than the home page is meant to be found, open it with Allow lines, or close only \
          what must be closed.",
};

const CARVE_OUTS: Kind = Kind {
    id: "blanket-carve-outs",
    statuses: &[Status::Notice],
    title: "The site is closed but for what is opened by name",
    when: "The `*` group closes every path and opens some again.",
    intent: "A list of what may be fetched, everything else closed.",
    impact: "New sections of the site stay closed until somebody adds an Allow for them, and so do \
             scripts, styles and images outside the opened paths.",
    fix: "Check that every section that is meant to be found has its Allow, the files that its \
          pages load included.",
};

const ALLOWLIST: Kind = Kind {
    id: "blanket-allowlist",
    statuses: &[Status::Notice],
    title: "Closed by default, opened to crawlers by name",
    when: "The `*` group closes every path, and a crawler with a group of its own may fetch the \
           site.",
    intent: "Only crawlers that the owner knows are let in.",
    impact: "Crawlers that the list does not name, new ones among them, see a closed site until \
             they are added.",
    fix: "Look through the list now and then: search engines, previews and assistants that are \
          missing from it cannot show the site.",
};

const OPEN: Kind = Kind {
    id: "blanket-open",
    statuses: &[Status::Pass],
    title: "The site is open by default",
    when: "A crawler that no group names may fetch the site, all of it or all but some paths.",
    intent: "The site is meant to be read.",
    impact: "Crawlers without a group of their own may fetch what no rule closes.",
    fix: "",
};

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    if robots.groups().is_empty() {
        let is_file = context.subject.robots.state() == RobotsState::File;
        if !is_file || is_something_else(context) {
            return;
        }
        findings.push(Finding::of(&EMPTY, "There is no user-agent record, so no rule applies."));
        return;
    }
    let wildcard = &context.wildcard;
    if !wildcard.is_closed() {
        findings.push(open(context));
        return;
    }
    let governing = robots.governing("*");
    let closing: Vec<&Rule> =
        governing.rules().iter().copied().filter(|rule| is_whole(rule)).collect();
    let evidence = closing.iter().map(|rule| Evidence::rule(robots, rule));
    let let_in: Vec<_> =
        context.named().filter(|visitor| visitor.standing.reach != Reach::Closed).collect();
    let finding = if !let_in.is_empty() {
        let names: Vec<&str> = let_in.iter().map(|visitor| visitor.token.as_str()).collect();
        let summary = format!(
            "`*` is closed; {} let in by name: {}.",
            counted_are(let_in.len(), "crawler"),
            listed(&names)
        );
        let details = let_in.iter().map(|visitor| context.detail(visitor)).collect();
        Finding::of(&ALLOWLIST, summary).about(details)
    } else if wildcard.has_carve_outs {
        let opened: Vec<&Rule> = governing
            .rules()
            .iter()
            .copied()
            .filter(|rule| rule.allow && rule.pattern.can_match())
            .collect();
        carved(context, &opened)
    } else {
        Finding::of(&BLOCK, "No crawler may fetch any page: nothing is opened again, to anyone.")
    };
    findings.push(finding.shown_first_by(evidence));
}

/// Whether a rule closes the whole site.
fn is_whole(rule: &Rule) -> bool {
    !rule.allow && rule.pattern.covers_every_path()
}

/// A closed site of which something is opened again.
fn carved(context: &Context, opened: &[&Rule]) -> Finding {
    let robots = context.robots();
    let mut opened = opened.to_vec();
    opened.sort_by_key(|rule| rule.line);
    let evidence: Vec<Evidence> = opened.iter().map(|rule| Evidence::rule(robots, rule)).collect();
    if opened.iter().all(|rule| rule.pattern.as_text() == "/$") {
        return Finding::of(&ROOT_ONLY, "`*` may fetch `/` itself and nothing else.")
            .shown_by(evidence);
    }
    let summary = format!("`*` is closed but for {}.", counted(opened.len(), "Allow line"));
    Finding::of(&CARVE_OUTS, summary).shown_by(evidence)
}

/// A site that is open by default.
fn open(context: &Context) -> Finding {
    let summary = match (context.wildcard.group, context.wildcard.reach) {
        (GroupKind::None, _) => {
            "No group is for `*`: crawlers that no group names may fetch everything."
        }
        (_, Reach::Open) => "`*` may fetch everything.",
        _ => "`*` may fetch everything but what some rules close.",
    };
    Finding::of(&OPEN, summary)
}

/// A count with its unit and a verb: `1 crawler is`, `2 crawlers are`.
pub(super) fn counted_are(number: usize, unit: &str) -> String {
    format!("{} {}", counted(number, unit), if number == 1 { "is" } else { "are" })
}

/// Names in a row, the first of many.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    /// More would hide the sentence.
    const SHOWN: usize = 8;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    let shown = shown.join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
