//! Trusted proxies: a table of one's own, lists of the registry, single networks.

use std::path::Path;

use crate::files;
use crate::limits::LOG_EVIDENCE_OCTETS;
use crate::logs::Trusted;
use crate::refusal::Refusal;
use crate::registry::{ListKind, Prefix, Registry};
use crate::stamp::Stamp;
use crate::tabular::Table;

const COLUMNS: [&str; 4] = ["prefix", "name", "valid_from", "valid_to"];

/// The name of all addresses that are not routed on the internet.
const PRIVATE: &str = "private";

/// What `private` stands for (RFC 1918, RFC 4193, RFC 6598, loopback and link-local).
const PRIVATE_PREFIXES: [&str; 9] = [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
];

/// Reads a table of trusted proxies.
pub fn trusted_file(path: &Path) -> Result<Vec<Trusted>, Refusal> {
    let hint = "a CSV of prefix,name,valid_from,valid_to";
    let text = files::read_text(path, LOG_EVIDENCE_OCTETS)
        .map_err(|error| files::unreadable(path, &error, hint))?;
    let file = path.to_string_lossy();
    let mut trusted = Vec::new();
    for row in Table::of(&file, &text, &COLUMNS)? {
        let row = row?;
        let [prefix, name, from, to] = row.cells.as_slice() else { continue };
        let moment = |cell: &str| match cell {
            "" => Ok(None),
            text => Stamp::parse(text).map(Some).ok_or_else(|| {
                let hint = "a day (2026-09-02) or a second in UTC (2026-09-02T14:41:05Z)";
                Refusal::of(&file, format!("not a moment: {text:?}"), hint).at(row.line)
            }),
        };
        let prefix = Prefix::parse(prefix).map_err(|message| {
            Refusal::of(&file, message, "an address, / and a length: 10.0.0.0/8").at(row.line)
        })?;
        trusted.push(Trusted {
            prefix,
            name: name.clone(),
            valid_from: moment(from)?,
            valid_to: moment(to)?,
        });
    }
    Ok(trusted)
}

/// Every network whose peers are known to speak for others: private ones, and the registry's.
pub fn known_proxies(registry: &Registry) -> Result<Vec<Trusted>, Refusal> {
    let lists = registry.lists.iter().filter(|list| list.kind == ListKind::Proxy);
    let names = lists.map(|list| list.id.as_str()).chain([PRIVATE]);
    let mut trusted = Vec::new();
    for name in names {
        trusted.extend(trusted_name(registry, name)?);
    }
    Ok(trusted)
}

/// The networks of a name: a network itself, `private`, or a list of the registry.
///
/// A delivery network changes its ranges seldom and documents no history: its list is trusted whatever
/// the time, which the caller has asked for by naming it.
pub fn trusted_name(registry: &Registry, name: &str) -> Result<Vec<Trusted>, Refusal> {
    let always = |prefix: Prefix| Trusted {
        prefix,
        name: name.to_owned(),
        valid_from: None,
        valid_to: None,
    };
    if name == PRIVATE {
        let prefixes = PRIVATE_PREFIXES.iter().filter_map(|text| Prefix::parse(text).ok());
        return Ok(prefixes.map(always).collect());
    }
    if let Ok(prefix) = Prefix::parse(name) {
        return Ok(vec![always(prefix)]);
    }
    let lists = registry.lists.iter().filter(|list| list.kind == ListKind::Proxy);
    let mut wanted =
        lists.clone().filter(|list| list.id == name || list.operator == name).peekable();
    if wanted.peek().is_none() {
        let known: Vec<&str> = lists.map(|list| list.id.as_str()).collect();
        let hint = format!("a network (10.0.0.0/8), {PRIVATE}, or {}", known.join(", "));
        return Err(Refusal::of("--trust", format!("unknown network: {name:?}"), hint));
    }
    let ranges = wanted.flat_map(|list| &list.ranges).filter(|range| range.valid_to.is_none());
    Ok(ranges.map(|range| always(range.prefix)).collect())
}
