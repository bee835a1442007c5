//! Files that mean harm: what they cost beside the peers, and how the cost grows.

use std::hint::black_box;
use std::time::{Duration, Instant};

use scanner::robots::{self, Target};

use crate::milliseconds;

/// Rounds of which the least counts.
const ROUNDS: usize = 25;

/// A document and the path that is asked about.
struct Case {
    document: Vec<u8>,
    path: String,
}

/// A way to decide about one path of a document.
type Decide = fn(&Case);

/// Cases of about 63 KB, each with its name.
fn cases() -> [(&'static str, Case); 4] {
    let lines = |count: usize, line: &str| Case {
        document: ["User-agent: *\n", &line.repeat(count)].concat().into_bytes(),
        path: format!("/{}", "a".repeat(8_000)),
    };
    let stars = |count| format!("Disallow: /{}*b\n", "*a".repeat(count));
    [
        ("63 lines of 500 stars", lines(63, &stars(495))),
        ("one line of 31,500 stars", lines(1, &stars(31_500))),
        ("63 lines that almost match", lines(63, &format!("Disallow: /*{}b\n", "a".repeat(990)))),
        ("3,900 short lines with a star", lines(3_900, "Disallow: /*ab\n")),
    ]
}

/// Prints what cases of about 63 KB cost each contender.
pub(crate) fn compare() {
    println!(
        "| hostile, about 63 KB, path of 8,000 octets | scanner, ms | robotxt, ms | texting_robots, ms |"
    );
    println!("| --- | --- | --- | --- |");
    for (name, case) in cases() {
        let [ours, robotxt, texting] =
            [decide_ours as Decide, decide_robotxt, decide_texting].map(|it| least(it, &case));
        let [ours, robotxt, texting] = [ours, robotxt, texting].map(milliseconds);
        println!("| {name} | {ours:.2} | {robotxt:.2} | {texting:.2} |");
    }
    println!();
}

/// Prints how the time grows when a case doubles.
pub(crate) fn slopes() {
    println!("| doubling | ms | | | | times per doubling |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (name, first, make) in SLOPES {
        let times = [1, 2, 4, 8].map(|factor| least(decide_ours, &make(first * factor)));
        let ratios: Vec<_> = times
            .windows(2)
            .map(|pair| format!("{:.2}", pair[1].as_secs_f64() / pair[0].as_secs_f64()))
            .collect();
        let times = times.map(|time| format!("{:.2}", milliseconds(time)));
        println!("| {name}, from {first} | {} | {} |", times.join(" | "), ratios.join(", "));
    }
}

/// How a case of a size is made.
type Make = fn(usize) -> Case;

/// Cases that are doubled, each with its name and least size; the largest stay within the limit on
/// size, so that nothing is left unread.
const SLOPES: [(&str, usize, Make); 7] = [
    ("stars in one pattern, path as long", 25_000, |size| Case {
        document: format!("User-agent: *\nDisallow: /{}*b\n", "*a".repeat(size)).into_bytes(),
        path: format!("/{}", "a".repeat(2 * size)),
    }),
    ("a segment that almost matches, path twice as long", 25_000, |size| Case {
        document: format!("User-agent: *\nDisallow: /*{}b*c\n", "a".repeat(size)).into_bytes(),
        path: format!("/{}", "a".repeat(2 * size)),
    }),
    ("rules", 5_000, |size| Case {
        document: numbered("User-agent: *\n", "Allow:/", size),
        path: "/x".into(),
    }),
    ("rules with a star", 4_000, |size| Case {
        document: numbered("User-agent: *\n", "Allow:/*", size),
        path: "/x".into(),
    }),
    ("groups of one crawler", 2_500, |size| Case {
        document: "User-agent:a\nAllow:/\n".repeat(size).into_bytes(),
        path: "/x".into(),
    }),
    ("user-agent lines in one group", 4_000, |size| Case {
        document: numbered("", "User-agent:", size),
        path: "/x".into(),
    }),
    ("octets in one line", 62_500, |size| Case {
        document: ["User-agent: *\nDisallow: /", &"\u{e9}".repeat(size / 2)].concat().into_bytes(),
        path: format!("/{}", "\u{e9}".repeat(size / 2)),
    }),
];

/// A head, and lines that differ by their number.
fn numbered(head: &str, line: &str, count: usize) -> Vec<u8> {
    let lines = (0..count).map(|number| format!("{line}{number:x}\n"));
    std::iter::once(head.to_owned()).chain(lines).collect::<String>().into_bytes()
}

/// The least time that a decision takes, parsing included.
fn least(decide: Decide, case: &Case) -> Duration {
    let time = || {
        let start = Instant::now();
        decide(case);
        start.elapsed()
    };
    (0..ROUNDS).map(|_| time()).min().unwrap_or_default()
}

fn decide_ours(case: &Case) {
    let robots = robots::parse(&case.document);
    black_box(robots.governing("a").decide(&Target::new(case.path.as_bytes())).allowed);
}

fn decide_robotxt(case: &Case) {
    black_box(robotxt::Robots::parse(&case.document, "a").is_allowed(&case.path));
}

fn decide_texting(case: &Case) {
    let robots = texting_robots::Robot::new("a", &case.document);
    black_box(robots.is_ok_and(|robots| robots.allowed(&case.path)));
}
