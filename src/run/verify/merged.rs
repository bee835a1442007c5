//! The merged tables merged again from the attempts, and the summary counted again.

use std::io;

use super::difference::{Difference, Ended};
use super::folder::Folder;
use super::table::Table;
use crate::digest::Digest;
use crate::files;
use crate::library::Library;
use crate::manifest::{AttemptCounts, Instrument};
use crate::merge::{self, Merge};
use crate::record::{CrawlerRow, DomainRow, MergedRow, PathRow, ReviewRow, Row};
use crate::sample::{Domain, Sample};
use crate::store::RunFolder;
use crate::study::{PAGES, Study};
use crate::summary::{Counter, Subject, Summary};

/// The name of the study's numbers.
const SUMMARY: &str = "summary.json";

/// Most octets of the study's numbers.
const SUMMARY_OCTETS: u64 = 256 * 1024 * 1024;

/// Merges again.
pub(super) struct Merger<'a> {
    pub(super) folder: &'a Folder,
    pub(super) sample: &'a Sample,
    pub(super) library: &'a Library,
    pub(super) library_sha256: Digest,
    pub(super) attempts: &'a [AttemptCounts],
}

impl Merger<'_> {
    /// Merges every table again and counts the summary again.
    pub(super) fn all(&self) -> Result<(), Ended> {
        let mut counter = Counter::new(self.library);
        let chosen = self.domains(&mut counter)?;
        self.table(
            "crawlers",
            &chosen,
            |row: &CrawlerRow| &row.domain,
            |row| counter.crawler(row),
        )?;
        self.table("paths", &chosen, |row: &PathRow| &row.domain, |_| {})?;
        self.table("review", &chosen, |row: &ReviewRow| &row.domain, |row| counter.review(row))?;
        self.summary(counter)
    }

    /// Merges the domains again; returns the attempt that each one's rows are taken from.
    fn domains(&self, counter: &mut Counter) -> Result<Vec<u32>, Ended> {
        const NAME: &str = "merged.csv";
        let mut table = Table::open::<MergedRow>(&self.folder.path, NAME)?;
        let mut chosen = Vec::with_capacity(self.sample.entries.len());
        for merged in Merge::new(self.sample, self.attempts_of::<DomainRow>("")?) {
            let merged = merged.map_err(|error| Difference::unreadable("attempt-1.csv", &error))?;
            table.expect(&merged.cells());
            counter.domain(&merged);
            chosen.push(merged.row.attempt);
        }
        self.ended(table, NAME)?;
        Ok(chosen)
    }

    /// Merges a further table again.
    fn table<R: Row + 'static>(
        &self,
        table: &str,
        chosen: &[u32],
        domain_of: impl Fn(&R) -> &Domain,
        mut count: impl FnMut(&R),
    ) -> Result<(), Ended> {
        let name = format!("{table}.csv");
        let mut stored = Table::open::<R>(&self.folder.path, &name)?;
        let attempts = self.attempts_of::<R>(&format!(".{table}"))?;
        let taken = merge::take(self.sample, chosen, attempts, domain_of, |row| {
            count(row);
            stored.expect(&row.cells());
            Ok(())
        });
        taken.map_err(|error| Difference::unreadable(&name, &error))?;
        self.ended(stored, &name)
    }

    /// Ends the comparison of a table.
    fn ended(&self, table: Table, name: &str) -> Result<(), Ended> {
        match table.end() {
            Some(difference) => Err(difference.into()),
            None => self.folder.must_be_whole(name),
        }
    }

    /// The rows of a table of every attempt.
    fn attempts_of<R: Row + 'static>(&self, table: &str) -> io::Result<Vec<merge::Rows<'_, R>>> {
        let folder = RunFolder::at(&self.folder.path);
        let name = |attempt: u32| format!("attempt-{attempt}{table}.csv");
        self.attempts
            .iter()
            .map(|counts| Ok(folder.read(&name(counts.attempt))? as merge::Rows<'_, R>))
            .collect()
    }

    /// Counts the summary again.
    fn summary(&self, counter: Counter) -> Result<(), Ended> {
        let told = &self.folder.told;
        let instrument = Instrument {
            method: told.instrument.method.clone(),
            library: told.instrument.library.clone(),
            library_status: told.instrument.library_status.clone(),
            library_sha256: self.library_sha256,
            limits: told.instrument.limits.clone(),
        };
        let summary = counter.finish(Subject {
            sample: self.sample,
            seed: told.seed,
            instrument: &instrument,
            marks: &told.marks,
            attempts: self.attempts,
        });
        let derived = summary.to_json().map_err(io::Error::from)?;
        self.folder.must_be_there(SUMMARY)?;
        let stored = files::read(&self.folder.path.join(SUMMARY), SUMMARY_OCTETS)?;
        if stored == derived.as_bytes() {
            self.folder.must_be_whole(SUMMARY)?;
            return self.pages(&summary);
        }
        let stored = match serde_json::from_slice(&stored) {
            Ok(stored) => stored,
            Err(error) => return Err(Difference::unreadable(SUMMARY, &error).into()),
        };
        let derived = serde_json::from_str(&derived).map_err(io::Error::from)?;
        let difference = Difference::between(SUMMARY, &stored, &derived);
        let same = || Difference::of(SUMMARY, "other octets", "the same document as it is printed");
        Err(difference.unwrap_or_else(same).into())
    }

    /// Derives the pages again that are derived from the results; one that is not there is no
    /// difference, since anybody can derive it.
    fn pages(&self, summary: &Summary) -> Result<(), Ended> {
        // The pages are made of the summary as it stands in the folder, its numbers rounded.
        let written = summary.to_json().map_err(io::Error::from)?;
        let summary = Summary::from_json(&written).map_err(io::Error::from)?;
        let recorded = RunFolder::at(&self.folder.path).recorded();
        let manifest = recorded.map_err(io::Error::other)?;
        let study = Study { folder: self.folder.path.clone(), manifest, summary };
        let [text, page] = PAGES;
        self.page(text, || Ok(study.text()))?;
        self.page(page, || Ok(study.page()?))
    }

    /// Derives one page again.
    fn page(
        &self,
        name: &str,
        derive: impl FnOnce() -> Result<String, Ended>,
    ) -> Result<(), Ended> {
        let path = self.folder.path.join(name);
        if !files::exists(&path) {
            return Ok(());
        }
        let stored = files::read(&path, SUMMARY_OCTETS)?;
        let stored = String::from_utf8_lossy(&stored);
        let derived = derive()?;
        if stored == derived {
            return Ok(());
        }
        let mut lines = (1..).zip(stored.split('\n').zip(derived.split('\n')));
        let difference = match lines.find(|(_, (stored, derived))| stored != derived) {
            Some((number, (stored, derived))) => {
                Difference::of(name, stored, derived).at(format!("line {number}"))
            }
            None => Difference::of(name, "another length", "the page of the results"),
        };
        Err(difference.into())
    }
}
