//! Opens a TCP connection and shakes hands over it, each under its own deadline.
//!
//! A host's addresses are tried one after another in their order, each with its share of what is left
//! of the time, so that one dead address does not hide a living one; if none takes a connection, the
//! first one's fault is told. The peer is dialled at exactly these addresses: nothing here resolves.

use std::error::Error;
use std::fmt;
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Host;

use super::failure::{Fault, Stop};
use crate::clock::Moment;
use crate::observation::{Operation, TransportMode};
use crate::words::Word;

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

/// Opens a TCP connection to the first address that takes one, and says which.
///
/// A peer that resets a connection that it has just taken is seen here or a moment later, by chance;
/// it is told as a break of what comes `next` either way.
pub(super) async fn connect(
    addresses: &[SocketAddr],
    patience: Duration,
    next: Operation,
) -> Result<(TcpStream, SocketAddr), Stop> {
    let began = Moment::now();
    let mut first_fault = None;
    for (&address, untried) in addresses.iter().zip((1..=addresses.len()).rev()) {
        let left = patience.saturating_sub(began.elapsed());
        let share = left / u32::try_from(untried).unwrap_or(u32::MAX);
        let stop = match timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                // A request must not wait for the acknowledgement of the one before.
                let _ = stream.set_nodelay(true);
                return Ok((stream, address));
            }
            Ok(Err(error)) if error.kind() == ErrorKind::ConnectionReset => Stop::of(&error, next),
            Ok(Err(error)) => Stop::of(&error, Operation::Connect).seen_from(&[address.ip()]),
            Err(_) => Stop::of(&DeadlinePassed, Operation::Connect),
        };
        match stop {
            Stop::Own(_) | Stop::Excluded => return Err(stop),
            Stop::Site(fault) => first_fault = first_fault.or(Some(fault)),
        }
    }
    let nowhere = || Fault::new(TransportMode::Dns, Operation::Resolve, "nodata");
    Err(first_fault.unwrap_or_else(nowhere).into())
}

/// Shakes hands for a host over a TCP connection.
pub(super) async fn shake_hands(
    tls: &TlsConnector,
    host: Host<&str>,
    stream: TcpStream,
    patience: Duration,
) -> Result<TlsStream<TcpStream>, Stop> {
    let failed = |error: &(dyn Error + 'static)| Stop::of(error, Operation::Handshake);
    let name = server_name(host).map_err(|error| failed(&error))?;
    match timeout(patience, tls.connect(name, stream)).await {
        Ok(shaken) => shaken.map_err(|error| failed(&error)),
        Err(_) => Err(failed(&DeadlinePassed)),
    }
}

/// The name that a certificate must hold.
fn server_name(
    host: Host<&str>,
) -> Result<ServerName<'static>, rustls::pki_types::InvalidDnsNameError> {
    match host {
        Host::Domain(name) => ServerName::try_from(name.to_owned()),
        Host::Ipv4(address) => Ok(ServerName::IpAddress(IpAddr::V4(address).into())),
        Host::Ipv6(address) => Ok(ServerName::IpAddress(IpAddr::V6(address).into())),
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
