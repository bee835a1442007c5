//! One HTTP/1 response as an archive stores it: status line, fields, body (RFC 9112); and a request.
//!
//! Lenient about line ends, since archives hold what servers sent. A chunked transfer coding is
//! taken off where the body really has it: many archives store the decoded body and leave the
//! field standing. Others, and we, give the field another name where the coding is taken off.

use url::{Position, Url};

use crate::observation::Field;

/// The field of a transfer coding.
const TRANSFER_CODING: &str = "transfer-encoding";

/// The name that archives give it where the coding is taken off the body that follows.
const TRANSFER_CODING_OFF: &str = "x-crawl-transfer-encoding";

/// A response taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Message {
    /// Its status.
    pub status: u16,
    /// The fields of its head, in order.
    pub fields: Vec<Field>,
    /// Its body without a transfer coding, its content coding still on.
    pub body: Vec<u8>,
}

impl Message {
    /// Reads a response; `None` where there is no status line.
    pub fn parse(octets: &[u8]) -> Option<Self> {
        let mut rest = octets;
        let status = status_of(next_line(&mut rest)?)?;
        let mut fields: Vec<Field> = Vec::new();
        while let Some(line) = next_line(&mut rest) {
            if line.is_empty() {
                break;
            }
            match (line.first(), fields.last_mut()) {
                (Some(b' ' | b'\t'), Some(folded)) => {
                    folded.value.push(b' ');
                    folded.value.extend_from_slice(line.trim_ascii());
                }
                _ => fields.extend(field_of(line)),
            }
        }
        let is_chunked = fields.iter().any(|field| {
            field.name == TRANSFER_CODING && field.value.eq_ignore_ascii_case(b"chunked")
        });
        let unchunked = if is_chunked { unchunked(rest) } else { None };
        for field in fields.iter_mut().filter(|field| field.name == TRANSFER_CODING_OFF) {
            field.name = TRANSFER_CODING.to_owned();
        }
        Some(Self { status, fields, body: unchunked.unwrap_or_else(|| rest.to_vec()) })
    }

    /// Writes the head of a response whose body follows without a transfer coding; `parse` reads
    /// the same back. The reason phrase is left empty (RFC 9112, 4): nobody kept it.
    pub fn head(status: u16, fields: &[Field]) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {status} \r\n").into_bytes();
        for field in fields {
            let name = match field.name.as_str() {
                TRANSFER_CODING => TRANSFER_CODING_OFF,
                name => name,
            };
            for part in [name.as_bytes(), b": ", &field.value, b"\r\n"] {
                head.extend_from_slice(part);
            }
        }
        head.extend_from_slice(b"\r\n");
        head
    }
}

/// The header fields of every request between Host and User-Agent, in the order of sending.
pub const REQUEST_FIELDS: [(&str, &str); 2] = [("accept", "*/*"), ("accept-encoding", "gzip")];

/// All header fields of a request, in the order of sending; `{host}` stands for the host asked.
pub fn request_fields(user_agent: &str) -> Vec<(String, String)> {
    let first = [("host", "{host}")].into_iter();
    let all = first.chain(REQUEST_FIELDS).chain([("user-agent", user_agent)]);
    all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The request for a URL as it goes over the wire; `None` where the URL cannot be asked.
pub fn request(url: &str, user_agent: &str) -> Option<Vec<u8>> {
    let url = Url::parse(url).ok()?;
    let host = &url[Position::BeforeHost..Position::AfterPort];
    let target = &url[Position::BeforePath..Position::AfterQuery];
    let fields = request_fields(user_agent).into_iter().map(|(name, value)| {
        let value = if name == "host" { host } else { &value };
        format!("{}: {value}\r\n", in_title_case(&name))
    });
    let fields: String = fields.collect();
    Some(format!("GET {target} HTTP/1.1\r\n{fields}\r\n").into_bytes())
}

/// A field's name as it goes over the wire: each word with a capital.
fn in_title_case(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.collect::<Vec<_>>().join("-")
}

/// Takes the next line, its end (CRLF or LF) left off; `None` at the end.
fn next_line<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    if rest.is_empty() {
        return None;
    }
    let end = memchr::memchr(b'\n', rest);
    let (line, after) = end.map_or((*rest, &[][..]), |end| (&rest[..end], &rest[end + 1..]));
    *rest = after;
    Some(line.strip_suffix(b"\r").unwrap_or(line))
}

/// The status of a line like `HTTP/1.1 200 OK`.
fn status_of(line: &[u8]) -> Option<u16> {
    let mut words = line.split(|&octet| octet == b' ');
    let is_http = words.next()?.to_ascii_uppercase().starts_with(b"HTTP/");
    let status = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
    (is_http && (100..1000).contains(&status)).then_some(status)
}

/// The field of a line like `Server: x`; a line without a colon holds none.
fn field_of(line: &[u8]) -> Option<Field> {
    let colon = memchr::memchr(b':', line)?;
    let name = String::from_utf8_lossy(line[..colon].trim_ascii()).to_ascii_lowercase();
    Some(Field { name, value: line[colon + 1..].trim_ascii().to_vec() })
}

/// A body without its chunked coding; `None` where it has none (RFC 9112, 7.1).
fn unchunked(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = next_line(&mut rest)?;
        let digits = line.split(|&octet| octet == b';').next()?.trim_ascii();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let size = usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(..size)?);
        rest = &rest[size..];
        if !next_line(&mut rest)?.is_empty() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Message;
    use crate::observation::Field;

    #[test]
    fn a_response_is_read_with_either_line_end_and_folded_fields() {
        for text in
            ["HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\nx\r\ny", "HTTP/1.1 200\nA:b\n\tc\n\nx\r\ny"]
        {
            let message = Message::parse(text.as_bytes()).expect(text);
            assert_eq!((message.status, message.body.as_slice()), (200, &b"x\r\ny"[..]));
            assert_eq!(message.fields[0].name, "a");
            assert_eq!(message.fields[0].value, b"b c");
        }
    }

    #[test]
    fn a_body_loses_its_chunks_only_where_it_has_them() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (stored, body) in [
            ("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", "abcde"),
            ("User-agent: *\r\n", "User-agent: *\r\n"),
            ("3\r\nab", "3\r\nab"),
            ("", ""),
        ] {
            let message = Message::parse(format!("{head}{stored}").as_bytes()).expect(stored);
            assert_eq!(message.body, body.as_bytes());
        }
    }

    #[test]
    fn a_written_head_reads_back_as_it_was_whatever_the_body_looks_like() {
        let field = |name: &str, value: &[u8]| Field { name: name.into(), value: value.to_vec() };
        let fields = vec![
            field("transfer-encoding", b"chunked"),
            field("x-robots-tag", b"noindex, nofollow"),
            field("x-robots-tag", b"caf\xE9: \xC3\xA9"),
            field("server", b""),
        ];
        for body in [&b""[..], b"3\r\nabc\r\n0\r\n\r\n", b"\r\n\r\n", b"\x1F\x8B\x00"] {
            let mut octets = Message::head(503, &fields);
            octets.extend_from_slice(body);
            let expected = Message { status: 503, fields: fields.clone(), body: body.to_vec() };
            assert_eq!(Message::parse(&octets), Some(expected));
        }
    }

    #[test]
    fn what_has_no_status_line_is_no_response() {
        for text in ["", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "<html>"] {
            assert_eq!(Message::parse(text.as_bytes()), None, "{text}");
        }
    }
}
