//! Claims judged against lists over time.

use super::{Answers, Evidence, Identities, Identity, Slack};
use crate::registry::ListKind;
use crate::registry::{Prefix, RangeList, Registry, Snapshot};
use crate::stamp::Stamp;

/// A list from snapshots: a day, and the prefixes that stood there.
fn list(
    id: &str,
    operator: &str,
    kind: ListKind,
    crawlers: &[&str],
    days: &[(&str, &[&str])],
) -> RangeList {
    let snapshots = days
        .iter()
        .map(|(day, prefixes)| Snapshot {
            at: Stamp::parse(day).unwrap(),
            created: None,
            prefixes: prefixes.iter().map(|text| Prefix::parse(text).unwrap()).collect(),
        })
        .collect();
    let crawlers = crawlers.iter().map(|token| (*token).to_owned()).collect();
    RangeList::from_snapshots(id, operator, kind, crawlers, snapshots).unwrap()
}

/// A week of slack for both.
const WEEK: Slack = Slack { near_s: 7 * 86_400, list_s: 7 * 86_400 };

/// A registry whose lists are these alone.
fn registry(lists: Vec<RangeList>) -> Registry {
    let mut registry = Registry::embedded().unwrap();
    registry.lists = lists;
    registry
}

fn judged(
    registry: &Registry,
    answers: &Answers,
    token: &str,
    address: &str,
    day: &str,
) -> (Identity, Evidence) {
    let crawler = registry.crawlers.iter().position(|crawler| crawler.is_named(token)).unwrap();
    let identities = Identities::new(registry, answers, WEEK);
    let at_s = Stamp::parse(day).unwrap().unix();
    let standing = identities.standing(crawler, address.parse().ok(), at_s);
    (standing.identity, standing.evidence)
}

#[test]
fn a_claim_is_judged_by_the_lists_in_force_at_its_time() {
    let lists = vec![
        list(
            "gptbot",
            "openai",
            ListKind::Crawlers,
            &["GPTBot"],
            &[
                ("2026-01-01", &["192.0.2.0/28", "192.0.2.64/28"]),
                ("2026-03-01", &["192.0.2.0/28"]),
                ("2026-05-01", &["192.0.2.0/28", "192.0.2.64/28", "2001:db8::/48"]),
            ],
        ),
        list(
            "search",
            "openai",
            ListKind::Crawlers,
            &["OAI-SearchBot"],
            &[
                ("2026-01-01", &["192.0.2.32/28", "192.0.2.0/28"]),
                ("2026-05-01", &["192.0.2.32/28"]),
            ],
        ),
        list(
            "meta",
            "meta",
            ListKind::Network,
            &["meta-externalagent"],
            &[("2026-01-01", &["198.51.100.0/24"]), ("2026-05-01", &["198.51.100.0/24"])],
        ),
    ];
    let registry = registry(lists);
    let none = Answers::default();
    for (token, address, day, identity, evidence) in [
        ("GPTBot", "192.0.2.1", "2026-02-01", Identity::Genuine, Evidence::Crawlers),
        ("GPTBot", "192.0.2.65", "2026-02-28T23:59:59Z", Identity::Genuine, Evidence::Crawlers),
        // It left the list, and came back.
        ("GPTBot", "192.0.2.65", "2026-03-01", Identity::Adjacent, Evidence::Crawlers),
        ("GPTBot", "192.0.2.65", "2026-03-07T23:59:59Z", Identity::Adjacent, Evidence::Crawlers),
        ("GPTBot", "192.0.2.65", "2026-03-08", Identity::Impersonated, Evidence::Crawlers),
        (
            "GPTBot",
            "192.0.2.65",
            "2026-04-23T23:59:59Z",
            Identity::Impersonated,
            Evidence::Crawlers,
        ),
        ("GPTBot", "192.0.2.65", "2026-04-24", Identity::Adjacent, Evidence::Crawlers),
        ("GPTBot", "192.0.2.65", "2026-05-01", Identity::Genuine, Evidence::Crawlers),
        ("GPTBot", "2001:db8::1", "2026-05-01", Identity::Genuine, Evidence::Crawlers),
        ("GPTBot", "2001:db8:1::1", "2026-05-01", Identity::Impersonated, Evidence::Crawlers),
        ("GPTBot", "192.0.2.33", "2026-02-01", Identity::Sibling, Evidence::Operator),
        ("OAI-SearchBot", "192.0.2.1", "2026-02-01", Identity::Genuine, Evidence::Crawlers),
        ("OAI-SearchBot", "192.0.2.65", "2026-02-01", Identity::Sibling, Evidence::Operator),
        ("GPTBot", "203.0.113.1", "2026-02-01", Identity::Impersonated, Evidence::Crawlers),
        // Another operator's list is nothing to it.
        ("GPTBot", "198.51.100.1", "2026-02-01", Identity::Impersonated, Evidence::Crawlers),
        // The edges of the time in which a list is in force.
        (
            "GPTBot",
            "192.0.2.1",
            "2025-12-24T23:59:59Z",
            Identity::Unverifiable,
            Evidence::ListsDated,
        ),
        ("GPTBot", "192.0.2.1", "2025-12-25", Identity::Genuine, Evidence::Crawlers),
        ("GPTBot", "203.0.113.1", "2026-05-08", Identity::Impersonated, Evidence::Crawlers),
        (
            "GPTBot",
            "203.0.113.1",
            "2026-05-08T00:00:01Z",
            Identity::Unverifiable,
            Evidence::ListsDated,
        ),
        ("meta-externalagent", "198.51.100.9", "2026-02-01", Identity::Genuine, Evidence::Network),
        (
            "meta-externalagent",
            "203.0.113.1",
            "2026-02-01",
            Identity::Impersonated,
            Evidence::Network,
        ),
        ("Bytespider", "203.0.113.1", "2026-02-01", Identity::Unverifiable, Evidence::Nothing),
        ("GPTBot", "nobody", "2026-02-01", Identity::Unverifiable, Evidence::Nothing),
        (
            "Google-Extended",
            "192.0.2.1",
            "2026-02-01",
            Identity::Impersonated,
            Evidence::ControlOnly,
        ),
    ] {
        assert_eq!(
            judged(&registry, &none, token, address, day),
            (identity, evidence),
            "{token} {address} {day}"
        );
    }
}

#[test]
fn a_merged_list_proves_the_operator_unless_the_crawlers_own_list_speaks() {
    let merged: &[(&str, &[&str])] =
        &[("2025-01-01", &["192.0.2.0/24"]), ("2026-09-01", &["192.0.2.0/24"])];
    let registry = registry(vec![
        list("openai", "openai", ListKind::Operator, &["GPTBot", "ChatGPT-User"], merged),
        list(
            "gptbot",
            "openai",
            ListKind::Crawlers,
            &["GPTBot"],
            &[("2026-09-01", &["192.0.2.0/28"])],
        ),
    ]);
    let none = Answers::default();
    for (token, address, day, identity, evidence) in [
        ("GPTBot", "192.0.2.99", "2025-06-01", Identity::Genuine, Evidence::Operator),
        ("GPTBot", "192.0.2.99", "2026-09-01", Identity::Sibling, Evidence::Operator),
        ("GPTBot", "192.0.2.1", "2026-09-01", Identity::Genuine, Evidence::Crawlers),
        ("ChatGPT-User", "192.0.2.99", "2026-09-01", Identity::Genuine, Evidence::Operator),
        ("GPTBot", "203.0.113.1", "2025-06-01", Identity::Impersonated, Evidence::Operator),
    ] {
        assert_eq!(
            judged(&registry, &none, token, address, day),
            (identity, evidence),
            "{token} {address} {day}"
        );
    }
}

#[test]
fn dns_confirms_whatever_lists_say_and_contradicts_where_they_are_silent() {
    let google = list(
        "google",
        "google",
        ListKind::Crawlers,
        &["Googlebot"],
        &[("2026-01-01", &["192.0.2.0/28"])],
    );
    let text = "address,asked_at,name,addresses,fault\n\
        203.0.113.1,2026-01-01,a.googlebot.com,203.0.113.1,\n\
        203.0.113.2,2026-01-01,b.evil.test,203.0.113.2,\n\
        203.0.113.3,2026-01-01,,,timeout\n";
    let answers = Answers::parse("dns.csv", text).unwrap();
    let registry = registry(vec![google]);
    for (token, address, day, identity, evidence) in [
        ("Googlebot", "203.0.113.1", "2026-01-01", Identity::Genuine, Evidence::ReverseDns),
        ("Googlebot", "203.0.113.1", "2020-01-01", Identity::Genuine, Evidence::ReverseDns),
        ("Googlebot", "203.0.113.2", "2026-01-01", Identity::Impersonated, Evidence::Crawlers),
        ("Googlebot", "203.0.113.2", "2020-01-01", Identity::Impersonated, Evidence::ReverseDns),
        ("Googlebot", "203.0.113.3", "2020-01-01", Identity::Unverifiable, Evidence::ReverseDns),
        ("Googlebot", "203.0.113.4", "2020-01-01", Identity::Unverifiable, Evidence::ListsDated),
        // Its operator documents no names: what DNS says is nothing to it.
        ("GPTBot", "203.0.113.2", "2020-01-01", Identity::Unverifiable, Evidence::Nothing),
    ] {
        assert_eq!(
            judged(&registry, &answers, token, address, day),
            (identity, evidence),
            "{token} {address} {day}"
        );
    }
}

#[test]
fn addresses_with_one_place_have_one_standing() {
    let registry = Registry::embedded().unwrap();
    let none = Answers::default();
    let identities = Identities::new(&registry, &none, WEEK);
    for crawler in 0..registry.crawlers.len() {
        for pair in [
            ["192.0.2.1", "192.0.2.200"],
            ["66.249.64.1", "66.249.64.30"],
            ["66.249.64.1", "66.249.66.1"],
            ["20.15.240.64", "20.15.240.80"],
            ["2001:4860:4801:10::1", "2001:4860:4801:10::2"],
            ["2001:db8::1", "::"],
        ] {
            let [one, other] = pair.map(|text| text.parse().unwrap());
            if identities.place(crawler, one) == identities.place(crawler, other) {
                let steps = |address| identities.steps(crawler, Some(address));
                assert_eq!(steps(one), steps(other), "{crawler} {pair:?}");
            }
        }
    }
}
