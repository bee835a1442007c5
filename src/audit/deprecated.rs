//! Records that crawlers no longer read, or that only some of them ever did.

use crate::robots::{Field, Listed};
use crate::words::counted;

use super::Check;
use super::blanket::listed;
use super::context::Context;
use super::finding::{Evidence, Finding, Kind, Status};

pub(super) const CHECK: Check = Check {
    name: "deprecated",
    about: "Records that crawlers no longer read, or that only some of them ever did.",
    kinds: &[&NOINDEX, &CRAWL_DELAY, &NONSTANDARD],
    needs_rules: true,
    run,
};

const NOINDEX: Kind = Kind {
    id: "deprecated-noindex",
    statuses: &[Status::Warning],
    title: "A noindex stands in robots.txt, where no crawler reads it",
    when: "A record has the key Noindex, Nofollow or Noarchive.",
    intent: "To keep pages out of search results.",
    impact: "Nothing happens: the pages stay in the index. Google stopped reading such records in \
             September 2019, and others never did.",
    fix: "Put `<meta name=\"robots\" content=\"noindex\">` into the pages, or send the header field \
          `X-Robots-Tag: noindex`, and leave them open in robots.txt: a crawler that may not fetch \
          a page never sees its noindex.",
};

const CRAWL_DELAY: Kind = Kind {
    id: "deprecated-crawl-delay",
    statuses: &[Status::Notice],
    title: "Crawl-delay is read by some crawlers only",
    when: "A record has the key Crawl-delay.",
    intent: "To have crawlers pause between requests.",
    impact: "Google passes it by. Bing, Yahoo and some others keep to it, and a large value limits \
             how much of the site they see in a day.",
    fix: "Keep it if it is for a crawler that reads it. To slow others down, answer 429 or 503 for \
          a while.",
};

const NONSTANDARD: Kind = Kind {
    id: "nonstandard-directive",
    statuses: &[Status::Info],
    title: "Records that few crawlers read",
    when: "A record has the key Host, Clean-param, Request-rate, Visit-time or Revisit-after.",
    intent: "To name the preferred host, parameters without meaning, or hours and rates of visits.",
    impact: "Clean-param is read by Yandex alone, Host by none since 2018; the others were never \
             read by a large crawler. They do no harm.",
    fix: "",
};

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let listing = context.robots().listing();
    let mut found = |kind: &'static Kind, what: &str, fields: &[Field]| {
        let is_one = |line: &&Listed| line.record.is_some_and(|field| fields.contains(&field));
        let lines: Vec<&Listed> = listing.iter().filter(is_one).collect();
        if lines.is_empty() {
            return;
        }
        let evidence = lines.iter().map(|listed| {
            Evidence::line(context.robots(), listed.line.number, Some(listed.line.key))
        });
        let mut keys: Vec<String> = Vec::new();
        for listed in &lines {
            let key = context.robots().octets(listed.line.key);
            let key = String::from_utf8_lossy(key).into_owned();
            if !keys.iter().any(|known| known.eq_ignore_ascii_case(&key)) {
                keys.push(key);
            }
        }
        let summary = match what {
            "record" => format!("There {}: {}.", there(lines.len(), what), listed(&keys)),
            _ => format!("There {}.", there(lines.len(), what)),
        };
        findings.push(Finding::of(kind, summary).shown_by(evidence));
    };
    found(&NOINDEX, "record", &[Field::Noindex, Field::Nofollow, Field::Noarchive]);
    found(&CRAWL_DELAY, "Crawl-delay", &[Field::CrawlDelay]);
    let others =
        [Field::Host, Field::CleanParam, Field::RequestRate, Field::VisitTime, Field::RevisitAfter];
    found(&NONSTANDARD, "record", &others);
}

/// A count behind "There": `is 1 rule`, `are 2 rules`.
pub(super) fn there(number: usize, unit: &str) -> String {
    format!("{} {}", if number == 1 { "is" } else { "are" }, counted(number, unit))
}
