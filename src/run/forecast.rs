//! What a run would do: who is asked, how hard, how long it may take, where it goes. Nothing is asked
//! to tell it.

use serde::Serialize;

use super::Prepared;
use super::fitness::{descriptors_allowed, descriptors_needed, memory_most};
use crate::limits::Politeness;
use crate::plan::Plan;
use crate::sample::Entry;
use crate::seed::Seed;
use crate::words::Word as _;

/// Requests to one domain in one attempt, redirects apart.
const REQUESTS: u64 = 4;

/// Milliseconds that a domain of the open web takes on the whole: four requests of 300 ms, a name, a
/// handshake, and a few domains that burn their deadlines.
const DOMAIN_LIKELY_MS: u64 = 2_600;

/// Domains named as those that would be asked first.
const FIRST_SHOWN: usize = 5;

/// What a run would do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// The sample's name.
    pub sample: String,
    /// Domains of it.
    pub domains: u64,
    /// Domains of it that the opt-out list names, networks apart.
    pub excluded_by_name: u64,
    /// The run's seed.
    pub seed: u64,
    /// Attempts at most.
    pub attempts: u32,
    /// Who would be asked first, in order.
    pub first: Vec<String>,
    /// Requests of attempt 1, redirects apart.
    pub requests_first: u64,
    /// Requests of all attempts, if no domain were resolved, redirects apart.
    pub requests_most: u64,
    /// Redirects followed in one exchange at most.
    pub redirects_most: u64,
    /// The user-agent header.
    pub user_agent: String,
    /// The fixture internet, if one is asked.
    pub world: Option<String>,
    /// DNS servers; none where the world brings its own.
    pub resolver: Vec<String>,
    /// Hosts that show whether the network is there.
    pub canaries: Vec<String>,
    /// Domains at the same time.
    pub concurrency: usize,
    /// Domains begun in a second.
    pub rate: Option<u32>,
    /// Bounds by address and network.
    pub politeness: Option<Politeness>,
    /// Seconds between attempts.
    pub attempt_gap_s: u32,
    /// Longest Retry-After that is waited for, in seconds.
    pub retry_after_most_s: u32,
    /// Seconds that attempt 1 takes, if domains take what they do on the whole.
    pub first_likely_s: u64,
    /// Seconds that the run takes, if every domain used up its time in every attempt.
    pub all_most_s: u64,
    /// Descriptors that may be needed.
    pub descriptors_needed: u64,
    /// Descriptors that are allowed; none is no bound.
    pub descriptors_allowed: Option<u64>,
    /// MiB that the domains in flight may hold, if all were hostile.
    pub memory_most_mib: u64,
    /// How much evidence is kept.
    pub evidence: String,
    /// The run's folder.
    pub folder: String,
    /// Why the run is off the method, or on a fixture internet.
    pub marks: Vec<String>,
}

impl Prepared {
    /// What this run would do.
    pub fn forecast(&self) -> Forecast {
        let entries = &self.sample.entries;
        let all: Vec<usize> = (0..entries.len()).collect();
        let plan = Plan::new(&self.sample, Seed(self.request.seed), 1, &all);
        let first = plan.turns.iter().take(FIRST_SHOWN);
        let first = first.map(|turn| entries[turn.position].domain.as_str().to_owned()).collect();
        let list = self.courtesy.exclusions.as_deref();
        let is_excluded =
            |entry: &&Entry| list.is_some_and(|list| list.hold_name(entry.domain.as_str()));
        let domains = entries.len() as u64;
        let excluded_by_name = entries.iter().filter(is_excluded).count() as u64;
        let asked = domains - excluded_by_name;
        let limits = &self.instrument.limits;
        let attempts = u64::from(limits.attempts);
        let waits_s = (attempts - 1)
            * u64::from(self.courtesy.attempt_gap_s.max(self.courtesy.retry_after_most_s));
        let is_fixture = self.request.world.is_some();
        Forecast {
            sample: self.sample.name.clone(),
            domains,
            excluded_by_name,
            seed: self.request.seed,
            attempts: limits.attempts,
            first,
            requests_first: asked * REQUESTS,
            requests_most: asked * REQUESTS * attempts,
            redirects_most: limits.redirects,
            user_agent: self.request.user_agent.clone(),
            world: self.request.world.clone(),
            resolver: self.resolver.clone(),
            canaries: self.courtesy.canaries.clone(),
            concurrency: self.concurrency,
            rate: self.rate,
            politeness: self.courtesy.politeness,
            attempt_gap_s: self.courtesy.attempt_gap_s,
            retry_after_most_s: self.courtesy.retry_after_most_s,
            first_likely_s: self.takes_s(asked, DOMAIN_LIKELY_MS),
            all_most_s: attempts * self.takes_s(asked, limits.domain_ms) + waits_s,
            descriptors_needed: descriptors_needed(self.concurrency, is_fixture),
            descriptors_allowed: descriptors_allowed(self.concurrency, is_fixture),
            memory_most_mib: memory_most(self.concurrency, limits) >> 20,
            evidence: self.request.evidence.word().to_owned(),
            folder: self.out.to_string_lossy().into_owned(),
            marks: self.marks.clone(),
        }
    }

    /// Seconds for so many domains that take so long each: by the slots, or by the rate.
    fn takes_s(&self, domains: u64, domain_ms: u64) -> u64 {
        let by_slots = (domains * domain_ms).div_ceil(self.concurrency.max(1) as u64 * 1_000);
        let by_rate = self.rate.map_or(0, |rate| domains.div_ceil(u64::from(rate.max(1))));
        by_slots.max(by_rate)
    }
}
