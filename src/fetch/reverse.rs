//! The names of addresses, and the addresses of those names: reverse and then forward DNS.
//!
//! Anybody may write any name into the reverse zone of addresses that they have, so that only the
//! forward answer proves anything. It is asked for the address's own family alone. What the answers
//! mean is for others.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::proto::rr::{Name, RData, RecordType};

use super::resolve::{Said, one, said_by, server};

/// Most names of one address that are followed.
const NAMES_MOST: usize = 4;

/// Addresses that are asked about at the same time.
const CONCURRENCY: usize = 32;

/// One name that an address's reverse record gave, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReverseName {
    /// The name; none where there is no reverse record, or it was not answered.
    pub name: Option<String>,
    /// Its addresses of the same family.
    pub addresses: Vec<IpAddr>,
    /// Why a question was not answered.
    pub fault: Option<String>,
}

/// Asks for the names of addresses, and for the addresses of those names; answers stand in the order
/// of the addresses. `patience` is given to each question.
pub fn reverse(
    dns: &[SocketAddr],
    addresses: &[IpAddr],
    patience: Duration,
) -> io::Result<Vec<(IpAddr, Vec<ReverseName>)>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let servers: Vec<TokioResolver> =
            dns.iter().map(|&address| server(address, patience)).collect::<io::Result<_>>()?;
        let mut answered = Vec::new();
        for chunk in addresses.chunks(CONCURRENCY) {
            let mut asking = tokio::task::JoinSet::new();
            for (place, &address) in chunk.iter().enumerate() {
                let servers = servers.clone();
                asking.spawn(async move { (place, address, names_of(&servers, address).await) });
            }
            let mut of_chunk = asking.join_all().await;
            of_chunk.sort_by_key(|(place, ..)| *place);
            answered.extend(of_chunk.into_iter().map(|(_, address, names)| (address, names)));
        }
        Ok(answered)
    })
}

/// The names of an address, each with its addresses.
async fn names_of(servers: &[TokioResolver], address: IpAddr) -> Vec<ReverseName> {
    let mut fault = "no_server".to_owned();
    for server in servers {
        match server.lookup(Name::from(address), RecordType::PTR).await {
            Ok(lookup) => {
                let name = |data: &RData| match data {
                    RData::PTR(name) => Some(name.0.clone()),
                    _ => None,
                };
                let names = lookup.answers().iter().filter_map(|record| name(&record.data));
                let mut found = Vec::new();
                for name in names.take(NAMES_MOST) {
                    found.push(forward(server, &name, address).await);
                }
                return if found.is_empty() { vec![ReverseName::default()] } else { found };
            }
            Err(error) => match said_by(&error) {
                Ok(Said::Fault(cause)) if cause == "nxdomain" => {
                    return vec![ReverseName::default()];
                }
                Ok(Said::Fault(cause)) => fault = cause,
                Ok(_) => return vec![ReverseName::default()],
                Err(trouble) => fault = trouble.cause.to_string(),
            },
        }
    }
    vec![ReverseName { fault: Some(fault), ..ReverseName::default() }]
}

/// A name with its addresses of an address's family.
async fn forward(server: &TokioResolver, name: &Name, address: IpAddr) -> ReverseName {
    let kind = if address.is_ipv4() { RecordType::A } else { RecordType::AAAA };
    let text = name.to_ascii();
    let mut found =
        ReverseName { name: Some(text.trim_end_matches('.').to_owned()), ..ReverseName::default() };
    match one(server, name, kind).await {
        Ok(Said::Addresses(addresses)) => found.addresses = addresses,
        Ok(Said::Fault(cause)) if cause != "nxdomain" => found.fault = Some(cause),
        Ok(_) => {}
        Err(trouble) => found.fault = Some(trouble.cause.to_string()),
    }
    found
}
