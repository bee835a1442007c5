//! What report.html shows of each domain, read from the merged tables as they stream by together.

use std::io;
use std::iter::Peekable;

use crate::record::{CrawlerRow, MergedRow, PathRow, ReviewRow, Row};
use crate::report::{DomainEntry, Shown, Unsettled};
use crate::sample::Domain;
use crate::store::RunFolder;

/// Most domains that one page shows; of a larger run it shows those that need a look.
const DOMAINS_MOST: usize = 5_000;

/// The domains of a run's folder.
pub(super) fn shown(folder: &RunFolder, domains: u64) -> io::Result<Shown> {
    let is_selection = domains > DOMAINS_MOST as u64;
    let mut crawlers = Grouped::<CrawlerRow>::open(folder, "crawlers.csv")?;
    let mut paths = Grouped::<PathRow>::open(folder, "paths.csv")?;
    let mut review = Grouped::<ReviewRow>::open(folder, "review.csv")?;
    let mut entries = Vec::new();
    let mut unsettled = Unsettled::default();
    for merged in folder.read::<MergedRow>("merged.csv")? {
        let merged = merged?;
        let domain = &merged.row.domain;
        let review = review.of(domain)?;
        if !is_selection {
            unsettled.count(&review);
        }
        let entry = DomainEntry::of(&merged, &crawlers.of(domain)?, &paths.of(domain)?, &review);
        if !is_selection || (entry.needs_a_look() && entries.len() < DOMAINS_MOST) {
            entries.push(entry);
        }
    }
    Ok(Shown { entries, is_selection, unsettled })
}

/// A table's rows.
type Rows<R> = Box<dyn Iterator<Item = io::Result<R>>>;

/// A table whose rows of one domain stand together, in sample order.
struct Grouped<R> {
    rows: Peekable<Rows<R>>,
}

/// A row that belongs to a domain.
trait OfDomain {
    /// The domain.
    fn domain(&self) -> &Domain;
}

macro_rules! rows_of_domains {
    ($($row:ty),*) => {$(
        impl OfDomain for $row {
            fn domain(&self) -> &Domain {
                &self.domain
            }
        }
    )*};
}

rows_of_domains!(CrawlerRow, PathRow, ReviewRow);

impl<R: Row + OfDomain + 'static> Grouped<R> {
    /// Opens the table.
    fn open(folder: &RunFolder, name: &str) -> io::Result<Self> {
        Ok(Self { rows: folder.read(name)?.peekable() })
    }

    /// The rows of the next domain, if they are of this one.
    fn of(&mut self, domain: &Domain) -> io::Result<Vec<R>> {
        let is_its = |row: &io::Result<R>| row.as_ref().map_or(true, |row| row.domain() == domain);
        std::iter::from_fn(|| self.rows.next_if(is_its)).collect()
    }
}
