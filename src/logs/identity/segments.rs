//! The addresses cut where any range of some lists begins or ends: within a segment every address
//! stands in the same ranges, so that what is found of one is known of all.

use std::net::IpAddr;

use crate::registry::RangeList;

/// Where segments begin, by family; the first of each family begins at its first address.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    ipv4: Vec<u32>,
    ipv6: Vec<u128>,
}

impl Segments {
    /// The segments of lists.
    pub(super) fn of<'a>(lists: impl Iterator<Item = &'a RangeList>) -> Self {
        let mut segments = Self::default();
        for range in lists.flat_map(|list| &list.ranges) {
            let behind = |width: u8| u32::from(width - range.prefix.length());
            match range.prefix.network() {
                IpAddr::V4(network) => {
                    let first = u32::from(network);
                    let size = 1_u32.checked_shl(behind(32));
                    let next = size.and_then(|size| first.checked_add(size));
                    segments.ipv4.extend([Some(first), next].into_iter().flatten());
                }
                IpAddr::V6(network) => {
                    let first = u128::from(network);
                    let size = 1_u128.checked_shl(behind(128));
                    let next = size.and_then(|size| first.checked_add(size));
                    segments.ipv6.extend([Some(first), next].into_iter().flatten());
                }
            }
        }
        in_order(&mut segments.ipv4);
        in_order(&mut segments.ipv6);
        segments
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.ipv4.len() + self.ipv6.len() + 2
    }

    /// The first address of each segment, in the order of their places.
    pub(super) fn firsts(&self) -> impl Iterator<Item = IpAddr> {
        let ipv4 = [0].iter().chain(&self.ipv4).map(|&bits| IpAddr::V4(bits.into()));
        let ipv6 = [0].iter().chain(&self.ipv6).map(|&bits| IpAddr::V6(bits.into()));
        ipv4.chain(ipv6)
    }

    /// The place of the segment in which an address lies.
    #[inline]
    pub(super) fn place(&self, address: IpAddr) -> usize {
        match address {
            IpAddr::V4(address) => {
                let address = u32::from(address);
                self.ipv4.partition_point(|&begin| begin <= address)
            }
            IpAddr::V6(address) => {
                let address = u128::from(address);
                self.ipv4.len() + 1 + self.ipv6.partition_point(|&begin| begin <= address)
            }
        }
    }
}

/// Sorts beginnings and leaves each once.
fn in_order<T: Ord>(begins: &mut Vec<T>) {
    begins.sort_unstable();
    begins.dedup();
}

#[cfg(test)]
mod tests {
    use super::Segments;
    use crate::registry::{ListKind, Prefix, RangeList, Snapshot};
    use crate::stamp::Stamp;

    #[test]
    fn addresses_share_a_segment_exactly_if_they_stand_in_the_same_ranges() {
        let prefixes = [
            "192.0.2.0/24",
            "192.0.2.64/28",
            "255.255.255.0/24",
            "2001:db8::/32",
            "2001:db8::1/128",
        ];
        let snapshot = Snapshot {
            at: Stamp::parse("2026-01-01").unwrap(),
            created: None,
            prefixes: prefixes.iter().map(|text| Prefix::parse(text).unwrap()).collect(),
        };
        let (kind, crawlers) = (ListKind::Crawlers, vec!["GPTBot".to_owned()]);
        let list = RangeList::from_snapshots("a", "openai", kind, crawlers, vec![snapshot]);
        let segments = Segments::of([list.unwrap()].iter());
        let place = |address: &str| segments.place(address.parse().unwrap());
        for alike in [
            &["0.0.0.0", "192.0.1.255"][..],
            &["192.0.2.0", "192.0.2.63"],
            &["192.0.2.64", "192.0.2.79"],
            &["192.0.2.80", "192.0.2.255"],
            &["192.0.3.0", "255.255.254.255"],
            &["255.255.255.0", "255.255.255.255"],
            &["::", "2001:db7:ffff::"],
            &["2001:db8::", "2001:db8::"],
            &["2001:db8::1", "2001:db8::1"],
            &["2001:db8::2", "2001:db8:ffff::"],
            &["2001:db9::", "ffff::"],
        ] {
            let places: Vec<usize> = alike.iter().map(|address| place(address)).collect();
            assert_eq!(places[0], places[1], "{alike:?}");
            assert!(places[0] < segments.count(), "{alike:?}");
        }
        let mut distinct: Vec<usize> = ["0.0.0.0", "192.0.2.0", "192.0.2.64", "192.0.2.80"]
            .into_iter()
            .chain(["192.0.3.0", "255.255.255.0", "::", "2001:db8::", "2001:db8::1"])
            .chain(["2001:db8::2", "2001:db9::"])
            .map(place)
            .collect();
        let count = distinct.len();
        distinct.dedup();
        assert_eq!((distinct.len(), segments.count()), (count, count));
    }
}
