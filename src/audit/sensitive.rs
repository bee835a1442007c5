//! Paths that the file gives away: whoever looks for something to attack reads robots.txt first.
//!
//! Only names that tell something count. Where the administration of a common platform lies is known
//! to everybody, and to name it gives nothing away.

use std::collections::BTreeMap;

use crate::robots::Rule;

use super::Check;
use super::blanket::listed;
use super::context::Context;
use super::finding::{Evidence, Finding, Kind, Status};

pub(super) const CHECK: Check = Check {
    name: "sensitive-paths",
    about: "Whether Disallow lines point to places that should not be known, let alone reachable.",
    kinds: &[&SENSITIVE],
    needs_rules: true,
    run,
};

const SENSITIVE: Kind = Kind {
    id: "sensitive-paths",
    statuses: &[Status::Warning, Status::Notice],
    title: "The file points to places that should not be known",
    when: "A segment of a Disallow's path is on one of four lists: data and backups, internal \
           environments (a warning), administration, infrastructure (a notice). Paths that every \
           site of a common platform has do not count.",
    intent: "To keep such places out of search results.",
    impact: "robots.txt is public and closes nothing: it is a list of addresses to try for anyone \
             who means harm.",
    fix: "Protect these places with a password or take them off the public server, and send \
          `X-Robots-Tag: noindex` from them; then delete the lines.",
};

/// A list of segments, and what stands there.
struct Listing {
    what: &'static str,
    status: Status,
    segments: &'static [&'static str],
}

/// What each list holds: whole segments of a path, in lower case; a final ending counts apart.
const LISTS: &[Listing] = &[
    Listing {
        what: "data and backups",
        status: Status::Warning,
        segments: &[
            "backup",
            "backups",
            "_backup",
            "_backups",
            "bak",
            "dump",
            "dumps",
            "sqldump",
            "mysqldump",
            "db_backup",
            ".git",
            ".svn",
            ".hg",
            ".env",
            ".htpasswd",
            ".ssh",
            ".aws",
            "passwords",
            "secret",
            "secrets",
            "credentials",
            "customers.csv",
            "logs",
            "error_log",
            "access_log",
            "db.sql",
            "dump.sql",
            "backup.zip",
            "backup.sql",
        ],
    },
    Listing {
        what: "internal environments",
        status: Status::Warning,
        segments: &[
            "staging",
            "stage",
            "intranet",
            "internal",
            "_internal",
            "sandbox",
            "uat",
            "preprod",
            "pre-prod",
            "devel",
            "testing-site",
            "old-site",
            "oldsite",
            "old_site",
        ],
    },
    Listing {
        what: "administration",
        status: Status::Notice,
        segments: &[
            "phpmyadmin",
            "adminer",
            "adminer.php",
            "cpanel",
            "whm",
            "webmin",
            "plesk",
            "siteadmin",
            "admincp",
            "admin-panel",
            "adminpanel",
            "controlpanel",
            "superadmin",
            "sysadmin",
            "webadmin",
            "manager-panel",
            "backoffice",
            "back-office",
        ],
    },
    Listing {
        what: "infrastructure",
        status: Status::Notice,
        segments: &[
            "server-status",
            "server-info",
            "jenkins",
            "grafana",
            "kibana",
            "prometheus",
            "actuator",
            "phpinfo",
            "phpinfo.php",
            "info.php",
            "jmx-console",
            "elmah.axd",
            "trace.axd",
            "solr",
            "elasticsearch",
            "_debug",
            "debug.log",
        ],
    },
];

/// A path of every Joomla site by which its stock file is known, and the one of its paths that is on
/// a list.
const JOOMLA: (&str, &str) = ("/administrator/", "/logs/");

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let mut found: BTreeMap<Status, (Vec<&'static str>, Vec<Evidence>)> = BTreeMap::new();
    let rules = || robots.groups().iter().flat_map(|group| &group.rules).filter(|rule| !rule.allow);
    let is_stock = rules().any(|rule| rule.pattern.as_text() == JOOMLA.0);
    for rule in rules() {
        let Some((list, segment)) = listed_segment(rule) else { continue };
        if is_stock && rule.pattern.as_text() == JOOMLA.1 {
            continue;
        }
        let (lists, evidence) = found.entry(list.status).or_default();
        if !lists.contains(&list.what) {
            lists.push(list.what);
        }
        evidence.push(Evidence::rule(robots, rule).noting(format!("{}: {segment}", list.what)));
    }
    for (status, (lists, evidence)) in found {
        let summary = format!("Its Disallow lines name {}.", listed(&lists));
        findings.push(Finding::of(&SENSITIVE, summary).graded(status).shown_by(evidence));
    }
}

/// The first segment of a rule's path that is on a list.
fn listed_segment(rule: &Rule) -> Option<(&'static Listing, String)> {
    let path = rule.pattern.as_text().to_ascii_lowercase();
    let path = path.split('?').next().unwrap_or_default();
    let segments = path.split('/').map(|segment| segment.trim_end_matches(['*', '$']));
    segments.into_iter().find_map(|segment| {
        let list = LISTS.iter().find(|list| list.segments.contains(&segment))?;
        Some((list, segment.to_owned()))
    })
}
