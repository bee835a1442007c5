//! A name's addresses, asked of the vantage's own DNS servers.
//!
//! Names are absolute; no hosts file, search list or cache takes part. IPv4 is preferred: A is
//! asked, and AAAA only where the name exists and has no A record, so that a host is reached the
//! same way from one run to the next. A fault (SERVFAIL, silence …) therefore never hides behind an
//! empty answer of the other kind. Servers are asked one after another, in the vantage's order, each
//! with its share of the time; a server that faults hands over to the next, and the first fault is
//! told if none answers. An empty answer that no SOA record vouches for (RFC 2308, 2.2) is looked
//! into: it may be a referral to somebody else, or aliases that lead in a circle.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
    ServerOrderingStrategy,
};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError, NoRecords};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RData, RecordType};
use hickory_resolver::{Resolver, TokioResolver};

use super::failure::{Fault, OwnTrouble, Stop};
use super::flights::Flights;
use crate::observation::{Operation, TransportMode};

/// Which address families are asked, in order; stated in the manifest.
pub const ADDRESS_FAMILY: &str = "ipv4, else ipv6";

/// Most addresses of one name that are tried.
const ADDRESSES_MOST: usize = 4;

/// Sends of one question to one server: once, and once more.
const SENDS: u32 = 2;

/// Aliases that are followed from a name; the library follows as many.
const ALIASES_MOST: usize = 8;

/// The DNS servers of a vantage.
pub(super) struct Servers {
    servers: Vec<TokioResolver>,
    patience: Duration,
    flights: Flights<Result<Vec<IpAddr>, Stop>>,
}

/// What one server said of one record type.
pub(super) enum Said {
    Addresses(Vec<IpAddr>),
    Nodata(Voucher),
    Fault(String),
}

/// What vouches for an empty answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voucher {
    /// The zone's SOA record.
    Soa,
    /// The names of other servers.
    Referral,
    /// Nothing.
    Nothing,
}

impl Servers {
    /// Prepares servers that are given `patience` in all for one name.
    pub(super) fn new(addresses: &[SocketAddr], patience: Duration) -> io::Result<Self> {
        let count = u32::try_from(addresses.len().max(1)).map_err(io::Error::other)?;
        let share = patience / count / SENDS;
        let servers = addresses.iter().map(|&address| server(address, share));
        let servers = servers.collect::<io::Result<_>>()?;
        Ok(Self { servers, patience, flights: Flights::default() })
    }

    /// The addresses of a name, sorted, IPv4 or else IPv6; all of them, however many.
    pub(super) async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Stop> {
        let asking = self.flights.join(name, self.ask(name));
        match tokio::time::timeout(self.patience, asking).await {
            Ok(end) => end,
            Err(_) => Err(dns("timeout").into()),
        }
    }

    async fn ask(&self, name: &str) -> Result<Vec<IpAddr>, Stop> {
        let absolute = format!("{}.", name.trim_end_matches('.'));
        let name = Name::from_ascii(&absolute).map_err(|_| dns("bad_name"))?;
        let mut first_fault = None;
        for server in &self.servers {
            let mut said = one(server, &name, RecordType::A).await?;
            if matches!(said, Said::Nodata(_)) {
                said = one(server, &name, RecordType::AAAA).await?;
            }
            match said {
                Said::Addresses(addresses) => return Ok(addresses),
                Said::Nodata(voucher) => {
                    return Err(dns(why_empty(server, &name, voucher).await).into());
                }
                Said::Fault(cause) if cause == "nxdomain" => return Err(dns(cause).into()),
                Said::Fault(cause) => first_fault = first_fault.or(Some(cause)),
            }
        }
        Err(dns(first_fault.unwrap_or_else(|| "no_server".into())).into())
    }
}

/// The addresses that are tried, out of all that a name has.
pub(super) fn tried(mut addresses: Vec<IpAddr>) -> Vec<IpAddr> {
    addresses.truncate(ADDRESSES_MOST);
    addresses
}

/// A resolver that knows one server and nothing of this machine.
pub(super) fn server(address: SocketAddr, timeout: Duration) -> io::Result<TokioResolver> {
    let mut connections = vec![ConnectionConfig::udp(), ConnectionConfig::tcp()];
    for connection in &mut connections {
        connection.port = address.port();
    }
    let server = NameServerConfig::new(address.ip(), true, connections);
    let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
    let mut builder = Resolver::builder_with_config(config, TokioRuntimeProvider::default());
    let options: &mut ResolverOpts = builder.options_mut();
    options.timeout = timeout;
    options.attempts = 1;
    options.cache_size = 0;
    options.use_hosts_file = ResolveHosts::Never;
    options.num_concurrent_reqs = 1;
    options.server_ordering_strategy = ServerOrderingStrategy::UserProvidedOrder;
    options.edns_payload_len = 1_232;
    builder.build().map_err(io::Error::other)
}

/// Asks one server for one record type.
pub(super) async fn one(
    server: &TokioResolver,
    name: &Name,
    kind: RecordType,
) -> Result<Said, OwnTrouble> {
    match server.lookup(name.clone(), kind).await {
        Ok(lookup) => {
            let address = |data: &RData| match data {
                RData::A(address) => Some(IpAddr::V4(address.0)),
                RData::AAAA(address) => Some(IpAddr::V6(address.0)),
                _ => None,
            };
            let records = lookup.answers().iter().filter(|record| record.record_type() == kind);
            let mut addresses: Vec<IpAddr> =
                records.filter_map(|record| address(&record.data)).collect();
            addresses.sort_unstable();
            addresses.dedup();
            Ok(match addresses.is_empty() {
                true => Said::Nodata(Voucher::Nothing),
                false => Said::Addresses(addresses),
            })
        }
        Err(error) => said_by(&error),
    }
}

/// Why a name that exists has no address.
async fn why_empty(server: &TokioResolver, name: &Name, voucher: Voucher) -> &'static str {
    match voucher {
        Voucher::Referral => "lame",
        Voucher::Nothing if leads_in_a_circle(server, name).await => "alias_loop",
        Voucher::Soa | Voucher::Nothing => "nodata",
    }
}

/// Whether the aliases of a name come back to one that was passed, or never end.
async fn leads_in_a_circle(server: &TokioResolver, name: &Name) -> bool {
    let mut passed = vec![name.clone()];
    while passed.len() <= ALIASES_MOST {
        let last = passed[passed.len() - 1].clone();
        let Ok(lookup) = server.lookup(last, RecordType::CNAME).await else { return false };
        let target = lookup.answers().iter().find_map(|record| match &record.data {
            RData::CNAME(target) => Some(target.0.clone()),
            _ => None,
        });
        match target {
            None => return false,
            Some(target) if passed.contains(&target) => return true,
            Some(target) => passed.push(target),
        }
    }
    true
}

/// The response code that a server must have given for a cause, as a word; `None` where it gave none.
pub(super) fn response_of(cause: &str) -> Option<&str> {
    match cause {
        "nodata" | "lame" | "alias_loop" => Some("noerror"),
        "nxdomain" | "servfail" | "refused" | "formerr" | "notimp" => Some(cause),
        code if code.starts_with("rcode_") => Some(code),
        _ => None,
    }
}

/// What a resolver's error says.
pub(super) fn said_by(error: &NetError) -> Result<Said, OwnTrouble> {
    let cause = match error {
        NetError::Io(error) => match OwnTrouble::of_resolver(error) {
            Some(trouble) => return Err(trouble),
            None => "resolver_io".into(),
        },
        NetError::Busy => return Err(OwnTrouble::resolver_busy()),
        NetError::Dns(DnsError::NoRecordsFound(NoRecords { response_code, soa, ns, .. })) => {
            match (response_code, soa, ns) {
                (ResponseCode::NoError, Some(_), _) => return Ok(Said::Nodata(Voucher::Soa)),
                (ResponseCode::NoError, None, Some(_)) => {
                    return Ok(Said::Nodata(Voucher::Referral));
                }
                (ResponseCode::NoError, None, None) => {
                    return Ok(Said::Nodata(Voucher::Nothing));
                }
                (code, _, _) => word_of(*code),
            }
        }
        NetError::Dns(DnsError::ResponseCode(code)) => word_of(*code),
        NetError::Timeout => "timeout".into(),
        NetError::Truncated => "truncated".into(),
        NetError::NoConnections => "no_connection".into(),
        _ => "malformed".into(),
    };
    Ok(Said::Fault(cause))
}

/// The word for a DNS response code.
fn word_of(code: ResponseCode) -> String {
    match code {
        ResponseCode::NXDomain => "nxdomain".into(),
        ResponseCode::ServFail => "servfail".into(),
        ResponseCode::Refused => "refused".into(),
        ResponseCode::FormErr => "formerr".into(),
        ResponseCode::NotImp => "notimp".into(),
        other => format!("rcode_{}", u16::from(other)),
    }
}

/// A failure of resolving.
fn dns(cause: impl Into<String>) -> Fault {
    Fault::new(TransportMode::Dns, Operation::Resolve, cause)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use hickory_resolver::net::{DnsError, NetError, NoRecords};
    use hickory_resolver::proto::op::{Query, ResponseCode};

    use super::{Said, said_by};

    fn cause(error: NetError) -> String {
        match said_by(&error) {
            Ok(Said::Addresses(_)) => "addresses".into(),
            Ok(Said::Nodata(voucher)) => format!("nodata {voucher:?}"),
            Ok(Said::Fault(cause)) => cause,
            Err(trouble) => format!("own: {}", trouble.cause),
        }
    }

    #[test]
    fn every_resolver_error_has_a_cause() {
        let none = |code| NetError::from(NoRecords::new(Box::new(Query::default()), code));
        let code = |code| NetError::Dns(DnsError::ResponseCode(code));
        let errno = |number| NetError::Io(Arc::new(io::Error::from_raw_os_error(number)));
        for (error, expected) in [
            (none(ResponseCode::NXDomain), "nxdomain"),
            (none(ResponseCode::NoError), "nodata Nothing"),
            (none(ResponseCode::ServFail), "servfail"),
            (code(ResponseCode::ServFail), "servfail"),
            (code(ResponseCode::Refused), "refused"),
            (code(ResponseCode::FormErr), "formerr"),
            (code(ResponseCode::NotImp), "notimp"),
            (code(ResponseCode::NotAuth), "rcode_9"),
            (NetError::Timeout, "timeout"),
            (NetError::Truncated, "truncated"),
            (NetError::NoConnections, "no_connection"),
            (NetError::Message("x"), "malformed"),
            (NetError::Busy, "own: resolver_busy"),
            (errno(24), "own: no_descriptors"),
            (errno(101), "own: resolver_unreachable"),
            (errno(113), "own: resolver_unreachable"),
            (errno(111), "own: resolver_unreachable"),
            (errno(104), "resolver_io"),
        ] {
            let shown = format!("{error:?}");
            assert_eq!(cause(error), expected, "{shown}");
        }
    }
}
