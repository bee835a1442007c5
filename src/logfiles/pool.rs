//! Blocks dealt to as many workers as there are cores. Each has its own tallies; what they add up to
//! does not depend on who got which block.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::feed::{Dealt, Feed};
use super::plan::Planned;
use super::room::Room;
use crate::limits::{LOG_COMPARED_LINES, LOG_SHARED_LINES};
use crate::logs::{
    Auditor, Block, Case, Copies, FileName, Layout, Line, Overlap, Reading, Shared, Tally, meeting,
};

/// Who is told how far the reading is.
pub trait Watcher: Sync {
    /// So many octets of the files themselves were read.
    fn read(&self, octets: u64);

    /// The files are read once more.
    fn begin_again(&self);
}

/// What one pass over the files gave.
pub struct Pass {
    /// What was counted.
    pub tally: Tally,
    /// The files.
    pub files: Vec<FileName>,
}

/// Audits files by a case.
pub fn audit(
    case: &Case<'_>,
    planned: &[Planned],
    threads: usize,
    watcher: &dyn Watcher,
) -> io::Result<Pass> {
    let feeds = Feeds::of(planned, |_| true);
    let tallies = feeds.work(threads, watcher, |feeds, watcher| {
        let mut auditor = Auditor::new(case, planned.len());
        feeds.each_block(watcher, |file, layout, dealt, octets| {
            let mut reading = Reading::new(dealt.columns);
            let block = Block { file, first_line: dealt.first_line, octets };
            auditor.audit(block, layout, &mut reading);
        })?;
        Ok(auditor.finish())
    })?;
    let empty = Tally::new(planned.len(), case.registry.crawlers.len());
    let tally = tallies.into_iter().fold(empty, |mut sum, tally| {
        sum.merge(tally);
        sum
    });
    Ok(Pass { tally, files: feeds.names(planned) })
}

/// Measures the lines that files share where their times meet; none where no two files do. The copies
/// are found only where they are wanted, and none where there are too many to hold.
///
/// Files that share no more than one second are those of a clean rotation, and are not compared.
pub fn overlap(
    planned: &[Planned],
    spans: &[Option<(i64, i64)>],
    wants_copies: bool,
    threads: usize,
    watcher: &dyn Watcher,
) -> io::Result<Option<(Shared, Option<Copies>)>> {
    let meets = meeting(spans).into_iter().map(|span| span.filter(|(from, to)| from < to));
    let meets: Vec<Option<(i64, i64)>> = meets.collect();
    if meets.iter().all(Option::is_none) {
        return Ok(None);
    }
    let compare = |empty| compared(planned, &meets, empty, threads, watcher);
    let (shared, copies) = compare(Overlap::up_to(LOG_COMPARED_LINES))?;
    if shared.sample_bits == 0 || !wants_copies {
        return Ok(Some((shared, Some(copies))));
    }
    // More lines than can be held at once are compared part by part.
    let (mut sum, mut all) = (Shared::default(), Copies::default());
    for part in 0..1 << shared.sample_bits {
        watcher.begin_again();
        let (of_part, next) = compare(Overlap::part(part, shared.sample_bits))?;
        sum.add(of_part);
        all.add(next);
        if all.len() > LOG_SHARED_LINES {
            return Ok(Some((shared, None)));
        }
    }
    Ok(Some((sum, Some(all))))
}

/// Compares the lines of files within the time in which they meet.
fn compared(
    planned: &[Planned],
    meets: &[Option<(i64, i64)>],
    empty: Overlap,
    threads: usize,
    watcher: &dyn Watcher,
) -> io::Result<(Shared, Copies)> {
    let feeds = Feeds::of(planned, |place| meets[place].is_some());
    let parts = feeds.work(threads, watcher, |feeds, watcher| {
        let mut found = empty.clone();
        feeds.each_block(watcher, |file, layout, dealt, octets| {
            let mut reading = Reading::new(dealt.columns);
            let Some((from, to)) = meets[file as usize] else { return };
            for line in octets.split(|&octet| octet == b'\n') {
                if let Line::Request(request) = layout.read(line, &mut reading)
                    && (from..=to).contains(&request.at_s)
                {
                    found.add(file, line);
                }
            }
        })?;
        Ok(found)
    })?;
    let whole = parts.into_iter().fold(empty.clone(), |mut sum, part| {
        sum.merge(part);
        sum
    });
    Ok(whole.finish(meets.to_vec()))
}

/// Hands the lines of files to a function in order, with their numbers; it says whether to go on.
pub fn each_line(
    planned: &[Planned],
    mut take: impl FnMut(u64, &[u8], &Layout, &mut Reading) -> io::Result<bool>,
) -> io::Result<()> {
    let mut block = Room::default();
    for file in planned.iter().filter(|file| file.copy_of.is_none()) {
        let mut feed = Feed::new(&file.origin, file.sniffed.layout.clone());
        let mut reading = Reading::new(None);
        while let Some(dealt) = feed.deal(&mut block)? {
            reading.columns = dealt.columns;
            let lines = block.held().strip_suffix(b"\n").unwrap_or(block.held());
            for (at, line) in (dealt.first_line..).zip(lines.split(|&octet| octet == b'\n')) {
                if !take(at, line, &file.sniffed.layout, &mut reading)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The files that are read, and which of them are done.
struct Feeds {
    feeds: Vec<(Mutex<Feed>, AtomicBool)>,
}

impl Feeds {
    /// The files of a plan but for copies and for those that are not wanted.
    fn of(planned: &[Planned], is_wanted: impl Fn(usize) -> bool) -> Self {
        let feed = |(place, planned): (usize, &Planned)| {
            let is_done = planned.copy_of.is_some() || !is_wanted(place);
            let feed = Feed::new(&planned.origin, planned.sniffed.layout.clone());
            (Mutex::new(feed), AtomicBool::new(is_done))
        };
        Self { feeds: planned.iter().enumerate().map(feed).collect() }
    }

    /// Lets workers work until every file is done.
    fn work<T: Send>(
        &self,
        threads: usize,
        watcher: &dyn Watcher,
        work: impl Fn(&Self, &dyn Watcher) -> io::Result<T> + Sync,
    ) -> io::Result<Vec<T>> {
        thread::scope(|scope| {
            let workers: Vec<_> =
                (0..threads.max(1)).map(|_| scope.spawn(|| work(self, watcher))).collect();
            let joined = workers.into_iter().map(|worker| {
                worker.join().map_err(|_| io::Error::other("a worker of the audit failed"))?
            });
            joined.collect()
        })
    }

    /// Hands blocks to a worker until there are none.
    fn each_block(
        &self,
        watcher: &dyn Watcher,
        mut take: impl FnMut(u32, &Layout, Dealt, &[u8]),
    ) -> io::Result<()> {
        let mut block = Room::default();
        while let Some(place) = self.next_open() {
            let (feed, is_done) = &self.feeds[place];
            let (dealt, layout) = {
                let Ok(mut feed) = feed.lock() else {
                    return Err(io::Error::other("a worker of the audit failed"));
                };
                (feed.deal(&mut block)?, feed.layout().clone())
            };
            match dealt {
                Some(dealt) => {
                    watcher.read(dealt.raw_octets);
                    take(place as u32, &layout, dealt, block.held());
                }
                None => is_done.store(true, Ordering::Relaxed),
            }
        }
        Ok(())
    }

    /// A file that is not done: the first that nobody reads at the moment, or else the first.
    fn next_open(&self) -> Option<usize> {
        let mut open = None;
        for (place, (feed, is_done)) in self.feeds.iter().enumerate() {
            if is_done.load(Ordering::Relaxed) {
                continue;
            }
            if feed.try_lock().is_ok() {
                return Some(place);
            }
            open = open.or(Some(place));
        }
        open
    }

    /// The files with what their reading found.
    fn names(&self, planned: &[Planned]) -> Vec<FileName> {
        let named = |(planned_file, (feed, _)): (&Planned, &(Mutex<Feed>, AtomicBool))| {
            let feed = feed.lock().ok();
            FileName {
                name: planned_file.name(),
                format: planned_file.sniffed.layout.format,
                copy_of: planned_file.copy_of.map(|other| planned[other].name()),
                unfinished_octets: feed.as_ref().map_or(0, |feed| feed.unfinished_octets),
                fault: feed.and_then(|feed| feed.fault.clone()),
            }
        };
        planned.iter().zip(&self.feeds).map(named).collect()
    }
}
