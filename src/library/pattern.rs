//! The little language in which a rule of `paths.toml` says what it names.
//!
//! `pattern-library/README.md` is its reference; this file is its reader. What a pattern is
//! matched with is a [`Shape`], never a path.

use super::glob::{self, Name};
use super::shape::{Shape, core_of};

/// How deep in a value a pattern found what it names: the deepest known segment decides, and a
/// query lies deeper than any segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Depth {
    /// Segments up to and including the one that is named.
    segments: usize,
    /// Whether the pattern also asked for something below it, which says more.
    and_below: bool,
}

impl Depth {
    const QUERY: Self = Self { segments: usize::MAX, and_below: false };

    /// Whether this lies in a shallower segment than another.
    pub(super) fn is_shallower_than(self, other: Self) -> bool {
        self.segments < other.segments
    }

    /// Whether this lies in the query.
    pub(super) fn is_query(self) -> bool {
        self == Self::QUERY
    }
}

/// One pattern of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// `/`: the site as a whole.
    Everything,
    /// `/$`: the front page alone.
    FrontPage,
    /// `/blog`, `**/cart`, `/services/*`, `/services$`.
    Path { anywhere: bool, segments: Vec<Part>, end: End },
    /// `?sort`: a parameter of that name.
    Parameter(Name),
    /// `?*`: a query that names no parameter.
    AnyQuery,
    /// `.pdf`: the ending of the last segment.
    Ending(String),
}

/// One part of a path pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// One segment.
    Segment(Name),
    /// `{locale}`: a locale prefix, of one segment or two.
    Locale,
}

impl Part {
    /// Reads one part. A glob keeps its stars, which `core_of` would take for a value's wildcards.
    fn of(written: &str) -> Self {
        match written {
            LOCALE => Self::Locale,
            _ if written.contains('*') => Self::Segment(Name::of(glob::folded(written))),
            _ => Self::Segment(Name::of(core_of(written))),
        }
    }
}

/// What may follow the segments that a pattern names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Anything or nothing.
    Open,
    /// `/*`: something that has a name.
    Below,
    /// `$`: nothing.
    Exact,
}

/// The word that stands for a locale prefix in a pattern.
const LOCALE: &str = "{locale}";

impl Pattern {
    /// Reads a pattern; `Err` says what is wrong with it.
    pub(super) fn parse(written: &str) -> Result<Self, &'static str> {
        match written {
            "/" => return Ok(Self::Everything),
            "/$" => return Ok(Self::FrontPage),
            "?*" => return Ok(Self::AnyQuery),
            _ => {}
        }
        if let Some(name) = written.strip_prefix('?') {
            return match name.is_empty() || name.contains(['/', '=', '&', '?', '$']) {
                true => Err("a parameter is its name alone, as in ?sort"),
                false => Ok(Self::Parameter(Name::of(glob::folded(name)))),
            };
        }
        if let Some(ending) = written.strip_prefix('.') {
            let plain =
                ending.bytes().all(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit());
            return match plain && !ending.is_empty() {
                true => Ok(Self::Ending(ending.to_owned())),
                false => Err("an ending is lower-case letters and digits, as in .pdf"),
            };
        }
        Self::parse_path(written)
    }

    /// Reads the forms that begin with `/` or `**/`.
    fn parse_path(written: &str) -> Result<Self, &'static str> {
        let (anywhere, rest) = match (written.strip_prefix("**/"), written.strip_prefix('/')) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => return Err("a pattern begins with /, **/, ? or ."),
        };
        let (rest, end) = match (rest.strip_suffix("/*"), rest.strip_suffix('$')) {
            (Some(rest), _) => (rest, End::Below),
            (None, Some(rest)) => (rest, End::Exact),
            (None, None) => (rest, End::Open),
        };
        if rest.split('/').any(|segment| segment.is_empty() || segment == "*") {
            return Err("every segment of a pattern has a name, and none is * alone");
        }
        if rest.contains(['?', '$']) || rest.contains("**") {
            return Err("? and ** begin a pattern, and $ ends it");
        }
        let segments = rest.split('/').map(Part::of);
        Ok(Self::Path { anywhere, segments: segments.collect(), end })
    }

    /// Where in a value this pattern finds what it names, if it does: the deepest place.
    pub(super) fn find(&self, shape: &Shape) -> Option<Depth> {
        let found = |condition: bool, depth: Depth| condition.then_some(depth);
        let last = Depth { segments: shape.segments.len(), and_below: false };
        match self {
            Self::Everything => found(shape.names_nothing() && !shape.anchored, last),
            Self::FrontPage => found(shape.names_nothing() && shape.anchored, last),
            Self::AnyQuery => found(shape.query.as_ref().is_some_and(Vec::is_empty), Depth::QUERY),
            Self::Parameter(name) => {
                let mut names = shape.query.iter().flatten();
                found(names.any(|given| name.names(given)), Depth::QUERY)
            }
            Self::Ending(ending) => found(shape.extension.as_ref() == Some(ending), last),
            Self::Path { anywhere, segments, end } => {
                let starts = if *anywhere { shape.segments.len() } else { 1 };
                (0..starts).rev().find_map(|start| find_at(segments, *end, shape, start))
            }
        }
    }
}

/// Matches a path pattern from one segment on.
fn find_at(parts: &[Part], end: End, shape: &Shape, start: usize) -> Option<Depth> {
    let mut at = start;
    for part in parts {
        at += match part {
            Part::Locale if at == 0 && shape.locale > 0 => shape.locale,
            Part::Locale => return None,
            Part::Segment(name) => {
                let segment = shape.segments.get(at)?;
                (segment != "*" && name.names(segment)).then_some(1)?
            }
        };
    }
    let below = &shape.segments[at..];
    let fits = match end {
        End::Open => true,
        End::Below => below.iter().any(|segment| segment != "*"),
        End::Exact => below.is_empty(),
    };
    fits.then_some(Depth { segments: at, and_below: end == End::Below })
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Shape};

    fn found(pattern: &str, value: &str) -> bool {
        let shape = Shape::read(value.as_bytes()).expect("begins with / or *");
        Pattern::parse(pattern).expect("well formed").find(&shape).is_some()
    }

    #[test]
    fn each_form_of_pattern_finds_what_it_names_and_nothing_else() {
        for (pattern, hits, misses) in [
            ("/", &["/", "/*", "*", "/*/"][..], &["/a", "/$", "/?", "/*.pdf$"][..]),
            ("/$", &["/$"], &["/", "/a$"]),
            (
                "/blog",
                &["/blog", "/blog/", "/blog*", "/blog/x/y", "/*/blog/"],
                &["/a/blog", "/blogs"],
            ),
            (
                "/services/*",
                &["/services/roofing", "/services/*/roofing"],
                &["/services/", "/services/*"],
            ),
            ("/services$", &["/services", "/services/", "/services/*"], &["/services/roofing"]),
            ("**/cart", &["/cart", "/a/b/cart/c", "/*cart*"], &["/carts", "/cart-x"]),
            ("/wp-*", &["/wp-admin/", "/wp-x"], &["/wp", "/x/wp-admin"]),
            ("?sort", &["/*?sort=", "/a?b=1&sort=2", "/*sort="], &["/sort", "/*?sorted="]),
            ("?utm_*", &["/*?utm_source="], &["/*?utm="]),
            ("?*", &["/?", "/*?", "/*?*", "/a/*?"], &["/*?a=", "/a"]),
            (".pdf", &["/*.pdf$", "/*.pdf", "/a/b.pdf"], &["/pdf", "/a.pdf/b"]),
            ("/login.php", &["/login", "/login.aspx"], &["/logins"]),
        ] {
            for value in hits {
                assert!(found(pattern, value), "{pattern} should find {value}");
            }
            for value in misses {
                assert!(!found(pattern, value), "{pattern} should not find {value}");
            }
        }
    }

    #[test]
    fn a_malformed_pattern_is_refused() {
        for pattern in
            ["", "blog", "/a//b", "/a/*/b", "//", "?", "?a=b", ".", ".PDF", "/a?b", "**/"]
        {
            assert!(Pattern::parse(pattern).is_err(), "{pattern}");
        }
    }
}
