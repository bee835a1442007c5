//! An attempt's journal: one checksummed line a domain, in the order in which domains were done.
//!
//! A line is written whole, `crc32 SP json LF`, so that a torn tail can be told from a record: what
//! a process or a machine left unfinished is cut off, and its domains are asked again. When the
//! attempt closes, a table of offsets by sample position (eight octets a domain) stands in for
//! sorting.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::{self, Appended};
use crate::record::{DomainRow, Row, Rows, TimingRow};

/// Records between two syncs to the disk.
const RECORDS_PER_SYNC: usize = 64;

/// Hex digits of a line's checksum.
const CHECKSUM_DIGITS: usize = 8;

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

impl DomainRecord {
    /// The domain's own row.
    pub fn row(&self) -> io::Result<DomainRow> {
        let [cells] = &self.tables.domain[..] else {
            return Err(broken("a record has no one row"));
        };
        DomainRow::from_cells(&mut cells.iter().map(String::as_str))
            .map_err(|column| broken(&format!("a record's {column} cannot be read")))
    }
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

/// What is to be done with a whole record of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Kept,
    /// What it speaks of is not on disk: it is cut off, with what follows it.
    Torn,
}

/// A journal that is being written.
pub struct Journal {
    file: Appended,
    written: u64,
    unsynced: usize,
    offsets: Vec<(usize, u64)>,
}

impl Journal {
    /// Begins a journal.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = Appended::create(path)?;
        Ok(Self { file, written: 0, unsynced: 0, offsets: Vec::new() })
    }

    /// Goes on with a journal: asks `kept` of every whole record, in the order of writing, and cuts a
    /// torn tail. Returns it with the octets cut.
    pub(super) fn reopen(
        path: &Path,
        mut kept: impl FnMut(&DomainRecord) -> io::Result<Verdict>,
    ) -> io::Result<(Self, u64)> {
        let naming =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let mut offsets = Vec::new();
        let mut reader = files::open(path)?;
        let mut written = 0;
        let mut line = Vec::new();
        while let Some(record) = next_whole(&mut reader, &mut line).map_err(naming)? {
            if kept(&record).map_err(naming)? == Verdict::Torn {
                break;
            }
            offsets.push((record.position, written));
            written += line.len() as u64;
        }
        let records_after = reader.split(b'\n').take(RECORDS_PER_SYNC + 1).count();
        if records_after > RECORDS_PER_SYNC {
            // So much is never unsynced at once: this is damage, and cutting would lose records.
            return Err(naming(broken(&format!("broken at octet {written}, not at its end"))));
        }
        let octets_cut = files::octets(path)? - written;
        let file = Appended::cut_back(path, written)?;
        Ok((Self { file, written, unsynced: 0, offsets }, octets_cut))
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

/// How many records of a journal are whole as far as their line ends tell; another process may be
/// writing it.
pub(super) fn count(path: &Path) -> io::Result<u64> {
    let mut reader = files::open(path)?;
    let mut line = Vec::new();
    let mut records = 0;
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line)?;
        match line.last() {
            Some(b'\n') => records += 1,
            _ => return Ok(records),
        }
    }
}

/// Reads the next record into `line`; `None` where the journal ends or is broken.
fn next_whole(
    reader: &mut BufReader<File>,
    line: &mut Vec<u8>,
) -> io::Result<Option<DomainRecord>> {
    line.clear();
    reader.read_until(b'\n', line)?;
    match json_of(line) {
        Some(json) => Ok(Some(serde_json::from_slice(json)?)),
        None => Ok(None),
    }
}

/// Reads the record at an offset.
fn read_at(reader: &mut BufReader<File>, offset: u64) -> io::Result<DomainRecord> {
    let mut line = Vec::new();
    reader.seek(SeekFrom::Start(offset))?;
    next_whole(reader, &mut line)?.ok_or_else(|| broken("a journal record is broken"))
}

/// The document of a whole line: its checksum is that of the document, and it has its line end.
fn json_of(line: &[u8]) -> Option<&[u8]> {
    let (checksum, rest) = line.split_at_checked(CHECKSUM_DIGITS)?;
    let json = rest.strip_prefix(b" ")?.strip_suffix(b"\n")?;
    let checksum = std::str::from_utf8(checksum).ok()?;
    (u32::from_str_radix(checksum, 16) == Ok(crc32fast::hash(json))).then_some(json)
}

/// A journal that is not what it must be.
fn broken(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{DomainRecord, DomainTables, Journal, RECORDS_PER_SYNC, Verdict, count};
    use crate::files;

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

    /// A path that no other test uses, with nothing there.
    fn fresh(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("scanner-journal-{}", std::process::id()));
        files::make_folder(&folder).expect("a folder");
        folder.join(name)
    }

    /// Reopens a journal; returns the positions kept and the octets cut.
    fn reopened(path: &std::path::Path) -> std::io::Result<(Vec<usize>, u64, Journal)> {
        let mut kept = Vec::new();
        let (journal, cut) = Journal::reopen(path, |record| {
            kept.push(record.position);
            Ok(Verdict::Kept)
        })?;
        Ok((kept, cut, journal))
    }

    #[test]
    fn records_come_back_by_sample_position_whatever_order_they_were_done_in() {
        let path = fresh("order");
        let mut journal = Journal::create(&path).expect("a new journal");
        assert!(Journal::create(&path).is_err(), "a journal is never taken over");
        for position in [4, 0, 9, 2] {
            journal.append(&record(position)).expect("appended");
        }
        let read = journal.in_sample_order().expect("readable");
        let read: Vec<_> = read.map(|record| record.expect("whole")).collect();
        assert_eq!(read, [0, 2, 4, 9].map(record));
        files::remove(&path).expect("removed");
    }

    #[test]
    fn a_journal_cut_at_any_octet_keeps_its_whole_records_and_goes_on() {
        let path = fresh("torn");
        let mut journal = Journal::create(&path).expect("a new journal");
        for position in [2, 0, 1] {
            journal.append(&record(position)).expect("appended");
        }
        let whole = files::read(&path, 1 << 20).expect("readable");
        let ends: Vec<usize> = whole
            .iter()
            .enumerate()
            .filter(|(_, octet)| **octet == b'\n')
            .map(|(at, _)| at + 1)
            .collect();
        for length in 0..=whole.len() {
            files::write_whole(&path, &whole[..length]).expect("written");
            let (kept, cut, mut journal) = reopened(&path).expect("a torn tail is no fault");
            let records = ends.iter().filter(|end| **end <= length).count();
            assert_eq!(kept, [2, 0, 1][..records], "cut at {length}");
            let end = if records == 0 { 0 } else { ends[records - 1] };
            assert_eq!(cut, (length - end) as u64, "cut at {length}");
            for &position in &[2, 0, 1][records..] {
                journal.append(&record(position)).expect("appended");
            }
            assert_eq!(files::read(&path, 1 << 20).expect("readable"), whole, "cut at {length}");
            assert_eq!(count(&path).expect("readable"), 3);
        }
        files::remove(&path).expect("removed");
    }

    #[test]
    fn a_flipped_bit_is_seen_and_what_follows_it_within_a_sync_is_asked_again() {
        let path = fresh("flipped");
        let mut journal = Journal::create(&path).expect("a new journal");
        for position in 0..3 {
            journal.append(&record(position)).expect("appended");
        }
        let whole = files::read(&path, 1 << 20).expect("readable");
        let middle = whole.iter().position(|octet| *octet == b'\n').expect("a line end") + 1;
        for at in middle..2 * middle {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            files::write_whole(&path, &flipped).expect("written");
            let (kept, cut, _) = reopened(&path).expect("a torn tail");
            assert_eq!((kept, cut), (vec![0], (whole.len() - middle) as u64), "octet {at}");
        }
        files::remove(&path).expect("removed");
    }

    #[test]
    fn damage_before_the_last_sync_is_refused_and_nothing_is_cut() {
        let path = fresh("damaged");
        let mut journal = Journal::create(&path).expect("a new journal");
        for position in 0..RECORDS_PER_SYNC + 2 {
            journal.append(&record(position)).expect("appended");
        }
        let mut damaged = files::read(&path, 1 << 20).expect("readable");
        damaged[20] ^= 1;
        files::write_whole(&path, &damaged).expect("written");
        let refused = reopened(&path).err().expect("refused").to_string();
        assert!(refused.contains("broken at octet 0, not at its end"), "{refused}");
        assert_eq!(files::read(&path, 1 << 20).expect("readable"), damaged);
        files::remove(&path).expect("removed");
    }
}
