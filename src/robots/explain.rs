//! Words for rules and decisions: what a rule matches, who is governed by what, and why one won.
//!
//! The words are part of the output and change only with it. They quote the document as it is
//! written (octets that are not UTF-8 replaced): whoever prints them guards the terminal.

use std::fmt::Write as _;

use super::decision::{Decision, Governing, GroupKind, Reason};
use super::document::Robots;
use super::group::Rule;
use super::pattern::Pattern;
use super::target::Target;
use crate::closed_list;
use crate::words::{counted, shortened};

closed_list! {
    /// The kind of paths that a pattern matches.
    pub enum Shape {
        /// None.
        Nothing = "nothing",
        /// Every path.
        Everything = "everything",
        /// Those that begin with something.
        Prefix = "prefix",
        /// One path alone.
        Exact = "exact",
        /// Those that end in something.
        Suffix = "suffix",
        /// Those that hold several things in order.
        Wildcard = "wildcard",
    }
}

impl Pattern {
    /// The kind of paths that it matches.
    pub fn shape(&self) -> Shape {
        let (head, segments) = self.parts();
        match (self.is_anchored(), segments.as_slice()) {
            _ if !self.can_match() => Shape::Nothing,
            _ if self.covers_every_path() => Shape::Everything,
            (false, []) => Shape::Prefix,
            (true, []) if !self.has_star() => Shape::Exact,
            (true, [_]) if matches!(head, "" | "/") && !self.as_text().ends_with("*$") => {
                Shape::Suffix
            }
            (true, []) => Shape::Prefix,
            _ => Shape::Wildcard,
        }
    }

    /// What it matches, in words.
    pub fn words(&self) -> String {
        let (head, mut segments) = self.parts();
        match self.shape() {
            Shape::Nothing => return "nothing".to_owned(),
            Shape::Everything => return "every path".to_owned(),
            Shape::Prefix => return format!("every path that begins with {head}"),
            Shape::Exact => return format!("the path {head} alone"),
            Shape::Suffix | Shape::Wildcard => {}
        }
        let ends_open = !self.is_anchored() || self.as_text().ends_with("*$");
        let end = if ends_open { None } else { segments.pop() };
        let mut pieces = Vec::new();
        if !matches!(head, "" | "/") {
            pieces.push(format!("begins with {head}"));
        }
        for (place, segment) in segments.iter().enumerate() {
            let then = if place > 0 || !pieces.is_empty() { "then " } else { "" };
            // A path begins with a slash: behind a leading `/*` another one is meant.
            let after = place == 0 && head == "/" && segment.starts_with('/');
            let after = if after { " after its first /" } else { "" };
            pieces.push(format!("{then}holds {segment}{after}"));
        }
        if let Some(end) = end {
            let then = if pieces.is_empty() { "" } else { "then " };
            let after = if pieces.is_empty() && head == "/" && end.starts_with('/') {
                " after its first /"
            } else {
                ""
            };
            pieces.push(format!("{then}ends in {end}{after}"));
        }
        format!("every path that {}", joined(&pieces))
    }

    /// What stands before the first star, and what stands between and behind the stars.
    fn parts(&self) -> (&str, Vec<&str>) {
        let body = self.as_text();
        let body = if self.is_anchored() { &body[..body.len() - 1] } else { body };
        let mut pieces = body.split('*');
        let head = pieces.next().unwrap_or_default();
        (head, pieces.filter(|piece| !piece.is_empty()).collect())
    }

    /// Whether a star stands in it.
    fn has_star(&self) -> bool {
        self.as_text().contains('*')
    }
}

impl Rule {
    /// The key and the value, as they would best be written.
    pub fn written(&self, robots: &Robots) -> String {
        let key = if self.allow { "Allow" } else { "Disallow" };
        let value = String::from_utf8_lossy(robots.octets(self.raw));
        format!("{key}: {value}").trim_end().to_owned()
    }

    /// What the rule does, in words: `closes every path that begins with /a (2 octets)`.
    pub fn words(&self, robots: &Robots) -> String {
        let verb = if self.allow { "opens" } else { "closes" };
        let Some(why) = self.why_without_effect(robots) else {
            let mut words = format!("{verb} {} ({})", self.pattern.words(), self.octets());
            if self.pattern.as_text().as_bytes() != robots.octets(self.raw) {
                let _ = write!(words, ", read as {}", self.pattern.as_text());
            }
            return words;
        };
        format!("has no effect, since {why}")
    }

    /// Why the rule matches nothing, if it does not.
    pub fn why_without_effect(&self, robots: &Robots) -> Option<&'static str> {
        if self.pattern.can_match() {
            return None;
        }
        let value = robots.octets(self.raw);
        let lower = value.to_ascii_lowercase();
        Some(match value {
            [] => "it is empty",
            _ if lower.starts_with(b"http://") || lower.starts_with(b"https://") => {
                "it is a whole URL, and paths begin with /"
            }
            [b'/' | b'*', ..] => "its value is not in the grammar of RFC 9309",
            _ => "it begins with neither / nor *, and paths begin with /",
        })
    }

    /// The rule's specificity, with its unit.
    fn octets(&self) -> String {
        counted(self.pattern.octets(), "octet")
    }
}

/// A decision with what led to it.
#[derive(Clone, Debug)]
pub struct Explanation<'a> {
    /// What was decided.
    pub decision: Decision<'a>,
    /// Which kind of group governs.
    pub kind: GroupKind,
    /// The lines of the user-agent records that make it govern.
    pub group_lines: Vec<u32>,
    /// Every rule that matches, such that each decides if those before it were not there.
    pub matching: Vec<&'a Rule>,
    /// Rules of `*` that could match something and do not apply, since an own group governs.
    pub ignored_wildcard_rules: usize,
    /// The whole in one sentence.
    pub sentence: String,
}

impl Robots {
    /// Decides about a target for a product token, and says why.
    pub fn explain<'a>(&'a self, token: &str, target: &Target) -> Explanation<'a> {
        let governing = self.governing(token);
        let decision = governing.decide(target);
        let matching: Vec<&Rule> = match decision.reason {
            Reason::AlwaysAllowed => Vec::new(),
            _ => {
                governing.rules().iter().copied().filter(|it| it.pattern.matches(target)).collect()
            }
        };
        let ignored_wildcard_rules = match governing.kind {
            GroupKind::Own => {
                self.governing("*").rules().iter().filter(|rule| rule.pattern.can_match()).count()
            }
            GroupKind::Wildcard | GroupKind::None => 0,
        };
        let sentence = self.sentence(token, target, &governing, &matching, ignored_wildcard_rules);
        Explanation {
            decision,
            kind: governing.kind,
            group_lines: governing.group_lines,
            matching,
            ignored_wildcard_rules,
            sentence,
        }
    }

    /// The decision in a sentence: the verdict, who governs, and why.
    fn sentence(
        &self,
        token: &str,
        target: &Target,
        governing: &Governing,
        matching: &[&Rule],
        ignored: usize,
    ) -> String {
        let decision = governing.decide(target);
        let verdict = if decision.allowed { "allowed" } else { "disallowed" };
        let path = target.as_text();
        let mut sentence = format!("{token} is {verdict} at {path}: ");
        sentence += &match decision.reason {
            Reason::AlwaysAllowed => "the robots.txt itself is always allowed".to_owned(),
            Reason::Default => "no rule that governs it matches".to_owned(),
            Reason::Tie => format!("{}, and an Allow wins a tie", self.won(matching)),
            Reason::Longest => self.won(matching),
        };
        sentence += &match governing.kind {
            _ if decision.reason == Reason::AlwaysAllowed => String::new(),
            GroupKind::Own => {
                format!("; its own group governs it ({})", governing.lines_in_words())
            }
            GroupKind::Wildcard => {
                format!("; the group of * governs it ({})", governing.lines_in_words())
            }
            GroupKind::None => "; no group names it, and there is none for *".to_owned(),
        };
        if ignored > 0 && decision.reason != Reason::AlwaysAllowed {
            let (rules, verb) =
                (counted(ignored, "rule"), if ignored == 1 { "does" } else { "do" });
            let _ = write!(sentence, ", so the {rules} of * {verb} not apply");
        }
        sentence
    }

    /// What won over what: the deciding rule and the first of the others that says otherwise.
    fn won(&self, matching: &[&Rule]) -> String {
        /// Characters of a rule that are quoted; more would hide the rest of the sentence.
        const QUOTED: usize = 66;
        let named = |rule: &Rule| {
            let written = shortened(&rule.written(self), QUOTED);
            format!("line {} `{written}` ({})", rule.line, rule.octets())
        };
        let Some((winner, others)) = matching.split_first() else { return String::new() };
        let Some(rival) = others.iter().find(|rule| rule.allow != winner.allow) else {
            return format!("{} decides", named(winner));
        };
        format!("{} beats {}", named(winner), named(rival))
    }
}

impl Governing<'_> {
    /// The lines of the user-agent records that make it govern, the first few of them in words.
    pub fn lines_in_words(&self) -> String {
        /// More would hide the rest of the sentence.
        const SHOWN: usize = 5;
        let lines = &self.group_lines;
        let shown: Vec<_> = lines.iter().take(SHOWN).map(u32::to_string).collect();
        let more = if lines.len() > SHOWN { " …" } else { "" };
        let word = if lines.len() == 1 { "line" } else { "lines" };
        format!("{word} {}{more}", shown.join(", "))
    }
}

/// Pieces as a list in a sentence.
fn joined(pieces: &[String]) -> String {
    match pieces {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
