//! Properties: the matcher against a slow twin, coverage against every short path, documents against
//! their equals, any octets at all.

use proptest::prelude::*;

use crate::robots::{self, Dialect, Pattern, Target};
use crate::words::Word as _;

/// Whether a pattern matches a path, by trying every length that a star can have.
fn slowly_matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|skip| slowly_matches(rest, &path[skip..])),
        [octet, rest @ ..] => path.first() == Some(octet) && slowly_matches(rest, &path[1..]),
    }
}

/// Every path over an alphabet of three, up to five octets.
fn short_paths() -> Vec<String> {
    let mut paths = vec![String::from("/")];
    let mut from = 0;
    for _ in 1..5 {
        let to = paths.len();
        for index in from..to {
            paths.extend(["a", "b", "/"].map(|octet| format!("{}{octet}", paths[index])));
        }
        from = to;
    }
    paths
}

proptest! {
    #[test]
    fn the_matcher_agrees_with_its_slow_twin(
        pattern in "[/*]?[ab/*]{0,7}[$]?",
        path in "/[ab/]{0,9}",
    ) {
        let matches = Pattern::new(pattern.as_bytes()).matches(&Target::new(path.as_bytes()));
        let expected = !pattern.is_empty() && slowly_matches(pattern.as_bytes(), path.as_bytes());
        prop_assert_eq!(matches, expected);
    }

    #[test]
    fn coverage_agrees_with_every_short_path(
        pattern in "[/*][a/*]{0,3}[$]?",
        other in "[/*][a/*]{0,3}[$]?",
    ) {
        let [pattern, other] = [pattern, other].map(|raw| Pattern::new(raw.as_bytes()));
        let holds = short_paths().iter().all(|path| {
            let target = Target::new(path.as_bytes());
            pattern.matches(&target) || !other.matches(&target)
        });
        prop_assert_eq!(pattern.covers(&other), holds, "{:?} {:?}", pattern, other);
    }

    #[test]
    fn any_octets_are_a_document_with_every_octet_in_one_line(
        start in prop::sample::select(vec![&b""[..], b"\xef\xbb", b"\xff\xfe", b"\xfe\xff"]),
        octets in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        check_document(&[start, &octets].concat());
    }

    #[test]
    fn documents_of_records_are_accounted_for(
        lines in prop::collection::vec(
            "(User-agent|Disallow|Allow|Sitemap|x| )[: ]{0,2}[*a/$%#\u{0}\u{a0}é]{0,4}(\r|\n|\r\n)",
            0..20,
        ),
    ) {
        check_document(lines.concat().as_bytes());
    }

    #[test]
    fn what_means_nothing_changes_no_verdict(
        lines in prop::collection::vec(
            "(User-agent: [ab*])|((Disallow|Allow):( [/*][ab/*]{0,3}[$]?)?)",
            0..12,
        ),
    ) {
        let plain = lines.join("\n");
        let variants = [
            lines.join("\r"),
            lines.join("\r\n"),
            lines.join(" # comment\n"),
            lines.join("\n\n#\n \t\n"),
            lines.join("\nSitemap: https://example.com/\n"),
            lines.join("\nno record at all\n"),
            lines.join("\n").replace("User-agent: ", "USER-AGENT:\t"),
            lines.join("\n").replace("Allow:", "aLLOW :").replace("Disallow:", "disAllow\t:"),
            lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("\n"),
        ];
        for variant in variants {
            prop_assert_eq!(verdicts(&variant), verdicts(&plain), "{:?}", variant);
        }
    }

    #[test]
    fn the_order_of_groups_and_rules_changes_no_verdict(
        groups in prop::collection::vec(
            ("[ab*]", prop::collection::vec("(Disallow|Allow):( [/*][ab/*]{0,3}[$]?)?", 1..5)),
            1..5,
        ),
    ) {
        let written = |groups: &[(String, Vec<String>)]| {
            let group = |(agent, rules): &(String, Vec<String>)| {
                format!("User-agent: {agent}\n{}\n", rules.join("\n"))
            };
            groups.iter().map(group).collect::<String>()
        };
        let plain = written(&groups);
        let of_one_rule = |(agent, rules): &(String, Vec<String>)| {
            rules.iter().map(|rule| (agent.clone(), vec![rule.clone()])).collect::<Vec<_>>()
        };
        let split: Vec<_> = groups.iter().flat_map(of_one_rule).collect();
        let mut reversed = split.clone();
        reversed.reverse();
        let mut sorted = split.clone();
        sorted.sort();
        for variant in [split, reversed, sorted] {
            prop_assert_eq!(verdicts(&written(&variant)), verdicts(&plain), "{:?}", variant);
        }
    }

    #[test]
    fn the_normal_form_of_a_target_is_its_own(path in "/[a-z0-9*$ /?é]{0,12}") {
        let once = Target::new(path.as_bytes());
        prop_assert_eq!(&Target::new(once.as_text().as_bytes()), &once);
    }
}

/// A rule with its letters escaped; any other record as it is.
fn escaped(record: &str) -> String {
    match record.split_once("llow:") {
        Some((key, value)) => format!("{key}llow:{}", value.replace('a', "%61")),
        None => record.to_owned(),
    }
}

/// What a document decides for three crawlers about every short path.
fn verdicts(document: &str) -> Vec<bool> {
    let robots = robots::parse(document.as_bytes());
    let paths = short_paths();
    let targets: Vec<_> = paths.iter().map(|path| Target::new(path.as_bytes())).collect();
    let of_crawler = |token| {
        let governing = robots.governing(token);
        targets.iter().map(|target| governing.decide(target).allowed).collect::<Vec<_>>()
    };
    ["a", "b", "c"].into_iter().flat_map(of_crawler).collect()
}

/// Asks a document everything there is to ask, in every dialect.
fn check_document(document: &[u8]) {
    Dialect::ALL.iter().for_each(|&dialect| check_reading(document, dialect));
}

/// Asks one reading everything there is to ask; its lines must be all of the document.
fn check_reading(document: &[u8], dialect: Dialect) {
    let robots = robots::parse_in(document, dialect);
    let mut end = 0;
    for line in robots.lines() {
        assert_eq!(line.range.start as usize, end);
        assert!(line.number > 0 && robots.line(line.number) == Some(line));
        end = line.range.end as usize;
        for span in [line.key, line.value, line.comment] {
            let inside = span.start >= line.text.start && span.end <= line.text.end;
            assert!(span.is_empty() || inside, "{line:?}");
        }
    }
    assert_eq!(end, document.len());
    for issue in robots.issues() {
        let place = robots.place_of(&issue).zip(issue.line.and_then(|line| robots.line(line)));
        let is_inside =
            place.is_none_or(|(at, line)| at.start >= line.text.start && at.end <= line.text.end);
        assert!(is_inside, "{issue:?}");
    }
    assert_eq!(robots.listing().len(), robots.lines().len());
    for token in robots.named_tokens().into_iter().chain(["GPTBot", "a b", "*"]) {
        let target = robots.target(document);
        let explanation = robots.explain(token, &target);
        let decision = robots.governing(token).decide(&target);
        assert_eq!(explanation.decision, decision);
        assert!(decision.allowed || decision.rule.is_some());
        assert_eq!(explanation.matching.first().copied(), decision.rule);
        check_index(&robots, token);
    }
}

/// The index finds the records that a look at each of them finds.
fn check_index(robots: &robots::Robots, token: &str) {
    let names = |agent: &&robots::Agent| {
        !agent.is_wildcard && agent.names(robots.text(), robots.dialect(), token.as_bytes())
    };
    let agents = robots.groups().iter().flat_map(|group| &group.agents);
    let naming: Vec<_> = agents.filter(names).map(|agent| agent.line).collect();
    let governing = robots.governing(token);
    let is_own = governing.kind == robots::GroupKind::Own;
    assert_eq!(is_own, !naming.is_empty(), "{token}");
    assert!(!is_own || governing.group_lines == naming, "{token}");
}
