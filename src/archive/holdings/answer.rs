//! One capture as it stands in its record.

use std::borrow::Cow;
use std::io;

use fastwarc::warc::record::WarcRecordType;

use super::super::capture::CaptureKind;
use super::super::read::{Records, broken};
use crate::limits::ARCHIVE_RECORD_OCTETS;
use crate::message::{Coding, Message};
use crate::observation::Field;

/// The name that archives give the field of a content coding that is taken off.
const CONTENT_CODING_OFF: &str = "x-crawl-content-encoding";

/// A captured answer.
pub(super) struct Received {
    /// The URL that was asked, as URLs are written.
    pub(super) url: String,
    pub(super) kind: CaptureKind,
    pub(super) status: u16,
    pub(super) fields: Vec<Field>,
    /// The body; empty where it repeats another record's.
    pub(super) body: Vec<u8>,
    /// Whether its body stands in another record.
    pub(super) repeats: bool,
    /// Whether the record holds no HTTP response.
    pub(super) is_malformed: bool,
    /// Whether the body ended before its end, and not by a limit of the archive's.
    pub(super) is_broken_off: bool,
}

impl Received {
    /// Reads the capture that the present record holds.
    pub(super) fn read(records: &mut Records, octets_most: u64) -> io::Result<Self> {
        let url = records.url().map(|url| normal(&url)).unwrap_or_default();
        let truncated = records.field("WARC-Truncated").map(Cow::into_owned);
        let is_broken_off = truncated.is_some_and(|reason| reason != "length");
        let repeats = records.kind() == Some(WarcRecordType::Revisit);
        if records.kind() == Some(WarcRecordType::Resource) {
            let value = records.field("Content-Type");
            let name = "content-type".to_owned();
            let fields = value.map(|value| Field { name, value: value.as_bytes().to_vec() });
            let fields = fields.into_iter().collect();
            let body = records.block_most(octets_most)?;
            let (kind, status, is_malformed) = (CaptureKind::Resource, 200, false);
            return Ok(Self {
                url,
                kind,
                status,
                fields,
                body,
                repeats,
                is_malformed,
                is_broken_off,
            });
        }
        let block = records.block_most(octets_most)?;
        let message = Message::parse(&block);
        let is_malformed = message.is_none();
        let nothing = Message { status: 0, fields: Vec::new(), body: Vec::new() };
        let Message { status, fields, body } = message.unwrap_or(nothing);
        let kind = CaptureKind::Response;
        Ok(Self { url, kind, status, fields, body, repeats, is_malformed, is_broken_off })
    }

    /// Reads the capture that a record is known to hold.
    pub(super) fn read_whole(records: &mut Records) -> io::Result<Self> {
        if !records.advance()? {
            return Err(records.named(&broken("the record is no longer there")));
        }
        Self::read(records, ARCHIVE_RECORD_OCTETS)
    }

    /// The same without a content coding that the archive took off and left the name of: a body
    /// under the name of gzip that is not gzip, or under another coding's that is plain text.
    pub(super) fn without_stale_coding(mut self) -> Self {
        let is_stale = match Coding::of(&self.fields) {
            Ok(Coding::Identity) => false,
            Ok(Coding::Gzip) => !self.body.starts_with(&[0x1F, 0x8B]),
            Err(_) => std::str::from_utf8(&self.body).is_ok(),
        };
        for field in self.fields.iter_mut().filter(|field| is_stale && is_coding(field)) {
            field.name = CONTENT_CODING_OFF.to_owned();
        }
        self
    }
}

/// Whether a field names a content coding.
fn is_coding(field: &Field) -> bool {
    field.name == "content-encoding"
}

/// A URL as URLs are written: the scheme and host in lower case, no default port, no fragment.
pub(super) fn normal(url: &str) -> String {
    match url::Url::parse(url) {
        Ok(mut parsed) => {
            parsed.set_fragment(None);
            parsed.into()
        }
        Err(_) => url.to_owned(),
    }
}
