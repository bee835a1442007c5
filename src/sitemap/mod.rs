//! A sitemap or an index of sitemaps, from octets (sitemaps.org protocol 0.9): XML, a feed, or a
//! text with one address to a line; packed by gzip or not.
//!
//! Pure: who fetched it, and what its addresses are worth, is for others. XML is read by quick-xml,
//! which is known here alone, and no entity but the predefined ones is resolved.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::closed_list;
use crate::html::{looks_like_html, without_mark};
use crate::limits::{SITEMAP_OCTETS, SITEMAP_URLS};

closed_list! {
    /// What a sitemap is.
    pub enum SitemapKind {
        /// A list of pages.
        UrlSet = "urlset",
        /// A list of sitemaps.
        Index = "index",
        /// A feed, RSS or Atom, whose entries are pages.
        Feed = "feed",
        /// A text with one address to a line.
        Text = "text",
    }
}

closed_list! {
    /// Why octets are no sitemap.
    pub enum SitemapFault {
        /// Nothing stands in them.
        Empty = "empty",
        /// They are a web page.
        Html = "html",
        /// They are neither XML nor a list of addresses.
        NotXml = "not_xml",
        /// They are XML of another kind.
        OtherXml = "other_xml",
        /// They begin as XML and break off or go wrong.
        BrokenXml = "broken_xml",
        /// They cannot be unpacked.
        BrokenGzip = "broken_gzip",
    }
}

/// A sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitemap {
    /// What it is.
    pub kind: SitemapKind,
    /// The addresses that it lists, as far as a sitemap may go.
    pub locations: Vec<String>,
    /// How many addresses it lists.
    pub count: usize,
    /// Whether it has more octets or more addresses than a sitemap may have.
    pub is_over_limit: bool,
}

/// Reads a sitemap.
pub fn parse(octets: &[u8]) -> Result<Sitemap, SitemapFault> {
    let unpacked = match octets {
        [0x1f, 0x8b, ..] => Some(unpack(octets)?),
        _ => None,
    };
    let octets = unpacked.as_deref().unwrap_or(octets);
    let is_too_long = octets.len() as u64 > SITEMAP_OCTETS;
    let content = without_mark(octets).trim_ascii();
    if content.is_empty() {
        return Err(SitemapFault::Empty);
    }
    if looks_like_html(content) {
        return Err(SitemapFault::Html);
    }
    let text = String::from_utf8_lossy(content);
    let mut sitemap = if text.starts_with('<') {
        from_xml(&text, is_too_long)?
    } else {
        from_lines(&text).ok_or(SitemapFault::NotXml)?
    };
    sitemap.is_over_limit |= is_too_long;
    Ok(sitemap)
}

/// Takes gzip off, up to one octet more than a sitemap may have.
fn unpack(octets: &[u8]) -> Result<Vec<u8>, SitemapFault> {
    let mut unpacked = Vec::new();
    let decoder = MultiGzDecoder::new(octets);
    let read = decoder.take(SITEMAP_OCTETS + 1).read_to_end(&mut unpacked);
    read.map(|_| unpacked).map_err(|_| SitemapFault::BrokenGzip)
}

/// Where in an XML document the reading stands.
struct Walk {
    kind: Option<SitemapKind>,
    depth: usize,
    /// The address that is being read.
    address: Option<String>,
    found: Sitemap,
}

/// Reads XML. What breaks off behind the limit on octets is no fault of the document's.
fn from_xml(text: &str, is_too_long: bool) -> Result<Sitemap, SitemapFault> {
    let mut reader = Reader::from_str(text);
    let found = Sitemap {
        kind: SitemapKind::UrlSet,
        locations: Vec::new(),
        count: 0,
        is_over_limit: false,
    };
    let mut walk = Walk { kind: None, depth: 0, address: None, found };
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                walk.depth += 1;
                walk.begin(tag.local_name().as_ref())?;
            }
            Ok(Event::Empty(tag)) => {
                walk.empty(tag.local_name().as_ref())?;
                let href = tag.attributes().flatten().find(|it| it.key.as_ref() == "href");
                if let (Some(SitemapKind::Feed), Some(href)) = (walk.kind, href) {
                    walk.add(&href.value);
                }
            }
            Ok(Event::End(_)) => {
                walk.depth = walk.depth.saturating_sub(1);
                walk.end();
            }
            Ok(Event::Text(piece)) => walk.take(&piece.xml10_content()),
            Ok(Event::CData(piece)) => walk.take(&piece.xml10_content()),
            Ok(Event::GeneralRef(reference)) => walk.take(&resolved(&reference)),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(_) => {
                if is_too_long {
                    break;
                }
                return Err(SitemapFault::BrokenXml);
            }
        }
    }
    if walk.depth > 0 && !is_too_long {
        return Err(SitemapFault::BrokenXml);
    }
    let kind = walk.kind.ok_or(SitemapFault::NotXml)?;
    Ok(Sitemap { kind, ..walk.found })
}

/// What a reference stands for; nothing where it is none of XML's own.
fn resolved(reference: &quick_xml::events::BytesRef) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    let name = reference.xml10_content();
    quick_xml::escape::resolve_xml_entity(&name).unwrap_or_default().to_owned()
}

impl Walk {
    /// Begins an element.
    fn begin(&mut self, name: &str) -> Result<(), SitemapFault> {
        match self.kind {
            None => self.kind = Some(root(name)?),
            Some(SitemapKind::Feed) if matches!(name, "link" | "guid") => {
                self.address = Some(String::new());
            }
            // An image or a video has a `loc` of its own further down.
            Some(_) if name == "loc" && self.depth == 3 => self.address = Some(String::new()),
            Some(_) => {}
        }
        Ok(())
    }

    /// An element without content.
    fn empty(&mut self, name: &str) -> Result<(), SitemapFault> {
        if self.kind.is_none() {
            self.kind = Some(root(name)?);
        }
        Ok(())
    }

    /// Takes a piece of text in.
    fn take(&mut self, piece: &str) {
        if let Some(address) = &mut self.address {
            address.push_str(piece);
        }
    }

    /// Ends an element.
    fn end(&mut self) {
        if let Some(address) = self.address.take() {
            self.add(&address);
        }
    }

    /// Adds an address.
    fn add(&mut self, address: &str) {
        let address = address.trim();
        if address.is_empty() {
            return;
        }
        self.found.count += 1;
        if self.found.locations.len() < SITEMAP_URLS {
            self.found.locations.push(address.to_owned());
        } else {
            self.found.is_over_limit = true;
        }
    }
}

/// What the root element says that the document is.
fn root(name: &str) -> Result<SitemapKind, SitemapFault> {
    match name {
        "urlset" => Ok(SitemapKind::UrlSet),
        "sitemapindex" => Ok(SitemapKind::Index),
        "rss" | "feed" | "RDF" => Ok(SitemapKind::Feed),
        _ => Err(SitemapFault::OtherXml),
    }
}

/// Reads a text in which every line is an address.
fn from_lines(text: &str) -> Option<Sitemap> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut locations = Vec::new();
    let mut count = 0;
    for line in lines {
        if !line.starts_with("http://") && !line.starts_with("https://") {
            return None;
        }
        count += 1;
        if locations.len() < SITEMAP_URLS {
            locations.push(line.to_owned());
        }
    }
    let is_over_limit = count > locations.len();
    Some(Sitemap { kind: SitemapKind::Text, locations, count, is_over_limit })
}

#[cfg(test)]
mod tests;
