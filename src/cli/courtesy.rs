//! The flags that say how others are treated, and by which way they are asked.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::Args;

use crate::run::Courtesy;

/// The port of DNS (RFC 1035, 4.2).
const DNS_PORT: u16 = 53;

/// How others are treated.
#[derive(Args)]
#[command(next_help_heading = "Courtesy (over the internet; in a world only where asked for)")]
pub(super) struct CourtesyArguments {
    /// List of who is never asked: a domain, an address or a network (192.0.2.0/24) a line
    ///
    /// A domain stands for every name below it. What the list names is `excluded`, outside every
    /// denominator; its digest is in the manifest.
    #[arg(long, value_name = "FILE")]
    exclude: Option<PathBuf>,

    /// Domains in contact with one address at the same time [default: 2]
    #[arg(long, value_name = "N")]
    address_concurrency: Option<u32>,

    /// Requests to one address in a second [default: 5]
    #[arg(long, value_name = "R")]
    address_rate: Option<u32>,

    /// Domains in contact with one network (IPv4 /24, IPv6 /48) at the same time [default: 8]
    #[arg(long, value_name = "N")]
    network_concurrency: Option<u32>,

    /// Requests to one network in a second [default: 20]
    #[arg(long, value_name = "R")]
    network_rate: Option<u32>,

    /// Seconds between the end of an attempt and the next [default: 60]
    #[arg(long, value_name = "SECONDS")]
    attempt_gap: Option<u32>,

    /// Longest Retry-After that is waited for before a domain is asked again [default: 600]
    #[arg(long, value_name = "SECONDS")]
    retry_after_most: Option<u32>,

    /// DNS server to ask instead of the system's, with its port or 53; may be given again
    ///
    /// Several are asked one after another, in this order.
    #[arg(long, value_name = "ADDR", value_parser = resolver, num_args = 1..)]
    resolver: Vec<SocketAddr>,

    /// Host that shows, where nobody else does, that the network is there; `none` for no such host
    ///
    /// A failure that our own line might have made is charged to a site only when somebody answers
    /// after it. Of a canary its name is asked, and a connection that is closed at once.
    /// [default: three hosts that devices use for this]
    #[arg(long, value_name = "HOST", num_args = 1..)]
    canary: Vec<String>,

    /// Seconds for which the network may be away before the run stops as incomplete [default: 180]
    #[arg(long, value_name = "SECONDS")]
    outage_most: Option<u32>,
}

impl CourtesyArguments {
    /// The DNS servers asked for.
    pub(super) fn resolvers(&self) -> Vec<SocketAddr> {
        self.resolver.clone()
    }

    /// What the arguments say.
    pub(super) fn courtesy(&self) -> Courtesy {
        Courtesy {
            address_concurrency: self.address_concurrency,
            address_rate: self.address_rate,
            network_concurrency: self.network_concurrency,
            network_rate: self.network_rate,
            attempt_gap_s: self.attempt_gap,
            retry_after_most_s: self.retry_after_most,
            exclude: self.exclude.clone(),
            canaries: self.canary.clone(),
            outage_most_s: self.outage_most,
        }
    }
}

/// Reads a DNS server: an address, or an address with a port.
pub(super) fn resolver(written: &str) -> Result<SocketAddr, String> {
    let bare = written.parse::<IpAddr>().map(|address| SocketAddr::new(address, DNS_PORT));
    bare.or_else(|_| written.parse())
        .map_err(|_| "not an address such as 9.9.9.9, 127.0.0.1:5353 or [::1]:53".to_owned())
}

#[cfg(test)]
mod tests {
    use super::resolver;

    #[test]
    fn a_resolver_is_an_address_with_a_port_or_without() {
        for (written, read) in [
            ("9.9.9.9", Some("9.9.9.9:53")),
            ("127.0.0.1:5353", Some("127.0.0.1:5353")),
            ("2620:fe::fe", Some("[2620:fe::fe]:53")),
            ("[::1]:54", Some("[::1]:54")),
            ("dns.test", None),
            ("", None),
        ] {
            let expected = read.map(|read| read.parse().expect("an address"));
            assert_eq!(resolver(written).ok(), expected, "{written}");
        }
    }
}
