//! Where each domain's evidence stands: one pass over the archive, then any of it by its place.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use fastwarc::warc::record::WarcRecordType;

use super::super::read::{Records, broken};
use super::super::sweep::sweep;
use super::{ATTEMPT, DOMAIN};
use crate::files::{self, Pieces};

/// Where the evidence of one domain in one attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    offset: u64,
    octets: u64,
}

/// A run's evidence, by attempt and position in its sample.
#[derive(Debug)]
pub struct Evidence {
    path: PathBuf,
    info: BTreeMap<String, String>,
    stranger: Option<String>,
    attempts: Vec<BTreeMap<usize, Block>>,
}

/// A domain's evidence begins.
struct Start {
    attempt: u32,
    /// None for a domain that is not in the sample.
    position: Option<usize>,
    offset: u64,
}

/// The starts in a part of the archive, in order.
#[derive(Default)]
struct Starts {
    starts: Vec<Start>,
    stranger: Option<String>,
}

impl Evidence {
    /// Reads what stands in the record that opens an archive, if it is a run's evidence: names and
    /// values.
    pub fn info(path: &Path) -> io::Result<Option<BTreeMap<String, String>>> {
        let mut records = Records::open(path)?;
        if !records.advance()? || records.kind() != Some(WarcRecordType::WarcInfo) {
            return Ok(None);
        }
        let block = records.block()?;
        let text = String::from_utf8_lossy(&block);
        let pairs = text.lines().filter_map(|line| line.split_once(": "));
        let info: BTreeMap<_, _> =
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Ok(info.contains_key("scanner-seed").then_some(info))
    }

    /// Finds all evidence of a run; `position_of` knows the domains of its sample.
    pub fn open(
        path: &Path,
        position_of: &(impl Fn(&str) -> Option<usize> + Sync),
    ) -> io::Result<Self> {
        let named = |message: &str| {
            let message = format!("{}: {message}", path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        };
        let info = Self::info(path)?.ok_or_else(|| named("it is not the evidence of a run"))?;
        let swept = sweep(path, &|starts: &mut Starts, records: &mut Records| {
            note(starts, records, position_of)
        })?;
        if swept.are_members_shared {
            return Err(named("its records do not stand in gzip members of their own"));
        }
        let end = files::octets(path)?;
        let path = path.to_owned();
        let mut evidence = Self { path, info, stranger: None, attempts: Vec::new() };
        let mut open: Option<Start> = None;
        for Starts { starts, stranger } in swept.gathered {
            evidence.stranger = evidence.stranger.or(stranger);
            for start in starts {
                match &open {
                    Some(last) if is_same(last, &start) => {}
                    _ => {
                        let offset = start.offset;
                        if let Some(last) = open.replace(start) {
                            evidence.add(&last, offset).map_err(|message| named(&message))?;
                        }
                    }
                }
            }
        }
        if let Some(last) = open {
            evidence.add(&last, end).map_err(|message| named(&message))?;
        }
        Ok(evidence)
    }

    /// Notes where a domain's evidence begins and ends.
    fn add(&mut self, start: &Start, end: u64) -> Result<(), String> {
        let Some(position) = start.position else { return Ok(()) };
        let attempt = start.attempt as usize;
        if attempt == 0 || attempt > crate::limits::ATTEMPTS_MOST as usize {
            return Err(format!("it speaks of an attempt {attempt}"));
        }
        while self.attempts.len() < attempt {
            self.attempts.push(BTreeMap::new());
        }
        let block = Block { offset: start.offset, octets: end - start.offset };
        match self.attempts[attempt - 1].insert(position, block) {
            None => Ok(()),
            Some(_) => Err(format!("a domain stands twice in attempt {attempt}")),
        }
    }

    /// What stands in the record that opens it.
    pub fn named(&self, name: &str) -> Option<&str> {
        self.info.get(name).map(String::as_str)
    }

    /// The first domain of it that is not in the sample, if there is one.
    pub fn stranger(&self) -> Option<&str> {
        self.stranger.as_deref()
    }

    /// How many attempts it holds.
    pub fn attempts(&self) -> u32 {
        self.attempts.len() as u32
    }

    /// Where a domain's evidence of an attempt stands, if there is any.
    pub fn block(&self, attempt: u32, position: usize) -> Option<Block> {
        let attempt = (attempt as usize).checked_sub(1)?;
        self.attempts.get(attempt)?.get(&position).copied()
    }

    /// Opens the archive for reading its parts.
    pub fn pieces(&self) -> io::Result<Pieces> {
        Pieces::open(&self.path)
    }
}

impl Block {
    /// Reads the records, compressed as they stand.
    pub fn read(self, pieces: &mut Pieces) -> io::Result<Vec<u8>> {
        pieces.read(self.offset, self.octets)
    }
}

/// Whether two starts are of the same domain and attempt, so that one goes on with the other.
fn is_same(one: &Start, other: &Start) -> bool {
    (one.attempt, one.position) == (other.attempt, other.position)
}

/// Notes the present record, where a domain's evidence begins with it.
fn note(
    starts: &mut Starts,
    records: &mut Records,
    position_of: &impl Fn(&str) -> Option<usize>,
) -> io::Result<()> {
    let (Some(domain), Some(attempt)) = (records.field(DOMAIN), records.field(ATTEMPT)) else {
        let is_info = records.kind() == Some(WarcRecordType::WarcInfo);
        return if is_info { Ok(()) } else { Err(broken("the record belongs to no domain")) };
    };
    let attempt = attempt.parse().map_err(|_| broken("the record's attempt is no number"))?;
    let position = position_of(&domain);
    if position.is_none() {
        starts.stranger = starts.stranger.take().or(Some(domain.into_owned()));
    }
    let start = Start { attempt, position, offset: records.offset() };
    if starts.starts.last().is_none_or(|last| !is_same(last, &start)) {
        starts.starts.push(start);
    }
    Ok(())
}
