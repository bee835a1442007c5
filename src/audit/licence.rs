//! Licence records: `License:` lines as Really Simple Licensing has them.

use crate::robots::{Field, Listed};

use super::Check;
use super::context::Context;
use super::deprecated::there;
use super::finding::{Evidence, Finding, Kind, Status};

pub(super) const CHECK: Check = Check {
    name: "licence",
    about: "Whether the file points to licence terms, and to an address that can be followed.",
    kinds: &[&INVALID, &DECLARED],
    needs_rules: true,
    run,
};

const INVALID: Kind = Kind {
    id: "license-invalid",
    statuses: &[Status::Warning],
    title: "A License line does not lead anywhere",
    when: "The value of a License record is not an absolute URL of the web.",
    intent: "To state the terms under which the content may be used.",
    impact: "Who looks for the terms finds none.",
    fix: "Write the whole address of the licence document, from `https://` on.",
};

const DECLARED: Kind = Kind {
    id: "license-declared",
    statuses: &[Status::Info],
    title: "The file points to licence terms",
    when: "A License record has an absolute URL of the web.",
    intent: "To state, for machines, the terms under which the content may be used.",
    impact: "The terms (Really Simple Licensing) bind those who accept them. They close nothing: a \
             crawler that has no licence is kept out by rules alone.",
    fix: "",
};

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let listing = robots.listing();
    let is_licence = |line: &&Listed| line.record == Some(Field::License);
    let (mut sound, mut unsound) = (Vec::new(), Vec::new());
    for listed in listing.iter().filter(is_licence) {
        let value = String::from_utf8_lossy(robots.octets(listed.line.value));
        let is_sound = url::Url::parse(&value)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let piece = Evidence::line(robots, listed.line.number, Some(listed.line.value));
        if is_sound { sound.push(piece) } else { unsound.push(piece) }
    }
    for (kind, evidence) in [(&INVALID, unsound), (&DECLARED, sound)] {
        if !evidence.is_empty() {
            let summary = format!("There {}.", there(evidence.len(), "such line"));
            findings.push(Finding::of(kind, summary).shown_by(evidence));
        }
    }
}
