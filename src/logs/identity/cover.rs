//! All addresses that some lists ever held, as spans in order: whether an address is none of them is
//! told by one search, and most addresses that are asked for are none.

use std::net::IpAddr;

use crate::registry::RangeList;

/// Spans of addresses, by family.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    ipv4: Vec<(u32, u32)>,
    ipv6: Vec<(u128, u128)>,
}

impl Cover {
    /// What lists hold or held.
    pub(super) fn of<'a>(lists: impl Iterator<Item = &'a RangeList>) -> Self {
        let mut cover = Self::default();
        for range in lists.flat_map(|list| &list.ranges) {
            let behind = |width: u8| u32::from(width - range.prefix.length());
            match range.prefix.network() {
                IpAddr::V4(network) => {
                    let first = u32::from(network);
                    let rest = u32::MAX.checked_shl(behind(32)).map_or(u32::MAX, |kept| !kept);
                    cover.ipv4.push((first, first | rest));
                }
                IpAddr::V6(network) => {
                    let first = u128::from(network);
                    let rest = u128::MAX.checked_shl(behind(128)).map_or(u128::MAX, |kept| !kept);
                    cover.ipv6.push((first, first | rest));
                }
            }
        }
        join(&mut cover.ipv4);
        join(&mut cover.ipv6);
        cover
    }

    /// Whether an address is in one of the spans.
    #[inline]
    pub(super) fn holds(&self, address: IpAddr) -> bool {
        match address {
            IpAddr::V4(address) => is_within(&self.ipv4, u32::from(address)),
            IpAddr::V6(address) => is_within(&self.ipv6, u128::from(address)),
        }
    }
}

/// Puts spans in order and joins those that meet.
fn join<T: Copy + Ord>(spans: &mut Vec<(T, T)>) {
    spans.sort_unstable();
    spans.dedup_by(|next, kept| {
        let meets = next.0 <= kept.1;
        if meets {
            kept.1 = kept.1.max(next.1);
        }
        meets
    });
}

/// Whether a number is in one of the spans, which stand in order and apart.
#[inline]
fn is_within<T: Copy + Ord>(spans: &[(T, T)], number: T) -> bool {
    let past = spans.partition_point(|&(first, _)| first <= number);
    past > 0 && number <= spans[past - 1].1
}

#[cfg(test)]
mod tests {
    use super::{is_within, join};

    #[test]
    fn a_number_is_within_a_span_from_its_first_to_its_last() {
        let mut spans = vec![(20, 29), (5, 5), (25, 40), (21, 22), (50, u32::MAX)];
        join(&mut spans);
        assert_eq!(spans, [(5, 5), (20, 40), (50, u32::MAX)]);
        for (number, expected) in
            [(0, false), (5, true), (6, false), (19, false), (40, true), (41, false), (50, true)]
        {
            assert_eq!(is_within(&spans, number), expected, "{number}");
        }
        assert!(is_within(&spans, u32::MAX));
        assert!(!is_within::<u32>(&[], 0));
    }
}
