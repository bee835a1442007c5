//! Patterns, clause by clause: matching, specificity, coverage.

use crate::robots::{Pattern, Target};

/// Whether a pattern, as written, matches a URL.
fn matches(pattern: &str, url: &str) -> bool {
    Pattern::new(pattern.as_bytes()).matches(&Target::new(url.as_bytes()))
}

#[test]
fn a_pattern_is_a_prefix_with_stars_and_an_anchor() {
    for (pattern, url, expected) in [
        ("/", "/", true),
        ("/", "/anything?at=all", true),
        ("/fish", "/fish.html", true),
        ("/fish", "/Fish", false),
        ("/fish/", "/fish", false),
        ("/fish*", "/fish", true),
        ("/*.php", "/index.php?a", true),
        ("/*.php$", "/index.php?a", false),
        ("/*.php$", "/a.php.php", true),
        ("/a*a$", "/a", false),
        ("/a*a$", "/aa", true),
        ("/a*b*a", "/aba", true),
        ("/a*b*b", "/ab", false),
        ("*", "/x", true),
        ("*x", "/x", true),
        ("*/x", "/x", true),
        ("*$", "/x", true),
        ("/**", "/x", true),
        ("/$", "/", true),
        ("/$", "/?a", false),
        ("", "/", false),
        ("$", "/", false),
        ("x", "/x", false),
        ("/a$b", "/a$b", true),
        ("/a$b", "/a", false),
        ("/$$", "/$", true),
        ("/$$", "/", false),
        ("/%2A", "/*", true),
        ("/%2a", "/x", false),
        ("/%24", "/$", true),
        ("/%24", "/", false),
        ("/a.c", "/abc", false),
        ("/a?", "/a", false),
        ("/foo bar", "/foo%20bar", true),
        ("/%2F", "//", false),
        ("/%", "/%25", true),
        ("/%zz", "/%zz", true),
    ] {
        assert_eq!(matches(pattern, url), expected, "{pattern} {url}");
    }
}

#[test]
fn specificity_counts_the_octets_of_the_normal_form() {
    for (pattern, octets) in [
        ("", 0),
        ("/", 1),
        ("/*", 2),
        ("/**$", 4),
        ("/%61%62", 3),
        ("/ツ", 10),
        ("/%e3%83%84", 10),
        ("/a b", 6),
        ("/a$b", 6),
    ] {
        assert_eq!(Pattern::new(pattern.as_bytes()).octets(), octets, "{pattern}");
    }
}

#[test]
fn every_way_to_write_the_whole_site_is_known() {
    for pattern in ["/", "*", "/*", "/**", "**", "*$", "/*$", "/**$", "*/", "*/*", "**/*$", "/***"]
    {
        assert!(Pattern::new(pattern.as_bytes()).covers_every_path(), "{pattern}");
    }
    for pattern in ["", "$", "/$", "*/$", "/*/", "//", "/*?", "/a", "*a", "x", "%2F", "*//", "/%2A"]
    {
        assert!(!Pattern::new(pattern.as_bytes()).covers_every_path(), "{pattern}");
    }
}

#[test]
fn a_pattern_covers_what_it_must_match_as_well() {
    for (pattern, other, expected) in [
        ("/a", "/a", true),
        ("/a", "/ab", true),
        ("/a", "/a*b$", true),
        ("/ab", "/a", false),
        ("/a$", "/a", false),
        ("/a", "/a$", true),
        ("/*.php", "/x/*.php$", true),
        ("/*.php$", "/x/*.php", false),
        ("/*b", "/a*b*c", true),
        ("/*c*b", "/a*b*c", false),
        ("/", "*", true),
        ("/*a", "*a", true),
        ("/*/a", "*/a", false),
        ("*/a", "/*/a", true),
        ("*/a", "*/a", true),
        ("/a*", "*a", false),
        ("*", "**$", true),
        ("/a", "x", true),
        ("x", "/a", false),
        ("/%61", "/a", true),
    ] {
        let covers = Pattern::new(pattern.as_bytes()).covers(&Pattern::new(other.as_bytes()));
        assert_eq!(covers, expected, "{pattern} {other}");
    }
}

#[test]
fn a_hostile_pattern_takes_one_pass() {
    let pattern = Pattern::new(["/", &"*a".repeat(30_000), "*b"].concat().as_bytes());
    let target = Target::new(["/", &"a".repeat(60_000)].concat().as_bytes());
    for _ in 0..10 {
        assert!(!pattern.matches(&target));
    }
}
