//! Documents: lines, groups, issues and decisions, clause by clause.

use crate::limits::ROBOTS_OCTETS;
use crate::robots::{Facts, Field, GroupKind, Issue, IssueKind, LineKind, Reason, Target, parse};

/// The issues of a document, without those of the document as a whole.
fn line_issues(document: &[u8]) -> Vec<(u32, IssueKind)> {
    let issues = parse(document).issues();
    issues.into_iter().filter_map(|Issue { line, kind }| Some((line?, kind))).collect()
}

/// The issues of a document as a whole.
fn whole_issues(document: &[u8]) -> Vec<IssueKind> {
    let issues = parse(document).issues();
    issues.into_iter().filter(|issue| issue.line.is_none()).map(|issue| issue.kind).collect()
}

#[test]
fn a_line_ends_at_cr_lf_or_both_and_nowhere_else() {
    for (document, texts) in [
        (&b"a\nb\rc\r\nd"[..], &[&b"a"[..], b"b", b"c", b"d"][..]),
        (b"a\n\rb", &[b"a", b"", b"b"]),
        (b"a\r\r\n", &[b"a", b""]),
        (b"a\x0bb\x0cc\xc2\x85d\xe2\x80\xa8e", &[b"a\x0bb\x0cc\xc2\x85d\xe2\x80\xa8e"]),
        (b"\xef\xbb\xbfa\n", &[b"a"]),
        (b"\xff\xfea\0\n\0\x60\x4f\0", &[b"a", "你".as_bytes()]),
        (b"", &[]),
    ] {
        let robots = parse(document);
        let found: Vec<_> =
            (1..=robots.lines().len() as u32).map(|n| robots.line_text(n)).collect();
        assert_eq!(found, texts, "{document:?}");
        let ends = robots.lines().last().map_or(0, |line| line.range.end as usize);
        assert_eq!(ends, document.len(), "{document:?}");
    }
}

#[test]
fn a_line_is_a_record_a_comment_blank_or_junk() {
    for (text, kind, key, value) in [
        (&b"Disallow: /a"[..], LineKind::Record, &b"Disallow"[..], &b"/a"[..]),
        (b" \t Disallow \t:\x0b/a b\x0c", LineKind::Record, b"Disallow", b"/a b"),
        (b"Disallow:/a#b", LineKind::Record, b"Disallow", b"/a"),
        (b"Disallow:", LineKind::Record, b"Disallow", b""),
        (b"Disallow: : /a", LineKind::Record, b"Disallow", b": /a"),
        (b"Disallow\t /a", LineKind::Record, b"Disallow", b"/a"),
        (b"Disallow: /a\0b", LineKind::Record, b"Disallow", b"/a"),
        (b"Sitemap: https://a/b", LineKind::Record, b"Sitemap", b"https://a/b"),
        (b"Anything: else", LineKind::Record, b"Anything", b"else"),
        (b"Disallow /a /b", LineKind::Junk, b"", b""),
        (b"Disallow=/a", LineKind::Junk, b"", b""),
        (b"two words", LineKind::Junk, b"", b""),
        (b": /a", LineKind::Junk, b"", b""),
        (b"\xc2\xa0Disallow: /a", LineKind::Junk, b"", b""),
        (b"<a href='https://a'>", LineKind::Junk, b"", b""),
        (b"\0Disallow: /a", LineKind::Junk, b"", b""),
        (b" # Disallow: /a", LineKind::Comment, b"", b""),
        (b" \t", LineKind::Blank, b"", b""),
    ] {
        let document = [b"\n", text].concat();
        let robots = parse(&document);
        let line = robots.line(2).expect("a second line");
        assert_eq!(line.kind, kind, "{text:?}");
        assert_eq!(robots.octets(line.key), key, "{text:?}");
        assert_eq!(robots.octets(line.value), value, "{text:?}");
    }
}

#[test]
fn what_stands_past_the_limit_is_one_unread_piece() {
    let mut document = b"User-agent: *\n".to_vec();
    document.resize(ROBOTS_OCTETS - 6, b'#');
    document.extend(b"\nDisallow: /a\nDisallow: /b\n");
    let robots = parse(&document);
    assert!(robots.truncated());
    let last = robots.lines().last().expect("a last line");
    assert_eq!((last.number, last.kind, last.field), (3, LineKind::Unread, Field::Unknown));
    assert_eq!(last.range.range(), ROBOTS_OCTETS - 5..document.len());
    assert_eq!(robots.line_text(3), b"");
    assert!(robots.groups()[0].rules.is_empty());
    assert!(robots.issues().contains(&Issue { line: Some(3), kind: IssueKind::Truncated }));

    document.truncate(ROBOTS_OCTETS);
    assert!(!parse(&document).truncated());
}

#[test]
fn only_a_rule_ends_a_run_of_user_agents() {
    let text = b"User-agent: a\n\n# c\nCrawl-delay: 1\nUser-agent: b\nDisallow:\nUser-agent: c\n\
        Sitemap: https://a/s\nAllow: /x\nHost: a\nSitemap: https://a/t\n";
    let robots = parse(text);
    let groups: Vec<_> = robots
        .groups()
        .iter()
        .map(|group| {
            let agents: Vec<_> = group.agents.iter().map(|agent| agent.line).collect();
            let rules: Vec<_> = group.rules.iter().map(|rule| rule.line).collect();
            (agents, rules, group.others.clone(), group.first_line, group.last_line)
        })
        .collect();
    let expected = [(vec![1, 5], vec![6], vec![4], 1, 6), (vec![7], vec![9], vec![10], 7, 10)];
    assert_eq!(groups, expected);
    assert_eq!(
        line_issues(text),
        [(5, IssueKind::RunSharedOverRecord), (10, IssueKind::NonstandardDirective)]
    );
}

#[test]
fn groups_of_one_token_are_merged_and_weighed_together() {
    let robots = parse(
        b"User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n\nUser-agent: A/2\n\
        Allow: /xy\nDisallow:\nAllow: /y\nDisallow: /y\n",
    );
    let own = robots.governing("A");
    assert_eq!((own.kind, &own.group_lines[..]), (GroupKind::Own, &[1, 7][..]));
    let order: Vec<_> = own.rules().iter().map(|rule| rule.line).collect();
    assert_eq!(order, [8, 10, 2, 11, 9]);
    let other = robots.governing("b");
    assert_eq!((other.kind, &other.group_lines[..]), (GroupKind::Wildcard, &[4][..]));
    assert_eq!(robots.governing("*").kind, GroupKind::Wildcard);
    assert_eq!(parse(b"").governing("a").kind, GroupKind::None);
}

#[test]
fn a_decision_names_its_rule_and_its_reason() {
    let robots = parse(
        b"User-agent: *\nAllow: /p\nDisallow: /p\nDisallow: /p\nAllow: /page\nDisallow: /*.pdf$\n",
    );
    let governing = robots.governing("a");
    for (url, allowed, line, reason) in [
        ("/p", true, Some(2), Reason::Tie),
        ("/page", true, Some(5), Reason::Longest),
        ("/page.pdf", false, Some(6), Reason::Longest),
        ("/q", true, None, Reason::Default),
        ("/robots.txt", true, None, Reason::AlwaysAllowed),
    ] {
        let decision = governing.decide(&Target::new(url.as_bytes()));
        let found = (decision.allowed, decision.rule.map(|rule| rule.line), decision.reason);
        assert_eq!(found, (allowed, line, reason), "{url}");
    }
}

#[test]
fn a_document_is_asked_for_sitemaps_tokens_and_records() {
    let robots = parse(
        b"Site-map: https://a/1\nUser-agent: GPTBot/1\nUser-agent: *\nUser-agent: gptbot\n\
        User-agent: \"x\"\nSitemap:\nSitemap: https://a/2\n",
    );
    let sitemaps: Vec<_> = robots.sitemaps().collect();
    assert_eq!(sitemaps, [(1, &b"https://a/1"[..]), (7, b"https://a/2")]);
    assert_eq!(robots.named_tokens(), ["GPTBot"]);
    for (document, has_records) in
        [(&b"Host: a"[..], true), (b"# Host: a\n\n", false), (b"x: y\nAllowed: /", false)]
    {
        assert_eq!(parse(document).has_records(), has_records, "{document:?}");
    }
}

#[test]
fn every_issue_of_a_line_is_found() {
    for (text, kinds) in [
        (&b"Disallow: /a"[..], &[][..]),
        (b"Disallow:", &[]),
        (b"Crawl-delay: 1.5", &[]),
        (b"Sitemap: HTTPS://a/b", &[]),
        (b"hello there you", &[IssueKind::MalformedLine]),
        (b"Disallow /a", &[IssueKind::MissingColon]),
        (b"Dissallow: /a", &[IssueKind::TypoAccepted]),
        (b"Disallowed: /a", &[IssueKind::PrefixKey]),
        (b"Dis-allow: /a", &[IssueKind::UnknownDirective]),
        (b"Clean-param: a /b", &[IssueKind::NonstandardDirective]),
        (b"Noindex: /a", &[IssueKind::IneffectiveDirective]),
        (b"Sitemap:", &[IssueKind::EmptySitemap]),
        (b"Sitemap: /b", &[IssueKind::InvalidValue]),
        (b"Crawl-delay: inf", &[IssueKind::InvalidValue]),
        (b"Disallow: a", &[IssueKind::InvalidPath]),
        (b"Allow: https://a/b", &[IssueKind::AbsoluteUrl]),
        (b"Disallow: /a b", &[IssueKind::BlankInPath]),
        (b"Disallow: /a\0", &[IssueKind::Nul]),
        (b"Disallow:\xc2\xa0/a", &[IssueKind::InvalidPath, IssueKind::Nbsp]),
        (b"Disallow: /a #\xc2\xa0", &[]),
        (b"# a\x0cDisallow: /", &[IssueKind::ForeignLineEnd]),
        (b"# a\xe2\x80\xa8b", &[IssueKind::ForeignLineEnd]),
        (b"\xef\xbb\xbfAllow: /", &[IssueKind::MalformedLine, IssueKind::StrayBom]),
        (b"# \xe9", &[IssueKind::InvalidUtf8]),
        (b"User-agent: A, B", &[IssueKind::UaList]),
        (b"User-agent: A1/2", &[IssueKind::UaVersion, IssueKind::DigitToken]),
    ] {
        let found = line_issues(&[b"User-agent: a\n", text].concat());
        let expected: Vec<_> = kinds.iter().map(|&kind| (2, kind)).collect();
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(text));
    }
    let long = [b"User-agent: a\nDisallow: /", &[b'a'; 17_000][..]].concat();
    assert!(parse(&long).lines()[1].facts.has(Facts::LONG));
    assert_eq!(line_issues(&long), [(2, IssueKind::LineTooLong)]);
    assert_eq!(line_issues(b"Disallow: /\n"), [(1, IssueKind::OrphanDirective)]);
}

#[test]
fn every_issue_of_a_whole_document_is_found() {
    for (document, kinds) in [
        (&b"User-agent: a"[..], &[][..]),
        (b"", &[IssueKind::NoGroup]),
        (b"\xef\xbbUser-agent: a", &[IssueKind::PartialBom]),
        (b"\xff\xfe", &[IssueKind::EncodingUtf16, IssueKind::NoGroup]),
        (b"\n <!doctype html>", &[IssueKind::LooksLikeHtml, IssueKind::NoGroup]),
        (b"<html>\nUser-agent: a", &[IssueKind::LooksLikeHtml]),
        (b"<3\nUser-agent: a", &[]),
    ] {
        assert_eq!(whole_issues(document), kinds, "{document:?}");
    }
}
