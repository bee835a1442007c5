//! A table of at most so many keys, and a count of distinct things, both the same in whatever order
//! and in however many parts they are filled.
//!
//! Where keys are too many, those with the least hashes are kept. Such a key was among the least at
//! every moment before, so that its value is whole; what is dropped is dropped as a whole. The kept
//! keys are a sample of all, drawn by the hash, and their number tells how many there were
//! (Bar-Yossef et al., "Counting distinct elements in a data stream", RANDOM 2002).

#![allow(clippy::disallowed_types, reason = "its order never shows: what leaves is sorted")]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hasher of what is a hash already.
#[derive(Clone, Debug, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, octets: &[u8]) {
        self.0 = super::hash::of(self.0, octets);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Values that add up, whatever the order.
pub(super) trait Merge {
    /// Adds another's.
    fn merge(&mut self, other: Self);
}

/// A table of at most `most` keys.
#[derive(Clone, Debug)]
pub(super) struct Bounded<K, V> {
    entries: HashMap<u64, (K, V), BuildHasherDefault<AsIs>>,
    most: usize,
    /// Keys above this hash are dropped.
    threshold: u64,
}

/// What a table held at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept<K, V> {
    /// The entries, by key.
    pub entries: Vec<(K, V)>,
    /// How many keys there were in all; an estimate where not all are kept.
    pub distinct: u64,
    /// Whether keys were dropped.
    pub is_cut: bool,
}

impl<K: Ord, V: Merge> Bounded<K, V> {
    /// An empty table.
    pub(super) fn new(most: usize) -> Self {
        Self { entries: HashMap::default(), most, threshold: u64::MAX }
    }

    /// The value of a key, given by its hash; none if the key is one of those that are dropped.
    #[inline]
    pub(super) fn at(&mut self, hash: u64, new: impl FnOnce() -> (K, V)) -> Option<&mut V> {
        if hash > self.threshold {
            return None;
        }
        if self.entries.len() > self.most + self.most / 2 && !self.entries.contains_key(&hash) {
            self.cut();
            if hash > self.threshold {
                return None;
            }
        }
        Some(&mut self.entries.entry(hash).or_insert_with(new).1)
    }

    /// Drops all keys but those with the least hashes.
    fn cut(&mut self) {
        if self.entries.len() <= self.most {
            return;
        }
        let mut hashes: Vec<u64> = self.entries.keys().copied().collect();
        let (_, last, _) = hashes.select_nth_unstable(self.most - 1);
        self.threshold = *last;
        let threshold = self.threshold;
        self.entries.retain(|hash, _| *hash <= threshold);
    }

    /// Adds another table.
    pub(super) fn merge(&mut self, other: Self) {
        self.threshold = self.threshold.min(other.threshold);
        let threshold = self.threshold;
        self.entries.retain(|hash, _| *hash <= threshold);
        for (hash, (key, value)) in other.entries {
            if hash > threshold {
                continue;
            }
            match self.entries.entry(hash) {
                std::collections::hash_map::Entry::Occupied(mut entry) => {
                    entry.get_mut().1.merge(value);
                }
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert((key, value));
                }
            }
        }
        self.cut();
    }

    /// What is kept at the end.
    pub(super) fn finish(mut self) -> Kept<K, V> {
        self.cut();
        let (kept, is_cut) = (self.entries.len(), self.threshold < u64::MAX);
        let mut entries: Vec<(K, V)> = self.entries.into_values().collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let distinct = if is_cut { estimate(kept, self.threshold) } else { kept as u64 };
        Kept { entries, distinct, is_cut }
    }
}

/// How many keys there were, if so many have hashes up to the last one.
fn estimate(kept: usize, last: u64) -> u64 {
    let share = last as f64 / u64::MAX as f64;
    ((kept.max(1) - 1) as f64 / share).round() as u64
}

/// A count of distinct things that are known by their hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Distinct {
    /// The least hashes, in order, once cut; unsorted behind `sorted`.
    hashes: Vec<u64>,
    threshold: Option<u64>,
}

/// Hashes that a count keeps: beyond as many it is an estimate, good to about 3 %.
const HASHES_MOST: usize = 1_024;

impl Distinct {
    /// Counts a thing.
    #[inline]
    pub(super) fn add(&mut self, hash: u64) {
        if self.threshold.is_some_and(|threshold| hash >= threshold) {
            return;
        }
        self.hashes.push(hash);
        if self.hashes.len() >= 4 * HASHES_MOST {
            self.cut();
        }
    }

    /// Keeps the least hashes alone.
    fn cut(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        if self.hashes.len() > HASHES_MOST {
            self.hashes.truncate(HASHES_MOST);
            self.threshold = self.hashes.last().copied();
        }
    }

    /// How many there were, and whether that is an estimate.
    pub(super) fn count(mut self) -> (u64, bool) {
        self.cut();
        match self.threshold {
            Some(last) => (estimate(self.hashes.len(), last), true),
            None => (self.hashes.len() as u64, false),
        }
    }
}

impl Merge for Distinct {
    fn merge(&mut self, other: Self) {
        self.threshold = match (self.threshold, other.threshold) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self.hashes.extend(other.hashes);
        if let Some(threshold) = self.threshold {
            self.hashes.retain(|hash| *hash <= threshold);
        }
        self.cut();
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash;
    use super::{Bounded, Distinct, Kept, Merge};

    impl Merge for u64 {
        fn merge(&mut self, other: Self) {
            *self += other;
        }
    }

    /// Counts numbers in so many parts, dealt out in turn, in one order or the other.
    fn counted(parts: usize, is_reversed: bool) -> Kept<u64, u64> {
        let mut tables = vec![Bounded::new(100); parts];
        let mut numbers: Vec<u64> = (0..3_000).flat_map(|n| vec![n; 1 + n as usize % 3]).collect();
        if is_reversed {
            numbers.reverse();
        }
        for (place, number) in numbers.into_iter().enumerate() {
            if let Some(count) =
                tables[place % parts].at(hash::of_number(0, number), || (number, 0))
            {
                *count += 1;
            }
        }
        let merged = tables.into_iter().reduce(|mut one, other| {
            one.merge(other);
            one
        });
        merged.unwrap().finish()
    }

    #[test]
    fn what_is_kept_is_whole_and_the_same_in_any_order_and_any_parts() {
        let once = counted(1, false);
        assert_eq!((once.entries.len(), once.is_cut), (100, true));
        assert!(once.entries.iter().all(|(number, count)| *count == 1 + number % 3));
        assert!((2_200..3_800).contains(&once.distinct), "{}", once.distinct);
        for parts in [1, 2, 7] {
            for is_reversed in [false, true] {
                assert_eq!(counted(parts, is_reversed), once, "{parts} {is_reversed}");
            }
        }
    }

    #[test]
    fn distinct_things_are_counted_exactly_while_they_are_few() {
        for (things, is_estimate) in [(0, false), (1_000, false), (1_024, false), (50_000, true)] {
            let mut parts = [Distinct::default(), Distinct::default()];
            let mut whole = Distinct::default();
            for thing in (0..things).chain(0..things / 2) {
                let hash = hash::of_number(0, thing);
                parts[thing as usize % 2].add(hash);
                whole.add(hash);
            }
            let [mut one, other] = parts;
            one.merge(other);
            let (count, is_estimated) = one.count();
            assert_eq!((count, is_estimated), whole.count(), "{things}");
            assert_eq!(is_estimated, is_estimate, "{things}");
            let error = count.abs_diff(things);
            assert!(if is_estimate { error < things / 10 } else { error == 0 }, "{count}");
        }
    }
}
