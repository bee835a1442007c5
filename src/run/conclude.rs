//! The end of a run: merged tables, summary, report, final manifest.
//!
//! Long tables are only streamed, and the summary counts in the same pass. All results are a pure
//! function of the closed attempts, so that merging may be done again. The manifest calls the run
//! complete when every file is durable, and merged.csv gets its name last of all: whoever finds it
//! finds a complete run.

use std::io;

use super::{Run, Stopped};
use crate::clock;
use crate::digest::Digest;
use crate::library::Library;
use crate::manifest::Status;
use crate::merge::{self, Merge};
use crate::record::{CrawlerRow, MergedRow, PathRow, ReviewRow, Row};
use crate::sample::Domain;
use crate::scan::Stop;
use crate::store::TableFile;
use crate::summary::{Counter, Subject, Summary};

impl Run<'_> {
    /// Merges the closed attempts, writes the results and declares the run complete.
    pub(super) fn conclude(&mut self, library: &Library, stop: &Stop) -> Result<Summary, Stopped> {
        let go_on = || match stop.signal() {
            Some(signal) => Err(Stopped::by(signal, "while merging")),
            None => Ok(()),
        };
        let mut counter = Counter::new(library);
        let (merged, chosen) = self.merge_domains(&mut counter)?;
        go_on()?;
        let crawlers = self.merge_table(
            "crawlers",
            &chosen,
            |row: &CrawlerRow| &row.domain,
            |row| {
                counter.crawler(row);
            },
        )?;
        go_on()?;
        let paths = self.merge_table("paths", &chosen, |row: &PathRow| &row.domain, |_| {})?;
        let review = self.merge_table(
            "review",
            &chosen,
            |row: &ReviewRow| &row.domain,
            |row| {
                counter.review(row);
            },
        )?;
        go_on()?;
        let summary = counter.finish(Subject {
            sample: self.sample,
            seed: self.request.seed,
            instrument: self.instrument,
            marks: self.marks,
            attempts: &self.attempts,
        });
        let numbers =
            self.folder.write("summary.json", &summary.to_json().map_err(io::Error::from)?)?;
        let merged = merged.sync()?;
        if let Some(evidence) = self.evidence.take() {
            let (name, digest) = evidence.seal()?;
            self.occasion.files.insert(name, digest.to_string());
        }
        self.complete([merged.named(), crawlers, paths, review, numbers])?;
        merged.name()?;
        Ok(summary)
    }

    /// Declares the run complete, with its results; a manifest of any other run names none.
    fn complete(&mut self, results: [(String, Digest); 5]) -> io::Result<()> {
        let attempts = self.files.clone();
        self.files.extend(results);
        self.occasion.ended_at = Some(clock::utc_now());
        self.write_manifest(Status::Complete).inspect_err(|_| self.files = attempts)
    }

    /// Writes merged.csv, which is not sealed yet; returns it with the attempt that each domain's
    /// rows are taken from.
    fn merge_domains(&self, counter: &mut Counter) -> io::Result<(TableFile, Vec<u32>)> {
        let mut table = self.folder.table::<MergedRow>("merged.csv")?;
        let mut chosen = Vec::with_capacity(self.sample.entries.len());
        for merged in Merge::new(self.sample, self.attempts_of("")?) {
            let merged = merged?;
            counter.domain(&merged);
            chosen.push(merged.row.attempt);
            table.write(&merged)?;
        }
        Ok((table, chosen))
    }

    /// Writes a further merged table; returns its name and digest.
    fn merge_table<R: Row + 'static>(
        &self,
        table: &str,
        chosen: &[u32],
        domain_of: impl Fn(&R) -> &Domain,
        mut count: impl FnMut(&R),
    ) -> io::Result<(String, Digest)> {
        let mut file = self.folder.table::<R>(&format!("{table}.csv"))?;
        let attempts = self.attempts_of::<R>(&format!(".{table}"))?;
        merge::take(self.sample, chosen, attempts, domain_of, |row| {
            count(row);
            file.write(row)
        })?;
        file.seal()
    }

    /// The rows of a table of every closed attempt.
    fn attempts_of<R: Row + 'static>(&self, table: &str) -> io::Result<Vec<merge::Rows<'_, R>>> {
        let name = |attempt: u32| format!("attempt-{attempt}{table}.csv");
        self.attempts
            .iter()
            .map(|counts| Ok(self.folder.read(&name(counts.attempt))? as merge::Rows<'_, R>))
            .collect()
    }
}
