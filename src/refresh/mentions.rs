//! Names of crawlers in the text of a page.
//!
//! Two forms are looked for, in which operators write a product token: behind `User-agent:`, and
//! before the slash of a version, there only where the name says what it is.

use std::collections::BTreeMap;

use crate::html;

/// The shortest name that is looked at.
const LETTERS_LEAST: usize = 3;

/// Parts of a product name that say that it fetches.
const TELLING: [&str; 6] = ["agent", "bot", "crawl", "fetch", "spider", "user"];

/// The names of crawlers that a page shows, each once, by name without regard to case.
pub(super) fn names_in(body: &[u8]) -> Vec<String> {
    let text = match html::looks_like_html(body) {
        true => html::shown(body),
        false => String::from_utf8_lossy(body).into_owned(),
    };
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut is_named_next = false;
    for word in text.split_whitespace() {
        let lower = word.to_ascii_lowercase();
        let behind = lower.strip_prefix("user-agent:").map(|rest| &word[word.len() - rest.len()..]);
        let name = match behind {
            Some(rest) => token(rest),
            None if is_named_next => token(word),
            None => product(word),
        };
        is_named_next = behind.is_some_and(str::is_empty);
        if let Some(name) = name {
            found.entry(name.to_ascii_lowercase()).or_insert_with(|| name.to_owned());
        }
    }
    found.into_values().collect()
}

/// The token at the beginning of a word (RFC 9309, 2.2.1; digits are let in), if there is one.
fn token(word: &str) -> Option<&str> {
    let is_in = |octet: u8| octet.is_ascii_alphanumeric() || octet == b'-' || octet == b'_';
    let end = word.bytes().position(|octet| !is_in(octet)).unwrap_or(word.len());
    let begins = word.bytes().next().is_some_and(|octet| octet.is_ascii_alphabetic());
    (begins && end >= LETTERS_LEAST).then(|| &word[..end])
}

/// The name of a product with a version, if the name says that it fetches.
fn product(word: &str) -> Option<&str> {
    let word = word.trim_start_matches(['(', ';', ',', '"', '\'', '`', '“']);
    let name = token(word)?;
    let has_version = word[name.len()..]
        .strip_prefix('/')
        .is_some_and(|version| version.starts_with(|digit: char| digit.is_ascii_digit()));
    let lower = name.to_ascii_lowercase();
    (has_version && TELLING.iter().any(|part| lower.contains(part))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::names_in;

    #[test]
    fn names_are_read_where_operators_write_them() {
        for (page, expected) in [
            ("User-agent: NewBot\nDisallow: /", &["NewBot"][..]),
            ("<html><p>User-agent: <code>NewBot</code>", &["NewBot"]),
            ("user-agent:newbot and User-Agent: NewBot", &["newbot"]),
            ("Mozilla/5.0 (compatible; NewBot/1.2; +https://a.test/bot)", &["NewBot"]),
            ("Mozilla/5.0 AppleWebKit/537.36 Chrome/W.X.Y.Z Safari/537.36", &[]),
            ("User-agent: * and User-agent:", &[]),
            ("the path /robots/1 and about/2026", &[]),
            ("<html><script>User-agent: Hidden</script>", &[]),
        ] {
            assert_eq!(names_in(page.as_bytes()), expected, "{page}");
        }
    }
}
