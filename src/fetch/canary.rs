//! Hosts whose business it is to be reached, asked when nobody else shows that the network is there.
//!
//! What is asked of one during a run is little: its name, and a connection that is closed at once;
//! one of them that answers is enough. Before a run one request is sent through each DNS server.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;

use super::life::Doubt;
use super::resolve::Servers;
use super::vantage::Vantage;

/// The canaries of the internet: hosts at which whole fleets of devices look whether they are
/// connected, so that our look at them is lost in the crowd.
pub const CANARIES: [&str; 3] =
    ["detectportal.firefox.com", "connectivitycheck.gstatic.com", "captive.apple.com"];

/// Asks the canaries, in their order, until one answers.
pub(super) async fn answers(
    canaries: &[String],
    doubt: Doubt,
    servers: &Servers,
    vantage: &Vantage,
    patience: Duration,
) -> bool {
    for canary in canaries {
        let Ok(addresses) = servers.addresses(canary).await else { continue };
        if doubt == Doubt::Resolver {
            return true;
        }
        for address in addresses {
            if vantage.permitted.refuses(address).is_some() {
                continue;
            }
            let socket = SocketAddr::new(address, vantage.https_port);
            let connected = tokio::time::timeout(patience, TcpStream::connect(socket)).await;
            if matches!(connected, Ok(Ok(_))) {
                return true;
            }
        }
    }
    false
}
