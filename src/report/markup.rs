//! What every page and picture of ours needs of HTML: text that stays text, and the digest by which
//! a page's own policy names what stands in it (Content Security Policy level 3).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::digest::Digest;

/// Text that HTML and SVG read as itself, between tags and within quotes of either kind.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter if letter.is_control() => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

/// The source expression of a style or script that stands in the page.
pub(super) fn policy_source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Digest::of(text.as_bytes()).octets()))
}
