//! Counts by second, for the questions whose answer depends on what else the log holds: had the
//! crawler fetched the file before, and how far apart were its requests.

use super::bounded::Merge;

/// Pairs that are kept before they are put together.
const PAIRS_MOST: usize = 16_384;

/// How many requests fell into which second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seconds {
    pairs: Vec<(i64, u32)>,
    /// Pairs at which they are put together again.
    full: usize,
}

impl Seconds {
    /// Counts a request.
    #[inline]
    pub(super) fn add(&mut self, at_s: i64) {
        match self.pairs.last_mut() {
            Some((last, count)) if *last == at_s => *count += 1,
            _ => self.push((at_s, 1)),
        }
    }

    fn push(&mut self, pair: (i64, u32)) {
        self.pairs.push(pair);
        if self.pairs.len() >= self.full.max(PAIRS_MOST) {
            self.settle();
            self.full = 2 * self.pairs.len();
        }
    }

    /// Puts the pairs of one second together, in order.
    fn settle(&mut self) {
        self.pairs.sort_unstable_by_key(|pair| pair.0);
        self.pairs.dedup_by(|later, kept| {
            let is_same = later.0 == kept.0;
            if is_same {
                kept.1 += later.1;
            }
            is_same
        });
    }

    /// The seconds in order, each with its count.
    pub(super) fn in_order(mut self) -> Vec<(i64, u32)> {
        self.settle();
        self.pairs
    }
}

impl Merge for Seconds {
    fn merge(&mut self, other: Self) {
        self.pairs.extend(other.pairs);
        self.settle();
    }
}

/// Violations of one version by one crawler, and when it is first known to have fetched that version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Informed {
    fetched_s: Option<i64>,
    /// Violations known to be after a fetch.
    after: u64,
    /// Violations that are not, as far as is known by now.
    others: Seconds,
}

impl Informed {
    /// The crawler fetched the version.
    pub(super) fn fetched(&mut self, at_s: i64) {
        let first = self.fetched_s.map_or(at_s, |known| known.min(at_s));
        self.fetched_s = Some(first);
    }

    /// The crawler broke a rule of the version.
    #[inline]
    pub(super) fn broke(&mut self, at_s: i64) {
        if self.fetched_s.is_some_and(|fetched| fetched < at_s) {
            self.after += 1;
        } else {
            self.others.add(at_s);
        }
    }

    /// When it first fetched the version, and how many violations came after and not after.
    pub(super) fn finish(self) -> (Option<i64>, u64, u64) {
        let (mut after, mut before) = (self.after, 0);
        for (at_s, count) in self.others.in_order() {
            let is_after = self.fetched_s.is_some_and(|fetched| fetched < at_s);
            *if is_after { &mut after } else { &mut before } += u64::from(count);
        }
        (self.fetched_s, after, before)
    }
}

impl Merge for Informed {
    fn merge(&mut self, other: Self) {
        if let Some(at_s) = other.fetched_s {
            self.fetched(at_s);
        }
        self.after += other.after;
        self.others.merge(other.others);
    }
}

/// Gaps between requests that are shorter than a stated delay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Gaps {
    /// Gaps in all.
    pub gaps: u64,
    /// Gaps that are too short whatever the fractions of the seconds were.
    pub certain: u64,
    /// Gaps that may be too short; the certain ones are among them.
    pub possible: u64,
}

impl Gaps {
    /// The gaps of requests at these seconds, against a delay in seconds that may change with time.
    ///
    /// Logs write whole seconds: a gap of `d` was longer than `d - 1` and shorter than `d + 1`.
    pub(super) fn of(seconds: &[(i64, u32)], delay_s: impl Fn(i64) -> Option<f64>) -> Self {
        let mut found = Self::default();
        let mut last = None;
        for &(at_s, count) in seconds {
            let Some(delay) = delay_s(at_s) else {
                last = Some(at_s);
                continue;
            };
            let within = u64::from(count) - 1;
            let before = last.replace(at_s).map(|last| (at_s - last) as f64);
            for (gap, times) in before.into_iter().map(|gap| (gap, 1)).chain([(0.0, within)]) {
                found.gaps += times;
                found.certain += if gap + 1.0 <= delay { times } else { 0 };
                found.possible += if gap - 1.0 < delay { times } else { 0 };
            }
        }
        found
    }
}

impl Merge for Gaps {
    fn merge(&mut self, other: Self) {
        self.gaps += other.gaps;
        self.certain += other.certain;
        self.possible += other.possible;
    }
}

#[cfg(test)]
mod tests {
    use super::{Gaps, Informed, Merge, Seconds};

    #[test]
    fn a_violation_is_informed_if_the_version_was_fetched_before_whoever_counts_first() {
        let events = [(10, false), (20, true), (20, false), (21, false), (30, false), (15, true)];
        for parts in 1..=3 {
            for shift in 0..events.len() {
                let mut tallies = vec![Informed::default(); parts];
                for place in 0..events.len() {
                    let (at_s, is_fetch) = events[(place + shift) % events.len()];
                    let tally = &mut tallies[place % parts];
                    if is_fetch { tally.fetched(at_s) } else { tally.broke(at_s) }
                }
                let merged = tallies.into_iter().reduce(|mut one, other| {
                    one.merge(other);
                    one
                });
                assert_eq!(merged.unwrap().finish(), (Some(15), 3, 1), "{parts} {shift}");
            }
        }
        let mut never = Informed::default();
        never.broke(1);
        assert_eq!(never.finish(), (None, 0, 1));
    }

    #[test]
    fn seconds_are_put_together_in_order() {
        let mut seconds = Seconds::default();
        for at_s in (0..40_000).rev().chain([5, 5]) {
            seconds.add(at_s % 20_000);
        }
        let pairs = seconds.in_order();
        assert_eq!((pairs.len(), pairs[5], pairs[6]), (20_000, (5, 4), (6, 2)));
    }

    #[test]
    fn a_gap_is_too_short_certainly_or_possibly() {
        let seconds = [(100, 2), (104, 1), (109, 1), (115, 1)];
        let gaps = Gaps::of(&seconds, |_| Some(5.0));
        // Gaps of 0, 4, 5 and 6 seconds.
        assert_eq!(gaps, Gaps { gaps: 4, certain: 2, possible: 3 });
        assert_eq!(Gaps::of(&seconds, |_| None), Gaps::default());
    }
}
