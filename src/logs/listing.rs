//! Addresses of a site that its owner lists: those of its sitemaps, or those that stand for others.
//!
//! They are known by hashes of their path and query in the form in which paths are compared
//! (RFC 9309, 2.2.2), by host: of a host that none of them names nothing is known.

use std::collections::BTreeMap;

use crate::robots::Target;

use super::hash;
use super::history::host_name;

/// Addresses by host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    hosts: BTreeMap<Vec<u8>, Vec<u64>>,
    /// Those of all hosts, for logs that name none.
    all: Vec<u64>,
}

impl Listing {
    /// The listing of addresses; one without a host is any host's.
    pub fn of<'u>(urls: impl IntoIterator<Item = &'u str>) -> Self {
        let mut listing = Self::default();
        for url in urls {
            let path = hash_of(Target::new(url.as_bytes()).octets());
            listing.hosts.entry(host_name(authority(url).as_bytes())).or_default().push(path);
            listing.all.push(path);
        }
        for paths in listing.hosts.values_mut().chain([&mut listing.all]) {
            paths.sort_unstable();
            paths.dedup();
        }
        listing
    }

    /// How many addresses are listed.
    pub fn len(&self) -> usize {
        self.hosts.values().map(Vec::len).sum()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether a path of a host is listed; none where no address of the host is. A host that the log
    /// does not name may be any of them.
    pub(super) fn holds(&self, host: &[u8], path: &[u8]) -> Option<bool> {
        if self.all.is_empty() {
            return None;
        }
        let hash = hash_of(path);
        if host.is_empty() {
            return Some(self.all.binary_search(&hash).is_ok());
        }
        let known = [self.hosts.get(host), self.hosts.get(&[][..])];
        let holds = |paths: &Vec<u64>| paths.binary_search(&hash).is_ok();
        known.into_iter().flatten().map(holds).reduce(|one, other| one | other)
    }
}

fn hash_of(path: &[u8]) -> u64 {
    hash::of(0, path)
}

/// Host and port of an address; empty where it has none.
fn authority(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else { return "" };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    authority.rsplit('@').next().unwrap_or(authority)
}

#[cfg(test)]
mod tests {
    use super::Listing;

    #[test]
    fn a_path_is_listed_for_its_host_alone_or_for_any_where_none_is_named() {
        let urls = ["https://A.test:443/x?b=%7E1#f", "http://u@b.test/caf\u{e9}", "https://a.test"];
        let listing = Listing::of(urls);
        assert_eq!(listing.len(), 3);
        for (host, path, expected) in [
            ("a.test", "/x?b=~1", Some(true)),
            ("a.test", "/caf%C3%A9", Some(false)),
            ("b.test", "/caf%C3%A9", Some(true)),
            ("a.test", "/", Some(true)),
            ("", "/caf%C3%A9", Some(true)),
            ("", "/none", Some(false)),
            ("c.test", "/", None),
        ] {
            assert_eq!(listing.holds(host.as_bytes(), path.as_bytes()), expected, "{host} {path}");
        }
        assert_eq!(Listing::of(["/a"]).holds(b"c.test", b"/a"), Some(true));
        assert!(Listing::default().is_empty());
    }
}
