//! Lines that stand in several files whose times meet, as rotation leaves them.
//!
//! A line that a file has twice is two requests. What two files both have is counted as often as the
//! file that has it most often: the rest are copies. Lines are known by their hashes.

use std::collections::BTreeMap;

use super::hash;

/// Which lines were seen in which files, within the time in which files meet.
///
/// Where more lines are seen than may be held, those whose hashes begin with zeros are a sample of all;
/// it is the same whoever found which line. A part holds the lines whose hashes begin with its number.
#[derive(Clone, Debug)]
pub struct Overlap {
    /// Hashes of lines with their files, in the order in which they were found.
    seen: Vec<(u64, u32)>,
    /// Bits with which the hashes begin that are held.
    begin: u64,
    /// How many these are.
    bits: u32,
    /// Lines that may be held; none for a part, which was made as large as it may be.
    most: Option<usize>,
}

/// What files share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Lines beyond those that one file has alone: what would be counted too often.
    pub copies: u64,
    /// Copies by pairs of files, the earlier and the later by position.
    pub pairs: BTreeMap<(u32, u32), u64>,
    /// Bits by which the sample was drawn that they were counted in; 0 where all lines were.
    pub sample_bits: u32,
}

/// The copies that are left out of an audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// The span of each file, by position, in which its lines may be copies.
    pub spans: Vec<Option<(i64, i64)>>,
    /// The file that keeps a line which several have, by the line's hash, in order.
    keepers: Vec<(u64, u32)>,
}

impl Overlap {
    /// All lines, or as many as may be held.
    pub fn up_to(most: usize) -> Self {
        Self { seen: Vec::new(), begin: 0, bits: 0, most: Some(most) }
    }

    /// The lines of one of the parts that so many bits make.
    pub fn part(begin: u64, bits: u32) -> Self {
        Self { seen: Vec::new(), begin, bits, most: None }
    }

    /// Notes a line of a file.
    pub fn add(&mut self, file: u32, line: &[u8]) {
        let hash = hash_of(line);
        if begins(hash, self.bits) == self.begin {
            self.seen.push((hash, file));
            self.shrink();
        }
    }

    /// Adds what another has found of the same.
    pub fn merge(&mut self, other: Self) {
        self.bits = self.bits.max(other.bits);
        self.seen.extend(other.seen);
        let (begin, bits) = (self.begin, self.bits);
        self.seen.retain(|(hash, _)| begins(*hash, bits) == begin);
        self.shrink();
    }

    /// Draws a smaller sample while there are too many lines.
    fn shrink(&mut self) {
        while self.most.is_some_and(|most| self.seen.len() > most) {
            self.bits += 1;
            let bits = self.bits;
            self.seen.retain(|(hash, _)| begins(*hash, bits) == 0);
        }
    }

    /// What the files share, and which copies would be left out: all of them only where no sample was
    /// drawn.
    pub fn finish(mut self, spans: Vec<Option<(i64, i64)>>) -> (Shared, Copies) {
        self.seen.sort_unstable();
        let mut shared = Shared::default();
        if self.most.is_some() {
            shared.sample_bits = self.bits;
        }
        let mut copies = Copies { spans, keepers: Vec::new() };
        for same in self.seen.chunk_by(|one, other| one.0 == other.0) {
            let counts: Vec<(u32, u64)> = same
                .chunk_by(|one, other| one.1 == other.1)
                .map(|of_file| (of_file[0].1, of_file.len() as u64))
                .collect();
            let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
            // The first of those that have it most often keeps it.
            let Some(&(keeper, _)) = counts.iter().find(|(_, count)| *count == most) else {
                continue;
            };
            for &(file, count) in counts.iter().filter(|(file, _)| *file != keeper) {
                let count = count << shared.sample_bits;
                shared.copies += count;
                *shared.pairs.entry((keeper.min(file), keeper.max(file))).or_default() += count;
            }
            if counts.len() > 1 {
                copies.keepers.push((same[0].0, keeper));
            }
        }
        (shared, copies)
    }
}

/// The first bits of a hash, as a number.
fn begins(hash: u64, bits: u32) -> u64 {
    hash.checked_shr(64 - bits).unwrap_or(0)
}

impl Shared {
    /// Adds what another part has found.
    pub fn add(&mut self, other: Self) {
        self.copies += other.copies;
        for (pair, copies) in other.pairs {
            *self.pairs.entry(pair).or_default() += copies;
        }
    }
}

impl Copies {
    /// Adds those of the next part.
    pub fn add(&mut self, next: Self) {
        self.spans = next.spans;
        self.keepers.extend(next.keepers);
    }

    /// How many lines several files have.
    pub fn len(&self) -> usize {
        self.keepers.len()
    }

    /// Whether no line stands in several files.
    pub fn is_empty(&self) -> bool {
        self.keepers.is_empty()
    }

    /// Whether a line of a file is a copy of what another file keeps.
    pub(super) fn leaves_out(&self, file: u32, at_s: i64, line: &[u8]) -> bool {
        let span = self.spans.get(file as usize).copied().flatten();
        if !span.is_some_and(|(from, to)| (from..=to).contains(&at_s)) {
            return false;
        }
        let sought = hash_of(line);
        let found = self.keepers.binary_search_by_key(&sought, |&(hash, _)| hash);
        found.is_ok_and(|at| self.keepers[at].1 != file)
    }
}

/// The hash of a line without its end.
fn hash_of(line: &[u8]) -> u64 {
    hash::of(0, line.strip_suffix(b"\r").unwrap_or(line))
}

/// The span of each file in which it meets another, from the span of each.
pub fn meeting(spans: &[Option<(i64, i64)>]) -> Vec<Option<(i64, i64)>> {
    let span_of = |(place, span): (usize, &Option<(i64, i64)>)| {
        let (from, to) = (*span)?;
        let others = spans.iter().enumerate().filter(|(other, _)| *other != place);
        let meets = others.filter_map(|(_, other)| {
            let (other_from, other_to) = (*other)?;
            let (from, to) = (from.max(other_from), to.min(other_to));
            (from <= to).then_some((from, to))
        });
        meets.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    };
    spans.iter().enumerate().map(span_of).collect()
}

#[cfg(test)]
mod tests {
    use super::{Copies, Overlap, Shared, meeting};

    #[test]
    fn what_two_files_share_is_counted_as_often_as_the_one_that_has_it_most() {
        let mut overlap = Overlap::up_to(100);
        for (file, lines) in [(0, "a a b c"), (1, "a b b d"), (2, "b e")] {
            lines.split(' ').for_each(|line| overlap.add(file, line.as_bytes()));
        }
        let spans = vec![Some((10, 20)); 3];
        let (shared, copies) = overlap.finish(spans);
        // One a of the second file; one b of the first and one of the third.
        assert_eq!(shared.copies, 3);
        assert_eq!(shared.pairs.into_iter().collect::<Vec<_>>(), [((0, 1), 2), ((1, 2), 1)]);
        for (file, line, expected) in [
            (0, "a", false),
            (1, "a", true),
            (0, "b", true),
            (1, "b", false),
            (2, "b\r", true),
            (0, "c", false),
            (2, "e", false),
        ] {
            assert_eq!(copies.leaves_out(file, 15, line.as_bytes()), expected, "{file} {line}");
        }
        assert!(!copies.leaves_out(1, 21, b"a"));
    }

    #[test]
    fn of_too_many_lines_a_sample_is_measured_whoever_found_which_and_parts_find_all() {
        let lines: Vec<(u32, String)> =
            (0..9_000).map(|n| ((n % 3) as u32, format!("line {}", n / 3 % 1_500))).collect();
        let spans = vec![Some((10, 20)); 3];
        let all = |mut overlap: Overlap| {
            lines.iter().for_each(|(file, line)| overlap.add(*file, line.as_bytes()));
            overlap.finish(spans.clone())
        };
        let (whole, _) = all(Overlap::up_to(10_000));
        assert_eq!((whole.copies, whole.sample_bits), (6_000, 0));
        let (sample, _) = all(Overlap::up_to(1_000));
        assert!(sample.sample_bits >= 3 && sample.copies.abs_diff(6_000) < 1_500, "{sample:?}");
        for workers in [2, 5] {
            let mut parts = vec![Overlap::up_to(1_000); workers];
            for (place, (file, line)) in lines.iter().enumerate() {
                parts[place % workers].add(*file, line.as_bytes());
            }
            let merged = parts.into_iter().reduce(|mut one, other| {
                one.merge(other);
                one
            });
            assert_eq!(merged.unwrap().finish(spans.clone()).0, sample, "{workers}");
        }
        let (mut shared, mut copies) = (Shared::default(), Copies::default());
        for part in 0..1 << sample.sample_bits {
            let (of_part, next) = all(Overlap::part(part, sample.sample_bits));
            shared.add(of_part);
            copies.add(next);
        }
        assert_eq!(shared, whole);
        assert_eq!((copies.len(), copies.keepers.is_sorted()), (1_500, true));
        let (_, expected) = all(Overlap::up_to(10_000));
        assert_eq!(copies, expected);
    }

    #[test]
    fn files_meet_where_their_times_do() {
        let spans = [Some((0, 10)), Some((10, 20)), Some((30, 40)), None, Some((15, 35))];
        let met = [Some((10, 10)), Some((10, 20)), Some((30, 35)), None, Some((15, 35))];
        assert_eq!(meeting(&spans), met);
    }
}
