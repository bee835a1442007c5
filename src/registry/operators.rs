//! Who runs crawlers and networks, and the sources in which facts were read.

use crate::refusal::Refusal;
use crate::tabular::Table;

use crate::stamp::Stamp;

/// Who runs crawlers or a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// The word that other tables name it by.
    pub id: String,
    /// Its name, as people know it.
    pub name: String,
    /// Its site; may be empty.
    pub site: String,
    /// Where the name was read: ids of sources.
    pub sources: Vec<String>,
    /// The row's line.
    pub(super) line: u64,
}

/// Where facts were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The word that other tables name it by.
    pub id: String,
    /// What it is, with its version.
    pub what: String,
    /// Under which licence.
    pub licence: String,
    /// Where it is found; empty where each row says so itself.
    pub address: String,
    /// The day of the source.
    pub read_on: Stamp,
    /// The row's line.
    pub(super) line: u64,
}

/// Reads `operators.csv`.
pub(super) fn operators(file: &str, text: &str) -> Result<Vec<Operator>, Refusal> {
    let mut operators = Vec::new();
    for row in Table::of(file, text, &["id", "name", "site", "source"])? {
        let row = row?;
        if let [id, name, site, source] = row.cells.as_slice() {
            operators.push(Operator {
                id: id.clone(),
                name: name.clone(),
                site: site.clone(),
                sources: words(source),
                line: row.line,
            });
        }
    }
    Ok(operators)
}

/// Reads `sources.csv`.
pub(super) fn sources(file: &str, text: &str) -> Result<Vec<Source>, Refusal> {
    let mut sources = Vec::new();
    for row in Table::of(file, text, &["id", "what", "licence", "address", "read_on"])? {
        let row = row?;
        if let [id, what, licence, address, read_on] = row.cells.as_slice() {
            let read_on = moment(read_on).map_err(|fault| fault.refusal(file, row.line))?;
            sources.push(Source {
                id: id.clone(),
                what: what.clone(),
                licence: licence.clone(),
                address: address.clone(),
                read_on,
                line: row.line,
            });
        }
    }
    Ok(sources)
}

/// What is wrong with a cell, and what it should be.
pub(super) struct Fault(pub(super) String, pub(super) String);

impl Fault {
    /// The refusal of the row.
    pub(super) fn refusal(self, file: &str, line: u64) -> Refusal {
        Refusal::of(file, self.0, self.1).at(line)
    }
}

/// Reads a moment.
pub(super) fn moment(text: &str) -> Result<Stamp, Fault> {
    Stamp::parse(text).ok_or_else(|| {
        let hint = "a day (2026-09-02) or a second in UTC (2026-09-02T14:41:05Z)";
        Fault(format!("not a moment: {text:?}"), hint.to_owned())
    })
}

/// The words of a cell, separated by blanks.
pub(super) fn words(cell: &str) -> Vec<String> {
    cell.split_ascii_whitespace().map(str::to_owned).collect()
}

/// Reads a word of a closed list.
pub(super) fn word_of<W: crate::words::Word + std::fmt::Display>(
    what: &str,
    text: &str,
) -> Result<W, Fault> {
    W::from_word(text).ok_or_else(|| {
        let known: Vec<String> = W::ALL.iter().map(ToString::to_string).collect();
        Fault(format!("unknown {what}: {text:?}"), known.join(", "))
    })
}
