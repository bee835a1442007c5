//! Every bound of the instrument: octets, redirects, seconds, attempts.
//!
//! A limit that can change a result stands in [`Limits`], goes into the manifest and into the
//! instrument's digest; a run with other limits is marked `modified`. The fixture internet may
//! shorten deadlines, and then says so in its own mark.

use std::collections::BTreeMap;

/// The bounds under which a domain is observed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Passes over the sample, the first included.
    pub attempts: u32,
    /// Redirects followed in one exchange (RFC 9309, 2.3.1.2 asks for at least five).
    pub redirects: u64,
    /// Time for a name's addresses, in milliseconds.
    pub resolve_ms: u64,
    /// Time for a TCP connection, in milliseconds.
    pub connect_ms: u64,
    /// Time for a TLS handshake, in milliseconds.
    pub handshake_ms: u64,
    /// Time for the head of an answer, from the request on, in milliseconds.
    pub head_ms: u64,
    /// Time for a body, from its head on, in milliseconds.
    pub body_ms: u64,
    /// Time for one exchange from its start, redirects and body included, in milliseconds.
    pub exchange_ms: u64,
    /// Time for all exchanges of a domain in one attempt, in milliseconds.
    pub domain_ms: u64,
    /// Decoded octets read of a robots.txt (RFC 9309, 2.5 asks for at least 500 KiB).
    pub robots_octets: u64,
    /// Decoded octets read of a homepage.
    pub homepage_octets: u64,
    /// Decoded octets read of an llms.txt and of its control.
    pub guidance_octets: u64,
    /// Octets of a response's head, names and values together.
    pub head_octets: u64,
    /// Fields of a response's head.
    pub head_fields: u64,
}

impl Limits {
    /// The method's limits.
    pub const METHOD: Self = Self {
        attempts: 3,
        redirects: 5,
        resolve_ms: 5_000,
        connect_ms: 5_000,
        handshake_ms: 5_000,
        head_ms: 10_000,
        body_ms: 10_000,
        exchange_ms: 10_000,
        domain_ms: 60_000,
        robots_octets: 512_000,
        homepage_octets: 1_048_576,
        guidance_octets: 1_048_576,
        head_octets: 65_536,
        head_fields: 256,
    };

    /// The limits by their names, as a manifest writes them.
    pub fn by_name(&self) -> BTreeMap<String, u64> {
        let document = serde_json::to_value(self).expect("whole numbers can be written");
        serde_json::from_value(document).expect("every limit is a whole number")
    }

    /// The same limits with every deadline capped, for a world that answers at once or never.
    pub fn with_deadline_ms(mut self, deadline_ms: u64) -> Self {
        for deadline in [
            &mut self.resolve_ms,
            &mut self.connect_ms,
            &mut self.handshake_ms,
            &mut self.head_ms,
            &mut self.body_ms,
            &mut self.exchange_ms,
        ] {
            *deadline = (*deadline).min(deadline_ms);
        }
        self
    }

    /// Sets a limit by its name; `Err` says why it cannot be that.
    pub fn set(&mut self, name: &str, number: u64) -> Result<(), String> {
        let known = SETTABLE.iter().find(|(known, _, _)| *known == name);
        let Some((&(_, least, most), limit)) = known.zip(self.named(name)) else {
            let names: Vec<&str> = SETTABLE.iter().map(|(name, _, _)| *name).collect();
            return Err(format!("no limit is named {name:?}: there are {}", names.join(", ")));
        };
        if !(least..=most).contains(&number) {
            return Err(format!("{name} is {number}, and not between {least} and {most}"));
        }
        *limit = number;
        Ok(())
    }

    /// What differs from the method's limits, the number of attempts apart, each as a reason.
    pub fn departures(&self) -> Vec<String> {
        let (mut ours, mut method) = (self.clone(), Self::METHOD);
        let pairs = SETTABLE.iter().filter_map(|&(name, _, _)| {
            let (ours, method) = (*ours.named(name)?, *method.named(name)?);
            (ours != method).then(|| format!("{name} is {ours} where the method has {method}"))
        });
        pairs.collect()
    }

    /// The limits that marks of a run tell of, each holding what `departures` gave as its reason;
    /// other marks are passed over.
    pub fn told_by(marks: &[String]) -> Vec<(String, u64)> {
        let told = |mark: &String| {
            let (before, after) = mark.split_once(" is ")?;
            let name = before.rsplit(' ').next()?;
            let (number, _) = after.split_once(" where the method has ")?;
            let is_settable = SETTABLE.iter().any(|(known, _, _)| *known == name);
            is_settable.then(|| Some((name.to_owned(), number.parse().ok()?)))?
        };
        marks.iter().filter_map(told).collect()
    }

    /// Octets of memory that a domain in flight takes at most: its four bodies as they came and
    /// unpacked (gzip adds less than a body's size again), the heads on the way to them, and what its
    /// connections hold back.
    pub fn octets_in_flight_most(&self) -> u64 {
        const REQUESTS: u64 = 4;
        const CONNECTIONS: u64 = 2;
        const TLS_OCTETS: u64 = 65_536;
        let body = |limit: u64| 3 * limit + TLS_OCTETS;
        let bodies = body(self.robots_octets) + body(self.homepage_octets);
        let guidance = 2 * body(self.guidance_octets);
        let heads = REQUESTS * (self.redirects + 1) * self.head_octets;
        bodies + guidance + heads + CONNECTIONS * (2 * self.head_octets + TLS_OCTETS)
    }

    /// A limit by its name.
    fn named(&mut self, name: &str) -> Option<&mut u64> {
        Some(match name {
            "redirects" => &mut self.redirects,
            "resolve_ms" => &mut self.resolve_ms,
            "connect_ms" => &mut self.connect_ms,
            "handshake_ms" => &mut self.handshake_ms,
            "head_ms" => &mut self.head_ms,
            "body_ms" => &mut self.body_ms,
            "exchange_ms" => &mut self.exchange_ms,
            "domain_ms" => &mut self.domain_ms,
            "robots_octets" => &mut self.robots_octets,
            "homepage_octets" => &mut self.homepage_octets,
            "guidance_octets" => &mut self.guidance_octets,
            "head_octets" => &mut self.head_octets,
            "head_fields" => &mut self.head_fields,
            _ => return None,
        })
    }
}

/// The limits that a run may be told to keep to, with the least and the most that each may be.
const SETTABLE: [(&str, u64, u64); 13] = [
    ("redirects", 0, 20),
    ("resolve_ms", 10, 600_000),
    ("connect_ms", 10, 600_000),
    ("handshake_ms", 10, 600_000),
    ("head_ms", 10, 600_000),
    ("body_ms", 10, 600_000),
    ("exchange_ms", 10, 600_000),
    ("domain_ms", 10, 3_600_000),
    ("robots_octets", 1_024, 512_000),
    ("homepage_octets", 1_024, 67_108_864),
    ("guidance_octets", 1_024, 67_108_864),
    ("head_octets", 1_024, 1_048_576),
    ("head_fields", 10, 10_000),
];

/// How hard others' machines are asked; it changes when a request goes out, and no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Politeness {
    /// For one address.
    pub address: Bound,
    /// For one network: an IPv4 /24 or an IPv6 /48.
    pub network: Bound,
}

/// How hard one machine or network is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Bound {
    /// Domains in contact with it at the same time.
    pub at_once: u32,
    /// Requests in a second; as many may go out at once at first.
    pub per_second: u32,
}

impl Politeness {
    /// What is kept to when nothing else is said: a small server hardly notices it, and a sample
    /// of which a tenth lies in one network is still asked in minutes.
    pub const DEFAULT: Self = Self {
        address: Bound { at_once: 2, per_second: 5 },
        network: Bound { at_once: 8, per_second: 20 },
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::METHOD
    }
}

/// Octets of a robots.txt that the engine reads; the rest of a longer document is ignored.
pub const ROBOTS_OCTETS: usize = Limits::METHOD.robots_octets as usize;

/// Octets of a file that is handed over as a robots.txt; more than the engine reads of any.
pub const ROBOTS_FILE_OCTETS: u64 = 64 * 1024 * 1024;

/// Decoded octets read of the page that an audit looks at.
pub const AUDIT_PAGE_OCTETS: u64 = 5 * 1024 * 1024;

/// Octets that a sitemap may have once it is unpacked (sitemaps.org: 50 MiB).
pub const SITEMAP_OCTETS: u64 = 52_428_800;

/// Addresses that a sitemap may list (sitemaps.org).
pub const SITEMAP_URLS: usize = 50_000;

/// Most sitemaps that an audit asks for, those that indexes lead to included.
pub const SITEMAPS_MOST: usize = 20;

/// Decoded octets read of a page that the crawler registry names.
pub const SOURCE_PAGE_OCTETS: u64 = 8 * 1024 * 1024;

/// The longest Crawl-delay, in seconds, that a refresh of the crawler registry waits for; a host that
/// asks for more is not asked for its page.
pub const CRAWL_DELAY_MOST_S: u64 = 120;

/// Octets of what a refresh remembers of pages.
pub const REFRESH_OCTETS: u64 = 16 * 1024 * 1024;

/// Octets of a file of saved probes.
pub const PROBES_OCTETS: u64 = 2 * 1024 * 1024 * 1024;

/// Octets of a sample file.
pub const SAMPLE_OCTETS: u64 = 256 * 1024 * 1024;

/// Octets of one file of a folder world.
pub const WORLD_FILE_OCTETS: u64 = 16 * 1024 * 1024;

/// Octets of one record of a web archive; a larger one holds nothing that the method reads.
pub const ARCHIVE_RECORD_OCTETS: u64 = 64 * 1024 * 1024;

/// Most domains that a run may be told to ask at the same time; how many are is for the gate on the
/// event loop's lag to say.
pub const CONCURRENCY_MOST: usize = 8_192;

/// Descriptors that a run needs beside those of the domains in flight: its files, its DNS servers,
/// the runtime's own.
pub const DESCRIPTORS_OF_A_RUN: usize = 64;

/// Domains asked at the same time when nothing else is said.
pub const CONCURRENCY_DEFAULT: usize = 64;

/// Most passes over a sample that a run may be told to make.
pub const ATTEMPTS_MOST: u32 = 9;

/// Most domains begun in a second that a run may be told to keep to.
pub const RATE_MOST: u32 = 10_000;

/// Most requests in a second, and domains at once, that one address or network may be told to bear.
pub const BOUND_MOST: u32 = 1_000;

/// Domains that may be in flight for every slot, most of them waiting for a busy network.
pub const WAITING_PER_SLOT: usize = 4;

/// Time between the end of an attempt and the next over the internet, in seconds, when nothing else
/// is said: what fails for a moment is given more than that moment.
pub const ATTEMPT_GAP_DEFAULT_S: u32 = 60;

/// Longest time that a run may be told to leave between two attempts, in seconds.
pub const ATTEMPT_GAP_MOST_S: u32 = 7 * 24 * 3_600;

/// Longest Retry-After that is waited for over the internet, in seconds, when nothing else is said.
pub const RETRY_AFTER_DEFAULT_S: u32 = 600;

/// Longest Retry-After that a run may be told to wait for, in seconds.
pub const RETRY_AFTER_MOST_S: u32 = 24 * 3_600;

/// Octets of a list of what is never asked.
pub const EXCLUSIONS_OCTETS: u64 = 64 * 1024 * 1024;

/// Time within which somebody's answer shows that the network is there, before a canary is asked,
/// in milliseconds.
pub const SIGN_OF_LIFE_MS: u64 = 1_000;

/// Time between two askings of the canaries while the network is away, in milliseconds.
pub const CANARY_PAUSE_MS: u64 = 5_000;

/// Longest time for which the network may be away before a run stops, in seconds, when nothing else
/// is said.
pub const OUTAGE_DEFAULT_S: u32 = 180;

/// Longest such time that a run may be told, in seconds.
pub const OUTAGE_MOST_S: u32 = 24 * 3_600;

/// How often an exchange that fails by our own trouble is asked before the run stops.
pub const OWN_TROUBLE_ASKINGS: u32 = 6;

/// How often one is asked that failed while this process stood still: each time after a second of
/// calm, since a busy machine is not a broken one.
pub const STANDSTILL_ASKINGS: u32 = 20;

/// Time between such askings, in milliseconds, doubled each time.
pub const OWN_TROUBLE_PAUSE_MS: u64 = 200;

/// Octets of a log that are dealt to a worker at a time: as many as a core's own cache holds, since they
/// are gone over more than once.
pub const LOG_BLOCK_OCTETS: usize = 256 * 1024;

/// Octets of a log's beginning by which its format is found.
pub const LOG_SNIFFED_OCTETS: usize = 128 * 1024;

/// Octets of a log's line that are kept; the rest of a longer one is passed over.
pub const LOG_LINE_OCTETS: usize = 8 * 1024 * 1024;

/// Octets from which on a compressed log may not expand more than `LOG_EXPANSION_MOST` times.
pub const LOG_EXPANSION_OCTETS: u64 = 256 * 1024 * 1024;

/// How many times its size a compressed log may expand to; real ones do so ten to a hundred times.
pub const LOG_EXPANSION_MOST: u64 = 2_000;

/// Lines of logs whose times meet that are compared at once.
pub const LOG_COMPARED_LINES: usize = 2_000_000;

/// Lines that several logs have and that can be left out as copies.
pub const LOG_SHARED_LINES: usize = 4_000_000;

/// Files of one archive of logs.
pub const LOG_ARCHIVE_FILES: usize = 10_000;

/// Octets of a name in an archive of logs, or of what else is said of a file there.
pub const LOG_ARCHIVE_NAME_OCTETS: u64 = 64 * 1024;

/// Addresses that the sitemaps which a log is held against may list in all.
pub const LOG_SITEMAP_URLS: usize = 5_000_000;

/// Time for one question of reverse or forward DNS, in milliseconds.
pub const LOG_DNS_PATIENCE_MS: u64 = 3_000;

/// Octets of a file that a log is judged by: address ranges, trusted proxies, DNS answers, sitemaps.
pub const LOG_EVIDENCE_OCTETS: u64 = 64 * 1024 * 1024;

#[cfg(test)]
mod tests {
    use super::{Limits, SETTABLE};

    #[test]
    fn a_world_shortens_deadlines_and_never_lengthens_them() {
        let short = Limits::METHOD.with_deadline_ms(3_000);
        assert_eq!((short.resolve_ms, short.exchange_ms), (3_000, 3_000));
        assert_eq!(Limits::METHOD.with_deadline_ms(90_000), Limits::METHOD);
    }

    #[test]
    fn every_limit_but_the_attempts_can_be_set_and_is_then_a_departure() {
        let method = serde_json::to_value(Limits::METHOD).expect("numbers");
        let mut names: Vec<&str> =
            method.as_object().expect("an object").keys().map(String::as_str).collect();
        names.retain(|name| *name != "attempts");
        let mut settable: Vec<&str> = SETTABLE.iter().map(|(name, _, _)| *name).collect();
        settable.sort_unstable();
        names.sort_unstable();
        assert_eq!(settable, names);
        for (name, least, _) in SETTABLE {
            let mut limits = Limits::METHOD;
            limits.set(name, least).expect("the least of all");
            let was = &method[name];
            let expected = format!("{name} is {least} where the method has {was}");
            assert_eq!(limits.departures(), [expected]);
        }
        assert!(Limits::METHOD.departures().is_empty());
    }

    #[test]
    fn what_departed_can_be_read_back_from_the_marks() {
        let mut limits = Limits::METHOD;
        limits.set("connect_ms", 70).expect("in bounds");
        limits.set("redirects", 3).expect("in bounds");
        let mut marks = vec!["fixture internet: a is 3 where the method has 4".to_owned()];
        marks.extend(limits.departures().iter().map(|reason| format!("modified: {reason}")));
        let told = Limits::told_by(&marks);
        assert_eq!(told, [("redirects".to_owned(), 3), ("connect_ms".to_owned(), 70)]);
    }

    #[test]
    fn a_domain_in_flight_takes_no_more_memory_than_readme_says() {
        assert_eq!(Limits::METHOD.octets_in_flight_most().div_ceil(1_000_000), 14);
    }

    #[test]
    fn a_limit_that_cannot_be_is_refused_with_what_could() {
        let mut limits = Limits::METHOD;
        let unknown = limits.set("attempts", 2).expect_err("it has a flag of its own");
        assert!(unknown.starts_with("no limit is named \"attempts\": there are redirects, "));
        let low = limits.set("connect_ms", 0).expect_err("no time at all");
        assert_eq!(low, "connect_ms is 0, and not between 10 and 600000");
        let high = limits.set("robots_octets", 512_001).expect_err("more than the engine reads");
        assert_eq!(high, "robots_octets is 512001, and not between 1024 and 512000");
        assert_eq!(limits, Limits::METHOD);
    }
}
