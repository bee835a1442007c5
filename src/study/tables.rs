//! A run's merged tables, a domain at a time.

use std::io;
use std::iter::Peekable;
use std::path::Path;

use crate::compare::Sighting;
use crate::record::{CrawlerRow, MergedRow, PathRow, Row};
use crate::sample::Domain;
use crate::store::RunFolder;

/// Rows of a table, in sample order.
type Rows<R> = Peekable<Box<dyn Iterator<Item = io::Result<R>>>>;

/// What a run saw, domain after domain in sample order.
pub(super) struct Sightings {
    merged: Box<dyn Iterator<Item = io::Result<MergedRow>>>,
    crawlers: Rows<CrawlerRow>,
    paths: Rows<PathRow>,
}

impl Sightings {
    /// Opens the tables of a run.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let folder = RunFolder::at(folder);
        Ok(Self {
            merged: folder.read("merged.csv")?,
            crawlers: folder.read("crawlers.csv")?.peekable(),
            paths: folder.read("paths.csv")?.peekable(),
        })
    }
}

impl Iterator for Sightings {
    type Item = io::Result<Sighting>;

    fn next(&mut self) -> Option<Self::Item> {
        let merged = match self.merged.next()? {
            Ok(merged) => merged,
            Err(error) => return Some(Err(error)),
        };
        let domain = &merged.row.domain;
        let crawlers = taken(&mut self.crawlers, domain, |row| &row.domain);
        let paths = taken(&mut self.paths, domain, |row| &row.domain);
        Some(crawlers.and_then(|crawlers| Ok(Sighting { crawlers, paths: paths?, merged })))
    }
}

/// The rows of a domain, if the next ones are its.
fn taken<R: Row>(
    rows: &mut Rows<R>,
    domain: &Domain,
    domain_of: impl Fn(&R) -> &Domain,
) -> io::Result<Vec<R>> {
    let is_next = |row: &io::Result<R>| row.as_ref().map_or(true, |row| domain_of(row) == domain);
    let mut taken = Vec::new();
    while let Some(row) = rows.next_if(is_next) {
        taken.push(row?);
    }
    Ok(taken)
}
