//! Where answers come from: the network, or what was saved of it.

use url::Url;

use super::saved::Probes;
use crate::fetch::{Fetcher, OwnTrouble};
use crate::observation::{Exchange, Hop, Outcome};

/// Where answers come from.
pub enum Source {
    /// The network, with everything that was asked so far.
    Live(Box<Fetcher>, Probes),
    /// Saved probes; what they do not hold is not asked for.
    Saved(Probes),
}

/// What one request of an exchange came to.
pub(super) enum Step {
    /// It was redirected.
    Led(Hop),
    /// It ended the exchange.
    Ended(Outcome),
}

impl Source {
    /// Asks for a URL, and follows its redirects. None: the saved probes do not hold it.
    pub(super) async fn ask(
        &mut self,
        url: Url,
        octets_most: u64,
    ) -> Result<Option<Exchange>, OwnTrouble> {
        if let Some(known) = self.probes().find(url.as_str()) {
            return Ok(Some(known.clone()));
        }
        let asked = self.exchange(&url, octets_most, true).await?;
        if let Some(exchange) = &asked {
            self.note(exchange.clone());
        }
        Ok(asked)
    }

    /// Asks for what a URL leads to after so many redirects, and follows no further. None: the saved
    /// probes do not hold it.
    pub(super) async fn step(
        &mut self,
        first: &Url,
        redirects: usize,
        url: &Url,
        octets_most: u64,
    ) -> Result<Option<Step>, OwnTrouble> {
        if let Some(known) = self.probes().find(first.as_str()) {
            return Ok(Some(match known.hops.get(redirects) {
                Some(hop) => Step::Led(hop.clone()),
                None => Step::Ended(known.outcome.clone()),
            }));
        }
        let asked = self.exchange(url, octets_most, false).await?;
        Ok(asked.map(|exchange| match exchange.hops.into_iter().next() {
            Some(hop) => Step::Led(hop),
            None => Step::Ended(exchange.outcome),
        }))
    }

    /// Notes an exchange that is not known yet.
    pub(super) fn note(&mut self, exchange: Exchange) {
        if let Self::Live(_, probes) = self
            && probes.find(&exchange.url).is_none()
        {
            probes.add(exchange);
        }
    }

    /// Asks the network, if there is one.
    async fn exchange(
        &mut self,
        url: &Url,
        octets_most: u64,
        follows: bool,
    ) -> Result<Option<Exchange>, OwnTrouble> {
        let Self::Live(fetcher, _) = self else { return Ok(None) };
        let session = fetcher.session_at(url);
        let mut session = if follows { session } else { session.staying() };
        Ok(Some(session.ask_url(url.clone(), octets_most).await?.exchange))
    }

    /// Everything that was asked, or saved.
    pub fn probes(&self) -> &Probes {
        match self {
            Self::Live(_, probes) | Self::Saved(probes) => probes,
        }
    }
}
