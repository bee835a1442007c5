//! Tar archives (POSIX.1-2024, pax: ustar headers of 512 octets, and GNU's long names): which logs lie
//! in one, and where.
//!
//! Only regular files are logs: folders, links and devices are passed over. Nothing is unpacked to
//! disk, so that a name in an archive can lead nowhere.

use std::io::{self, Read};

use crate::limits::{LOG_ARCHIVE_FILES, LOG_ARCHIVE_NAME_OCTETS};

/// Octets of a header, and of the blocks that contents fill.
pub(super) const BLOCK_OCTETS: usize = 512;

/// Where a header keeps its checksum.
const CHECKSUM: std::ops::Range<usize> = 148..156;

/// What is said of an archive that ends within a file.
const BREAKS_OFF: &str = "the archive breaks off";

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Its name, as the archive has it.
    pub(super) name: String,
    /// Octets of the archive before it, behind the archive's compression.
    pub(super) at: u64,
    /// Its octets.
    pub(super) octets: u64,
}

/// Whether a file that begins so is an archive: its first header bears the checksum of its octets.
pub(super) fn is_archive(head: &[u8]) -> bool {
    head.first_chunk().is_some_and(|header| header[0] != 0 && is_sound(header))
}

/// The files of an archive, in its order.
pub(super) fn members(reader: &mut dyn Read) -> io::Result<Vec<Member>> {
    let (mut members, mut at) = (Vec::new(), 0);
    // What a header before it says of the next file: its name and its octets.
    let (mut long_name, mut long_octets) = (None, None);
    loop {
        let Some(header) = header(reader)? else { return Ok(members) };
        at += BLOCK_OCTETS as u64;
        if !is_sound(&header) {
            return Err(damaged("a header of the archive is damaged"));
        }
        let kind = header[156];
        let mut octets = number(&header[124..136]).ok_or_else(|| damaged("a size is no number"))?;
        match kind {
            b'L' => long_name = Some(text(&contents(reader, octets)?)),
            b'x' => {
                let records = contents(reader, octets)?;
                long_name = record(&records, b"path").map(text).or(long_name);
                let size = record(&records, b"size").map(text);
                long_octets = size.and_then(|size| size.parse().ok()).or(long_octets);
            }
            _ => {
                octets = long_octets.take().filter(|_| is_file(kind)).unwrap_or(octets);
                let name = long_name.take().unwrap_or_else(|| short_name(&header));
                let name = name.trim_start_matches("./").to_owned();
                if is_file(kind) && !name.ends_with('/') {
                    members.push(Member { name, at, octets });
                }
                skip(reader, octets)?;
            }
        }
        let filled = octets.checked_next_multiple_of(BLOCK_OCTETS as u64);
        let filled = filled.ok_or_else(|| damaged("a size is no size of a file"))?;
        skip(reader, filled - octets)?;
        at = at.checked_add(filled).ok_or_else(|| damaged("a size is no size of a file"))?;
        if members.len() > LOG_ARCHIVE_FILES {
            return Err(damaged(&format!("it holds more than {LOG_ARCHIVE_FILES} files")));
        }
    }
}

/// The next header; none behind the last one, which a block of zeros marks in most archives.
fn header(reader: &mut dyn Read) -> io::Result<Option<[u8; BLOCK_OCTETS]>> {
    let mut header = Vec::new();
    reader.take(BLOCK_OCTETS as u64).read_to_end(&mut header)?;
    match <[u8; BLOCK_OCTETS]>::try_from(header) {
        Ok(header) => Ok((header != [0; BLOCK_OCTETS]).then_some(header)),
        Err(rest) if rest.is_empty() => Ok(None),
        Err(_) => Err(damaged(BREAKS_OFF)),
    }
}

fn damaged(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Whether a header is of a regular file.
fn is_file(kind: u8) -> bool {
    matches!(kind, b'0' | 0 | b'7')
}

/// Whether a header's checksum is the sum of its octets, those of the sum taken for blanks.
fn is_sound(header: &[u8; BLOCK_OCTETS]) -> bool {
    let sum = |(place, octet): (usize, &u8)| {
        u64::from(if CHECKSUM.contains(&place) { b' ' } else { *octet })
    };
    number(&header[CHECKSUM]) == Some(header.iter().enumerate().map(sum).sum())
}

/// A number as headers keep it: octal digits, or binary where the first bit is set.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let binary = field[1..].iter().try_fold(u64::from(field[0] & 0x7f), |value, octet| {
            value.checked_mul(256)?.checked_add(u64::from(*octet))
        });
        return binary;
    }
    let end = field.iter().position(|&octet| octet == 0).unwrap_or(field.len());
    let digits = std::str::from_utf8(field[..end].trim_ascii()).ok()?;
    u64::from_str_radix(digits, 8).ok()
}

/// The name that a header itself bears.
fn short_name(header: &[u8; BLOCK_OCTETS]) -> String {
    let name = text(&header[..100]);
    let prefix = text(&header[345..500]);
    let is_ustar = header[257..262] == *b"ustar" && header[262] == 0;
    if is_ustar && !prefix.is_empty() { format!("{prefix}/{name}") } else { name }
}

/// A field as text, up to its first zero.
fn text(field: &[u8]) -> String {
    let end = field.iter().position(|&octet| octet == 0).unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

/// The value of one record of an extended header: `length key=value`, each with a line end.
fn record<'r>(records: &'r [u8], key: &[u8]) -> Option<&'r [u8]> {
    records.split(|&octet| octet == b'\n').find_map(|line| {
        let blank = memchr::memchr(b' ', line)?;
        line[blank + 1..].strip_prefix(key)?.strip_prefix(b"=")
    })
}

/// The contents of a header that speaks of the next one.
fn contents(reader: &mut dyn Read, octets: u64) -> io::Result<Vec<u8>> {
    if octets > LOG_ARCHIVE_NAME_OCTETS {
        return Err(damaged("a name in the archive is longer than any"));
    }
    let mut contents = Vec::new();
    reader.take(octets).read_to_end(&mut contents)?;
    if contents.len() as u64 == octets { Ok(contents) } else { Err(damaged(BREAKS_OFF)) }
}

/// Passes over octets.
pub(super) fn skip(reader: &mut dyn Read, octets: u64) -> io::Result<()> {
    match io::copy(&mut reader.take(octets), &mut io::sink())? {
        skipped if skipped == octets => Ok(()),
        _ => Err(damaged(BREAKS_OFF)),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{BLOCK_OCTETS, CHECKSUM, Member, is_archive, members};

    /// An archive of entries: kind, name, contents.
    pub(crate) fn archive(entries: &[(u8, &str, &[u8])]) -> Vec<u8> {
        let mut archive = Vec::new();
        for (kind, name, contents) in entries {
            let mut header = [0; BLOCK_OCTETS];
            header[..name.len()].copy_from_slice(name.as_bytes());
            header[124..135].copy_from_slice(format!("{:011o}", contents.len()).as_bytes());
            header[156] = *kind;
            header[257..263].copy_from_slice(b"ustar\0");
            header[CHECKSUM].fill(b' ');
            let sum: u32 = header.iter().map(|octet| u32::from(*octet)).sum();
            header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
            archive.extend_from_slice(&header);
            archive.extend_from_slice(contents);
            archive.resize(archive.len().next_multiple_of(BLOCK_OCTETS), 0);
        }
        archive.resize(archive.len() + 2 * BLOCK_OCTETS, 0);
        archive
    }

    #[test]
    fn the_regular_files_of_an_archive_are_found_where_they_lie() {
        let octets = archive(&[
            (b'5', "logs/", b""),
            (b'0', "./logs/a", b"one"),
            (b'2', "logs/link", b""),
            (b'L', "././@LongLink", b"logs/a very long name\0"),
            (b'0', "logs/a very", b"two"),
            (b'x', "pax", b"25 path=logs/another name\n"),
            (b'0', "logs/another", b"three"),
            (0, "../../outside", b""),
        ]);
        assert!(is_archive(&octets));
        let found = members(&mut &octets[..]).unwrap();
        let expected = [
            ("logs/a", "one"),
            ("logs/a very long name", "two"),
            ("logs/another name", "three"),
            ("../../outside", ""),
        ];
        assert_eq!(found.len(), expected.len());
        for (Member { name, at, octets: length }, (expected, contents)) in
            found.iter().zip(expected)
        {
            let at = *at as usize;
            assert_eq!(name, expected);
            assert_eq!(&octets[at..at + *length as usize], contents.as_bytes(), "{name}");
        }
    }

    #[test]
    fn what_is_no_archive_or_a_broken_one_is_told_from_one() {
        let whole = archive(&[(b'0', "a", b"one"), (b'0', "b", b"two")]);
        assert!(!is_archive(b"192.0.2.1 - - "));
        assert!(!is_archive(&[0; 1_024]));
        assert!(members(&mut &whole[..1_500]).is_err(), "it breaks off");
        let mut changed = whole.clone();
        changed[1_030] ^= 1;
        assert!(members(&mut &changed[..]).is_err(), "its second header is damaged");
        let mut huge = archive(&[(b'0', "a", b"")]);
        huge[124..136].copy_from_slice(&[0xff; 12]);
        assert!(members(&mut &huge[..]).is_err());
    }
}
