//! How the fixture internet speaks HTTP/1.1 (RFC 9112): request in, reply or fault out.
//!
//! Written by hand, since most of its replies are ones that no HTTP library would send. Which
//! reply it is stands in `site`, and how one goes wrong in `faults`.

use std::io::{self, Write as _};
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::faults::fail;
use super::handshake::farewell;
use super::server::{PATIENCE, Stage};
use super::site::{Fault, Reply};

/// Octets of a request's head.
const HEAD_OCTETS: usize = 64 * 1024;

/// A connection that can be reset.
pub(super) trait Peer: AsyncRead + AsyncWrite + Unpin {
    /// The TCP connection beneath.
    fn tcp(&self) -> &TcpStream;

    /// Writes octets and lets none of them wait.
    async fn write_all_now(&mut self, octets: &[u8]) -> io::Result<()> {
        self.write_all(octets).await?;
        self.flush().await
    }
}

impl Peer for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Peer for TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// Plays one connection to the port that stands for 80.
pub(super) async fn visit(stage: Arc<Stage>, stream: TcpStream) -> io::Result<()> {
    converse(&stage, stream, None).await
}

/// Answers requests until the connection ends.
///
/// The Host field selects the site, or the name of the handshake where there is no such field.
pub(super) async fn converse<S: Peer>(
    stage: &Stage,
    mut stream: S,
    name: Option<String>,
) -> io::Result<()> {
    let mut unread = Vec::new();
    loop {
        let request = tokio::time::timeout(PATIENCE, Request::read(&mut stream, &mut unread));
        let Some(request) = request.await?? else { return farewell(stream, b"").await };
        let host = request.host.clone().or_else(|| name.clone()).unwrap_or_default();
        let site = stage.site(&host).unwrap_or_default();
        let reply = site.reply(&request.target);
        if reply.fault != Fault::None {
            let wire = Wire::of(reply, &request, &host)?;
            return fail(stream, reply.fault, &wire).await;
        }
        let message = Wire::of(reply, &request, &host)?;
        let sent = tokio::time::timeout(PATIENCE, message.send(&mut stream, request.is_head));
        sent.await??;
        if !request.is_kept_alive {
            return farewell(stream, b"").await;
        }
    }
}

/// What matters of a request.
struct Request {
    target: String,
    host: Option<String>,
    is_head: bool,
    is_kept_alive: bool,
    /// What the peer has already, by the field of a reply that says so (RFC 9110, 13.1).
    has: [(&'static str, Option<String>); 2],
}

impl Request {
    /// Reads the next head; `None` where the peer has left. `unread` keeps what follows it.
    async fn read<S: Peer>(stream: &mut S, unread: &mut Vec<u8>) -> io::Result<Option<Self>> {
        let mut piece = [0; 4096];
        loop {
            if let Some(end) = memchr::memmem::find(unread, b"\r\n\r\n") {
                let request = Self::parse(&String::from_utf8_lossy(&unread[..end]));
                unread.drain(..end + 4);
                return request.map(Some).ok_or_else(|| io::ErrorKind::InvalidData.into());
            }
            if unread.len() > HEAD_OCTETS {
                return Err(io::ErrorKind::InvalidData.into());
            }
            match stream.read(&mut piece).await? {
                0 => return Ok(None),
                length => unread.extend_from_slice(&piece[..length]),
            }
        }
    }

    /// Reads a head; `None` where its first line is no request line.
    fn parse(head: &str) -> Option<Self> {
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        let fields: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
        let written = |name: &str| {
            let mut values = fields.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
            values.next().map(|(_, value)| value.trim().to_owned())
        };
        let field = |name: &str| written(name).map(|value| value.to_ascii_lowercase());
        let host = field("host").map(|host| {
            let name = host.split(':').next().unwrap_or_default();
            name.strip_suffix('.').unwrap_or(name).to_owned()
        });
        let says_close = field("connection").is_some_and(|value| value.contains("close"));
        Some(Self {
            target: target.to_owned(),
            host,
            is_head: method == "HEAD",
            is_kept_alive: version == "HTTP/1.1" && !says_close,
            has: [
                ("etag", written("if-none-match")),
                ("last-modified", written("if-modified-since")),
            ],
        })
    }

    /// Whether the peer has what a reply holds: by its entity tag or, where it names none, by its
    /// date.
    fn has_already(&self, reply: &Reply) -> bool {
        let named = self.has.iter().find_map(|(name, value)| Some((*name, value.as_deref()?)));
        named.is_some_and(|(name, value)| {
            let is_it = |(key, held): &(String, String)| {
                key.eq_ignore_ascii_case(name) && held.trim() == value
            };
            reply.status == 200 && reply.fields.iter().any(is_it)
        })
    }

    /// The target without its query.
    fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or(&self.target)
    }
}

/// A reply as it goes onto the wire.
pub(super) struct Wire {
    status: u16,
    fields: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    closes: bool,
}

impl Wire {
    /// Fills in a template and applies the content coding; what the peer has already is not sent.
    fn of(reply: &Reply, request: &Request, host: &str) -> io::Result<Self> {
        let mut fields = reply.fields.clone();
        if request.has_already(reply) {
            let closes = !request.is_kept_alive;
            return Ok(Self { status: 304, fields, body: Vec::new(), closes });
        }
        let mut body = if reply.template {
            let text = String::from_utf8_lossy(&reply.body);
            text.replace("{path}", request.path()).replace("{host}", host).into_bytes()
        } else {
            reply.body.clone()
        };
        if reply.gzip {
            let level = flate2::Compression::fast();
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(&body)?;
            body = encoder.finish()?;
            fields.push(("content-encoding".into(), "gzip".into()));
        }
        Ok(Self { status: reply.status, fields, body, closes: !request.is_kept_alive })
    }

    /// Sends the whole reply.
    async fn send<S: Peer>(&self, stream: &mut S, is_head: bool) -> io::Result<()> {
        let mut octets = self.head(self.closes);
        if !is_head && self.has_body() {
            octets.extend_from_slice(&self.body);
        }
        stream.write_all(&octets).await?;
        stream.flush().await
    }

    /// Whether a reply of this status may have a body at all (RFC 9110, 6.4.1).
    fn has_body(&self) -> bool {
        !matches!(self.status, 100..200 | 204 | 304)
    }

    /// The head, with the body's length where the reply does not state its own framing.
    pub(super) fn head(&self, closes: bool) -> Vec<u8> {
        let mut lines = self.lines();
        let states = |name: &str| self.fields.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
        if self.has_body() && !states("content-length") && !states("transfer-encoding") {
            lines.push_str(&format!("content-length: {}\r\n", self.body.len()));
        }
        if closes && !states("connection") {
            lines.push_str("connection: close\r\n");
        }
        lines.push_str("\r\n");
        lines.into_bytes()
    }

    /// The status line and the reply's own fields.
    pub(super) fn lines(&self) -> String {
        let fields: String =
            self.fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("HTTP/1.1 {} {}\r\n{fields}", self.status, phrase(self.status))
    }
}

/// The phrase beside a status, which nobody reads by machine.
fn phrase(status: u16) -> &'static str {
    match status {
        200..300 => "OK",
        300..400 => "Elsewhere",
        400..500 => "Refused",
        _ => "Trouble",
    }
}

#[cfg(test)]
mod tests {
    use super::{Request, Wire};
    use crate::world::site::Reply;

    fn request(head: &str) -> Request {
        Request::parse(head).expect("a request")
    }

    #[test]
    fn the_host_field_is_read_whatever_its_case_and_port() {
        let request = request("GET /a?b HTTP/1.1\r\nHOST: A.Test.:8080\r\nAccept: */*");
        assert_eq!(request.host.as_deref(), Some("a.test"));
        assert_eq!((request.target.as_str(), request.path()), ("/a?b", "/a"));
        assert!(request.is_kept_alive && !request.is_head);
    }

    #[test]
    fn a_connection_is_kept_unless_the_peer_says_otherwise() {
        assert!(!request("GET / HTTP/1.0\r\nHost: a").is_kept_alive);
        assert!(!request("GET / HTTP/1.1\r\nConnection: Close").is_kept_alive);
        assert!(Request::parse("nonsense").is_none());
    }

    #[test]
    fn what_the_peer_has_already_is_not_sent_again() {
        let fields = [("etag", "\"One\""), ("last-modified", "yesterday")];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let reply = Reply { status: 200, fields, body: b"x".to_vec(), ..Reply::default() };
        for (field, status) in [
            ("If-None-Match: \"One\"", 304),
            ("If-None-Match: \"one\"", 200),
            ("If-Modified-Since: yesterday", 304),
            ("If-None-Match: \"two\"\r\nIf-Modified-Since: yesterday", 200),
            ("Accept: */*", 200),
        ] {
            let asked = request(&format!("GET / HTTP/1.1\r\n{field}"));
            let wire = Wire::of(&reply, &asked, "a.test").expect("a reply");
            assert_eq!((wire.status, wire.body.is_empty()), (status, status == 304), "{field}");
        }
    }

    #[test]
    fn a_template_names_the_path_without_its_query_and_the_host() {
        let body = b"no {path} on {host}".to_vec();
        let reply = Reply { body, template: true, ..Reply::default() };
        let wire = Wire::of(&reply, &request("GET /x?y HTTP/1.1"), "a.test").expect("a reply");
        assert_eq!(wire.body, b"no /x on a.test");
        let head = String::from_utf8(wire.head(false)).expect("text");
        assert!(head.starts_with("HTTP/1.1 404 ") && head.contains("content-length: 15\r\n"));
    }
}
