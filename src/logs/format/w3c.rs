//! The extended log format of the W3C (WD-logfile-960323), as IIS, CloudFront and others write it:
//! a `#Fields` line names the fields of the lines behind it, and may come again.

use std::borrow::Cow;

use super::template::{Field, Found, size, status};
use crate::logs::moment;
use crate::logs::request::{Escapes, Octets, Rejection, Request};
use crate::logs::zone::Zone;

/// What a `#Fields` line begins with.
pub const HEADER: &[u8] = b"#Fields:";

/// The fields of CloudFront's standard logs, which are often kept without their header.
const CLOUDFRONT: &[u8] =
    b"date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem \
    sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type \
    x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for";

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Date,
    Clock,
    Field(Field),
    /// A host that is kept only where no better one is named.
    LesserHost,
    /// A URL with its host.
    Url,
    Other,
}

/// The columns that a header names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    columns: Vec<Column>,
    /// Whether only tabs part the values.
    is_tabbed: bool,
    /// Whether times are those of the server's zone, and not of UTC, as the norm asks.
    is_local: bool,
    escapes: Escapes,
}

impl Columns {
    /// The columns of a `#Fields` line.
    pub fn of_header(line: &[u8]) -> Self {
        let names = line.strip_prefix(HEADER).unwrap_or(line);
        let is_cloudfront = memchr::memmem::find(names, b"x-edge-").is_some();
        let columns = names
            .split(|octet| octet.is_ascii_whitespace())
            .filter(|name| !name.is_empty())
            .map(|name| column(&name.to_ascii_lowercase()));
        let escapes = if is_cloudfront { Escapes::Percent } else { Escapes::Plus };
        let is_local = memchr::memmem::find(names, b"time-local").is_some();
        Self { columns: columns.collect(), is_tabbed: is_cloudfront, is_local, escapes }
    }

    /// The columns of CloudFront's standard logs.
    pub fn cloudfront() -> Self {
        Self::of_header(CLOUDFRONT)
    }

    /// Reads a line.
    pub(super) fn read<'a>(&self, line: &'a [u8], zone: &Zone) -> Result<Request<'a>, Rejection> {
        let mut found = Found::default();
        let (mut date, mut clock) = (&[][..], &[][..]);
        let mut url = None;
        let mut count = 0;
        let values = Values { rest: line, is_tabbed: self.is_tabbed };
        for (value, column) in values.zip(&self.columns) {
            count += 1;
            match column {
                Column::Date => date = value,
                Column::Clock => clock = value,
                Column::Field(Field::Status) => {
                    found.request.status = status(value).ok_or(Rejection::BadStatus)?;
                }
                Column::Field(Field::Size) => found.request.octets = size(value),
                Column::Field(field) if value != b"-" && !value.is_empty() => {
                    found.put(*field, self.listed(*field, value));
                }
                Column::LesserHost if found.request.host.is_empty() && value != b"-" => {
                    found.request.host = Cow::Borrowed(value);
                }
                Column::Url if value != b"-" => url = Some(value),
                _ => {}
            }
        }
        if count < self.columns.len().min(6) {
            return Err(Rejection::MissingFields);
        }
        let zone = if self.is_local { zone } else { &Zone::UTC };
        found.told = Some(told(date, clock, zone)?);
        if let Some(url) = url {
            found.path = Some(Cow::Borrowed(url));
        }
        let mut request = found.request()?;
        request.escapes = self.escapes;
        if !self.is_local {
            // The norm asks for times in UTC: what it does not write need not be said.
            request.offset_minutes = Some(0);
        }
        Ok(request)
    }

    /// A value; CloudFront parts the entries of X-Forwarded-For by an escaped blank.
    fn listed<'a>(&self, field: Field, value: &'a [u8]) -> Octets<'a> {
        match (field, self.escapes) {
            (Field::ForwardedFor, Escapes::Percent) => {
                let text = String::from_utf8_lossy(value).replace("%20", " ").replace("%2C", ",");
                Cow::Owned(text.into_bytes())
            }
            (Field::ForwardedFor, Escapes::Plus) if value.contains(&b'+') => {
                Cow::Owned(value.iter().map(|&o| if o == b'+' { b' ' } else { o }).collect())
            }
            _ => Cow::Borrowed(value),
        }
    }
}

/// The moment of a date and a time of day.
fn told(date: &[u8], clock: &[u8], zone: &Zone) -> Result<moment::Told, Rejection> {
    if date.is_empty() {
        return Err(Rejection::NoTime);
    }
    let mut text = [b' '; 40];
    let length = date.len() + 1 + clock.len();
    let text = text.get_mut(..length).ok_or(Rejection::BadTime)?;
    text[..date.len()].copy_from_slice(date);
    text[date.len() + 1..].copy_from_slice(clock);
    moment::any(text, zone).ok_or(Rejection::BadTime)
}

/// What a column of a name holds.
fn column(name: &[u8]) -> Column {
    Column::Field(match name {
        b"date" | b"date-local" => return Column::Date,
        b"time" | b"time-local" => return Column::Clock,
        b"cs-host" | b"cs(host)" | b"s-computername" | b"s-sitename" => return Column::LesserHost,
        b"cs-uri" => return Column::Url,
        b"c-ip" => Field::Peer,
        b"x-forwarded-for" | b"cs(x-forwarded-for)" | b"s-xff" => Field::ForwardedFor,
        b"cs(cf-connecting-ip)" => Field::Single("cf-connecting-ip"),
        b"cs(true-client-ip)" => Field::Single("true-client-ip"),
        b"cs(x-real-ip)" => Field::Single("x-real-ip"),
        b"x-host-header" => Field::Host,
        b"cs-method" => Field::Method,
        b"cs-uri-stem" => Field::Path,
        b"cs-uri-query" => Field::Query,
        b"sc-status" => Field::Status,
        b"sc-bytes" | b"bytes" => Field::Size,
        b"cs(user-agent)" => Field::UserAgent,
        _ => return Column::Other,
    })
}

/// The values of a line: parted by blanks, or by tabs alone, and quoted where they hold blanks.
struct Values<'a> {
    rest: &'a [u8],
    is_tabbed: bool,
}

impl<'a> Iterator for Values<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.is_tabbed {
            return self.tabbed();
        }
        let blanks = self.rest.iter().position(|octet| !matches!(octet, b' ' | b'\t'))?;
        let text = &self.rest[blanks..];
        if let [b'"', inside @ ..] = text
            && let Some(end) = quote_end(inside)
        {
            self.rest = &inside[end + 1..];
            return Some(&inside[..end]);
        }
        let end = memchr::memchr2(b' ', b'\t', text).unwrap_or(text.len());
        self.rest = &text[end..];
        Some(&text[..end])
    }
}

impl<'a> Values<'a> {
    /// The next value up to a tab.
    fn tabbed(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\t', self.rest).unwrap_or(self.rest.len());
        let value = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        Some(value)
    }
}

/// The place of the quote that ends a value; two quotes are one of the value's own.
fn quote_end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'"', &text[at..])?;
        match text.get(at + 1) {
            Some(b'"') => at += 2,
            _ => return Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Columns, Rejection, Zone};
    use crate::stamp::Stamp;

    const IIS: &[u8] = b"#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port \
        cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken";

    #[test]
    fn a_header_says_where_the_fields_of_its_lines_are() {
        let columns = Columns::of_header(IIS);
        let line = b"2026-11-30 08:00:01 10.0.0.5 GET /a b=1 443 - 192.0.2.10 \
            Mozilla/5.0+(compatible;+bingbot/2.0;++http://www.bing.com/bingbot.htm) - 200 0 0 15";
        let request = columns.read(line, &Zone::UTC).unwrap();
        assert_eq!(request.at_s, Stamp::parse("2026-11-30T08:00:01Z").unwrap().unix());
        assert_eq!((&*request.peer, &*request.target), (&b"192.0.2.10"[..], &b"/a?b=1"[..]));
        let agent = b"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
        assert_eq!(&*request.plain_user_agent(), &agent[..]);
        assert_eq!(request.status, 200);
        assert_eq!(columns.read(b"2026-11-30 08:00:01", &Zone::UTC), Err(Rejection::MissingFields));
    }

    #[test]
    fn cloudfront_parts_by_tabs_and_escapes_with_percent_signs() {
        let line = b"2026-11-30\t08:00:01\tFRA50-P1\t512\t192.0.2.10\tGET\td111.cloudfront.net\t/a\t200\
            \t-\tPerplexityBot/1.0%20(+https://p.test/)\tb=1\t-\tMiss\tid\twww.example.com\thttps\t10\
            \t0.031\t203.0.113.7,%20198.51.100.1";
        let request = Columns::cloudfront().read(line, &Zone::UTC).unwrap();
        assert_eq!(&*request.host, b"www.example.com");
        assert_eq!(&*request.target, b"/a?b=1");
        assert_eq!(&*request.plain_user_agent(), b"PerplexityBot/1.0 (+https://p.test/)");
        assert_eq!(request.forwarded_for.as_deref(), Some(&b"203.0.113.7, 198.51.100.1"[..]));
        assert_eq!(request.octets, 512);
    }

    #[test]
    fn quoted_values_may_hold_blanks_and_doubled_quotes() {
        let columns =
            Columns::of_header(b"#Fields: date time c-ip cs(User-Agent) cs-host x sc-status");
        let line = br#"2026-11-30 08:00:01.363 "192.0.2.1" "A ""B"" C" www.example.com " x " 404"#;
        let request = columns.read(line, &Zone::UTC).unwrap();
        assert_eq!(&*request.user_agent, br#"A ""B"" C"#);
        assert_eq!((&*request.host, request.status), (&b"www.example.com"[..], 404));
    }
}
