//! A log as octets: a file, a part of an archive or standard input, compressed or not.
//!
//! What a file is, is told by its first octets and never by its name. What decodes of a damaged file
//! is used, and the damage said.

use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::tar::{self, Member};
use crate::closed_list;
use crate::files;
use crate::limits::{LOG_EXPANSION_MOST, LOG_EXPANSION_OCTETS};

closed_list! {
    /// How a log is compressed.
    pub enum Compression {
        /// Not at all.
        Plain = "plain",
        /// gzip (RFC 1952), members one after the other.
        Gzip = "gzip",
        /// Zstandard (RFC 8878).
        Zstd = "zstd",
        /// bzip2.
        Bzip2 = "bzip2",
        /// xz.
        Xz = "xz",
    }
}

/// The octets with which each begins.
const MAGIC: [(Compression, &[u8]); 4] = [
    (Compression::Gzip, b"\x1f\x8b"),
    (Compression::Zstd, b"\x28\xb5\x2f\xfd"),
    (Compression::Bzip2, b"BZh"),
    (Compression::Xz, b"\xfd7zXZ\0"),
];

/// Where a log is: a file, or a part of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The file; `-` is standard input.
    pub(super) path: PathBuf,
    /// The part of it, where it is an archive.
    pub(super) member: Option<Member>,
}

impl Origin {
    /// A file that is one log.
    pub(super) fn file(path: &Path) -> Self {
        Self { path: path.to_owned(), member: None }
    }

    /// How it is called.
    pub(super) fn name(&self) -> String {
        let path = self.path.to_string_lossy();
        match &self.member {
            Some(member) => format!("{path}/{}", member.name),
            None => path.into_owned(),
        }
    }
}

/// What files begin with that are refused, and why.
const REFUSED: [(&[u8], &str); 3] = [
    (b"\xff\xfe", "it is UTF-16: write it as UTF-8 first"),
    (b"\xfe\xff", "it is UTF-16: write it as UTF-8 first"),
    (b"PK\x03\x04", "it is a zip archive: unpack it first, or make it a tar archive"),
];

/// A log while it is read.
pub(super) struct Source {
    reader: Reader,
    /// Octets that were read of the file itself.
    raw: Arc<AtomicU64>,
    compression: Compression,
}

/// Octets behind whatever they are packed in.
type Reader = Box<dyn Read + Send>;

impl Source {
    /// Opens a log.
    pub(super) fn open(origin: &Origin) -> io::Result<Self> {
        let inner: Reader = match origin.path.as_os_str() == "-" {
            true => Box::new(BufReader::new(io::stdin())),
            false => Box::new(files::open(&origin.path)?),
        };
        let raw = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner, raw: Arc::clone(&raw) };
        let (mut reader, mut compression) = unpacked(counted, &raw)?;
        if let Some(member) = &origin.member {
            tar::skip(&mut reader, member.at)?;
            (reader, compression) = unpacked(reader.take(member.octets), &raw)?;
        }
        Ok(Self { reader, raw, compression })
    }

    /// The files of the archive that this is, read to its end.
    pub(super) fn members(mut self) -> io::Result<Vec<Member>> {
        tar::members(&mut self.reader)
    }

    /// How it is compressed.
    pub(super) fn compression(&self) -> Compression {
        self.compression
    }

    /// Octets that were read of the file itself.
    pub(super) fn raw_octets(&self) -> u64 {
        self.raw.load(Ordering::Relaxed)
    }

    /// Reads until a buffer is full or the log ends; returns how many octets were read.
    pub(super) fn fill(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>) {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(octets) => filled += octets,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return (filled, Err(error)),
            }
        }
        (filled, Ok(()))
    }
}

/// Takes off the compression that the first octets tell.
fn unpacked(
    mut reader: impl Read + Send + 'static,
    raw: &Arc<AtomicU64>,
) -> io::Result<(Reader, Compression)> {
    let mut head = Vec::new();
    reader.by_ref().take(8).read_to_end(&mut head)?;
    for (beginning, message) in REFUSED {
        if head.starts_with(beginning) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
    }
    let magic = MAGIC.iter().find(|(_, magic)| head.starts_with(magic));
    let compression = magic.map_or(Compression::Plain, |(compression, _)| *compression);
    let whole = Cursor::new(head).chain(reader);
    let inner: Reader = match compression {
        Compression::Plain => Box::new(whole),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(whole))),
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(whole)?),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(whole))),
        Compression::Xz => Box::new(lzma_rust2::XzReader::new(buffered(whole), true)),
    };
    Ok((Box::new(Guarded { inner, raw: Arc::clone(raw), octets: 0 }), compression))
}

/// A buffer large enough that decoders seldom wait.
fn buffered<R: Read>(reader: R) -> BufReader<R> {
    BufReader::with_capacity(256 * 1024, reader)
}

/// A reader that counts.
struct Counted {
    inner: Reader,
    raw: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let octets = self.inner.read(buffer)?;
        self.raw.fetch_add(octets as u64, Ordering::Relaxed);
        Ok(octets)
    }
}

/// A reader that ends where more comes out than any log packs into its file.
struct Guarded {
    inner: Reader,
    raw: Arc<AtomicU64>,
    /// Octets that came out.
    octets: u64,
}

impl Read for Guarded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let octets = self.inner.read(buffer)?;
        self.octets += octets as u64;
        let raw = self.raw.load(Ordering::Relaxed).max(1);
        if self.octets > LOG_EXPANSION_OCTETS && self.octets / raw > LOG_EXPANSION_MOST {
            let message = format!("it expands to more than {LOG_EXPANSION_MOST} times its size");
            return Err(io::Error::other(message));
        }
        Ok(octets)
    }
}
