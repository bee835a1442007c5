//! The circumstances of an exchange: clocks, addresses, and how the connection was made.
//!
//! They differ from run to run and stand in no result file.

use std::net::{IpAddr, SocketAddr};

use super::certificate::Certificate;
use super::transport::Facts;
use crate::closed_list;

closed_list! {
    /// Whether a request went over a connection that had served another before.
    pub enum Reuse {
        /// Over a new one.
        No = "no",
        /// Over one that was kept.
        Yes = "yes",
        /// First over a kept one, which was dead, then over a new one.
        Resent = "resent",
    }
}

/// The circumstances of an exchange; of its last hop, where it was redirected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// When the exchange began, in milliseconds since its session did.
    pub started_ms: u64,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// The URL that was asked last.
    pub final_url: Option<String>,
    /// The response code with which the DNS answered for its host (RFC 1035, 4.1.1), as a word.
    pub dns_response: Option<String>,
    /// The addresses of its host, in the order of trying.
    pub addresses: Vec<IpAddr>,
    /// Whom the connection led to.
    pub remote: Option<SocketAddr>,
    /// Whether the connection had served a request before.
    pub reuse: Option<Reuse>,
    /// The version of TLS that was agreed on.
    pub tls_version: Option<&'static str>,
    /// The certificate that the peer showed and that was believed.
    pub certificate: Option<Certificate>,
    /// The version of HTTP that the peer answered in.
    pub protocol: Option<&'static str>,
    /// For how many seconds the site asked to be left alone, if it did.
    pub retry_after_s: Option<u64>,
}

impl Timing {
    /// Notes what is known of the connection.
    pub(super) fn note(&mut self, facts: &Facts) {
        self.remote = Some(facts.remote);
        self.tls_version = facts.tls_version;
        self.certificate = facts.certificate.clone();
    }
}
