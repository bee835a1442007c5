//! All records of an archive, many at a time.
//!
//! A compressed archive is cut into pieces, and each worker reads the members that begin in its
//! piece. Where a member begins is found by its magic octets and believed only if a record stands
//! there; and at the end each piece must have begun where the one before it ended. If any does not,
//! the archive is read from its start in order: the outcome is the same, only later.

use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::read::Records;
use crate::files::{self, Pieces};

/// Octets of a piece.
const PIECE_OCTETS: u64 = 4 * 1024 * 1024;

/// Octets that are searched for a member's beginning at a time.
const WINDOW_OCTETS: u64 = 64 * 1024;

/// The magic octets of gzip with the only method there is (RFC 1952), and of zstd (RFC 8878).
const MAGICS: [&[u8]; 2] = [&[0x1F, 0x8B, 0x08], &[0x28, 0xB5, 0x2F, 0xFD]];

/// What was gathered from an archive.
pub(super) struct Swept<T> {
    /// What was gathered from each piece, in the archive's order.
    pub(super) gathered: Vec<T>,
    /// Whether several records stand in one member, so that none can be found by its offset.
    pub(super) are_members_shared: bool,
}

/// Shows every record of an archive to `visit`, which gathers what it wants of each piece.
pub(super) fn sweep<T: Default + Send>(
    path: &Path,
    visit: &(impl Fn(&mut T, &mut Records) -> io::Result<()> + Sync),
) -> io::Result<Swept<T>> {
    sweep_in(path, PIECE_OCTETS, visit)
}

/// Sweeps in pieces of some size.
fn sweep_in<T: Default + Send>(
    path: &Path,
    piece_octets: u64,
    visit: &(impl Fn(&mut T, &mut Records) -> io::Result<()> + Sync),
) -> io::Result<Swept<T>> {
    let octets = files::octets(path)?;
    let count = octets.div_ceil(piece_octets);
    let magic = magic_of(path)?;
    if let Some(magic) = magic.filter(|_| count > 1) {
        let sweeper = Sweeper { path, magic, piece_octets, visit };
        if let Some(pieces) = sweeper.all(count as usize) {
            let are_members_shared = pieces.iter().any(|piece| piece.are_members_shared);
            let gathered = pieces.into_iter().map(|piece| piece.gathered).collect();
            return Ok(Swept { gathered, are_members_shared });
        }
    }
    let mut records = Records::open(path)?;
    let piece = read_piece(&mut records, u64::MAX, visit, false)?;
    let are_members_shared = piece.are_members_shared;
    Ok(Swept { gathered: vec![piece.gathered], are_members_shared })
}

/// The magic octets that an archive begins with, if they are those of a compression.
fn magic_of(path: &Path) -> io::Result<Option<&'static [u8]>> {
    let head = Pieces::open(path)?.read_most(0, 4)?;
    Ok(MAGICS.into_iter().find(|magic| head.starts_with(magic)))
}

/// What one piece held.
struct Piece<T> {
    /// Where its first member begins; none if none begins in it.
    first: Option<u64>,
    /// Where the first member behind it begins; none at the archive's end.
    next: Option<u64>,
    gathered: T,
    are_members_shared: bool,
}

/// Reads pieces.
struct Sweeper<'a, V> {
    path: &'a Path,
    magic: &'static [u8],
    piece_octets: u64,
    visit: &'a V,
}

impl<V> Sweeper<'_, V> {
    /// Reads all pieces; none if they do not join, or any cannot be read.
    fn all<T>(&self, count: usize) -> Option<Vec<Piece<T>>>
    where
        T: Default + Send,
        V: Fn(&mut T, &mut Records) -> io::Result<()> + Sync,
    {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(count);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            break;
                        }
                        let piece = self.piece(number as u64);
                        let has_failed = piece.is_err();
                        done.lock().unwrap_or_else(|held| held.into_inner()).push((number, piece));
                        if has_failed {
                            next.store(count, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(|held| held.into_inner());
        done.sort_by_key(|(number, _)| *number);
        let pieces: Vec<Piece<T>> =
            done.into_iter().map(|(_, piece)| piece.ok()).collect::<Option<_>>()?;
        (pieces.len() == count && do_join(&pieces)).then_some(pieces)
    }

    /// Reads the members that begin in a piece.
    fn piece<T>(&self, number: u64) -> io::Result<Piece<T>>
    where
        T: Default,
        V: Fn(&mut T, &mut Records) -> io::Result<()>,
    {
        let start = number * self.piece_octets;
        let end = start + self.piece_octets;
        match self.first_member(start, end)? {
            Some(mut records) => read_piece(&mut records, end, self.visit, true),
            None => {
                let gathered = T::default();
                Ok(Piece { first: None, next: None, gathered, are_members_shared: false })
            }
        }
    }

    /// The records from the first member that begins between two offsets, at the first of them.
    fn first_member(&self, start: u64, end: u64) -> io::Result<Option<Records>> {
        let mut pieces = Pieces::open(self.path)?;
        let mut from = start;
        while from < end {
            // Windows overlap, so that no magic is cut in two.
            let window = pieces.read_most(from, WINDOW_OCTETS + self.magic.len() as u64 - 1)?;
            for at in memchr::memmem::find_iter(&window, self.magic) {
                let offset = from + at as u64;
                if offset >= end {
                    return Ok(None);
                }
                let mut records = Records::open_at(self.path, offset)?;
                if records.advance().unwrap_or(false) && records.kind().is_some() {
                    return Ok(Some(records));
                }
            }
            if (window.len() as u64) < WINDOW_OCTETS {
                return Ok(None);
            }
            from += WINDOW_OCTETS;
        }
        Ok(None)
    }
}

/// Reads records up to the first whose member begins at or behind `end`; the reader may stand at its
/// first record already.
fn read_piece<T: Default>(
    records: &mut Records,
    end: u64,
    visit: &impl Fn(&mut T, &mut Records) -> io::Result<()>,
    mut stands_at_first: bool,
) -> io::Result<Piece<T>> {
    let mut gathered = T::default();
    let mut first = None;
    let next = loop {
        if !std::mem::take(&mut stands_at_first) && !records.advance()? {
            break None;
        }
        if records.offset() >= end {
            break Some(records.offset());
        }
        first = first.or(Some(records.offset()));
        visit(&mut gathered, records).map_err(|error| records.named(&error))?;
    };
    Ok(Piece { first, next, gathered, are_members_shared: records.are_members_shared() })
}

/// Whether each piece begins where the one before it ended.
fn do_join<T>(pieces: &[Piece<T>]) -> bool {
    let mut expected = Some(0);
    for piece in pieces {
        match piece.first {
            None => {}
            Some(first) if expected == Some(first) => expected = piece.next,
            Some(_) => return false,
        }
    }
    expected.is_none()
}

#[cfg(test)]
mod tests {
    use super::sweep_in;
    use crate::archive::read::Records;
    use crate::files;

    fn member(number: usize) -> Vec<u8> {
        use std::io::Write as _;
        // A block that holds a gzip member of its own, with a record within.
        let inner = if number == 0 { Vec::new() } else { member(number - 1) };
        let block = [vec![b'x'; number * 37 % 90], inner].concat();
        let head = format!(
            "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: https://{number}.test/\r\n\
             Content-Length: {}\r\n\r\n",
            block.len()
        );
        let level = flate2::Compression::none();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
        encoder.write_all(&[head.as_bytes(), &block, b"\r\n\r\n"].concat()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn pieces_of_any_size_give_what_reading_in_order_gives() {
        let members: Vec<Vec<u8>> = (0..12).map(member).collect();
        let folder = std::env::temp_dir().join(format!("scanner-sweep-{}", std::process::id()));
        files::make_folder(&folder).unwrap();
        let path = folder.join("members.warc.gz");
        files::write_whole(&path, &members.concat()).unwrap();
        let visit = |urls: &mut Vec<(u64, String)>, records: &mut Records| {
            urls.push((records.offset(), records.url().unwrap().into_owned()));
            Ok(())
        };
        let mut expected = Vec::new();
        let mut offset = 0;
        for (number, member) in members.iter().enumerate() {
            expected.push((offset, format!("https://{number}.test/")));
            offset += member.len() as u64;
        }
        for piece_octets in [1, 7, 100, 333, 1_000, 5_000, 1_000_000] {
            let swept = sweep_in(&path, piece_octets, &visit).unwrap();
            assert_eq!(swept.gathered.concat(), expected, "pieces of {piece_octets}");
            assert!(!swept.are_members_shared);
        }
        files::remove(&path).unwrap();
    }
}
