//! Whether this process keeps up: the event loop's lag, and what follows from it.
//!
//! Too much at the same time forges timeouts: answers lie ready while their deadlines pass. The lag
//! of a short sleep measures that. A gate lets more domains in while there is none and fewer when
//! there is; a deadline that passed while the loop stood still for a good part of it is our own
//! trouble, and no site's silence.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::Instant;

/// Time between two measurements.
const BEAT: Duration = Duration::from_millis(20);

/// Measurements between two decisions of the gate.
const BEATS_PER_DECISION: usize = 50;

/// Lag below which a measurement says nothing but that machines share processors.
const NOISE: Duration = Duration::from_millis(50);

/// Lag that still lets more domains in.
const CALM: Duration = Duration::from_millis(100);

/// Longest wait for calm, in seconds.
const SECONDS_FOR_CALM: u32 = 30;

/// Lag from which on fewer are let in.
const STRAIN: Duration = Duration::from_millis(250);

/// Domains that are let in at first, and the fewest that are.
const AT_FIRST: usize = 64;
const FEWEST: usize = 8;

/// The time for which the loop stood still, all in all.
#[derive(Debug, Default)]
pub(super) struct Lag {
    stood_still_ms: AtomicU64,
}

impl Lag {
    /// Time for which the loop has stood still so far.
    pub(super) fn stood_still(&self) -> Duration {
        Duration::from_millis(self.stood_still_ms.load(Ordering::Relaxed))
    }

    /// Whether a deadline of `patience` that passed tells of us: the loop stood still for a tenth of
    /// it, and for half a second at least.
    pub(super) fn excuses(&self, stood_still_before: Duration, patience: Duration) -> bool {
        let since = self.stood_still().saturating_sub(stood_still_before);
        since >= (patience / 10).max(Duration::from_millis(500))
    }

    /// Waits until the loop has kept up for a second, or for as long as that is worth waiting for:
    /// what is asked again while it does not keep up fails again.
    pub(super) async fn calm_down(&self) {
        for _ in 0..SECONDS_FOR_CALM {
            let before = self.stood_still();
            tokio::time::sleep(Duration::from_secs(1)).await;
            if self.stood_still().saturating_sub(before) < CALM {
                return;
            }
        }
    }

    /// Notes the lag of one beat.
    fn note(&self, lag: Duration) {
        if lag > NOISE {
            self.stood_still_ms.fetch_add(lag.as_millis() as u64, Ordering::Relaxed);
        }
    }
}

/// Measures lag for as long as somebody holds it.
async fn measure(lag: Weak<Lag>) {
    loop {
        let beat = late(BEAT).await;
        match lag.upgrade() {
            Some(lag) => lag.note(beat),
            None => return,
        }
    }
}

/// The lags of a second.
pub(super) async fn of_a_second() -> Vec<Duration> {
    let mut lags = Vec::with_capacity(BEATS_PER_DECISION);
    for _ in 0..BEATS_PER_DECISION {
        lags.push(late(BEAT).await);
    }
    lags
}

/// By how much a sleep is late.
async fn late(beat: Duration) -> Duration {
    let began = Instant::now();
    tokio::time::sleep(beat).await;
    began.elapsed().saturating_sub(beat)
}

/// How many domains may be in flight, decided once a second.
#[derive(Debug)]
pub(super) struct Gate {
    allowed: usize,
    most: usize,
}

impl Gate {
    /// A gate that has not seen the loop yet.
    pub(super) fn new(most: usize) -> Self {
        Self { allowed: most.min(AT_FIRST), most }
    }

    /// How many may be in flight.
    pub(super) fn allowed(&self) -> usize {
        self.allowed
    }

    /// Decides by a second's lags: a tenth more while the loop is calm, half when it is strained.
    pub(super) fn decide(&mut self, lags: &mut [Duration]) -> usize {
        lags.sort_unstable();
        let high = lags.last().copied().unwrap_or_default();
        if high > STRAIN {
            self.allowed = (self.allowed / 2).max(FEWEST);
        } else if high < CALM {
            self.allowed += self.allowed.div_ceil(10);
        }
        self.allowed = self.allowed.min(self.most);
        self.allowed
    }
}

/// A measurement of lag that goes on for as long as it is held.
pub(super) fn begin() -> Arc<Lag> {
    let lag = Arc::new(Lag::default());
    tokio::spawn(measure(Arc::downgrade(&lag)));
    lag
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Gate, Lag};

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_calm_loop_lets_more_in_and_a_strained_one_fewer() {
        let mut gate = Gate::new(1_000);
        let mut decide = |lag: u64| gate.decide(&mut [ms(1), ms(lag), ms(2)]);
        assert_eq!(decide(2), 71);
        assert_eq!(decide(99), 79);
        assert_eq!(decide(100), 79, "between calm and strain nothing changes");
        assert_eq!(decide(250), 79);
        assert_eq!(decide(251), 39);
        for _ in 0..9 {
            decide(3_000);
        }
        assert_eq!(decide(3_000), 8, "some are always let in");
        for _ in 0..99 {
            decide(0);
        }
        assert_eq!(decide(0), 1_000, "and never more than were asked for");
    }

    #[tokio::test(start_paused = true)]
    async fn calm_is_waited_for_and_not_for_ever() {
        let lag = Arc::new(Lag::default());
        let began = Instant::now();
        let strained = Arc::clone(&lag);
        let strain = tokio::spawn(async move {
            for _ in 0..4 {
                strained.note(ms(400));
                tokio::time::sleep(ms(900)).await;
            }
        });
        lag.calm_down().await;
        strain.await.expect("no panic");
        assert!((4..6).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
        let strained = Arc::clone(&lag);
        let strain = tokio::spawn(async move {
            loop {
                strained.note(ms(400));
                tokio::time::sleep(ms(900)).await;
            }
        });
        let began = Instant::now();
        lag.calm_down().await;
        assert_eq!(began.elapsed().as_secs(), 30);
        strain.abort();
    }

    #[test]
    fn a_run_that_asks_for_few_never_gets_more() {
        let mut gate = Gate::new(3);
        assert_eq!(
            (gate.allowed, gate.decide(&mut [ms(0)]), gate.decide(&mut [ms(900)])),
            (3, 3, 3)
        );
    }

    #[test]
    fn a_deadline_is_excused_by_a_tenth_of_it_and_by_half_a_second_at_least() {
        let lag = Lag::default();
        for _ in 0..100 {
            lag.note(ms(50));
        }
        assert_eq!(lag.stood_still(), ms(0), "sharing a processor is no standstill");
        lag.note(ms(300));
        assert!(!lag.excuses(ms(0), ms(1_000)));
        lag.note(ms(300));
        assert!(lag.excuses(ms(0), ms(1_000)) && lag.excuses(ms(0), ms(6_000)));
        assert!(!lag.excuses(ms(0), ms(7_000)) && !lag.excuses(ms(300), ms(1_000)));
    }
}
