//! What was found out lately and need not be found out again: headers and addresses come again and
//! again. Tables of fixed size; a newer entry takes the place of an older one. Nothing depends on
//! what they hold.

use std::net::IpAddr;

use crate::registry::Registry;

use super::hash;
use super::identity::{Identities, Standing, Steps};

/// Pairs of headers that are remembered.
const PAIRS: usize = 4_096;

/// Octets of a header beyond which it is not remembered.
const HEADER_OCTETS: usize = 1_024;

/// What a header claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claimed {
    /// The crawler by its position in the registry.
    pub(super) crawler: u16,
    /// Whether the header names crawlers of several operators.
    pub(super) is_mixed: bool,
}

/// What the header of a request claims, asked of the registry.
pub(super) fn claimed(registry: &Registry, user_agent: &[u8]) -> Option<Claimed> {
    let claim = registry.claim(user_agent)?;
    let crawler =
        registry.crawlers.iter().position(|crawler| std::ptr::eq(crawler, claim.crawler))?;
    Some(Claimed { crawler: u16::try_from(crawler).ok()?, is_mixed: claim.is_mixed() })
}

/// Headers and what they claim.
#[derive(Clone, Debug)]
pub(super) struct Headers(Vec<[(Vec<u8>, Option<Claimed>); 2]>);

impl Headers {
    /// Nothing is remembered.
    pub(super) fn new() -> Self {
        Self(vec![Default::default(); PAIRS])
    }

    /// What a header claims. It is given as it stands in the log, and without the log's escapes only
    /// where it is not known.
    #[inline]
    pub(super) fn claimed<'a>(
        &mut self,
        registry: &Registry,
        written: &'a [u8],
        plain: impl FnOnce() -> std::borrow::Cow<'a, [u8]>,
    ) -> Option<Claimed> {
        if written.is_empty() {
            return None;
        }
        let [first, second] = &mut self.0[pair_of(written)];
        if is_same(&first.0, written) {
            return first.1;
        }
        // What came last stands first: of two headers that share a pair neither is forgotten.
        std::mem::swap(first, second);
        if is_same(&first.0, written) {
            return first.1;
        }
        let found = claimed(registry, &plain());
        if written.len() <= HEADER_OCTETS {
            first.0.clear();
            first.0.extend_from_slice(written);
            first.1 = found;
        }
        found
    }
}

/// Whether a header is the one that is known. Like [`pair_of`], and after it: what the processor
/// learned there of the number of chunks holds here too.
#[inline]
fn is_same(known: &[u8], header: &[u8]) -> bool {
    let (Some(last), Some(known_last)) = (header.last_chunk::<32>(), known.last_chunk::<32>())
    else {
        return known == header;
    };
    let ((chunks, _), (known_chunks, _)) = (header.as_chunks::<32>(), known.as_chunks::<32>());
    known.len() == header.len() && last == known_last && chunks.iter().eq(known_chunks)
}

/// The pair of a header. Four sums that do not wait for one another are several times as fast as a
/// hash in one; the last octets are taken in whole, and so some of them twice.
#[inline]
fn pair_of(header: &[u8]) -> usize {
    let Some(last) = header.last_chunk::<32>() else {
        return hash::of(0, header) as usize % PAIRS;
    };
    let mut sums = [header.len() as u64, 1, 2, 3];
    let (chunks, _) = header.as_chunks::<32>();
    for chunk in chunks.iter().chain([last]) {
        let (words, _) = chunk.as_chunks::<8>();
        for (sum, word) in sums.iter_mut().zip(words) {
            *sum = (*sum ^ u64::from_le_bytes(*word)).wrapping_mul(ODD).rotate_left(29);
        }
    }
    let [a, b, c, d] = sums;
    let sum = a ^ b.rotate_left(16) ^ c.rotate_left(32) ^ d.rotate_left(48);
    (sum.wrapping_mul(ODD) >> 32) as usize % PAIRS
}

/// An odd constant of many ones and zeros.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What addresses are as crawlers, by the crawler's position and by the places of
/// [`Identities::place`].
#[derive(Clone, Debug)]
pub(super) struct Standings(Vec<Vec<Option<Steps>>>);

impl Standings {
    /// Nothing is remembered of so many crawlers.
    pub(super) fn new(crawlers: usize) -> Self {
        Self(vec![Vec::new(); crawlers])
    }

    /// What an address is as a crawler at a moment.
    #[inline]
    pub(super) fn at(
        &mut self,
        identities: &Identities<'_>,
        crawler: u16,
        address: IpAddr,
        at_s: i64,
    ) -> Standing {
        let crawler = usize::from(crawler);
        let of_crawler = &mut self.0[crawler];
        if of_crawler.is_empty() {
            of_crawler.resize(identities.places(crawler), None);
        }
        let known = &mut of_crawler[identities.place(crawler, address)];
        known.get_or_insert_with(|| identities.steps(crawler, Some(address))).at(at_s)
    }
}

/// The hash of an address as a crawler.
#[inline]
pub(super) fn hash_of(crawler: u16, address: IpAddr) -> u64 {
    let start = u64::from(crawler);
    match address {
        IpAddr::V4(address) => hash::of_number(start, u64::from(u32::from(address))),
        IpAddr::V6(address) => hash::of(start, &address.octets()),
    }
}
