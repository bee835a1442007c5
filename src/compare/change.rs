//! One domain that changed: both classes, the lines that decide them, and what was written anew.

use std::collections::BTreeMap;

use serde::Serialize;

use super::document::{Edit, edits, hosts_elsewhere};
use super::sighting::Sighting;
use crate::classify::AccessClass;
use crate::library::CrawlerGroup;
use crate::record::CrawlerRow;
use crate::words::Word as _;

/// A domain that was observed both times and changed, for itself or for a crawler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The domain.
    pub domain: String,
    /// Its stratum.
    pub stratum: String,
    /// What it was.
    pub first: State,
    /// What it is.
    pub second: State,
    /// Crawlers whose class changed, those that changed alike together.
    pub crawlers: Vec<CrawlerChange>,
    /// What was taken from its robots.txt and added to it.
    pub robots: RobotsDifference,
}

/// A domain's class at one time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// The access class.
    pub class: String,
    /// The line that decides it, for the first headline crawler that has this class.
    pub line: Option<DecidingLine>,
    /// The digest of its robots.txt, where it has one.
    pub robots_sha256: Option<String>,
    /// The hosts that the Sitemap lines of its robots.txt name, where none of them is the domain's
    /// and they were not the same the other time: the document may be another site's. Known where
    /// both documents are at hand.
    pub sitemaps_elsewhere: Vec<String>,
}

/// A line of a robots.txt that decides a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecidingLine {
    /// The crawler for which it decides.
    pub crawler: String,
    /// Its number.
    pub line: u32,
    /// What it says.
    pub text: String,
}

/// Crawlers whose class changed alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CrawlerChange {
    /// Their product tokens.
    pub crawlers: Vec<String>,
    /// The class that they had.
    pub first: String,
    /// The class that they have.
    pub second: String,
}

/// What differs between two robots.txt documents: the values of Disallow lines that govern a crawler
/// of the list, which every run records, and all lines where both documents are at hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RobotsDifference {
    /// Values that stood the first time alone, each as often as it is missing now.
    pub removed: Vec<String>,
    /// Values that stand the second time alone.
    pub added: Vec<String>,
    /// The lines that differ, in the order of the documents; none where not both are at hand, or
    /// one is too long.
    pub lines: Option<Vec<Edit>>,
}

impl Change {
    /// Whether the domain's own class changed, and not only that of a crawler.
    pub fn is_of_domain(&self) -> bool {
        self.first.class != self.second.class
    }

    /// Whether its own class became more restrictive.
    pub fn is_closing(&self) -> bool {
        let class = |state: &State| AccessClass::from_word(&state.class);
        class(&self.second) > class(&self.first)
    }

    /// Adds what the two documents themselves show.
    pub fn read(&mut self, first: &[u8], second: &[u8]) {
        self.robots.lines = edits(first, second);
        let hosts = [first, second].map(|document| hosts_elsewhere(document, &self.domain));
        // A site that names another one both times does so by habit.
        if hosts[0] != hosts[1] {
            [self.first.sitemaps_elsewhere, self.second.sitemaps_elsewhere] = hosts;
        }
    }
}

/// What changed of a domain that was observed both times, if anything did.
pub(super) fn change(first: &Sighting, second: &Sighting) -> Option<Change> {
    let crawlers = crawler_changes(first, second);
    let is_same = first.merged.row.access_class == second.merged.row.access_class;
    if is_same && crawlers.is_empty() {
        return None;
    }
    Some(Change {
        domain: first.merged.row.domain.to_string(),
        stratum: first.merged.row.stratum.clone(),
        first: state(first),
        second: state(second),
        crawlers,
        robots: difference(first, second),
    })
}

/// The domain's class at one time, with the line that decides it.
fn state(sighting: &Sighting) -> State {
    let row = &sighting.merged.row;
    let deciding = sighting.crawlers.iter().find(|crawler| {
        crawler.crawler_group == CrawlerGroup::Retrieval && Some(crawler.class) == row.access_class
    });
    State {
        class: row.access_class.map(|class| class.word().to_owned()).unwrap_or_default(),
        line: deciding.and_then(|crawler| deciding_line(sighting, crawler)),
        robots_sha256: row.robots_sha256.map(|digest| digest.to_string()),
        sitemaps_elsewhere: Vec::new(),
    }
}

/// The line that decides a crawler's class.
fn deciding_line(sighting: &Sighting, crawler: &CrawlerRow) -> Option<DecidingLine> {
    let line = crawler.deciding_line?;
    let path = sighting.paths.iter().find(|path| path.line == line)?;
    let text = format!("Disallow: {}", path.path);
    Some(DecidingLine { crawler: crawler.crawler.clone(), line, text })
}

/// The crawlers whose class changed, those that changed alike together, in the list's order.
fn crawler_changes(first: &Sighting, second: &Sighting) -> Vec<CrawlerChange> {
    let mut changes: Vec<CrawlerChange> = Vec::new();
    for was in &first.crawlers {
        let Some(is) = second.crawlers.iter().find(|row| row.crawler == was.crawler) else {
            continue;
        };
        if was.class == is.class {
            continue;
        }
        let (from, to) = (was.class.word(), is.class.word());
        match changes.iter_mut().find(|change| change.first == from && change.second == to) {
            Some(change) => change.crawlers.push(was.crawler.clone()),
            None => changes.push(CrawlerChange {
                crawlers: vec![was.crawler.clone()],
                first: from.to_owned(),
                second: to.to_owned(),
            }),
        }
    }
    changes
}

/// The Disallow values that were taken away and added.
fn difference(first: &Sighting, second: &Sighting) -> RobotsDifference {
    let mut surplus: BTreeMap<&str, i64> = BTreeMap::new();
    for path in &first.paths {
        *surplus.entry(&path.path).or_default() -= 1;
    }
    for path in &second.paths {
        *surplus.entry(&path.path).or_default() += 1;
    }
    let mut difference = RobotsDifference::default();
    for (path, times) in surplus {
        let lines = if times < 0 { &mut difference.removed } else { &mut difference.added };
        lines.extend(std::iter::repeat_n(path.to_owned(), times.unsigned_abs() as usize));
    }
    difference
}
