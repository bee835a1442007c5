//! `lists.csv` and `ranges.csv`: published lists of addresses, as history.
//!
//! What a hit or a miss means for a request is judged by the log audit.

use std::net::IpAddr;

use crate::closed_list;
use crate::refusal::Refusal;
use crate::tabular::Table;

use super::operators::{Fault, moment, word_of, words};
use super::prefix::Prefix;
use crate::stamp::Stamp;

closed_list! {
    /// What a list is a list of, and so what a hit in it proves.
    pub enum ListKind {
        /// Published for the crawlers that it names: a hit proves one of them.
        Crawlers = "crawlers",
        /// The addresses of several crawlers together: a hit proves their operator alone.
        Operator = "operator",
        /// An operator's whole network: weaker.
        Network = "network",
        /// The edge of a delivery network, which forwards the requests of others.
        Proxy = "proxy",
    }
}

/// One range of a list, and when it stood there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The addresses.
    pub prefix: Prefix,
    /// The first snapshot that had it.
    pub valid_from: Stamp,
    /// The first snapshot that lacked it again; none if the last one had it.
    pub valid_to: Option<Stamp>,
    /// Where this was read: ids of sources.
    pub sources: Vec<String>,
    /// The row's line.
    pub(super) line: u64,
}

impl Range {
    /// Whether the range stood in its list at a moment.
    pub fn is_valid_at(&self, moment: Stamp) -> bool {
        self.valid_from <= moment && self.valid_to.is_none_or(|end| moment < end)
    }
}

/// A published list of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeList {
    /// The word that other tables name it by.
    pub id: String,
    /// The id of its operator.
    pub operator: String,
    /// What a hit proves.
    pub kind: ListKind,
    /// The tokens of the crawlers whose addresses it holds.
    pub crawlers: Vec<String>,
    /// Where its operator publishes it; may be empty.
    pub published_at: String,
    /// The first time at which it was seen.
    pub known_from: Stamp,
    /// The last time at which it was seen.
    pub known_until: Stamp,
    /// When its operator first published it, where that is known: before, there was none.
    pub published_since: Option<Stamp>,
    /// Where it was read: ids of sources.
    pub sources: Vec<String>,
    /// What else a reader should know; may be empty.
    pub note: String,
    /// Its ranges, by address and then by time.
    pub ranges: Vec<Range>,
    /// The row's line.
    pub(super) line: u64,
}

impl RangeList {
    /// Whether the list is known at a moment, give or take so many seconds. Before and after,
    /// neither a hit nor a miss says anything.
    pub fn is_known_at(&self, moment: Stamp, slack_s: i64) -> bool {
        let since = self.published_since.map_or(i64::MIN, Stamp::unix);
        let from = self.known_from.unix().saturating_sub(slack_s).max(since);
        let until = self.known_until.unix().saturating_add(slack_s);
        (from..=until).contains(&moment.unix())
    }

    /// The ranges that stood in the list at a moment.
    pub fn valid_at(&self, moment: Stamp) -> impl Iterator<Item = &Range> {
        self.ranges.iter().filter(move |range| range.is_valid_at(moment))
    }

    /// Whether an address lay in a range that stood in the list at a moment.
    pub fn holds(&self, address: IpAddr, moment: Stamp) -> bool {
        self.valid_at(moment).any(|range| range.prefix.holds(address))
    }

    /// Whether the list is for a crawler.
    pub fn is_for(&self, token: &str) -> bool {
        self.crawlers.iter().any(|crawler| crawler.eq_ignore_ascii_case(token))
    }
}

const LIST_COLUMNS: [&str; 9] = [
    "id",
    "operator",
    "kind",
    "crawlers",
    "published_at",
    "known_from",
    "known_until",
    "source",
    "note",
];

const RANGE_COLUMNS: [&str; 5] = ["list", "cidr", "valid_from", "valid_to", "source"];

/// Reads `lists.csv` and `ranges.csv`, each a file's name and text.
pub(super) fn parse(lists: (&str, &str), ranges: (&str, &str)) -> Result<Vec<RangeList>, Refusal> {
    let mut found = read_lists(lists.0, lists.1)?;
    let (file, text) = ranges;
    for row in Table::of(file, text, &RANGE_COLUMNS)? {
        let row = row?;
        let refused = |fault: Fault| fault.refusal(file, row.line);
        let id = row.cells.first().map_or("", String::as_str);
        let range = range_of(&row.cells, row.line).map_err(refused)?;
        let Some(list) = found.iter_mut().find(|list| list.id == id) else {
            let message = format!("unknown list: {id:?}");
            return Err(refused(Fault(message, "a list stands in lists.csv".into())));
        };
        list.ranges.push(range);
    }
    for list in &mut found {
        list.ranges.sort_by_key(|range| (range.prefix, range.valid_from));
    }
    Ok(found)
}

/// Reads `lists.csv`; the rows keep their order.
fn read_lists(file: &str, text: &str) -> Result<Vec<RangeList>, Refusal> {
    let mut lists = Vec::new();
    for row in Table::of(file, text, &LIST_COLUMNS)? {
        let row = row?;
        let list = list_of(&row.cells, row.line);
        lists.push(list.map_err(|fault| fault.refusal(file, row.line))?);
    }
    Ok(lists)
}

/// Reads one row of `lists.csv`.
fn list_of(cells: &[String], line: u64) -> Result<RangeList, Fault> {
    let [id, operator, kind, crawlers, published_at, from, until, source, note] = cells else {
        return Err(Fault("wrong number of cells".into(), LIST_COLUMNS.join(",")));
    };
    Ok(RangeList {
        id: id.clone(),
        operator: operator.clone(),
        kind: word_of("kind", kind)?,
        crawlers: words(crawlers),
        published_at: published_at.clone(),
        known_from: moment(from)?,
        known_until: moment(until)?,
        published_since: None,
        sources: words(source),
        note: note.clone(),
        ranges: Vec::new(),
        line,
    })
}

/// Reads one row of `ranges.csv`.
fn range_of(cells: &[String], line: u64) -> Result<Range, Fault> {
    let [_, cidr, from, to, source] = cells else {
        return Err(Fault("wrong number of cells".into(), RANGE_COLUMNS.join(",")));
    };
    let prefix = Prefix::parse(cidr)
        .map_err(|message| Fault(message, "an address, / and a length: 192.0.2.0/24".into()))?;
    let valid_to = match to.as_str() {
        "" => None,
        text => Some(moment(text)?),
    };
    Ok(Range { prefix, valid_from: moment(from)?, valid_to, sources: words(source), line })
}

#[cfg(test)]
mod tests {
    use super::{LIST_COLUMNS, RANGE_COLUMNS, RangeList, Stamp, parse};

    fn read(ranges: &str) -> Result<Vec<RangeList>, crate::refusal::Refusal> {
        let lists =
            format!("{}\nl,o,crawlers,X-Bot,,2026-01-01,2026-06-01,s,\n", LIST_COLUMNS.join(","));
        let ranges = format!("{}\n{ranges}", RANGE_COLUMNS.join(","));
        parse(("lists.csv", &lists), ("ranges.csv", &ranges))
    }

    #[test]
    fn a_range_holds_from_its_first_second_until_before_its_end() {
        let rows = "l,1.2.3.0/24,2026-01-01,2026-02-01,s\nl,1.2.3.0/24,2026-03-01,,s\n";
        let list = read(rows).unwrap().remove(0);
        for (moment, expected) in [
            ("2025-12-31T23:59:59Z", false),
            ("2026-01-01T00:00:00Z", true),
            ("2026-01-31T23:59:59Z", true),
            ("2026-02-01T00:00:00Z", false),
            ("2026-03-01T00:00:00Z", true),
            ("2030-01-01T00:00:00Z", true),
        ] {
            let held = list.holds("1.2.3.4".parse().unwrap(), Stamp::parse(moment).unwrap());
            assert_eq!(held, expected, "{moment}");
        }
        assert!(list.is_for("x-bot") && !list.is_for("x"));
    }

    #[test]
    fn outside_the_time_in_which_it_was_seen_a_list_is_not_known() {
        let list = read("").unwrap().remove(0);
        for (moment, slack_s, expected) in [
            ("2026-01-01", 0, true),
            ("2026-06-01", 0, true),
            ("2026-06-01T00:00:01Z", 0, false),
            ("2026-06-01T00:00:01Z", 1, true),
            ("2025-12-31", 86_400, true),
            ("2025-12-30", 86_400, false),
            ("2025-12-30", i64::MAX, true),
        ] {
            let moment = Stamp::parse(moment).unwrap();
            assert_eq!(list.is_known_at(moment, slack_s), expected, "{moment} {slack_s}");
        }
    }

    #[test]
    fn a_bad_range_is_refused_with_its_line() {
        for (row, message) in [
            ("m,1.2.3.0/24,2026-01-01,,s\n", "unknown list"),
            ("l,1.2.3.1/24,2026-01-01,,s\n", "bits are set"),
            ("l,1.2.3.0/24,,,s\n", "not a moment"),
            ("l,1.2.3.0/24,2026-01-01,soon,s\n", "not a moment"),
        ] {
            let refusal = read(row).unwrap_err();
            assert!(refusal.message.starts_with(message), "{refusal}");
            assert_eq!(refusal.line, Some(2));
        }
    }
}
