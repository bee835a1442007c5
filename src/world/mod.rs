//! The fixture internet on loopback.

mod site;

pub use site::{Connection, Dns, Fault, Internet, Reply, Site, Tls};
