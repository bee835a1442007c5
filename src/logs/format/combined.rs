//! The common and combined formats of Apache and nginx, by far the most logs, and what is often put
//! before and behind them: a virtual host, X-Forwarded-For, Traefik's fields.
//!
//! This is the hot path: it allocates nothing and looks at each octet about once.

use std::borrow::Cow;

use super::quoted;
use super::template::{size, status};
use crate::logs::address;
use crate::logs::moment::{self, STAMP_OCTETS, StampCache};
use crate::logs::request::{Escapes, Rejection, Request};
use crate::logs::zone::Zone;

/// Reads a line.
#[inline(always)]
pub(super) fn read<'a>(
    line: &'a [u8],
    stamps: &mut StampCache,
    zone: &Zone,
) -> Result<Request<'a>, Rejection> {
    let begin =
        if line.first() == Some(&b'[') { memchr::memchr(b']', line).unwrap_or(0) } else { 0 };
    let bracket = begin + memchr::memchr(b'[', &line[begin..]).ok_or(Rejection::NoTime)?;
    let (host, peer) = who(&line[..bracket])?;
    let rest = &line[bracket + 1..];
    let (told, rest) = match rest.split_first_chunk::<STAMP_OCTETS>() {
        Some((stamp, [b']', rest @ ..])) => (stamps.read(stamp).ok_or(Rejection::BadTime)?, rest),
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
    let (written, rest) = word(rest);
    let mut request = Request {
        at_s: told.at_s,
        offset_minutes: told.offset_minutes,
        again_s: told.again_s,
        peer: Cow::Borrowed(peer),
        host: Cow::Borrowed(host),
        method: Cow::Borrowed(method),
        target: Cow::Borrowed(target),
        status: status(written).ok_or(Rejection::BadStatus)?,
        escapes: Escapes::Backslash,
        ..Request::default()
    };
    let (octets, rest) = word(rest);
    request.octets = size(octets);
    if !rest.is_empty() {
        let (_, rest) = field(rest)?;
        if !rest.is_empty() {
            let (user_agent, rest) = field(rest)?;
            request.user_agent = Cow::Borrowed(said(user_agent));
            if !rest.is_empty() {
                more(rest, &mut request);
            }
        }
    }
    Ok(request)
}

/// The host, if one is written, and the peer, from what stands before the time.
#[inline]
fn who(before: &[u8]) -> Result<(&[u8], &[u8]), Rejection> {
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

/// What follows the user-agent header: X-Forwarded-For in quotes, or a host without.
#[cold]
fn more<'a>(mut rest: &'a [u8], request: &mut Request<'a>) {
    while !rest.is_empty() {
        let is_quoted = rest[0] == b'"';
        let Ok((value, after)) = field(rest) else { return };
        rest = after;
        let value = said(value);
        if is_quoted && request.forwarded_for.is_none() && is_chain(value) {
            request.forwarded_for = Some(Cow::Borrowed(value));
        } else if !is_quoted && request.host.is_empty() && is_host(value) {
            request.host = Cow::Borrowed(value);
        }
    }
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
