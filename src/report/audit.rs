//! A site audit for a terminal: verdict, findings with the lines that are meant, the fix last, and
//! who may read the site.

use std::fmt::Write as _;

use super::excerpt::excerpt;
use super::heading::{bold, heading};
use super::printable::{Printable, shown};
use super::robots::{groups, one_line};
use crate::audit::{
    Audit, Evidence, EvidenceSource, Finding, Move, PostureRow, Reach, Since, Status, Subject,
};
use crate::robots::{Dialect, Robots};
use crate::words::{Word as _, counted, shortened};

/// Pieces of evidence that are shown of one finding.
const SHOWN: usize = 5;

/// Crawlers that are named in one row of the posture.
const NAMED: usize = 12;

/// Characters of a line of words.
const WIDTH: usize = 84;

/// An audit, what was audited, and what is asked of the report.
pub struct AuditReport<'a> {
    /// What was audited.
    pub subject: &'a Subject,
    /// What it came to.
    pub audit: &'a Audit,
    /// Whether what passed, and what was not checked, is told at length.
    pub is_long: bool,
    /// Whether the terminal is told what each rule does; JSON and HTML always tell it.
    pub has_rules: bool,
    /// What changed since an earlier version, and what that is called.
    pub since: Option<(&'a str, &'a Since)>,
    /// Whether the document itself goes into the JSON.
    pub has_document: bool,
}

/// The audit as a page.
pub fn audit(report: &AuditReport) -> String {
    let mut page = String::new();
    head(report, &mut page);
    since(report, &mut page);
    let actionable: Vec<&Finding> = report.audit.actionable().collect();
    for finding in &actionable {
        told(report, finding, &mut page);
    }
    readout(report, &mut page);
    posture(report, &mut page);
    rest(report, &mut page);
    if report.has_rules {
        groups(report.audit.readings.of(Dialect::C01), &mut page);
    }
    page
}

/// What was audited, and the verdict.
fn head(report: &AuditReport, page: &mut String) {
    let audit = report.audit;
    let robots = audit.readings.of(Dialect::C01);
    let rules: usize = robots.groups().iter().map(|group| group.rules.len()).sum();
    let _ = writeln!(page, "{}", bold(&report.subject.source));
    if let Some(url) = &report.subject.url
        && report.subject.source != url.as_str()
    {
        let _ = writeln!(page, "audited for {}", Printable(url.as_str()));
    }
    let _ = writeln!(
        page,
        "{}, {}, {}, {}",
        counted(audit.readings.document_octets(), "octet"),
        counted(robots.lines().len(), "line"),
        counted(robots.groups().len(), "group"),
        counted(rules, "rule"),
    );
    for issue in &audit.request_issues {
        let _ = writeln!(
            page,
            "! {}: {}{}{}",
            issue.kind,
            Printable(&issue.url),
            if issue.detail.is_empty() { "" } else { ": " },
            Printable(&issue.detail)
        );
    }
    let counts: Vec<String> = audit
        .counts()
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(status, count)| styled(status, &format!("{count} {}", label(status, count))))
        .collect();
    let verdict = match audit.worst() {
        Some(_) => counts.join(" · "),
        None if audit.state.is_error() => "nothing could be audited".to_owned(),
        None => styled(Status::Pass, "pass: there is nothing to mend"),
    };
    let _ = writeln!(page, "{verdict}");
}

/// What changed since an earlier version.
fn since(report: &AuditReport, page: &mut String) {
    let Some((source, since)) = report.since else { return };
    heading(&format!("Since {source}"), page);
    if since.is_nothing() {
        page.push_str("  nothing that an audit looks at\n");
    }
    for Move { before, now, tokens } in &since.moved {
        let names: Vec<String> =
            tokens.iter().take(NAMED).map(|token| shown(token.as_bytes())).collect();
        let more = tokens.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        wrapped(&format!("{before} → {now}: "), &format!("{}{more}", names.join(", ")), page);
    }
    for (what, ids) in [("new", &since.came), ("gone", &since.went)] {
        if !ids.is_empty() {
            wrapped(&format!("{what}: "), &ids.join(", "), page);
        }
    }
}

/// A status as a word for a count.
fn label(status: Status, count: usize) -> String {
    match (status, count) {
        (Status::Critical, _) => "critical".to_owned(),
        (status, 1) => status.word().to_owned(),
        (status, _) => format!("{status}s"),
    }
}

/// A text in the colour of a status; where no terminal shows it, the colour falls away.
pub(super) fn styled(status: Status, text: &str) -> String {
    let code = match status {
        Status::Critical => "1;31",
        Status::Warning => "1;33",
        Status::Notice => "1;36",
        Status::Info => "1",
        Status::Pass => "32",
        Status::NotChecked => "2",
    };
    format!("\x1b[{code}m{}\x1b[0m", Printable(text))
}

/// A finding at length.
fn told(report: &AuditReport, finding: &Finding, page: &mut String) {
    let _ = writeln!(
        page,
        "\n{} {}  {}",
        styled(finding.status, finding.status.word()),
        finding.kind.id,
        bold(finding.kind.title)
    );
    wrapped("", &finding.summary, page);
    evidence(report, finding, page);
    if !finding.kind.intent.is_empty() {
        wrapped("meant: ", finding.kind.intent, page);
    }
    wrapped("means: ", finding.impact(), page);
    if !finding.fix().is_empty() {
        wrapped("fix:   ", finding.fix(), page);
    }
}

/// The evidence of a finding: lines with carets, or what stands elsewhere.
fn evidence(report: &AuditReport, finding: &Finding, page: &mut String) {
    let robots = report.audit.readings.of(Dialect::C01);
    for piece in finding.evidence.iter().take(SHOWN) {
        page.push_str(&one_piece(robots, piece));
    }
    let more = finding.evidence.len().saturating_sub(SHOWN) + finding.evidence_left_out;
    if more > 0 {
        let _ = writeln!(page, "        … and {more} more");
    }
}

/// A piece of evidence.
fn one_piece(robots: &Robots, piece: &Evidence) -> String {
    let note = shown(piece.note.as_bytes());
    match (piece.source, piece.line) {
        (EvidenceSource::Robots, Some(line)) => {
            let span = piece.span.or_else(|| robots.line(line).map(|line| line.text));
            let lines = span.map(|span| excerpt(robots, line, span)).unwrap_or_default();
            let carets = lines.lines().last().unwrap_or_default().chars().count();
            match note.chars().count() {
                0 => lines,
                length if carets + 1 + length <= WIDTH => {
                    format!("{} {note}\n", lines.trim_end())
                }
                _ => {
                    let mut told = lines;
                    wrapped_in("        |   ", &note, &mut told);
                    told
                }
            }
        }
        (EvidenceSource::Robots, None) => format!("        | {note}\n"),
        (source, line) => {
            let line = line.map(|line| format!(" line {line}")).unwrap_or_default();
            let note = if note.is_empty() { note } else { format!(" ({note})") };
            format!("  {source}{line}: {}{note}\n", one_line(piece.text.as_bytes()))
        }
    }
}

/// Words behind a label, broken into lines.
fn wrapped(label: &str, words: &str, page: &mut String) {
    broken(&format!("  {label}"), &" ".repeat(2 + label.len()), words, page);
}

/// Words that are broken into lines, each with the same before it.
fn wrapped_in(before: &str, words: &str, page: &mut String) {
    broken(before, before, words, page);
}

/// Words broken into lines: what stands before the first, and before the others.
fn broken(first: &str, indent: &str, words: &str, page: &mut String) {
    let mut line = first.to_owned();
    for (place, part) in words.split('\n').enumerate() {
        if place > 0 {
            let _ = writeln!(page, "{}", line.trim_end());
            indent.clone_into(&mut line);
        }
        for word in part.split(' ') {
            let word = shown(word.as_bytes());
            let is_first = line.len() <= indent.len();
            if !is_first && line.chars().count() + word.chars().count() >= WIDTH {
                let _ = writeln!(page, "{}", line.trim_end());
                indent.clone_into(&mut line);
            }
            line += &word;
            line.push(' ');
        }
    }
    let _ = writeln!(page, "{}", line.trim_end());
}

/// Who may read the site, by purpose, and the other readouts.
fn readout(report: &AuditReport, page: &mut String) {
    let info: Vec<&Finding> =
        report.audit.findings.iter().filter(|it| it.status == Status::Info).collect();
    let (access, others): (Vec<&Finding>, Vec<&Finding>) =
        info.into_iter().partition(|it| it.kind.id.starts_with("crawler-access-"));
    if !access.is_empty() {
        heading("Who may read the site", page);
        for finding in access {
            let words = shortened(&finding.summary, 3 * WIDTH);
            let _ = writeln!(page, "  {:<32} {}", finding.kind.title, shown(words.as_bytes()));
            if report.is_long {
                wrapped("    ", finding.impact(), page);
            }
        }
    }
    if !others.is_empty() {
        heading("Also", page);
        for finding in others {
            let _ = writeln!(page, "  {}  {}", finding.kind.id, finding.kind.title);
            wrapped("  ", &format!("{}{}", finding.summary, places(report, finding)), page);
            if report.is_long {
                evidence(report, finding, page);
            }
        }
    }
}

/// The lines of a readout's evidence, where the evidence itself is not shown.
fn places(report: &AuditReport, finding: &Finding) -> String {
    let mut lines: Vec<u32> = finding.evidence.iter().filter_map(|piece| piece.line).collect();
    lines.dedup();
    let told: Vec<String> = lines.iter().take(NAMED).map(ToString::to_string).collect();
    let more = lines.len().saturating_sub(NAMED) + finding.evidence_left_out;
    match told.len() {
        0 => String::new(),
        _ if report.is_long => String::new(),
        1 => format!(" Line {}.", told[0]),
        _ if more > 0 => format!(" Lines {} and {more} more.", told.join(", ")),
        _ => format!(" Lines {}.", told.join(", ")),
    }
}

/// Every named agent, by purpose.
fn posture(report: &AuditReport, page: &mut String) {
    let posture = &report.audit.posture;
    if posture.rows.is_empty() {
        return;
    }
    heading("Crawlers that the file names", page);
    for row in &posture.rows {
        let purpose = row.purpose.map_or("not placed", |purpose| purpose.word());
        let _ = writeln!(page, "  {purpose:<15} {}", agents(row));
    }
}

/// The agents of a purpose: how much they may fetch, each with its names.
fn agents(row: &PostureRow) -> String {
    let with = |reach: Reach| {
        let names: Vec<String> = row
            .agents
            .iter()
            .filter(|agent| agent.reach == reach)
            .map(|agent| shown(agent.token.as_bytes()))
            .collect();
        let more = names.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let listed: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
        (!listed.is_empty()).then(|| format!("{}: {}{more}", reach.word(), listed.join(", ")))
    };
    let parts: Vec<String> = Reach::ALL.iter().filter_map(|&reach| with(reach)).collect();
    parts.join("; ")
}

/// What passed, and what was not checked.
fn rest(report: &AuditReport, page: &mut String) {
    for (status, title) in [(Status::Pass, "Passed"), (Status::NotChecked, "Not checked")] {
        let findings: Vec<&Finding> =
            report.audit.findings.iter().filter(|it| it.status == status).collect();
        if findings.is_empty() {
            continue;
        }
        heading(title, page);
        for finding in findings {
            let words = format!("{}. {}", finding.kind.title, finding.summary);
            let _ = writeln!(page, "  {:<24} {}", finding.kind.id, shown(words.as_bytes()));
        }
    }
}
