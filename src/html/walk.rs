//! A linear walk over markup: text, tags, comments and raw text, as slices of the body.
//!
//! Follows the tokenizer of WHATWG HTML (13.2.5) as far as the bounds of pieces go: quotes inside
//! tags, the three ways a comment ends, bogus comments, raw-text elements and the escaped states of
//! script data. Each octet is looked at a bounded number of times, whatever the body holds.
//! `noscript` is raw text, as it is for a reader that runs scripts.

/// One piece of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text between tags.
    Text(&'a [u8]),
    /// A start tag: its name as written, and the whole tag with its angle brackets.
    Start(&'a [u8], &'a [u8]),
    /// An end tag's name, as written.
    End(&'a [u8]),
    /// A comment of any form, delimiters included.
    Comment(&'a [u8]),
    /// The content of a raw-text element, with the element's name in lower case.
    Raw(&'static str, &'a [u8]),
}

/// Elements whose content is no markup.
const RAW_ELEMENTS: [&str; 10] = [
    "script",
    "style",
    "title",
    "textarea",
    "noscript",
    "iframe",
    "noframes",
    "noembed",
    "xmp",
    "plaintext",
];

/// The pieces of a body, in order.
pub struct Walk<'a> {
    rest: &'a [u8],
    raw: Option<&'static str>,
}

impl<'a> Walk<'a> {
    /// Begins at the start of a body, after a byte-order mark.
    pub fn new(body: &'a [u8]) -> Self {
        Self { rest: super::without_mark(body), raw: None }
    }

    /// Takes some octets off the front.
    fn take(&mut self, octets: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(octets.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// The content of a raw-text element that was just opened.
    fn take_raw(&mut self, element: &'static str) -> Piece<'a> {
        let end = match element {
            "plaintext" => self.rest.len(),
            "script" => script_end(self.rest),
            _ => raw_end(self.rest, element),
        };
        Piece::Raw(element, self.take(end))
    }

    /// A tag or comment, if one begins here.
    fn take_markup(&mut self) -> Option<Piece<'a>> {
        let rest = self.rest;
        match *rest.get(1)? {
            b'!' if rest.starts_with(b"<!--") => {
                let end = comment_end(rest);
                Some(Piece::Comment(self.take(end)))
            }
            b'!' | b'?' => Some(self.take_bogus()),
            b'/' => match rest.get(2) {
                Some(octet) if octet.is_ascii_alphabetic() => {
                    let end = tag_end(rest, 2)?;
                    let tag = self.take(end);
                    Some(Piece::End(&tag[2..2 + name_length(&tag[2..])]))
                }
                Some(_) => Some(self.take_bogus()),
                None => None,
            },
            octet if octet.is_ascii_alphabetic() => {
                let end = tag_end(rest, 1)?;
                let tag = self.take(end);
                let name = &tag[1..1 + name_length(&tag[1..])];
                self.raw = RAW_ELEMENTS
                    .into_iter()
                    .find(|element| name.eq_ignore_ascii_case(element.as_bytes()));
                Some(Piece::Start(name, tag))
            }
            _ => None,
        }
    }

    /// What a browser reads as a comment though it is none: up to the next `>`.
    fn take_bogus(&mut self) -> Piece<'a> {
        let end = memchr::memchr(b'>', self.rest).map_or(self.rest.len(), |at| at + 1);
        Piece::Comment(self.take(end))
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if let Some(element) = self.raw.take() {
            return Some(self.take_raw(element));
        }
        if self.rest.is_empty() {
            return None;
        }
        if self.rest[0] == b'<' {
            if let Some(piece) = self.take_markup() {
                return Some(piece);
            }
            if opens_markup(self.rest) {
                // A tag that never ends is dropped with all that follows, as browsers do.
                self.rest = &[];
                return None;
            }
        }
        let mut end = 1;
        while let Some(at) = memchr::memchr(b'<', &self.rest[end..]) {
            end += at;
            if opens_markup(&self.rest[end..]) {
                return Some(Piece::Text(self.take(end)));
            }
            end += 1;
        }
        Some(Piece::Text(self.take(self.rest.len())))
    }
}

/// Whether a `<` begins markup rather than standing for itself.
fn opens_markup(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'!' | b'?') => true,
        Some(b'/') => rest.len() > 2,
        Some(octet) => octet.is_ascii_alphabetic(),
        None => false,
    }
}

/// How many octets a tag's name has.
fn name_length(tag: &[u8]) -> usize {
    tag.iter().position(|&octet| ends_name(octet)).unwrap_or(tag.len())
}

/// Whether an octet ends a tag's name.
fn ends_name(octet: u8) -> bool {
    octet.is_ascii_whitespace() || matches!(octet, b'/' | b'>')
}

/// Where a comment ends; at the end of the body if nothing ends it.
fn comment_end(rest: &[u8]) -> usize {
    // `<!-->` and `<!--->` are whole comments, so the search overlaps the opening dashes.
    let mut from = 2;
    while let Some(at) = memchr::memmem::find(&rest[from..], b"--") {
        let dashes = from + at;
        match (rest.get(dashes + 2), rest.get(dashes + 3)) {
            (Some(b'>'), _) => return dashes + 3,
            (Some(b'!'), Some(b'>')) if dashes > 2 => return dashes + 4,
            _ => from = dashes + 1,
        }
    }
    rest.len()
}

/// What is being read inside a tag.
enum Within {
    Between,
    Name,
    AfterEquals,
    Unquoted,
}

/// Where a tag ends, `>` included; none if it never does. `>` inside quoted values does not count.
fn tag_end(rest: &[u8], name_at: usize) -> Option<usize> {
    let mut at = name_at + name_length(&rest[name_at..]);
    let mut within = Within::Between;
    while let Some(&octet) = rest.get(at) {
        at += 1;
        within = match (within, octet) {
            (_, b'>') => return Some(at),
            (Within::AfterEquals, quote @ (b'"' | b'\'')) => {
                at += memchr::memchr(quote, &rest[at..])? + 1;
                Within::Between
            }
            (Within::AfterEquals, octet) if octet.is_ascii_whitespace() => Within::AfterEquals,
            (Within::AfterEquals, _) => Within::Unquoted,
            (Within::Unquoted, octet) if octet.is_ascii_whitespace() => Within::Between,
            (Within::Unquoted, _) => Within::Unquoted,
            (Within::Name, b'=') => Within::AfterEquals,
            (Within::Name, b'/') => Within::Between,
            // A space may stand between a name and its equals sign.
            (Within::Name, octet) if octet.is_ascii_whitespace() => {
                at += rest[at..].iter().take_while(|octet| octet.is_ascii_whitespace()).count();
                if rest.get(at) == Some(&b'=') { Within::Name } else { Within::Between }
            }
            (Within::Name, _) => Within::Name,
            (Within::Between, octet) if octet.is_ascii_whitespace() || octet == b'/' => {
                Within::Between
            }
            (Within::Between, _) => Within::Name,
        };
    }
    None
}

/// Whether an end or start tag of an element begins here, after its `<` or `</`.
fn names(rest: &[u8], element: &[u8]) -> bool {
    rest.len() > element.len()
        && rest[..element.len()].eq_ignore_ascii_case(element)
        && ends_name(rest[element.len()])
}

/// Where the content of a raw-text element ends.
fn raw_end(rest: &[u8], element: &str) -> usize {
    memchr::memmem::find_iter(rest, b"</")
        .find(|&at| names(&rest[at + 2..], element.as_bytes()))
        .unwrap_or(rest.len())
}

/// Where a script ends: `</script>` inside `<!-- <script> … -->` does not count.
fn script_end(rest: &[u8]) -> usize {
    let (mut escaped, mut doubled) = (false, false);
    for at in memchr::memchr2_iter(b'<', b'-', rest) {
        let here = &rest[at..];
        if here.starts_with(b"-->") {
            (escaped, doubled) = (false, false);
        } else if here.starts_with(b"<!--") {
            escaped = true;
        } else if here.starts_with(b"</") && names(&here[2..], b"script") {
            if !doubled {
                return at;
            }
            doubled = false;
        } else if escaped && here.starts_with(b"<") && names(&here[1..], b"script") {
            doubled = true;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::{Piece, Walk};

    /// The pieces in one line of words.
    fn told(body: &str) -> String {
        let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
        let pieces: Vec<_> = Walk::new(body.as_bytes())
            .map(|piece| match piece {
                Piece::Text(octets) => format!("text[{}]", text(octets)),
                Piece::Start(name, _) => format!("start[{}]", text(name)),
                Piece::End(name) => format!("end[{}]", text(name)),
                Piece::Comment(_) => "comment".to_owned(),
                Piece::Raw(element, octets) => format!("{element}[{}]", text(octets)),
            })
            .collect();
        pieces.join(" ")
    }

    #[test]
    fn pieces_end_where_a_browser_ends_them() {
        for (body, pieces) in [
            ("a<b>c</b>", "text[a] start[b] text[c] end[b]"),
            ("<a title='>' x=\"</a>\">y", "start[a] text[y]"),
            ("<a \"x>y", "start[a] text[y]"),
            ("<a x = '>'>y", "start[a] text[y]"),
            ("<a x=y'>z", "start[a] text[z]"),
            ("<br/>x", "start[br] text[x]"),
            ("1 < 2 <3", "text[1 < 2 <3]"),
            ("<!-->x<!--->y<!--z--!>w", "comment text[x] comment text[y] comment text[w]"),
            ("<!-- a -- b --->c", "comment text[c]"),
            ("<!-- never <p>", "comment"),
            ("<?php x ?>a</ b>c", "comment text[a] comment text[c]"),
            ("<title>a<b></title >c", "start[title] title[a<b>] end[title] text[c]"),
            ("<noscript><meta></noscript>", "start[noscript] noscript[<meta>] end[noscript]"),
            ("<script>a</scriptx></script>", "start[script] script[a</scriptx>] end[script]"),
            (
                "<script><!--<script></script>--></script>b",
                "start[script] script[<!--<script></script>-->] end[script] text[b]",
            ),
            ("<script>never", "start[script] script[never]"),
            ("x<a b='never", "text[x]"),
            ("x</", "text[x</]"),
            ("\u{feff}x", "text[x]"),
        ] {
            assert_eq!(told(body), pieces, "{body}");
        }
    }
}
