//! HTML as octets: is a body HTML, and what does it show, hide and say of itself.
//!
//! Holds the judgement "this is HTML" (by the body alone, in the manner of the WHATWG MIME Sniffing
//! Standard, 7.1), a linear walk over markup (WHATWG HTML, 13.2.5), and the readers of attributes,
//! titles and visible text. What any of it means is left to `page`, `control` and `llms`.

mod read;
mod walk;

pub use read::{Outline, attributes, outline, shown, squeezed};
pub use walk::{Piece, Walk};

/// Openers that only a whole document or a scripted page begins with.
const DOCUMENT_OPENERS: [&[u8]; 16] = [
    b"!doctype html",
    b"html",
    b"head",
    b"body",
    b"title",
    b"meta",
    b"link",
    b"base",
    b"script",
    b"style",
    b"iframe",
    b"frameset",
    b"noscript",
    b"template",
    b"svg",
    b"form",
];

/// Openers that a fragment begins with, and now and then a hand-written text file too.
const FRAGMENT_OPENERS: [&[u8]; 24] = [
    b"h1", b"h2", b"h3", b"div", b"p", b"br", b"a", b"b", b"i", b"font", b"table", b"center",
    b"main", b"header", b"nav", b"section", b"article", b"span", b"strong", b"img", b"ul", b"ol",
    b"pre", b"hr",
];

/// Line beginnings, in lower case, that belong to robots.txt or Markdown and to no HTML fragment.
const TEXT_LINES: [&[u8]; 8] =
    [b"user-agent:", b"disallow:", b"allow:", b"sitemap:", b"crawl-delay:", b"# ", b"## ", b"### "];

/// Whether a body is HTML, judged by its octets alone and never by a content-type.
///
/// A byte-order mark, white space, comments and an XML declaration are passed over. A document
/// opener decides at once. A fragment opener decides unless some line of the body is one of
/// robots.txt or Markdown: text files do begin with a stray `<p>`.
pub fn looks_like_html(body: &[u8]) -> bool {
    let (start, declared_xml) = skip_prologue(body);
    let Some(opener) = start.strip_prefix(b"<") else { return false };
    if declared_xml {
        return opens_with(opener, b"html") || opens_with(opener, b"!doctype html");
    }
    if DOCUMENT_OPENERS.iter().any(|name| opens_with(opener, name)) {
        return true;
    }
    FRAGMENT_OPENERS.iter().any(|name| opens_with(opener, name)) && !has_text_line(start)
}

/// A body without its leading UTF-8 byte-order mark.
pub fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

/// What follows the mark, white space, comments and XML declaration, and whether there was one.
fn skip_prologue(body: &[u8]) -> (&[u8], bool) {
    let mut rest = without_mark(body).trim_ascii_start();
    let mut declared_xml = false;
    loop {
        let end = if rest.starts_with(b"<!--") {
            memchr::memmem::find(&rest[2..], b"-->").map(|at| at + 5)
        } else if rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<?xml") {
            declared_xml = true;
            memchr::memmem::find(rest, b"?>").map(|at| at + 2)
        } else {
            return (rest, declared_xml);
        };
        match end {
            Some(end) => rest = rest[end..].trim_ascii_start(),
            None => return (&[], declared_xml),
        }
    }
}

/// Whether an opener is this one, followed by an octet that ends a name.
fn opens_with(opener: &[u8], name: &[u8]) -> bool {
    opener.len() > name.len()
        && opener[..name.len()].eq_ignore_ascii_case(name)
        && matches!(opener[name.len()], b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'>' | b'/')
}

/// Whether some line reads as robots.txt or Markdown.
fn has_text_line(text: &[u8]) -> bool {
    text.split(|&octet| octet == b'\n').any(|line| {
        TEXT_LINES.iter().any(|start| {
            line.len() >= start.len() && line[..start.len()].eq_ignore_ascii_case(start)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::looks_like_html;

    #[test]
    fn html_is_judged_by_the_body_alone() {
        let html: [&[u8]; 12] = [
            b"<!DOCTYPE html><html></html>",
            b"\xef\xbb\xbf\r\n <html lang=en>",
            b"<!-- saved --><!-- twice --> <head><title>x</title></head>",
            b"<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0\">",
            b"<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">",
            b"<script>location.href='/'</script>",
            b"<h1>Not Found</h1>",
            b"<p>gone</p>",
            b"<div class=x>gone</div>",
            b"<!--><title>x</title>",
            b"<body>",
            b"<!doctype html>\n# a heading\n",
        ];
        for body in html {
            assert!(looks_like_html(body), "{}", String::from_utf8_lossy(body));
        }
        let other: [&[u8]; 13] = [
            b"",
            b"\xef\xbb\xbf",
            b"User-agent: *\nDisallow: /<html>\n",
            b"# Title\n\n<div>inline</div>\n",
            b"<p>User-agent</p>\nUser-agent: *\nDisallow:\n",
            b"<p align=\"center\">\n\n# Title\n",
            b"<!-- comment -->\nUser-agent: *\n",
            b"<!-- never closed <html>",
            b"<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code></Error>",
            b"<urlset xmlns=\"x\">",
            b"{\"message\":\"<html>\"}",
            b"<htmlish>",
            b"<",
        ];
        for body in other {
            assert!(!looks_like_html(body), "{}", String::from_utf8_lossy(body));
        }
    }
    proptest::proptest! {
        #[test]
        fn any_octets_are_read(body in "[<>!/a-z=\"' \\-?&;#\u{feff}]{0,200}", cut in 0_usize..4) {
            let body = &body.as_bytes()[cut.min(body.len())..];
            looks_like_html(body);
            super::outline(body);
            super::shown(body);
            for piece in super::Walk::new(body) {
                if let super::Piece::Start(_, tag) = piece {
                    super::attributes(tag);
                }
            }
        }
    }
}
