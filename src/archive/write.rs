//! Writing records: WARC 1.1 (ISO 28500:2017), each a gzip member of its own (its annex D).
//!
//! Dates and ids are given or derived, never drawn, so that the same facts are the same octets.

use std::io;

use fastwarc::stream_io::gzip::{GzipWriter, GzipWriterOptions};
use fastwarc::stream_io::traits::WarcWrite as _;
use fastwarc::warc::record::{WarcRecord, WarcRecordType};

use crate::digest::{Digest, Hasher};

/// The compression level: responses are many and mostly small, and an attempt must not wait for it.
const LEVEL: i32 = 3;

/// A record to be written.
pub(super) struct Draft<'a> {
    /// Its type.
    pub(super) kind: WarcRecordType,
    /// When what it holds happened (RFC 3339, UTC).
    pub(super) date: &'a str,
    /// The media type of its block, where it is known.
    pub(super) content_type: Option<&'a str>,
    /// Its further fields, in order.
    pub(super) fields: Vec<(&'static str, String)>,
    /// Its block.
    pub(super) block: Vec<u8>,
}

/// Writes records one after another, each as a gzip member.
pub(super) struct Writer {
    gzip: GzipWriter<Vec<u8>>,
    written: u64,
}

impl Writer {
    /// Nothing written yet.
    pub(super) fn new() -> Self {
        let options = GzipWriterOptions { compression_level: LEVEL, ..Default::default() };
        Self { gzip: GzipWriter::with_options(Vec::new(), options), written: 0 }
    }

    /// Writes a record; returns its id.
    pub(super) fn write(&mut self, draft: Draft<'_>) -> io::Result<String> {
        let block_digest = digest_field(Digest::of(&draft.block));
        let id = id_of(&draft, &block_digest, self.written);
        self.written += 1;
        let mut record = WarcRecord::new();
        record.init_headers(draft.kind, Some(id.as_bytes()));
        let headers = record.headers_mut();
        headers.set("WARC-Date", draft.date);
        for (name, value) in &draft.fields {
            headers.append(name, value);
        }
        headers.append("WARC-Block-Digest", &block_digest);
        if let Some(content_type) = draft.content_type {
            headers.append("Content-Type", content_type);
        }
        record.set_bytes_payload(draft.block);
        record.write(&mut self.gzip)?;
        self.gzip.finish()?;
        Ok(format!("<urn:{id}>"))
    }

    /// The octets of all records.
    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        self.gzip.into_inner()
    }
}

/// A digest as a field holds it: the algorithm and, unlike the base32 of most writers, the hex
/// digits that the result tables have too.
pub(super) fn digest_field(digest: Digest) -> String {
    format!("sha256:{digest}")
}

/// The id of a record: a UUID of version 8 (RFC 9562, 5.8) from the digest of all that it says and
/// its number among the records that are written together.
fn id_of(draft: &Draft<'_>, block_digest: &str, number: u64) -> String {
    let mut hasher = Hasher::new();
    let mut part = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for text in [draft.kind.as_str(), draft.date, block_digest, &number.to_string()] {
        part(text);
    }
    for (name, value) in &draft.fields {
        part(name);
        part(value);
    }
    let digits = hasher.finish().to_string();
    format!(
        "uuid:{}-{}-8{}-a{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[13..16],
        &digits[17..20],
        &digits[20..32]
    )
}
