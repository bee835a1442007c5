//! The common and combined formats of Apache and nginx, by far the most logs, and what is often put
//! before and behind them: a virtual host, X-Forwarded-For, Traefik's fields.
//!
//! This is the hot path: it allocates nothing and looks at each octet about once.

use std::borrow::Cow;

use super::quoted;
use super::template::{SIZE_DIGITS, size, status};
use crate::logs::address;
use crate::logs::moment::{self, STAMP_OCTETS, StampCache, Told};
use crate::logs::request::{Escapes, Rejection, Request};
use crate::logs::zone::Zone;

/// What a line says. The request is made of it only where it is handed on: it is too large to be
/// moved for every line.
pub(super) struct Fields<'a> {
    host: &'a [u8],
    peer: &'a [u8],
    told: Told,
    method: &'a [u8],
    target: &'a [u8],
    status: u16,
    octets: u64,
    user_agent: &'a [u8],
    forwarded_for: Option<&'a [u8]>,
}

impl<'a> From<Fields<'a>> for Request<'a> {
    #[inline(always)]
    fn from(fields: Fields<'a>) -> Self {
        Self {
            at_s: fields.told.at_s,
            offset_minutes: fields.told.offset_minutes,
            again_s: fields.told.again_s,
            peer: Cow::Borrowed(fields.peer),
            forwarded_for: fields.forwarded_for.map(Cow::Borrowed),
            forwarded: None,
            single: None,
            host: Cow::Borrowed(fields.host),
            method: Cow::Borrowed(fields.method),
            target: Cow::Borrowed(fields.target),
            status: fields.status,
            octets: fields.octets,
            user_agent: Cow::Borrowed(fields.user_agent),
            escapes: Escapes::Backslash,
        }
    }
}

/// Reads a line.
#[inline(always)]
pub(super) fn read<'a>(
    line: &'a [u8],
    stamps: &mut StampCache,
    zone: &Zone,
) -> Result<Fields<'a>, Rejection> {
    let (mut host, peer, rest) = who(line)?;
    let (told, rest) = match rest.split_first_chunk::<STAMP_OCTETS>() {
        Some((stamp, [b']', rest @ ..])) => {
            (stamps.read(stamp, zone).ok_or(Rejection::BadTime)?, rest)
        }
        _ => {
            let close = memchr::memchr(b']', rest).ok_or(Rejection::NoTime)?;
            let told = moment::common(&rest[..close], zone).ok_or(Rejection::BadTime)?;
            (told, &rest[close + 1..])
        }
    };
    let rest = rest.strip_prefix(b" \"").ok_or(Rejection::MissingFields)?;
    let close = quoted::end(rest).ok_or(Rejection::Unclosed)?;
    let (method, target) = Request::split(&rest[..close]);
    let rest = rest.get(close + 2..).ok_or(Rejection::MissingFields)?;
    let (status, rest) = answered(rest)?;
    let (octets, rest) = sent(rest);
    let (mut user_agent, mut forwarded_for) = (&[][..], None);
    if !rest.is_empty() {
        let (_, rest) = field(rest)?;
        if !rest.is_empty() {
            let (value, rest) = field(rest)?;
            user_agent = said(value);
            if !rest.is_empty() {
                (host, forwarded_for) = more(rest, host);
            }
        }
    }
    Ok(Fields { host, peer, told, method, target, status, octets, user_agent, forwarded_for })
}

/// The host, if one is written, the peer, and what follows the bracket that opens the time.
type Who<'a> = (&'a [u8], &'a [u8], &'a [u8]);

/// Reads who asked whom.
#[inline(always)]
fn who(line: &[u8]) -> Result<Who<'_>, Rejection> {
    // Nearly every line begins with an address and names no user.
    if let Some(end) = memchr::memchr2(b' ', b'[', line)
        && end > 0
        && let Some(rest) = line[end..].strip_prefix(b" - - [")
    {
        return Ok((&[], &line[..end], rest));
    }
    let begin =
        if line.first() == Some(&b'[') { memchr::memchr(b']', line).unwrap_or(0) } else { 0 };
    let bracket = begin + memchr::memchr(b'[', &line[begin..]).ok_or(Rejection::NoTime)?;
    let (host, peer) = who_of(&line[..bracket])?;
    Ok((host, peer, &line[bracket + 1..]))
}

/// The host, if one is written, and the peer, from what stands before the time.
fn who_of(before: &[u8]) -> Result<(&[u8], &[u8]), Rejection> {
    let (first, rest) = word(before);
    if first.is_empty() {
        return Err(Rejection::NoAddress);
    }
    let blanks = memchr::memchr_iter(b' ', before).count();
    match blanks {
        3 => Ok((&[], first)),
        0..3 => Err(Rejection::MissingFields),
        // Either a host stands before the address, or the user's name has blanks.
        _ => {
            let (second, _) = word(rest);
            let is_host = address::parse(second).is_some() && address::parse(first).is_none();
            Ok(if is_host { (first, second) } else { (&[], first) })
        }
    }
}

/// The status, and what follows the blank behind it.
#[inline(always)]
fn answered(text: &[u8]) -> Result<(u16, &[u8]), Rejection> {
    let (written, rest) = match text {
        // Nearly always three digits, which need no search for their end.
        [a, b, c, b' ', rest @ ..] if [a, b, c].iter().all(|octet| octet.is_ascii_digit()) => {
            (&text[..3], rest)
        }
        _ => word(text),
    };
    Ok((status(written).ok_or(Rejection::BadStatus)?, rest))
}

/// The size, and what follows the blank behind it.
#[inline(always)]
fn sent(text: &[u8]) -> (u64, &[u8]) {
    // Digits up to a blank, nearly always: they are added up on the way to it.
    let mut sum = 0;
    for (at, &octet) in text.iter().enumerate().take(SIZE_DIGITS) {
        match octet {
            b'0'..=b'9' => sum = sum * 10 + u64::from(octet - b'0'),
            b' ' => return (sum, &text[at + 1..]),
            _ => break,
        }
    }
    let (written, rest) = word(text);
    (size(written), rest)
}

/// The host and X-Forwarded-For out of what follows the user-agent header, the one without quotes and
/// the other in quotes; the host that stands before the address counts more.
#[cold]
fn more<'a>(mut rest: &'a [u8], mut host: &'a [u8]) -> (&'a [u8], Option<&'a [u8]>) {
    let mut forwarded_for = None;
    while !rest.is_empty() {
        let is_quoted = rest[0] == b'"';
        let Ok((value, after)) = field(rest) else { break };
        rest = after;
        let value = said(value);
        if is_quoted && forwarded_for.is_none() && is_chain(value) {
            forwarded_for = Some(value);
        } else if !is_quoted && host.is_empty() && is_host(value) {
            host = value;
        }
    }
    (host, forwarded_for)
}

/// Whether a text is a list of addresses, as far as its first and last entry tell.
fn is_chain(value: &[u8]) -> bool {
    let mut entries = value.split(|&octet| octet == b',');
    let is_address =
        |entry: Option<&[u8]>| entry.is_some_and(|entry| address::parse(entry).is_some());
    is_address(entries.next_back()) || is_address(entries.next())
}

/// Whether a word without quotes is the name of a host.
fn is_host(value: &[u8]) -> bool {
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b':');
    value.contains(&b'.')
        && value.iter().all(is_part)
        && value.iter().any(u8::is_ascii_alphabetic)
        && address::parse(value).is_none()
}

/// The first word of a text, and what follows the blank behind it.
#[inline]
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b' ', text) {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (text, &[]),
    }
}

/// The first field of a text, quoted or not, and what follows the blank behind it.
#[inline]
fn field(text: &[u8]) -> Result<(&[u8], &[u8]), Rejection> {
    match text {
        [b'"', b'-', b'"', b' ', rest @ ..] => Ok((b"-", rest)),
        [b'"', inside @ ..] => {
            let end = quoted::end(inside).ok_or(Rejection::Unclosed)?;
            Ok((&inside[..end], inside.get(end + 2..).unwrap_or_default()))
        }
        text => Ok(word(text)),
    }
}

/// A field's value; `-` is none.
#[inline]
fn said(value: &[u8]) -> &[u8] {
    if value == b"-" { &[] } else { value }
}
