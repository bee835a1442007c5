//! One question a name in flight: whoever asks what is being asked already waits for the same answer.
//!
//! Many sites of a sample lead to one host. Nothing is kept once the last of the waiting has the
//! answer, so that this is no cache: a name asked in the next attempt is asked anew.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::OnceCell;

/// The questions in flight, by what is asked.
pub(super) struct Flights<T>(Mutex<BTreeMap<String, Weak<OnceCell<T>>>>);

impl<T> Default for Flights<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Flights<T> {
    /// The answer to a question, which `asking` asks unless it is being asked already.
    ///
    /// If whoever asks gives up, the next of the waiting asks in its place.
    pub(super) async fn join(&self, name: &str, asking: impl Future<Output = T>) -> T {
        let seat = self.board(name);
        seat.flight.get_or_init(|| asking).await.clone()
    }

    /// A seat in the flight for a name.
    fn board<'a>(&'a self, name: &'a str) -> Seat<'a, T> {
        let mut flights = self.lock();
        let under_way = flights.get(name).and_then(Weak::upgrade);
        let flight = under_way.unwrap_or_else(|| {
            let flight = Arc::new(OnceCell::new());
            flights.insert(name.to_owned(), Arc::downgrade(&flight));
            flight
        });
        Seat { flights: self, name, flight }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Weak<OnceCell<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of those who wait for an answer; the last to leave clears up.
struct Seat<'a, T: Clone> {
    flights: &'a Flights<T>,
    name: &'a str,
    flight: Arc<OnceCell<T>>,
}

impl<T: Clone> Drop for Seat<'_, T> {
    fn drop(&mut self) {
        let mut flights = self.flights.lock();
        if Arc::strong_count(&self.flight) == 1 {
            flights.remove(self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::Flights;

    #[tokio::test]
    async fn what_is_being_asked_is_not_asked_again_and_then_forgotten() {
        let flights = Flights::<u32>::default();
        let asked = AtomicU32::new(0);
        let ask = async || {
            tokio::task::yield_now().await;
            asked.fetch_add(1, Ordering::SeqCst)
        };
        let both = tokio::join!(flights.join("a", ask()), flights.join("a", ask()));
        assert_eq!(both, (0, 0));
        assert_eq!(flights.join("a", ask()).await, 1);
        assert!(flights.lock().is_empty());
    }

    #[tokio::test]
    async fn who_gives_up_leaves_the_question_to_the_next() {
        let flights = Flights::<u32>::default();
        let never = flights.join("a", std::future::pending::<u32>());
        let given_up = async {
            tokio::select! {
                biased;
                _ = never => 0,
                () = tokio::task::yield_now() => 1,
            }
        };
        let answered = flights.join("a", async { 7 });
        assert_eq!(tokio::join!(given_up, answered), (1, 7));
        assert!(flights.lock().is_empty());
    }
}
