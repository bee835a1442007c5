//! A stored table held to the rows that follow, cell by cell, in one pass.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use super::difference::Difference;
use crate::files;
use crate::record::{CellReader, Row};

/// A table that is compared.
pub(super) struct Table {
    name: String,
    columns: Vec<&'static str>,
    left_out: &'static [&'static str],
    stored: Option<CellReader<BufReader<File>>>,
    row: u64,
    difference: Option<Difference>,
}

impl Table {
    /// Opens a table of a folder; a table that cannot be read is a difference.
    pub(super) fn open<R: Row>(folder: &Path, name: &str) -> io::Result<Self> {
        let mut table = Self {
            name: name.to_owned(),
            columns: R::columns().iter().map(|column| column.name).collect(),
            left_out: &[],
            stored: None,
            row: 0,
            difference: None,
        };
        let path = folder.join(name);
        if !files::exists(&path) {
            table.difference = Some(Difference::of(name, "no such file", "a file of the run"));
            return Ok(table);
        }
        match CellReader::open::<R>(files::open(&path)?) {
            Ok(stored) => table.stored = Some(stored),
            Err(error) => table.difference = Some(Difference::unreadable(name, &error)),
        }
        Ok(table)
    }

    /// The same, with columns that are not compared.
    pub(super) fn without(self, left_out: &'static [&'static str]) -> Self {
        Self { left_out, ..self }
    }

    /// Holds the next stored row to the one that follows.
    pub(super) fn expect(&mut self, derived: &[String]) {
        if self.difference.is_some() {
            return;
        }
        self.row += 1;
        self.difference = match self.stored.as_mut().and_then(Iterator::next) {
            Some(Ok(stored)) => self.compared(&stored, derived),
            Some(Err(error)) => Some(self.at_row(&error.to_string(), "a row", derived)),
            None => Some(self.at_row("no further row", "a row", derived)),
        };
    }

    /// The first cell in which two rows differ.
    fn compared(&self, stored: &[String], derived: &[String]) -> Option<Difference> {
        let columns = self.columns.iter().zip(stored.iter().zip(derived));
        let mut differing = columns.filter(|(column, (stored, derived))| {
            stored != derived && !self.left_out.contains(column)
        });
        let (column, (stored, derived_cell)) = differing.next()?;
        Some(self.at_row(stored, derived_cell, derived).at(column))
    }

    /// A difference at the present row.
    fn at_row(&self, stored: &str, derived: &str, row: &[String]) -> Difference {
        let domain = row.first().cloned();
        Difference { row: Some(self.row), domain, ..Difference::of(&self.name, stored, derived) }
    }

    /// Ends the comparison: no row may be left; returns the first difference.
    pub(super) fn end(mut self) -> Option<Difference> {
        if self.difference.is_some() {
            return self.difference;
        }
        self.row += 1;
        match self.stored.as_mut().and_then(Iterator::next) {
            None => None,
            Some(Ok(stored)) => Some(self.at_row(&stored.join(","), "no further row", &stored)),
            Some(Err(error)) => Some(self.at_row(&error.to_string(), "no further row", &[])),
        }
    }

    /// How many rows were compared.
    pub(super) fn rows(&self) -> u64 {
        self.row
    }
}
