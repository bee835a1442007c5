//! What the owner of a site lists of it, from files: its sitemaps, and which addresses stand for others.
//!
//! Nothing is fetched: the sitemaps that an index names are read from the folder in which it lies.

use std::path::Path;

use crate::files;
use crate::limits::{LOG_EVIDENCE_OCTETS, LOG_SITEMAP_URLS};
use crate::logs::Listing;
use crate::refusal::Refusal;
use crate::sitemap::{self, SitemapKind};
use crate::tabular::Table;

/// What a sitemap may be.
const HINT: &str =
    "a sitemap is a saved file: XML, or a text of one address to a line, packed by gzip or not";

const COLUMNS: [&str; 2] = ["url", "canonical"];

/// The addresses that sitemaps list.
pub fn sitemaps(paths: &[std::path::PathBuf]) -> Result<Listing, Refusal> {
    let mut urls = Vec::new();
    for path in paths {
        add(path, false, &mut urls)?;
    }
    Ok(Listing::of(urls.iter().map(String::as_str)))
}

/// Adds what a sitemap lists; `is_listed`: whether an index names it.
fn add(path: &Path, is_listed: bool, urls: &mut Vec<String>) -> Result<(), Refusal> {
    let refused = |message: String, hint: &str| Refusal::of(&path.to_string_lossy(), message, hint);
    let octets = files::read(path, LOG_EVIDENCE_OCTETS)
        .map_err(|error| files::unreadable(path, &error, HINT))?;
    let found =
        sitemap::parse(&octets).map_err(|fault| refused(format!("no sitemap: {fault}"), HINT))?;
    if found.is_over_limit {
        let hint = "a sitemap has at most 50,000 addresses in 50 MB: an index names several";
        return Err(refused(
            "more than a sitemap may hold: what is behind cannot be known".into(),
            hint,
        ));
    }
    if found.kind != SitemapKind::Index {
        urls.extend(found.locations);
        return match urls.len() > LOG_SITEMAP_URLS {
            true => Err(refused(
                format!("the sitemaps list more than {LOG_SITEMAP_URLS} addresses"),
                "audit the hosts one after the other, each with its own sitemaps",
            )),
            false => Ok(()),
        };
    }
    if is_listed {
        return Err(refused("an index within an index".into(), "name the sitemaps themselves"));
    }
    for url in found.locations {
        let address = url.split(['?', '#']).next().unwrap_or(&url);
        let name = address.rsplit('/').next().unwrap_or(address);
        let packed =
            [name.to_owned(), format!("{name}.gz"), name.trim_end_matches(".gz").to_owned()];
        let saved = packed.iter().map(|name| path.with_file_name(name));
        let saved = saved.into_iter().find(|saved| !name.is_empty() && files::exists(saved));
        let Some(saved) = saved else {
            let hint = "save every sitemap of an index beside it, under the last part of its address: \
                        where one is missing nobody can say what stands in none";
            return Err(refused(format!("{url} is not beside it"), hint));
        };
        add(&saved, true, urls)?;
    }
    Ok(())
}

/// The addresses for which others stand, from a table.
pub fn non_canonical(path: &Path) -> Result<Listing, Refusal> {
    let file = path.to_string_lossy();
    let text = files::read_text(path, LOG_EVIDENCE_OCTETS)
        .map_err(|error| files::unreadable(path, &error, "a CSV of url,canonical"))?;
    let mut urls = Vec::new();
    for row in Table::of(&file, &text, &COLUMNS)? {
        let row = row?;
        let [url, canonical] = row.cells.as_slice() else { continue };
        let is_address = |text: &String| text.starts_with('/') || text.contains("://");
        if !is_address(url) || !is_address(canonical) {
            let message = format!("not an address: {url:?}, {canonical:?}");
            return Err(Refusal::of(&file, message, "a URL, or a path of any host").at(row.line));
        }
        if url != canonical {
            urls.push(url.clone());
        }
    }
    Ok(Listing::of(urls.iter().map(String::as_str)))
}
