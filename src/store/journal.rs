//! An attempt's journal: one checksummed line a domain, in the order in which domains were done.
//!
//! A line is written whole, `crc32 SP json LF`, so that a torn tail can be told from a record. When
//! the attempt closes, a table of offsets by sample position (eight octets a domain) stands in for
//! sorting.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::{self, Appended};
use crate::record::{Row, Rows, TimingRow};

/// Records between two syncs to the disk.
const RECORDS_PER_SYNC: usize = 64;

/// One domain's line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DomainRecord {
    /// Its position in the sample, counted from 0.
    pub position: usize,
    /// Where its evidence ends, in octets of the evidence file; 0 where none is kept.
    pub evidence_end: u64,
    /// Its rows.
    pub tables: DomainTables,
}

/// The cells of a domain's rows, table by table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DomainTables {
    /// The row of the attempt's table.
    pub domain: Vec<Vec<String>>,
    /// The crawler rows.
    pub crawlers: Vec<Vec<String>>,
    /// The path rows.
    pub paths: Vec<Vec<String>>,
    /// The review rows.
    pub review: Vec<Vec<String>>,
    /// The timing rows.
    pub timing: Vec<Vec<String>>,
}

impl DomainTables {
    /// The cells of a domain's rows.
    pub fn of(rows: &Rows, timing: &[TimingRow]) -> Self {
        Self {
            domain: vec![rows.domain.cells()],
            crawlers: rows.crawlers.iter().map(Row::cells).collect(),
            paths: rows.paths.iter().map(Row::cells).collect(),
            review: rows.review.iter().map(Row::cells).collect(),
            timing: timing.iter().map(Row::cells).collect(),
        }
    }
}

/// A journal that is being written.
pub struct Journal {
    file: Appended,
    written: u64,
    unsynced: usize,
    offsets: Vec<(usize, u64)>,
}

impl Journal {
    /// Begins a journal; one that is there already belongs to another run.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = Appended::create(path)?;
        Ok(Self { file, written: 0, unsynced: 0, offsets: Vec::new() })
    }

    /// The journal's path.
    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Appends a domain's record.
    pub fn append(&mut self, record: &DomainRecord) -> io::Result<()> {
        let json = serde_json::to_string(record)?;
        let line = format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
        self.file.append(line.as_bytes())?;
        self.offsets.push((record.position, self.written));
        self.written += line.len() as u64;
        self.unsynced += 1;
        Ok(())
    }

    /// Whether so much was appended since the last sync that another is due; the evidence that the
    /// lines speak of is synced before them.
    pub fn is_due(&self) -> bool {
        self.unsynced >= RECORDS_PER_SYNC
    }

    /// Makes what was appended durable.
    pub fn sync(&mut self) -> io::Result<()> {
        self.unsynced = 0;
        self.file.sync()
    }

    /// Reads the records back, by sample position.
    pub(super) fn in_sample_order(
        self,
    ) -> io::Result<impl Iterator<Item = io::Result<DomainRecord>>> {
        let mut reader = files::open(self.path())?;
        let mut offsets = self.offsets;
        offsets.sort_unstable();
        Ok(offsets.into_iter().map(move |(_, offset)| read_at(&mut reader, offset)))
    }
}

/// Reads the record at an offset.
fn read_at(reader: &mut BufReader<File>, offset: u64) -> io::Result<DomainRecord> {
    let mut line = String::new();
    reader.seek(SeekFrom::Start(offset))?;
    reader.read_line(&mut line)?;
    let broken = || io::Error::new(io::ErrorKind::InvalidData, "a journal record is broken");
    let (checksum, json) = line.trim_end_matches('\n').split_once(' ').ok_or_else(broken)?;
    if u32::from_str_radix(checksum, 16) != Ok(crc32fast::hash(json.as_bytes())) {
        return Err(broken());
    }
    Ok(serde_json::from_str(json)?)
}

#[cfg(test)]
mod tests {
    use super::{DomainRecord, DomainTables, Journal};

    fn record(position: usize) -> DomainRecord {
        let cell = vec![vec![format!("domain {position},\n\"quoted\"")]];
        let tables = DomainTables {
            domain: cell,
            crawlers: vec![],
            paths: vec![],
            review: vec![],
            timing: vec![],
        };
        DomainRecord { position, evidence_end: 7, tables }
    }

    #[test]
    fn records_come_back_by_sample_position_whatever_order_they_were_done_in() {
        let folder = std::env::temp_dir().join(format!("scanner-journal-{}", std::process::id()));
        crate::files::make_folder(&folder).expect("a folder");
        let path = folder.join("attempt-1.journal");
        let mut journal = Journal::create(&path).expect("a new journal");
        assert!(Journal::create(&path).is_err(), "a journal is never taken over");
        for position in [4, 0, 9, 2] {
            journal.append(&record(position)).expect("appended");
        }
        let read = journal.in_sample_order().expect("readable");
        let read: Vec<_> = read.map(|record| record.expect("whole")).collect();
        assert_eq!(read, [0, 2, 4, 9].map(record));
        crate::files::remove(&path).expect("removed");
    }
}
