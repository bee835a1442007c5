//! What a refresh asks for first, and what it makes of answers.

use super::{Ended, Memory, Page, Visit, judge, pages};
use crate::observation::{Answer, Exchange, Field, Outcome};
use crate::registry::{Registry, Stamp};

const AT: &str = "2026-12-01T10:00:00Z";

fn registry() -> Registry {
    Registry::embedded().expect("the registry is read")
}

/// The page of an address.
fn page<'a>(registry: &'a Registry, url: &str) -> Page<'a> {
    let found = pages(registry, &Memory::default()).into_iter().find(|page| page.url == url);
    found.expect("the registry names the page")
}

fn answer(status: u16, fields: &[(&str, &str)], body: &str) -> Exchange {
    let field = |(name, value): &(&str, &str)| Field {
        name: (*name).to_owned(),
        value: value.as_bytes().to_vec(),
    };
    let answer = Answer {
        status,
        fields: fields.iter().map(field).collect(),
        raw_body: Vec::new(),
        body: body.as_bytes().to_vec(),
        truncated: false,
    };
    Exchange::unasked("https://a.test/".to_owned(), Outcome::Answered(answer))
}

fn judged(page: &Page<'_>, exchange: &Exchange, memory: &mut Memory) -> Visit {
    judge(&registry(), page, exchange, false, Stamp::parse(AT).unwrap(), memory)
}

const GPTBOT: &str = "https://openai.com/gptbot.json";

#[test]
fn every_page_is_named_once_and_who_was_asked_longest_ago_comes_first() {
    let registry = registry();
    let mut memory = Memory::default();
    let first = pages(&registry, &memory);
    let urls: std::collections::BTreeSet<&str> = first.iter().map(|page| page.url).collect();
    assert_eq!(urls.len(), first.len());
    assert_eq!((first[0].url, first[0].kind()), (GPTBOT, "ranges"));
    let ids: Vec<&str> = first[0].lists.iter().map(|list| list.id.as_str()).collect();
    assert_eq!(ids, ["openai-gptbot", "openai"]);
    memory.note_asked(first[0].url, "2026-12-01T00:00:00Z");
    memory.note_asked(first[1].url, "2026-11-30T00:00:00Z");
    let then: Vec<&str> = pages(&registry, &memory).iter().map(|page| page.url).collect();
    assert_eq!(then[0], first[2].url);
    assert_eq!(then[then.len() - 2..], [first[1].url, first[0].url]);
}

#[test]
fn ranges_that_came_and_went_are_told_and_the_joined_list_is_left_alone() {
    let registry = registry();
    let page = page(&registry, GPTBOT);
    let own = page.lists[0];
    let mut kept: Vec<String> =
        own.ranges.iter().skip(1).map(|range| format!("\"{}\"", range.prefix)).collect();
    kept.push("\"203.0.113.0/24\"".to_owned());
    let body = format!("[{}]", kept.join(","));
    let visit = judged(&page, &answer(200, &[], &body), &mut Memory::default());
    assert_eq!((visit.ended, visit.status), (Ended::News, Some(200)));
    assert_eq!((visit.ranges.len(), visit.seen.as_slice()), (1, &["openai-gptbot".to_owned()][..]));
    let added: Vec<String> = visit.ranges[0].added.iter().map(ToString::to_string).collect();
    assert_eq!(added, ["203.0.113.0/24"]);
    assert_eq!(visit.ranges[0].gone, own.ranges[..1]);
}

#[test]
fn what_was_read_is_remembered_and_what_failed_is_not() {
    let registry = registry();
    let page = page(&registry, GPTBOT);
    let mut memory = Memory::default();
    let broken = judged(&page, &answer(200, &[("etag", "\"0\"")], "<html>"), &mut memory);
    assert_eq!((broken.ended, broken.detail.as_str()), (Ended::Unreadable, "it holds no prefix"));
    assert!(memory.conditions(GPTBOT).is_empty());
    let fields = [("etag", "\"1\""), ("last-modified", "Sun, 29 Nov 2026 00:00:00 GMT")];
    let body = "[\"203.0.113.0/24\"]";
    assert_eq!(judged(&page, &answer(200, &fields, body), &mut memory).ended, Ended::News);
    let conditions = memory.conditions(GPTBOT);
    let conditions: Vec<&str> = conditions.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(conditions, ["if-none-match", "if-modified-since"]);
    for (again, ended) in [
        (answer(304, &[], ""), Ended::Unchanged),
        (answer(200, &fields, body), Ended::Unchanged),
        (answer(404, &[], body), Ended::Failed),
    ] {
        let visit = judged(&page, &again, &mut memory);
        assert_eq!(visit.ended, ended);
        assert_eq!(visit.seen.is_empty(), ended == Ended::Failed);
    }
    let json = memory.to_json().unwrap();
    assert_eq!(Memory::from_json("pages.json", &json).unwrap(), memory);
    for (from, to) in [("scanner-refresh/1", "scanner-refresh/9"), ("\"etag\"", "\"tag\"")] {
        assert!(Memory::from_json("pages.json", &json.replacen(from, to, 1)).is_err());
    }
}

#[test]
fn a_page_tells_of_names_that_are_new_and_of_tokens_that_it_holds_no_longer() {
    let registry = registry();
    let crawler = registry.crawler("PerplexityBot").unwrap();
    let url = crawler.documented_at.split('#').next().unwrap();
    let page = page(&registry, url);
    let body = "<html><p>User-agent: PerplexityBot</p><p>User-agent: PerplexityShopper</p>\
                <p>Mozilla/5.0 (compatible; GPTBot/1.1)</p>";
    let visit = judged(&page, &answer(200, &[], body), &mut Memory::default());
    assert_eq!((visit.ended, visit.kind), (Ended::News, "documentation"));
    assert_eq!(visit.tokens.unknown, ["PerplexityShopper"]);
    let others: Vec<&str> = page.crawlers.iter().map(|it| it.token.as_str()).collect();
    let missing: Vec<&str> = others.into_iter().filter(|it| *it != "PerplexityBot").collect();
    assert_eq!(visit.tokens.unmentioned, missing);
}
