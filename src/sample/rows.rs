//! The rows of a sample while they are read, each with everything that is wrong with it.
//!
//! What reads a sample for a run stops at the first fault; what checks one reads on.

use std::collections::BTreeMap;

use super::check::Kind;
use super::{Domain, Entry};
use crate::refusal::Refusal;
use crate::tabular::{Row, Table};

/// The rows of a sample, in the file's order.
pub(super) struct Rows<'a> {
    file: &'a str,
    table: Table<'a>,
    domain_column: usize,
    stratum_column: Option<usize>,
    first_seen: BTreeMap<Domain, u64>,
}

/// One row as it was read.
pub(super) struct SampleRow {
    pub(super) line: Option<u64>,
    /// The domain as it is written.
    pub(super) written: String,
    pub(super) domain: Option<Domain>,
    pub(super) stratum: Option<String>,
    /// What is wrong with the row.
    pub(super) faults: Vec<(Kind, Refusal)>,
}

impl SampleRow {
    /// The row, or its first fault.
    pub(super) fn entry(&self) -> Result<Entry, Refusal> {
        match (&self.domain, &self.stratum, self.faults.first()) {
            (_, _, Some((_, refusal))) => Err(refusal.clone()),
            (Some(domain), Some(stratum), None) => {
                Ok(Entry { domain: domain.clone(), stratum: stratum.clone() })
            }
            _ => Err(Refusal::of("", "a row without its cells", "report it: a fault of ours")),
        }
    }
}

impl<'a> Rows<'a> {
    /// Opens a list and finds its columns.
    pub(super) fn open(file: &'a str, octets: &'a [u8]) -> Result<Self, Refusal> {
        let table = Table::open(file, octets)?;
        let header = &table.header;
        let column =
            |name: &str| header.cells.iter().position(|cell| cell.eq_ignore_ascii_case(name));
        let domain_column = column("domain").ok_or_else(|| {
            let message =
                format!("no column is named domain; found: {:?}", header.cells.join(", "));
            let hint = "the first line names the columns: domain,stratum";
            Refusal::of(file, message, hint).at(header.line)
        })?;
        let stratum_column = column("stratum");
        Ok(Self { file, table, domain_column, stratum_column, first_seen: BTreeMap::new() })
    }

    /// Reads the cells of a row.
    fn read(&mut self, Row { line, cells }: Row) -> SampleRow {
        let mut faults = Vec::new();
        let mut fault = |kind, (message, hint): (String, &str)| {
            faults.push((kind, Refusal::of(self.file, message, hint).at(line)));
        };
        let written = &cells[self.domain_column];
        let domain = match Domain::parse(written) {
            Ok(domain) => Some(domain),
            Err(what) => {
                fault(Kind::InvalidDomain, what);
                None
            }
        };
        if let Some(domain) = &domain {
            let first = *self.first_seen.entry(domain.clone()).or_insert(line);
            if first != line {
                let message = format!("{domain} stands in line {first} already");
                fault(Kind::DuplicateDomain, (message, "name each domain once"));
            }
        }
        let stratum = self.stratum_column.map_or("all", |at| &cells[at]);
        if let Some(what) = stratum_fault(written, stratum) {
            fault(Kind::InvalidStratum, what);
        }
        let stratum = Some(stratum.to_owned());
        SampleRow { line: Some(line), written: written.clone(), domain, stratum, faults }
    }
}

impl Iterator for Rows<'_> {
    type Item = SampleRow;

    fn next(&mut self) -> Option<SampleRow> {
        Some(match self.table.next()? {
            Ok(row) => self.read(row),
            Err(refusal) => SampleRow {
                line: refusal.line,
                written: String::new(),
                domain: None,
                stratum: None,
                faults: vec![(Kind::UnreadableRow, refusal)],
            },
        })
    }
}

/// The refusal of a list without rows.
pub(super) fn without_rows(file: &str) -> Refusal {
    Refusal::of(file, "no domain stands in it", "add a row below the header")
}

/// What keeps a text from being a stratum's name.
pub(crate) fn stratum_fault(domain: &str, stratum: &str) -> Option<(String, &'static str)> {
    if stratum.is_empty() {
        return Some((format!("{domain} has no stratum"), "fill the cell, or drop the column"));
    }
    let is_shown = !stratum.contains(char::is_control);
    (!is_shown).then(|| (format!("a control character in {stratum:?}"), "use plain text"))
}
