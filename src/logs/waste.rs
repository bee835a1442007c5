//! Crawl that yields nothing: every reason of an ordered list that holds of a request, of which the
//! first one counts.

use crate::closed_list;
use crate::robots::Target;
use crate::words::Word as _;

use super::listing::Listing;
use super::ruling::Verdict;

closed_list! {
    /// What came of a genuine request, the first that holds.
    pub enum Yield {
        /// It fetched the robots.txt.
        RobotsFetch = "robots_fetch",
        /// It was disallowed.
        Disallowed = "disallowed",
        /// It was sent elsewhere: 3xx but 304.
        Redirect = "redirect",
        /// It was refused or found nothing: 4xx.
        ClientError = "client_error",
        /// The server failed: 5xx.
        ServerError = "server_error",
        /// It got the page for what is not there, with 200.
        SoftNotFound = "soft_404",
        /// It got what pages are made of: style, script, pictures, fonts. No sitemap lists them.
        Asset = "asset",
        /// It asked for what stands in no given sitemap.
        NotInSitemap = "not_in_sitemap",
        /// It asked for a page that exists without its parameters too.
        ParameterDuplicate = "parameter_duplicate",
        /// It asked for a page for which another one stands.
        NonCanonical = "non_canonical",
        /// None of these.
        Productive = "productive",
    }
}

impl Yield {
    /// Whether the crawl yielded something.
    pub fn is_of_value(self) -> bool {
        matches!(self, Self::RobotsFetch | Self::Asset | Self::Productive)
    }
}

/// All that holds of a request; that it was productive holds where nothing else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reasons(u16);

impl Reasons {
    /// The first that holds.
    #[inline]
    pub(super) fn first(self) -> Yield {
        Yield::ALL.get(self.0.trailing_zeros() as usize).copied().unwrap_or(Yield::Productive)
    }

    /// Every one that holds.
    #[inline]
    pub(super) fn all(self) -> impl Iterator<Item = Yield> {
        Yield::ALL.iter().copied().filter(move |&reason| self.0 & bit(reason) != 0)
    }
}

#[inline]
fn bit(reason: Yield) -> u16 {
    1 << reason as u16
}

/// What the site's owner says of the site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The addresses of the sitemaps; none where no sitemap is given.
    pub listed: Option<Listing>,
    /// Addresses for which others stand.
    pub non_canonical: Listing,
    /// Octets of the page for what is not there, where the server answers it with 200.
    pub not_found_octets: Vec<u64>,
    /// Names of parameters without which a page is the same; a name that ends in `*` is a beginning.
    pub parameters: Vec<String>,
}

/// Parameters that commonly change nothing: sessions, and where a visitor came from. Ours.
pub const PARAMETERS: [&str; 14] = [
    "utm_*",
    "gclid",
    "fbclid",
    "msclkid",
    "yclid",
    "mc_cid",
    "mc_eid",
    "sid",
    "sessionid",
    "session_id",
    "phpsessid",
    "jsessionid",
    "ref",
    "source",
];

/// What an outcome is judged by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) host: &'a [u8],
    pub(super) target: &'a Target,
    pub(super) verdict: Verdict,
    pub(super) status: u16,
    pub(super) octets: u64,
}

impl Site {
    /// What holds of a request.
    #[inline]
    pub(super) fn reasons(&self, asked: Asked<'_>) -> Reasons {
        let whole = asked.target.octets();
        let (path, query) = match memchr::memchr(b'?', whole) {
            Some(at) => (&whole[..at], Some(&whole[at + 1..])),
            None => (whole, None),
        };
        let is_page = matches!(asked.status, 0..=299 | 304);
        let (is_robots_txt, is_asset) = (asked.target.is_robots_txt(), is_asset(path));
        let listed = self.listed.as_ref().and_then(|listed| listed.holds(asked.host, whole));
        let holding = [
            (Yield::RobotsFetch, is_robots_txt),
            (Yield::Disallowed, asked.verdict == Verdict::Disallowed),
            (Yield::Redirect, matches!(asked.status, 300..=303 | 305..=399)),
            (Yield::ClientError, matches!(asked.status, 400..=499)),
            (Yield::ServerError, matches!(asked.status, 500..=599)),
            (Yield::SoftNotFound, is_page && self.not_found_octets.contains(&asked.octets)),
            (Yield::Asset, is_page && is_asset),
            (Yield::NotInSitemap, !is_robots_txt && !is_asset && listed == Some(false)),
            (Yield::ParameterDuplicate, query.is_some_and(|query| self.has_idle_parameter(query))),
            (Yield::NonCanonical, self.non_canonical.holds(asked.host, whole) == Some(true)),
        ];
        let holding = holding.iter().filter(|(_, holds)| *holds);
        match holding.fold(0, |bits, (reason, _)| bits | bit(*reason)) {
            0 => Reasons(bit(Yield::Productive)),
            bits => Reasons(bits),
        }
    }

    /// Whether a query has a parameter without which the page is the same.
    fn has_idle_parameter(&self, query: &[u8]) -> bool {
        query.split(|&octet| octet == b'&').any(|pair| {
            let end = memchr::memchr(b'=', pair).unwrap_or(pair.len());
            self.parameters.iter().any(|idle| is_named(&pair[..end], idle))
        })
    }
}

/// Whether a parameter has a name, or one that begins like it if it ends in `*`.
fn is_named(name: &[u8], idle: &str) -> bool {
    match idle.strip_suffix('*') {
        Some(beginning) => name
            .get(..beginning.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(beginning.as_bytes())),
        None => name.eq_ignore_ascii_case(idle.as_bytes()),
    }
}

/// Endings of the names of what pages are made of.
const ASSETS: [u64; 18] = [
    packed(b"css"),
    packed(b"js"),
    packed(b"mjs"),
    packed(b"map"),
    packed(b"png"),
    packed(b"jpg"),
    packed(b"jpeg"),
    packed(b"gif"),
    packed(b"webp"),
    packed(b"avif"),
    packed(b"svg"),
    packed(b"ico"),
    packed(b"bmp"),
    packed(b"woff"),
    packed(b"woff2"),
    packed(b"ttf"),
    packed(b"otf"),
    packed(b"eot"),
];

/// Octets of the longest of them.
const ENDING_OCTETS: usize = 5;

/// Whether a path's name ends like that of what pages are made of.
fn is_asset(path: &[u8]) -> bool {
    // A point before that, or before a slash, begins no such ending.
    let tail = &path[path.len().saturating_sub(ENDING_OCTETS + 1)..];
    let point = tail.iter().rposition(|&octet| octet == b'.');
    point.is_some_and(|point| ASSETS.contains(&packed(&tail[point + 1..])))
}

/// An ending of at most eight octets as a number, whatever the case of its letters.
const fn packed(ending: &[u8]) -> u64 {
    let (mut packed, mut at) = (0, 0);
    while at < ending.len() {
        packed = packed << 8 | ending[at].to_ascii_lowercase() as u64;
        at += 1;
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::{Asked, Listing, PARAMETERS, Site, Target, Verdict, Yield};

    /// A site with a sitemap, and the same without one.
    fn sites() -> (Site, Site) {
        let site = Site {
            listed: Some(Listing::of([
                "https://a.test/a",
                "https://a.test/a?utm_source=b",
                "/old",
            ])),
            non_canonical: Listing::of(["/old"]),
            not_found_octets: vec![1_234],
            parameters: PARAMETERS.map(str::to_owned).to_vec(),
        };
        (site.clone(), Site { listed: None, ..site })
    }

    #[test]
    fn the_first_reason_that_holds_is_the_one_that_counts() {
        let (site, open) = sites();
        for (site, path, verdict, status, octets, expected) in [
            (&site, "/robots.txt", Verdict::Allowed, 404, 0, Yield::RobotsFetch),
            (&site, "/a", Verdict::Disallowed, 404, 0, Yield::Disallowed),
            (&site, "/a", Verdict::Allowed, 301, 0, Yield::Redirect),
            (&site, "/a", Verdict::Allowed, 304, 0, Yield::Productive),
            (&site, "/a", Verdict::NoVersion, 410, 0, Yield::ClientError),
            (&site, "/a", Verdict::Allowed, 503, 0, Yield::ServerError),
            (&site, "/a", Verdict::Allowed, 200, 1_234, Yield::SoftNotFound),
            (&site, "/b", Verdict::Allowed, 200, 1, Yield::NotInSitemap),
            (&site, "/b/c.CSS?v=2", Verdict::Allowed, 200, 1, Yield::Asset),
            (&site, "/b.css/c", Verdict::Allowed, 200, 1, Yield::NotInSitemap),
            (&site, "/a?utm_source=b", Verdict::Allowed, 200, 1, Yield::ParameterDuplicate),
            (&site, "/old", Verdict::Allowed, 200, 1, Yield::NonCanonical),
            (&open, "/b?x=1&SID=2", Verdict::Allowed, 200, 1, Yield::ParameterDuplicate),
            (&open, "/b?sidecar=2", Verdict::Allowed, 200, 1, Yield::Productive),
            (&open, "/b", Verdict::Allowed, 0, 1, Yield::Productive),
        ] {
            let target = Target::new(path.as_bytes());
            let asked = Asked { host: b"a.test", target: &target, verdict, status, octets };
            assert_eq!(site.reasons(asked).first(), expected, "{path}");
        }
    }

    #[test]
    fn every_reason_that_holds_is_told() {
        let (site, _) = sites();
        let target = Target::new(b"/b?sid=1");
        let verdict = Verdict::Disallowed;
        let asked = Asked { host: b"a.test", target: &target, verdict, status: 404, octets: 1 };
        let all: Vec<Yield> = site.reasons(asked).all().collect();
        let expected =
            [Yield::Disallowed, Yield::ClientError, Yield::NotInSitemap, Yield::ParameterDuplicate];
        assert_eq!(all, expected);
        let elsewhere = Asked { host: b"other.test", status: 200, ..asked };
        assert_eq!(
            site.reasons(elsewhere).all().collect::<Vec<_>>(),
            [Yield::Disallowed, Yield::NotInSitemap, Yield::ParameterDuplicate],
            "an address without a host is any host's, and so the sitemaps speak of it"
        );
    }
}
