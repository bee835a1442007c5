//! Where we ask from: DNS servers, trusted roots, ports, and the addresses that may be contacted.
//!
//! The live internet and the fixture internet differ in this value only.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use hickory_resolver::config::ProtocolConfig;
use hickory_resolver::system_conf::read_system_conf;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use url::Url;

/// The trusted roots of the open internet, with the version that Cargo.toml pins.
pub const LIVE_ROOTS: &str = "webpki-roots 1.0.10";

/// The trusted root of a fixture internet.
pub const FIXTURE_ROOTS: &str = "the fixture internet's own";

/// A place to ask from.
#[derive(Clone, Debug)]
pub struct Vantage {
    /// The recursive DNS servers, in the order in which they are asked.
    pub dns: Vec<SocketAddr>,
    /// The certificate authorities that are believed.
    pub roots: Arc<RootCertStore>,
    /// The port that stands for 443.
    pub https_port: u16,
    /// The port that stands for 80.
    pub http_port: u16,
    /// The addresses that may be contacted.
    pub permitted: Permitted,
}

/// Which addresses may be contacted; what is in each stands in `guard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permitted {
    /// Globally reachable unicast addresses only.
    Public,
    /// Loopback addresses only.
    Loopback,
}

impl Vantage {
    /// The internet as this machine sees it: its own DNS servers, Mozilla's roots, public addresses.
    ///
    /// Machines whose DNS configuration cannot be read are refused: a public resolver chosen by us
    /// would be another vantage than the one that the manifest names.
    pub fn live() -> io::Result<Self> {
        let (config, _) = read_system_conf().map_err(io::Error::other)?;
        let mut dns = Vec::new();
        for server in config.name_servers() {
            let plain = |protocol: &ProtocolConfig| matches!(protocol, ProtocolConfig::Udp);
            let udp = server.connections.iter().find(|connection| plain(&connection.protocol));
            let address = udp.map(|connection| SocketAddr::new(server.ip, connection.port));
            dns.extend(address.filter(|address| !dns.contains(address)));
        }
        if dns.is_empty() {
            return Err(io::Error::other("the system names no DNS server"));
        }
        Ok(Self::asking(dns))
    }

    /// The internet as these DNS servers give it: Mozilla's roots, public addresses.
    pub fn asking(dns: Vec<SocketAddr>) -> Self {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        Self {
            dns,
            roots: Arc::new(roots),
            https_port: 443,
            http_port: 80,
            permitted: Permitted::Public,
        }
    }

    /// A fixture internet: its DNS server, the ports that stand for 443 and 80, and its authority's
    /// certificate in DER.
    pub fn loopback(
        dns: SocketAddr,
        https_port: u16,
        http_port: u16,
        authority_der: &[u8],
    ) -> io::Result<Self> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_slice(authority_der)).map_err(io::Error::other)?;
        let roots = Arc::new(roots);
        let permitted = Permitted::Loopback;
        Ok(Self { dns: vec![dns], roots, https_port, http_port, permitted })
    }

    /// The port that is dialled for a URL: its own where it names one, else what stands for the
    /// scheme's default.
    pub(super) fn port(&self, url: &Url) -> u16 {
        match (url.port(), url.scheme()) {
            (Some(port), _) => port,
            (None, "http") => self.http_port,
            (None, _) => self.https_port,
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_roots_are_named_in_the_version_that_is_built_in() {
        let lock = include_str!("../../Cargo.lock");
        let (_, after) = lock.split_once("name = \"webpki-roots\"\nversion = \"").unwrap();
        let (version, _) = after.split_once('"').unwrap();
        assert_eq!(super::LIVE_ROOTS, format!("webpki-roots {version}"));
    }
}
