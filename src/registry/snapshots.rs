//! A list of addresses from the copies of it that were kept over time.
//!
//! A prefix is valid from the first copy that holds it, or from when that copy says that it was made,
//! until the first that lacks it again; it may come back. What operators publish is read in their own shapes: JSON with `prefixes`
//! (draft-illyes-webbotauth-jafar-00) or as AWS has it, or a text of one prefix a line, of which a
//! comma ends the first cell (RFC 8805, geofeeds).

use std::collections::BTreeMap;

use super::prefix::Prefix;
use super::ranges::{ListKind, Range, RangeList};
use crate::stamp::Stamp;

/// A copy of a list, as it stood at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// When it was taken.
    pub at: Stamp,
    /// When it was made, where it says so and was taken later.
    pub created: Option<Stamp>,
    /// What stood in it.
    pub prefixes: Vec<Prefix>,
}

impl Snapshot {
    /// The moment that a copy bears inside: `creationTime`, which some operators write without a zone
    /// and mean in UTC.
    pub fn created_s(text: &str) -> Option<i64> {
        let document: serde_json::Value = serde_json::from_str(text).ok()?;
        let written = document.get("creationTime")?.as_str()?;
        let seconds = written.split_at_checked(19).map_or(written, |(seconds, _)| seconds);
        let stamp = if seconds.len() == 19 { format!("{seconds}Z") } else { seconds.to_owned() };
        Stamp::parse(&stamp.replacen(' ', "T", 1)).map(Stamp::unix)
    }

    /// Reads a copy in whatever shape it was published; `Err` says what is wrong.
    pub fn parse(at: Stamp, text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}').trim();
        let written = if text.starts_with(['{', '[']) { of_json(text)? } else { of_lines(text) };
        if written.is_empty() {
            return Err("it holds no prefix".into());
        }
        let mut prefixes = Vec::new();
        for prefix in written {
            // A list may name single addresses without a length.
            let whole = match (prefix.contains('/'), prefix.contains(':')) {
                (true, _) => prefix,
                (false, true) => format!("{prefix}/128"),
                (false, false) => format!("{prefix}/32"),
            };
            let prefix = Prefix::parse(&whole)?;
            if prefix.is_too_broad() {
                return Err(format!("too broad for a crawler: {prefix}"));
            }
            prefixes.push(prefix);
        }
        prefixes.sort_unstable();
        prefixes.dedup();
        let created = Self::created_s(text).map(Stamp::from_unix).filter(|created| *created <= at);
        Ok(Self { at, created, prefixes })
    }
}

/// The prefixes of a JSON document: every text member that is named like one, wherever it stands.
fn of_json(text: &str) -> Result<Vec<String>, String> {
    let document: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let mut found = Vec::new();
    gather(&document, &mut found);
    Ok(found)
}

/// Names under which published lists keep prefixes.
const NAMES: [&str; 6] =
    ["ipv4Prefix", "ipv6Prefix", "ip_prefix", "ipv6_prefix", "ip_address", "cidr"];

fn gather(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                match value.as_str() {
                    Some(text) if NAMES.contains(&name.as_str()) => found.push(text.to_owned()),
                    _ => gather(value, found),
                }
            }
        }
        serde_json::Value::Array(values) => {
            for value in values {
                match value.as_str() {
                    Some(text) if looks_like_prefix(text) => found.push(text.to_owned()),
                    _ => gather(value, found),
                }
            }
        }
        _ => {}
    }
}

/// The prefixes of a text: the first cell of each line that looks like one.
fn of_lines(text: &str) -> Vec<String> {
    let cells = text.lines().filter_map(|line| line.split([',', '\t', ' ', '#']).next());
    cells
        .map(|cell| cell.trim_matches('"').to_owned())
        .filter(|cell| looks_like_prefix(cell))
        .collect()
}

fn looks_like_prefix(text: &str) -> bool {
    let address = text.split('/').next().unwrap_or(text);
    address.parse::<std::net::IpAddr>().is_ok()
}

impl RangeList {
    /// A list from its copies, in any order; none of no copies.
    pub fn from_snapshots(
        id: &str,
        operator: &str,
        kind: ListKind,
        crawlers: Vec<String>,
        mut snapshots: Vec<Snapshot>,
    ) -> Option<Self> {
        snapshots.sort_by_key(|snapshot| snapshot.at);
        let first = snapshots.first()?.created.unwrap_or(snapshots.first()?.at);
        let last = snapshots.last()?.at;
        let mut ranges: Vec<Range> = Vec::new();
        // The places of the ranges that are there as of the last copy looked at.
        let mut there: BTreeMap<Prefix, usize> = BTreeMap::new();
        // What a copy adds was not there when the one before was taken, whatever it says itself.
        let mut before = first;
        for snapshot in &snapshots {
            let since = snapshot.created.unwrap_or(snapshot.at).max(before);
            before = snapshot.at;
            there.retain(|prefix, place| {
                let is_there = snapshot.prefixes.binary_search(prefix).is_ok();
                if !is_there {
                    ranges[*place].valid_to = Some(snapshot.at);
                }
                is_there
            });
            for &prefix in &snapshot.prefixes {
                there.entry(prefix).or_insert_with(|| {
                    let (valid_from, sources) = (since, Vec::new());
                    ranges.push(Range { prefix, valid_from, valid_to: None, sources, line: 0 });
                    ranges.len() - 1
                });
            }
        }
        ranges.sort_by_key(|range| (range.prefix, range.valid_from));
        Some(Self {
            id: id.to_owned(),
            operator: operator.to_owned(),
            kind,
            crawlers,
            published_at: String::new(),
            known_from: first,
            known_until: last,
            published_since: None,
            sources: Vec::new(),
            note: String::new(),
            ranges,
            line: 0,
        })
    }

    /// Puts the times in which a prefix stood in the list in the place of those that its copies say.
    pub fn correct(&mut self, prefix: Prefix, times: &[(Option<Stamp>, Option<Stamp>)]) {
        self.ranges.retain(|range| range.prefix != prefix);
        for &(from, valid_to) in times {
            let (valid_from, sources) = (from.unwrap_or(self.known_from), Vec::new());
            self.ranges.push(Range { prefix, valid_from, valid_to, sources, line: 0 });
        }
        self.ranges.sort_by_key(|range| (range.prefix, range.valid_from));
    }
}

#[cfg(test)]
mod tests {
    use super::{ListKind, RangeList, Snapshot, Stamp};

    fn snapshot(day: &str, text: &str) -> Snapshot {
        Snapshot::parse(Stamp::parse(day).unwrap(), text).unwrap()
    }

    #[test]
    fn every_published_shape_holds_the_same_prefixes() {
        for text in [
            r#"{"creationTime":"2026-08-18T00:00:00.000000","prefixes":[{"ipv4Prefix":"192.0.2.0/28"},{"ipv6Prefix":"2001:db8::/48"}]}"#,
            r#"{"syncToken":"1","prefixes":[{"ip_prefix":"192.0.2.0/28","region":"x"}],"ipv6_prefixes":[{"ipv6_prefix":"2001:db8::/48"}]}"#,
            r#"["192.0.2.0/28","2001:db8::/48"]"#,
            "192.0.2.0/28\n2001:db8::/48\n",
            "# geofeed\n192.0.2.0/28,US,,,\n2001:db8::/48,US,,,\n",
            "prefix\n\"192.0.2.0/28\"\n2001:db8::/48\n",
        ] {
            let prefixes = snapshot("2026-01-01", text).prefixes;
            let written: Vec<String> = prefixes.iter().map(ToString::to_string).collect();
            assert_eq!(written, ["192.0.2.0/28", "2001:db8::/48"], "{text}");
        }
        assert_eq!(snapshot("2026-01-01", "192.0.2.7").prefixes[0].to_string(), "192.0.2.7/32");
        for text in ["", "{}", "{", "0.0.0.0/0", "192.0.2.1/24", "not found"] {
            let at = Stamp::parse("2026-01-01").unwrap();
            assert!(Snapshot::parse(at, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_prefix_is_valid_while_copies_hold_it_and_may_come_back() {
        let copies = vec![
            snapshot("2026-03-01", "192.0.2.0/28"),
            snapshot("2026-01-01", "192.0.2.0/28\n192.0.2.64/28"),
            snapshot("2026-05-01", "192.0.2.64/28"),
        ];
        let list = RangeList::from_snapshots("l", "o", ListKind::Crawlers, vec![], copies).unwrap();
        let written: Vec<String> = list
            .ranges
            .iter()
            .map(|range| {
                let to = range.valid_to.map_or(String::new(), |to| format!("{to:#}"));
                format!("{} {:#} {to}", range.prefix, range.valid_from)
            })
            .collect();
        let expected = [
            "192.0.2.0/28 2026-01-01 2026-05-01",
            "192.0.2.64/28 2026-01-01 2026-03-01",
            "192.0.2.64/28 2026-05-01 ",
        ];
        assert_eq!(written, expected);
        assert_eq!(
            format!("{:#} {:#}", list.known_from, list.known_until),
            "2026-01-01 2026-05-01"
        );
        assert!(RangeList::from_snapshots("l", "o", ListKind::Crawlers, vec![], vec![]).is_none());
    }
}
