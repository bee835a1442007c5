//! Logs of one JSON object a line (RFC 8259): nginx, Caddy, Traefik, Envoy, Cloudflare, Fastly, the
//! load balancers of Google and Azure, and the drains of hosting platforms.
//!
//! Names are looked up in one table of aliases; where several stand in a record, the one that the
//! table lists first counts. An object without method, target or request is about something else: a
//! directive. nginx without `escape=json` writes `\xHH`, which no JSON has: such a line is mended first.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::aliases::{NAME_OCTETS, Slot};
use super::mapped::Mapped;
use super::template::{Field, Found, size, status};
use crate::logs::moment;
use crate::logs::request::{Escapes, Line, Octets, Rejection, Request};
use crate::logs::zone::Zone;

/// Reads a line.
pub(super) fn read<'a>(line: &'a [u8], zone: &Zone, mapped: &Mapped) -> Line<'a> {
    let line = line.trim_ascii();
    // A drain may send an array over several lines: its marks are no records.
    let line = line.strip_suffix(b",").unwrap_or(line);
    if matches!(line, b"[" | b"]" | b"") {
        return Line::Directive;
    }
    let mut record = Record::default();
    let read = record.read(line, mapped);
    let may_mend = || memchr::memmem::find(line, b"\\x").is_some() || !line.is_ascii();
    if read.is_err() && may_mend() {
        record = Record::default();
        let mended = mended(line);
        let mut owned = Record::default();
        if owned.read(&mended, mapped).is_err() {
            return Line::Rejected(Rejection::NotJson);
        }
        record.values =
            owned.values.into_iter().map(|(place, value)| (place, own(value))).collect();
    } else if read.is_err() {
        return Line::Rejected(Rejection::NotJson);
    }
    record.line(zone, mapped)
}

/// A value that outlives what it was read from.
fn own<'b>(value: Octets<'_>) -> Octets<'b> {
    Cow::Owned(value.into_owned())
}

/// A line with `\u00HH` for each `\xHH` and for each octet that is not UTF-8.
fn mended(line: &[u8]) -> Vec<u8> {
    let mut mended = Vec::with_capacity(line.len() + 16);
    for chunk in line.utf8_chunks() {
        let mut rest = chunk.valid().as_bytes();
        while let [octet, after @ ..] = rest {
            let (written, length): (&[u8], _) = match (octet, after) {
                (b'\\', [b'x', ..]) => (b"\\u00", 2),
                (b'\\', [_, ..]) => (&rest[..2], 2),
                _ => (&rest[..1], 1),
            };
            mended.extend_from_slice(written);
            rest = &rest[length..];
        }
        for octet in chunk.invalid() {
            mended.extend_from_slice(format!("\\u00{octet:02x}").as_bytes());
        }
    }
    mended
}

/// What a record said of the names that are known: places in the table, and values.
#[derive(Default)]
struct Record<'a> {
    values: Vec<(usize, Octets<'a>)>,
}

impl<'a> Record<'a> {
    /// Reads an object.
    fn read(&mut self, line: &'a [u8], mapped: &Mapped) -> Result<(), serde_json::Error> {
        let mut reader = serde_json::Deserializer::from_slice(line);
        Object { record: self, mapped, within: "" }.deserialize(&mut reader)?;
        reader.end()
    }

    /// What the record is.
    fn line(mut self, zone: &Zone, mapped: &Mapped) -> Line<'a> {
        self.values.sort_by_key(|(place, _)| *place);
        let mut found = Found::default();
        let mut filled: Vec<Slot> = Vec::with_capacity(12);
        let (mut url, mut walked, mut has_line) = (None, None, false);
        for (place, value) in self.values {
            let slot = mapped.slot(place);
            if value.is_empty() || &*value == b"-" || filled.contains(&slot) {
                continue;
            }
            filled.push(slot);
            match slot {
                Slot::Field(Field::Time) => match moment::any(&value, zone) {
                    Some(told) => found.told = Some(told),
                    None => return Line::Rejected(Rejection::BadTime),
                },
                Slot::Field(Field::Status) => found.request.status = status(&value).unwrap_or(0),
                Slot::Field(Field::Size) => found.request.octets = size(&value),
                Slot::Field(Field::Line) => {
                    let (method, target) = Request::split(&value);
                    found.request.method = own(Cow::Borrowed(method));
                    found.request.target = own(Cow::Borrowed(target));
                    has_line = true;
                }
                Slot::Field(field) => found.put(field, value),
                Slot::Url => url = Some(value),
                Slot::Walked => walked = Some(value),
            }
        }
        let is_request = has_line
            || !found.request.method.is_empty()
            || !found.request.target.is_empty()
            || found.path.is_some()
            || url.is_some();
        if !is_request {
            return Line::Directive;
        }
        if let Some(url) = url
            && found.request.target.is_empty()
        {
            with_url(&mut found.request, &url);
        }
        if let Some(walked) = walked
            && found.request.peer != walked
        {
            // The server trusted its peer and walked the chain itself.
            found.request.peer = walked;
            (found.request.forwarded_for, found.request.forwarded) = (None, None);
        }
        match found.request() {
            Ok(mut request) => {
                request.escapes = Escapes::None;
                Line::Request(request)
            }
            Err(rejection) => Line::Rejected(rejection),
        }
    }
}

/// Takes host and target from a URL.
fn with_url<'a>(request: &mut Request<'a>, url: &[u8]) {
    let Some(scheme) = memchr::memmem::find(url, b"://") else {
        request.target = own(Cow::Borrowed(url));
        return;
    };
    let rest = &url[scheme + 3..];
    let path = memchr::memchr2(b'/', b'?', rest).unwrap_or(rest.len());
    if request.host.is_empty() {
        request.host = own(Cow::Borrowed(&rest[..path]));
    }
    let target = &rest[path..];
    request.target = match target {
        [b'/', ..] => own(Cow::Borrowed(target)),
        target => Cow::Owned([b"/", target].concat()),
    };
}

/// An object of a record, and the names of the objects that it stands in.
struct Object<'r, 'a> {
    record: &'r mut Record<'a>,
    mapped: &'r Mapped,
    within: &'r str,
}

impl<'de> DeserializeSeed<'de> for Object<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Object<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key_seed(Text)? {
            let mut buffer = [0; NAME_OCTETS];
            let Some(path) = path(self.within, &name, &mut buffer) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let (place, within) = (self.mapped.place_of(path), self.mapped.object(path));
            match (place, within) {
                (None, None) => {
                    map.next_value::<IgnoredAny>()?;
                }
                (place, within) => {
                    let (record, mapped) = (&mut *self.record, self.mapped);
                    map.next_value_seed(Value { record, mapped, place, within })?;
                }
            }
        }
        Ok(())
    }
}

/// The name of a member with the objects around it, in lower case; `None` if it is too long.
fn path<'b>(within: &str, name: &[u8], buffer: &'b mut [u8; NAME_OCTETS]) -> Option<&'b [u8]> {
    let before = if within.is_empty() { 0 } else { within.len() + 1 };
    let path = buffer.get_mut(..before + name.len())?;
    if before > 0 {
        path[..before - 1].copy_from_slice(within.as_bytes());
        path[before - 1] = b'.';
    }
    path[before..].copy_from_slice(name);
    path.make_ascii_lowercase();
    Some(path)
}

/// The value of a known name.
struct Value<'r, 'a> {
    record: &'r mut Record<'a>,
    mapped: &'r Mapped,
    place: Option<usize>,
    within: Option<&'r str>,
}

impl<'a> Value<'_, 'a> {
    fn keep(&mut self, value: Octets<'a>) {
        if let Some(place) = self.place {
            self.record.values.push((place, value));
        }
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(mut self, text: &'de str) -> Result<(), E> {
        self.keep(Cow::Borrowed(text.as_bytes()));
        Ok(())
    }

    fn visit_str<E>(mut self, text: &str) -> Result<(), E> {
        self.keep(Cow::Owned(text.as_bytes().to_vec()));
        Ok(())
    }

    fn visit_u64<E>(mut self, number: u64) -> Result<(), E> {
        self.keep(Cow::Owned(number.to_string().into_bytes()));
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(mut self, number: f64) -> Result<(), E> {
        self.keep(Cow::Owned(format!("{number:.6}").into_bytes()));
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    /// Headers are arrays in some logs; several X-Forwarded-For fields are one list.
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut values: A) -> Result<(), A::Error> {
        let mut joined: Option<Octets<'de>> = None;
        while let Some(value) = values.next_element_seed(Text)? {
            joined = Some(match joined {
                None => value,
                Some(before) => Cow::Owned([&before, &b", "[..], &value].concat()),
            });
        }
        if let Some(joined) = joined {
            self.keep(joined);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        match self.within {
            Some(within) => {
                Object { record: self.record, mapped: self.mapped, within }.visit_map(map)
            }
            None => {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(())
            }
        }
    }
}

/// A text, borrowed where it can be; what is no text is an empty one.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Octets<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Octets<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// What is no text.
const NO_TEXT: Octets<'static> = Cow::Borrowed(&[]);

impl<'de> Visitor<'de> for Text {
    type Value = Octets<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Octets<'de>, E> {
        Ok(Cow::Borrowed(text.as_bytes()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Octets<'de>, E> {
        Ok(Cow::Owned(text.as_bytes().to_vec()))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Octets<'de>, E> {
        Ok(NO_TEXT)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Octets<'de>, E> {
        Ok(NO_TEXT)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Octets<'de>, E> {
        Ok(NO_TEXT)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Octets<'de>, E> {
        Ok(NO_TEXT)
    }

    fn visit_unit<E>(self) -> Result<Octets<'de>, E> {
        Ok(NO_TEXT)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Octets<'de>, A::Error> {
        while values.next_element::<IgnoredAny>()?.is_some() {}
        Ok(NO_TEXT)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Octets<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(NO_TEXT)
    }
}
