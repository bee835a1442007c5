//! The internet that a command asks: the real one, or a fixture one on loopback.

use std::path::Path;
use std::sync::Arc;

use crate::fetch::{Fetcher, Vantage};
use crate::limits::Limits;
use crate::manifest::Instrument;
use crate::run::RunError;
use crate::scan::PRODUCT_TOKEN;
use crate::world::{self, Served};

/// Does what needs the network. What is left in flight at its end (the fixture internet, given-up
/// requests) is not waited for.
pub(super) fn online<T>(act: impl Future<Output = Result<T, RunError>>) -> Result<T, RunError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(act);
    runtime.shutdown_background();
    done
}

/// A way to ask; a fixture internet lives as long as it is held.
pub(super) struct Internet {
    /// Asks.
    pub(super) fetcher: Fetcher,
    /// The limits under which it asks.
    pub(super) limits: Limits,
    /// The fixture internet, if it is one.
    pub(super) served: Option<Served>,
}

/// Opens the real internet, or a fixture one; `purpose` is told to whom it asks.
pub(super) async fn open(world: Option<&Path>, purpose: &str) -> Result<Internet, RunError> {
    let mut limits = Limits::METHOD;
    let internet = world.map(world::open).transpose()?;
    let served = match &internet {
        Some(internet) => {
            if let Some(deadline_ms) = internet.deadline_ms() {
                limits = limits.with_deadline_ms(deadline_ms);
            }
            Some(world::serve(Arc::clone(internet)).await?)
        }
        None => None,
    };
    let vantage = match &served {
        Some(served) => Vantage::loopback(
            served.dns,
            served.https_port,
            served.http_port,
            &served.authority_der,
        )?,
        None => Vantage::live().map_err(|error| {
            RunError::Unfit(format!("no DNS server is configured here: {error}"))
        })?,
    };
    let user_agent = format!("{PRODUCT_TOKEN}/{} ({purpose})", Instrument::VERSION);
    let fetcher = Fetcher::new(vantage, limits.clone(), user_agent)?;
    Ok(Internet { fetcher, limits, served })
}
