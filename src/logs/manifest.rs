//! How a robots history is written down: `manifest.csv`, or file names that bear their moments.
//!
//! `origin,effective_from,status,file,sha256,basis,observed_at,note`: one row a version. Moments bear
//! an offset; without one a row is refused, since nothing would say which hour is meant.

use crate::digest::Digest;
use crate::refusal::Refusal;
use crate::tabular::Table;
use crate::words::Word as _;

use super::history::{Basis, host_name};
use super::moment;
use super::zone::Zone;

/// The columns of a manifest.
pub const COLUMNS: [&str; 8] =
    ["origin", "effective_from", "status", "file", "sha256", "basis", "observed_at", "note"];

/// One version as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The host; `*` for any.
    pub host: String,
    /// The first second in which it was in force.
    pub from_s: i64,
    /// The status with which it was answered; none where nothing was.
    pub status: Option<u16>,
    /// The file beside the manifest; empty where there is none.
    pub file: String,
    /// What the file must be.
    pub digest: Option<Digest>,
    /// How the moment is known.
    pub basis: Basis,
    /// When the version was last seen.
    pub observed_s: Option<i64>,
    /// The line of the row.
    pub line: u64,
}

/// Reads a manifest; the rows keep their order.
pub fn parse(file: &str, text: &str) -> Result<Vec<Entry>, Refusal> {
    let mut entries = Vec::new();
    for row in Table::of(file, text, &COLUMNS)? {
        let row = row?;
        let entry = entry_of(&row.cells, row.line)
            .map_err(|(message, hint)| Refusal::of(file, message, hint).at(row.line))?;
        entries.push(entry);
    }
    Ok(entries)
}

/// What is wrong with a row, and what it should be.
type Fault = (String, &'static str);

/// Reads one row.
fn entry_of(cells: &[String], line: u64) -> Result<Entry, Fault> {
    let [origin, from, status, file, sha256, basis, observed, _] = cells else {
        return Err(("wrong number of cells".into(), "see docs/logs.md"));
    };
    let status = match status.as_str() {
        "unreachable" => None,
        "redirect" => Some(302),
        text => Some(text.parse().ok().filter(|status| (100..600).contains(status)).ok_or((
            format!("not a status: {text:?}"),
            "200, 404, 503 …, unreachable or redirect",
        ))?),
    };
    if (status == Some(200)) == file.is_empty() {
        let message = "a version has a file if its status is 200, and only then".to_owned();
        return Err((message, "give the file, or another status"));
    }
    let digest = match sha256.as_str() {
        "" => None,
        hex => {
            let fault = (format!("not a digest: {hex:?}"), "64 hex digits of SHA-256");
            Some(Digest::from_hex(hex).ok_or(fault)?)
        }
    };
    let basis = match basis.as_str() {
        "" => Basis::Deployed,
        word => Basis::from_word(word)
            .filter(|basis| *basis != Basis::Always)
            .ok_or((format!("unknown basis: {word:?}"), "deployed, observed or inferred"))?,
    };
    let observed_s = match observed.as_str() {
        "" => None,
        text => Some(moment_s(text)?),
    };
    Ok(Entry {
        host: host_of(origin),
        from_s: moment_s(from)?,
        status,
        file: file.clone(),
        digest,
        basis,
        observed_s,
        line,
    })
}

/// Reads a moment that bears an offset.
fn moment_s(text: &str) -> Result<i64, Fault> {
    let hint = "a moment with its offset: 2026-10-25T02:30:00+02:00 or …Z";
    let told = moment::iso(text.as_bytes(), &Zone::UTC)
        .ok_or_else(|| (format!("not a moment: {text:?}"), hint))?;
    if told.offset_minutes.is_none() {
        return Err((format!("a moment without an offset: {text:?}"), hint));
    }
    Ok(told.at_s)
}

/// The host of an origin; an empty one, or `*`, is any.
fn host_of(origin: &str) -> String {
    let host = origin.split_once("://").map_or(origin, |(_, rest)| rest);
    let host = host.split('/').next().unwrap_or(host);
    match String::from_utf8_lossy(&host_name(host.as_bytes())).into_owned() {
        host if host.is_empty() => "*".to_owned(),
        host => host,
    }
}

/// The moment and status in the name of a version's file: `robots.2026-10-25T003000Z.txt`, or
/// `robots.2026-10-25T023000+0200.404` for a period without a file; none for another name.
pub fn named(name: &str) -> Option<(i64, Option<u16>)> {
    let rest = name.strip_prefix("robots.")?;
    let (stamp, ending) = rest.rsplit_once('.')?;
    let status = match ending {
        "txt" => Some(200),
        "unreachable" => None,
        status => Some(status.parse().ok().filter(|status| (100..600).contains(status))?),
    };
    Some((stamp_in_name(stamp)?, status))
}

/// The moment in a file name, which holds no colons: `2026-10-25T003000Z`, or a day alone, which
/// begins in UTC.
pub fn stamp_in_name(stamp: &str) -> Option<i64> {
    if crate::stamp::is_day(stamp) {
        return moment::iso(stamp.as_bytes(), &Zone::UTC).map(|told| told.at_s);
    }
    let (day, time) = stamp.split_once('T')?;
    let time = time.replace(':', "");
    let (clock, offset) = time.split_at_checked(6)?;
    let (hours, rest) = clock.split_at_checked(2)?;
    let (minutes, seconds) = rest.split_at_checked(2)?;
    let text = format!("{day}T{hours}:{minutes}:{seconds}{offset}");
    let told = moment::iso(text.as_bytes(), &Zone::UTC)?;
    told.offset_minutes.map(|_| told.at_s)
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Entry, named, parse, stamp_in_name};
    use crate::stamp::Stamp;

    fn read(row: &str) -> Result<Vec<Entry>, crate::refusal::Refusal> {
        parse("manifest.csv", &format!("{}\n{row}\n", COLUMNS.join(",")))
    }

    #[test]
    fn a_row_says_from_when_what_was_in_force_where() {
        let row = "https://WWW.example.com:443,2026-10-25T02:30:00+02:00,200,a.txt,,observed,2026-10-26T00:00:00Z,";
        let entry = read(row).unwrap().remove(0);
        let from = Stamp::parse("2026-10-25T00:30:00Z").unwrap().unix();
        assert_eq!(
            (entry.host.as_str(), entry.from_s, entry.status),
            ("www.example.com", from, Some(200))
        );
        assert!(entry.observed_s.is_some());
        for (origin, host) in
            [("", "*"), ("*", "*"), ("a.test", "a.test"), ("http://a.test:8080/", "a.test:8080")]
        {
            let entry = read(&format!("{origin},2026-10-25T00:00:00Z,404,,,,,")).unwrap().remove(0);
            assert_eq!(entry.host, host, "{origin}");
        }
    }

    #[test]
    fn a_bad_row_is_refused_with_its_line() {
        for (row, message) in [
            ("a.test,2026-10-25T02:30:00,200,a.txt,,,,", "a moment without an offset"),
            ("a.test,2026-10-25,200,a.txt,,,,", "a moment without an offset"),
            ("a.test,yesterday,200,a.txt,,,,", "not a moment"),
            ("a.test,2026-10-25T02:30:00Z,200,,,,,", "a version has a file"),
            ("a.test,2026-10-25T02:30:00Z,404,a.txt,,,,", "a version has a file"),
            ("a.test,2026-10-25T02:30:00Z,9,,,,,", "not a status"),
            ("a.test,2026-10-25T02:30:00Z,200,a.txt,abc,,,", "not a digest"),
            ("a.test,2026-10-25T02:30:00Z,200,a.txt,,guessed,,", "unknown basis"),
        ] {
            let refusal = read(row).unwrap_err();
            assert!(refusal.message.starts_with(message), "{refusal}");
            assert_eq!(refusal.line, Some(2));
        }
    }

    #[test]
    fn a_file_name_may_bear_moment_and_status() {
        let at = |text: &str| Stamp::parse(text).unwrap().unix();
        for (name, expected) in [
            ("robots.2026-10-25T003000Z.txt", Some((at("2026-10-25T00:30:00Z"), Some(200)))),
            ("robots.2026-10-25T023000+0200.txt", Some((at("2026-10-25T00:30:00Z"), Some(200)))),
            ("robots.2026-10-25.404", Some((at("2026-10-25"), Some(404)))),
            ("robots.2026-10-25T003000Z.unreachable", Some((at("2026-10-25T00:30:00Z"), None))),
            ("robots.2026-10-25T003000.txt", None),
            ("robots.txt", None),
            ("robots.2026-10-25T003000Z.bak", None),
            ("sitemap.2026-10-25.txt", None),
        ] {
            assert_eq!(named(name), expected, "{name}");
        }
        assert_eq!(stamp_in_name("2026-10-25T00:30:00Z"), Some(at("2026-10-25T00:30:00Z")));
    }
}
