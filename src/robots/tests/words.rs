//! Words: what rules and decisions say of themselves.

use crate::robots::{Dialect, Issue, IssueKind, Pattern, Shape, parse, parse_in};
use crate::words::Word as _;

#[test]
fn a_pattern_says_what_it_matches() {
    for (raw, shape, words) in [
        ("", Shape::Nothing, "nothing"),
        ("a", Shape::Nothing, "nothing"),
        ("/", Shape::Everything, "every path"),
        ("/**", Shape::Everything, "every path"),
        ("/a", Shape::Prefix, "every path that begins with /a"),
        ("/a*", Shape::Prefix, "every path that begins with /a"),
        ("/a*$", Shape::Prefix, "every path that begins with /a"),
        ("/a$", Shape::Exact, "the path /a alone"),
        ("/$", Shape::Exact, "the path / alone"),
        ("/*.pdf$", Shape::Suffix, "every path that ends in .pdf"),
        ("*.gif$", Shape::Suffix, "every path that ends in .gif"),
        ("/*/$", Shape::Suffix, "every path that ends in / after its first /"),
        ("/*?", Shape::Wildcard, "every path that holds ?"),
        ("/*/b", Shape::Wildcard, "every path that holds /b after its first /"),
        ("/a*b", Shape::Wildcard, "every path that begins with /a and then holds b"),
        ("/a*b$", Shape::Wildcard, "every path that begins with /a and then ends in b"),
        (
            "/a*b*c$",
            Shape::Wildcard,
            "every path that begins with /a, then holds b and then ends in c",
        ),
        ("*b*c*$", Shape::Wildcard, "every path that holds b and then holds c"),
    ] {
        let pattern = Pattern::new(raw.as_bytes());
        assert_eq!((pattern.shape(), pattern.words().as_str()), (shape, words), "{raw}");
    }
}

#[test]
fn a_rule_says_what_it_does() {
    for (text, dialect, words) in [
        ("Disallow: /a", Dialect::C01, "closes every path that begins with /a (2 octets)"),
        ("Allow: /$", Dialect::C01, "opens the path / alone (2 octets)"),
        (
            "Disallow: /é",
            Dialect::C01,
            "closes every path that begins with /%C3%A9 (7 octets), read as /%C3%A9",
        ),
        ("Disallow:", Dialect::C01, "has no effect, since it is empty"),
        (
            "Disallow: a",
            Dialect::C01,
            "has no effect, since it begins with neither / nor *, and paths begin with /",
        ),
        (
            "Disallow: https://a/b",
            Dialect::C01,
            "has no effect, since it is a whole URL, and paths begin with /",
        ),
        (
            "Disallow: /a b",
            Dialect::Strict,
            "has no effect, since its value is not in the grammar of RFC 9309",
        ),
    ] {
        let robots = parse_in(format!("User-agent: *\n{text}\n").as_bytes(), dialect);
        assert_eq!(robots.groups()[0].rules[0].words(&robots), words, "{text}");
    }
}

#[test]
fn a_decision_says_what_won_over_what_and_who_governs() {
    let robots = parse(
        b"User-agent: a\nAllow: /p\nDisallow: /p\nDisallow: /page\nUser-agent: *\nDisallow: /\n\
        Disallow:\n",
    );
    for (token, url, sentence) in [
        (
            "A",
            "/p",
            "A is allowed at /p: line 2 `Allow: /p` (2 octets) beats line 3 `Disallow: /p` \
             (2 octets), and an Allow wins a tie; its own group governs it (line 1), so the 1 rule \
             of * does not apply",
        ),
        (
            "A",
            "/pages",
            "A is disallowed at /pages: line 4 `Disallow: /page` (5 octets) beats line 2 \
             `Allow: /p` (2 octets); its own group governs it (line 1), so the 1 rule of * does not \
             apply",
        ),
        (
            "A",
            "/x",
            "A is allowed at /x: no rule that governs it matches; its own group governs it \
             (line 1), so the 1 rule of * does not apply",
        ),
        (
            "b",
            "https://example.com",
            "b is disallowed at /: line 6 `Disallow: /` (1 octet) decides; the group of * governs \
             it (line 5)",
        ),
        (
            "b",
            "/robots.txt",
            "b is allowed at /robots.txt: the robots.txt itself is always allowed",
        ),
    ] {
        let explanation = robots.explain(token, &robots.target(url.as_bytes()));
        assert_eq!(explanation.sentence, sentence, "{token} {url}");
    }
    let explanation = robots.explain("a", &robots.target(b"/pages"));
    let matching: Vec<_> = explanation.matching.iter().map(|rule| rule.line).collect();
    assert_eq!(matching, [4, 2, 3]);
    assert_eq!(explanation.ignored_wildcard_rules, 1);
    let open = parse(b"");
    assert_eq!(
        open.explain("a", &open.target(b"/")).sentence,
        "a is allowed at /: no rule that governs it matches; no group names it, and there is none \
         for *"
    );
}

#[test]
fn every_line_is_a_record_or_has_an_issue() {
    let document = b"\xef\xbb\xbfUser-agent: a\n# b\n\nDisallow /x\nnonsense at all\nNoindex: /\n\
        Sitemap: https://a/s\nx: y\n";
    let robots = parse(document);
    let found: Vec<_> = robots
        .listing()
        .into_iter()
        .map(|listed| (listed.line.number, listed.record.map(|field| field.word()), listed.issues))
        .collect();
    let expected = [
        (1, Some("user_agent"), vec![]),
        (2, None, vec![]),
        (3, None, vec![]),
        (4, Some("disallow"), vec![IssueKind::MissingColon]),
        (5, None, vec![IssueKind::MalformedLine]),
        (6, Some("noindex"), vec![IssueKind::IneffectiveDirective]),
        (7, Some("sitemap"), vec![]),
        (8, Some("unknown"), vec![IssueKind::UnknownDirective]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_issue_points_at_what_it_is_about() {
    for (text, kind, place) in [
        ("Dissallow: /a", IssueKind::TypoAccepted, "Dissallow"),
        ("Disallow: a b", IssueKind::InvalidPath, "a b"),
        ("Disallow: a b", IssueKind::BlankInPath, " "),
        ("Disallow  /a", IssueKind::MissingColon, "  "),
        ("User-agent: MJ12bot", IssueKind::DigitToken, "1"),
        ("User-agent:", IssueKind::UaEmpty, "User-agent"),
        ("  non sense at all # b", IssueKind::MalformedLine, "non sense at all"),
        ("Disallow: /a\u{a0}", IssueKind::Nbsp, "\u{a0}"),
        ("Disallow: /%61", IssueKind::EscapedPath, "/%61"),
        ("Allow: /index.html", IssueKind::IndexPage, "/index.html"),
    ] {
        let document = format!("User-agent: *\n{text}\n");
        let robots = parse(document.as_bytes());
        let issue = Issue { line: Some(2), kind };
        assert!(robots.issues().contains(&issue), "{text}: {:?}", robots.issues());
        let span = robots.place_of(&issue).expect("a place");
        assert_eq!(robots.octets(span), place.as_bytes(), "{text}");
    }
}

#[test]
fn an_unknown_key_is_told_with_the_one_that_may_have_been_meant() {
    for (key, meant) in [
        ("Dis-allow", Some("disallow")),
        ("User_agent", Some("user-agent")),
        ("Crawldelay", Some("crawl-delay")),
        ("Frequency", None),
    ] {
        let robots = parse(format!("User-agent: *\n{key}: /a\n").as_bytes());
        let issue = Issue { line: Some(2), kind: IssueKind::UnknownDirective };
        assert!(robots.issues().contains(&issue), "{key}");
        assert_eq!(robots.key_meant(&issue), meant, "{key}");
        let words = robots.issue_words(&issue);
        match meant {
            Some(meant) => assert_eq!(
                words,
                format!("a key that nobody knows; did you mean {meant}?"),
                "{key}"
            ),
            None => assert_eq!(words, "a key that nobody knows", "{key}"),
        }
    }
}
