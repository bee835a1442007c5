//! A piece of a document, as two offsets. What the offsets count is for the holder to say.

use std::ops::Range;

/// A half-open range of octets.
///
/// Offsets take 32 bits: what is read is bounded by `limits::ROBOTS_OCTETS`, and the end of a
/// longer document saturates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The first octet.
    pub start: u32,
    /// The octet after the last one.
    pub end: u32,
}

impl Span {
    /// The span between two offsets.
    pub(super) fn new(start: usize, end: usize) -> Self {
        let short = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: short(start), end: short(end) }
    }

    /// The span that a slice takes up inside `whole`, which it must have been cut from.
    pub(super) fn within(whole: &[u8], slice: &[u8]) -> Self {
        let start = (slice.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
        debug_assert!(start + slice.len() <= whole.len(), "a slice of something else");
        Self::new(start, start + slice.len())
    }

    /// The octets between the two offsets.
    pub fn octets(self) -> u32 {
        self.end - self.start
    }

    /// Whether nothing stands between the two offsets.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The span as an index.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
