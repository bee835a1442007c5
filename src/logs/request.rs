//! One line of a log, read: a request, or why it is none.
//!
//! A request borrows from its line; only what had to be decoded is owned. Nothing is judged here.

use std::borrow::Cow;

use crate::closed_list;

closed_list! {
    /// Why a line that is neither blank nor a directive is no request.
    pub enum Rejection {
        /// It begins with no address, or has none where its format keeps it.
        NoAddress = "no_address",
        /// It has no time.
        NoTime = "no_time",
        /// What stands where the time should is no moment.
        BadTime = "bad_time",
        /// A quoted field does not end.
        Unclosed = "unclosed",
        /// Fields of the format are missing.
        MissingFields = "missing_fields",
        /// The status is neither three digits nor missing.
        BadStatus = "bad_status",
        /// A line of a JSON log is not JSON.
        NotJson = "not_json",
        /// A W3C line stands before any `#Fields`.
        NoHeader = "no_header",
        /// No format that is known reads the file.
        UnknownFormat = "unknown_format",
    }
}

/// What a line is. `lines = parsed + blank + directives + rejected`, always.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "nearly every line is a request, and none may allocate"
)]
pub enum Line<'a> {
    /// A request.
    Request(Request<'a>),
    /// Nothing.
    Blank,
    /// A header or comment of the log itself, or a record about something else than a request.
    Directive,
    /// None of these.
    Rejected(Rejection),
}

impl Line<'_> {
    /// The line with octets of its own.
    pub(super) fn owned<'b>(self) -> Line<'b> {
        match self {
            Line::Request(request) => Line::Request(request.owned()),
            Line::Blank => Line::Blank,
            Line::Directive => Line::Directive,
            Line::Rejected(rejection) => Line::Rejected(rejection),
        }
    }
}

/// Octets of one line.
pub type Octets<'a> = Cow<'a, [u8]>;

/// How values of a line are escaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Escapes {
    /// Not at all.
    #[default]
    None,
    /// With a backslash, as Apache and nginx do: `\"`, `\\`, `\t`, `\xHH`.
    Backslash,
    /// Blanks as `+`, as IIS writes headers.
    Plus,
    /// With percent signs, as CloudFront writes headers.
    Percent,
}

/// A header that holds one address and that only a proxy of its own network can vouch for.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleAddress<'a> {
    /// The header's name, in lower case.
    pub header: &'static str,
    /// Its value.
    pub value: Octets<'a>,
}

/// One request as the log tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request<'a> {
    /// Seconds since 1970 in UTC.
    pub at_s: i64,
    /// Minutes by which the log's clock is before UTC; none where the line does not say.
    pub offset_minutes: Option<i16>,
    /// The later moment that it may have been made at too, where clocks that were put back showed it
    /// twice.
    pub again_s: Option<i64>,
    /// The address that the server spoke to, as written; empty where it is not logged.
    pub peer: Octets<'a>,
    /// The X-Forwarded-For field, as written.
    pub forwarded_for: Option<Octets<'a>>,
    /// The Forwarded field (RFC 7239), as written.
    pub forwarded: Option<Octets<'a>>,
    /// Another header that holds one address.
    pub single: Option<SingleAddress<'a>>,
    /// The host that was asked; empty where it is not logged.
    pub host: Octets<'a>,
    /// The method; empty where the request line is none.
    pub method: Octets<'a>,
    /// The request's target, with its query, still escaped as the log escapes; empty if there is none.
    pub target: Octets<'a>,
    /// The status that was answered; 0 where the log has none.
    pub status: u16,
    /// Octets that were answered, as far as the log says.
    pub octets: u64,
    /// The user-agent header, still escaped as the log escapes; empty where it is not logged.
    pub user_agent: Octets<'a>,
    /// How the values are escaped.
    pub escapes: Escapes,
}

impl Request<'_> {
    /// The request with octets of its own.
    fn owned<'b>(self) -> Request<'b> {
        let own = |octets: Octets<'_>| Cow::Owned(octets.into_owned());
        Request {
            at_s: self.at_s,
            offset_minutes: self.offset_minutes,
            again_s: self.again_s,
            peer: own(self.peer),
            forwarded_for: self.forwarded_for.map(own),
            forwarded: self.forwarded.map(own),
            single: self
                .single
                .map(|single| SingleAddress { header: single.header, value: own(single.value) }),
            host: own(self.host),
            method: own(self.method),
            target: own(self.target),
            status: self.status,
            octets: self.octets,
            user_agent: own(self.user_agent),
            escapes: self.escapes,
        }
    }

    /// The target without the log's escapes.
    pub fn plain_target(&self) -> Octets<'_> {
        // IIS and CloudFront escape headers only: a path keeps its own signs.
        match self.escapes {
            Escapes::Backslash => without_backslashes(&self.target),
            _ => Cow::Borrowed(&self.target),
        }
    }

    /// The user-agent header without the log's escapes.
    pub fn plain_user_agent(&self) -> Octets<'_> {
        match self.escapes {
            Escapes::None => Cow::Borrowed(&self.user_agent),
            Escapes::Backslash => without_backslashes(&self.user_agent),
            Escapes::Plus => with_blanks(&self.user_agent),
            Escapes::Percent => without_percents(&self.user_agent),
        }
    }

    /// Splits a request line into method and target; what is no request line leaves both empty.
    #[inline(always)]
    pub(super) fn split(line: &[u8]) -> (&[u8], &[u8]) {
        let is_method =
            |octet: &u8| octet.is_ascii_alphabetic() || *octet == b'-' || *octet == b'_';
        let end = line.iter().position(|octet| !is_method(octet)).unwrap_or(line.len());
        let (method, rest) = match line.split_at(end) {
            (method, [b' ', rest @ ..]) if !method.is_empty() => (method, rest),
            _ => return (&[], &[]),
        };
        let target = match rest.split_last_chunk::<9>() {
            // `HTTP/1.1`, nearly always: no search for the blank before it.
            Some((target, [b' ', b'H', b'T', b'T', b'P', b'/', version @ ..]))
                if !version.contains(&b' ') =>
            {
                target
            }
            _ => match memchr::memrchr(b' ', rest) {
                Some(last) if rest[last + 1..].starts_with(b"HTTP/") => &rest[..last],
                _ => rest,
            },
        };
        (method, target)
    }
}

/// A value without the escapes of Apache and nginx. What is no escape stands as it is.
pub(super) fn without_backslashes(value: &[u8]) -> Octets<'_> {
    let Some(first) = memchr::memchr(b'\\', value) else { return Cow::Borrowed(value) };
    let mut plain = value[..first].to_vec();
    let mut rest = &value[first..];
    while let [octet, after @ ..] = rest {
        let (decoded, length) = match (octet, after) {
            (b'\\', [b'x', high, low, ..]) if let Some(octet) = hex(*high, *low) => (octet, 4),
            (b'\\', [b'n', ..]) => (b'\n', 2),
            (b'\\', [b'r', ..]) => (b'\r', 2),
            (b'\\', [b't', ..]) => (b'\t', 2),
            (b'\\', [next @ (b'"' | b'\\' | b'/'), ..]) => (*next, 2),
            _ => (*octet, 1),
        };
        plain.push(decoded);
        rest = &rest[length..];
    }
    Cow::Owned(plain)
}

/// A value with a blank for every plus.
fn with_blanks(value: &[u8]) -> Octets<'_> {
    if memchr::memchr(b'+', value).is_none() {
        return Cow::Borrowed(value);
    }
    // `+http://` is how most crawlers begin their address, which IIS leaves as `++http://`.
    let mut plain = Vec::with_capacity(value.len());
    let mut octets = value.iter().copied().peekable();
    while let Some(octet) = octets.next() {
        if octet != b'+' {
            plain.push(octet);
            continue;
        }
        plain.push(b' ');
        if octets.next_if_eq(&b'+').is_some() {
            plain.push(b'+');
        }
    }
    Cow::Owned(plain)
}

/// A value with its percent escapes decoded, twice where it was encoded twice.
fn without_percents(value: &[u8]) -> Octets<'_> {
    if memchr::memchr(b'%', value).is_none() {
        return Cow::Borrowed(value);
    }
    let once = decoded(value);
    let is_double = memchr::memmem::find(value, b"%25").is_some();
    Cow::Owned(if is_double { decoded(&once) } else { once })
}

/// Octets with their percent escapes decoded once.
pub(super) fn decoded(value: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [octet, after @ ..] = rest {
        match (octet, after) {
            (b'%', [high, low, ..]) if let Some(octet) = hex(*high, *low) => {
                plain.push(octet);
                rest = &rest[3..];
            }
            _ => {
                plain.push(*octet);
                rest = after;
            }
        }
    }
    plain
}

/// The octet that two hexadecimal digits stand for.
fn hex(high: u8, low: u8) -> Option<u8> {
    let digit = |octet: u8| char::from(octet).to_digit(16);
    Some((digit(high)? << 4 | digit(low)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::{Request, with_blanks, without_backslashes, without_percents};

    #[test]
    fn a_request_line_is_a_method_a_target_and_perhaps_a_version() {
        for (line, method, target) in [
            ("GET / HTTP/1.1", "GET", "/"),
            ("GET /a b HTTP/1.1", "GET", "/a b"),
            ("GET /old", "GET", "/old"),
            ("GET /a HTTP/2", "GET", "/a"),
            ("GET /a HTTP/ .1", "GET", "/a HTTP/ .1"),
            ("GET /a  HTTP/1.0", "GET", "/a "),
            ("GET  HTTP/1.1", "GET", ""),
            ("GET HTTP/1.1", "GET", "HTTP/1.1"),
            ("M-SEARCH * HTTP/1.1", "M-SEARCH", "*"),
            ("G=T / HTTP/1.1", "", ""),
            (" / HTTP/1.1", "", ""),
            ("GET https://a.test/b HTTP/2", "GET", "https://a.test/b"),
            ("CONNECT a.test:443 HTTP/1.1", "CONNECT", "a.test:443"),
            ("-", "", ""),
            ("", "", ""),
            ("\\x16\\x03\\x01 \\x02", "", ""),
            ("HELP", "", ""),
        ] {
            let split = Request::split(line.as_bytes());
            assert_eq!(split, (method.as_bytes(), target.as_bytes()), "{line}");
        }
    }

    #[test]
    fn what_a_server_escaped_is_decoded() {
        for (written, plain) in [
            (r#"/a\"b"#, "/a\"b"),
            (r"/a\\b", "/a\\b"),
            (r"/a\x22b\x5C", "/a\"b\\"),
            (r"/a\tb\q\x2", "/a\tb\\q\\x2"),
            ("/a", "/a"),
        ] {
            assert_eq!(&*without_backslashes(written.as_bytes()), plain.as_bytes(), "{written}");
        }
        let iis = b"Mozilla/5.0+(compatible;+bingbot/2.0;++http://b.test/)";
        assert_eq!(&*with_blanks(iis), b"Mozilla/5.0 (compatible; bingbot/2.0; +http://b.test/)");
        assert_eq!(&*without_percents(b"a%20(b%2F"), b"a (b/");
        assert_eq!(&*without_percents(b"a%2520b%2528"), b"a b(");
    }
}
