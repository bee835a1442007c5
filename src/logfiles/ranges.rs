//! Address ranges on disk: what operators published, as it was kept over time.
//!
//! A folder of folders, one a list, each with copies that are named after their moments; `sources.csv`
//! says whose each list is. Without it, a folder or a file is named after its crawler's token. A copy
//! whose name bears no moment has it inside, as `creationTime`. `overrides.csv` says of single prefixes
//! when they stood in a list, where the copies do not tell it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::files;
use crate::limits::LOG_EVIDENCE_OCTETS;
use crate::logs::manifest::stamp_in_name;
use crate::refusal::Refusal;
use crate::registry::{ListKind, Prefix, RangeList, Registry, Snapshot};
use crate::stamp::Stamp;
use crate::tabular::Table;
use crate::words::nearest;

/// The table of lists.
const SOURCES: &str = "sources.csv";

const COLUMNS: [&str; 9] = [
    "source_id",
    "operator",
    "tokens",
    "category",
    "kind",
    "url",
    "published_since",
    "read_at",
    "note",
];

/// The table of corrections.
const OVERRIDES: &str = "overrides.csv";

const OVERRIDE_COLUMNS: [&str; 5] = ["source_id", "prefix", "valid_from", "valid_to", "reason"];

/// What a folder of ranges may be.
const HINT: &str = "a folder of lists, each a folder of copies named 2026-09-02T144105Z.json (or .csv, \
                    .txt); see docs/logs.md";

/// A list that is to be read.
struct Wanted {
    id: String,
    kind: ListKind,
    tokens: Vec<String>,
    published_since: Option<Stamp>,
    copies: Vec<PathBuf>,
}

/// Reads lists and puts them into the registry in the place of its own for the same crawlers.
///
/// Space that no crawler can have, such as documentation's, is refused unless tests allow it.
pub fn ranges(folder: &Path, registry: &mut Registry, allows_tests: bool) -> Result<(), Refusal> {
    let sources = folder.join(SOURCES);
    let wanted = match files::exists(&sources) {
        true => of_sources(folder, &sources)?,
        false => of_names(folder)?,
    };
    if wanted.is_empty() {
        return Err(Refusal::of(&folder.to_string_lossy(), "the folder holds no list", HINT));
    }
    let mut lists = Vec::new();
    for list in wanted {
        lists.push(list_of(&list, registry, allows_tests)?);
    }
    let overrides = folder.join(OVERRIDES);
    if files::exists(&overrides) {
        correct(&mut lists, &overrides, allows_tests)?;
    }
    registry.replace_lists(lists);
    Ok(())
}

/// Reads one list.
fn list_of(list: &Wanted, registry: &Registry, allows_tests: bool) -> Result<RangeList, Refusal> {
    let mut crawlers = Vec::new();
    let mut operator = None;
    for token in &list.tokens {
        let Some(crawler) = registry.crawler(token) else {
            let known = registry.crawlers.iter().map(|crawler| crawler.token.as_str());
            let hint = nearest(token, known)
                .map_or("scanner crawlers list names them".to_owned(), |meant| {
                    format!("did you mean {meant:?}? scanner crawlers list names them")
                });
            return Err(Refusal::of(&list.id, format!("unknown crawler: {token:?}"), hint));
        };
        crawlers.push(crawler.token.clone());
        operator.get_or_insert(crawler.operator.as_str());
    }
    let mut snapshots = Vec::new();
    for path in &list.copies {
        let name = path.to_string_lossy();
        let snapshot = snapshot_of(path)?;
        for prefix in &snapshot.prefixes {
            routable(prefix, allows_tests)
                .map_err(|(message, hint)| Refusal::of(&name, message, hint))?;
        }
        snapshots.push(snapshot);
    }
    let operator = operator.unwrap_or_default();
    let of_copies = RangeList::from_snapshots(&list.id, operator, list.kind, crawlers, snapshots);
    let mut found = of_copies.ok_or_else(|| Refusal::of(&list.id, "the list has no copy", HINT))?;
    found.published_since = list.published_since;
    Ok(found)
}

/// Refuses space that no crawler can have, unless tests are allowed it.
fn routable(prefix: &Prefix, allows_tests: bool) -> Result<(), (String, &'static str)> {
    if allows_tests || !prefix.is_unroutable() {
        return Ok(());
    }
    let message = format!("space that no crawler can have: {prefix}");
    Err((message, "--allow-test-ranges reads it all the same"))
}

/// The times of prefixes that a table corrects, by list and prefix, each with the row's line.
type Corrections = BTreeMap<(String, Prefix), Vec<(Option<Stamp>, Option<Stamp>)>>;

/// Corrects lists by a table: its rows for a prefix take the place of what the copies say of it.
fn correct(lists: &mut [RangeList], path: &Path, allows_tests: bool) -> Result<(), Refusal> {
    let file = path.to_string_lossy();
    let text = files::read_text(path, LOG_EVIDENCE_OCTETS)
        .map_err(|error| files::unreadable(path, &error, HINT))?;
    let mut corrections = Corrections::new();
    for row in Table::of(&file, &text, &OVERRIDE_COLUMNS)? {
        let row = row?;
        let refused = |message: String, hint: &str| Refusal::of(&file, message, hint).at(row.line);
        let [id, prefix, from, to, _] = row.cells.as_slice() else { continue };
        if !lists.iter().any(|list| list.id == *id) {
            let known: Vec<&str> = lists.iter().map(|list| list.id.as_str()).collect();
            return Err(refused(format!("unknown list: {id:?}"), &known.join(", ")));
        }
        let prefix = Prefix::parse(prefix)
            .map_err(|message| refused(message, "an address, / and a length: 192.0.2.0/24"))?;
        routable(&prefix, allows_tests).map_err(|(message, hint)| refused(message, hint))?;
        let (from, to) = (moment(from), moment(to));
        let (Some(from), Some(to)) = (from, to) else {
            return Err(refused("not a moment".into(), MOMENT));
        };
        corrections.entry((id.clone(), prefix)).or_default().push((from, to));
    }
    for ((id, prefix), times) in corrections {
        for list in lists.iter_mut().filter(|list| list.id == id) {
            list.correct(prefix, &times);
        }
    }
    Ok(())
}

/// What a cell with a moment may hold.
const MOMENT: &str = "a day (2026-09-02), a second in UTC (2026-09-02T14:41:05Z), or nothing";

/// A moment of a cell, none where it is empty; `None` where it is no moment.
fn moment(cell: &str) -> Option<Option<Stamp>> {
    if cell.is_empty() { Some(None) } else { Stamp::parse(cell).map(Some) }
}

/// Reads one copy.
fn snapshot_of(path: &Path) -> Result<Snapshot, Refusal> {
    let name = path.to_string_lossy();
    let text = files::read_text(path, LOG_EVIDENCE_OCTETS)
        .map_err(|error| files::unreadable(path, &error, HINT))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let at_s = stamp_in_name(&stem).or_else(|| Snapshot::created_s(&text));
    let Some(at_s) = at_s else {
        let message = "neither its name nor creationTime bears a moment";
        return Err(Refusal::of(&name, message, HINT));
    };
    Snapshot::parse(Stamp::from_unix(at_s), &text)
        .map_err(|message| Refusal::of(&name, message, "the operator's file, as it was published"))
}

/// The lists that a table names.
fn of_sources(folder: &Path, sources: &Path) -> Result<Vec<Wanted>, Refusal> {
    let file = sources.to_string_lossy();
    let text = files::read_text(sources, LOG_EVIDENCE_OCTETS)
        .map_err(|error| files::unreadable(sources, &error, HINT))?;
    let mut wanted = Vec::new();
    for row in Table::of(&file, &text, &COLUMNS)? {
        let row = row?;
        let [id, _, tokens, _, kind, _, since, ..] = row.cells.as_slice() else { continue };
        let kind = match kind.as_str() {
            "list" | "crawlers" => ListKind::Crawlers,
            "operator" => ListKind::Operator,
            "network" => ListKind::Network,
            "rdns" | "none" => continue,
            other => {
                let message = format!("unknown kind: {other:?}");
                let hint = "list, operator, network, rdns or none";
                return Err(Refusal::of(&file, message, hint).at(row.line));
            }
        };
        let tokens = tokens.split([' ', ';']).filter(|token| !token.is_empty());
        let Some(published_since) = moment(since) else {
            let message = format!("not a moment: {since:?}");
            return Err(Refusal::of(&file, message, MOMENT).at(row.line));
        };
        let copies = copies(&folder.join(id))?;
        wanted.push(Wanted {
            id: id.clone(),
            kind,
            tokens: tokens.map(str::to_owned).collect(),
            published_since,
            copies,
        });
    }
    Ok(wanted)
}

/// The lists whose folders or files are named after their crawlers.
fn of_names(folder: &Path) -> Result<Vec<Wanted>, Refusal> {
    let entries =
        files::entries(folder).map_err(|error| files::unreadable(folder, &error, HINT))?;
    let mut wanted = Vec::new();
    let is_list = |path: &PathBuf| path.file_name().is_none_or(|name| name != OVERRIDES);
    for path in entries.into_iter().filter(is_list) {
        let token = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let copies = if files::is_folder(&path) { copies(&path)? } else { vec![path] };
        let tokens = vec![token.clone()];
        let kind = ListKind::Crawlers;
        wanted.push(Wanted { id: token, kind, tokens, published_since: None, copies });
    }
    Ok(wanted)
}

/// The copies of one list.
fn copies(folder: &Path) -> Result<Vec<PathBuf>, Refusal> {
    files::entries(folder).map_err(|error| files::unreadable(folder, &error, HINT))
}
