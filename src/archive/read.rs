//! The records of an archive, one after another, in memory that does not grow with the archive.
//!
//! An archive is plain, or one stream of gzip or zstd members; where each record is a member of its
//! own, a record can be found again by its offset. The first error ends the reading: behind a broken
//! record nothing can be trusted.

use std::borrow::Cow;
use std::io::{self, BufRead as _, Read as _, Seek as _, SeekFrom};
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

/// The same where one record or a few are read.
const BUFFER_OCTETS_OF_ONE: usize = 16 * 1024;

/// The records of one archive.
pub(super) struct Records {
    name: String,
    record: WarcRecord,
    count: u64,
    left: u64,
    offset: Option<u64>,
    are_members_shared: bool,
    is_broken: bool,
}

impl Records {
    /// Opens an archive.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Self::open_at(path, 0)
    }

    /// Opens an archive at the offset of a member, or of a record where it is plain.
    pub(super) fn open_at(path: &Path, offset: u64) -> io::Result<Self> {
        Self::open_with(path, offset, BUFFER_OCTETS)
    }

    /// Opens an archive for the one record that stands at an offset.
    pub(super) fn open_one(path: &Path, offset: u64) -> io::Result<Self> {
        Self::open_with(path, offset, BUFFER_OCTETS_OF_ONE)
    }

    /// Opens an archive, read so many octets at a time.
    fn open_with(path: &Path, offset: u64, buffer_octets: usize) -> io::Result<Self> {
        let mut reader = files::open_with(path, buffer_octets)?;
        reader.seek(SeekFrom::Start(offset))?;
        let mut record = WarcRecord::new();
        match reader.fill_buf()? {
            [0x1F, 0x8B, ..] => {
                record.attach_reader(GzipReader::with_capacity(reader, buffer_octets));
            }
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x5D, 0x2A, 0x4D, 0x18, ..] => {
                record.attach_reader(ZstdReader::new(reader));
            }
            _ => record.attach_reader(reader),
        }
        Ok(Self::reading(record, &path.display().to_string()))
    }

    /// The records of gzip members that are at hand, under a name.
    pub(super) fn of(octets: Vec<u8>, name: &str) -> Self {
        let mut record = WarcRecord::new();
        let reader = io::Cursor::new(octets);
        record.attach_reader(GzipReader::with_capacity(reader, BUFFER_OCTETS_OF_ONE));
        Self::reading(record, name)
    }

    /// Nothing read yet.
    fn reading(record: WarcRecord, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            record,
            count: 0,
            left: 0,
            offset: None,
            are_members_shared: false,
            is_broken: false,
        }
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
        let offset = self.record.stream_pos();
        self.are_members_shared |= self.offset == Some(offset);
        self.offset = Some(offset);
        self.left = self
            .field("Content-Length")
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| broken("the record's Content-Length is missing or no number"))?;
        if let Some(reader) = self.record.reader_mut() {
            reader.set_limit(self.left);
        }
        Ok(true)
    }

    /// Where the record's member begins in the file, or the record itself where the archive is plain.
    pub(super) fn offset(&self) -> u64 {
        self.offset.unwrap_or_default()
    }

    /// Whether several of the records that were read stand in one member.
    pub(super) fn are_members_shared(&self) -> bool {
        self.are_members_shared
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

    /// Reads the block's first octets; what is left is passed over by the next step.
    pub(super) fn block_most(&mut self, octets: u64) -> io::Result<Vec<u8>> {
        let most = self.left.min(octets);
        let mut block = Vec::new();
        let read = self
            .record
            .reader_mut()
            .map_or(Ok(0), |reader| reader.take(most).read_to_end(&mut block));
        match read {
            Ok(read) if read as u64 == most => {
                self.left -= most;
                Ok(block)
            }
            Ok(_) => Err(self.named(&broken("the archive ends within a record"))),
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
