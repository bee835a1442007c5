//! Reverse and then forward DNS, asked once for each address that a claim depends on.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use crate::clock;
use crate::fetch;
use crate::limits::LOG_DNS_PATIENCE_MS;
use crate::logs::{Answer, Answers};
use crate::stamp::Stamp;

/// Asks about addresses and adds the answers.
pub fn ask(dns: &[SocketAddr], addresses: &[IpAddr], answers: &mut Answers) -> io::Result<()> {
    let patience = Duration::from_millis(LOG_DNS_PATIENCE_MS);
    let now = clock::utc_now();
    let asked_at = Stamp::parse(&now).ok_or_else(|| io::Error::other("the clock is wrong"))?;
    for (address, names) in fetch::reverse(dns, addresses, patience)? {
        for found in names {
            let name = found.name.filter(|name| is_host(name));
            let answer = Answer { asked_at, name, addresses: found.addresses, fault: found.fault };
            answers.add(address, answer);
        }
    }
    Ok(())
}

/// Whether a name from the network is a host's, and so can stand in a table.
fn is_host(name: &str) -> bool {
    let is_part = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_');
    !name.is_empty() && name.bytes().all(is_part)
}
