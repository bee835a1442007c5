//! What a robots.txt decides about URLs, for a terminal: verdict, deciding line, why.

use std::fmt::Write as _;

use super::excerpt::{WIDTH, excerpt};
use super::heading::heading;
use super::printable::shown;
use super::robots::{RobotsQuestion, UrlAsked, one_line, token_width};
use crate::robots::{Explanation, Robots};
use crate::words::{counted, shortened};

/// Rules that matched and are shown.
const SHOWN: usize = 10;

/// Every decision that is asked for, each explained where crawlers were named.
pub(super) fn decisions(question: &RobotsQuestion, page: &mut String) {
    for url in &question.urls {
        if question.are_tokens_named {
            question.tokens.iter().for_each(|token| one_decision(question, token, url, page));
        } else {
            table(question, url, page);
        }
    }
}

/// One decision, its line and its reasons.
fn one_decision(question: &RobotsQuestion, token: &str, asked: &UrlAsked, page: &mut String) {
    let (robots, url) = (question.robots(), asked.url.as_str());
    let explanation = robots.explain(token, &robots.target(url.as_bytes()));
    let verdict = verdict(explanation.decision.allowed);
    let named = |text: &str| shown(text.as_bytes());
    heading(&format!("{} {verdict} {}", named(token), named(url)), page);
    origin(asked, page);
    if let Some(rule) = explanation.decision.rule {
        page.push_str(&excerpt(robots, rule.line, rule.raw));
        let _ = writeln!(page, "  this rule {}", shortened(&named(&rule.words(robots)), 2 * WIDTH));
    }
    let _ = writeln!(page, "  {}", named(&explanation.sentence));
    others(robots, &explanation, page);
    dialects(question, token, url, page);
}

/// Says that the rules do not bind a URL, where that is so.
fn origin(asked: &UrlAsked, page: &mut String) {
    if asked.is_of_other_origin {
        page.push_str(
            "! of another origin: these rules do not bind it, its own robots.txt does\n\
             ! (RFC 9309, 2.3); what they would decide:\n",
        );
    }
}

/// The other rules that match, in the order in which they would decide.
fn others(robots: &Robots, explanation: &Explanation, page: &mut String) {
    let others = explanation.matching.get(1..).unwrap_or_default();
    if others.is_empty() {
        return;
    }
    let _ = writeln!(page, "  also matching, in the order in which they would decide:");
    for rule in others.iter().take(SHOWN) {
        let written = one_line(rule.written(robots).as_bytes());
        let octets = counted(rule.pattern.octets(), "octet");
        let _ = writeln!(page, "  {:>5} | {written}  ({octets})", rule.line);
    }
    if others.len() > SHOWN {
        let _ = writeln!(page, "        … and {} more; --json lists all", others.len() - SHOWN);
    }
}

/// All dialects beside each other, where they do not agree on verdict, group and line.
fn dialects(question: &RobotsQuestion, token: &str, url: &str, page: &mut String) {
    let outcome = |robots: &Robots| {
        let governing = robots.governing(token);
        let decision = governing.decide(&robots.target(url.as_bytes()));
        (decision.allowed, decision.rule.map(|rule| rule.line), governing.group_lines)
    };
    let asked = outcome(question.robots());
    if question.readings.all().all(|robots| outcome(robots) == asked) {
        return;
    }
    page.push_str("  the dialects differ:\n");
    for robots in question.readings.all() {
        let explanation = robots.explain(token, &robots.target(url.as_bytes()));
        let sentence = shown(explanation.sentence.as_bytes());
        let _ = writeln!(page, "    {:<7} {sentence}", robots.dialect());
    }
}

/// One line a crawler: the verdict about a URL, and the dialects that say otherwise.
fn table(question: &RobotsQuestion, asked: &UrlAsked, page: &mut String) {
    let url = asked.url.as_str();
    heading(&shown(url.as_bytes()), page);
    origin(asked, page);
    let width = token_width(question);
    for token in &question.tokens {
        let stands = short(question.robots(), token, url);
        let _ = write!(page, "  {:<width$}  {stands}", shown(token.as_bytes()));
        for other in question.readings.all() {
            let otherwise = short(other, token, url);
            if otherwise != stands {
                let _ = write!(page, "; {}: {otherwise}", other.dialect());
            }
        }
        page.push('\n');
    }
}

/// A verdict with its line.
fn short(robots: &Robots, token: &str, url: &str) -> String {
    let governing = robots.governing(token);
    let decision = governing.decide(&robots.target(url.as_bytes()));
    let by = match decision.rule {
        Some(rule) => format!("by line {} ({})", rule.line, governing.kind),
        None => format!("by default ({})", governing.kind),
    };
    format!("{:<10} {by}", verdict(decision.allowed))
}

/// The word for a verdict.
fn verdict(allowed: bool) -> &'static str {
    if allowed { "allowed" } else { "disallowed" }
}
