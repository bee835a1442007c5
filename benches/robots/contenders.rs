//! The contenders: each parses and decides in its natural way.
//!
//! `scanner` parses once for all crawlers and keeps every line and group; the peers parse once for
//! each crawler and keep that crawler's rules alone.

use std::hint::black_box;
use std::time::{Duration, Instant};

use scanner::robots::{self, Target};

/// One engine.
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// Parses a file once; a peer does so for one crawler.
    pub(crate) parse: fn(&[u8]),
    /// Gets ready for all crawlers and decides about all paths.
    pub(crate) ask: fn(&[u8], &Questions, &mut Times),
}

/// Who is asked for, and about what.
pub(crate) struct Questions<'a> {
    pub(crate) tokens: &'a [&'a str],
    pub(crate) paths: &'a [&'a str],
}

/// What one round took.
#[derive(Clone, Copy, Default)]
pub(crate) struct Times {
    pub(crate) parse: Duration,
    pub(crate) ready: Duration,
    pub(crate) decide: Duration,
    pub(crate) allowed: usize,
}

/// All contenders, ours first.
pub(crate) const CONTENDERS: [Contender; 3] = [
    Contender { name: "scanner", parse: parse_ours, ask: ask_ours },
    Contender { name: "robotxt", parse: parse_robotxt, ask: ask_robotxt },
    Contender { name: "texting_robots", parse: parse_texting, ask: ask_texting },
];

impl Times {
    /// Longer than any round.
    pub(crate) fn most() -> Self {
        let most = Duration::from_secs(1 << 40);
        Self { parse: most, ready: most, decide: most, allowed: 0 }
    }

    /// Keeps the lesser of each time.
    pub(crate) fn keep_less(&mut self, other: &Self) {
        self.parse = self.parse.min(other.parse);
        self.ready = self.ready.min(other.ready);
        self.decide = self.decide.min(other.decide);
        self.allowed = other.allowed;
    }

    /// From octets to decisions.
    pub(crate) fn whole(&self) -> Duration {
        self.ready + self.decide
    }
}

fn parse_ours(octets: &[u8]) {
    black_box(robots::parse(octets));
}

fn ask_ours(octets: &[u8], questions: &Questions, times: &mut Times) {
    let start = Instant::now();
    let robots = robots::parse(octets);
    let governing: Vec<_> = questions.tokens.iter().map(|token| robots.governing(token)).collect();
    let ready = Instant::now();
    let targets: Vec<_> = questions.paths.iter().map(|path| Target::new(path.as_bytes())).collect();
    for governing in &governing {
        let allowed = targets.iter().filter(|target| governing.decide(target).allowed);
        times.allowed += black_box(allowed.count());
    }
    times.ready += ready - start;
    times.decide += ready.elapsed();
}

fn parse_robotxt(octets: &[u8]) {
    let _ = black_box(robotxt::Robots::parse(octets, "GPTBot"));
}

fn ask_robotxt(octets: &[u8], questions: &Questions, times: &mut Times) {
    let start = Instant::now();
    let parse = |token: &&str| robotxt::Robots::parse(octets, *token);
    let parsed: Vec<_> = questions.tokens.iter().map(parse).collect();
    let ready = Instant::now();
    for robots in &parsed {
        let allowed = questions.paths.iter().filter(|path| robots.is_allowed(path));
        times.allowed += black_box(allowed.count());
    }
    times.ready += ready - start;
    times.decide += ready.elapsed();
}

fn parse_texting(octets: &[u8]) {
    let _ = black_box(texting_robots::Robot::new("GPTBot", octets));
}

fn ask_texting(octets: &[u8], questions: &Questions, times: &mut Times) {
    let start = Instant::now();
    let parse = |token: &&str| texting_robots::Robot::new(token, octets).ok();
    let parsed: Vec<_> = questions.tokens.iter().map(parse).collect();
    let ready = Instant::now();
    for robots in parsed.iter().flatten() {
        let allowed = questions.paths.iter().filter(|path| robots.allowed(path));
        times.allowed += black_box(allowed.count());
    }
    times.ready += ready - start;
    times.decide += ready.elapsed();
}
