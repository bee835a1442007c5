//! How the fixture internet shakes hands: read the ClientHello, look up its name, act.
//!
//! A silent or broken peer is played to its end here; a good handshake hands the connection to
//! `exchange`. A close is always a FIN after which the peer is still heard out, never a race
//! between FIN and RST: the same world must fail the same way twice.

use std::io;
use std::sync::Arc;

use rustls::server::Acceptor;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::LazyConfigAcceptor;

use super::exchange;
use super::server::{PATIENCE, Stage};
use super::site::Tls;

/// A fatal alert, handshake_failure (RFC 8446, 6.2).
const HANDSHAKE_FAILURE: [u8; 7] = [21, 3, 3, 0, 2, 2, 40];

/// A fatal alert, protocol_version.
const PROTOCOL_VERSION: [u8; 7] = [21, 3, 1, 0, 2, 2, 70];

/// A ServerHello of TLS 1.0 (RFC 2246, 7.4.1.3): a random value of zeros, no session, one cipher.
const OLD_HELLO: [u8; 47] = {
    let mut hello = [0; 47];
    let (start, cipher) = ([22, 3, 1, 0, 42, 2, 0, 0, 38, 3, 1], 0x2F);
    let mut at = 0;
    while at < start.len() {
        hello[at] = start[at];
        at += 1;
    }
    hello[45] = cipher;
    hello
};

/// A fatal alert, unrecognized_name.
const UNRECOGNIZED_NAME: [u8; 7] = [21, 3, 3, 0, 2, 2, 112];

/// What a web server without TLS says to a ClientHello.
const NOT_TLS: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// Plays one connection to the port that stands for 443.
pub(super) async fn visit(stage: Arc<Stage>, stream: TcpStream) -> io::Result<()> {
    let acceptor = LazyConfigAcceptor::new(Acceptor::default(), stream);
    let start = tokio::time::timeout(PATIENCE, acceptor).await??;
    let name = start.client_hello().server_name().map(str::to_ascii_lowercase);
    let site = name.as_deref().and_then(|name| stage.site(name));
    let (Some(name), Some(site)) = (name, site) else {
        return farewell(start.io, &UNRECOGNIZED_NAME).await;
    };
    match site.tls {
        Tls::Valid
        | Tls::Expired
        | Tls::WrongName
        | Tls::SelfSigned
        | Tls::NotYetValid
        | Tls::UnknownAuthority
        | Tls::WrongPurpose
        | Tls::ClientCertificate
        | Tls::Http2Only => {
            let configuration = stage.certificates.configuration(site.tls, &name)?;
            let handshake = start.into_stream(configuration).into_fallible();
            match tokio::time::timeout(PATIENCE, handshake).await? {
                Ok(stream) => exchange::converse(&stage, stream, Some(name)).await,
                // The alert is out; a close right behind unread octets would be a reset.
                Err((_, io)) => farewell(io, b"").await,
            }
        }
        Tls::Alert => farewell(start.io, &HANDSHAKE_FAILURE).await,
        Tls::ProtocolVersion => farewell(start.io, &PROTOCOL_VERSION).await,
        Tls::UnrecognizedName => farewell(start.io, &UNRECOGNIZED_NAME).await,
        Tls::OldVersion => farewell(start.io, &OLD_HELLO).await,
        Tls::Reset => start.io.set_zero_linger(),
        Tls::Closed => farewell(start.io, b"").await,
        Tls::NotTls => farewell(start.io, NOT_TLS).await,
        Tls::Silent => hear_out(start.io).await,
    }
}

/// Says a last word, closes, and hears the peer out.
pub(super) async fn farewell<S>(mut stream: S, word: &[u8]) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    stream.write_all(word).await?;
    stream.shutdown().await?;
    hear_out(stream).await
}

/// Says nothing until the peer leaves or patience ends.
pub(super) async fn hear_out<S: AsyncRead + Unpin>(mut stream: S) -> io::Result<()> {
    let mut ignored = [0; 4096];
    let heard = async {
        while stream.read(&mut ignored).await? > 0 {}
        Ok(())
    };
    tokio::time::timeout(PATIENCE, heard).await?
}
