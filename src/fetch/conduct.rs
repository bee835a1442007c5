//! How a fetcher behaves: towards the networks that it asks, and in its own trouble.
//!
//! A failure passes through here before it is charged to a site. What it might owe to our own line,
//! resolver or overload is settled first; what is ours is an `Err`, and the exchange is asked again.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::canary;
use super::failure::{Fault, OwnTrouble};
use super::lag::{self, Lag};
use super::life::{Doubt, Life, Patience};
use super::resolve::Servers;
use super::throttle::Throttle;
use super::vantage::Vantage;
use crate::exclusion::Exclusions;
use crate::limits::{Limits, Politeness};
use crate::observation::{Answer, TransportMode};

/// What a run promises of its fetcher.
#[derive(Clone, Debug, Default)]
pub struct Conduct {
    /// How hard one address and one network are asked; none is no bound.
    pub politeness: Option<Politeness>,
    /// Who is never asked.
    pub exclusions: Option<Arc<Exclusions>>,
    /// Hosts that show that the network is there; without any, it is taken to be there.
    pub canaries: Vec<String>,
    /// For how many seconds the network may be away before the trouble lasts.
    pub outage_most_s: u32,
}

/// A promise at work.
pub(super) struct Manners {
    pub(super) throttle: Option<Throttle>,
    pub(super) exclusions: Option<Arc<Exclusions>>,
    canaries: Vec<String>,
    life: Life,
    lag: Option<Arc<Lag>>,
}

/// When an exchange began: by the clock, and by the time for which the loop had stood still.
#[derive(Clone, Copy)]
pub(super) struct Began {
    at: Instant,
    stood_still: Duration,
}

impl Manners {
    /// Nothing promised: no bound, nobody excluded, no canary, no look at the loop.
    pub(super) fn none() -> Self {
        Self {
            throttle: None,
            exclusions: None,
            canaries: Vec::new(),
            life: Life::new(Patience::with_outage_s(0)),
            lag: None,
        }
    }

    /// Puts a promise to work, on the present tokio runtime.
    pub(super) fn of(conduct: Conduct) -> Self {
        Self {
            throttle: conduct.politeness.as_ref().map(Throttle::new),
            exclusions: conduct.exclusions,
            canaries: conduct.canaries,
            life: Life::new(Patience::with_outage_s(conduct.outage_most_s)),
            lag: Some(lag::begin()),
        }
    }

    /// An exchange begins.
    pub(super) fn begin(&self) -> Began {
        let stood_still = self.lag.as_ref().map(|lag| lag.stood_still()).unwrap_or_default();
        Began { at: Instant::now(), stood_still }
    }

    /// The resolver has resolved a name, or said that there is none.
    pub(super) fn resolved(&self) {
        self.life.sign(Doubt::Resolver);
    }

    /// Somebody out there has answered.
    fn answered(&self) {
        self.life.sign(Doubt::Uplink);
    }

    /// Settles what an exchange's end owes to the site; `Err` where it is ours.
    pub(super) async fn settle(
        &self,
        end: &Result<Answer, Fault>,
        began: Began,
        asker: &Asker<'_>,
    ) -> Result<(), OwnTrouble> {
        match end {
            Ok(_) => {
                self.answered();
                Ok(())
            }
            Err(fault) => self.charge(fault, began, asker).await,
        }
    }

    /// Settles whether a fault is the site's.
    async fn charge(
        &self,
        fault: &Fault,
        began: Began,
        asker: &Asker<'_>,
    ) -> Result<(), OwnTrouble> {
        if let Some(lag) = &self.lag
            && fault.is_of_deadline()
            && loop_stood_still(lag, began, asker.limits)
        {
            lag.calm_down().await;
            return Err(OwnTrouble::standstill());
        }
        let doubt = match fault.mode {
            TransportMode::Dns if fault.is_said_by_resolver() => {
                self.resolved();
                return Ok(());
            }
            TransportMode::Dns => Doubt::Resolver,
            TransportMode::Connect if fault.is_of_guard() => return Ok(()),
            TransportMode::Connect | TransportMode::Timeout => Doubt::Uplink,
            _ => {
                self.answered();
                return Ok(());
            }
        };
        if self.canaries.is_empty() {
            return Ok(());
        }
        self.life.vouch(doubt, began.at, || self.ask_canaries(doubt, asker)).await
    }

    /// Waits out trouble that is ours for sure, where it is the network's and canaries can tell when
    /// it ends.
    pub(super) async fn wait_out(&self, trouble: OwnTrouble, asker: &Asker<'_>) -> OwnTrouble {
        if self.canaries.is_empty() || !trouble.is_of_resolver() {
            return trouble;
        }
        let ask = || self.ask_canaries(Doubt::Resolver, asker);
        self.life.await_return(Doubt::Resolver, ask).await
    }

    async fn ask_canaries(&self, doubt: Doubt, asker: &Asker<'_>) -> bool {
        let patience = Duration::from_millis(asker.limits.connect_ms);
        canary::answers(&self.canaries, doubt, asker.servers, asker.vantage, patience).await
    }
}

/// Whether the loop stood still for long enough, since an exchange began, to have made its deadline
/// pass.
fn loop_stood_still(lag: &Lag, began: Began, limits: &Limits) -> bool {
    let shortest = limits.resolve_ms.min(limits.connect_ms).min(limits.handshake_ms);
    let shortest = Duration::from_millis(shortest.min(limits.exchange_ms));
    lag.excuses(began.stood_still, shortest)
}

/// What asking a canary needs.
pub(super) struct Asker<'a> {
    pub(super) servers: &'a Servers,
    pub(super) vantage: &'a Vantage,
    pub(super) limits: &'a Limits,
}
