//! Rulings worked out by hand: groups, versions, periods without a file, grace.

use std::collections::BTreeMap;

use super::{Ground, History, Rulings, Target, Verdict};
use crate::logs::history::{Basis, UNREACHABLE_S, Version};
use crate::registry::Registry;

/// The versions of one host, each a moment and a file.
fn history(versions: Vec<Version>) -> History {
    History::new(BTreeMap::from([("a.test".to_owned(), versions)]))
}

fn file(from_s: i64, text: &str) -> Version {
    Version::of_file(from_s, "robots.txt", text.as_bytes(), Basis::Deployed)
}

/// What is said of a path.
fn said(history: &History, token: &str, path: &str, at_s: i64) -> (Verdict, Ground, Option<u32>) {
    let registry = Registry::embedded().unwrap();
    let crawler = registry.crawlers.iter().position(|crawler| crawler.is_named(token)).unwrap();
    let rulings = Rulings::new(history, &registry);
    let ruling =
        rulings.rule(history.host(b"a.test"), crawler, &Target::new(path.as_bytes()), at_s);
    (ruling.verdict, ruling.ground, ruling.line)
}

#[test]
fn tricky_rules_are_read_as_they_were_worked_out_by_hand() {
    let text = "User-agent: *\nDisallow: /*.pdf$\nAllow: /p\nDisallow: /p\nDisallow: /*?*sid=\n\
        Disallow: /%7Euser/\nDisallow: /a%2Fb\nDisallow:\nDisallow: /caf\u{e9}\nAllow: /caf%C3%A9s\n";
    let history = history(vec![file(0, text)]);
    for (path, verdict, line) in [
        ("/a.pdf", Verdict::Disallowed, Some(2)),
        ("/a.pdf?x=1", Verdict::Allowed, None),
        ("/p", Verdict::Allowed, Some(3)),
        ("/l?page=2&sid=9", Verdict::Disallowed, Some(5)),
        ("/~user/", Verdict::Disallowed, Some(6)),
        ("/a/b", Verdict::Allowed, None),
        ("/a%2fb", Verdict::Disallowed, Some(7)),
        ("/caf%c3%a9", Verdict::Disallowed, Some(9)),
        ("/caf\u{e9}s", Verdict::Allowed, Some(10)),
        ("/robots.txt", Verdict::Allowed, None),
    ] {
        let (found, _, found_line) = said(&history, "GPTBot", path, 1);
        assert_eq!((found, found_line), (verdict, line), "{path}");
    }
}

#[test]
fn each_token_is_governed_by_its_own_group_or_the_one_it_falls_back_to_or_the_wildcard() {
    let text = "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /a\n\nUser-agent: Googlebot\n\
        Disallow: /b\n\nUser-agent: gptbot\nDisallow: /c\n\nUser-agent: ClaudeBot\nDisallow: /d\n\n\
        User-agent: *\nDisallow: /e\n";
    let history = history(vec![file(0, text)]);
    for (token, closed) in [
        ("GPTBot", "/a /c"),
        ("CCBot", "/a"),
        ("Googlebot", "/b"),
        ("Googlebot-Image", "/b"),
        ("Applebot", "/b"),
        ("ClaudeBot", "/d"),
        ("Claude-User", "/e"),
        ("OAI-SearchBot", "/e"),
    ] {
        let is_closed = |path: &&str| said(&history, token, path, 1).0 == Verdict::Disallowed;
        let found: Vec<&str> =
            ["/a", "/b", "/c", "/d", "/e"].into_iter().filter(is_closed).collect();
        assert_eq!(found.join(" "), closed, "{token}");
    }
}

#[test]
fn a_version_rules_from_its_exact_second_on() {
    let closed = "User-agent: GPTBot\nDisallow: /\n";
    let history = history(vec![file(1_000, "User-agent: *\nDisallow: /x\n"), file(2_000, closed)]);
    for (at_s, verdict) in [
        (999, Verdict::NoVersion),
        (1_000, Verdict::Allowed),
        (1_999, Verdict::Allowed),
        (2_000, Verdict::Disallowed),
    ] {
        assert_eq!(said(&history, "GPTBot", "/a", at_s).0, verdict, "{at_s}");
    }
    assert_eq!(said(&history, "GPTBot", "/x", 1_500).2, Some(2));
}

#[test]
fn periods_without_a_file_have_grounds_of_their_own() {
    let periods = vec![
        Version::without_file(1_000, Some(404), Basis::Deployed),
        Version::without_file(2_000, Some(503), Basis::Deployed),
        Version::without_file(2_000 + 2 * UNREACHABLE_S, Some(302), Basis::Deployed),
    ];
    let history = history(periods);
    for (path, at_s, verdict, ground) in [
        ("/a", 1_500, Verdict::Allowed, Ground::NoFile),
        ("/a", 2_000, Verdict::Disallowed, Ground::Unreachable),
        ("/robots.txt", 2_000, Verdict::Allowed, Ground::AlwaysAllowed),
        ("/a", 1_999 + UNREACHABLE_S, Verdict::Disallowed, Ground::Unreachable),
        ("/a", 2_000 + UNREACHABLE_S, Verdict::Allowed, Ground::UnreachableLong),
        ("/a", 2_000 + 2 * UNREACHABLE_S, Verdict::NoVersion, Ground::None),
    ] {
        assert_eq!(said(&history, "GPTBot", path, at_s), (verdict, ground, None), "{path} {at_s}");
    }
}

#[test]
fn between_two_looks_a_verdict_stands_only_where_both_versions_agree() {
    let mut seen = file(2_000, "User-agent: *\nDisallow: /a\nDisallow: /b\n");
    seen.uncertain_from_s = Some(1_500);
    let history = history(vec![file(1_000, "User-agent: *\nDisallow: /b\n"), seen]);
    for (path, at_s, verdict) in [
        ("/a", 1_500, Verdict::Allowed),
        ("/a", 1_501, Verdict::Ambiguous),
        ("/a", 1_999, Verdict::Ambiguous),
        ("/a", 2_000, Verdict::Disallowed),
        ("/b", 1_700, Verdict::Disallowed),
        ("/c", 1_700, Verdict::Allowed),
    ] {
        assert_eq!(said(&history, "GPTBot", path, at_s).0, verdict, "{path} {at_s}");
    }
}

#[test]
fn a_time_that_happened_twice_has_a_verdict_only_where_both_moments_agree() {
    let open = file(1_000, "User-agent: *\nDisallow: /b\n");
    let history = history(vec![open, file(2_000, "User-agent: *\nDisallow: /a\nDisallow: /b\n")]);
    let registry = Registry::embedded().unwrap();
    let rulings = Rulings::new(&history, &registry);
    for (path, at_s, again_s, verdict) in [
        ("/a", 1_500, Some(5_100), Verdict::Ambiguous),
        ("/b", 1_500, Some(5_100), Verdict::Disallowed),
        ("/c", 1_500, Some(5_100), Verdict::Allowed),
        ("/a", 1_500, None, Verdict::Allowed),
        ("/a", 500, Some(4_100), Verdict::Ambiguous),
    ] {
        let request = crate::logs::Request { at_s, again_s, ..crate::logs::Request::default() };
        let target = Target::new(path.as_bytes());
        let host = history.host(b"a.test");
        let ruling = rulings.rule_of(host, 0, &target, &request);
        assert_eq!(ruling.verdict, verdict, "{path} {at_s}");
    }
}

#[test]
fn grace_excuses_what_a_version_of_the_last_day_allowed() {
    let closed = "User-agent: *\nDisallow: /\n";
    let history =
        history(vec![file(0, closed), file(1_000, ""), file(2_000, closed), file(3_000, closed)]);
    let registry = Registry::embedded().unwrap();
    let rulings = Rulings::new(&history, &registry);
    let target = Target::new(b"/a");
    for (at_s, grace_s, expected) in [
        (2_000, 1, true),
        (2_000, 0, false),
        (2_500, 500, false),
        (2_500, 501, true),
        (3_500, 1_000, false),
        (3_500, 1_501, true),
        (500, 10_000, false),
    ] {
        assert_eq!(rulings.was_allowed_within(0, 0, &target, at_s, grace_s), expected, "{at_s}");
    }
}
