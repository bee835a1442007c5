//! The ceiling on size: crawlers read the first 500 KiB of a robots.txt (RFC 9309, 2.5).

use crate::limits::ROBOTS_OCTETS;
use crate::robots::LineKind;
use crate::words::counted;

use super::Check;
use super::context::Context;
use super::finding::{Evidence, Finding, Kind, Status};

pub(super) const CHECK: Check = Check {
    name: "size",
    about: "Whether the document stays under the 500 KiB that crawlers read.",
    kinds: &[&OVER, &APPROACHING, &OK],
    needs_rules: true,
    run,
};

const OVER: Kind = Kind {
    id: "size-over-limit",
    statuses: &[Status::Critical],
    title: "The file is longer than crawlers read",
    when: "The document has more than 512,000 octets.",
    intent: "Every rule is meant to be read.",
    impact: "What stands behind the first 500 KiB is in force for nobody: a crawler stops reading \
             there, in the middle of a line if it must.",
    fix: "Replace long lists of single addresses by patterns, or by a noindex on the pages; put \
          the rules that matter most first.",
};

const APPROACHING: Kind = Kind {
    id: "size-approaching",
    statuses: &[Status::Notice],
    title: "The file is on its way to the limit on size",
    when: "The document has more than half of the 512,000 octets that crawlers read.",
    intent: "Often a list that a program adds to.",
    impact: "Once it is longer than 500 KiB, rules at its end are no longer read, and nobody says \
             so.",
    fix: "Replace long lists of single addresses by patterns.",
};

const OK: Kind = Kind {
    id: "size-ok",
    statuses: &[Status::Pass],
    title: "The file is read whole",
    when: "The document has at most half of the 512,000 octets that crawlers read.",
    intent: "Every rule is meant to be read.",
    impact: "Nothing is cut off.",
    fix: "",
};

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let octets = context.readings.document_octets();
    let finding = if octets > ROBOTS_OCTETS || !context.subject.robots.is_whole() {
        let robots = context.robots();
        let unread = robots.lines().iter().find(|line| line.kind == LineKind::Unread);
        let read = robots.octets_read();
        let evidence = unread.map(|line| {
            Evidence::line(robots, line.number, None).noting("nothing from here on is read")
        });
        Finding::of(&OVER, format!("Only the first {} are read.", counted(read, "octet")))
            .shown_by(evidence)
    } else if octets > ROBOTS_OCTETS / 2 {
        Finding::of(&APPROACHING, format!("It has {}.", counted(octets, "octet")))
    } else {
        Finding::of(&OK, format!("It has {}.", counted(octets, "octet")))
    };
    findings.push(finding);
}
