//! One document in every dialect, beside each other.

use super::dialect::Dialect;
use super::document::{Robots, parse_head, parse_in};
use crate::limits::ROBOTS_OCTETS;
use crate::words::Word as _;

/// A document as every dialect reads it.
#[derive(Debug)]
pub struct Readings {
    /// One for each dialect, in their order.
    readings: Vec<Robots>,
    document_octets: usize,
}

impl Readings {
    /// Reads a document in every dialect.
    ///
    /// Google's library reads all it is handed, and Googlebot hands it the first 500 KiB; so do we,
    /// and what stands past them is unread there too.
    pub fn new(document: &[u8]) -> Self {
        let read = |&dialect: &Dialect| match dialect {
            Dialect::C01 | Dialect::Strict => parse_in(document, dialect),
            Dialect::Google => parse_head(document, dialect, ROBOTS_OCTETS),
        };
        Self { readings: Dialect::ALL.iter().map(read).collect(), document_octets: document.len() }
    }

    /// The reading of a dialect.
    pub fn of(&self, dialect: Dialect) -> &Robots {
        &self.readings[dialect as usize]
    }

    /// Every reading, in the order of the dialects.
    pub fn all(&self) -> impl Iterator<Item = &Robots> {
        self.readings.iter()
    }

    /// Octets of the whole document.
    pub fn document_octets(&self) -> usize {
        self.document_octets
    }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, ROBOTS_OCTETS, Readings};
    use crate::robots::{Issue, IssueKind, LineKind};

    #[test]
    fn what_stands_past_the_limit_is_unread_in_every_dialect() {
        let document = b"User-agent: *\n".repeat(ROBOTS_OCTETS / 14 + 2);
        let whole_lines = ROBOTS_OCTETS / 14 * 14;
        assert_ne!(whole_lines, ROBOTS_OCTETS);
        let readings = Readings::new(&document);
        for (dialect, octets) in [
            (Dialect::C01, whole_lines),
            (Dialect::Google, ROBOTS_OCTETS),
            (Dialect::Strict, whole_lines),
        ] {
            let robots = readings.of(dialect);
            let last = robots.lines().last().expect("a line");
            assert_eq!(last.kind, LineKind::Unread, "{dialect}");
            assert_eq!(last.range.end as usize, document.len(), "{dialect}");
            let issue = Issue { line: Some(last.number), kind: IssueKind::Truncated };
            assert!(robots.issues().contains(&issue), "{dialect}");
            assert_eq!(robots.octets_read(), octets, "{dialect}");
        }
        let whole = Readings::new(&document[..ROBOTS_OCTETS]);
        assert!(whole.all().all(|robots| robots.octets_read() == ROBOTS_OCTETS));
    }
}
