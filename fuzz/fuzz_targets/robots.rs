//! Any octets as a token, a URL and a robots.txt: no panic, every octet in one line, and the decision
//! that a slow matcher gives (RFC 9309, 2.2.1 and 2.2.2).

#![no_main]
#![allow(dead_code, unused_imports, reason = "the engine offers more than is asked here")]

use libfuzzer_sys::fuzz_target;

#[path = "../../src/robots/mod.rs"]
mod robots;
#[path = "../../src/words.rs"]
mod words;

mod limits {
    //! A limit low enough to be met.
    pub(crate) const ROBOTS_OCTETS: usize = 1_000;
}

use robots::{Agent, Group, Robots, Rule, Target};

fuzz_target!(|octets: &[u8]| {
    let mut parts = octets.splitn(3, |&octet| octet == b'\n');
    let [token, url, document] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let robots = robots::parse(document);
    check_lines(&robots, document);
    robots.issues();
    let target = Target::new(url);
    check_decision(&robots, &String::from_utf8_lossy(token), &target);
    for token in robots.named_tokens() {
        check_decision(&robots, token, &target);
    }
});

/// Every octet of the document is in one line.
fn check_lines(robots: &Robots, document: &[u8]) {
    let end = robots.lines().iter().fold(0, |end, line| {
        assert_eq!(line.range.start, end);
        line.range.end
    });
    assert_eq!(end as usize, document.len());
}

/// The decision is that of the weightiest of all rules that match.
fn check_decision(robots: &Robots, token: &str, target: &Target) {
    let decision = robots.governing(token).decide(target);
    let own: Vec<_> = groups(robots, |agent| names(robots.octets(agent.value), token));
    let all = if own.is_empty() { groups(robots, |agent| agent.is_wildcard) } else { own };
    let rules = all.into_iter().flat_map(|group| &group.rules);
    let matching = rules.filter(|rule| matches(rule, target));
    let weightiest = matching.max_by_key(|rule| (rule.pattern.octets(), rule.allow));
    let expected = target.is_robots_txt() || weightiest.is_none_or(|rule| rule.allow);
    assert_eq!(decision.allowed, expected, "{token} {}", target.as_text());
}

/// The groups with an agent for which something holds.
fn groups(robots: &Robots, holds: impl Fn(&Agent) -> bool) -> Vec<&Group> {
    robots.groups().iter().filter(|group| group.agents.iter().any(&holds)).collect()
}

/// Whether a user-agent value names a token.
fn names(value: &[u8], token: &str) -> bool {
    let (value, token) = (value.to_ascii_lowercase(), token.to_ascii_lowercase());
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_".contains(octet);
    let rest = value.strip_prefix(token.as_bytes());
    !token.is_empty() && token != "*" && rest.is_some_and(|it| !it.first().is_some_and(is_part))
}

/// Whether a rule matches, by a table of which beginnings of the pattern reach which octets.
fn matches(rule: &Rule, target: &Target) -> bool {
    let path = target.as_text().as_bytes();
    let pattern = rule.pattern.as_text().as_bytes();
    let mut reached = vec![false; path.len() + 1];
    reached[0] = pattern.first().is_some_and(|first| b"/*".contains(first));
    for (place, &octet) in pattern.iter().enumerate() {
        let is_anchor = octet == b'$' && place + 1 == pattern.len();
        reached = (0..=path.len())
            .map(|at| match octet {
                _ if is_anchor => at == path.len() && reached[at],
                b'*' => reached[..=at].contains(&true),
                _ => at > 0 && reached[at - 1] && path[at - 1] == octet,
            })
            .collect();
    }
    reached.contains(&true)
}
