//! Who is never asked: the domains and networks of an opt-out list, from text.
//!
//! A line holds a domain, which stands for itself and every name below it, or a network
//! (`192.0.2.0/24`, `2001:db8::/32`), or a single address. `#` begins a remark. The list is part of
//! a study's record: its digest is in the manifest, and what it excludes is outside every
//! denominator.

use std::collections::BTreeSet;
use std::net::IpAddr;

use crate::digest::Digest;
use crate::refusal::Refusal;
use crate::registry::Prefix;
use crate::sample::Domain;

/// What every refusal of a list advises.
const HINT: &str = "one domain, address or network (192.0.2.0/24) a line; # begins a remark";

/// Domains and networks that are never asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusions {
    domains: BTreeSet<String>,
    networks: Vec<Prefix>,
    digest: Digest,
}

impl Exclusions {
    /// Reads a list; a line that is neither domain nor network is refused.
    pub fn parse(file: &str, octets: &[u8]) -> Result<Self, Refusal> {
        let text = std::str::from_utf8(octets)
            .map_err(|_| Refusal::of(file, "not UTF-8", "save the list as UTF-8"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let digest = Digest::of(octets);
        let mut list = Self { domains: BTreeSet::new(), networks: Vec::new(), digest };
        for (number, line) in (1..).zip(text.lines()) {
            let entry = line.split('#').next().unwrap_or_default().trim();
            if !entry.is_empty() {
                list.add(entry).map_err(|message| Refusal::of(file, message, HINT).at(number))?;
            }
        }
        Ok(list)
    }

    /// Adds an entry; `Err` says why it is none.
    fn add(&mut self, entry: &str) -> Result<(), String> {
        if let Ok(address) = entry.parse::<IpAddr>() {
            let length = if address.is_ipv4() { 32 } else { 128 };
            self.networks.push(Prefix::parse(&format!("{address}/{length}"))?);
        } else if entry.contains('/') {
            self.networks.push(Prefix::parse(entry)?);
        } else {
            let domain = Domain::parse(entry).map_err(|(message, _)| message)?;
            self.domains.insert(domain.as_str().to_owned());
        }
        Ok(())
    }

    /// Whether a host name, or a name above it, is on the list.
    pub fn hold_name(&self, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let mut name = Some(host.as_str());
        while let Some(present) = name {
            if self.domains.contains(present) {
                return true;
            }
            name = present.split_once('.').map(|(_, above)| above);
        }
        false
    }

    /// Whether an address lies in a network of the list.
    pub fn hold_address(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.holds(address))
    }

    /// How many domains are listed.
    pub fn domains(&self) -> usize {
        self.domains.len()
    }

    /// How many networks are listed.
    pub fn networks(&self) -> usize {
        self.networks.len()
    }

    /// The digest of the list as it lies on the disk.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

#[cfg(test)]
mod tests {
    use super::Exclusions;

    const LIST: &str = "\u{feff}# asked us not to\r\nExample.com # by mail\n\nbücher.test\n\
                        192.0.2.0/24\n 2001:db8::/32 \n198.51.100.7\n::1\n";

    #[test]
    fn a_domain_stands_for_every_name_below_it_and_for_no_other() {
        let list = Exclusions::parse("x.txt", LIST.as_bytes()).expect("good");
        assert_eq!((list.domains(), list.networks()), (2, 4));
        for (host, is_held) in [
            ("example.com", true),
            ("example.com.", true),
            ("WWW.example.com", true),
            ("a.b.example.com", true),
            ("xn--bcher-kva.test", true),
            ("notexample.com", false),
            ("example.com.evil.test", false),
            ("com", false),
            ("test", false),
            ("", false),
        ] {
            assert_eq!(list.hold_name(host), is_held, "{host}");
        }
    }

    #[test]
    fn a_network_holds_its_addresses_however_they_are_written() {
        let list = Exclusions::parse("x.txt", LIST.as_bytes()).expect("good");
        for (address, is_held) in [
            ("192.0.2.255", true),
            ("::ffff:192.0.2.1", true),
            ("192.0.3.0", false),
            ("2001:db8:ffff::1", true),
            ("2001:db9::1", false),
            ("198.51.100.7", true),
            ("198.51.100.8", false),
            ("::1", true),
        ] {
            assert_eq!(
                list.hold_address(address.parse().expect("an address")),
                is_held,
                "{address}"
            );
        }
    }

    #[test]
    fn a_line_that_is_neither_is_refused_by_its_number() {
        for (text, line, said) in [
            ("a.test\nhttps://b.test/\n", 2, "not an address"),
            ("192.0.2.1/24\n", 1, "bits are set behind the length"),
            ("192.0.2.0/33\n", 1, "not a length"),
            ("two words.test\n", 1, "domain has a space"),
            ("*.a.test\n", 1, "domain"),
        ] {
            let refusal = Exclusions::parse("x.txt", text.as_bytes()).expect_err("refused");
            assert_eq!(refusal.line, Some(line), "{text}");
            assert!(refusal.message.contains(said), "{refusal}");
        }
        assert!(Exclusions::parse("x.txt", b"\xff").is_err());
    }
}
