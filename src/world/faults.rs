//! How a reply of the fixture internet goes wrong on the wire.
//!
//! Each fault ends its connection. Where an end is meant as a close, the peer is heard out first, so
//! that no reset takes its place by chance.

use std::io;
use std::time::Duration;

use super::exchange::{Peer, Wire};
use super::handshake::{farewell, hear_out};
use super::server::PATIENCE;
use super::site::Fault;

/// Fields of a head that has more of them than anyone reads.
const FLOOD_FIELDS: usize = 2_000;

/// Octets of a field that is larger than anyone reads.
const BIG_FIELD_OCTETS: usize = 90_000;

/// Pause between the pieces of an answer without end.
const DRIP: Duration = Duration::from_millis(50);

/// Octets that are not HTTP.
const GARBAGE: &[u8] =
    b"\x00\x01\x02 this is not the protocol you are looking for \xFE\xFF\r\n\r\n";

/// What an HTTP/2 server says first (RFC 9113, 3.4 and 6.5): a SETTINGS frame, here an empty one,
/// and the answer to one that was never sent.
const HTTP2_SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0];

/// An interim answer (RFC 8297).
const HINT: &[u8] = b"HTTP/1.1 103 Hints\r\nlink: </style.css>\r\n\r\n";

/// Sends a reply that goes wrong.
pub(super) async fn fail<S: Peer>(mut stream: S, fault: Fault, wire: &Wire) -> io::Result<()> {
    let whole = || [&wire.head(false)[..], &wire.body].concat();
    let half = &wire.body[..wire.body.len() / 2];
    let cut = || [&wire.head(true), half].concat();
    match fault {
        Fault::ResetBeforeHead => stream.tcp().set_zero_linger(),
        Fault::CloseBeforeHead => farewell(stream, b"").await,
        Fault::CutHead => farewell(stream, wire.lines().trim_end().as_bytes()).await,
        Fault::Silent => hear_out(stream).await,
        Fault::DripHead => drip(stream, wire.lines().as_bytes(), b"x").await,
        Fault::EndlessHints => drip(stream, b"", HINT).await,
        Fault::ResetInBody => {
            stream.write_all_now(&cut()).await?;
            stream.tcp().set_zero_linger()
        }
        Fault::ShortBody => farewell(stream, &cut()).await,
        Fault::CutChunk => farewell(stream, &wire.chunked(b"7fff\r\nhalf of it")).await,
        Fault::SilentInBody => {
            stream.write_all_now(&cut()).await?;
            hear_out(stream).await
        }
        Fault::Drip => drip(stream, &wire.chunked(b""), b"1\r\n#\r\n").await,
        Fault::BadChunk => {
            let chunk = [b"not a size\r\n", &wire.body[..], b"\r\n0\r\n\r\n"].concat();
            farewell(stream, &wire.chunked(&chunk)).await
        }
        Fault::CutGzip => farewell(stream, &wire.cut_gzip()).await,
        Fault::TwoLengths => farewell(stream, &wire.with_field("content-length: 1")).await,
        Fault::HeaderFlood => farewell(stream, &wire.flooded()).await,
        Fault::BigHead => {
            let field = format!("x-big: {}", "b".repeat(BIG_FIELD_OCTETS));
            farewell(stream, &wire.with_field(&field)).await
        }
        Fault::BadStatus => farewell(stream, &wire.with_first_line("HTTP/1.1 two OK")).await,
        Fault::BadVersion => farewell(stream, &wire.with_first_line("HTTP/3.7 200 OK")).await,
        Fault::Http2 => farewell(stream, HTTP2_SETTINGS).await,
        Fault::Garbage => farewell(stream, GARBAGE).await,
        Fault::Surplus => farewell(stream, &[&whole(), GARBAGE].concat()).await,
        Fault::None | Fault::CloseAfter => farewell(stream, &whole()).await,
        Fault::Http10 => {
            farewell(stream, &[b"HTTP/1.0 200 OK\r\n\r\n", &wire.body[..]].concat()).await
        }
    }
}

/// Sends a beginning and then a piece again and again, until the peer leaves or patience ends.
async fn drip<S: Peer>(mut stream: S, beginning: &[u8], piece: &[u8]) -> io::Result<()> {
    let dripping = async {
        stream.write_all_now(beginning).await?;
        loop {
            stream.write_all_now(piece).await?;
            tokio::time::sleep(DRIP).await;
        }
    };
    tokio::time::timeout(PATIENCE, dripping).await?
}

impl Wire {
    /// The head of a chunked body, and what follows it.
    fn chunked(&self, what_follows: &[u8]) -> Vec<u8> {
        let head = format!("{}transfer-encoding: chunked\r\n\r\n", self.lines());
        [head.as_bytes(), what_follows].concat()
    }

    /// A reply with a further field.
    fn with_field(&self, field: &str) -> Vec<u8> {
        let length = self.body.len();
        let head = format!("{}content-length: {length}\r\n{field}\r\n\r\n", self.lines());
        [head.as_bytes(), &self.body].concat()
    }

    /// A reply that begins otherwise.
    fn with_first_line(&self, line: &str) -> Vec<u8> {
        let head = format!("{line}\r\ncontent-length: {}\r\n\r\n", self.body.len());
        [head.as_bytes(), &self.body].concat()
    }

    /// A reply whose gzip stream lacks its end, though the message has its declared length.
    fn cut_gzip(&self) -> Vec<u8> {
        let cut = &self.body[..self.body.len().saturating_sub(9)];
        let head = format!("{}content-length: {}\r\n\r\n", self.lines(), cut.len());
        [head.as_bytes(), cut].concat()
    }

    /// A reply whose head has no sensible end.
    fn flooded(&self) -> Vec<u8> {
        let flood: String = (0..FLOOD_FIELDS)
            .map(|number| format!("x-flood-{number:04}: one field more than anyone reads\r\n"))
            .collect();
        format!("{}{flood}content-length: 0\r\n\r\n", self.lines()).into_bytes()
    }
}
