//! How often each finding occurs, for a terminal and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::audit::styled;
use super::heading::{bold, heading};
use super::printable::shown;
use crate::audit::{Prevalence, Status};
use crate::stats::Rate;
use crate::words::Word as _;

/// The prevalence of every finding that occurs, or the files of one finding.
pub fn prevalence(source: &str, prevalence: &Prevalence, listed: Option<&str>) -> String {
    let mut page = String::new();
    if let Some(id) = listed {
        for row in prevalence.rows().iter().filter(|row| row.kind.id == id) {
            for name in row.names {
                let _ = writeln!(page, "{}\t{}", row.status, shown(name.as_bytes()));
            }
        }
        return page;
    }
    let _ = writeln!(page, "{}\n{} files audited", bold(source), prevalence.files);
    heading("Worst finding", &mut page);
    for status in [Some(Status::Critical), Some(Status::Warning), Some(Status::Notice), None] {
        let files = prevalence.worst.get(&status).copied().unwrap_or(0);
        let word = status.map_or("nothing to mend", |status| status.word());
        let rate = Rate::new(files, prevalence.files);
        let _ = writeln!(page, "  {word:<16} {}", told(rate));
    }
    heading("Findings, with Wilson 95 % intervals", &mut page);
    for row in prevalence.rows().iter().filter(|row| row.rate.n > 0) {
        let _ = writeln!(
            page,
            "  {}  {:<31} {}",
            styled(row.status, &format!("{:<11}", row.status.word())),
            row.kind.id,
            told(row.rate)
        );
    }
    page
}

/// A rate with its counts and its interval.
fn told(rate: Rate) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    match (rate.share(), rate.interval()) {
        (Some(share), Some((low, high))) => format!(
            "{:>6}/{}  {:>5} %  [{}, {}]",
            rate.n,
            rate.of,
            percent(share),
            percent(low),
            percent(high)
        ),
        _ => format!("{:>6}/{}", rate.n, rate.of),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    form: &'static str,
    source: &'a str,
    files: u64,
    worst: Vec<WorstRow>,
    findings: Vec<FindingRow<'a>>,
}

#[derive(Serialize)]
struct WorstRow {
    status: Option<&'static str>,
    rate: Rate,
}

#[derive(Serialize)]
struct FindingRow<'a> {
    id: &'static str,
    status: &'static str,
    title: &'static str,
    rate: Rate,
    names: &'a [String],
}

/// The prevalence of every finding as JSON, with the names of the files, and with a line end.
pub fn prevalence_json(source: &str, prevalence: &Prevalence) -> serde_json::Result<String> {
    let rows = prevalence.rows();
    let statuses = [Some(Status::Critical), Some(Status::Warning), Some(Status::Notice), None];
    let worst = |status: Option<Status>| WorstRow {
        status: status.map(|status| status.word()),
        rate: Rate::new(prevalence.worst.get(&status).copied().unwrap_or(0), prevalence.files),
    };
    let document = Document {
        form: "scanner-prevalence/1",
        source,
        files: prevalence.files,
        worst: statuses.into_iter().map(worst).collect(),
        findings: rows
            .iter()
            .map(|row| FindingRow {
                id: row.kind.id,
                status: row.status.word(),
                title: row.kind.title,
                rate: row.rate,
                names: row.names,
            })
            .collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
