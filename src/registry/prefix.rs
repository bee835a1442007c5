//! A range of addresses in the notation of RFC 4632 (IPv4) and RFC 4291, 2.3 (IPv6).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Bits that stand before an IPv4 address written in IPv6 (RFC 4291, 2.5.5.2).
const MAPPED: u8 = 96;

/// Every address that begins with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prefix {
    network: IpAddr,
    length: u8,
}

impl Prefix {
    /// Reads `192.0.2.0/24` or `2001:db8::/32`; `Err` says what is wrong.
    ///
    /// `::ffff:192.0.2.0/120` is `192.0.2.0/24`, as the addresses in it are those of IPv4.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (network, length) =
            text.split_once('/').ok_or_else(|| format!("no / and length: {text:?}"))?;
        let written: IpAddr =
            network.parse().map_err(|_| format!("not an address: {network:?}"))?;
        let network = written.to_canonical();
        let length = number(length).filter(|&bits| bits <= width(written));
        let length = match network == written {
            true => length,
            false => length.and_then(|bits| bits.checked_sub(MAPPED)),
        };
        let length = length.ok_or_else(|| format!("not a length: {text:?}"))?;
        let prefix = Self { network, length };
        if masked(network, length) != bits(network) {
            return Err(format!("bits are set behind the length: {text:?}"));
        }
        Ok(prefix)
    }

    /// Whether an address lies in the range. An IPv4 address written in IPv6 is the IPv4 address.
    pub fn holds(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.network.is_ipv4()
            && masked(address, self.length) == bits(self.network)
    }

    /// The first address.
    pub fn network(&self) -> IpAddr {
        self.network
    }

    /// How many bits are the same.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// Whether the range is larger than any that an operator of crawlers would own.
    pub fn is_too_broad(&self) -> bool {
        self.length < if self.network.is_ipv4() { 8 } else { 19 }
    }

    /// Whether the range begins in space that no host on the internet has: private, local,
    /// documentation, multicast.
    pub fn is_unroutable(&self) -> bool {
        match self.network {
            IpAddr::V4(address) => is_unroutable_v4(address),
            IpAddr::V6(address) => is_unroutable_v6(address),
        }
    }
}

fn is_unroutable_v4(address: Ipv4Addr) -> bool {
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast()
        || address.octets()[0] == 0
}

fn is_unroutable_v6(address: Ipv6Addr) -> bool {
    address.is_unique_local()
        || address.is_unicast_link_local()
        || address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.segments()[..2] == [0x2001, 0x0db8]
}

/// A number as it is written: digits, and no zero before them.
fn number(text: &str) -> Option<u8> {
    let is_plain = text.bytes().all(|octet| octet.is_ascii_digit());
    let is_padded = text.len() > 1 && text.starts_with('0');
    text.parse().ok().filter(|_| is_plain && !is_padded)
}

/// How many bits an address has.
fn width(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// The bits of an address, from the right.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)),
        IpAddr::V6(address) => u128::from(address),
    }
}

/// The bits of an address with those behind the length cleared.
fn masked(address: IpAddr, length: u8) -> u128 {
    let behind = width(address).saturating_sub(length);
    // A shift by the whole width is no shift.
    bits(address).checked_shr(behind.into()).map_or(0, |kept| kept << behind)
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::Prefix;

    #[test]
    fn a_range_holds_the_addresses_that_begin_like_it() {
        for (prefix, address, expected) in [
            ("10.1.2.0/24", "10.1.2.255", true),
            ("10.1.2.0/24", "10.1.3.0", false),
            // A comparison of text would take this for the other's beginning.
            ("10.1.2.3/32", "10.1.2.30", false),
            ("4.227.36.0/25", "4.227.36.127", true),
            ("4.227.36.0/25", "4.227.36.128", false),
            ("0.0.0.0/0", "255.255.255.255", true),
            ("0.0.0.0/0", "::1", false),
            ("10.1.2.0/24", "::ffff:10.1.2.7", true),
            ("::ffff:192.0.2.0/120", "192.0.2.7", true),
            ("::ffff:192.0.2.0/120", "::ffff:192.0.2.7", true),
            ("::ffff:192.0.2.0/120", "192.0.3.7", false),
            ("::ffff:0.0.0.0/96", "192.0.2.1", true),
            ("2001:4860:4801:10::/64", "2001:4860:4801:10::66", true),
            ("2001:4860:4801:10::/64", "2001:4860:4801:11::66", false),
            ("::/0", "2001:db8::1", true),
            ("::/0", "192.0.2.1", false),
            ("2001:db8::1/128", "2001:db8::1", true),
        ] {
            let held = Prefix::parse(prefix).unwrap().holds(address.parse().unwrap());
            assert_eq!(held, expected, "{prefix} {address}");
        }
    }

    #[test]
    fn a_range_is_written_in_one_way() {
        for (text, fault) in [
            ("192.0.2.0", "no / and length"),
            ("192.0.2/24", "not an address"),
            ("192.0.2.0/33", "not a length"),
            ("192.0.2.0/", "not a length"),
            ("192.0.2.0/+8", "not a length"),
            ("192.0.2.0/024", "not a length"),
            ("192.0.2.0/00", "not a length"),
            ("::ffff:192.0.2.0/129", "not a length"),
            ("::/129", "not a length"),
            ("192.0.2.1/24", "bits are set"),
            ("2001:db8::1/64", "bits are set"),
            ("::ffff:192.0.2.1/120", "bits are set"),
            ("::ffff:0.0.0.0/95", "not a length"),
            ("::ffff:192.0.2.0/24", "not a length"),
        ] {
            assert!(Prefix::parse(text).unwrap_err().starts_with(fault), "{text}");
        }
        for (text, expected) in [
            ("2001:DB8:0::/32", "2001:db8::/32"),
            ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
            ("::FFFF:c000:0201/128", "192.0.2.1/32"),
            ("::ffff:0:0/96", "0.0.0.0/0"),
            ("::fffe:0:0/96", "::fffe:0:0/96"),
        ] {
            assert_eq!(Prefix::parse(text).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn space_that_no_crawler_can_have_is_known() {
        for (text, is_too_broad, is_unroutable) in [
            ("10.0.0.0/8", false, true),
            ("192.0.2.0/24", false, true),
            ("2001:db8::/32", false, true),
            ("fd00::/8", true, true),
            ("4.0.0.0/7", true, false),
            ("2c0f::/18", true, false),
            ("66.249.64.0/27", false, false),
            ("2001:4860::/32", false, false),
        ] {
            let prefix = Prefix::parse(text).unwrap();
            let found = (prefix.is_too_broad(), prefix.is_unroutable());
            assert_eq!(found, (is_too_broad, is_unroutable), "{text}");
        }
    }
}
