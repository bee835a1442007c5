//! A rule's pattern: its normal form, what it matches, and what it covers (RFC 9309, 2.2.2, 2.2.3).
//!
//! A `*` is any run of octets, a `$` at the end is the end of the path, and all else is itself.
//! There is no regular expression and no backtracking: each segment between stars is sought from
//! where the one before it ended, the anchored tail is compared from the end, and so the time is at
//! worst linear in the path for each segment.

use memchr::memmem::find;

use super::dialect::Dialect;
use super::target::Target;
use super::{google, normal};

/// An octet that no normal form holds: it stands for "anything" when patterns are compared.
const ANYTHING: u8 = 0;

/// Octets beyond which a segment is long.
const LONG_SEGMENT_OCTETS: usize = 64;

/// The value of a rule, in the form in which it is compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    form: Box<[u8]>,
    /// Octets before the first star or, where there is none, before the anchor.
    head: u32,
    anchored: bool,
}

impl Pattern {
    /// The pattern of a value as it was written, without blanks at its ends.
    pub fn new(raw: &[u8]) -> Self {
        if normal::is_plain(raw) {
            // Most values are their own normal form and hold neither star nor anchor.
            let head = u32::try_from(raw.len()).unwrap_or(u32::MAX);
            return Self { form: raw.into(), head, anchored: false };
        }
        Self::with(raw, normal::push_literal)
    }

    /// The pattern of a value as a dialect compares it.
    pub fn new_in(raw: &[u8], dialect: Dialect) -> Self {
        match dialect {
            Dialect::C01 | Dialect::Strict => Self::new(raw),
            Dialect::Google => Self::with(raw, google::push_pattern),
        }
    }

    /// The pattern whose literal pieces are appended by `push`.
    #[inline]
    fn with(raw: &[u8], push: impl Fn(&[u8], &mut Vec<u8>)) -> Self {
        let (body, anchored) = match raw {
            [body @ .., b'$'] => (body, true),
            body => (body, false),
        };
        let mut form = Vec::with_capacity(raw.len());
        let mut head = None;
        for (place, segment) in body.split(|&octet| octet == b'*').enumerate() {
            if place > 0 {
                head.get_or_insert(form.len());
                form.push(b'*');
            }
            push(segment, &mut form);
        }
        let head = head.unwrap_or(form.len());
        if anchored {
            form.push(b'$');
        }
        let head = u32::try_from(head).unwrap_or(u32::MAX);
        Self { form: form.into_boxed_slice(), head, anchored }
    }

    /// The pattern's specificity: octets of its form, stars and anchor included.
    pub fn octets(&self) -> usize {
        self.form.len()
    }

    /// The form in which it is compared: the percent normal form, but in Google's dialect.
    pub fn as_text(&self) -> &str {
        normal::as_text(&self.form)
    }

    /// Whether a path can match at all: paths begin with `/`.
    pub fn can_match(&self) -> bool {
        matches!(&*self.form, [b'/' | b'*', ..])
    }

    /// Whether the pattern ends in an anchor.
    pub fn is_anchored(&self) -> bool {
        self.anchored
    }

    /// Whether the pattern matches a target.
    pub fn matches(&self, target: &Target) -> bool {
        self.matches_octets(target.octets())
    }

    /// Whether the pattern matches every path there is: `/`, `*`, `/*`, `*/`, `/**$` …
    pub fn covers_every_path(&self) -> bool {
        self.matches_octets(&[b'/', ANYTHING])
    }

    /// Whether the pattern matches every path that `other` matches.
    ///
    /// The stars of `other` and its open end are replaced by an octet that only a star or an open
    /// end of this pattern can take in; what matches then, matches whatever stands there. Paths
    /// begin with `/`, so a leading star is either nothing or something after a `/`.
    pub fn covers(&self, other: &Self) -> bool {
        if !other.can_match() {
            return true;
        }
        let without_star = |&octet: &u8| if octet == b'*' { ANYTHING } else { octet };
        let mut example: Vec<u8> = other.body().iter().map(without_star).collect();
        if !other.anchored {
            example.push(ANYTHING);
        }
        if example.starts_with(b"/") {
            return self.matches_octets(&example);
        }
        let stars = example.iter().take_while(|&&octet| octet == ANYTHING).count();
        let rest = &example[stars..];
        let with_something = [&[b'/', ANYTHING], rest].concat();
        self.matches_octets(&with_something)
            && (!rest.starts_with(b"/") || self.matches_octets(rest))
    }

    /// The normal form without the anchor.
    fn body(&self) -> &[u8] {
        &self.form[..self.form.len() - usize::from(self.anchored)]
    }

    /// Whether the pattern matches a path in normal form.
    fn matches_octets(&self, path: &[u8]) -> bool {
        let (head, tail) = self.body().split_at(self.head as usize);
        let Some(rest) = path.strip_prefix(head) else {
            return false;
        };
        if !self.can_match() {
            return false;
        }
        match (tail, self.anchored) {
            ([], false) => true,
            ([], true) => rest.is_empty(),
            (tail, false) => holds_in_order(tail, rest),
            (tail, true) => {
                let last = memchr::memrchr(b'*', tail).map_or(0, |star| star + 1);
                rest.strip_suffix(&tail[last..])
                    .is_some_and(|rest| holds_in_order(&tail[..last], rest))
            }
        }
    }
}

/// Whether the segments between stars stand in a path one after the other.
///
/// The first place of each is the best: it leaves the most to those that follow.
fn holds_in_order(segments: &[u8], path: &[u8]) -> bool {
    let mut rest = path;
    for segment in segments.split(|&octet| octet == b'*').filter(|segment| !segment.is_empty()) {
        let at = if rest.starts_with(segment) { Some(0) } else { place_of(segment, rest) };
        match at {
            Some(at) => rest = &rest[at + segment.len()..],
            None => return false,
        }
    }
    true
}

/// The first place of a segment in what is left of a path.
///
/// The last octet of a long segment must stand somewhere: one glance from the end finds most that
/// match nowhere. Short segments are many at worst, and are found before a glance would pay.
fn place_of(segment: &[u8], rest: &[u8]) -> Option<usize> {
    match segment {
        [.., last] if segment.len() > LONG_SEGMENT_OCTETS => {
            find(&rest[..memchr::memrchr(*last, rest)? + 1], segment)
        }
        _ => find(rest, segment),
    }
}
