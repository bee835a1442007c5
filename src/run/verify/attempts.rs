//! The attempts of a run derived again: who was asked, in which order, and every row of every table
//! from the evidence.

use std::collections::BTreeMap;

use super::difference::{Difference, Ended};
use super::folder::{Folder, MANIFEST};
use super::parallel::in_order;
use super::table::Table;
use crate::archive::{EVIDENCE_FILE, Evidence};
use crate::classify::classify;
use crate::library::Library;
use crate::manifest::AttemptCounts;
use crate::merge::is_resolved;
use crate::observation::Kept;
use crate::plan::Plan;
use crate::record::{Asked, CrawlerRow, DomainRow, PathRow, ReviewRow, Rows, rows};
use crate::run::attempt::count;
use crate::sample::Sample;
use crate::scan::Recorded;
use crate::seed::Seed;
use crate::store::DomainTables;

/// The columns that come from homepages, which evidence of the level `policy` leaves out.
const OF_HOMEPAGES: [&str; 6] =
    ["page_state", "page_status", "page_directives", "page_usage", "cms", "cdn"];

/// Domains whose rows are held in memory at a time.
const BATCH: usize = 256;

/// What is needed to derive rows.
pub(super) struct Deriver<'a> {
    folder: &'a Folder,
    sample: &'a Sample,
    library: &'a Library,
    seed: Seed,
    recorded: Recorded,
    kept: Kept,
}

/// The rows of an attempt that were derived and compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Derived {
    /// Domains that were asked.
    pub domains: u64,
    /// Rows of all four tables.
    pub rows: u64,
}

impl<'a> Deriver<'a> {
    /// Opens a run's evidence.
    pub(super) fn open(
        folder: &'a Folder,
        sample: &'a Sample,
        library: &'a Library,
        kept: Kept,
    ) -> Result<Self, Ended> {
        let numbered = sample.entries.iter().enumerate();
        let positions: BTreeMap<&str, usize> =
            numbered.map(|(position, entry)| (entry.domain.as_str(), position)).collect();
        let position_of = |domain: &str| positions.get(domain).copied();
        let evidence = match Evidence::open(&folder.path.join(EVIDENCE_FILE), &position_of) {
            Ok(evidence) => evidence,
            Err(error) => return Err(Difference::unreadable(EVIDENCE_FILE, &error).into()),
        };
        if let Some(stranger) = evidence.stranger() {
            return Err(Difference::of(EVIDENCE_FILE, stranger, "no domain of the sample").into());
        }
        let limits = folder.told.instrument.limits.clone();
        let recorded = Recorded { evidence, limits, as_of: None };
        Ok(Self { folder, sample, library, seed: Seed(folder.told.seed), recorded, kept })
    }

    /// Derives every attempt and holds its tables to it; returns what was compared, by attempt, and
    /// the counts.
    pub(super) fn all(&self) -> Result<(Vec<Derived>, Vec<AttemptCounts>), Ended> {
        let told = &self.folder.told.attempts;
        let mut asked: Vec<usize> = (0..self.sample.entries.len()).collect();
        let (mut all, mut counts) = (Vec::new(), Vec::new());
        for attempt in 1..=told.len() as u32 {
            let (derived, count, unresolved) = self.attempt(attempt, &asked)?;
            let stored = serde_json::to_value(&told[attempt as usize - 1]);
            let (stored, other) = (stored.map_err(failed)?, serde_json::to_value(&count));
            let other = other.map_err(failed)?;
            if let Some(mut difference) = Difference::between(MANIFEST, &stored, &other) {
                let place = difference.column.take().unwrap_or_default();
                return Err(difference.at(format!("attempts[{}].{place}", attempt - 1)).into());
            }
            all.push(derived);
            counts.push(count);
            asked = unresolved;
        }
        let most = match self.folder.told.source.is_some() && self.recorded.evidence.attempts() <= 1
        {
            true => 1,
            false => self.folder.told.instrument.limits.attempts as usize,
        };
        if told.len() < most && !asked.is_empty() {
            return Err(Difference::of(MANIFEST, told.len(), told.len() + 1).at("attempts").into());
        }
        Ok((all, counts))
    }

    /// Derives one attempt; returns the positions that it left unresolved, too.
    fn attempt(
        &self,
        attempt: u32,
        asked: &[usize],
    ) -> Result<(Derived, AttemptCounts, Vec<usize>), Ended> {
        let name = |table: &str| format!("attempt-{attempt}{table}.csv");
        let folder = &self.folder.path;
        let left_out: &[&str] = if self.kept == Kept::Policy { &OF_HOMEPAGES } else { &[] };
        let mut domains = Table::open::<DomainRow>(folder, &name(""))?.without(left_out);
        let mut crawlers = Table::open::<CrawlerRow>(folder, &name(".crawlers"))?;
        let mut paths = Table::open::<PathRow>(folder, &name(".paths"))?;
        let mut review = Table::open::<ReviewRow>(folder, &name(".review"))?;
        let plan = Plan::new(self.sample, self.seed, attempt, asked);
        let places: BTreeMap<usize, u64> =
            plan.turns.iter().map(|turn| (turn.position, turn.place)).collect();
        let mut counts = AttemptCounts::new(attempt, self.seed.of_attempt(attempt));
        let mut unresolved = Vec::new();
        for batch in asked.chunks(BATCH) {
            let derived = in_order(batch, |&position| {
                let place = places.get(&position).copied().unwrap_or_default();
                self.rows(Asked { attempt, place }, position)
            });
            let derived = match derived {
                Ok(derived) => derived,
                Err(error) => return Err(Difference::unreadable(EVIDENCE_FILE, &error).into()),
            };
            for (rows, &position) in derived.iter().zip(batch) {
                count(&mut counts, rows.domain.layer);
                if !is_resolved(rows.domain.layer) {
                    unresolved.push(position);
                }
                let tables = DomainTables::of(rows, &[]);
                tables.domain.iter().for_each(|cells| domains.expect(cells));
                tables.crawlers.iter().for_each(|cells| crawlers.expect(cells));
                tables.paths.iter().for_each(|cells| paths.expect(cells));
                tables.review.iter().for_each(|cells| review.expect(cells));
            }
        }
        let rows = [&domains, &crawlers, &paths, &review].map(Table::rows).iter().sum();
        for (table, suffix) in
            [(domains, ""), (crawlers, ".crawlers"), (paths, ".paths"), (review, ".review")]
        {
            if let Some(difference) = table.end() {
                return Err(difference.into());
            }
            self.folder.must_be_whole(&name(suffix))?;
        }
        self.folder.must_be_whole(&name(".timing"))?;
        Ok((Derived { domains: asked.len() as u64, rows }, counts, unresolved))
    }

    /// Derives the rows of a domain in an attempt.
    fn rows(&self, asked: Asked, position: usize) -> std::io::Result<Rows> {
        let entry = &self.sample.entries[position];
        let control_path = self.seed.control_path(&entry.domain);
        let recalled = self.recorded.read(asked.attempt, position, &entry.domain, &control_path)?;
        let observation = recalled.observation;
        let classification = classify(&observation, self.library);
        Ok(rows(entry, asked, &observation, &classification, self.library))
    }
}

/// A document that cannot be written is our own fault.
fn failed(error: serde_json::Error) -> Ended {
    Ended::Failed(error.into())
}
