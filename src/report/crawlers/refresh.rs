//! A refresh of the registry: what is to be asked, what was found, and the rows that it suggests.

use std::fmt::Write as _;
use std::io;

use serde::Serialize;

use crate::record::Writer;
use crate::refresh::{Ended, Memory, Page, Visit};
use crate::registry::{Registry, Stamp};
use crate::report::heading::{bold, heading};
use crate::report::printable::shown;
use crate::words::{Word as _, counted};

/// Ranges and names of one page that are shown.
const SHOWN: usize = 12;

/// A table of candidates: its name before the day, its columns, and its rows as CSV without them.
pub struct CandidateTable {
    /// The name of its file, before the day.
    pub name: &'static str,
    /// The row of its columns, with its end.
    pub header: String,
    /// Its rows, each with its end; may be empty.
    pub rows: String,
}

/// What a round of visits came to.
pub struct RefreshReport<'a> {
    /// The visits, in their order.
    pub visits: &'a [Visit],
    /// Pages that the registry names.
    pub pages_named: usize,
    /// The day of the round.
    pub day: &'a str,
    /// The files in which candidates stand, by name.
    pub files: &'a [String],
}

/// What would be asked: the pages in their order, and what is remembered of each.
pub fn refresh_plan(pages: &[Page<'_>], pages_named: usize, memory: &Memory) -> String {
    let mut page = format!(
        "{}\n",
        bold(&format!("{} of {} would be asked", counted(pages.len(), "page"), pages_named))
    );
    for asked in pages {
        let last = memory.asked_at(asked.url).map_or("never", |at| at.get(..10).unwrap_or(at));
        let _ = writeln!(
            page,
            "  {:<13}  last asked {last:<10}  {}",
            asked.kind(),
            shown(asked.url.as_bytes())
        );
    }
    page.push_str(
        "Nothing was asked. Each host is asked for its robots.txt first, and its Crawl-delay is kept.\n",
    );
    page
}

/// What was found, for a terminal.
pub fn refresh(report: &RefreshReport<'_>) -> String {
    let asked = counted(report.visits.len(), "page");
    let mut page =
        format!("{}\n", bold(&format!("{asked} of {}, {}", report.pages_named, report.day)));
    for &ended in Ended::ALL {
        let count = report.visits.iter().filter(|visit| visit.ended == ended).count();
        if count > 0 {
            let _ = writeln!(page, "  {count:>5} {}", words(ended));
        }
    }
    for &ended in Ended::ALL {
        if matches!(ended, Ended::NothingNew | Ended::Unchanged) {
            continue;
        }
        let visits: Vec<&Visit> =
            report.visits.iter().filter(|visit| visit.ended == ended).collect();
        if !visits.is_empty() {
            heading(words(ended), &mut page);
            visits.into_iter().for_each(|visit| told(visit, &mut page));
        }
    }
    heading("Candidates", &mut page);
    match report.files {
        [] => page.push_str("  none\n"),
        files => {
            for file in files {
                let _ = writeln!(page, "  {}", shown(file.as_bytes()));
            }
            page.push_str("  The registry itself was not changed: look through the rows first.\n");
        }
    }
    page
}

/// An end in words.
fn words(ended: Ended) -> &'static str {
    match ended {
        Ended::News => "differ from the registry",
        Ended::NothingNew => "read, and the registry has it all",
        Ended::Unchanged => "as when they were last read",
        Ended::Disallowed => "closed to us by robots.txt, and not asked for",
        Ended::RobotsUnknown => "not asked for, since robots.txt could not be read",
        Ended::TooSlow => "not asked for, since robots.txt asks for longer pauses than are waited",
        Ended::Failed => "gave no page",
        Ended::Unreadable => "gave something else than is published there",
    }
}

/// A visit at length.
fn told(visit: &Visit, page: &mut String) {
    let status = visit.status.map(|status| format!(" ({status})")).unwrap_or_default();
    let _ = writeln!(page, "  {}{status}", shown(visit.url.as_bytes()));
    if !visit.detail.is_empty() {
        let _ = writeln!(page, "      {}", shown(visit.detail.as_bytes()));
    }
    for news in &visit.ranges {
        let added: Vec<String> = news.added.iter().map(ToString::to_string).collect();
        let gone: Vec<String> = news.gone.iter().map(|range| range.prefix.to_string()).collect();
        for (what, ranges) in [("new", added), ("gone", gone)] {
            row(&format!("{}: {} {what}", news.list, ranges.len()), &ranges, page);
        }
    }
    row("names that the registry does not know", &visit.tokens.unknown, page);
    row("tokens that the page does not hold", &visit.tokens.unmentioned, page);
}

/// A row of what was found, the first of many; nothing where nothing was.
fn row(what: &str, found: &[String], page: &mut String) {
    if found.is_empty() {
        return;
    }
    let first: Vec<String> = found.iter().take(SHOWN).map(|it| shown(it.as_bytes())).collect();
    let more = found.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let _ = writeln!(page, "      {what}: {}{more}", first.join(", "));
}

/// The candidates of one visit, in the columns of the registry's own files: ranges that came, and
/// those that went with their end; lists with the moment at which they were last seen; names.
///
/// `at` is the moment of the visit, `day` its day; a new row names a source that stands for it.
pub fn candidates(
    registry: &Registry,
    visit: &Visit,
    at: Stamp,
    day: &str,
) -> io::Result<[CandidateTable; 3]> {
    let source = format!("operator-lists-{day}");
    let mut ranges: Vec<Vec<String>> = Vec::new();
    for news in &visit.ranges {
        let list = &news.list;
        ranges.extend(news.added.iter().map(|prefix| {
            let (cidr, from) = (prefix.to_string(), at.to_string());
            vec![list.clone(), cidr, from, String::new(), source.clone()]
        }));
        ranges.extend(news.gone.iter().map(|range| {
            let sources = range.sources.join(" ") + " " + &source;
            let (from, to) = (range.valid_from.to_string(), at.to_string());
            vec![list.clone(), range.prefix.to_string(), from, to, sources]
        }));
    }
    let lists = visit.seen.iter().map(|list| vec![list.clone(), at.to_string()]);
    let name = |found: &str, token: &String| {
        let operator = registry.crawler(token).map_or("", |crawler| crawler.operator.as_str());
        vec![token.clone(), found.to_owned(), operator.to_owned(), visit.url.clone()]
    };
    let unknown = visit.tokens.unknown.iter().map(|token| name("unknown", token));
    let unmentioned = visit.tokens.unmentioned.iter().map(|token| name("unmentioned", token));
    Ok([
        table("ranges", &["list", "cidr", "valid_from", "valid_to", "source"], ranges)?,
        table("lists", &["id", "known_until"], lists.collect())?,
        table(
            "tokens",
            &["token", "found", "operator", "page"],
            unknown.chain(unmentioned).collect(),
        )?,
    ])
}

/// A table of rows.
fn table(
    name: &'static str,
    columns: &[&str],
    rows: Vec<Vec<String>>,
) -> io::Result<CandidateTable> {
    let written = |rows: &[Vec<String>]| {
        let mut writer = Writer::with_columns(Vec::new(), columns)?;
        for row in rows {
            writer.write(row)?;
        }
        String::from_utf8(writer.finish()?).map_err(io::Error::other)
    };
    let header = written(&[])?;
    let rows = written(&rows)?.split_off(header.len());
    Ok(CandidateTable { name, header, rows })
}

#[derive(Serialize)]
struct Document<'a> {
    day: &'a str,
    pages_named: usize,
    files: &'a [String],
    visits: Vec<VisitRow<'a>>,
}

#[derive(Serialize)]
struct VisitRow<'a> {
    url: &'a str,
    kind: &'static str,
    ended: &'static str,
    detail: &'a str,
    status: Option<u16>,
    lists_seen: &'a [String],
    lists: Vec<ListRow<'a>>,
    tokens_unknown: &'a [String],
    tokens_unmentioned: &'a [String],
}

#[derive(Serialize)]
struct ListRow<'a> {
    list: &'a str,
    added: Vec<String>,
    gone: Vec<String>,
}

/// What was found as JSON, with a line end.
pub fn refresh_json(report: &RefreshReport<'_>) -> serde_json::Result<String> {
    let list = |news: &'_ crate::refresh::RangeNews| {
        let added = news.added.iter().map(ToString::to_string).collect();
        let gone = news.gone.iter().map(|range| range.prefix.to_string()).collect();
        (added, gone)
    };
    let visits = report.visits.iter().map(|visit| VisitRow {
        url: &visit.url,
        kind: visit.kind,
        ended: visit.ended.word(),
        detail: &visit.detail,
        status: visit.status,
        lists_seen: &visit.seen,
        lists: visit
            .ranges
            .iter()
            .map(|news| {
                let (added, gone) = list(news);
                ListRow { list: &news.list, added, gone }
            })
            .collect(),
        tokens_unknown: &visit.tokens.unknown,
        tokens_unmentioned: &visit.tokens.unmentioned,
    });
    let document = Document {
        day: report.day,
        pages_named: report.pages_named,
        files: report.files,
        visits: visits.collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}
