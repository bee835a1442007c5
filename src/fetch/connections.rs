//! The connections that a domain's session keeps from one request to the next.
//!
//! At most two, the longest unused one given up first: a site that leads from its own name to another
//! is then asked over two connections and not over eight. With a question to the DNS or a connection
//! that is being opened beside the one that is left, a domain holds [`DESCRIPTORS`] descriptors at
//! most.

use super::transport::{Connection, Endpoint};

/// Connections that are kept.
const KEPT: usize = 2;

/// Descriptors that a domain in flight holds at most.
pub const DESCRIPTORS: usize = KEPT;

/// Connections that wait for their next request.
#[derive(Default)]
pub(super) struct Connections(Vec<Connection>);

impl Connections {
    /// Takes the connection to an endpoint, if one is kept.
    pub(super) fn take(&mut self, endpoint: &Endpoint) -> Option<Connection> {
        let at = self.0.iter().position(|connection| connection.endpoint == *endpoint)?;
        Some(self.0.remove(at))
    }

    /// Gives up what leaves no room for one more descriptor.
    pub(super) fn make_room(&mut self) {
        let most = KEPT - 1;
        self.0.drain(..self.0.len().saturating_sub(most));
    }

    /// Keeps a connection.
    pub(super) fn keep(&mut self, connection: Connection) {
        self.make_room();
        self.0.push(connection);
    }
}
