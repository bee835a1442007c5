//! The findings of a log audit, for a terminal of eighty columns.
//!
//! In reading order: what was read, who came, under which rules, what was broken, what was wasted,
//! what a reader should know.

use std::fmt::Write as _;

use crate::logs::{CrawlerFindings, Findings, GroupFindings, Yield};
use crate::report::Printable;
use crate::report::heading::heading;
use crate::words::{Word as _, counted, shortened};

/// Rows that a table of the terminal shows; the rest is left to the files.
const ROWS_MOST: usize = 25;

/// Rules and impersonators that are shown.
const RULES_MOST: usize = 10;

/// The whole summary, with ANSI weights that the printer may strip.
pub fn log_findings(findings: &Findings) -> String {
    let mut page = Page(String::new());
    page.lines_read(findings);
    page.files(findings);
    page.claims(findings);
    page.verdicts(findings);
    page.rules(findings);
    page.impersonators(findings);
    page.outcomes(findings);
    page.groups("By purpose", &findings.purposes);
    page.notes(findings);
    page.0
}

/// The page while it is written.
struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.0, "{}", Printable(text.trim_end()));
    }

    fn heading(&mut self, text: &str) {
        heading(text, &mut self.0);
    }

    fn lines_read(&mut self, findings: &Findings) {
        let (lines, requests) = (&findings.lines, &findings.requests);
        let files = counted(findings.files.len(), "file");
        self.heading(&format!("{files}, {} lines", lines.lines));
        self.line(&format!(
            "  parsed {}   blank {}   directives {}   rejected {}",
            lines.parsed, lines.blank, lines.directives, lines.rejected
        ));
        if !lines.reasons.is_empty() {
            self.line(&format!("  rejected: {}", listed(&lines.reasons)));
        }
        if lines.repeated > 0 {
            self.line(&format!("  {} parsed lines are copies and left out", lines.repeated));
        }
        self.line(&format!(
            "  requests {}   claims to be a known crawler {}",
            requests.requests, requests.claims
        ));
        if requests.clock_offsets.len() > 1 {
            self.line(&format!("  clocks: {}", listed(&requests.clock_offsets)));
        }
        if !requests.client_bases.is_empty() {
            self.line(&format!("  client's address: {}", listed(&requests.client_bases)));
        }
    }

    fn files(&mut self, findings: &Findings) {
        self.heading("Files, in the order of their times");
        for file in findings.files.iter().take(ROWS_MOST) {
            let format = file.format.as_deref().unwrap_or("unknown format");
            if let Some(other) = &file.copy_of {
                self.line(&format!("  {}: the same as {other}, counted once", file.name));
                continue;
            }
            let (parsed, rejected) = (file.parsed, file.rejected);
            self.line(&format!("  {}: {format}, {parsed} parsed, {rejected} rejected", file.name));
            if let (Some(first), Some(last)) = (&file.first, &file.last) {
                self.line(&format!("    {first} to {last}"));
            }
            if file.unfinished_octets > 0 {
                let octets = file.unfinished_octets;
                self.line(&format!("    {octets} octets at its end are no whole line yet"));
            }
            if let Some(fault) = &file.fault {
                self.line(&format!("    read up to a fault: {fault}"));
            }
        }
        self.more(findings.files.len(), ROWS_MOST, "files");
        if let Some(overlap) = &findings.overlap {
            let done = if overlap.left_out { "left out" } else { "counted; --dedupe lines" };
            let about = if overlap.is_estimate { "about " } else { "" };
            let copies = overlap.copies;
            self.line(&format!("  overlap: {about}{copies} lines stand in two files ({done})"));
            for pair in overlap.pairs.iter().take(RULES_MOST) {
                self.line(&format!("    {} in {} and {}", pair.copies, pair.file, pair.other));
            }
        }
    }

    fn claims(&mut self, findings: &Findings) {
        if findings.crawlers.is_empty() {
            self.heading("No request claims to be a crawler of the registry");
            return;
        }
        self.heading("Who came           claims  genuine sibling adjacent imperson. unverifiable");
        for of in findings.crawlers.iter().take(ROWS_MOST) {
            self.line(&format!(
                "{:<17}{:>8} {:>8} {:>7} {:>8} {:>9} {:>12}",
                shortened(&of.token, 16),
                of.claims,
                of.genuine,
                of.sibling,
                of.adjacent,
                of.impersonated,
                of.unverifiable
            ));
            if let Some(two) = of.two_way {
                let (genuine, impersonated) = (two.genuine, two.impersonated);
                self.line(&format!(
                    "  on two sides: genuine {genuine}, impersonated {impersonated}"
                ));
            }
        }
        self.more(findings.crawlers.len(), ROWS_MOST, "crawlers");
    }

    fn verdicts(&mut self, findings: &Findings) {
        let genuine: Vec<&CrawlerFindings> =
            findings.crawlers.iter().filter(|of| of.genuine > 0).collect();
        if genuine.is_empty() {
            return;
        }
        if findings.versions.is_empty() {
            self.heading(
                "Rules: no robots.txt is known, so that nothing is allowed or a violation",
            );
            self.line("  hint: --robots-history names a robots.txt, or a folder of its versions");
            return;
        }
        let judgement = &findings.terms.judgement;
        self.heading(&format!(
            "Genuine requests    allowed disallowed  no rules | violations ({judgement})"
        ));
        for of in genuine.iter().take(ROWS_MOST) {
            let share = of.violation_rate.share().map_or("-".to_owned(), percent);
            self.line(&format!(
                "{:<17}{:>10} {:>10} {:>9} | {:>8} {:>6}  informed {}, excused {}",
                shortened(&of.token, 16),
                of.allowed,
                of.disallowed,
                of.no_version + of.ambiguous + of.no_target,
                of.violations,
                share,
                of.informed,
                of.excused
            ));
            if of.disallowed > 0 && of.stance != "obeys" {
                self.line(&format!("  its operator's stance on robots.txt: {}", of.stance));
            }
            if let Some(gaps) = of.crawl_delay {
                self.line(&format!(
                    "  Crawl-delay: {} gaps, {} certainly too short, {} possibly",
                    gaps.gaps, gaps.certain, gaps.possible
                ));
            }
        }
        self.more(genuine.len(), ROWS_MOST, "crawlers");
    }

    fn rules(&mut self, findings: &Findings) {
        if findings.rules.is_empty() {
            return;
        }
        self.heading("Rules that were broken, by the version in force");
        for rule in findings.rules.iter().take(RULES_MOST) {
            let line = rule.line.map_or(String::new(), |line| format!(":{line}"));
            self.line(&format!(
                "{:>9}  {:<16}  {}",
                rule.count,
                shortened(&rule.token, 16),
                shortened(&rule.rule, 50)
            ));
            self.line(&format!("           {}{line}, first {}", rule.file, rule.example));
        }
        self.more(findings.rules.len(), RULES_MOST, "rules");
    }

    fn impersonators(&mut self, findings: &Findings) {
        let mut rows: Vec<_> = findings.impersonators.rows.iter().collect();
        if rows.is_empty() {
            return;
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.count));
        self.heading("Impersonators, by address");
        for row in rows.iter().take(RULES_MOST) {
            self.line(&format!(
                "{:>9}  {:<16}  {:<39}  {}",
                row.count,
                shortened(&row.token, 16),
                row.address,
                row.evidence
            ));
        }
        self.more(rows.len(), RULES_MOST, "addresses");
        if findings.impersonators.is_cut {
            let distinct = findings.impersonators.distinct;
            self.line(&format!("  of about {distinct} in all: the table keeps a sample of them"));
        }
    }

    fn outcomes(&mut self, findings: &Findings) {
        let genuine: Vec<_> = findings.crawlers.iter().filter(|of| of.genuine > 0).collect();
        if genuine.is_empty() {
            return;
        }
        self.heading("Crawl that yielded nothing, of the genuine requests");
        for of in genuine.into_iter().take(ROWS_MOST) {
            let mut reasons = of.outcomes.clone();
            reasons.retain(|reason, _| {
                Yield::from_word(reason).is_none_or(|outcome| !outcome.is_of_value())
            });
            let share = of.non_productive as f64 / of.genuine as f64;
            self.line(&format!(
                "{:<17}{:>8} {:>6}  {}",
                shortened(&of.token, 16),
                of.non_productive,
                percent(share),
                listed(&reasons)
            ));
        }
    }

    fn groups(&mut self, title: &str, groups: &[GroupFindings]) {
        if groups.is_empty() {
            return;
        }
        self.heading(&format!(
            "{title:<17}  claims  genuine impersonated unverifiable  violations"
        ));
        for group in groups {
            self.line(&format!(
                "{:<17}{:>8} {:>8} {:>12} {:>12} {:>11}",
                group.name,
                group.claims,
                group.genuine,
                group.impersonated,
                group.unverifiable,
                group.violations
            ));
        }
    }

    fn notes(&mut self, findings: &Findings) {
        if findings.notes.is_empty() {
            return;
        }
        self.heading("Notes");
        for note in &findings.notes {
            self.line(&format!("  {note}"));
        }
    }

    fn more(&mut self, rows: usize, shown: usize, what: &str) {
        if rows > shown {
            self.line(&format!("  and {} more {what}", rows - shown));
        }
    }
}

/// A share as a percentage.
fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// Words with their counts, the most first.
fn listed(counts: &std::collections::BTreeMap<String, u64>) -> String {
    let mut counts: Vec<(&String, &u64)> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let words: Vec<String> = counts.iter().map(|(word, count)| format!("{word} {count}")).collect();
    words.join(", ")
}
