//! A line's format as a template: `$remote_addr - $remote_user [$time_local] "$request" …`, as nginx
//! names its variables, or Apache's `%h %l %u %t "%r" …`.
//!
//! Between two fields stands a literal text, and a field ends where it begins: at the closing quote,
//! where the text begins with one. What follows the last piece is not looked at, since servers append
//! fields.

use std::borrow::Cow;

use super::quoted;
use crate::logs::moment::{self, Told};
use crate::logs::request::{Escapes, Octets, Rejection, Request, SingleAddress};
use crate::logs::zone::Zone;

/// What a field of a template holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// The address that the server spoke to.
    Peer,
    /// The same with a port, behind the last colon.
    PeerWithPort,
    /// The X-Forwarded-For field.
    ForwardedFor,
    /// The Forwarded field.
    Forwarded,
    /// A header that holds one address.
    Single(&'static str),
    /// The host that was asked.
    Host,
    /// When.
    Time,
    /// The whole request line.
    Line,
    /// The method.
    Method,
    /// The target with its query.
    Target,
    /// The target without its query.
    Path,
    /// The query.
    Query,
    /// The status.
    Status,
    /// Octets of the answer.
    Size,
    /// The user-agent header.
    UserAgent,
    /// Captured headers, among which the user-agent header may be.
    Captures,
    /// Anything else.
    Other,
}

/// One piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(Vec<u8>),
    Field(Field),
}

/// A format as pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

/// The names of fields, as nginx and Apache have them.
const NAMES: &[(&str, Field)] = &[
    ("remote_addr", Field::Peer),
    ("remote_addr_port", Field::PeerWithPort),
    ("realip_remote_addr", Field::Peer),
    ("http_x_forwarded_for", Field::ForwardedFor),
    ("proxy_add_x_forwarded_for", Field::ForwardedFor),
    ("http_forwarded", Field::Forwarded),
    ("http_cf_connecting_ip", Field::Single("cf-connecting-ip")),
    ("http_true_client_ip", Field::Single("true-client-ip")),
    ("http_x_real_ip", Field::Single("x-real-ip")),
    ("http_fastly_client_ip", Field::Single("fastly-client-ip")),
    ("host", Field::Host),
    ("http_host", Field::Host),
    ("server_name", Field::Host),
    ("time_local", Field::Time),
    ("time_iso8601", Field::Time),
    ("msec", Field::Time),
    ("request", Field::Line),
    ("request_method", Field::Method),
    ("request_uri", Field::Target),
    ("uri", Field::Path),
    ("args", Field::Query),
    ("query_string", Field::Query),
    ("status", Field::Status),
    ("body_bytes_sent", Field::Size),
    ("bytes_sent", Field::Size),
    ("http_user_agent", Field::UserAgent),
    ("captures", Field::Captures),
];

/// Apache's letters.
const LETTERS: &[(u8, Field)] = &[
    (b'h', Field::Peer),
    (b'a', Field::Peer),
    (b'v', Field::Host),
    (b'V', Field::Host),
    (b'r', Field::Line),
    (b'm', Field::Method),
    (b'U', Field::Path),
    (b'q', Field::Query),
    (b's', Field::Status),
    (b'b', Field::Size),
    (b'B', Field::Size),
    (b'O', Field::Size),
];

impl Template {
    /// Reads a template; `Err` says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_apache = !text.contains('$') && text.contains('%');
        let mut pieces: Vec<Piece> = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let mark = if is_apache { '%' } else { '$' };
            let at = rest.find(mark).unwrap_or(rest.len());
            push_literal(&mut pieces, &rest.as_bytes()[..at]);
            rest = &rest[at..];
            if rest.is_empty() {
                break;
            }
            rest = if is_apache { apache(rest, &mut pieces)? } else { nginx(rest, &mut pieces)? };
        }
        let has = |wanted: Field| pieces.contains(&Piece::Field(wanted));
        if !has(Field::Time) {
            return Err("no field holds the time: $time_local, $time_iso8601, $msec or %t".into());
        }
        let touches = |pair: &[Piece]| matches!(pair, [Piece::Field(_), Piece::Field(_)]);
        if pieces.windows(2).any(touches) {
            return Err("two fields touch: nothing says where the first ends".into());
        }
        Ok(Self(pieces))
    }

    /// Reads a line.
    pub(super) fn read<'a>(&self, line: &'a [u8], zone: &Zone) -> Result<Request<'a>, Rejection> {
        let mut found = Found::default();
        let mut rest = line;
        for (place, piece) in self.0.iter().enumerate() {
            match piece {
                Piece::Literal(text) => {
                    // The last literal may be cut off with what it would introduce.
                    rest = rest.strip_prefix(text.as_slice()).ok_or(Rejection::MissingFields)?;
                }
                Piece::Field(field) => {
                    let end = match self.0.get(place + 1) {
                        Some(Piece::Literal(text)) if text[0] == b'"' => {
                            quoted::end(rest).ok_or(Rejection::Unclosed)?
                        }
                        Some(Piece::Literal(text)) => {
                            memchr::memmem::find(rest, text).ok_or(Rejection::MissingFields)?
                        }
                        _ => rest.len(),
                    };
                    found.take(*field, &rest[..end], zone)?;
                    rest = &rest[end..];
                }
            }
        }
        found.request()
    }
}

/// Adds a literal text to the one before it, or as one of its own.
fn push_literal(pieces: &mut Vec<Piece>, text: &[u8]) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Literal(before)) => before.extend_from_slice(text),
        _ => pieces.push(Piece::Literal(text.to_vec())),
    }
}

/// Reads one `$name` or `${name}`; returns what follows it.
fn nginx<'t>(text: &'t str, pieces: &mut Vec<Piece>) -> Result<&'t str, String> {
    let after = &text[1..];
    let (name, rest) = match after.strip_prefix('{') {
        Some(braced) => braced.split_once('}').ok_or("a ${ does not end")?,
        None => {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = after.find(|c| !is_name(c)).unwrap_or(after.len());
            after.split_at(end)
        }
    };
    let field = NAMES.iter().find(|(known, _)| *known == name).map_or(Field::Other, |&(_, f)| f);
    pieces.push(Piece::Field(field));
    Ok(rest)
}

/// Reads one directive of Apache; returns what follows it.
fn apache<'t>(text: &'t str, pieces: &mut Vec<Piece>) -> Result<&'t str, String> {
    // A directive may bear modifiers: %>s, %!200,304b.
    let after = text[1..]
        .trim_start_matches(|c: char| matches!(c, '<' | '>' | '!' | ',') || c.is_ascii_digit());
    if let Some(rest) = after.strip_prefix('%') {
        push_literal(pieces, b"%");
        return Ok(rest);
    }
    if let Some(braced) = after.strip_prefix('{') {
        let (name, rest) = braced.split_once('}').ok_or("a %{ does not end")?;
        let letter = rest.chars().next().ok_or("a %{…} has no letter")?;
        pieces.push(Piece::Field(header(name, letter)));
        return Ok(&rest[letter.len_utf8()..]);
    }
    let letter = after.chars().next().ok_or("a % stands at the end")?;
    let rest = &after[letter.len_utf8()..];
    if letter == 't' {
        push_literal(pieces, b"[");
        pieces.push(Piece::Field(Field::Time));
        push_literal(pieces, b"]");
        return Ok(rest);
    }
    let known = LETTERS.iter().find(|(known, _)| char::from(*known) == letter);
    pieces.push(Piece::Field(known.map_or(Field::Other, |&(_, field)| field)));
    Ok(rest)
}

/// The field of `%{name}i` and its kin.
fn header(name: &str, letter: char) -> Field {
    let name = name.to_ascii_lowercase();
    match (letter, name.as_str()) {
        ('i', "user-agent") => Field::UserAgent,
        ('i', "x-forwarded-for") => Field::ForwardedFor,
        ('i', "forwarded") => Field::Forwarded,
        ('i', "host") => Field::Host,
        ('i', "cf-connecting-ip") => Field::Single("cf-connecting-ip"),
        ('i', "true-client-ip") => Field::Single("true-client-ip"),
        ('i', "x-real-ip") => Field::Single("x-real-ip"),
        ('i', "fastly-client-ip") => Field::Single("fastly-client-ip"),
        ('a' | 'h', _) => Field::Peer,
        ('t', _) => Field::Time,
        _ => Field::Other,
    }
}

/// What was found of a request so far; other formats with named fields fill it too.
#[derive(Default)]
pub(super) struct Found<'a> {
    pub(super) told: Option<Told>,
    pub(super) request: Request<'a>,
    pub(super) path: Option<Octets<'a>>,
    pub(super) query: Option<Octets<'a>>,
    pub(super) has_status: bool,
}

impl<'a> Found<'a> {
    /// Takes a field.
    fn take(&mut self, field: Field, value: &'a [u8], zone: &Zone) -> Result<(), Rejection> {
        let said = Cow::Borrowed(if value == b"-" { &[][..] } else { value });
        match field {
            Field::Time => {
                // Bitrix writes more behind the stamp, inside the brackets.
                self.told = Some(moment::any(value, zone).ok_or(Rejection::BadTime)?);
            }
            // What stands before the first literal of a template may be anything; an address has no
            // blanks.
            Field::Peer | Field::PeerWithPort if memchr::memchr(b' ', value).is_some() => {
                return Err(Rejection::NoAddress);
            }
            Field::PeerWithPort => {
                let end = memchr::memrchr(b':', value).unwrap_or(value.len());
                self.request.peer = Cow::Borrowed(&value[..end]);
            }
            Field::Line => {
                let (method, target) = Request::split(value);
                self.request.method = Cow::Borrowed(method);
                self.request.target = Cow::Borrowed(target);
            }
            Field::Status => {
                self.request.status = status(value).ok_or(Rejection::BadStatus)?;
                self.has_status = true;
            }
            Field::Captures => self.request.user_agent = Cow::Borrowed(captured_agent(value)),
            Field::Size => self.request.octets = size(value),
            field => self.put(field, said),
        }
        Ok(())
    }

    /// Puts a text where it belongs.
    pub(super) fn put(&mut self, field: Field, said: Octets<'a>) {
        let request = &mut self.request;
        match field {
            Field::Peer => request.peer = said,
            Field::ForwardedFor if !said.is_empty() => request.forwarded_for = Some(said),
            Field::Forwarded if !said.is_empty() => request.forwarded = Some(said),
            Field::Single(header) if !said.is_empty() => {
                request.single = Some(SingleAddress { header, value: said });
            }
            Field::Host => request.host = said,
            Field::Method => request.method = said,
            Field::Target => request.target = said,
            Field::Path => self.path = Some(said),
            Field::Query => self.query = Some(said),
            Field::UserAgent => request.user_agent = said,
            _ => {}
        }
    }

    /// The request, if it has a time.
    pub(super) fn request(self) -> Result<Request<'a>, Rejection> {
        let told = self.told.ok_or(Rejection::NoTime)?;
        let mut request = self.request;
        request.at_s = told.at_s;
        request.offset_minutes = told.offset_minutes;
        request.again_s = told.again_s;
        request.escapes = Escapes::Backslash;
        if request.target.is_empty()
            && let Some(path) = self.path
        {
            request.target = match self.query {
                Some(query) if !query.is_empty() => {
                    let query = query.strip_prefix(b"?").unwrap_or(&query);
                    Cow::Owned([&path, &b"?"[..], query].concat())
                }
                _ => path,
            };
        }
        Ok(request)
    }
}

/// A status: three digits, or 0 for none.
pub(super) fn status(value: &[u8]) -> Option<u16> {
    match value {
        b"-" | b"" | b"0" | b"-1" | b"000" => Some(0),
        [a @ b'1'..=b'9', b, c] if b.is_ascii_digit() && c.is_ascii_digit() => {
            Some(u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0'))
        }
        _ => None,
    }
}

/// Digits of a size that are read: as many as a number surely holds.
pub(super) const SIZE_DIGITS: usize = 18;

/// A size; what is no number is none.
pub(super) fn size(value: &[u8]) -> u64 {
    // HAProxy puts a plus before what was not yet whole.
    let digits = value.strip_prefix(b"+").unwrap_or(value);
    let end = digits.iter().position(|octet| !octet.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end.min(SIZE_DIGITS)].iter().fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'))
}

/// The user-agent header among captured headers, which bars part: the longest, since no other header
/// that is commonly captured is as long.
fn captured_agent(captures: &[u8]) -> &[u8] {
    captures.split(|&octet| octet == b'|').max_by_key(|piece| piece.len()).unwrap_or_default()
}
