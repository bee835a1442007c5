//! Which tables a run folder holds, by file name: what each is about, its columns and its key.

use super::{
    Column, CrawlerRow, DomainRow, MergedColumns, MergedRow, PathRow, ReviewRow, Row as _,
    TimingRow,
};

/// A kind of table of a run folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// `attempt-N.csv`.
    Attempt,
    /// `merged.csv`.
    Merged,
    /// `crawlers.csv`, and an attempt's.
    Crawlers,
    /// `paths.csv`, and an attempt's.
    Paths,
    /// `review.csv`, and an attempt's.
    Review,
    /// An attempt's `timing.csv`.
    Timing,
}

impl Table {
    /// The tables by the files that hold them. What an attempt's rows have is among what merged ones
    /// have.
    pub const DOCUMENTED: [(&'static str, Self); 5] = [
        ("merged.csv, attempt-N.csv", Self::Merged),
        ("crawlers.csv, attempt-N.crawlers.csv", Self::Crawlers),
        ("paths.csv, attempt-N.paths.csv", Self::Paths),
        ("review.csv, attempt-N.review.csv", Self::Review),
        ("attempt-N.timing.csv", Self::Timing),
    ];

    /// The table that a file of a run folder holds, if it is one.
    pub fn of_file(name: &str) -> Option<Self> {
        let table = match name.strip_prefix("attempt-") {
            Some(rest) => rest.trim_start_matches(|digit: char| digit.is_ascii_digit()),
            None => name,
        };
        match table.trim_start_matches('.') {
            "csv" => Some(Self::Attempt),
            "merged.csv" => Some(Self::Merged),
            "crawlers.csv" => Some(Self::Crawlers),
            "paths.csv" => Some(Self::Paths),
            "review.csv" => Some(Self::Review),
            "timing.csv" => Some(Self::Timing),
            _ => None,
        }
    }

    /// What one row is.
    pub fn about(self) -> String {
        match self {
            Self::Attempt => "One row a domain asked in the attempt.".to_owned(),
            Self::Merged => {
                let added = MergedColumns::columns();
                let added: Vec<_> = added.iter().map(|column| column.name).collect();
                format!(
                    "One row a sample domain. `attempt-N.csv` has one row a domain asked in \
                     attempt N, and the same columns but for those that merging adds: `{}`.",
                    added.join("`, `")
                )
            }
            Self::Crawlers => "One row a domain with an observed policy and crawler.".to_owned(),
            Self::Paths => "One row a Disallow line that governs a crawler of the list.".to_owned(),
            Self::Review => {
                "One row a thing that a person should look at before publication.".to_owned()
            }
            Self::Timing => "One row an exchange. Never the same twice, and no result is derived \
                             from it."
                .to_owned(),
        }
    }

    /// Its columns, in order.
    pub fn columns(self) -> Vec<Column> {
        match self {
            Self::Attempt => DomainRow::columns(),
            Self::Merged => MergedRow::columns(),
            Self::Crawlers => CrawlerRow::columns(),
            Self::Paths => PathRow::columns(),
            Self::Review => ReviewRow::columns(),
            Self::Timing => TimingRow::columns(),
        }
    }

    /// The columns that no two rows have the same; none where rows may repeat.
    pub fn key(self) -> &'static [&'static str] {
        match self {
            Self::Attempt | Self::Merged => &["domain"],
            Self::Crawlers => &["domain", "crawler"],
            Self::Paths => &["domain", "line"],
            Self::Review | Self::Timing => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn each_table_of_a_run_is_known_by_its_file_and_has_its_key() {
        for (name, expected) in [
            ("merged.csv", Some(Table::Merged)),
            ("attempt-1.csv", Some(Table::Attempt)),
            ("attempt-12.csv", Some(Table::Attempt)),
            ("attempt-2.crawlers.csv", Some(Table::Crawlers)),
            ("paths.csv", Some(Table::Paths)),
            ("attempt-3.review.csv", Some(Table::Review)),
            ("attempt-3.timing.csv", Some(Table::Timing)),
            ("summary.json", None),
            ("evidence.warc.gz", None),
            ("other.csv", None),
        ] {
            assert_eq!(Table::of_file(name), expected, "{name}");
            let Some(table) = expected else { continue };
            let columns = table.columns();
            for key in table.key() {
                assert!(columns.iter().any(|column| column.name == *key), "{name}: {key}");
            }
        }
    }
}
