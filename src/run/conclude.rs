//! The end of a run: merged tables, summary, final manifest.
//!
//! Long tables are only streamed, and the summary counts in the same pass. The tables get their
//! names one after another; the manifest that calls the run complete is written last.

use std::io;

use super::Run;
use crate::clock;
use crate::library::Library;
use crate::manifest::Status;
use crate::merge::{self, Merge};
use crate::record::{CrawlerRow, MergedRow, PathRow, ReviewRow, Row};
use crate::sample::Domain;
use crate::summary::{Counter, Subject, Summary};

impl Run<'_> {
    /// Merges the closed attempts, writes the results and declares the run complete.
    pub(super) fn conclude(&mut self, library: &Library) -> io::Result<Summary> {
        let mut counter = Counter::new(library);
        let chosen = self.merge_domains(&mut counter)?;
        self.merge_table(
            "crawlers",
            &chosen,
            |row: &CrawlerRow| &row.domain,
            |row| {
                counter.crawler(row);
            },
        )?;
        self.merge_table("paths", &chosen, |row: &PathRow| &row.domain, |_| {})?;
        self.merge_table(
            "review",
            &chosen,
            |row: &ReviewRow| &row.domain,
            |row| {
                counter.review(row);
            },
        )?;
        let summary = counter.finish(Subject {
            sample: self.sample,
            seed: self.request.seed,
            instrument: self.instrument,
            marks: self.marks,
            attempts: &self.attempts,
        });
        let (name, digest) = self.folder.write("summary.json", &summary.to_json())?;
        self.files.insert(name, digest);
        self.occasion.ended_at = Some(clock::utc_now());
        self.write_manifest(Status::Complete)?;
        Ok(summary)
    }

    /// Writes merged.csv; returns the attempt that each domain's rows are taken from.
    fn merge_domains(&mut self, counter: &mut Counter) -> io::Result<Vec<u32>> {
        let attempts: io::Result<Vec<_>> = self
            .attempts
            .iter()
            .map(|counts| self.folder.read(&format!("attempt-{}.csv", counts.attempt)))
            .collect();
        let attempts = attempts?.into_iter().map(|rows| rows as merge::Rows<'_, _>).collect();
        let mut table = self.folder.table::<MergedRow>("merged.csv")?;
        let mut chosen = Vec::with_capacity(self.sample.entries.len());
        for merged in Merge::new(self.sample, attempts) {
            let merged = merged?;
            counter.domain(&merged);
            chosen.push(merged.row.attempt);
            table.write(&merged)?;
        }
        let (name, digest) = table.seal()?;
        self.files.insert(name, digest);
        Ok(chosen)
    }

    /// Writes a further merged table.
    fn merge_table<R: Row + 'static>(
        &mut self,
        table: &str,
        chosen: &[u32],
        domain_of: impl Fn(&R) -> &Domain,
        mut count: impl FnMut(&R),
    ) -> io::Result<()> {
        let attempts: io::Result<Vec<_>> = self
            .attempts
            .iter()
            .map(|counts| self.folder.read(&format!("attempt-{}.{table}.csv", counts.attempt)))
            .collect();
        let attempts = attempts?.into_iter().map(|rows| rows as merge::Rows<'_, R>).collect();
        let mut file = self.folder.table::<R>(&format!("{table}.csv"))?;
        merge::take(self.sample, chosen, attempts, domain_of, |row| {
            count(row);
            file.write(row)
        })?;
        let (name, digest) = file.seal()?;
        self.files.insert(name, digest);
        Ok(())
    }
}
