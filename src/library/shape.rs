//! The value of a Disallow line, taken apart into what a rule of the library can name.
//!
//! Every form is read and none is dropped: wildcards, the end anchor, queries, endings and
//! percent-encoding (RFC 9309, 2.2.2 and 2.2.3). How each is read is the instrument's own choice
//! and is laid down in `pattern-library/README.md`. Whether a value matches a path at all is the
//! robots engine's business, and what a shape means is that of the rules.

use std::fmt;

use super::form::Form;
use super::glob::folded;

/// Endings of pages that are written: one file, one page.
const DOCUMENT_ENDINGS: &[&str] =
    &["aspx", "cms", "ece", "htm", "html", "shtm", "shtml", "stm", "xhtm", "xhtml"];

/// Endings of programs that make pages: one file, one page or all of them. An ending of programs
/// that answer an act (`.cgi`, `.do`) is none of them, and says more than the name before it.
const PROGRAM_ENDINGS: &[&str] = &[
    "asp", "cfm", "jhtml", "jsf", "jsp", "jspa", "jspx", "mvc", "nsf", "php", "php3", "php4",
    "php5", "phtml", "py",
];

/// Endings of documents that are read or printed as they are.
const PAPER_ENDINGS: &[&str] = &[
    "doc", "docm", "docx", "dotx", "epub", "mobi", "odp", "ods", "odt", "pdf", "pps", "ppsx",
    "ppt", "pptx", "ps", "rtf", "xls", "xlsm", "xlsx",
];

/// Endings that are no more than a habit of one program: they say neither that a page is written
/// nor that a program makes it.
const OTHER_ENDINGS: &[&str] = &["page"];

/// Whether an ending says how a page is made and nothing of what it holds. Such endings are
/// dropped, in values as in rules, so that `/cart.php` is read as `/cart`.
fn is_page_ending(ending: &str) -> bool {
    [DOCUMENT_ENDINGS, PROGRAM_ENDINGS, OTHER_ENDINGS].iter().any(|list| list.contains(&ending))
}

/// Names of the page that a directory shows when no page is named.
const FACES: &[&str] = &["index", "default", "home", "main"];

/// A front controller: what follows it is the path that the site means.
const FRONT_CONTROLLER: &str = "index.php";

/// A Disallow value taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The segments, folded; a segment that is all wildcard stands as `*`. Leading and trailing
    /// ones of that kind are gone.
    pub(super) segments: Vec<String>,
    /// How many leading segments are a locale prefix.
    pub(super) locale: usize,
    /// The names of the query's parameters, where the value has a query part.
    pub(super) query: Option<Vec<String>>,
    /// Those of them whose value begins with a digit.
    pub(super) numbered: Vec<String>,
    /// The ending of the last segment, where it says what is closed.
    pub(super) extension: Option<String>,
    /// Whether the value ends in `$`.
    pub(super) anchored: bool,
    /// What the last name is by its ending, where it is one name without a wildcard.
    pub(super) file: Option<FileKind>,
    /// Whether a wildcard stands before or amid letters in one segment, so that the value picks
    /// addresses by letters in them.
    pub(super) has_letters: bool,
    /// Whether the value is one piece of text that may stand anywhere in an address: `*sessionid`.
    pub(super) is_piece: bool,
    /// The form of each segment.
    pub(super) forms: Vec<Form>,
}

/// What a file is by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    /// A page that is written.
    Document,
    /// A program that makes pages.
    Program,
    /// A document that is read or printed as it is.
    Paper,
}

impl Shape {
    /// Reads a value; `None` where it begins with neither `/` nor `*`, since no path begins so.
    pub(super) fn read(value: &[u8]) -> Option<Self> {
        let value = value.trim_ascii();
        if !matches!(value.first(), Some(b'/' | b'*')) {
            return None;
        }
        let (value, anchored) = match value.strip_suffix(b"$") {
            Some(shorter) => (shorter, !shorter.ends_with(b"*")),
            None => (value, false),
        };
        let stars = value.iter().rev().take_while(|&&octet| octet == b'*').count();
        let (path, query) = without_query(&value[..value.len() - stars]);
        let (segments, extension) = segments_of(path);
        let (segments, forms): (Vec<String>, Vec<Form>) = segments.into_iter().unzip();
        let numbered = query.map(numbered_of).unwrap_or_default();
        let query = query.map(parameters_of);
        let file = file_kind(path);
        let has_letters = path.split(|&octet| octet == b'/').any(is_by_letters);
        let is_piece = segments.len() == 1 && begins_with_text_after_stars(path);
        let locale = 0;
        Some(Self {
            segments,
            locale,
            query,
            numbered,
            extension,
            anchored,
            file,
            has_letters,
            is_piece,
            forms,
        })
    }

    /// Whether the value can match one page only: it ends in a written page or a program, or `$`
    /// ends a value beneath a directory; and no directory in it is a wildcard. The page that is the
    /// face of its directory is none.
    pub(super) fn names_one_page(&self) -> bool {
        let is_exact = self.anchored && self.segments.len() > 1 && self.extension.is_none();
        self.names_one_file() || (is_exact && !self.is_open() && !self.is_face())
    }

    /// Whether the value names one file that is not the face of its directory.
    pub(super) fn names_one_file(&self) -> bool {
        self.file.is_some() && !self.is_open() && !self.is_face()
    }

    /// Whether the last name is that of the page that a directory shows when no page is named.
    pub(super) fn is_face(&self) -> bool {
        self.segments.last().is_some_and(|name| FACES.contains(&name.as_str()))
    }

    /// Whether a directory or a name in it is a wildcard, or has one.
    pub(super) fn is_open(&self) -> bool {
        self.segments.iter().any(|segment| segment.contains('*'))
    }

    /// Whether nothing is named: the value speaks of the site as a whole.
    pub(super) fn names_nothing(&self) -> bool {
        self.segments.is_empty() && self.query.is_none()
    }

    /// The same shape without its locale prefix, if it has one and something else besides.
    pub(super) fn without_locale(&self) -> Option<Self> {
        if self.locale == 0 {
            return None;
        }
        let segments = self.segments[self.locale..].to_vec();
        let forms = self.forms[self.locale..].to_vec();
        let stripped = Self { segments, forms, locale: 0, ..self.clone() };
        (!stripped.names_nothing()).then_some(stripped)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}", self.segments.join("/"))?;
        if let Some(names) = &self.query {
            write!(f, "?{}", if names.is_empty() { "*".to_owned() } else { names.join("&") })?;
        }
        if let Some(ending) = &self.extension {
            write!(f, " .{ending}")?;
        }
        if self.anchored { f.write_str("$") } else { Ok(()) }
    }
}

/// Splits a value at its query: at the first `?`, or, since wildcards are often written for it
/// (`/*sort=`, `/*&page=`, `/x;jsessionid=`), at the first separator of a last segment that has
/// the marks of a query.
fn without_query(value: &[u8]) -> (&[u8], Option<&[u8]>) {
    if let Some(at) = value.iter().position(|&octet| octet == b'?') {
        return (&value[..at], Some(&value[at + 1..]));
    }
    let start = value.iter().rposition(|&octet| octet == b'/').map_or(0, |at| at + 1);
    let last = &value[start..];
    let separators: &[u8] = match last.iter().any(|octet| b"=&".contains(octet)) {
        true => b"*&;",
        false => b";",
    };
    match last.iter().position(|octet| separators.contains(octet)) {
        Some(at) => (&value[..start + at], Some(&last[at..])),
        None => (value, None),
    }
}

/// The names of a query's parameters: without values, wildcards and what stands in brackets.
fn parameters_of(query: &[u8]) -> Vec<String> {
    let query = decoded(query);
    let parameters = query.split(['&', ';', '?', '*']);
    parameters.map(name_of_parameter).filter(|name| !name.is_empty()).collect()
}

/// The names of those parameters whose value begins with a digit.
fn numbered_of(query: &[u8]) -> Vec<String> {
    let query = decoded(query);
    let is_numbered = |parameter: &&str| {
        let value = parameter.split_once('=').map(|(_, value)| value);
        value.is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()))
    };
    let parameters = query.split(['&', ';', '?', '*']).filter(is_numbered);
    parameters.map(name_of_parameter).filter(|name| !name.is_empty()).collect()
}

/// The name of one parameter, folded.
fn name_of_parameter(parameter: &str) -> String {
    let name = parameter.split(['=', '[']).next().unwrap_or_default();
    folded(name.trim_matches([' ', '/']))
}

/// Whether the first segment is a wildcard with text after it.
fn begins_with_text_after_stars(path: &[u8]) -> bool {
    let path = path.strip_prefix(b"/").unwrap_or(path);
    let stars = path.iter().take_while(|&&octet| octet == b'*').count();
    stars > 0 && path.get(stars).is_some_and(|&octet| octet != b'/')
}

/// Whether a wildcard in a segment is followed by something in the same segment.
fn is_by_letters(segment: &[u8]) -> bool {
    let stars = |octet: &u8| *octet == b'*';
    segment.iter().position(stars).is_some_and(|at| !segment[at..].iter().all(stars))
}

/// What the last name of a path is by its ending; none for a name with a wildcard.
fn file_kind(path: &[u8]) -> Option<FileKind> {
    let last = decoded(path.rsplit(|&octet| octet == b'/').next()?);
    let (stem, ending) = split_ending(&last);
    let ending = ending.filter(|_| !stem.is_empty() && !last.contains('*'))?;
    let is_in = |endings: &[&str]| endings.contains(&ending.as_str());
    if is_in(DOCUMENT_ENDINGS) {
        Some(FileKind::Document)
    } else if is_in(PAPER_ENDINGS) {
        Some(FileKind::Paper)
    } else {
        is_in(PROGRAM_ENDINGS).then_some(FileKind::Program)
    }
}

/// A segment as rules see it, and its form.
fn read_segment(segment: &str) -> (String, Form) {
    let (stem, ending) = split_ending(segment);
    let is_page = ending.is_some_and(|ending| is_page_ending(&ending));
    (core_of(segment), Form::of(if is_page { stem } else { segment }))
}

/// The named segments of a path with their forms, and its ending.
fn segments_of(path: &[u8]) -> (Vec<(String, Form)>, Option<String>) {
    let path = path.strip_prefix(b"/").unwrap_or(path);
    let mut written: Vec<String> = match path.is_empty() {
        true => Vec::new(),
        false => {
            let path = path.strip_suffix(b"/").unwrap_or(path);
            path.split(|&octet| octet == b'/').map(decoded).collect()
        }
    };
    if written.len() > 1 && written[0].eq_ignore_ascii_case(FRONT_CONTROLLER) {
        written.remove(0);
    }
    let (last_core, ending) = written.last().map_or(("", None), |last| split_ending(last));
    let page = ending.as_deref().is_some_and(is_page_ending);
    let named_before = written.iter().rev().skip(1).any(|segment| core_of(segment) != "*");
    // The ending of pages in general says something only where nothing else is named.
    let extension = ending.filter(|_| !page || (last_core.is_empty() && !named_before));
    let mut segments: Vec<(String, Form)> =
        written.iter().map(|segment| read_segment(segment)).collect();
    let is_wildcard = |segment: &(String, Form)| segment.0 == "*";
    let leading = segments.iter().take_while(|segment| is_wildcard(segment)).count();
    let kept = usize::from(extension.is_some());
    segments.drain(..leading.min(segments.len().saturating_sub(kept)));
    while extension.is_none() && segments.last().is_some_and(is_wildcard) {
        segments.pop();
    }
    (segments, extension)
}

/// A segment as rules see it: folded, no wildcard at its ends, no page ending; `*` if nothing is
/// left of it.
pub(super) fn core_of(segment: &str) -> String {
    let (stem, ending) = split_ending(segment);
    let is_page = ending.is_some_and(|ending| is_page_ending(&ending));
    let kept = if is_page || stem.is_empty() { stem } else { segment.trim_matches('*') };
    // What joins a name to the wildcard beside it is no part of the name.
    let joins = |c: char| c == '-' || c == '_';
    let kept = if segment.starts_with('*') { kept.trim_start_matches(joins) } else { kept };
    let kept = if segment.ends_with('*') { kept.trim_end_matches(joins) } else { kept };
    match (kept.is_empty(), segment.is_empty()) {
        (true, false) => "*".to_owned(),
        _ => folded(kept),
    }
}

/// Splits a segment into what stands before its ending and the ending itself, folded.
fn split_ending(segment: &str) -> (&str, Option<String>) {
    let core = segment.trim_matches('*');
    match core.rsplit_once('.') {
        Some((stem, ending)) if is_ending(ending) => {
            // A dotted name such as `.git` is a name; only a wildcard before it makes an ending.
            match stem.is_empty() && !segment.starts_with('*') {
                true => (core, None),
                false => (stem.trim_end_matches('*'), Some(folded(ending))),
            }
        }
        _ => (core, None),
    }
}

/// Whether the letters after a dot can be a file's ending.
fn is_ending(text: &str) -> bool {
    (1..=6).contains(&text.len())
        && text.bytes().all(|octet| octet.is_ascii_alphanumeric())
        && text.bytes().any(|octet| octet.is_ascii_alphabetic())
}

/// Percent-decodes octets; an encoded `*` is no wildcard and stays encoded (RFC 9309, 2.2.3).
fn decoded(octets: &[u8]) -> String {
    let digit = |at: usize| octets.get(at).and_then(|&octet| (octet as char).to_digit(16));
    let mut plain = Vec::with_capacity(octets.len());
    let mut at = 0;
    while at < octets.len() {
        match (octets[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) if high * 16 + low != u32::from(b'*') => {
                plain.push((high * 16 + low) as u8);
                at += 3;
            }
            (octet, _, _) => {
                plain.push(octet);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::Shape;

    fn read(value: &str) -> Shape {
        Shape::read(value.as_bytes()).expect("begins with / or *")
    }

    #[test]
    fn segments_are_folded_and_stripped_of_their_wildcards() {
        for (value, segments) in [
            ("/", &[][..]),
            ("/*", &[]),
            ("*", &[]),
            ("/*/", &[]),
            ("/Blog", &["blog"]),
            ("/blog/", &["blog"]),
            ("/blog*", &["blog"]),
            ("/blog/*", &["blog"]),
            ("/*/blog/", &["blog"]),
            ("*/blog", &["blog"]),
            ("/*blog*", &["blog"]),
            ("/user/*/edit$", &["user", "*", "edit"]),
            ("/my_account", &["my-account"]),
            ("/caf%C3%A9/", &["café"]),
            ("/a%2Fb/c", &["a/b", "c"]),
            ("/a%2Ab", &["a%2ab"]),
            ("/cart.php", &["cart"]),
            ("/index.php/admin/", &["admin"]),
            ("/index.php", &["index"]),
            ("/.git/", &[".git"]),
            ("/LICENSE.txt", &["license.txt"]),
            ("//", &[""]),
        ] {
            assert_eq!(read(value).segments, segments, "{value}");
        }
    }

    #[test]
    fn a_query_is_read_as_the_names_of_its_parameters() {
        for (value, names) in [
            ("/blog", None),
            ("/?", Some(&[][..])),
            ("/*?*", Some(&[])),
            ("/*?", Some(&[])),
            ("/*?sort=", Some(&["sort"])),
            ("/*?*sort_by=", Some(&["sort-by"])),
            ("/*sort=", Some(&["sort"])),
            ("/*&page=", Some(&["page"])),
            ("/x;jsessionid=", Some(&["jsessionid"])),
            ("/x;jsessionid", Some(&["jsessionid"])),
            ("/*?filter[colour]=red&sort=*", Some(&["filter", "sort"])),
            ("/*/*?*ls%3D*%3Fls%3D*", Some(&["ls", "ls"])),
            ("/?q=admin/", Some(&["q"])),
        ] {
            let read = read(value).query;
            let expected = names.map(|names| names.iter().map(|n| (*n).to_owned()).collect());
            assert_eq!(read, expected, "{value}");
        }
    }

    #[test]
    fn an_ending_is_kept_where_it_says_what_is_closed() {
        for (value, extension) in [
            ("/*.pdf$", Some("pdf")),
            ("/*.pdf", Some("pdf")),
            ("/files/*.PDF$", Some("pdf")),
            ("/guide.pdf", Some("pdf")),
            ("/*.php$", Some("php")),
            ("/wp-content/*.php", None),
            ("/cart.php", None),
            ("/.git", None),
            ("/v1.2/", None),
        ] {
            assert_eq!(read(value).extension.as_deref(), extension, "{value}");
        }
    }

    #[test]
    fn the_end_anchor_counts_unless_a_wildcard_undoes_it() {
        assert!(read("/$").anchored);
        assert!(!read("/*$").anchored);
        assert!(!read("/").anchored);
    }

    #[test]
    fn a_value_that_no_path_can_begin_with_has_no_shape() {
        for value in ["", "blog/", "https://example.com/blog/", "?s="] {
            assert_eq!(Shape::read(value.as_bytes()), None, "{value}");
        }
    }
}
