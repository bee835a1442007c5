//! A table of a run as rows of named cells.

use std::collections::BTreeMap;

/// One row: cells by column.
pub(crate) type Cells = BTreeMap<String, String>;

/// Columns of a model's truth that say what a domain was dealt, not what a run must find.
const DEALT: [&str; 3] = ["behaviour", "guidance", "homepage"];

/// Reads CSV text.
pub(crate) fn rows(text: &str) -> Vec<Cells> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let rows = reader.records().map(|record| {
        let record = record.expect("a row");
        header.iter().zip(record.iter()).map(|(k, v)| (k.to_owned(), v.to_owned())).collect()
    });
    rows.collect()
}

/// Where two tables differ in the columns that the first one states, by domain.
pub(crate) fn differences(truth: &[Cells], found: &[Cells]) -> Vec<String> {
    let found: BTreeMap<&str, &Cells> =
        found.iter().map(|row| (row["domain"].as_str(), row)).collect();
    let mut differences = Vec::new();
    for row in truth {
        let domain = row["domain"].as_str();
        let Some(found) = found.get(domain) else {
            differences.push(format!("{domain}: no row"));
            continue;
        };
        for (column, stated) in row.iter().filter(|(column, _)| !DEALT.contains(&column.as_str())) {
            let observed = found.get(column).unwrap_or_else(|| panic!("no column {column}"));
            if observed != stated {
                differences
                    .push(format!("{domain}: {column} is {observed:?}, truth is {stated:?}"));
            }
        }
    }
    differences
}
