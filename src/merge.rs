//! Attempts → one row a sample domain: a streaming zip, pure.
//!
//! A resolved domain takes its whole row from its first resolved attempt, an unresolved one from
//! its last. Every table takes a domain's rows from the attempt that its merged row names.

use std::io;
use std::iter::Peekable;

use crate::record::{DomainRow, Layer, List, MergedColumns, MergedRow, Resolution};
use crate::sample::{Domain, Sample};
use crate::words::Word as _;

/// Rows of one attempt's table, in sample order.
pub type Rows<'a, R> = Box<dyn Iterator<Item = io::Result<R>> + 'a>;

/// Whether a domain is asked no more: its policy was observed, or it is outside every denominator.
pub fn is_resolved(layer: Layer) -> bool {
    matches!(layer, Layer::Policy | Layer::Outside)
}

/// Merges the attempts' domain tables, in sample order.
pub struct Merge<'a> {
    sample: &'a Sample,
    position: usize,
    attempts: Vec<Peekable<Rows<'a, DomainRow>>>,
}

impl<'a> Merge<'a> {
    /// Begins a merge of the attempts of a sample, the first attempt first.
    pub fn new(sample: &'a Sample, attempts: Vec<Rows<'a, DomainRow>>) -> Self {
        Self {
            sample,
            position: 0,
            attempts: attempts.into_iter().map(Iterator::peekable).collect(),
        }
    }

    /// Merges the rows of the domain at the present position.
    fn merge(&mut self, domain: &Domain) -> io::Result<MergedRow> {
        let mut rows = Vec::new();
        for attempt in &mut self.attempts {
            if let Some(row) = take_of(attempt, domain)? {
                rows.push(row);
            }
        }
        merged(rows).ok_or_else(|| broken(format!("{domain} stands in no attempt")))
    }
}

impl Iterator for Merge<'_> {
    type Item = io::Result<MergedRow>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.sample.entries.get(self.position) {
            Some(entry) => {
                self.position += 1;
                Some(self.merge(&entry.domain))
            }
            None => {
                let left = self.attempts.iter_mut().find_map(Iterator::next)?;
                Some(Err(left
                    .err()
                    .unwrap_or_else(|| broken("a row is out of sample order".into()))))
            }
        }
    }
}

/// The next row of an attempt, if it is the domain's.
fn take_of(
    attempt: &mut Peekable<Rows<'_, DomainRow>>,
    domain: &Domain,
) -> io::Result<Option<DomainRow>> {
    let is_next = |row: &io::Result<DomainRow>| row.as_ref().is_ok_and(|row| row.domain == *domain);
    match attempt.next_if(|row| row.is_err() || is_next(row)) {
        Some(row) => row.map(Some),
        None => Ok(None),
    }
}

/// One domain's rows, merged.
fn merged(mut rows: Vec<DomainRow>) -> Option<MergedRow> {
    let failure_history = List(rows.iter().map(history_word).collect());
    let resolved = rows.iter().position(|row| is_resolved(row.layer));
    let last = rows.len().checked_sub(1)?;
    let row = rows.swap_remove(resolved.unwrap_or(last));
    let resolution = match (row.layer, row.attempt) {
        (Layer::Policy, 1) => Resolution::Observed,
        (Layer::Policy, _) => Resolution::Recovered,
        (Layer::Outside, _) => Resolution::Outside,
        (Layer::AccessDenied | Layer::Unscannable, _) => Resolution::Unresolved,
    };
    Some(MergedRow { row, merged: MergedColumns { resolution, failure_history } })
}

/// What an attempt adds to the history.
fn history_word(row: &DomainRow) -> String {
    row.failure_mode.map_or("ok", |mode| mode.word()).to_owned()
}

/// Takes each domain's rows of a further table from the attempt that its merged row names.
///
/// `chosen` holds one attempt (counted from 1) a sample position; every attempt's table is in sample
/// order, so that one pass over all of them suffices.
pub fn take<R>(
    sample: &Sample,
    chosen: &[u32],
    attempts: Vec<Rows<'_, R>>,
    domain_of: impl Fn(&R) -> &Domain,
    mut write: impl FnMut(&R) -> io::Result<()>,
) -> io::Result<()> {
    let mut attempts: Vec<_> = attempts.into_iter().map(Iterator::peekable).collect();
    for (entry, &chosen) in sample.entries.iter().zip(chosen) {
        for (attempt, number) in attempts.iter_mut().zip(1..) {
            let is_next = |row: &io::Result<R>| match row {
                Ok(row) => *domain_of(row) == entry.domain,
                Err(_) => true,
            };
            while let Some(row) = attempt.next_if(is_next) {
                let row = row?;
                if number == chosen {
                    write(&row)?;
                }
            }
        }
    }
    match attempts.iter_mut().find_map(Iterator::next) {
        Some(Err(error)) => Err(error),
        Some(Ok(_)) => Err(broken("a row is out of sample order".to_owned())),
        None => Ok(()),
    }
}

/// Attempts that do not fit their sample.
fn broken(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
