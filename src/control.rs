//! Is this the answer to a path that cannot exist: for soft-404 robots.txt and llms.txt.
//!
//! Compares an answer with the answer to the control path, in four ways from the strictest to the
//! loosest. Time grows with the octets compared (and the sorting of their shingles), whatever they
//! hold. What a match means is left to `llms` and `classify`.

use memchr::memmem;

use crate::closed_list;
use crate::html::{looks_like_html, shown, without_mark};
use crate::library::{GuidanceRules, Similarity};

closed_list! {
    /// How an answer resembles the answer to the control path.
    pub enum Likeness {
        /// The same octets.
        Identical = "identical",
        /// The same octets after each one's own requested path is removed.
        PathRemoved = "path_removed",
        /// Nearly the same text, by the library's similarity rule.
        Similar = "similar",
        /// Redirected to the same final place.
        SameRedirect = "same_redirect",
    }
}

/// An answer as far as likeness goes.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The path that was asked for, with its leading slash.
    pub requested_path: &'a str,
    /// The final status.
    pub status: u16,
    /// The URL whose answer this is.
    pub final_url: &'a str,
    /// Whether redirects led there.
    pub redirected: bool,
    /// The body, content coding taken off.
    pub body: &'a [u8],
}

/// How `other` resembles the answer to the control path, if it does.
///
/// Only a control that answered 200 can match: any other status says that the path is not there.
pub fn likeness(rules: &GuidanceRules, control: &Page<'_>, other: &Page<'_>) -> Option<Likeness> {
    if control.status != 200 {
        return None;
    }
    if control.body == other.body {
        return Some(Likeness::Identical);
    }
    let bodies = [control, other].map(|page| without_path(page.body, page.requested_path));
    if bodies[0] == bodies[1] {
        Some(Likeness::PathRemoved)
    } else if are_similar(&rules.similarity, &bodies[0], &bodies[1]) {
        Some(Likeness::Similar)
    } else if control.redirected && other.redirected && place(control) == place(other) {
        Some(Likeness::SameRedirect)
    } else {
        None
    }
}

/// Where a redirect led: the final URL, the requested path removed from its query alone.
///
/// A language redirect carries the requested path on as a path, and then does not lead to one place.
fn place(page: &Page<'_>) -> Vec<u8> {
    let (address, query) = page.final_url.split_once('?').unwrap_or((page.final_url, ""));
    let mut place = address.as_bytes().to_vec();
    place.push(b'?');
    place.extend(without_path(query.as_bytes(), page.requested_path));
    place
}

/// A body without its own requested path, in each form in which pages print one.
fn without_path(body: &[u8], requested_path: &str) -> Vec<u8> {
    let mut body = body.to_vec();
    for form in path_forms(requested_path) {
        body = without(&body, form.as_bytes());
    }
    body
}

/// The path plain, percent-encoded, HTML-escaped and JSON-escaped, with its slash and without.
fn path_forms(requested_path: &str) -> Vec<String> {
    let bare = requested_path.trim_start_matches('/');
    if bare.is_empty() {
        return Vec::new();
    }
    let coded = |slash: &str| format!("{slash}{}", bare.replace('/', slash));
    let mut forms: Vec<String> =
        ["%2F", "%2f", "&#x2F;", "&#x2f;", "&#47;", "&sol;", "\\/", "\\u002F", "\\u002f", "/"]
            .into_iter()
            .map(coded)
            .collect();
    forms.push(bare.to_owned());
    forms
}

/// A body with every occurrence of some octets left out.
fn without(body: &[u8], form: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(body.len());
    let mut from = 0;
    for at in memmem::find_iter(body, form) {
        kept.extend_from_slice(&body[from..at]);
        from = at + form.len();
    }
    kept.extend_from_slice(&body[from..]);
    kept
}

/// Whether two bodies are nearly the same text.
fn are_similar(rule: &Similarity, left: &[u8], right: &[u8]) -> bool {
    let (left, right) = (without_mark(left), without_mark(right));
    let are_html = looks_like_html(left);
    if are_html != looks_like_html(right) {
        return false;
    }
    if are_html {
        let (left, right) = (words(rule, &shown(left)), words(rule, &shown(right)));
        if let (Some(left), Some(right)) = (&left, &right) {
            return share(rule, left, right);
        }
        if left.is_some() || right.is_some() {
            return false;
        }
    }
    let source = |body: &[u8]| words(rule, &String::from_utf8_lossy(body));
    match (source(left), source(right)) {
        (Some(left), Some(right)) => share(rule, &left, &right),
        _ => false,
    }
}

/// Whether two lists of words share enough shingles.
fn share(rule: &Similarity, left: &[u64], right: &[u64]) -> bool {
    let (left, right) = (shingles(rule, left), shingles(rule, right));
    let mut shared = 0_u64;
    let (mut at_left, mut at_right) = (0, 0);
    while at_left < left.len() && at_right < right.len() {
        match left[at_left].cmp(&right[at_right]) {
            std::cmp::Ordering::Less => at_left += 1,
            std::cmp::Ordering::Greater => at_right += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                at_left += 1;
                at_right += 1;
            }
        }
    }
    let all = (left.len() + right.len()) as u64 - shared;
    all > 0 && shared * 1_000 >= all * rule.shared_permille
}

/// The words of a text as figures, in order; none if there are too few to compare.
fn words(rule: &Similarity, text: &str) -> Option<Vec<u64>> {
    let mut words = Vec::new();
    let (mut word, mut has_digit) = (FNV_BASIS, false);
    let mut end_word = |word: &mut u64, has_digit: &mut bool| {
        if *word != FNV_BASIS && !*has_digit {
            words.push(*word);
        }
        (*word, *has_digit) = (FNV_BASIS, false);
    };
    for character in text.chars() {
        if is_ideograph(character) {
            end_word(&mut word, &mut has_digit);
            word = mixed(word, u64::from(u32::from(character)));
            end_word(&mut word, &mut has_digit);
        } else if character.is_alphanumeric() {
            has_digit |= character.is_numeric();
            for lower in character.to_lowercase() {
                word = mixed(word, u64::from(u32::from(lower)));
            }
        } else {
            end_word(&mut word, &mut has_digit);
        }
    }
    end_word(&mut word, &mut has_digit);
    (words.len() >= rule.least_words).then_some(words)
}

/// The shingles of a list of words, sorted, each once.
fn shingles(rule: &Similarity, words: &[u64]) -> Vec<u64> {
    let mut shingles: Vec<u64> = words
        .windows(rule.shingle_words)
        .map(|run| run.iter().fold(FNV_BASIS, |sum, &word| mixed(sum, word)))
        .collect();
    shingles.sort_unstable();
    shingles.dedup();
    shingles
}

/// Whether a character is a word of its own: CJK ideographs, kana and Hangul.
fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character), 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7a3 | 0x20000..=0x3ffff)
}

/// The start of a word's or a shingle's figure (the offset basis of 64-bit FNV).
const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// A figure with one more part mixed in: FNV-1a's step, then a fold of the upper half.
fn mixed(sum: u64, part: u64) -> u64 {
    let sum = (sum ^ part).wrapping_mul(0x0000_0100_0000_01b3);
    sum ^ (sum >> 32)
}

#[cfg(test)]
mod tests {
    use super::{Likeness, Page, likeness};
    use crate::library::GuidanceRules;

    const CONTROL: &str = "/0f3a9c-does-not-exist.txt";

    fn rules() -> GuidanceRules {
        let text = include_str!("../pattern-library/c01-v1.5-r1/llms.toml");
        GuidanceRules::parse("llms.toml", text).expect("the file is well formed")
    }

    fn page<'a>(path: &'a str, final_url: &'a str, body: &'a str) -> Page<'a> {
        let redirected = !final_url.ends_with(path);
        Page { requested_path: path, status: 200, final_url, redirected, body: body.as_bytes() }
    }

    /// Likeness of two answers that no redirect led to; `@` stands for each one's own path.
    fn direct(control: &str, other: &str) -> Option<Likeness> {
        let control = control.replace('@', CONTROL);
        let other = other.replace('@', "/llms.txt");
        likeness(
            &rules(),
            &page(CONTROL, CONTROL, &control),
            &page("/llms.txt", "/llms.txt", &other),
        )
    }

    #[test]
    fn likeness_is_told_by_the_strictest_rule_that_holds() {
        let error = "<html><title>Sorry</title><p>We looked in every drawer of the house and under \
                     the stairs too but the page that you asked for is not here any more, so please \
                     go back to where you came from or write to the people who look after it. ";
        for (control, other, expected) in [
            ("", "", Some(Likeness::Identical)),
            ("<html>shell", "<html>shell", Some(Likeness::Identical)),
            ("no @ here", "no @ here", Some(Likeness::PathRemoved)),
            ("@", "@", Some(Likeness::PathRemoved)),
            (error, "# Acme\n\n> Lamps.\n", None),
            (error, &format!("{error} Request 8f3a at 10:11.")[..], Some(Likeness::Similar)),
            ("# Acme\n\n> Lamps.\n", "# Acme\n\n> Hats.\n", None),
            ("short", "shorts", None),
        ] {
            assert_eq!(direct(control, other), expected, "{control} | {other}");
        }
    }

    #[test]
    fn a_path_is_removed_in_each_form_that_pages_print() {
        let (bare, own) = (CONTROL.trim_start_matches('/'), "llms.txt");
        for form in ["/", "", "%2F", "&#x2F;", "&#47;", "\\/", "https://a.test/"] {
            let control = format!("{{\"path\": \"{form}{bare}\"}}");
            let other = format!("{{\"path\": \"{form}{own}\"}}");
            assert_eq!(direct(&control, &other), Some(Likeness::PathRemoved), "{form}");
        }
    }

    #[test]
    fn a_shell_with_little_text_is_compared_by_its_source() {
        let shell = |nonce: &str| {
            format!(
                "<!doctype html><html lang=en><head><meta charset=utf-8><title>App</title>\
                 <link rel=icon href=/favicon><meta name=theme content=dark><script nonce={nonce} \
                 defer src=/static/main.js></script></head><body><div id=root></div></body></html>"
            )
        };
        assert_eq!(direct(&shell("a8f1"), &shell("b7e2")), Some(Likeness::Similar));
    }

    #[test]
    fn only_a_control_that_answered_200_can_match() {
        let mut control = page(CONTROL, CONTROL, "same");
        control.status = 404;
        let other = page("/llms.txt", "/llms.txt", "same");
        assert_eq!(likeness(&rules(), &control, &other), None);
    }

    #[test]
    fn the_same_place_is_an_address_and_a_query_without_the_path() {
        for (control, other, expected) in [
            ("https://a.test/", "https://a.test/", Some(Likeness::SameRedirect)),
            (
                "https://a.test/in?next=%2F0f3a9c-does-not-exist.txt",
                "https://a.test/in?next=%2Fllms.txt",
                Some(Likeness::SameRedirect),
            ),
            ("https://a.test/en/0f3a9c-does-not-exist.txt", "https://a.test/en/llms.txt", None),
            ("https://a.test/x", "https://a.test/y", None),
        ] {
            let control = Page { redirected: true, ..page(CONTROL, control, "one") };
            let other = Page { redirected: true, ..page("/llms.txt", other, "two") };
            assert_eq!(likeness(&rules(), &control, &other), expected, "{control:?}");
        }
    }

    #[test]
    fn large_bodies_are_compared_in_bounded_time() {
        let body = "<a ".repeat(349_525);
        let other = "</".repeat(524_288);
        assert_eq!(direct(&body, &other), None);
        let words = "<p>a b c d ".repeat(95_000);
        assert_eq!(direct(&words, &format!("{words}e")), Some(Likeness::Similar));
    }
}
