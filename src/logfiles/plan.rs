//! Which files are read, how, and in which order.
//!
//! Folders are their files. Each file's format is found from its first lines. Files stand in the order
//! of their first request and then of their names, so that a rotated set is in the order of time; a
//! file whose content another one has too is read once.

use std::io;
use std::path::{Path, PathBuf};

use super::feed::MARK;
use super::source::{Compression, Origin, Source};
use super::tar;
use crate::digest::{Digest, Hasher};
use crate::files;
use crate::limits::{LOG_BLOCK_OCTETS, LOG_SNIFFED_OCTETS};
use crate::logs::{Format, Frame, Layout, Line, Reading, Sniffed, Stated, sniff};
use crate::refusal::Refusal;

/// How formats are found.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The format, where the caller states one.
    pub format: Option<Format>,
    /// What the logs do not tell themselves.
    pub stated: Stated,
    /// Whether the beginnings of the files are kept, for somebody who wants to see them.
    pub keeps_heads: bool,
}

/// A file that is to be read.
#[derive(Clone, Debug)]
pub struct Planned {
    pub(super) origin: Origin,
    /// How its lines are read.
    pub sniffed: Sniffed,
    /// How it is compressed.
    pub compression: Compression,
    /// Octets of the file itself.
    pub octets: u64,
    /// Its first whole lines, where they are kept.
    pub head: Vec<u8>,
    /// Their digest.
    head_digest: Digest,
    /// The file whose copy it is, by position.
    pub copy_of: Option<usize>,
    first_s: Option<i64>,
}

impl Planned {
    /// Its name, as it was given.
    pub fn name(&self) -> String {
        self.origin.name()
    }
}

/// Plans the reading of files, of folders and of archives.
pub fn plan(paths: &[PathBuf], expected: &Expected) -> Result<Vec<Planned>, Refusal> {
    let mut planned = Vec::new();
    for path in expanded(paths)? {
        for origin in origins(&path)? {
            planned.push(planned_file(origin, expected)?);
        }
    }
    planned.sort_by_cached_key(|file| (file.first_s, file.name()));
    find_copies(&mut planned)?;
    Ok(planned)
}

/// The files, and those of folders.
fn expanded(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Refusal> {
    let mut all = Vec::new();
    for path in paths {
        if !files::is_folder(path) {
            all.push(path.clone());
            continue;
        }
        let entries = files::entries(path).map_err(|error| unreadable(path, &error))?;
        let logs = entries.into_iter().filter(|entry| !files::is_folder(entry));
        let before = all.len();
        all.extend(logs);
        if all.len() == before {
            let hint = "name the log files themselves";
            return Err(Refusal::of(&path.to_string_lossy(), "the folder holds no file", hint));
        }
    }
    all.sort();
    all.dedup();
    Ok(all)
}

/// The logs of a path: the file itself, the files of an archive, or one of them, whose name stands
/// behind the archive's like a file's behind its folder's.
fn origins(path: &Path) -> Result<Vec<Origin>, Refusal> {
    let is_file = |path: &&Path| files::exists(path) && !files::is_folder(path);
    let whole = Origin::file(path.ancestors().find(is_file).unwrap_or(path));
    let refused = |error: &io::Error| unreadable(&whole.path, error);
    if whole.path.as_os_str() == "-" {
        return Ok(vec![whole]);
    }
    let wanted = path.strip_prefix(&whole.path).unwrap_or(Path::new("")).to_string_lossy();
    let mut source = Source::open(&whole).map_err(|error| refused(&error))?;
    let mut head = [0; tar::BLOCK_OCTETS];
    // What cannot be read at all is said where the log is.
    let (octets, _) = source.fill(&mut head);
    if !tar::is_archive(&head[..octets]) {
        return match wanted.is_empty() {
            true => Ok(vec![whole]),
            false => Err(refused(&io::ErrorKind::NotADirectory.into())),
        };
    }
    let members = Source::open(&whole).and_then(Source::members);
    let members = members.map_err(|error| {
        let hint = "unpack the archive and name the log files themselves";
        files::unreadable(&whole.path, &error, hint)
    })?;
    let members = members.into_iter().filter(|one| wanted.is_empty() || one.name == wanted);
    let part = |member| Origin { path: whole.path.clone(), member: Some(member) };
    let parts: Vec<Origin> = members.map(part).collect();
    if parts.is_empty() {
        let message = "the archive holds no such file";
        let hint = "scanner logs sniff lists the files of an archive";
        return Err(Refusal::of(&path.to_string_lossy(), message, hint));
    }
    Ok(parts)
}

/// The refusal of a log that cannot be read.
fn unreadable(path: &Path, error: &io::Error) -> Refusal {
    let hint = "a log is a readable file or a tar archive of such, plain or gzip, zstd, bzip2 or xz, or - for \
         standard input";
    files::unreadable(path, error, hint)
}

/// Looks at the beginning of a file.
fn planned_file(origin: Origin, expected: &Expected) -> Result<Planned, Refusal> {
    let path = origin.path.as_path();
    let is_stdin = path.as_os_str() == "-";
    if is_stdin && expected.format.is_none() && expected.stated.template.is_none() {
        let hint = "standard input is read once: name its format with --format, or name a file";
        return Err(Refusal::of(
            "-",
            "the format of standard input cannot be looked at first",
            hint,
        ));
    }
    let mut head = Vec::new();
    let mut compression = Compression::Plain;
    if !is_stdin {
        let mut source = Source::open(&origin).map_err(|error| unreadable(path, &error))?;
        compression = source.compression();
        head.resize(LOG_SNIFFED_OCTETS, 0);
        let (octets, end) = source.fill(&mut head);
        if octets == 0 {
            end.map_err(|error| unreadable(path, &error))?;
        }
        head.truncate(octets);
        if octets == LOG_SNIFFED_OCTETS {
            let whole = memchr::memrchr(b'\n', &head).map_or(octets, |last| last + 1);
            head.truncate(whole);
        }
        if head.starts_with(MARK) {
            head.drain(..MARK.len());
        }
        if origin.member.is_some() && tar::is_archive(&head) {
            let message = "an archive within an archive is not read";
            let hint = "unpack the outer one, and name those within";
            return Err(Refusal::of(&origin.name(), message, hint));
        }
    }
    let mut sniffed = sniff(&head, &expected.stated);
    if let Some(format) = expected.format {
        let frame = sniffed.candidates.iter().find(|(known, ..)| *known == format);
        let frame = frame.map_or(Frame::Nothing, |&(_, frame, _)| frame);
        sniffed.layout = Layout { frame, ..Layout::of(format, expected.stated.clone()) };
    }
    let octets = match &origin.member {
        _ if is_stdin => 0,
        Some(member) => member.octets,
        None => files::length(path).unwrap_or(0),
    };
    let first_s = first_moment(&head, &sniffed.layout);
    let head_digest = Digest::of(&head);
    let head = if expected.keeps_heads { head } else { Vec::new() };
    Ok(Planned { origin, sniffed, compression, octets, head, head_digest, copy_of: None, first_s })
}

/// The moment of the first request.
fn first_moment(head: &[u8], layout: &Layout) -> Option<i64> {
    let mut reading = Reading::new(None);
    head.split(|&octet| octet == b'\n').find_map(|line| match layout.read(line, &mut reading) {
        Line::Request(request) => Some(request.at_s),
        _ => None,
    })
}

/// Finds files with the same content: only those that begin alike are read for it.
fn find_copies(planned: &mut [Planned]) -> Result<(), Refusal> {
    let mut digests: Vec<Option<Digest>> = vec![None; planned.len()];
    let nothing = Digest::of(&[]);
    for place in 0..planned.len() {
        for other in 0..place {
            let begins_alike = planned[place].head_digest != nothing
                && planned[other].copy_of.is_none()
                && planned[other].head_digest == planned[place].head_digest;
            if begins_alike {
                let (one, two) = (
                    digest_of(planned, other, &mut digests)?,
                    digest_of(planned, place, &mut digests)?,
                );
                if one == two {
                    planned[place].copy_of = Some(other);
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The digest of a file's decompressed content.
fn digest_of(
    planned: &[Planned],
    place: usize,
    digests: &mut [Option<Digest>],
) -> Result<Digest, Refusal> {
    if let Some(digest) = digests[place] {
        return Ok(digest);
    }
    let origin = &planned[place].origin;
    let mut source = Source::open(origin).map_err(|error| unreadable(&origin.path, &error))?;
    let mut hasher = Hasher::new();
    let mut buffer = vec![0; LOG_BLOCK_OCTETS];
    loop {
        // What of a damaged file decodes is what is compared.
        let (octets, _) = source.fill(&mut buffer);
        hasher.update(&buffer[..octets]);
        if octets < buffer.len() {
            break;
        }
    }
    let digest = hasher.finish();
    digests[place] = Some(digest);
    Ok(digest)
}
