//! What is audited: one site's documents as they were given or fetched, and what was not asked.
//!
//! Facts only. Fetching them is for `site`; what a status means is said in `state`.

use url::Url;

use crate::closed_list;
use crate::library::Signals;
use crate::observation::{Answer, Exchange, Field};

use super::state::RobotsState;

/// The documents of one site.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What the robots.txt is called: a file, `standard input`, a URL.
    pub source: String,
    /// The audited page, where one is known.
    pub url: Option<Url>,
    /// The robots.txt.
    pub robots: Document,
    /// The page.
    pub page: Probe,
    /// The sitemaps, those that indexes lead to included; none where nobody asked for them.
    pub sitemaps: Option<Vec<SitemapProbe>>,
    /// The documents beside robots.txt that speak to crawlers; none where nobody asked for them.
    pub guidance: Option<Vec<GuidanceProbe>>,
}

/// A robots.txt, given or fetched.
#[derive(Clone, Debug)]
pub enum Document {
    /// Given: its octets, and whether they are all of it.
    Given(Vec<u8>),
    /// Fetched: how that went, and what it is treated as.
    Fetched(Box<Exchange>, RobotsState),
}

/// Where the robots.txt of a URL's origin stands, its port included (RFC 9309, 2.3).
pub fn robots_url(url: &Url) -> Url {
    let mut robots = url.clone();
    robots.set_path("/robots.txt");
    robots.set_query(None);
    robots.set_fragment(None);
    robots
}

impl Document {
    /// Fetched, treated as its answer asks for.
    pub fn fetched(exchange: Exchange, signals: &Signals) -> Self {
        let state = RobotsState::of(&exchange, signals);
        Self::Fetched(Box::new(exchange), state)
    }

    /// What it is treated as.
    pub fn state(&self) -> RobotsState {
        match self {
            Self::Given(_) => RobotsState::File,
            Self::Fetched(_, state) => *state,
        }
    }

    /// The octets that are parsed; empty where nothing is.
    pub fn octets(&self) -> &[u8] {
        match self {
            Self::Given(octets) => octets,
            Self::Fetched(exchange, state) if state.is_parsed() => {
                exchange.answer().map_or(&[], |answer| &answer.body)
            }
            Self::Fetched(..) => &[],
        }
    }

    /// Whether the octets are all that there is.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Given(_) => true,
            Self::Fetched(exchange, _) => exchange.answer().is_none_or(|answer| !answer.truncated),
        }
    }

    /// How the fetching went, where it was fetched.
    pub fn exchange(&self) -> Option<&Exchange> {
        match self {
            Self::Given(_) => None,
            Self::Fetched(exchange, _) => Some(exchange),
        }
    }
}

closed_list! {
    /// Why something was not asked for.
    pub enum NotAsked {
        /// Nobody requested it.
        NotRequested = "not_requested",
        /// A robots.txt was given without the site that it belongs to.
        NoSite = "no_site",
        /// The state of robots.txt forbids to ask for anything else.
        RobotsState = "robots_state",
        /// robots.txt disallows it for our token.
        Disallowed = "disallowed",
        /// It is of another origin, and those were not requested.
        OtherOrigin = "other_origin",
        /// Its own origin's robots.txt could not be read.
        OtherRobots = "other_robots",
        /// It redirects to an address that the robots.txt there does not let us ask for.
        RedirectNotAllowed = "redirect_not_allowed",
        /// More were named than are asked for.
        TooMany = "too_many",
        /// Its address is not one that can be asked.
        BadAddress = "bad_address",
        /// The saved probes do not hold it.
        NotSaved = "not_saved",
    }
}

impl NotAsked {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotRequested => "it was not requested",
            Self::NoSite => "the file was given without the site that it belongs to",
            Self::RobotsState => "robots.txt was not read, so nothing else was asked for",
            Self::Disallowed => "robots.txt disallows it for our own token",
            Self::OtherOrigin => "it is of another origin, which is asked on request only",
            Self::OtherRobots => "the robots.txt of its own origin could not be read",
            Self::RedirectNotAllowed => {
                "it redirects to an address that the robots.txt there does not let us ask for"
            }
            Self::TooMany => "more were named than are asked for",
            Self::BadAddress => "its address cannot be asked",
            Self::NotSaved => "the saved probes do not hold it",
        }
    }
}

/// Something that was asked for, or not.
#[derive(Clone, Debug)]
pub enum Probe {
    /// How the asking went.
    Asked(Box<Exchange>),
    /// Why it was not asked for.
    NotAsked(NotAsked),
}

impl Probe {
    /// How the asking went, if it was asked for.
    pub fn exchange(&self) -> Option<&Exchange> {
        match self {
            Self::Asked(exchange) => Some(exchange),
            Self::NotAsked(_) => None,
        }
    }

    /// The answer, if it is a whole one with a status of 2xx: nothing else is read.
    pub fn whole_answer(&self) -> Option<&Answer> {
        let answer = self.exchange()?.answer()?;
        ((200..300).contains(&answer.status) && !answer.truncated).then_some(answer)
    }
}

/// A sitemap.
#[derive(Clone, Debug)]
pub struct SitemapProbe {
    /// Its address.
    pub url: String,
    /// The line of robots.txt that declares it; none for one that an index leads to.
    pub line: Option<u32>,
    /// What was seen of it.
    pub probe: Probe,
}

closed_list! {
    /// A document beside robots.txt that speaks to crawlers.
    pub enum GuidanceKind {
        /// `/llms.txt`: what a model should read.
        Llms = "llms_txt",
        /// `/ai.txt`: a proposal for permissions.
        AiTxt = "ai_txt",
        /// `/.well-known/tdmrep.json`: reservations of text and data mining.
        Tdmrep = "tdmrep",
    }
}

impl GuidanceKind {
    /// Its path.
    pub fn path(self) -> &'static str {
        match self {
            Self::Llms => "/llms.txt",
            Self::AiTxt => "/ai.txt",
            Self::Tdmrep => "/.well-known/tdmrep.json",
        }
    }
}

/// Such a document.
#[derive(Clone, Debug)]
pub struct GuidanceProbe {
    /// Which it is.
    pub kind: GuidanceKind,
    /// What was seen of it.
    pub probe: Probe,
}

impl Subject {
    /// A robots.txt that was given, of a site that may be known.
    pub fn given(source: &str, octets: Vec<u8>, url: Option<Url>) -> Self {
        let why = if url.is_some() { NotAsked::NotRequested } else { NotAsked::NoSite };
        Self {
            source: source.to_owned(),
            url,
            robots: Document::Given(octets),
            page: Probe::NotAsked(why),
            sitemaps: None,
            guidance: None,
        }
    }
}

/// Header fields as pairs of texts, invalid UTF-8 replaced.
pub(super) fn pairs(fields: &[Field]) -> Vec<(String, String)> {
    let text = |field: &Field| {
        (field.name.clone(), String::from_utf8_lossy(&field.value).trim().to_owned())
    };
    fields.iter().map(text).collect()
}
