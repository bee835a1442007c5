//! A hash of 64 bits that is the same everywhere and always, for tables and for samples of keys.
//!
//! It decides which keys are kept where there are too many, and so is part of what a result is. It is
//! no digest: whoever knows it can make two texts meet, and then two rows of a table become one.

/// Constants with as many ones as zeros, as they come from the digits of pi.
const KEYS: [u64; 3] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0];

/// Hashes octets on from a hash.
#[inline]
pub(super) fn of(start: u64, octets: &[u8]) -> u64 {
    let mut hash = begun(start);
    let (chunks, rest) = octets.as_chunks::<8>();
    for chunk in chunks {
        hash = mixed(hash ^ u64::from_le_bytes(*chunk), KEYS[1]);
    }
    // What is left of eight octets, zeros behind it: the last eight without those that were hashed.
    let last = match octets.last_chunk::<8>() {
        Some(last) => {
            u64::from_le_bytes(*last).checked_shr(64 - 8 * rest.len() as u32).unwrap_or(0)
        }
        None => rest.iter().rev().fold(0, |last, &octet| last << 8 | u64::from(octet)),
    };
    mixed(mixed(hash ^ last, KEYS[1]) ^ octets.len() as u64, KEYS[2])
}

/// Hashes a number on from a hash.
#[inline]
pub(super) fn of_number(start: u64, number: u64) -> u64 {
    mixed(mixed(begun(start) ^ number, KEYS[1]), KEYS[2])
}

/// A start, mixed before anything joins it: else two near starts and two near numbers would meet.
#[inline]
fn begun(start: u64) -> u64 {
    mixed(start ^ KEYS[0], KEYS[1])
}

/// The two halves of a product, folded.
#[inline]
fn mixed(left: u64, right: u64) -> u64 {
    let product = u128::from(left ^ KEYS[2]) * u128::from(right);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{KEYS, begun, mixed, of, of_number};

    #[test]
    fn near_texts_and_numbers_have_hashes_apart() {
        let texts: BTreeSet<u64> =
            (0..20_000).map(|n| of(0, format!("/a/{n}").as_bytes())).collect();
        let numbers: BTreeSet<u64> = (0..20_000).map(|n| of_number(1, n)).collect();
        assert_eq!((texts.len(), numbers.len()), (20_000, 20_000));
        for hashes in [texts, numbers] {
            let low = hashes.iter().filter(|&&hash| hash < u64::MAX / 4).count();
            assert!((4_700..5_300).contains(&low), "{low}");
        }
        assert_ne!(of(0, b""), of(0, b"\0"));
        assert_ne!(of(0, b"12345678"), of(0, b"12345678\0"));
    }

    #[test]
    fn near_starts_with_near_texts_and_numbers_have_hashes_apart() {
        let starts = 0..200_u64;
        let numbers: BTreeSet<u64> = starts
            .clone()
            .flat_map(|start| (20_000..20_100).map(move |n| of_number(start, n)))
            .collect();
        let texts: BTreeSet<u64> = starts
            .flat_map(|start| (b'a'..=b'z').map(move |letter| of(start, &[letter, b'.', b't'])))
            .collect();
        assert_eq!((numbers.len(), texts.len()), (200 * 100, 200 * 26));
    }

    #[test]
    fn the_hash_is_the_same_for_ever() {
        assert_eq!(of(0, b"/robots.txt"), PINNED);
    }

    /// What it was when it was made.
    const PINNED: u64 = 603_848_367_919_449_710;

    #[test]
    fn octets_behind_the_last_eight_count_as_if_zeros_followed() {
        let text = b"/a/robots.txt, and more";
        for octets in 0..text.len() {
            let whole = octets / 8 * 8;
            let mut padded = text[..octets].to_vec();
            padded.resize(whole + 8, 0);
            let words = padded.as_chunks::<8>().0.iter();
            let hash =
                words.fold(begun(3), |hash, word| mixed(hash ^ u64::from_le_bytes(*word), KEYS[1]));
            assert_eq!(of(3, &text[..octets]), mixed(hash ^ octets as u64, KEYS[2]), "{octets}");
        }
    }
}
