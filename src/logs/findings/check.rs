//! What must be true of every audit, whatever the log holds.

use super::{CrawlerFindings, Findings};

/// Everything that does not add up; nothing, unless this program is at fault.
pub fn check(findings: &Findings) -> Vec<String> {
    let mut faults = Vec::new();
    let mut equal = |what: &str, sum: u64, whole: u64| {
        if sum != whole {
            faults.push(format!("{what}: {sum} is not {whole}"));
        }
    };
    let lines = &findings.lines;
    let sum = lines.parsed + lines.blank + lines.directives + lines.rejected;
    equal("parsed + blank + directives + rejected = lines", sum, lines.lines);
    equal("reasons = rejected", lines.reasons.values().sum(), lines.rejected);
    equal("files = lines", findings.files.iter().map(|file| file.lines).sum(), lines.lines);
    for file in &findings.files {
        let sum = file.parsed + file.blank + file.directives + file.rejected;
        equal(&format!("the lines of {}", file.name), sum, file.lines);
    }
    let claims = findings.requests.claims;
    for of in &findings.crawlers {
        let sum = of.genuine + of.sibling + of.adjacent + of.impersonated + of.unverifiable;
        equal(&format!("the identities of {}", of.token), sum, of.claims);
        let sum = of.allowed + of.disallowed + of.no_version + of.ambiguous + of.no_target;
        equal(&format!("the verdicts of {}", of.token), sum, of.genuine);
        equal(&format!("the outcomes of {}", of.token), of.outcomes.values().sum(), of.genuine);
        let is_covered = of.outcomes.iter().all(|(outcome, count)| {
            of.outcomes_overlapping.get(outcome).is_some_and(|all| all >= count)
        });
        equal(
            &format!("the outcomes of {} among all that hold", of.token),
            u64::from(is_covered),
            1,
        );
        equal(&format!("the statuses of {}", of.token), of.statuses.values().sum(), of.genuine);
        for (identity, by, count) in [
            ("genuine", &of.genuine_by, of.genuine),
            ("impersonated", &of.impersonated_by, of.impersonated),
            ("unverifiable", &of.unverifiable_by, of.unverifiable),
        ] {
            equal(&format!("{identity} of {}", of.token), by.values().sum(), count);
        }
    }
    let sum_of = |count: fn(&CrawlerFindings) -> u64| findings.crawlers.iter().map(count).sum();
    equal("crawlers = claims", sum_of(|of| of.claims), claims);
    equal("client_bases = claims", findings.requests.client_bases.values().sum(), claims);
    let disallowed: u64 = sum_of(|of| of.disallowed);
    equal("rules = disallowed", findings.rules.iter().map(|rule| rule.count).sum(), disallowed);
    for (name, groups) in [("purposes", &findings.purposes), ("operators", &findings.operators)] {
        equal(&format!("{name} = claims"), groups.iter().map(|group| group.claims).sum(), claims);
        let sum = groups.iter().map(|group| group.disallowed).sum();
        equal(&format!("{name} = disallowed"), sum, disallowed);
    }
    if !findings.days.is_cut {
        equal(
            "days = claims",
            findings.days.rows.iter().map(|day| day.counts.claims).sum(),
            claims,
        );
    }
    if !findings.hosts.is_cut {
        equal(
            "hosts = claims",
            findings.hosts.rows.iter().map(|host| host.counts.claims).sum(),
            claims,
        );
    }
    if !findings.violations.is_cut {
        let sum = findings.violations.rows.iter().map(|row| row.count).sum();
        equal("violations = disallowed", sum, disallowed);
    }
    faults
}
