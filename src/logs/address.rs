//! Addresses as logs and headers write them: with ports, brackets, quotes, zones.
//!
//! An IPv4 address written in IPv6 is the IPv4 address, whether mapped (RFC 4291, 2.5.5.2) or
//! translated by the well-known prefix (RFC 6052, 2.1).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Reads one address, with whatever a header or log puts around it; `None` if it is none.
pub(super) fn parse(text: &[u8]) -> Option<IpAddr> {
    if let Some(address) = ipv4(text) {
        return Some(IpAddr::V4(address));
    }
    parse_dressed(text)
}

/// Reads an address that is more than a plain IPv4 address.
fn parse_dressed(text: &[u8]) -> Option<IpAddr> {
    let is_around = |octet: &u8| matches!(octet, b' ' | b'\t' | b'"' | b'\'' | b'+');
    let start = text.iter().position(|octet| !is_around(octet))?;
    let end = text.iter().rposition(|octet| !is_around(octet))? + 1;
    let text = &text[start..end];
    if let [b'[', rest @ ..] = text {
        let close = memchr::memchr(b']', rest)?;
        let is_port = matches!(&rest[close + 1..], [] | [b':', ..]);
        return is_port.then(|| ipv6(&rest[..close])).flatten();
    }
    if let Some(address) = ipv4(text) {
        return Some(IpAddr::V4(address));
    }
    let colon = memchr::memchr(b':', text)?;
    match ipv4(&text[..colon]) {
        Some(address) if is_port(&text[colon + 1..]) => Some(IpAddr::V4(address)),
        Some(_) => None,
        None => ipv6(text),
    }
}

/// Whether a text is a port.
fn is_port(text: &[u8]) -> bool {
    !text.is_empty() && text.len() <= 5 && text.iter().all(u8::is_ascii_digit)
}

/// Reads `192.0.2.1`.
#[inline]
fn ipv4(text: &[u8]) -> Option<Ipv4Addr> {
    let (a, rest) = ipv4_octet(text)?;
    let (b, rest) = ipv4_octet(rest.strip_prefix(b".")?)?;
    let (c, rest) = ipv4_octet(rest.strip_prefix(b".")?)?;
    let (d, rest) = ipv4_octet(rest.strip_prefix(b".")?)?;
    rest.is_empty().then_some(Ipv4Addr::new(a, b, c, d))
}

/// A number up to 255, and what follows. A zero before other digits would be octal to some readers:
/// such a text is no address.
#[inline]
fn ipv4_octet(text: &[u8]) -> Option<(u8, &[u8])> {
    let digit = |at: usize| text.get(at).map(|octet| octet.wrapping_sub(b'0')).filter(|d| *d < 10);
    let first = digit(0)?;
    let Some(second) = digit(1) else { return Some((first, &text[1..])) };
    let two = first * 10 + second;
    match digit(2) {
        _ if first == 0 => None,
        None => Some((two, &text[2..])),
        Some(third) => {
            let three = u16::from(two) * 10 + u16::from(third);
            Some((u8::try_from(three).ok()?, &text[3..]))
        }
    }
}

/// Reads an IPv6 address, with a zone perhaps.
fn ipv6(text: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(text).ok()?;
    let plain = text.split('%').next().unwrap_or(text);
    Some(canonical(plain.parse().ok()?))
}

/// The IPv4 address that an IPv6 address stands for, or else itself.
fn canonical(address: Ipv6Addr) -> IpAddr {
    match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            IpAddr::V4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
        }
        _ => IpAddr::V6(address).to_canonical(),
    }
}

/// Whether an address is one that no client on the internet has, but proxies within a network do
/// (RFC 1918, RFC 4193, RFC 6598, loopback and link-local).
pub(super) fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [a, b, ..] = address.octets();
            let is_shared = a == 100 && b & 0xc0 == 64;
            address.is_private() || address.is_loopback() || address.is_link_local() || is_shared
        }
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

/// The network that an address is counted with: 24 bits of IPv4, 48 bits of IPv6.
pub(super) fn network(address: IpAddr) -> String {
    let length = if address.is_ipv4() { 24 } else { 48 };
    format!("{}/{length}", network_address(address))
}

/// The first address of that network.
pub(super) fn network_address(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            Ipv4Addr::new(a, b, c, 0).into()
        }
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{network, parse};

    #[test]
    fn an_address_is_read_out_of_what_stands_around_it() {
        for (text, expected) in [
            ("192.0.2.1", "192.0.2.1"),
            (" 192.0.2.1 ", "192.0.2.1"),
            ("192.0.2.1:443", "192.0.2.1"),
            ("\"192.0.2.1:443\"", "192.0.2.1"),
            ("+172.16.0.1:49770", "172.16.0.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("\"[2001:DB8::1]:4711\"", "2001:db8::1"),
            ("fe80::1%eth0", "fe80::1"),
            ("::ffff:203.0.113.5", "203.0.113.5"),
            ("[::ffff:203.0.113.5]:80", "203.0.113.5"),
            ("64:ff9b::203.0.113.5", "203.0.113.5"),
            ("2a03:2880:f800:8::", "2a03:2880:f800:8::"),
            ("255.255.255.255", "255.255.255.255"),
        ] {
            let read = parse(text.as_bytes()).map(|address| address.to_string());
            assert_eq!(read.as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "-",
            "unknown",
            "_hidden",
            "192.0.2",
            "192.0.2.256",
            "192.0.2.01",
            "192.0.2.1.1",
            "192.0.2.1:",
            "192.0.2.1:123456",
            "192.0.2.1 x",
            "[2001:db8::1",
            "[2001:db8::1]x",
            "example.com",
            "2001:db8::g",
            "1.2.3.4, 5.6.7.8",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn private_addresses_are_told_from_those_of_the_internet() {
        for (address, is_so) in [
            ("10.1.2.3", true),
            ("127.0.0.1", true),
            ("100.64.0.1", true),
            ("100.128.0.1", false),
            ("192.0.2.1", false),
            ("66.249.66.1", false),
            ("fd00::1", true),
            ("::1", true),
            ("2001:db8::1", false),
        ] {
            assert_eq!(super::is_private(address.parse().unwrap()), is_so, "{address}");
        }
    }

    #[test]
    fn a_network_is_what_an_address_shares_with_its_neighbours() {
        assert_eq!(network("192.0.2.77".parse().unwrap()), "192.0.2.0/24");
        assert_eq!(network("2001:db8:1:2::3".parse().unwrap()), "2001:db8:1::/48");
    }
}
