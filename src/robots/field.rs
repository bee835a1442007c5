//! The keys a record can have, and how a written key stands to them (RFC 9309, 2.2).

use crate::closed_list;
use crate::words::nearest;

closed_list! {
    /// What a record is about.
    pub enum Field {
        /// Names the crawlers that a group is for.
        UserAgent = "user_agent",
        /// Opens what its pattern matches.
        Allow = "allow",
        /// Closes what its pattern matches.
        Disallow = "disallow",
        /// Gives the address of a sitemap.
        Sitemap = "sitemap",
        /// Asks for a pause between requests; outside RFC 9309.
        CrawlDelay = "crawl_delay",
        /// Names the preferred host; outside RFC 9309.
        Host = "host",
        /// Names parameters to be ignored; outside RFC 9309.
        CleanParam = "clean_param",
        /// Asks for a rate of requests; outside RFC 9309.
        RequestRate = "request_rate",
        /// Asks for hours of visit; outside RFC 9309.
        VisitTime = "visit_time",
        /// Asks for a new visit; outside RFC 9309.
        RevisitAfter = "revisit_after",
        /// Says what content may be used for; outside RFC 9309.
        ContentSignal = "content_signal",
        /// Says what content may be used for; a draft of the IETF.
        ContentUsage = "content_usage",
        /// Points to licence terms; outside RFC 9309.
        License = "license",
        /// Meant for the index; no crawler reads it here.
        Noindex = "noindex",
        /// Meant for the index; no crawler reads it here.
        Nofollow = "nofollow",
        /// Meant for the index; no crawler reads it here.
        Noarchive = "noarchive",
        /// A key that nothing here knows.
        Unknown = "unknown",
    }
}

closed_list! {
    /// How a key is spelled.
    pub enum Spelling {
        /// As it should be, in any case.
        Exact = "exact",
        /// One of the misspellings that crawlers are known to accept.
        Typo = "typo",
        /// A longer word that begins with the key, as Google's parser reads it: `Disallowed`.
        Prefix = "prefix",
    }
}

/// Every written key, the commonest first.
const KEYS: &[(&str, Field, Spelling)] = &[
    ("disallow", Field::Disallow, Spelling::Exact),
    ("allow", Field::Allow, Spelling::Exact),
    ("user-agent", Field::UserAgent, Spelling::Exact),
    ("sitemap", Field::Sitemap, Spelling::Exact),
    ("crawl-delay", Field::CrawlDelay, Spelling::Exact),
    ("host", Field::Host, Spelling::Exact),
    ("clean-param", Field::CleanParam, Spelling::Exact),
    ("request-rate", Field::RequestRate, Spelling::Exact),
    ("visit-time", Field::VisitTime, Spelling::Exact),
    ("revisit-after", Field::RevisitAfter, Spelling::Exact),
    ("content-signal", Field::ContentSignal, Spelling::Exact),
    ("content-usage", Field::ContentUsage, Spelling::Exact),
    ("license", Field::License, Spelling::Exact),
    ("noindex", Field::Noindex, Spelling::Exact),
    ("nofollow", Field::Nofollow, Spelling::Exact),
    ("noarchive", Field::Noarchive, Spelling::Exact),
    // Google: the misspellings that its library accepts, and no others.
    ("dissallow", Field::Disallow, Spelling::Typo),
    ("dissalow", Field::Disallow, Spelling::Typo),
    ("disalow", Field::Disallow, Spelling::Typo),
    ("diasllow", Field::Disallow, Spelling::Typo),
    ("disallaw", Field::Disallow, Spelling::Typo),
    ("useragent", Field::UserAgent, Spelling::Typo),
    ("user agent", Field::UserAgent, Spelling::Typo),
    ("site-map", Field::Sitemap, Spelling::Typo),
];

impl Field {
    /// What a written key is about, and how it is spelled.
    pub(super) fn of_key(key: &[u8]) -> (Self, Spelling) {
        KEYS.iter()
            .find(|(word, ..)| key.eq_ignore_ascii_case(word.as_bytes()))
            .map_or_else(|| Self::of_longer_key(key), |&(_, field, spelling)| (field, spelling))
    }

    /// What a key is about that is none of the words but may begin with one.
    fn of_longer_key(key: &[u8]) -> (Self, Spelling) {
        KEYS.iter()
            .filter(|(_, field, _)| field.is_in_grammar())
            .find(|(word, ..)| {
                key.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
            })
            .map_or((Self::Unknown, Spelling::Exact), |&(_, field, _)| (field, Spelling::Prefix))
    }

    /// The key that may have been meant where an unknown one is written.
    pub(super) fn meant_by(key: &[u8]) -> Option<&'static str> {
        /// No longer word is near any key; a hostile one would only cost time.
        const NEAR_OCTETS: usize = 24;
        let key = std::str::from_utf8(key).ok().filter(|key| key.len() <= NEAR_OCTETS)?;
        let right = KEYS.iter().filter(|(_, _, spelling)| *spelling == Spelling::Exact);
        nearest(key, right.map(|&(word, ..)| word))
    }

    /// Whether RFC 9309 defines the key, or (for Sitemap) names it as an example of others.
    pub(super) fn is_in_grammar(self) -> bool {
        matches!(self, Self::UserAgent | Self::Allow | Self::Disallow | Self::Sitemap)
    }

    /// Whether the record is a rule.
    pub fn is_rule(self) -> bool {
        matches!(self, Self::Allow | Self::Disallow)
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Spelling};

    #[test]
    fn a_key_is_read_in_any_case_and_by_the_closed_list_of_misspellings() {
        for (key, field, spelling) in [
            ("DISALLOW", Field::Disallow, Spelling::Exact),
            ("User-Agent", Field::UserAgent, Spelling::Exact),
            ("user agent", Field::UserAgent, Spelling::Typo),
            ("Dissalow", Field::Disallow, Spelling::Typo),
            ("Site-map", Field::Sitemap, Spelling::Typo),
            ("Disallowed", Field::Disallow, Spelling::Prefix),
            ("User-agents", Field::UserAgent, Spelling::Prefix),
            ("dissallows", Field::Disallow, Spelling::Prefix),
            ("Hosting", Field::Unknown, Spelling::Exact),
            ("User_agent", Field::Unknown, Spelling::Exact),
            ("Dis-allow", Field::Unknown, Spelling::Exact),
            ("", Field::Unknown, Spelling::Exact),
        ] {
            assert_eq!(Field::of_key(key.as_bytes()), (field, spelling), "{key}");
        }
    }
}
