//! Every bound of the instrument: octets, redirects, seconds, attempts.
//!
//! A limit that can change a result stands in [`Limits`], goes into the manifest and into the
//! instrument's digest; a run with other limits is marked `modified`. The fixture internet may
//! shorten deadlines, and then says so in its own mark.

/// The bounds under which a domain is observed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
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

/// Octets of a robots.txt that the engine reads; the rest of a longer document is ignored.
pub const ROBOTS_OCTETS: usize = Limits::METHOD.robots_octets as usize;

/// Octets of a file that is handed over as a robots.txt; more than the engine reads of any.
pub const ROBOTS_FILE_OCTETS: u64 = 64 * 1024 * 1024;

/// Octets of a sample file.
pub const SAMPLE_OCTETS: u64 = 256 * 1024 * 1024;

/// Octets of one file of a folder world.
pub const WORLD_FILE_OCTETS: u64 = 16 * 1024 * 1024;

/// Octets of one record of a web archive; a larger one holds nothing that the method reads.
pub const ARCHIVE_RECORD_OCTETS: u64 = 64 * 1024 * 1024;

/// Most domains asked at the same time: beyond it our own queueing would forge timeouts.
pub const CONCURRENCY_MOST: usize = 1_024;

/// Descriptors that a run needs beside those of the domains in flight: its files, its DNS servers,
/// the runtime's own.
pub const DESCRIPTORS_OF_A_RUN: usize = 64;

/// Domains asked at the same time when nothing else is said.
pub const CONCURRENCY_DEFAULT: usize = 64;

/// Most passes over a sample that a run may be told to make.
pub const ATTEMPTS_MOST: u32 = 9;

/// Most domains begun in a second that a run may be told to keep to.
pub const RATE_MOST: u32 = 10_000;

/// How often an exchange that fails by our own trouble is asked before the run stops.
pub const OWN_TROUBLE_ASKINGS: u32 = 6;

/// Time between such askings, in milliseconds, doubled each time.
pub const OWN_TROUBLE_PAUSE_MS: u64 = 200;

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
