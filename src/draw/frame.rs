//! What is drawn from: a table with a column `domain`, the conditions on its rows, its provenance.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::digest::Digest;
use crate::refusal::Refusal;
use crate::sample::{Domain, Sidecar, Source, stratum_fault};
use crate::tabular::{Row, Table};

/// A condition on a row, as `country=us` or `flags!=closed`.
///
/// A cell is a list of words between semicolons: `=` asks for one of them, `!=` for none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    column: String,
    value: String,
    is_wanted: bool,
}

impl Condition {
    /// Reads a condition; `Err` is the message.
    pub fn parse(text: &str) -> Result<Self, String> {
        let message = "a condition is COLUMN=VALUE or COLUMN!=VALUE";
        let (column, value) = text.split_once('=').ok_or(message)?;
        let (column, is_wanted) = match column.strip_suffix('!') {
            Some(column) => (column, false),
            None => (column, true),
        };
        if column.is_empty() {
            return Err(message.to_owned());
        }
        Ok(Self { column: column.to_owned(), value: value.to_owned(), is_wanted })
    }

    fn holds(&self, cell: &str) -> bool {
        cell.split(';').any(|word| word.trim() == self.value) == self.is_wanted
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_wanted { "=" } else { "!=" };
        write!(f, "{}{sign}{}", self.column, self.value)
    }
}

/// Where a frame's names come from: a TOML file whose words go into the sidecar of each draw.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// What the frame is.
    #[serde(default)]
    pub source: Option<String>,
    /// Its licence.
    #[serde(default)]
    pub licence: Option<String>,
    /// What a reader should know against it.
    #[serde(default)]
    pub weaknesses: Vec<String>,
    /// The lists that it was made of.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// The octets that it speaks of, where it is the sidecar of a frozen sample.
    #[serde(skip)]
    pub pins: Option<String>,
}

impl About {
    /// Reads a description. The sidecar of a frozen sample, known by its `sha256`, is one too.
    pub fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        let refused = |error| Refusal::of_toml(file, text, &error);
        let table: toml::Table = toml::from_str(text).map_err(refused)?;
        if table.contains_key("sha256") {
            return Ok(Self::from(Sidecar::parse(file, text)?));
        }
        toml::from_str(text).map_err(refused)
    }
}

impl From<Sidecar> for About {
    fn from(sidecar: Sidecar) -> Self {
        let Sidecar { source, sha256, licence, weaknesses, sources, .. } = sidecar;
        Self { source: Some(source), licence, weaknesses, sources, pins: Some(sha256) }
    }
}

/// What is drawn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The frame's file, as it was named.
    pub file: String,
    /// The digest of its octets.
    pub digest: Digest,
    /// Its rows.
    pub rows: usize,
    /// The conditions on a row.
    pub conditions: Vec<Condition>,
    /// The column that gives the strata.
    pub strata_column: Option<String>,
    /// The eligible domains by stratum; `all` where no column gives one.
    pub strata: BTreeMap<String, Vec<Domain>>,
}

impl Frame {
    /// Reads the rows that meet every condition.
    pub fn read(
        file: &str,
        octets: &[u8],
        strata_column: Option<&str>,
        conditions: Vec<Condition>,
    ) -> Result<Self, Refusal> {
        let table = Table::open(file, octets)?;
        let header = table.header.clone();
        let column = |name: &str| {
            header.cells.iter().position(|cell| cell == name).ok_or_else(|| {
                let message = format!("no column is named {name:?}");
                let hint = format!("its columns are {}", header.cells.join(", "));
                Refusal::of(file, message, hint).at(header.line)
            })
        };
        let domain_column = column("domain")?;
        let stratum_at = strata_column.map(column).transpose()?;
        let asked = conditions.iter().map(|condition| Ok((column(&condition.column)?, condition)));
        let asked = asked.collect::<Result<Vec<_>, Refusal>>()?;
        let mut strata: BTreeMap<String, Vec<Domain>> = BTreeMap::new();
        let mut first_seen: BTreeMap<Domain, u64> = BTreeMap::new();
        let mut rows = 0;
        for row in table {
            let Row { line, cells } = row?;
            rows += 1;
            if !asked.iter().all(|(at, condition)| condition.holds(&cells[*at])) {
                continue;
            }
            let refused =
                |(message, hint): (String, &str)| Refusal::of(file, message, hint).at(line);
            let domain = Domain::parse(&cells[domain_column]).map_err(refused)?;
            if let Some(first) = first_seen.insert(domain.clone(), line) {
                let message = format!("{domain} is eligible in line {first} already");
                return Err(refused((message, "a condition can tell the two rows apart")));
            }
            let stratum = stratum_at.map_or("all", |at| &cells[at]);
            if let Some(fault) = stratum_fault(domain.as_str(), stratum) {
                return Err(refused(fault));
            }
            strata.entry(stratum.to_owned()).or_default().push(domain);
        }
        let strata_column = strata_column.map(str::to_owned);
        let digest = Digest::of(octets);
        Ok(Self { file: file.to_owned(), digest, rows, conditions, strata_column, strata })
    }

    /// The frame's file without its folder.
    pub fn name(&self) -> &str {
        self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Frame};

    fn read(text: &str, conditions: &[&str]) -> Result<Vec<String>, String> {
        let parsed = conditions.iter().map(|text| Condition::parse(text).expect("a condition"));
        let frame = Frame::read("f.csv", text.as_bytes(), Some("sector"), parsed.collect());
        let frame = frame.map_err(|refusal| refusal.to_string())?;
        let named = frame.strata.iter().map(|(name, domains)| {
            let names: Vec<&str> = domains.iter().map(|domain| domain.as_str()).collect();
            format!("{name}: {}", names.join(" "))
        });
        Ok(named.collect())
    }

    #[test]
    fn a_condition_asks_for_a_word_of_a_cell_or_for_its_absence() {
        let text = "domain,sector,flags\na.test,x,old;odd\nb.test,x,\nc.test,y,odd; new\n";
        for (conditions, expected) in [
            (&[][..], vec!["x: a.test b.test", "y: c.test"]),
            (&["flags=odd"], vec!["x: a.test", "y: c.test"]),
            (&["flags!=odd"], vec!["x: b.test"]),
            (&["flags=odd", "flags!=new"], vec!["x: a.test"]),
            (&["flags="], vec!["x: b.test"]),
            (&["sector=x=y"], vec![]),
        ] {
            assert_eq!(read(text, conditions).expect("a frame"), expected, "{conditions:?}");
        }
        for text in ["flags", "=x", "!=x"] {
            assert!(Condition::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_frame_is_read_strictly_where_its_rows_are_eligible() {
        let text = "domain,sector\na.test,x\nA.test,y\nno name,z\nb.test,\n";
        assert_eq!(read(text, &["sector=x"]).expect("one row"), ["x: a.test"]);
        for (condition, expected) in [
            ("sector!=z", "f.csv:3: a.test is eligible in line 2 already"),
            ("sector=z", "f.csv:4: domain has a space"),
            ("sector=", "f.csv:5: b.test has no stratum"),
            (
                "size=1",
                "f.csv:1: no column is named \"size\"\nhint: its columns are domain, sector",
            ),
        ] {
            let refused = read(text, &[condition]).expect_err(condition);
            assert!(refused.starts_with(expected), "{refused}");
        }
    }
}
