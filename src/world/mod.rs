//! The fixture internet on loopback.

mod model;
mod site;

pub use model::Model;
pub use site::{Connection, Dns, Fault, Internet, Reply, Site, Tls};
