//! A refresh of the crawler registry: which pages it names, which of them to ask first, and what
//! their answers hold that the registry does not.
//!
//! Pure: `inquiry` asks. Nothing here changes the registry: what differs is a candidate, which a
//! person looks at before a row is changed, and the study's frozen list is never fed from it.

mod memory;
mod mentions;
mod visit;

use std::collections::BTreeMap;

use crate::registry::{Crawler, RangeList, Registry};

pub use memory::{FORM, Memory};
pub use visit::{Ended, RangeNews, TokenNews, Visit, judge};

/// A page that the registry names as the place where its operator publishes something.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// Its address, without a fragment.
    pub url: &'a str,
    /// The lists of address ranges that are published there.
    pub lists: Vec<&'a RangeList>,
    /// The crawlers that are documented there.
    pub crawlers: Vec<&'a Crawler>,
}

impl Page<'_> {
    /// What is expected there, in a word.
    pub fn kind(&self) -> &'static str {
        if self.lists.is_empty() { "documentation" } else { "ranges" }
    }
}

/// Every page that the registry names, each once: those that were never asked for first, then those
/// that were not for longest; lists of ranges before documentation, else in the registry's order.
pub fn pages<'a>(registry: &'a Registry, memory: &Memory) -> Vec<Page<'a>> {
    let mut pages: Vec<Page<'a>> = Vec::new();
    let mut places: BTreeMap<&'a str, usize> = BTreeMap::new();
    let mut at = |pages: &mut Vec<Page<'a>>, written: &'a str| {
        let url = written.split('#').next().unwrap_or(written);
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        is_web.then(|| {
            *places.entry(url).or_insert_with(|| {
                pages.push(Page { url, lists: Vec::new(), crawlers: Vec::new() });
                pages.len() - 1
            })
        })
    };
    for list in &registry.lists {
        if let Some(place) = at(&mut pages, &list.published_at) {
            pages[place].lists.push(list);
        }
    }
    for crawler in &registry.crawlers {
        if let Some(place) = at(&mut pages, &crawler.documented_at) {
            pages[place].crawlers.push(crawler);
        }
    }
    pages.sort_by_key(|page| memory.asked_at(page.url).map(str::to_owned));
    pages
}

#[cfg(test)]
mod tests;
