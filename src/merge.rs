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

/// The positions in the sample that an attempt left unresolved, in order.
pub fn unresolved(sample: &Sample, attempt: Rows<'_, DomainRow>) -> io::Result<Vec<usize>> {
    let mut unresolved = Vec::new();
    let mut entries = sample.entries.iter().enumerate();
    for row in attempt {
        let row = row?;
        let position = entries.find(|(_, entry)| entry.domain == row.domain);
        let (position, _) =
            position.ok_or_else(|| broken("a row is out of sample order".to_owned()))?;
        if !is_resolved(row.layer) {
            unresolved.push(position);
        }
    }
    Ok(unresolved)
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
    match (row.layer, row.failure_mode) {
        (Layer::Outside, _) => row.layer.word().to_owned(),
        (_, Some(mode)) => mode.word().to_owned(),
        (_, None) => "ok".to_owned(),
    }
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

#[cfg(test)]
mod tests {
    use std::io;

    use super::{Merge, Rows, take, unresolved};
    use crate::record::{DomainRow, Layer, Resolution, Row as _};
    use crate::sample::{Domain, Sample};

    /// A row with the columns that merging reads; the others as an absent robots.txt leaves them.
    fn row(domain: &str, attempt: u32, layer: &str, mode: &str) -> DomainRow {
        let stated = [
            ("domain", domain.to_owned()),
            ("attempt", attempt.to_string()),
            ("layer", layer.to_owned()),
            ("failure_mode", mode.to_owned()),
            ("robots_state", if mode.is_empty() { "absent" } else { "failed" }.to_owned()),
            ("page_state", "not_attempted".to_owned()),
            ("llms_state", "unscannable".to_owned()),
        ];
        let cells: Vec<String> = DomainRow::columns()
            .iter()
            .map(|column| match stated.iter().find(|(name, _)| *name == column.name) {
                Some((_, cell)) => cell.clone(),
                None if column.kind.starts_with("whole number")
                    && !column.kind.contains("empty") =>
                {
                    "0".to_owned()
                }
                None if column.kind == "`true` or `false`" => "false".to_owned(),
                None => String::new(),
            })
            .collect();
        DomainRow::from_cells(&mut cells.iter().map(String::as_str)).expect("a row")
    }

    fn rows<'a>(rows: Vec<DomainRow>) -> Rows<'a, DomainRow> {
        Box::new(rows.into_iter().map(Ok))
    }

    fn sample() -> Sample {
        Sample::parse("s.csv", b"domain\na.test\nb.test\nc.test\n", None).expect("a sample")
    }

    #[test]
    fn a_resolved_domain_takes_its_first_resolved_row_an_unresolved_one_its_last() {
        let sample = sample();
        let attempts = vec![
            rows(vec![
                row("a.test", 1, "policy", ""),
                row("b.test", 1, "unscannable", "dns"),
                row("c.test", 1, "access_denied", "http_403"),
            ]),
            rows(vec![row("b.test", 2, "policy", ""), row("c.test", 2, "unscannable", "timeout")]),
            rows(vec![row("c.test", 3, "access_denied", "http_429")]),
        ];
        let merged: io::Result<Vec<_>> = Merge::new(&sample, attempts).collect();
        let merged: Vec<_> = merged
            .expect("whole")
            .into_iter()
            .map(|row| {
                let history = row.merged.failure_history.0.join(";");
                (row.row.attempt, row.row.layer, row.merged.resolution, history)
            })
            .collect();
        let expected = [
            (1, Layer::Policy, Resolution::Observed, "ok"),
            (2, Layer::Policy, Resolution::Recovered, "dns;ok"),
            (3, Layer::AccessDenied, Resolution::Unresolved, "http_403;timeout;http_429"),
        ];
        assert_eq!(
            merged,
            expected.map(|(at, layer, end, words)| (at, layer, end, words.to_owned()))
        );
    }

    #[test]
    fn who_is_asked_again_follows_from_the_last_closed_attempt() {
        let sample = sample();
        let asked = vec![row("b.test", 1, "policy", ""), row("c.test", 1, "unscannable", "dns")];
        assert_eq!(unresolved(&sample, rows(asked.clone())).expect("whole"), [2]);
        let [b, c]: [DomainRow; 2] = asked.try_into().expect("two");
        assert!(unresolved(&sample, rows(vec![c, b])).is_err(), "rows are out of order");
    }

    #[test]
    fn attempts_that_do_not_fit_the_sample_are_refused() {
        let sample = sample();
        let merge = |attempt: Vec<DomainRow>| -> io::Result<Vec<_>> {
            Merge::new(&sample, vec![rows(attempt)]).collect()
        };
        let all = ["a.test", "b.test", "c.test"].map(|domain| row(domain, 1, "policy", ""));
        assert!(merge(all.to_vec()).is_ok());
        assert!(merge(all[..2].to_vec()).is_err(), "a domain is missing");
        assert!(merge([&all[..], &all[..1]].concat()).is_err(), "a domain stands twice");
        let [a, b, c] = all;
        assert!(merge(vec![b, a, c]).is_err(), "rows are out of order");
    }

    #[test]
    fn a_table_takes_a_domains_rows_from_the_attempt_that_counts() {
        let sample = sample();
        let table = |names: &[&'static str]| -> Rows<'static, (Domain, u32)> {
            let rows: Vec<_> = names
                .iter()
                .zip(0..)
                .map(|(name, number)| Ok((Domain::parse(name).expect("a name"), number)))
                .collect();
            Box::new(rows.into_iter())
        };
        let attempts = vec![table(&["a.test", "a.test", "b.test"]), table(&["b.test", "b.test"])];
        let mut taken = Vec::new();
        let write = |row: &(Domain, u32)| -> io::Result<()> {
            taken.push(format!("{} {}", row.0, row.1));
            Ok(())
        };
        take(&sample, &[1, 2, 1], attempts, |row| &row.0, write).expect("whole");
        assert_eq!(taken, ["a.test 0", "a.test 1", "b.test 0", "b.test 1"]);
        let stray = vec![table(&["b.test", "a.test"])];
        let stray = take(&sample, &[1, 1, 1], stray, |row| &row.0, |_: &(Domain, u32)| Ok(()));
        assert!(stray.is_err(), "rows are out of order");
    }
}
