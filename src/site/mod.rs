//! The documents of one site, fetched for its audit: robots.txt, the page, and on request sitemaps
//! and what else speaks to crawlers, each with the permission of robots.txt.
//!
//! The order is the obedience: robots.txt of the URL's origin first, its port included; then the
//! page from the exact URL; then sitemaps, those of other origins only on request. Whatever is asked
//! for, a redirect's target too, is asked for by the robots.txt of its own origin. What was asked can be saved, and gathered again without a network:
//! permission is then decided anew. What the answers mean is for `audit` to say.

mod saved;
mod source;
#[cfg(test)]
mod tests;
mod visits;

use std::collections::{BTreeSet, VecDeque};

use url::Url;

use crate::audit::{
    GuidanceKind, GuidanceProbe, NotAsked, Probe, SitemapProbe, Subject, robots_url,
};
use crate::fetch::OwnTrouble;
use crate::library::Signals;
use crate::limits::{AUDIT_PAGE_OCTETS, SITEMAP_OCTETS, SITEMAPS_MOST};
use crate::robots;
use crate::sitemap::{self, SitemapKind};
use crate::words::Word as _;

pub use saved::Probes;
pub use source::Source;

use source::Step;
use visits::Visits;

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

/// Gathers a site's documents. `Err` is trouble of our own, never a site's failure.
pub async fn gather(source: &mut Source, request: Request<'_>) -> Result<Subject, OwnTrouble> {
    let mut visits = Visits::new(source, &request);
    let document = visits.robots_of_site().await?;
    let page = visits.probe(&request.url, AUDIT_PAGE_OCTETS).await?;
    let sitemaps = match request.probes_sitemaps {
        true => Some(sitemaps(&mut visits, &request, document.octets()).await?),
        false => None,
    };
    let guidance = match request.probes_guidance {
        true => Some(guidance(&mut visits, &request.url).await?),
        false => None,
    };
    let name = request.robots.as_ref().map(|(name, _)| name.clone());
    let name = name.unwrap_or_else(|| robots_url(&request.url).into());
    Ok(Subject { source: name, url: Some(request.url), robots: document, page, sitemaps, guidance })
}

/// Asks for the declared sitemaps and for those that indexes lead to.
async fn sitemaps(
    visits: &mut Visits<'_>,
    request: &Request<'_>,
    robots: &[u8],
) -> Result<Vec<SitemapProbe>, OwnTrouble> {
    let robots = robots::parse(robots);
    let declared = robots.sitemaps().map(|(line, url)| (Some(line), lossy(url)));
    let mut waiting: VecDeque<(Option<u32>, String)> = declared.collect();
    let mut seen = BTreeSet::new();
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
            Some(url) if url.origin() != request.url.origin() && !request.asks_other_origins => {
                Probe::NotAsked(NotAsked::OtherOrigin)
            }
            Some(url) => visits.probe(&url, SITEMAP_OCTETS + 1).await?,
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
async fn guidance(visits: &mut Visits<'_>, page: &Url) -> Result<Vec<GuidanceProbe>, OwnTrouble> {
    let mut probes = Vec::new();
    for &kind in GuidanceKind::ALL {
        let mut url = robots_url(page);
        url.set_path(kind.path());
        probes.push(GuidanceProbe { kind, probe: visits.probe(&url, AUDIT_PAGE_OCTETS).await? });
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
