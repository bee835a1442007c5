//! One document in every dialect, beside each other.

use super::dialect::Dialect;
use super::document::{Robots, parse_in};
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
    /// Google's library reads all it is handed, and Googlebot hands it the first 500 KiB; so do we.
    pub fn new(document: &[u8]) -> Self {
        let read = |&dialect: &Dialect| match dialect {
            Dialect::C01 | Dialect::Strict => parse_in(document, dialect),
            Dialect::Google => parse_in(&document[..document.len().min(ROBOTS_OCTETS)], dialect),
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

    /// Octets that are read of it.
    pub fn read_octets(&self) -> usize {
        self.document_octets.min(ROBOTS_OCTETS)
    }
}
