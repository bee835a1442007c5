//! How hard one machine and one network are asked, however many of the sample's domains lie there.
//!
//! A list of sites is not a list of machines: shared hosting and delivery networks put thousands of
//! names on one address. So contact is bounded by address and by network (IPv4 /24, IPv6 /48), in
//! the number of domains that are in contact at the same time and in the requests of a second. A
//! visit holds a place at one address at a time, the one that it dials first, and gives it up before
//! it waits for another: nobody waits for somebody who waits for him.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::limits::{Bound, Politeness};

/// Requests between two looks for rates that need not be remembered any longer.
const REQUESTS_PER_TIDYING: usize = 4_096;

/// Bounds the contact with addresses and networks.
pub(super) struct Throttle {
    /// By address, then by network.
    bounds: [Bounded; 2],
}

/// A place at an address and in its network; dropping it gives it up.
#[derive(Debug)]
pub(super) struct Place {
    address: IpAddr,
    _permits: [OwnedSemaphorePermit; 2],
}

impl Throttle {
    /// A throttle that keeps to these bounds.
    pub(super) fn new(politeness: &Politeness) -> Self {
        let clock = SinceStart(Instant::now());
        let bounds = [politeness.address, politeness.network];
        Self { bounds: bounds.map(|bound| Bounded::new(bound, clock)) }
    }

    /// Waits for leave to send one request to an address; keeps the place held there, or exchanges
    /// a place held elsewhere.
    pub(super) async fn admit(&self, held: &mut Option<Place>, address: IpAddr) {
        if held.as_ref().is_none_or(|place| place.address != address) {
            drop(held.take());
            *held = Some(self.place(address).await);
        }
        for (bounded, key) in self.bounds.iter().zip(keys(address)) {
            bounded.pace(key).await;
        }
    }

    /// Waits for a place at an address, then for one in its network.
    async fn place(&self, address: IpAddr) -> Place {
        let [at_address, in_network] = &self.bounds;
        let [own, network] = keys(address);
        let at_address = at_address.permit(own).await;
        Place { address, _permits: [at_address, in_network.permit(network).await] }
    }
}

/// What an address is counted under: itself, and its network.
fn keys(address: IpAddr) -> [IpAddr; 2] {
    let network = match address {
        IpAddr::V4(v4) => IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & (!0 << 8))),
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (!0 << 80))),
    };
    [address, network]
}

/// One bound, kept for each of its keys.
struct Bounded {
    at_once: usize,
    places: Mutex<BTreeMap<IpAddr, Arc<Semaphore>>>,
    rate: RateLimiter<IpAddr, DashMapStateStore<IpAddr>, SinceStart, NoOpMiddleware<Duration>>,
    clock: SinceStart,
    requests: AtomicUsize,
}

impl Bounded {
    fn new(bound: Bound, clock: SinceStart) -> Self {
        let per_second = NonZeroU32::new(bound.per_second).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(per_second);
        Self {
            at_once: bound.at_once.max(1) as usize,
            places: Mutex::default(),
            rate: RateLimiter::new(quota, DashMapStateStore::default(), clock),
            clock,
            requests: AtomicUsize::new(0),
        }
    }

    /// Waits for one of a key's places.
    async fn permit(&self, key: IpAddr) -> OwnedSemaphorePermit {
        let semaphore = {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            // A semaphore that nobody holds or waits for is as good as a new one.
            if places.len() > REQUESTS_PER_TIDYING {
                places.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
            }
            let new = || Arc::new(Semaphore::new(self.at_once));
            Arc::clone(places.entry(key).or_insert_with(new))
        };
        semaphore.acquire_owned().await.expect("a semaphore that is never closed")
    }

    /// Waits until a key may be asked once more.
    async fn pace(&self, key: IpAddr) {
        while let Err(too_early) = self.rate.check_key(&key) {
            tokio::time::sleep(too_early.wait_time_from(self.clock.now())).await;
        }
        if self.requests.fetch_add(1, Ordering::Relaxed).is_multiple_of(REQUESTS_PER_TIDYING) {
            self.rate.retain_recent();
        }
    }
}

/// The runtime's own clock, as time since a throttle was made.
#[derive(Clone, Copy, Debug)]
struct SinceStart(Instant);

impl Clock for SinceStart {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests;
