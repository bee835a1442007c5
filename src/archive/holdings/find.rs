//! The search itself: which records of an archive may count, and what they lead to.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use fastwarc::warc::record::WarcRecordType;
use url::Url;

use super::super::read::Records;
use super::super::sweep::sweep;
use super::answer::{Received, normal};
use super::{Holdings, Search};
use crate::message::target_of;
use crate::observation::Step;
use crate::sample::Domain;

/// Octets of a record that are looked into for its status and where it redirects.
const HEAD_OCTETS: u64 = 128 * 1024;

/// A capture that may count.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) url: String,
    pub(super) date: String,
    pub(super) archive: usize,
    pub(super) offset: u64,
    /// What must be sought to read it whole.
    pub(super) lead: Option<Lead>,
}

/// What a capture leads to.
#[derive(Clone, Debug)]
pub(super) enum Lead {
    /// Another URL.
    Redirect(String),
    /// A body that stands in another record, which may be known in these ways.
    Repeats(Vec<Original>),
}

/// A record whose body is repeated elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Original {
    /// The capture of a URL at a moment.
    At(String, String),
    /// Any with a body of this digest.
    Payload(String),
}

/// What was found in a piece of an archive.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) asked: BTreeMap<usize, Found>,
    pub(super) led_to: BTreeMap<String, Found>,
    pub(super) originals: BTreeMap<Original, Found>,
}

/// Keeps the capture that counts: over https before over http, then the latest, then the last.
pub(super) fn keep_later(kept: &mut Option<Found>, found: Found) {
    if kept.as_ref().is_none_or(|kept| kept.rank() <= found.rank()) {
        *kept = Some(found);
    }
}

impl Found {
    /// What decides between two captures of a URL.
    fn rank(&self) -> (bool, &str, usize, u64) {
        let date = self.date.trim_end_matches('Z');
        (self.url.starts_with("https:"), date, self.archive, self.offset)
    }
}

/// Knows which URLs are sought.
pub(super) struct Finder<'a> {
    search: &'a Search<'a>,
    positions: BTreeMap<&'a str, usize>,
}

impl<'a> Finder<'a> {
    /// Prepares a search.
    pub(super) fn of(search: &'a Search<'a>) -> Self {
        let numbered = search.domains.iter().enumerate();
        let positions = numbered.map(|(position, domain)| (domain.as_str(), position)).collect();
        Self { search, positions }
    }

    /// Sweeps an archive: for the sample's own URLs in the first pass, for what they lead to in the
    /// others. None if its records cannot be found by their offsets.
    pub(super) fn sweep(
        &self,
        path: &Path,
        archive: usize,
        is_first: bool,
        known: &Holdings,
    ) -> io::Result<Option<Vec<Gathered>>> {
        if has_dictionary(path)? {
            return Ok(None);
        }
        let swept = sweep(path, &|gathered: &mut Gathered, records: &mut Records| {
            self.look_at(gathered, records, archive, is_first, known)
        })?;
        Ok((!swept.are_members_shared).then_some(swept.gathered))
    }

    /// Looks at the present record.
    fn look_at(
        &self,
        gathered: &mut Gathered,
        records: &mut Records,
        archive: usize,
        is_first: bool,
        known: &Holdings,
    ) -> io::Result<()> {
        use WarcRecordType::{Resource, Response, Revisit};
        if (self.search.is_stopped)() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if !matches!(records.kind(), Some(Resource | Response | Revisit)) {
            return Ok(());
        }
        let date = records.field("WARC-Date").unwrap_or_default().into_owned();
        let Some(url) = records.url().and_then(|url| Url::parse(&url).ok()) else { return Ok(()) };
        if !matches!(url.scheme(), "http" | "https") {
            return Ok(());
        }
        let counts = self.search.as_of.as_ref().is_none_or(|last| is_by(&date, last));
        let found = |lead| Found {
            url: normal(url.as_str()),
            date: date.clone(),
            archive,
            offset: records.offset(),
            lead,
        };
        if !is_first {
            let is_whole = records.kind() != Some(Revisit);
            let at = Original::At(normal(url.as_str()), date.clone());
            let payload = records.field("WARC-Payload-Digest").map(|digest| digest.into_owned());
            for original in [Some(at), payload.map(Original::Payload)].into_iter().flatten() {
                if is_whole && known.originals.contains_key(&original) {
                    gathered.originals.insert(original, found(None));
                }
            }
        }
        if !counts {
            return Ok(());
        }
        let place = if is_first { self.place(&url) } else { None };
        let is_led_to = !is_first && known.led_to.contains_key(&normal(url.as_str()));
        if place.is_none() && !is_led_to {
            return Ok(());
        }
        let mut found = found(None);
        found.lead = lead_of(records, &url)?;
        match place {
            Some(place) => keep(&mut gathered.asked, place, found),
            None => keep(&mut gathered.led_to, found.url.clone(), found),
        }
        Ok(())
    }

    /// The place of a URL among those that the method asks: sample position and step.
    fn place(&self, url: &Url) -> Option<usize> {
        if url.port().is_some() || url.query().is_some() {
            return None;
        }
        let &position = self.positions.get(url.host_str()?.trim_end_matches('.'))?;
        let step = match url.path() {
            "/robots.txt" => Step::Robots,
            "/" => Step::Homepage,
            "/llms.txt" => Step::Llms,
            path if self.is_control(&self.search.domains[position], path) => Step::Control,
            _ => return None,
        };
        Some(position * Step::COUNT + step as usize)
    }

    /// Whether a path is a domain's control path.
    fn is_control(&self, domain: &Domain, path: &str) -> bool {
        path.ends_with(".txt") && (self.search.control_path)(domain) == path
    }
}

/// Whether a record's date is at or before the end of a day or moment, which is text of RFC 3339
/// without its `Z`: as much of the date is compared as the other tells.
pub fn is_by(date: &str, last: &str) -> bool {
    let date = date.trim_end_matches('Z');
    date.get(..last.len()).unwrap_or(date) <= last
}

/// Keeps the capture that counts under a key.
fn keep<K: Ord>(kept: &mut BTreeMap<K, Found>, key: K, found: Found) {
    let mut slot = kept.remove(&key);
    keep_later(&mut slot, found);
    kept.extend(slot.map(|found| (key, found)));
}

/// What must be sought to read the present record's capture whole.
fn lead_of(records: &mut Records, url: &Url) -> io::Result<Option<Lead>> {
    let repeats = records.kind() == Some(WarcRecordType::Revisit);
    let field = |name: &str| records.field(name).map(|value| value.into_owned());
    let at = field("WARC-Refers-To-Target-URI").zip(field("WARC-Refers-To-Date"));
    let at = at.map(|(url, date)| {
        Original::At(normal(url.trim_start_matches('<').trim_end_matches('>')), date)
    });
    let payload = field("WARC-Payload-Digest").map(Original::Payload);
    let received = Received::read(records, HEAD_OCTETS)?;
    Ok(match target_of(url, received.status, &received.fields) {
        Some(Ok(target)) => Some(Lead::Redirect(target.into())),
        Some(Err(_)) => None,
        None if repeats => Some(Lead::Repeats([at, payload].into_iter().flatten().collect())),
        None => None,
    })
}

/// Whether a zstd archive begins with a dictionary (the WARC convention for zstd).
fn has_dictionary(path: &Path) -> io::Result<bool> {
    let head = crate::files::Pieces::open(path)?.read_most(0, 4)?;
    Ok(head == [0x5D, 0x2A, 0x4D, 0x18])
}
