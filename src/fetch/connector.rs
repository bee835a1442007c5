//! Times connecting and the TLS handshake apart, each under its own deadline.
//!
//! The HTTP client opens a connection as one opaque step. A layer around that step sees its start
//! and its end; a TLS session store, which is looked into at the very moment a ClientHello is
//! written, marks where TCP ended and TLS began. The store never holds a session: resumption would
//! make a later handshake another measurement than the first.

use std::error::Error;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use rustls::NamedGroup;
use rustls::client::{ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;
use tower::{Layer, Service};

use crate::observation::Operation;
use crate::words::Word;

/// An error of any kind, as layers of a client pass it on.
pub(super) type AnyError = Box<dyn Error + Send + Sync>;

/// What a session is doing, readable when its future has been dropped at a deadline.
#[derive(Debug, Default)]
pub(super) struct Progress(AtomicU8);

impl Progress {
    /// Marks that an operation begins.
    pub(super) fn begin(&self, operation: Operation) {
        self.0.store(operation as u8, Ordering::Release);
    }

    /// The operation that began last.
    pub(super) fn operation(&self) -> Operation {
        let place = usize::from(self.0.load(Ordering::Acquire));
        Operation::ALL.get(place).copied().unwrap_or(Operation::Request)
    }
}

/// A step's own deadline has passed.
#[derive(Debug)]
pub(super) struct DeadlinePassed;

impl fmt::Display for DeadlinePassed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a deadline has passed")
    }
}

impl Error for DeadlinePassed {}

/// The layer around a client's connector.
#[derive(Clone)]
pub(super) struct Timed {
    pub(super) progress: Arc<Progress>,
    pub(super) connect: Duration,
    pub(super) handshake: Duration,
}

impl<S> Layer<S> for Timed {
    type Service = TimedConnector<S>;

    fn layer(&self, inner: S) -> Self::Service {
        TimedConnector { inner, timed: self.clone() }
    }
}

/// A connector under its two deadlines.
#[derive(Clone)]
pub(super) struct TimedConnector<S> {
    inner: S,
    timed: Timed,
}

impl<S, Target> Service<Target> for TimedConnector<S>
where
    S: Service<Target, Error = AnyError>,
    S::Future: Send + 'static,
    S::Response: 'static,
{
    type Response = S::Response;
    type Error = AnyError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, AnyError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), AnyError>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, target: Target) -> Self::Future {
        self.timed.progress.begin(Operation::Connect);
        Box::pin(under_deadlines(self.inner.call(target), self.timed.clone()))
    }
}

/// Drives a connection to its end or to the deadline of the step that it is in.
async fn under_deadlines<T>(
    connecting: impl Future<Output = Result<T, AnyError>>,
    timed: Timed,
) -> Result<T, AnyError> {
    let mut connecting = pin!(connecting);
    let mut deadline = pin!(tokio::time::sleep(timed.connect));
    let mut in_handshake = false;
    let connection = poll_fn(|context| {
        if let Poll::Ready(end) = connecting.as_mut().poll(context) {
            return Poll::Ready(end);
        }
        if !in_handshake && timed.progress.operation() == Operation::Handshake {
            in_handshake = true;
            deadline.set(tokio::time::sleep(timed.handshake));
        }
        deadline.as_mut().poll(context).map(|()| Err(DeadlinePassed.into()))
    })
    .await?;
    timed.progress.begin(Operation::Request);
    Ok(connection)
}

/// A session store that holds nothing and marks the beginning of a handshake.
#[derive(Debug)]
pub(super) struct HandshakeMark(pub(super) Arc<Progress>);

impl ClientSessionStore for HandshakeMark {
    fn set_kx_hint(&self, _: ServerName<'static>, _: NamedGroup) {}

    fn kx_hint(&self, _: &ServerName<'_>) -> Option<NamedGroup> {
        self.0.begin(Operation::Handshake);
        None
    }

    fn set_tls12_session(&self, _: ServerName<'static>, _: Tls12ClientSessionValue) {}

    fn tls12_session(&self, _: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        None
    }

    fn remove_tls12_session(&self, _: &ServerName<'static>) {}

    fn insert_tls13_ticket(&self, _: ServerName<'static>, _: Tls13ClientSessionValue) {}

    fn take_tls13_ticket(&self, _: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        self.0.begin(Operation::Handshake);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;
    use crate::observation::Operation;
    use crate::words::Word;

    #[test]
    fn progress_tells_the_operation_that_began_last() {
        let progress = Progress::default();
        for &operation in Operation::ALL {
            progress.begin(operation);
            assert_eq!(progress.operation(), operation);
        }
    }
}
