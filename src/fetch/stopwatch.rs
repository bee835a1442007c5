//! Time that is only measured while it is used.
//!
//! A deadline judges a site, so it must run while the site is waited for and at no other time:
//! waiting for a busy network, for a place among those in flight or for the end of our own trouble
//! stops the watch.

use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// A watch that runs and stops.
#[derive(Debug, Default)]
pub(super) struct Stopwatch {
    reading: Mutex<Reading>,
    runs_again: Notify,
}

/// What a watch shows.
#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    /// Time measured until it last stopped.
    measured: Duration,
    /// Since when it runs, if it does.
    since: Option<Instant>,
}

impl Stopwatch {
    /// Lets the watch run.
    pub(super) fn start(&self) {
        self.reading().since.get_or_insert_with(Instant::now);
        self.runs_again.notify_waiters();
    }

    /// Stops the watch.
    pub(super) fn stop(&self) {
        let mut reading = self.reading();
        if let Some(since) = reading.since.take() {
            reading.measured += since.elapsed();
        }
    }

    /// Sets a stopped watch back to an earlier reading: what happened since does not count.
    pub(super) fn set_back(&self, earlier: Duration) {
        let mut reading = self.reading();
        *reading = Reading { measured: earlier.min(reading.measured), since: None };
    }

    /// The time measured so far.
    pub(super) fn elapsed(&self) -> Duration {
        let reading = *self.reading();
        reading.measured + reading.since.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// Drives a future while the watch stands still.
    pub(super) async fn pausing<T>(&self, future: impl Future<Output = T>) -> T {
        self.stop();
        let end = future.await;
        self.start();
        end
    }

    /// Drives a future until it ends, or `None` once the watch shows `deadline`.
    pub(super) async fn within<T>(
        &self,
        deadline: Duration,
        future: impl Future<Output = T>,
    ) -> Option<T> {
        let mut future = pin!(future);
        loop {
            let runs_again = self.runs_again.notified();
            let stands_still = self.reading().since.is_none();
            let left = deadline.saturating_sub(self.elapsed());
            tokio::select! {
                biased;
                end = &mut future => return Some(end),
                () = runs_again, if stands_still => {}
                () = tokio::time::sleep(left), if !stands_still => {
                    if self.elapsed() >= deadline {
                        return None;
                    }
                }
            }
        }
    }

    fn reading(&self) -> MutexGuard<'_, Reading> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{Instant, sleep};

    use super::Stopwatch;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_deadline_passes_when_the_watch_shows_it_and_not_before() {
        let (watch, began) = (Stopwatch::default(), Instant::now());
        watch.start();
        let waited = async {
            sleep(2 * SECOND).await;
            watch.pausing(sleep(60 * SECOND)).await;
            sleep(2 * SECOND).await;
            "an answer"
        };
        assert_eq!(watch.within(5 * SECOND, waited).await, Some("an answer"));
        assert_eq!((watch.elapsed(), began.elapsed()), (4 * SECOND, 64 * SECOND));
        assert_eq!(watch.within(5 * SECOND, sleep(9 * SECOND)).await, None);
        assert_eq!(watch.elapsed(), 5 * SECOND, "one second was left of five");
    }

    #[tokio::test(start_paused = true)]
    async fn a_watch_that_is_set_back_forgets_what_came_since() {
        let watch = Stopwatch::default();
        watch.start();
        sleep(SECOND).await;
        let earlier = watch.elapsed();
        sleep(7 * SECOND).await;
        watch.stop();
        watch.set_back(earlier);
        sleep(SECOND).await;
        assert_eq!(watch.elapsed(), SECOND);
    }
}
