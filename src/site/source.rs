//! Where answers come from: the network, or what was saved of it.

use url::Url;

use super::saved::Probes;
use crate::fetch::{Fetcher, OwnTrouble};
use crate::observation::Exchange;
use crate::sample::Domain;

/// Where answers come from.
pub enum Source {
    /// The network, with everything that was asked so far.
    Live(Box<Fetcher>, Probes),
    /// Saved probes; what they do not hold is not asked for.
    Saved(Probes),
}

impl Source {
    /// Asks for a URL. None: the saved probes do not hold it.
    pub(super) async fn ask(
        &mut self,
        url: Url,
        octets_most: u64,
    ) -> Result<Option<Exchange>, OwnTrouble> {
        match self {
            Self::Saved(probes) => Ok(probes.find(url.as_str()).cloned()),
            Self::Live(fetcher, probes) => {
                if let Some(known) = probes.find(url.as_str()) {
                    return Ok(Some(known.clone()));
                }
                // A session's name is for its own four requests; here the URL says who is asked.
                let name = url.host_str().unwrap_or_default();
                let domain = Domain::parse(name).or_else(|_| Domain::parse("audit.invalid"));
                let Ok(domain) = domain else { return Ok(None) };
                let asked = fetcher.session(&domain).ask_url(url, octets_most).await?;
                probes.add(asked.exchange.clone());
                Ok(Some(asked.exchange))
            }
        }
    }

    /// Everything that was asked, or saved.
    pub fn probes(&self) -> &Probes {
        match self {
            Self::Live(_, probes) | Self::Saved(probes) => probes,
        }
    }
}
