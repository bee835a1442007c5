//! The named metas of a page's head.
//!
//! The head ends with its end tag, or with the first thing that WHATWG HTML (13.2.6.4.4) puts into
//! the body. Metas inside comments, scripts, styles, noscript and templates are not seen.

use crate::html::{Piece, Walk, attributes};

/// A meta with a name and a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Meta {
    /// The name, in lower case.
    pub(super) name: String,
    /// The content, character references decoded.
    pub(super) content: String,
}

/// Elements that may stand in a head, or before it.
const HEAD_ELEMENTS: [&[u8]; 13] = [
    b"html",
    b"head",
    b"meta",
    b"link",
    b"title",
    b"base",
    b"basefont",
    b"bgsound",
    b"script",
    b"style",
    b"noscript",
    b"noframes",
    b"template",
];

/// End tags after which the head is over.
const HEAD_ENDS: [&[u8]; 3] = [b"head", b"body", b"html"];

/// The named metas of a page's head, in order.
pub(super) fn head_metas(body: &[u8]) -> Vec<Meta> {
    let mut metas = Vec::new();
    let mut templates = 0_usize;
    for piece in Walk::new(body) {
        match piece {
            Piece::Start(name, _) if name.eq_ignore_ascii_case(b"template") => templates += 1,
            Piece::End(name) if name.eq_ignore_ascii_case(b"template") => {
                templates = templates.saturating_sub(1);
            }
            _ if templates > 0 => {}
            Piece::Text(text) if !text.trim_ascii().is_empty() => break,
            Piece::End(name) if is_one_of(name, &HEAD_ENDS) => break,
            Piece::Start(name, _) if !is_one_of(name, &HEAD_ELEMENTS) => break,
            Piece::Start(name, tag) if name.eq_ignore_ascii_case(b"meta") => {
                metas.extend(named(tag));
            }
            _ => {}
        }
    }
    metas
}

/// A meta tag's name and content, where it has both.
fn named(tag: &[u8]) -> Option<Meta> {
    let attributes = attributes(tag);
    let value = |wanted: &str| {
        attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
    };
    let (name, content) = (value("name")?, value("content")?);
    Some(Meta { name: name.trim().to_lowercase(), content: content.to_owned() })
}

/// Whether a tag's name is one of a list.
fn is_one_of(name: &[u8], list: &[&[u8]]) -> bool {
    list.iter().any(|member| name.eq_ignore_ascii_case(member))
}

#[cfg(test)]
mod tests {
    use super::head_metas;

    #[test]
    fn metas_count_in_the_head_alone() {
        let meta = "<meta name=robots content=noindex>";
        for (before, after, seen) in [
            ("", "", true),
            ("<!doctype html><html><head><title>a</title><link href=x>", "</head>", true),
            ("\u{feff}\n<?xml version='1.0'?><script>if (a<b) {}</script>", "", true),
            ("<!-- ", " -->", false),
            ("<script>", "</script>", false),
            ("<style>", "</style>", false),
            ("<noscript>", "</noscript>", false),
            ("<title>", "</title>", false),
            ("<template>", "</template>", false),
            ("<template><template></template>", "</template>", false),
            ("<template><div>a</div></template>", "", true),
            ("<head></head>", "", false),
            ("<body>", "", false),
            ("<head><div></div>", "", false),
            ("<head>stray", "", false),
        ] {
            let page = format!("{before}{meta}{after}");
            assert_eq!(!head_metas(page.as_bytes()).is_empty(), seen, "{page}");
        }
    }

    #[test]
    fn a_meta_without_name_or_content_says_nothing() {
        assert!(
            head_metas(b"<meta charset=utf-8><meta name=robots><meta content=noindex>").is_empty()
        );
    }
}
