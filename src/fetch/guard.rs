//! Which addresses may be contacted.
//!
//! A name in a public sample must not make us knock at a private door: every address is looked at
//! before it is dialled, whether DNS gave it or a URL names it. The ranges are those of the IANA
//! special-purpose address registries (RFC 6890) that are not globally reachable, with multicast
//! (RFC 5771) and the translated and tunnelled ranges, whose true target cannot be seen. Where a
//! registry excepts a single address from such a range, we do not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::vantage::Permitted;

impl Permitted {
    /// Why an address must not be contacted, if so.
    pub(super) fn refuses(self, address: IpAddr) -> Option<&'static str> {
        match self {
            Self::Public if !is_public(address) => Some("private_address"),
            Self::Loopback if !address.is_loopback() => Some("address_outside_loopback"),
            _ => None,
        }
    }
}

/// Networks of IPv4 that are not public, as (first address, prefix length).
const IPV4_NOT_PUBLIC: [([u8; 4], u32); 15] = [
    ([0, 0, 0, 0], 8),       // "this network"
    ([10, 0, 0, 0], 8),      // private use
    ([100, 64, 0, 0], 10),   // shared address space of carriers
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local, where clouds keep their metadata
    ([172, 16, 0, 0], 12),   // private use
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 88, 99, 0], 24),  // 6to4 relays
    ([192, 168, 0, 0], 16),  // private use
    ([198, 18, 0, 0], 15),   // benchmarking
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // multicast
    ([240, 0, 0, 0], 4),     // reserved, and limited broadcast
];

/// The one network of IPv6 from which unicast addresses are given out.
const IPV6_PUBLIC: ([u16; 8], u32) = ([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// Networks within it that are not public.
const IPV6_NOT_PUBLIC: [([u16; 8], u32); 4] = [
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23), // protocol assignments, Teredo among them
    ([0x2001, 0xDB8, 0, 0, 0, 0, 0, 0], 32), // documentation
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16), // 6to4
    ([0x3FFF, 0, 0, 0, 0, 0, 0, 0], 20), // documentation
];

/// Whether an address is globally reachable unicast.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !IPV4_NOT_PUBLIC.iter().any(|&net| is_in_ipv4(address, net)),
        IpAddr::V6(address) => {
            is_in_ipv6(address, IPV6_PUBLIC)
                && !IPV6_NOT_PUBLIC.iter().any(|&net| is_in_ipv6(address, net))
        }
    }
}

fn is_in_ipv4(address: Ipv4Addr, (first, prefix): ([u8; 4], u32)) -> bool {
    (address.to_bits() ^ u32::from_be_bytes(first)) >> (32 - prefix) == 0
}

fn is_in_ipv6(address: Ipv6Addr, (first, prefix): ([u16; 8], u32)) -> bool {
    (address.to_bits() ^ Ipv6Addr::from(first).to_bits()) >> (128 - prefix) == 0
}

#[cfg(test)]
mod tests {
    use super::Permitted;

    /// Each forbidden range by its first and last address, with the neighbours that are public.
    const PRIVATE: &str = "0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 \
        100.127.255.255 127.0.0.0 127.0.0.1 127.255.255.255 169.254.0.0 169.254.169.254 \
        169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255 \
        192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 \
        198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255 240.0.0.0 \
        255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::8.8.8.8 64:ff9b::808:808 \
        64:ff9b:1::1 100::1 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:: 2001::1 2001:2::1 \
        2001:10::1 2001:20::1 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:: \
        2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002:a00:1::1 \
        2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff \
        4000:: 5f00::1 fc00:: fd00::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80::1 febf::1 \
        fec0::1 ff00:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
    const PUBLIC: &str = "1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 \
        100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 \
        172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.88.98.255 192.88.100.0 \
        192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 \
        203.0.112.255 203.0.114.0 223.255.255.255 2000:: 2001:200:: 2001:4860:4860::8888 \
        2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9:: 2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff \
        2003:: 2606:4700::1111 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000:: \
        3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";

    #[test]
    fn only_globally_reachable_unicast_is_public() {
        for (addresses, refused) in [(PRIVATE, Some("private_address")), (PUBLIC, None)] {
            for written in addresses.split_whitespace() {
                let address = written.parse().expect("an address");
                assert_eq!(Permitted::Public.refuses(address), refused, "{written}");
            }
        }
    }

    #[test]
    fn a_fixture_stays_on_loopback() {
        for (written, refused) in [
            ("127.0.0.1", false),
            ("127.255.0.9", false),
            ("::1", false),
            ("126.255.255.255", true),
            ("128.0.0.0", true),
            ("0.0.0.0", true),
            ("::", true),
            ("::ffff:127.0.0.1", true),
            ("8.8.8.8", true),
        ] {
            let address = written.parse().expect("an address");
            assert_eq!(Permitted::Loopback.refuses(address).is_some(), refused, "{written}");
        }
    }
}
