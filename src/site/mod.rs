//! The documents of one site, fetched for its audit: robots.txt, the page, and on request sitemaps
//! and what else speaks to crawlers, each with the permission of robots.txt.
//!
//! The order is the obedience: robots.txt of the URL's origin first, its port included; then the
//! page from the exact URL; then sitemaps, those of other origins only on request and by the
//! robots.txt of their own. What was asked can be saved, and gathered again without a network:
//! permission is then decided anew. What the answers mean is for `audit` to say.

mod saved;
mod source;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use url::Url;

use crate::audit::{
    Document, GuidanceKind, GuidanceProbe, NotAsked, Probe, RobotsState, SitemapProbe, Subject,
    permits,
};
use crate::fetch::OwnTrouble;
use crate::library::Signals;
use crate::limits::{AUDIT_PAGE_OCTETS, ROBOTS_OCTETS, SITEMAP_OCTETS, SITEMAPS_MOST};
use crate::observation::{Exchange, Outcome};
use crate::robots;
use crate::sitemap::{self, SitemapKind};
use crate::words::Word as _;

pub use saved::Probes;
pub use source::Source;

/// What is to be gathered.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The page.
    pub url: Url,
    /// The product token whose permission is asked for.
    pub token: &'a str,
    /// The signs of pages that keep robots out.
    pub signals: &'a Signals,
    /// A robots.txt to go by instead of the one that would be fetched, and what it is called.
    pub robots: Option<(String, Vec<u8>)>,
    /// Whether sitemaps are asked for.
    pub probes_sitemaps: bool,
    /// Whether sitemaps of other origins are.
    pub asks_other_origins: bool,
    /// Whether llms.txt, ai.txt and tdmrep are.
    pub probes_guidance: bool,
}

/// The robots.txt of an origin, and how far it goes.
struct Origin {
    state: RobotsState,
    octets: Vec<u8>,
}

/// Gathers a site's documents. `Err` is trouble of our own, never a site's failure.
pub async fn gather(source: &mut Source, request: Request<'_>) -> Result<Subject, OwnTrouble> {
    let document = robots_of_site(source, &request).await?;
    let own = Origin { state: document.state(), octets: document.octets().to_vec() };
    let page = probe(source, &request, &own, &request.url, AUDIT_PAGE_OCTETS).await?;
    let sitemaps = match request.probes_sitemaps {
        true => Some(sitemaps(source, &request, &own).await?),
        false => None,
    };
    let guidance = match request.probes_guidance {
        true => Some(guidance(source, &request, &own).await?),
        false => None,
    };
    let name = request.robots.as_ref().map(|(name, _)| name.clone());
    let name = name.unwrap_or_else(|| robots_url(&request.url).into());
    Ok(Subject { source: name, url: Some(request.url), robots: document, page, sitemaps, guidance })
}

/// Where the robots.txt of a URL's origin stands (RFC 9309, 2.3).
fn robots_url(url: &Url) -> Url {
    let mut robots = url.clone();
    robots.set_path("/robots.txt");
    robots.set_query(None);
    robots.set_fragment(None);
    robots
}

/// The robots.txt that was given, or the site's own.
async fn robots_of_site(
    source: &mut Source,
    request: &Request<'_>,
) -> Result<Document, OwnTrouble> {
    if let Some((_, octets)) = &request.robots {
        return Ok(Document::Given(octets.clone()));
    }
    // One octet more than is read, so that the engine can see that a document goes on.
    let url = robots_url(&request.url);
    let asked = source.ask(url.clone(), ROBOTS_OCTETS as u64 + 1).await?;
    let exchange = asked.unwrap_or_else(|| Exchange::unasked(url.into(), Outcome::NotCaptured));
    let state = RobotsState::of(&exchange, request.signals);
    Ok(Document::Fetched(Box::new(exchange), state))
}

/// Asks for an address of an origin, if its robots.txt permits.
async fn probe(
    source: &mut Source,
    request: &Request<'_>,
    origin: &Origin,
    url: &Url,
    octets_most: u64,
) -> Result<Probe, OwnTrouble> {
    if !origin.state.lets_ask() {
        return Ok(Probe::NotAsked(NotAsked::RobotsState));
    }
    if !permits(&origin.octets, request.token, url.as_str()) {
        return Ok(Probe::NotAsked(NotAsked::Disallowed));
    }
    Ok(match source.ask(url.clone(), octets_most).await? {
        Some(exchange) => Probe::Asked(Box::new(exchange)),
        None => Probe::NotAsked(NotAsked::NotSaved),
    })
}

/// Asks for the declared sitemaps and for those that indexes lead to.
async fn sitemaps(
    source: &mut Source,
    request: &Request<'_>,
    own: &Origin,
) -> Result<Vec<SitemapProbe>, OwnTrouble> {
    let robots = robots::parse(&own.octets);
    let declared = robots.sitemaps().map(|(line, url)| (Some(line), lossy(url)));
    let mut waiting: VecDeque<(Option<u32>, String)> = declared.collect();
    let mut seen = BTreeSet::new();
    let mut others: BTreeMap<String, Origin> = BTreeMap::new();
    let mut probes: Vec<SitemapProbe> = Vec::new();
    let mut asked = 0;
    while let Some((line, address)) = waiting.pop_front() {
        if !seen.insert(address.clone()) {
            continue;
        }
        let url = Url::parse(&address).ok().filter(is_web);
        let probe = match url {
            None => Probe::NotAsked(NotAsked::BadAddress),
            Some(_) if asked >= SITEMAPS_MOST => Probe::NotAsked(NotAsked::TooMany),
            Some(url) if url.origin() == request.url.origin() => {
                probe(source, request, own, &url, SITEMAP_OCTETS + 1).await?
            }
            Some(_) if !request.asks_other_origins => Probe::NotAsked(NotAsked::OtherOrigin),
            Some(url) => of_other_origin(source, request, &mut others, &url).await?,
        };
        asked += usize::from(probe.exchange().is_some());
        for location in listed_by(&probe) {
            if waiting.len() + probes.len() < SITEMAPS_MOST * 50 {
                waiting.push_back((None, location));
            }
        }
        probes.push(SitemapProbe { url: address, line, probe });
    }
    Ok(probes)
}

/// Asks for a sitemap of another origin, by that origin's own robots.txt.
async fn of_other_origin(
    source: &mut Source,
    request: &Request<'_>,
    others: &mut BTreeMap<String, Origin>,
    url: &Url,
) -> Result<Probe, OwnTrouble> {
    let name = url.origin().ascii_serialization();
    if !others.contains_key(&name) {
        let asked = source.ask(robots_url(url), ROBOTS_OCTETS as u64 + 1).await?;
        let Some(exchange) = asked else { return Ok(Probe::NotAsked(NotAsked::NotSaved)) };
        let state = RobotsState::of(&exchange, request.signals);
        let body = exchange.answer().filter(|_| state.is_parsed());
        let octets = body.map(|answer| answer.body.clone()).unwrap_or_default();
        others.insert(name.clone(), Origin { state, octets });
    }
    let Some(origin) = others.get(&name).filter(|origin| origin.state.lets_ask()) else {
        return Ok(Probe::NotAsked(NotAsked::OtherRobots));
    };
    probe(source, request, origin, url, SITEMAP_OCTETS + 1).await
}

/// The sitemaps that an index lists.
fn listed_by(probe: &Probe) -> Vec<String> {
    let Some(answer) = probe.exchange().and_then(|exchange| exchange.answer()) else {
        return Vec::new();
    };
    match sitemap::parse(&answer.body) {
        Ok(sitemap) if sitemap.kind == SitemapKind::Index => sitemap.locations,
        _ => Vec::new(),
    }
}

/// Asks for what else speaks to crawlers.
async fn guidance(
    source: &mut Source,
    request: &Request<'_>,
    own: &Origin,
) -> Result<Vec<GuidanceProbe>, OwnTrouble> {
    let mut probes = Vec::new();
    for &kind in GuidanceKind::ALL {
        let mut url = robots_url(&request.url);
        url.set_path(kind.path());
        let probe = probe(source, request, own, &url, AUDIT_PAGE_OCTETS).await?;
        probes.push(GuidanceProbe { kind, probe });
    }
    Ok(probes)
}

/// Whether an address is of the web.
fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

/// Octets as text, what is not UTF-8 replaced.
fn lossy(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}
