//! One domain as the report shows it: its verdict, its history, and the lines that made it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::classify::AccessClass;
use crate::library::CrawlerGroup;
use crate::record::{CrawlerRow, Layer, MergedRow, PathRow, ReviewRow};
use crate::words::{Word as _, shortened};

/// Most lines of one domain that are shown; paths.csv has all.
const LINES_MOST: usize = 8;
/// Most characters of a line that are shown.
const LINE_CHARACTERS: usize = 160;

/// A domain of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DomainEntry {
    domain: String,
    stratum: String,
    layer: &'static str,
    /// The access class, or the failure mode, or what robots.txt turned out to be.
    verdict: String,
    status: Option<u16>,
    attempt: u32,
    history: String,
    llms: &'static str,
    decided_alone_by: Option<String>,
    off_site: Option<String>,
    lines: Vec<LineEntry>,
    more_lines: usize,
    review: Vec<String>,
}

/// A Disallow line of a domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct LineEntry {
    line: u32,
    path: String,
    class: &'static str,
    reason: String,
    /// The crawlers whose class it decides, and with them the domain's; empty where it decides none.
    decides: String,
}

impl DomainEntry {
    /// A domain with its rows of every merged table.
    pub fn of(
        merged: &MergedRow,
        crawlers: &[CrawlerRow],
        paths: &[PathRow],
        review: &[ReviewRow],
    ) -> Self {
        let row = &merged.row;
        let verdict = match (row.layer, row.access_class, row.failure_mode) {
            (Layer::Policy, Some(class), _) => class.word(),
            (_, _, Some(mode)) => mode.word(),
            _ => row.robots_state.word(),
        };
        let deciding = deciding_lines(row.access_class, crawlers);
        let (lines, more_lines) = lines(paths, &deciding);
        let review = review.iter().map(|row| {
            let line = row.line.map(|line| format!("line {line}: ")).unwrap_or_default();
            format!("{}: {line}{}", row.kind, shortened(&row.text, LINE_CHARACTERS))
        });
        Self {
            domain: row.domain.as_str().to_owned(),
            stratum: row.stratum.clone(),
            layer: row.layer.word(),
            verdict: verdict.to_owned(),
            status: row.http_status,
            attempt: row.attempt,
            history: merged.merged.failure_history.0.join(", "),
            llms: row.llms_state.word(),
            decided_alone_by: row.decided_alone_by.clone(),
            off_site: row.off_site.then(|| row.final_host.clone()),
            lines,
            more_lines,
            review: review.take(LINES_MOST).collect(),
        }
    }

    /// Its access class, its failure mode, or what its robots.txt turned out to be.
    pub(super) fn verdict(&self) -> &str {
        &self.verdict
    }

    /// Its stratum.
    pub(super) fn stratum(&self) -> &str {
        &self.stratum
    }

    /// Whether a person should look at it before publication.
    pub fn needs_a_look(&self) -> bool {
        !self.review.is_empty()
    }
}

/// The lines that decide the domain's class, with the headline crawlers for which they do.
fn deciding_lines(class: Option<AccessClass>, crawlers: &[CrawlerRow]) -> BTreeMap<u32, Vec<&str>> {
    let mut deciding: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for row in crawlers {
        let is_deciding = row.crawler_group == CrawlerGroup::Retrieval && Some(row.class) == class;
        if let (true, Some(line)) = (is_deciding, row.deciding_line) {
            deciding.entry(line).or_default().push(&row.crawler);
        }
    }
    deciding
}

/// The lines to show, those that decide first among them if there are too many; how many more
/// there are.
fn lines(paths: &[PathRow], deciding: &BTreeMap<u32, Vec<&str>>) -> (Vec<LineEntry>, usize) {
    let mut shown: Vec<&PathRow> = paths.iter().collect();
    shown.sort_by_key(|row| (!deciding.contains_key(&row.line), row.restricts == 0, row.line));
    let more = shown.len().saturating_sub(LINES_MOST);
    shown.truncate(LINES_MOST);
    shown.sort_by_key(|row| row.line);
    let entry = |row: &PathRow| LineEntry {
        line: row.line,
        path: shortened(&row.path, LINE_CHARACTERS),
        class: row.class.word(),
        reason: row.reason.clone(),
        decides: deciding.get(&row.line).map(|names| names.join(", ")).unwrap_or_default(),
    };
    (shown.into_iter().map(entry).collect(), more)
}
