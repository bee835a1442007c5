//! The records of an archive that hold an answer over http or https.
//!
//! These are `resource` and `response`; requests, metadata, revisits and other schemes are passed
//! over.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use fastwarc::warc::record::WarcRecordType;

use super::read::{Records, broken};
use crate::closed_list;
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

/// The captures of an archive in its order.
pub fn captures(path: &Path) -> io::Result<Captures> {
    Ok(Captures { records: Records::open(path)? })
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
    records: Records,
}

impl Iterator for Captures {
    type Item = io::Result<Capture>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.records.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
            match self.capture() {
                Ok(Some(capture)) => return Some(Ok(capture)),
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Captures {
    /// The capture that the present record holds, if it holds one.
    fn capture(&mut self) -> io::Result<Option<Capture>> {
        let kind = match self.records.kind() {
            Some(WarcRecordType::Resource) => CaptureKind::Resource,
            Some(WarcRecordType::Response) => CaptureKind::Response,
            Some(_) => return Ok(None),
            None => return Err(self.records.named(&broken("the record names no type"))),
        };
        let Some(url) = self.records.url().map(|url| url.into_owned()) else {
            return Err(self.records.named(&broken("the record names no URL")));
        };
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Ok(None);
        }
        let date = self.records.field("WARC-Date").unwrap_or_default().into_owned();
        let block = self.records.block()?;
        match kind {
            CaptureKind::Resource => {
                let value = self.records.field("Content-Type");
                let name = "content-type".to_owned();
                let fields = value.map(|value| Field { name, value: value.as_bytes().to_vec() });
                let fields = fields.into_iter().collect();
                Ok(Some(Capture { url, date, kind, status: 200, fields, body: block }))
            }
            CaptureKind::Response => match Message::parse(&block) {
                Some(Message { status, fields, body }) => {
                    Ok(Some(Capture { url, date, kind, status, fields, body }))
                }
                None => Err(self.records.named(&broken("the record holds no HTTP response"))),
            },
        }
    }
}

#[cfg(test)]
#[path = "capture_tests.rs"]
mod tests;
