//! Which robots.txt was in force on a host at a moment.
//!
//! A version is in force from its own moment, its first second included, until the next one of its
//! host. Before the first there is none, and nothing is guessed. A period may be without a file: 4xx
//! (RFC 9309, 2.3.1.3: everything is allowed) or 5xx and no answer (2.3.1.4: everything is
//! disallowed; after thirty days it may be taken for allowed).

use std::collections::BTreeMap;

use crate::closed_list;
use crate::digest::Digest;
use crate::html::looks_like_html;
use crate::robots::{self, Robots};

/// Seconds for which an unreachable file disallows everything (RFC 9309, 2.3.1.4).
pub(super) const UNREACHABLE_S: i64 = 30 * 86_400;

closed_list! {
    /// What a host's robots.txt was in a period.
    pub enum State {
        /// A file.
        File = "file",
        /// None: it was answered with 4xx, and everything is allowed.
        Absent = "absent",
        /// It could not be had, and everything is disallowed, for thirty days.
        Unreachable = "unreachable",
        /// It is not known, as behind a redirect whose end is not kept.
        Unknown = "unknown",
    }
}

closed_list! {
    /// How the moment is known from which a version was in force.
    pub enum Basis {
        /// It was put there at that moment.
        Deployed = "deployed",
        /// It was first seen then: the true change lies between that and the sight before.
        Observed = "observed",
        /// It was inferred from the log.
        Inferred = "inferred",
        /// The caller says that it was always in force.
        Always = "always",
    }
}

/// One version of a host's robots.txt.
#[derive(Debug)]
pub struct Version {
    /// The first second in which it was in force, since 1970 in UTC.
    pub from_s: i64,
    /// What it was.
    pub state: State,
    /// The status with which it was answered; 0 where there was none.
    pub status: u16,
    /// The file as it is kept; empty where there is none.
    pub file: String,
    /// The digest of the file.
    pub digest: Option<Digest>,
    /// Whether the file is a web page.
    is_html: bool,
    /// How its moment is known.
    pub basis: Basis,
    /// When the version before it was last seen, where it was seen and not put there: until its own
    /// moment either may have been in force.
    pub uncertain_from_s: Option<i64>,
    /// Its rules.
    pub robots: Option<Robots>,
}

impl Version {
    /// A version that is a file.
    pub fn of_file(from_s: i64, file: &str, octets: &[u8], basis: Basis) -> Self {
        Self {
            from_s,
            state: State::File,
            status: 200,
            file: file.to_owned(),
            digest: Some(Digest::of(octets)),
            is_html: looks_like_html(octets),
            basis,
            uncertain_from_s: None,
            robots: Some(robots::parse(octets)),
        }
    }

    /// A period without a file: its status, or none where nothing was answered.
    pub fn without_file(from_s: i64, status: Option<u16>, basis: Basis) -> Self {
        let state = match status {
            Some(400..=499) => State::Absent,
            Some(500..=599) | None => State::Unreachable,
            Some(_) => State::Unknown,
        };
        let status = status.unwrap_or(0);
        Self {
            from_s,
            state,
            status,
            file: String::new(),
            digest: None,
            is_html: false,
            basis,
            uncertain_from_s: None,
            robots: None,
        }
    }
}

/// The versions of one host, by time.
#[derive(Debug)]
pub struct HostHistory {
    /// The host, in lower case; `*` for any.
    pub host: String,
    /// Its versions.
    pub versions: Vec<Version>,
    /// The place of its first version among all.
    first: usize,
}

/// The versions of all hosts.
#[derive(Debug, Default)]
pub struct History {
    /// Each host's versions, by host.
    pub hosts: Vec<HostHistory>,
    by_host: BTreeMap<String, usize>,
    versions: usize,
}

/// A version, and its place among all.
#[derive(Clone, Copy, Debug)]
pub struct InForce<'h> {
    /// The host's history.
    pub host: &'h HostHistory,
    /// The version.
    pub version: &'h Version,
    /// Its place in the host's history.
    pub place: usize,
    /// Its place among the versions of all hosts.
    pub id: usize,
}

impl History {
    /// A history from each host's versions, in any order; versions of one moment keep their order,
    /// and the last of them counts.
    pub fn new(hosts: BTreeMap<String, Vec<Version>>) -> Self {
        let mut history = Self::default();
        for (host, mut versions) in hosts {
            versions.sort_by_key(|version| version.from_s);
            history.by_host.insert(host.clone(), history.hosts.len());
            let first = history.versions;
            history.versions += versions.len();
            history.hosts.push(HostHistory { host, versions, first });
        }
        history
    }

    /// Whether nothing is known of any host.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// How many versions there are in all.
    pub fn versions(&self) -> usize {
        self.versions
    }

    /// What is odd about the versions, in words: nobody keeps such files on purpose.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        for host in &self.hosts {
            for version in &host.versions {
                let file = &version.file;
                if version.is_html {
                    remarks.push(format!("{file} is a web page, and says nothing as a robots.txt"));
                }
                if version.robots.as_ref().is_some_and(Robots::truncated) {
                    remarks.push(format!("{file} is too long: no rule behind its limit is read"));
                }
            }
            for pair in host.versions.windows(2) {
                if pair[0].digest.is_some() && pair[0].digest == pair[1].digest {
                    let (one, two) = (&pair[0].file, &pair[1].file);
                    remarks.push(format!("{two} is the same file as {one}, the version before it"));
                }
            }
        }
        remarks
    }

    /// The position of a host's history: its own, or that of `*`; of a request without a host, the
    /// only one there is.
    pub fn host(&self, host: &[u8]) -> Option<usize> {
        let any = || self.by_host.get("*").copied();
        if host.is_empty() {
            return if self.hosts.len() == 1 { Some(0) } else { any() };
        }
        let host = std::str::from_utf8(host).ok()?;
        self.by_host.get(host).copied().or_else(any)
    }

    /// The version in force on a host, given by its position, at a moment.
    pub fn at(&self, host: usize, at_s: i64) -> Option<InForce<'_>> {
        let host = self.hosts.get(host)?;
        let past = host.versions.partition_point(|version| version.from_s <= at_s);
        self.of(host, past.checked_sub(1)?)
    }

    /// A version of a host.
    pub fn of<'h>(&'h self, host: &'h HostHistory, place: usize) -> Option<InForce<'h>> {
        let version = host.versions.get(place)?;
        Some(InForce { host, version, place, id: host.first + place })
    }

    /// A version by its place among all.
    pub fn version(&self, id: usize) -> Option<InForce<'_>> {
        let after = self.hosts.partition_point(|host| host.first <= id);
        let host = self.hosts.get(after.checked_sub(1)?)?;
        self.of(host, id - host.first)
    }
}

/// A host as histories name it: lower case, without a final dot, without the port of its scheme.
pub fn host_name(host: &[u8]) -> Vec<u8> {
    let host = host.trim_ascii().to_ascii_lowercase();
    let host = host.strip_suffix(b":443").or(host.strip_suffix(b":80")).unwrap_or(&host);
    host.strip_suffix(b".").unwrap_or(host).to_vec()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Basis, History, State, Version, host_name};

    #[test]
    fn files_that_nobody_keeps_on_purpose_are_told() {
        let version = |from_s, file: &str, octets: &[u8]| {
            Version::of_file(from_s, file, octets, Basis::Deployed)
        };
        let long = "Disallow: /a\n".repeat(50_000);
        let versions = vec![
            version(1, "one", b"User-agent: *\n"),
            version(2, "two", b"User-agent: *\n"),
            version(3, "page", b"<!doctype html><html><body>not found</body></html>"),
            version(4, "long", long.as_bytes()),
        ];
        let remarks = History::new(BTreeMap::from([("a.test".into(), versions)])).remarks();
        assert_eq!(remarks.len(), 3, "{remarks:?}");
        for (remark, beginning) in
            remarks.iter().zip(["page is a web", "long is too", "two is the"])
        {
            assert!(remark.starts_with(beginning), "{remark}");
        }
    }

    #[test]
    fn a_version_is_in_force_from_its_first_second_until_the_next_one() {
        let file = |from_s| Version::of_file(from_s, "robots.txt", b"", Basis::Deployed);
        let a = vec![file(300), file(100), Version::without_file(200, Some(503), Basis::Deployed)];
        let hosts = BTreeMap::from([("b.test".into(), vec![file(50)]), ("a.test".into(), a)]);
        let history = History::new(hosts);
        assert_eq!(history.versions(), 4);
        let a = history.host(b"a.test").unwrap();
        for (at_s, expected) in [
            (99, None),
            (100, Some((0, State::File))),
            (199, Some((0, State::File))),
            (200, Some((1, State::Unreachable))),
            (299, Some((1, State::Unreachable))),
            (300, Some((2, State::File))),
            (i64::MAX, Some((2, State::File))),
        ] {
            let found = history.at(a, at_s);
            assert_eq!(found.map(|found| (found.id, found.version.state)), expected, "{at_s}");
        }
        let b = history.host(b"b.test").and_then(|host| history.at(host, 60)).unwrap();
        assert_eq!(history.version(b.id).map(|found| found.host.host.as_str()), Some("b.test"));
        assert!(history.host(b"").is_none() && history.host(b"c.test").is_none());
    }

    #[test]
    fn a_status_says_what_a_period_without_a_file_means() {
        for (status, state) in [
            (Some(404), State::Absent),
            (Some(403), State::Absent),
            (Some(429), State::Absent),
            (Some(503), State::Unreachable),
            (None, State::Unreachable),
            (Some(301), State::Unknown),
        ] {
            assert_eq!(Version::without_file(0, status, Basis::Deployed).state, state);
        }
    }

    #[test]
    fn a_host_has_one_name() {
        for host in
            ["WWW.Example.com", "www.example.com:443", "www.example.com.", " www.example.com:80"]
        {
            assert_eq!(host_name(host.as_bytes()), b"www.example.com", "{host}");
        }
        assert_eq!(host_name(b"www.example.com:8080"), b"www.example.com:8080");
    }
}
