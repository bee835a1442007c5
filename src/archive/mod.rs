//! Web archives (WARC 1.0 and 1.1, ISO 28500:2017), read record by record.
//!
//! Yields the `resource` and `response` records that hold an answer over http or https; requests,
//! metadata, revisits and other schemes are passed over. The crate fastwarc finds where a record
//! begins and ends and is known here alone; what an HTTP answer holds is read by `message`. What
//! a capture means is for its users to say.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Read as _};
use std::path::{Path, PathBuf};

use fastwarc::stream_io::gzip::GzipReader;
use fastwarc::warc::record::{WarcRecord, WarcRecordType};

use crate::closed_list;
use crate::files;
use crate::limits::ARCHIVE_RECORD_OCTETS;
use crate::message::Message;
use crate::observation::Field;

closed_list! {
    /// What kind of record a capture stands in.
    pub enum CaptureKind {
        /// A body whose response nobody kept.
        Resource = "resource",
        /// A whole HTTP response.
        Response = "response",
    }
}

/// One archived answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The URL that was asked.
    pub url: String,
    /// When, as the record says it (RFC 3339, UTC).
    pub date: String,
    /// The kind of its record.
    pub kind: CaptureKind,
    /// Its status; a `resource`, whose status nobody kept, counts as 200.
    pub status: u16,
    /// Its header fields, in order; a `resource` has its content type alone.
    pub fields: Vec<Field>,
    /// Its body: without a transfer coding, its content coding as it stands in the record.
    pub body: Vec<u8>,
}

/// The captures of an archive, plain or gzip-compressed, in its order.
///
/// The first error ends the iteration: behind a broken record nothing can be trusted.
pub fn captures(path: &Path) -> io::Result<Captures> {
    let mut reader = files::open(path)?;
    let is_gzip = reader.fill_buf()?.starts_with(b"\x1F\x8B");
    let mut record = WarcRecord::new();
    if is_gzip {
        record.attach_reader(GzipReader::new(reader));
    } else {
        record.attach_reader(reader);
    }
    Ok(Captures { path: path.to_owned(), record, count: 0, has_ended: false })
}

/// The latest capture of every URL; of two at the same instant, the one that stands later.
pub fn latest(path: &Path) -> io::Result<BTreeMap<String, Capture>> {
    let mut by_url: BTreeMap<String, Capture> = BTreeMap::new();
    for capture in captures(path)? {
        let capture = capture?;
        let known = by_url.get(&capture.url);
        if known.is_none_or(|known| instant(&known.date) <= instant(&capture.date)) {
            by_url.insert(capture.url.clone(), capture);
        }
    }
    Ok(by_url)
}

/// A date as text that sorts by time, with or without fractions of a second.
fn instant(date: &str) -> &str {
    date.strip_suffix('Z').unwrap_or(date)
}

/// The captures of one archive.
pub struct Captures {
    path: PathBuf,
    record: WarcRecord,
    count: u64,
    has_ended: bool,
}

impl Iterator for Captures {
    type Item = io::Result<Capture>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.has_ended {
            match self.record.next_inplace() {
                None => self.has_ended = true,
                Some(found) => {
                    self.count += 1;
                    match found.and_then(|()| self.capture()).transpose() {
                        None => {}
                        Some(Ok(capture)) => return Some(Ok(capture)),
                        Some(Err(error)) => {
                            self.has_ended = true;
                            return Some(Err(self.naming(&error)));
                        }
                    }
                }
            }
        }
        None
    }
}

impl Captures {
    /// The capture that the present record holds, if it holds one.
    fn capture(&mut self) -> io::Result<Option<Capture>> {
        let kind = match self.record.record_type() {
            WarcRecordType::Resource => CaptureKind::Resource,
            WarcRecordType::Response => CaptureKind::Response,
            WarcRecordType::NoType => return Err(broken("the record names no type")),
            _ => return self.read_block(io::sink()).map(|()| None),
        };
        if self.record.content_length() > ARCHIVE_RECORD_OCTETS {
            return Err(broken(&format!(
                "the record has more than {ARCHIVE_RECORD_OCTETS} octets"
            )));
        }
        let mut block = Vec::new();
        self.read_block(&mut block)?;
        let Some(url) = self.header("WARC-Target-URI") else {
            return Err(broken("the record names no URL"));
        };
        let url = url.trim_start_matches('<').trim_end_matches('>').to_owned();
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Ok(None);
        }
        let date = self.header("WARC-Date").unwrap_or_default();
        match kind {
            CaptureKind::Resource => {
                let name = "content-type".to_owned();
                let value = self.header("Content-Type").map(String::into_bytes);
                let fields = value.map(|value| Field { name, value }).into_iter().collect();
                Ok(Some(Capture { url, date, kind, status: 200, fields, body: block }))
            }
            CaptureKind::Response => {
                let message = Message::parse(&block)
                    .ok_or_else(|| broken("the record holds no HTTP response"))?;
                let Message { status, fields, body } = message;
                Ok(Some(Capture { url, date, kind, status, fields, body }))
            }
        }
    }

    /// Reads the record's block into `sink` and holds it to its declared length.
    fn read_block(&mut self, mut sink: impl io::Write) -> io::Result<()> {
        let declared = self.record.content_length();
        if self.header("Content-Length").and_then(|text| text.parse().ok()) != Some(declared) {
            return Err(broken("the record's Content-Length is missing or no number"));
        }
        let reader = self.record.reader_mut().ok_or_else(|| broken("the record has no block"))?;
        let read = io::copy(&mut reader.take(declared), &mut sink)?;
        if read != declared {
            return Err(broken("the archive ends within a record"));
        }
        Ok(())
    }

    /// A header of the record, whatever the case of its name.
    fn header(&self, name: &str) -> Option<String> {
        self.record.headers().get(name).map(|value| value.trim().to_owned())
    }

    /// An error with the archive and the record that are to blame.
    fn naming(&self, error: &io::Error) -> io::Error {
        let message = format!("{}: record {}: {error}", self.path.display(), self.count);
        io::Error::new(error.kind(), message)
    }
}

/// An archive that does not hold to its format.
fn broken(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests;
