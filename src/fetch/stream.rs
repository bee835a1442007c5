//! What a connection runs over: TCP, or TLS over TCP; and nothing is heard before a word was said.
//!
//! A peer may send octets as soon as a connection stands: an HTTP/2 server does, and so does one that
//! closes at once. Whether they arrive before or after our request is written is a race, and an HTTP
//! client tells the two apart. Until the first octet of a request is out a [`Stream`] therefore reads
//! nothing, so that such a peer is seen alike every time.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// The octets beneath HTTP.
pub(super) enum Layer {
    /// TCP alone, for `http`.
    Plain(TcpStream),
    /// TLS over TCP, for `https`.
    Secure(Box<TlsStream<TcpStream>>),
}

/// A layer that listens only once it has spoken.
pub(super) struct Stream {
    layer: Layer,
    has_spoken: bool,
    listener: Option<Waker>,
}

impl Stream {
    /// A stream on which nothing was said yet.
    pub(super) fn new(layer: Layer) -> Self {
        Self { layer, has_spoken: false, listener: None }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.has_spoken {
            self.listener = Some(context.waker().clone());
            return Poll::Pending;
        }
        match &mut self.layer {
            Layer::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Layer::Secure(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = match &mut self.layer {
            Layer::Plain(stream) => Pin::new(stream).poll_write(context, octets),
            Layer::Secure(stream) => Pin::new(stream).poll_write(context, octets),
        };
        if written.is_ready() {
            self.has_spoken = true;
            self.listener.take().into_iter().for_each(Waker::wake);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.layer {
            Layer::Plain(stream) => Pin::new(stream).poll_flush(context),
            Layer::Secure(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.layer {
            Layer::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Layer::Secure(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
