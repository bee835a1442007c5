//! The little language in which a rule of `paths.toml` says what it names.
//!
//! `pattern-library/README.md` is its reference; this file is its reader. What a pattern is
//! matched with is a [`Shape`], never a path.

use super::form::{Form, date_of};
use super::glob::{self, Name};
use super::shape::{FileKind, Shape, core_of};

/// How deep in a value a pattern found what it names: a query lies deeper than any segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Depth {
    /// Segments up to and including the one that is named.
    pub(super) segments: usize,
    /// How much it says of that segment.
    says: Says,
    /// Whether the pattern also asked for something below it, which says more.
    and_below: bool,
}

/// How much of a segment a pattern gives, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Says {
    /// The form of the value alone.
    Form,
    /// A word of a compound.
    Word,
    /// A part of the name, or its ending.
    Part,
    /// The whole name.
    Whole,
}

impl Depth {
    const QUERY: Self = Self { segments: usize::MAX, says: Says::Whole, and_below: false };

    /// A word of a compound that ends so deep.
    pub(super) fn of_word(segments: usize) -> Self {
        Self { segments, says: Says::Word, and_below: false }
    }

    /// Deeper than anything in so many segments.
    pub(super) fn below_all(segments: usize) -> Self {
        Self { segments: segments + 1, says: Says::Whole, and_below: false }
    }

    /// Whether the pattern also asked for something below.
    pub(super) fn asks_below(self) -> bool {
        self.and_below
    }

    /// Whether this is no more than a word of a compound.
    pub(super) fn is_word(self) -> bool {
        self.says <= Says::Word
    }

    /// Whether this gives the whole name of a segment.
    pub(super) fn is_whole(self) -> bool {
        self.says == Says::Whole
    }

    /// Whether this is the form of the value alone, and lies in its path.
    pub(super) fn is_form(self) -> bool {
        self.says == Says::Form && self.segments < Self::QUERY.segments
    }

    /// Whether this lies in a shallower segment than another.
    pub(super) fn is_shallower_than(self, other: Self) -> bool {
        self.segments < other.segments
    }

    /// Whether this says less than another: it lies in a shallower segment, or gives less of it.
    pub(super) fn says_less_than(self, other: Self) -> bool {
        (self.segments, self.says) < (other.segments, other.says)
    }
}

/// Where in a value something is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// The first segment that it takes, counted from 0.
    pub(super) from: usize,
    /// How deep it reaches.
    pub(super) depth: Depth,
}

impl Finding {
    /// Whether another lies within the segments that this takes, and ends before its last one.
    pub(super) fn covers(self, other: Self) -> bool {
        self.from < other.depth.segments
            && other.depth.segments < self.depth.segments
            && self.depth.segments < usize::MAX
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
    /// `?id={number}`: a parameter of that name whose value begins with a digit.
    NumberedParameter(Name),
    /// `?*`: a query that names no parameter.
    AnyQuery,
    /// `{page}`: one page, by its ending or by the end anchor.
    OnePage,
    /// `{program}`: a file that makes pages.
    Program,
    /// `{document}`: one named document to read or print.
    NamedDocument,
    /// `{letters}`: a wildcard and letters in one segment, so that no name is whole.
    Letters,
    /// `?{parameter}`: a query that names a parameter.
    AnyParameter,
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
    /// `{date}`: a date to the month or the day, of one segment to three.
    Date,
    /// `{number}`.
    Number,
    /// `{code}`.
    Code,
    /// `{title}`.
    Title,
    /// `{joined}`.
    Joined,
    /// `{placeholder}`.
    Placeholder,
    /// `{short}`.
    Short,
    /// `{numbered}`.
    Numbered,
}

impl Part {
    /// Reads one part. A glob keeps its stars, which `core_of` would take for a value's wildcards.
    fn of(written: &str) -> Self {
        match written {
            "{locale}" => Self::Locale,
            "{date}" => Self::Date,
            "{number}" => Self::Number,
            "{code}" => Self::Code,
            "{title}" => Self::Title,
            "{joined}" => Self::Joined,
            "{placeholder}" => Self::Placeholder,
            "{short}" => Self::Short,
            "{numbered}" => Self::Numbered,
            _ if written.contains('*') => Self::Segment(Name::of(glob::folded(written))),
            _ => Self::Segment(Name::of(core_of(written))),
        }
    }

    /// Whether this says what the whole segment is, rather than what a part of it is.
    fn is_whole(&self) -> bool {
        match self {
            Self::Segment(name) => name.is_plain(),
            Self::Locale | Self::Date | Self::Number | Self::Code | Self::Title => true,
            Self::Joined | Self::Placeholder | Self::Short | Self::Numbered => false,
        }
    }

    /// How many segments from a place on this names; none if it does not.
    fn length_at(&self, shape: &Shape, at: usize) -> Option<usize> {
        let form = || shape.forms.get(at);
        let length = match self {
            Self::Locale => return (at == 0 && shape.locale > 0).then_some(shape.locale),
            Self::Segment(name) => {
                let segment = shape.segments.get(at)?;
                return (segment != "*" && name.names(segment)).then_some(1);
            }
            Self::Date => date_of(shape.forms.get(at..)?),
            Self::Number => usize::from(matches!(form(), Some(Form::Number(ITEM_LEAST..)))),
            Self::Code => usize::from(form() == Some(&Form::Code)),
            Self::Title => usize::from(form() == Some(&Form::Title)),
            Self::Placeholder => usize::from(form() == Some(&Form::Placeholder)),
            Self::Short => usize::from(form() == Some(&Form::Short)),
            Self::Numbered => usize::from(form() == Some(&Form::Numbered)),
            Self::Joined => usize::from(form() == Some(&Form::Joined)),
        };
        (length > 0).then_some(length)
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

/// The least number that is taken for that of an item: a smaller one counts, or is a version.
const ITEM_LEAST: u32 = 100;

/// Fewest letters of the name of a parameter that is known without the marks of a query.
const BARE_LEAST: usize = 4;

/// The forms that a segment of a pattern can ask for.
const FORMS: [&str; 9] = [
    "{locale}",
    "{date}",
    "{number}",
    "{code}",
    "{title}",
    "{joined}",
    "{placeholder}",
    "{short}",
    "{numbered}",
];

impl Pattern {
    /// Reads a pattern; `Err` says what is wrong with it.
    pub(super) fn parse(written: &str) -> Result<Self, &'static str> {
        match written {
            "/" => return Ok(Self::Everything),
            "/$" => return Ok(Self::FrontPage),
            "?*" => return Ok(Self::AnyQuery),
            "{page}" => return Ok(Self::OnePage),
            "{program}" => return Ok(Self::Program),
            "{document}" => return Ok(Self::NamedDocument),
            "{letters}" => return Ok(Self::Letters),
            "?{parameter}" => return Ok(Self::AnyParameter),
            _ => {}
        }
        let numbered = written.strip_prefix('?').and_then(|name| name.strip_suffix("={number}"));
        if let Some(name) = numbered.filter(|name| is_parameter(name)) {
            return Ok(Self::NumberedParameter(Name::of(glob::folded(name))));
        }
        if let Some(name) = written.strip_prefix('?') {
            return match is_parameter(name) {
                false => Err("a parameter is its name alone, as in ?sort"),
                true => Ok(Self::Parameter(Name::of(glob::folded(name)))),
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
        let is_form = |segment: &str| !segment.contains(['{', '}']) || FORMS.contains(&segment);
        if !rest.split('/').all(is_form) {
            return Err("braces stand for a form that the reference lists");
        }
        if rest.contains(['?', '$']) || rest.contains("**") {
            return Err("? and ** begin a pattern, and $ ends it");
        }
        let segments = rest.split('/').map(Part::of);
        Ok(Self::Path { anywhere, segments: segments.collect(), end })
    }

    /// The name without which this pattern finds nothing, where it has one.
    pub(super) fn key(&self) -> Option<String> {
        let Self::Path { segments, .. } = self else { return None };
        segments.iter().find_map(|part| match part {
            Part::Segment(Name::Plain(name)) => Some(glob::key_of(name)),
            _ => None,
        })
    }

    /// The name that this pattern gives whole, if it is one segment and open below, and whether it
    /// may stand anywhere.
    pub(super) fn plain_name(&self) -> Option<(&str, bool)> {
        match self {
            Self::Path { anywhere, segments, end: End::Open } => match segments.as_slice() {
                [Part::Segment(Name::Plain(name))] => Some((name, *anywhere)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Where in a value this pattern finds what it names, if it does: the deepest place.
    pub(super) fn find(&self, shape: &Shape) -> Option<Finding> {
        let length = shape.segments.len();
        let at_end = |condition: bool, says: Says| {
            let depth = Depth { segments: length, says, and_below: false };
            condition.then_some(Finding { from: length.saturating_sub(1), depth })
        };
        let in_query =
            |condition: bool| condition.then_some(Finding { from: length, depth: Depth::QUERY });
        let query = shape.query.as_ref();
        match self {
            Self::Everything => at_end(shape.names_nothing() && !shape.anchored, Says::Whole),
            Self::FrontPage => at_end(shape.names_nothing() && shape.anchored, Says::Whole),
            Self::AnyQuery => in_query(query.is_some_and(Vec::is_empty)),
            Self::AnyParameter => {
                let says = Says::Form;
                let found = in_query(query.is_some_and(|names| !names.is_empty()))?;
                Some(Finding { depth: Depth { says, ..found.depth }, ..found })
            }
            Self::Parameter(name) => {
                let says = if name.is_plain() { Says::Whole } else { Says::Part };
                let named = query.is_some_and(|names| names.iter().any(|given| name.names(given)));
                // A long name tells a parameter without the marks of a query: `/*sessionid`.
                let is_bare = shape.is_piece && name.len() >= BARE_LEAST;
                if query.is_none() && is_bare && name.names(&shape.segments[0]) {
                    return at_end(true, Says::Part);
                }
                let found = in_query(named)?;
                Some(Finding { depth: Depth { says, ..found.depth }, ..found })
            }
            Self::NumberedParameter(name) => {
                in_query(shape.numbered.iter().any(|given| name.names(given)))
            }
            Self::OnePage => at_end(shape.names_one_page(), Says::Form),
            Self::Letters => at_end(shape.has_letters, Says::Form),
            Self::NamedDocument => {
                at_end(shape.file == Some(FileKind::Paper) && !shape.is_open(), Says::Part)
            }
            Self::Program => {
                at_end(shape.file == Some(FileKind::Program) && !shape.is_face(), Says::Form)
            }
            Self::Ending(ending) => at_end(shape.extension.as_ref() == Some(ending), Says::Part),
            Self::Path { anywhere, segments, end } => {
                let starts = if *anywhere { length } else { 1 };
                (0..starts).rev().find_map(|start| find_at(segments, *end, shape, start))
            }
        }
    }
}

/// Whether this can be the name of a parameter.
fn is_parameter(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '=', '&', '?', '$'])
}

/// Matches a path pattern from one segment on.
fn find_at(parts: &[Part], end: End, shape: &Shape, start: usize) -> Option<Finding> {
    let mut at = start;
    for part in parts {
        at += part.length_at(shape, at)?;
    }
    let below = &shape.segments[at..];
    let fits = match end {
        End::Open => true,
        End::Below => below.iter().any(|segment| segment != "*"),
        End::Exact => below.is_empty(),
    };
    let says = if parts.last().is_some_and(Part::is_whole) { Says::Whole } else { Says::Part };
    let depth = Depth { segments: at, says, and_below: end == End::Below };
    fits.then_some(Finding { from: start, depth })
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
