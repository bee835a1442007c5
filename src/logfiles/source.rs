//! A log as octets: a file or standard input, compressed or not.
//!
//! What a file is, is told by its first octets and never by its name. What decodes of a damaged file
//! is used, and the damage said.

use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// A log while it is read.
pub(super) struct Source {
    reader: Box<dyn Read + Send>,
    /// Octets that were read of the file itself.
    raw: Arc<AtomicU64>,
    compression: Compression,
    /// Octets that came out.
    octets: u64,
}

impl Source {
    /// Opens a log; `-` is standard input.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Self::of(BufReader::new(io::stdin()));
        }
        Self::of(files::open(path)?)
    }

    /// A log from its octets.
    fn of(mut reader: impl Read + Send + 'static) -> io::Result<Self> {
        let mut head = Vec::new();
        reader.by_ref().take(8).read_to_end(&mut head)?;
        let magic = MAGIC.iter().find(|(_, magic)| head.starts_with(magic));
        let compression = magic.map_or(Compression::Plain, |(compression, _)| *compression);
        if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
            let message = "it is UTF-16: write it as UTF-8 first";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let raw = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: Cursor::new(head).chain(reader), raw: Arc::clone(&raw) };
        let reader: Box<dyn Read + Send> = match compression {
            Compression::Plain => Box::new(counted),
            Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(counted))),
            Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(counted)?),
            Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(counted))),
            Compression::Xz => Box::new(lzma_rust2::XzReader::new(buffered(counted), true)),
        };
        Ok(Self { reader, raw, compression, octets: 0 })
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
        self.octets += filled as u64;
        let is_bomb = self.octets > LOG_EXPANSION_OCTETS
            && self.octets / self.raw_octets().max(1) > LOG_EXPANSION_MOST;
        if is_bomb {
            let message = format!("it expands to more than {LOG_EXPANSION_MOST} times its size");
            return (0, Err(io::Error::other(message)));
        }
        (filled, Ok(()))
    }
}

/// A buffer large enough that decoders seldom wait.
fn buffered<R: Read>(reader: R) -> BufReader<R> {
    BufReader::with_capacity(256 * 1024, reader)
}

/// A reader that counts.
struct Counted<R> {
    inner: io::Chain<Cursor<Vec<u8>>, R>,
    raw: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let octets = self.inner.read(buffer)?;
        self.raw.fetch_add(octets as u64, Ordering::Relaxed);
        Ok(octets)
    }
}
