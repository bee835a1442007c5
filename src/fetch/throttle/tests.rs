//! The throttle in virtual time: who is in contact, how often, and that nobody waits for ever.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::{Throttle, keys};
use crate::limits::{Bound, Politeness};

const POLITENESS: Politeness = Politeness {
    address: Bound { at_once: 2, per_second: 5 },
    network: Bound { at_once: 3, per_second: 8 },
};

/// Who is in contact with what, and when requests went out.
#[derive(Default)]
struct Log {
    present: BTreeMap<IpAddr, u32>,
    most: BTreeMap<IpAddr, u32>,
    requests: BTreeMap<IpAddr, Vec<Duration>>,
}

impl Log {
    /// A request to an address; the first of a visit makes it present.
    fn note(&mut self, address: IpAddr, is_first: bool, at: Duration) {
        for key in keys(address) {
            self.requests.entry(key).or_default().push(at);
            if is_first {
                let present = self.present.entry(key).or_default();
                *present += 1;
                let most = self.most.entry(key).or_default();
                *most = (*most).max(*present);
            }
        }
    }

    /// A visit is over.
    fn leave(&mut self, address: IpAddr) {
        for key in keys(address) {
            *self.present.entry(key).or_default() -= 1;
        }
    }
}

/// Visits of four requests each, all begun at once; what was seen of them.
async fn visits(addresses: &[&str]) -> (Log, Duration) {
    let (throttle, log) =
        (Arc::new(Throttle::new(&POLITENESS)), Arc::new(Mutex::new(Log::default())));
    let began = Instant::now();
    let mut visits = JoinSet::new();
    for address in addresses {
        let address: IpAddr = address.parse().expect("an address");
        let (throttle, log) = (Arc::clone(&throttle), Arc::clone(&log));
        visits.spawn(async move {
            let mut place = None;
            for request in 0..4 {
                throttle.admit(&mut place, address).await;
                log.lock().expect("no panic").note(address, request == 0, began.elapsed());
                sleep(Duration::from_millis(1)).await;
            }
            log.lock().expect("no panic").leave(address);
            drop(place);
        });
    }
    while let Some(end) = visits.join_next().await {
        end.expect("no panic");
    }
    let log = std::mem::take(&mut *log.lock().expect("no panic"));
    (log, began.elapsed())
}

/// Most requests within any second, the first burst left off.
fn most_in_a_second(requests: &[Duration], burst: usize) -> usize {
    let later = requests.get(burst..).unwrap_or_default();
    let second = Duration::from_secs(1);
    let within =
        |from: &Duration| later.iter().filter(|at| **at >= *from && **at < *from + second).count();
    later.iter().map(within).max().unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn an_address_and_its_network_are_asked_within_their_bounds() {
    let crowd: Vec<String> = (0..40).map(|at| format!("192.0.2.{}", 1 + at % 4)).collect();
    let (log, took) = visits(&crowd.iter().map(String::as_str).collect::<Vec<_>>()).await;
    for last in 1..=4 {
        let address: IpAddr = format!("192.0.2.{last}").parse().expect("an address");
        assert!(log.most[&address] <= 2, "{address}");
        assert!(most_in_a_second(&log.requests[&address], 5) <= 5, "{address}");
        assert_eq!(log.requests[&address].len(), 40);
    }
    let network: IpAddr = "192.0.2.0".parse().expect("an address");
    assert!(log.most[&network] <= 3);
    assert!(took >= Duration::from_secs((160 - 8) / 8), "{took:?}");
    assert!(took < Duration::from_secs(60), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn other_networks_do_not_wait() {
    let apart: Vec<String> = (0..200).map(|net| format!("10.0.{net}.1")).collect();
    let (_, took) = visits(&apart.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert!(took < Duration::from_millis(10), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn visits_that_change_places_never_wait_for_each_other() {
    let throttle = Arc::new(Throttle::new(&POLITENESS));
    let mut visits = JoinSet::new();
    for number in 0..30 {
        let throttle = Arc::clone(&throttle);
        visits.spawn(async move {
            let mut place = None;
            for step in 0..6 {
                let address = format!("192.0.{}.1", (number + step) % 2);
                throttle.admit(&mut place, address.parse().expect("an address")).await;
                sleep(Duration::from_millis(100)).await;
            }
        });
    }
    let all = tokio::time::timeout(Duration::from_secs(600), visits.join_all());
    assert_eq!(all.await.expect("nobody waits for ever").len(), 30);
}

#[test]
fn a_network_is_a_24_of_ipv4_and_a_48_of_ipv6() {
    for (address, network) in [
        ("192.0.2.77", "192.0.2.0"),
        ("192.0.3.77", "192.0.3.0"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
        ("2001:db8:2::1", "2001:db8:2::"),
    ] {
        let address: IpAddr = address.parse().expect("an address");
        assert_eq!(keys(address), [address, network.parse().expect("an address")]);
    }
}
