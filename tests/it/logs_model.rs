//! A log whose truth is known because it was made so: crawlers and impostors, a robots.txt that
//! changes within an hour that happens twice, malformed lines, headers that only look like claims.
//!
//! Addresses are those of documentation; nothing is drawn by the program under test.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// 2026-10-18T00:00:00Z.
const BEGIN_S: i64 = 1_792_281_600;
/// Two weeks, across the end of summer time.
const SPAN_S: i64 = 14 * 86_400;
/// 2026-10-25T01:00:00Z: clocks in Berlin go back.
const CLOCKS_BACK_S: i64 = 1_792_890_000;
/// 2026-10-25T00:30:00Z: the robots.txt changes, at 02:30 of which there are two that night.
pub(crate) const CHANGE_S: i64 = 1_792_888_200;

/// The first robots.txt.
pub(crate) const FIRST: &str = "User-agent: GPTBot\nDisallow: /private/\nDisallow: /*.pdf$\n\n\
    User-agent: *\nDisallow: /cart\n";
/// The second.
pub(crate) const SECOND: &str = "User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\n\
    Allow: /public/\n\nUser-agent: *\nDisallow: /cart\nDisallow: /*?*sid=\n";

/// A crawler: its token, its header, and the last octet of its first address of sixteen.
pub(crate) const CRAWLERS: [(&str, &str, u8); 6] = [
    ("Googlebot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", 0),
    ("bingbot", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", 16),
    ("GPTBot", "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)", 32),
    ("ClaudeBot", "Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)", 48),
    ("PerplexityBot", "PerplexityBot/1.0 (+https://perplexity.ai/perplexitybot)", 64),
    ("CCBot", "CCBot/2.0 (https://commoncrawl.org/faq/)", 80),
];

/// Headers that name no crawler, though some look like it.
const OTHERS: [&str; 7] = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36",
    "Mozilla/5.0 (compatible; NotGPTBot-Checker/1.0)",
    "GPTBotX/1.0",
    "Mozilla/5.0 (+https://openai.com/gptbot)",
    "Mozilla/5.0 (Linux; Android 9; CUBOT X18)",
    "Mozilla/5.0 (weird \\\"quoted\\\" agent; claudebot@anthropic.com)",
    "-",
];

/// Kinds of paths with an example's beginning.
const PATHS: [&str; 6] = [
    "/catalogue/item",
    "/list?page=2&sid=",
    "/cart/",
    "/private/doc%20",
    "/public/%7Euser",
    "/files/r",
];

/// What was put into the log of one crawler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Truth {
    pub(crate) claims: u64,
    pub(crate) genuine: u64,
    pub(crate) impersonated: u64,
    pub(crate) allowed: u64,
    pub(crate) disallowed: u64,
    pub(crate) disallowed_before: u64,
}

/// A request that was put into the log.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) at_s: i64,
    pub(crate) address: String,
    pub(crate) path: String,
    pub(crate) status: u16,
    /// The header, without the log's escapes.
    pub(crate) agent: String,
}

/// A log and its truth.
pub(crate) struct Model {
    pub(crate) lines: Vec<String>,
    pub(crate) requests: Vec<Asked>,
    pub(crate) crawlers: BTreeMap<&'static str, Truth>,
    pub(crate) parsed: u64,
    pub(crate) malformed: u64,
}

/// A generator of numbers (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

impl Model {
    /// A log of so many lines.
    pub(crate) fn new(lines: usize, seed: u64) -> Self {
        let crawlers = CRAWLERS.iter().map(|(token, ..)| (*token, Truth::default())).collect();
        let mut model =
            Self { lines: Vec::new(), requests: Vec::new(), crawlers, parsed: 0, malformed: 0 };
        let mut random = Random(seed);
        for place in 0..lines {
            let at_s = BEGIN_S + place as i64 * SPAN_S / lines as i64;
            // The last line is a request: a log may end within a line that cannot be read.
            model.add(at_s, &mut random, place + 1 < lines);
        }
        model
    }

    /// The whole log.
    pub(crate) fn text(&self) -> String {
        self.lines.concat()
    }

    /// Adds a line.
    fn add(&mut self, at_s: i64, random: &mut Random, may_be_malformed: bool) {
        let stamp = stamp(at_s);
        if may_be_malformed && random.below(50) == 0 {
            self.malformed += 1;
            let malformed = [
                String::new(),
                format!("192.0.2.9 - - [{stamp}"),
                "garbage \0\x01 line".to_owned(),
                "192.0.2.9 - - [99/Foo/2026:25:61:61 +0200] \"GET / HTTP/1.1\" 200 1 \"-\" \"x\""
                    .into(),
            ];
            self.lines.push(malformed[random.below(4) as usize].clone() + "\n");
            return;
        }
        self.parsed += 1;
        let status = [200, 200, 200, 301, 404, 500][random.below(6) as usize];
        let mut line = String::new();
        if random.below(3) > 0 {
            let other = OTHERS[random.below(OTHERS.len() as u64) as usize];
            let address = format!("2001:db8::{:x}", random.below(65_536));
            let _ = writeln!(
                line,
                "{address} - - [{stamp}] \"GET /a HTTP/2.0\" {status} 12 \"-\" \"{other}\""
            );
            self.lines.push(line);
            self.asked(at_s, address, "/a".into(), status, &other.replace("\\\"", "\""));
            return;
        }
        let (token, header, first) = CRAWLERS[random.below(CRAWLERS.len() as u64) as usize];
        let kind = random.below(PATHS.len() as u64) as usize;
        let ending = if kind == 5 { ".pdf" } else { "" };
        let path = format!("{}{}{ending}", PATHS[kind], random.below(40));
        let truth = self.crawlers.get_mut(token).expect("a crawler of the list");
        truth.claims += 1;
        let address = if random.below(8) == 0 {
            truth.impersonated += 1;
            format!("192.0.2.{}", random.below(256))
        } else {
            truth.genuine += 1;
            let is_after = at_s >= CHANGE_S;
            if is_allowed(token, kind, is_after) {
                truth.allowed += 1;
            } else {
                truth.disallowed += 1;
                truth.disallowed_before += u64::from(!is_after);
            }
            format!("198.51.100.{}", u64::from(first) + random.below(16))
        };
        let _ = writeln!(
            line,
            "{address} - - [{stamp}] \"GET {path} HTTP/1.1\" {status} 34 \"-\" \"{header}\""
        );
        self.lines.push(line);
        self.asked(at_s, address, path, status, header);
    }

    /// Notes a request.
    fn asked(&mut self, at_s: i64, address: String, path: String, status: u16, agent: &str) {
        self.requests.push(Asked { at_s, address, path, status, agent: agent.to_owned() });
    }
}

/// Whether a path of a kind is allowed, as the files were meant.
fn is_allowed(token: &str, kind: usize, is_after: bool) -> bool {
    let (is_list, is_cart, is_private, is_public, is_pdf) =
        (kind == 1, kind == 2, kind == 3, kind == 4, kind == 5);
    match (is_after, token) {
        (true, "GPTBot" | "ClaudeBot") => is_public,
        (true, _) => !is_cart && !is_list,
        (false, "GPTBot") => !is_private && !is_pdf,
        (false, _) => !is_cart,
    }
}

/// A moment as a server in Berlin writes it.
fn stamp(at_s: i64) -> String {
    let hours = if at_s < CLOCKS_BACK_S { 2 } else { 1 };
    let local = scanner::registry::Stamp::from_unix(at_s + hours * 3_600).to_string();
    let (day, month, time) = (&local[8..10], &local[5..7], &local[11..19]);
    let month = if month == "10" { "Oct" } else { "Nov" };
    format!("{day}/{month}/2026:{time} +0{hours}00")
}
