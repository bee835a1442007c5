//! What the owner of a site lists of it, from files: its sitemaps, and which addresses stand for others.
//!
//! Nothing is fetched: the sitemaps that an index names are read from the folder in which it lies.

use std::path::{Path, PathBuf};

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

/// The addresses that sitemaps list, and every file that was read for them.
pub fn sitemaps(paths: &[PathBuf]) -> Result<(Listing, Vec<PathBuf>), Refusal> {
    let mut read = Read::default();
    for path in paths {
        read.add(path, false)?;
    }
    Ok((Listing::of(read.urls.iter().map(String::as_str)), read.files))
}

/// What was read so far.
#[derive(Default)]
struct Read {
    urls: Vec<String>,
    files: Vec<PathBuf>,
}

impl Read {
    /// Adds what a sitemap lists; `is_listed`: whether an index names it.
    fn add(&mut self, path: &Path, is_listed: bool) -> Result<(), Refusal> {
        let refused = |message: &str, hint| Refusal::of(&path.to_string_lossy(), message, hint);
        let octets = files::read(path, LOG_EVIDENCE_OCTETS)
            .map_err(|error| files::unreadable(path, &error, HINT))?;
        let found = sitemap::parse(&octets)
            .map_err(|fault| refused(&format!("no sitemap: {fault}"), HINT))?;
        if found.is_over_limit {
            let message = "more than a sitemap may hold: what is behind cannot be known";
            let hint = "a sitemap has at most 50,000 addresses in 50 MB: an index names several";
            return Err(refused(message, hint));
        }
        self.files.push(path.to_owned());
        if found.kind == SitemapKind::Index && is_listed {
            return Err(refused("an index within an index", "name the sitemaps themselves"));
        }
        if found.kind == SitemapKind::Index {
            return found.locations.iter().try_for_each(|url| self.add(&saved(path, url)?, true));
        }
        self.urls.extend(found.locations);
        if self.urls.len() > LOG_SITEMAP_URLS {
            let message = format!("the sitemaps list more than {LOG_SITEMAP_URLS} addresses");
            let hint = "audit the hosts one after the other, each with its own sitemaps";
            return Err(refused(&message, hint));
        }
        Ok(())
    }
}

/// Where a sitemap that an index names is saved: beside it, packed or not.
fn saved(index: &Path, url: &str) -> Result<PathBuf, Refusal> {
    let address = url.split(['?', '#']).next().unwrap_or(url);
    let name = address.rsplit('/').next().unwrap_or(address);
    let bare = name.strip_suffix(".gz").unwrap_or(name);
    let names = [name.to_owned(), format!("{name}.gz"), bare.to_owned()];
    let mut paths = names.iter().map(|name| index.with_file_name(name));
    paths.find(|path| !bare.is_empty() && files::exists(path)).ok_or_else(|| {
        let hint = "save every sitemap of an index beside it, under the last part of its address: where \
                    one is missing nobody can say what stands in none";
        Refusal::of(&index.to_string_lossy(), format!("{url} is not beside it"), hint)
    })
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
