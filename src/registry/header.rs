//! Which crawler a user-agent header claims to be.
//!
//! A product token counts only whole (RFC 9110, 10.1.5): at the beginning or after a blank, `(`,
//! `;` or `,`, and before `/`, a blank, `;`, `)`, `,` or the end. So neither `NotGPTBot-Checker`
//! nor an address (`+https://openai.com/gptbot`, `claudebot@anthropic.com`) is a claim.
//!
//! Where two names begin at one place, the longer counts: `Googlebot-Image` is not `Googlebot`.
//! Where a header names several crawlers, the first is the claim, and the others stand beside it:
//! every request is counted once.

use super::crawlers::Crawler;

/// What a header claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<'a> {
    /// The crawler that the header names first.
    pub crawler: &'a Crawler,
    /// The other crawlers that it names, in its order.
    pub others: Vec<&'a Crawler>,
}

impl Claim<'_> {
    /// Whether the claim is forged by itself: it names a token that no fetcher sends.
    pub fn is_forged(&self) -> bool {
        self.crawler.is_control_only()
    }

    /// Whether the header names crawlers of more than one operator.
    pub fn is_mixed(&self) -> bool {
        self.others.iter().any(|other| other.operator != self.crawler.operator)
    }
}

/// Every product name by its first letter, the longest first, with the crawler that it names: a log
/// has thousands of headers, and each of their words may be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names(Vec<Vec<(String, usize)>>);

impl Names {
    /// The names of these crawlers.
    pub(super) fn of(crawlers: &[Crawler]) -> Self {
        let mut names: Vec<Vec<(String, usize)>> = vec![Vec::new(); 256];
        for (position, crawler) in crawlers.iter().enumerate() {
            // What nothing sends is known by its token all the same: to name it is to forge.
            let headers = crawler.headers.iter().chain(std::iter::once(&crawler.token));
            for name in headers.take(crawler.headers.len().max(1)) {
                let Some(first) = name.bytes().next() else { continue };
                names[usize::from(first.to_ascii_lowercase())].push((name.clone(), position));
            }
        }
        for names in &mut names {
            names.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        }
        Self(names)
    }

    /// What a header claims, if anything.
    pub(super) fn claim<'a>(&self, crawlers: &'a [Crawler], header: &[u8]) -> Option<Claim<'a>> {
        let mut named: Vec<usize> = Vec::new();
        let mut rest = header;
        while !rest.is_empty() {
            let length = match self.at(rest) {
                Some((length, crawler)) => {
                    if !named.contains(&crawler) {
                        named.push(crawler);
                    }
                    length
                }
                None => word(rest),
            };
            rest = rest.get(length..).unwrap_or_default();
            let next = rest.iter().position(|&octet| !parts(octet)).unwrap_or(rest.len());
            rest = &rest[next..];
        }
        let mut named = named.into_iter().filter_map(|position| crawlers.get(position));
        let crawler = named.next()?;
        Some(Claim { crawler, others: named.collect() })
    }

    /// The longest name with which a text begins: its length, and the crawler.
    fn at(&self, text: &[u8]) -> Option<(usize, usize)> {
        let first = text.first()?.to_ascii_lowercase();
        let (name, crawler) = self.0[usize::from(first)].iter().find(|(name, _)| {
            text.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name.as_bytes()))
                && text.get(name.len()).is_none_or(|&next| ends_name(next))
        })?;
        Some((name.len(), *crawler))
    }
}

/// The length of the word with which a text begins; a URL goes on over commas and brackets.
fn word(text: &[u8]) -> usize {
    let end = text.iter().position(|&octet| parts(octet)).unwrap_or(text.len());
    if !text[..end].windows(3).any(|window| window == b"://") {
        return end.max(1);
    }
    let ends_url = |octet: u8| matches!(octet, b' ' | b'\t' | b';' | b')');
    text.iter().position(|&octet| ends_url(octet)).unwrap_or(text.len())
}

/// Whether a name may begin after this octet.
fn parts(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'(' | b';' | b',')
}

/// Whether a name ends before this octet.
fn ends_name(octet: u8) -> bool {
    matches!(octet, b'/' | b' ' | b'\t' | b';' | b')' | b',')
}
