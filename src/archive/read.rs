//! The records of an archive, one after another, in memory that does not grow with the archive.
//!
//! An archive is plain, or one stream of gzip or zstd members; where each record is a member of its
//! own, a record can be found again by its offset. The first error ends the reading: behind a broken
//! record nothing can be trusted.

use std::borrow::Cow;
use std::io::{self, BufRead as _, Read as _};
use std::path::Path;

use fastwarc::stream_io::gzip::GzipReader;
use fastwarc::stream_io::zstd::ZstdReader;
use fastwarc::warc::record::{WarcRecord, WarcRecordType};

use crate::files;
use crate::limits::ARCHIVE_RECORD_OCTETS;

/// Most octets of a record's head: it holds a URL at least, and a URL may be as long as a response's
/// head.
const HEAD_OCTETS: usize = 256 * 1024;

/// Room that is read of a file at a time.
const BUFFER_OCTETS: usize = 256 * 1024;

/// The records of one archive.
pub(super) struct Records {
    name: String,
    record: WarcRecord,
    count: u64,
    declared: u64,
    left: u64,
    is_broken: bool,
}

impl Records {
    /// Opens an archive.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut reader = files::open_with(path, BUFFER_OCTETS)?;
        let mut record = WarcRecord::new();
        match reader.fill_buf()? {
            [0x1F, 0x8B, ..] => record.attach_reader(GzipReader::new(reader)),
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x5D, 0x2A, 0x4D, 0x18, ..] => {
                record.attach_reader(ZstdReader::new(reader));
            }
            _ => record.attach_reader(reader),
        }
        let name = path.display().to_string();
        Ok(Self { name, record, count: 0, declared: 0, left: 0, is_broken: false })
    }

    /// Moves on to the next record; false at the archive's end.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if self.is_broken {
            return Ok(false);
        }
        let moved = self.try_to_advance();
        moved.map_err(|error| self.named(&error))
    }

    /// Moves on, leaving errors without their place.
    fn try_to_advance(&mut self) -> io::Result<bool> {
        self.read_into(&mut io::sink())?;
        if let Some(reader) = self.record.reader_mut() {
            reader.reset_limit();
        }
        self.count += 1;
        if self.record.parse_warc_headers_with_opts(false, HEAD_OCTETS)? == 0 {
            return Ok(false);
        }
        self.declared = self
            .field("Content-Length")
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| broken("the record's Content-Length is missing or no number"))?;
        self.left = self.declared;
        if let Some(reader) = self.record.reader_mut() {
            reader.set_limit(self.declared);
        }
        Ok(true)
    }

    /// The record's type; `None` where it names none.
    pub(super) fn kind(&self) -> Option<WarcRecordType> {
        let word = self.field("WARC-Type")?;
        Some(WarcRecordType::try_from(&*word).unwrap_or(WarcRecordType::Unknown))
    }

    /// A field of the record's head, whatever the case of its name.
    pub(super) fn field(&self, name: &str) -> Option<Cow<'_, str>> {
        self.record.headers().get(name).map(|value| match value {
            Cow::Borrowed(value) => Cow::Borrowed(value.trim()),
            Cow::Owned(value) => Cow::Owned(value.trim().to_owned()),
        })
    }

    /// The URL that the record is about, without the brackets that WARC 1.0 allows.
    pub(super) fn url(&self) -> Option<Cow<'_, str>> {
        let bare = |url: &str| url.trim_start_matches('<').trim_end_matches('>').to_owned();
        self.field("WARC-Target-URI").map(|url| match url.starts_with('<') {
            true => Cow::Owned(bare(&url)),
            false => url,
        })
    }

    /// Reads the record's block whole.
    pub(super) fn block(&mut self) -> io::Result<Vec<u8>> {
        let mut block = Vec::new();
        let read = match self.left {
            0..=ARCHIVE_RECORD_OCTETS => self.read_into(&mut block),
            _ => Err(broken(&format!("the record has more than {ARCHIVE_RECORD_OCTETS} octets"))),
        };
        match read {
            Ok(()) => Ok(block),
            Err(error) => Err(self.named(&error)),
        }
    }

    /// Reads what is left of the block and holds it to its declared length.
    fn read_into(&mut self, sink: &mut impl io::Write) -> io::Result<()> {
        let left = std::mem::take(&mut self.left);
        if left == 0 {
            return Ok(());
        }
        let reader = self.record.reader_mut().ok_or_else(|| broken("the record has no block"))?;
        match io::copy(&mut reader.take(left), sink)? {
            read if read == left => Ok(()),
            _ => Err(broken("the archive ends within a record")),
        }
    }

    /// An error with the archive and the record that are to blame; it ends the reading.
    pub(super) fn named(&mut self, error: &io::Error) -> io::Error {
        self.is_broken = true;
        let message = format!("{}: record {}: {error}", self.name, self.count);
        io::Error::new(error.kind(), message)
    }
}

/// An archive that does not hold to its format.
pub(super) fn broken(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
