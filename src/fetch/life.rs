//! Whether the network is there at all: no site is charged with our own line's failure.
//!
//! A dead resolver and a dead uplink look like a dead site. So a failure that could be ours is
//! charged only when something shows, after it, that the network is there: an answer that anybody
//! gave, or else a canary, a host whose business it is to be reached. When the canaries are silent
//! too, everybody waits until one answers again; all that failed in between is asked again, and if
//! the silence lasts the run ends.

use std::future::Future;
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use super::failure::OwnTrouble;
use crate::limits::{CANARY_PAUSE_MS, SIGN_OF_LIFE_MS};

/// What a failure puts in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// Whether our resolver resolves.
    Resolver,
    /// Whether our line leads anywhere.
    Uplink,
}

/// How long to wait for what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// For somebody's answer, before a canary is asked.
    sign: Duration,
    /// Between two askings of silent canaries.
    pause: Duration,
    /// For the end of an outage.
    outage: Duration,
}

impl Patience {
    /// With an outage of so many seconds.
    pub(super) fn with_outage_s(outage_s: u32) -> Self {
        Self {
            sign: Duration::from_millis(SIGN_OF_LIFE_MS),
            pause: Duration::from_millis(CANARY_PAUSE_MS),
            outage: Duration::from_secs(outage_s.into()),
        }
    }
}

/// What is known of the network's being there.
pub(super) struct Life {
    patience: Patience,
    resolver: watch::Sender<Option<Instant>>,
    uplink: watch::Sender<Option<Instant>>,
    outages: Mutex<Outages>,
}

/// Times without the network.
#[derive(Debug, Default)]
struct Outages {
    /// When the last one ended.
    last_ended: Option<Instant>,
    /// Whether one has lasted too long.
    lasts: bool,
}

impl Life {
    /// Nothing is known yet.
    pub(super) fn new(patience: Patience) -> Self {
        Self {
            patience,
            resolver: watch::Sender::new(None),
            uplink: watch::Sender::new(None),
            outages: Mutex::default(),
        }
    }

    /// Notes that the network gave a sign of life.
    pub(super) fn sign(&self, of: Doubt) {
        self.signs(of).send_replace(Some(Instant::now()));
    }

    /// Vouches for the network during an exchange that began at `began` and has just failed; `ask`
    /// asks the canaries. `Err` says that the failure is our own.
    pub(super) async fn vouch<F: Future<Output = bool>>(
        &self,
        doubt: Doubt,
        began: Instant,
        ask: impl Fn() -> F,
    ) -> Result<(), OwnTrouble> {
        let ended = Instant::now();
        let mut signs = self.signs(doubt).subscribe();
        let sign = signs.wait_for(|sign| sign.is_some_and(|at| at > ended));
        let _ = tokio::time::timeout(self.patience.sign, sign).await;
        // Whoever holds the lock asks for all who wait for it.
        let mut outages = self.outages.lock().await;
        if outages.lasts {
            return Err(OwnTrouble::no_network(doubt, true));
        }
        let has_sign = self.signs(doubt).borrow().is_some_and(|at| at > ended);
        if !has_sign {
            self.wait_for_end(doubt, &mut outages, ask).await?;
        }
        match outages.last_ended {
            Some(end) if end > began => Err(OwnTrouble::no_network(doubt, false)),
            _ => Ok(()),
        }
    }

    /// Waits until the network is there again, after trouble that is ours for sure.
    pub(super) async fn await_return<F: Future<Output = bool>>(
        &self,
        doubt: Doubt,
        ask: impl Fn() -> F,
    ) -> OwnTrouble {
        match self.vouch(doubt, Instant::now(), ask).await {
            Ok(()) => OwnTrouble::no_network(doubt, false),
            Err(trouble) => trouble,
        }
    }

    /// Asks the canaries until one answers; notes an outage if the first asking was in vain.
    async fn wait_for_end<F: Future<Output = bool>>(
        &self,
        doubt: Doubt,
        outages: &mut Outages,
        ask: impl Fn() -> F,
    ) -> Result<(), OwnTrouble> {
        let began = Instant::now();
        let mut is_out = false;
        while !ask().await {
            is_out = true;
            if began.elapsed() >= self.patience.outage {
                outages.lasts = true;
                return Err(OwnTrouble::no_network(doubt, true));
            }
            tokio::time::sleep(self.patience.pause).await;
        }
        self.sign(doubt);
        if is_out {
            outages.last_ended = Some(Instant::now());
        }
        Ok(())
    }

    fn signs(&self, of: Doubt) -> &watch::Sender<Option<Instant>> {
        match of {
            Doubt::Resolver => &self.resolver,
            Doubt::Uplink => &self.uplink,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::time::Duration;

    use tokio::time::{Instant, sleep};

    use super::{Doubt, Life, Patience};

    const SECOND: Duration = Duration::from_secs(1);

    /// A network that can be cut, and how often its canaries were asked.
    #[derive(Default)]
    struct Network {
        is_cut: AtomicBool,
        asked: AtomicU32,
    }

    impl Network {
        async fn answers(&self) -> bool {
            self.asked.fetch_add(1, Ordering::SeqCst);
            !self.is_cut.load(Ordering::SeqCst)
        }

        fn asked(&self) -> u32 {
            self.asked.load(Ordering::SeqCst)
        }
    }

    fn life() -> Arc<Life> {
        Arc::new(Life::new(Patience::with_outage_s(180)))
    }

    #[tokio::test(start_paused = true)]
    async fn anybodys_answer_after_a_failure_charges_the_site_without_a_canary() {
        let (life, network) = (life(), Network::default());
        let other = Arc::clone(&life);
        tokio::spawn(async move {
            sleep(SECOND / 2).await;
            other.sign(Doubt::Uplink);
        });
        let vouched = life.vouch(Doubt::Uplink, Instant::now(), || network.answers()).await;
        assert_eq!((vouched, network.asked()), (Ok(()), 0));
    }

    #[tokio::test(start_paused = true)]
    async fn without_any_answer_a_canary_decides() {
        let (life, network) = (life(), Network::default());
        life.sign(Doubt::Uplink);
        sleep(SECOND).await;
        let vouched = life.vouch(Doubt::Uplink, Instant::now(), || network.answers()).await;
        assert_eq!((vouched, network.asked()), (Ok(()), 1), "an earlier sign says nothing");
        life.sign(Doubt::Uplink);
        let vouched = life.vouch(Doubt::Resolver, Instant::now(), || network.answers()).await;
        assert_eq!((vouched, network.asked()), (Ok(()), 2), "nor does a sign of the other kind");
    }

    #[tokio::test(start_paused = true)]
    async fn what_fails_during_an_outage_is_ours_for_everyone_and_one_asks_for_all() {
        let (life, network) = (life(), Arc::new(Network::default()));
        network.is_cut.store(true, Ordering::SeqCst);
        let mut failed = tokio::task::JoinSet::new();
        for _ in 0..50 {
            let (life, network) = (Arc::clone(&life), Arc::clone(&network));
            failed.spawn(async move {
                life.vouch(Doubt::Uplink, Instant::now(), || network.answers()).await
            });
        }
        sleep(30 * SECOND).await;
        network.is_cut.store(false, Ordering::SeqCst);
        let ends = failed.join_all().await;
        assert!(ends.iter().all(|end| end.is_err_and(|trouble| !trouble.lasts)), "{ends:?}");
        assert!(network.asked() < 10, "{}", network.asked());
        let after = life.vouch(Doubt::Uplink, Instant::now(), || network.answers()).await;
        assert_eq!(after, Ok(()), "what fails afterwards is the site's");
    }

    #[tokio::test(start_paused = true)]
    async fn an_exchange_that_overlaps_an_outage_is_ours_though_the_network_is_back() {
        let (life, network) = (life(), Arc::new(Network::default()));
        let began = Instant::now();
        network.is_cut.store(true, Ordering::SeqCst);
        let (other, cut) = (Arc::clone(&life), Arc::clone(&network));
        let noticed = tokio::spawn(async move {
            other.vouch(Doubt::Uplink, Instant::now(), || cut.answers()).await
        });
        sleep(8 * SECOND).await;
        network.is_cut.store(false, Ordering::SeqCst);
        assert!(noticed.await.expect("no panic").is_err());
        life.sign(Doubt::Uplink);
        assert!(life.vouch(Doubt::Uplink, began, || network.answers()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn an_outage_that_lasts_ends_the_run_and_is_waited_for_once() {
        let (life, network) = (life(), Network::default());
        network.is_cut.store(true, Ordering::SeqCst);
        let began = Instant::now();
        for _ in 0..2 {
            let end = life.vouch(Doubt::Resolver, Instant::now(), || network.answers()).await;
            assert!(end.is_err_and(|trouble| trouble.lasts && trouble.cause == "no_resolver"));
        }
        assert!(began.elapsed() < 200 * SECOND, "{:?}", began.elapsed());
    }
}
