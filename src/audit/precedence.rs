//! Rules that fight, or that can never decide: found by what patterns match, not by how they look.
//!
//! RFC 9309, 2.2.2: the rule with the most octets decides, and of equals the Allow.

use std::collections::{BTreeMap, BTreeSet};

use crate::robots::{Governing, Robots, Rule};

use super::Check;
use super::context::Context;
use super::deprecated::there;
use super::finding::{Evidence, Finding, Kind, Status};

pub(super) const CHECK: Check = Check {
    name: "precedence",
    about: "Rules that contradict each other, that others beat everywhere, or that say nothing new.",
    kinds: &[&CONTRADICTION, &SHADOWED, &DUPLICATE, &REDUNDANT],
    needs_rules: true,
    run,
};

const CONTRADICTION: Kind = Kind {
    id: "precedence-contradiction",
    statuses: &[Status::Warning, Status::Notice],
    title: "The same path is closed and opened",
    when: "An Allow and a Disallow that govern the same crawler have the same pattern. It is a \
           warning where they are about the whole site.",
    intent: "One of the two; the file does not say which.",
    impact: "The Allow wins: what the Disallow closes is open.",
    fix: "Delete the line that is not meant.",
};

const SHADOWED: Kind = Kind {
    id: "precedence-shadowed",
    statuses: &[Status::Warning],
    title: "A rule is beaten by others wherever it matches",
    when: "A rule matches nothing that a heavier rule, which says the opposite, does not match too.",
    intent: "That the rule does something: often the author thinks that the first or the last line \
             decides.",
    impact: "The rule is never in force. The one with the most octets decides, wherever it stands.",
    fix: "Delete the rule, or make it more specific than the one that beats it.",
};

const DUPLICATE: Kind = Kind {
    id: "precedence-duplicate",
    statuses: &[Status::Notice],
    title: "The same rule stands twice",
    when: "Two rules of one group say the same about the same pattern.",
    intent: "Lists were joined, or a line was added that was there already.",
    impact: "None for crawlers; whoever deletes one of them later changes nothing, and wonders.",
    fix: "Delete the repetition.",
};

const REDUNDANT: Kind = Kind {
    id: "precedence-redundant",
    statuses: &[Status::Info],
    title: "A rule says what another says already",
    when: "A rule matches nothing that another rule of the same verdict does not match, with no \
           rule of the opposite verdict between the two in weight.",
    intent: "Often a remainder of older rules.",
    impact: "None for crawlers.",
    fix: "",
};

/// Rules of one crawler that are held against each other; a longer list is held as far as this.
const RULES_COMPARED: usize = 300;

/// What is wrong with a rule, and the line to blame.
type Found = BTreeMap<u32, (u32, bool)>;

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let (mut contradicted, mut shadowed) = (Found::new(), Found::new());
    let (mut repeated, mut redundant) = (Found::new(), Found::new());
    let mut seen = BTreeSet::new();
    let tokens = context.named().map(|visitor| visitor.token.as_str()).chain(["*"]);
    for token in tokens {
        let governing = robots.governing(token);
        if !seen.insert(governing.group_lines.clone()) {
            continue;
        }
        contradictions(&governing, &mut contradicted);
        repetitions(&governing, &mut repeated);
        inclusions(&governing, &mut shadowed, &mut redundant);
    }
    shadowed.retain(|line, _| !contradicted.contains_key(line));
    redundant.retain(|line, _| !repeated.contains_key(line) && !shadowed.contains_key(line));
    if !contradicted.is_empty() {
        let is_whole = contradicted.values().any(|(_, is_whole)| *is_whole);
        let status = if is_whole { Status::Warning } else { Status::Notice };
        let evidence = shown(robots, &contradicted, "is undone by the Allow of line");
        let summary = format!("There {}.", there(contradicted.len(), "such pair"));
        findings.push(Finding::of(&CONTRADICTION, summary).graded(status).shown_by(evidence));
    }
    for (kind, found, note) in [
        (&SHADOWED, &shadowed, "is always beaten by line"),
        (&DUPLICATE, &repeated, "repeats line"),
        (&REDUNDANT, &redundant, "is covered by line"),
    ] {
        if !found.is_empty() {
            let summary = format!("There {}.", there(found.len(), "such rule"));
            let evidence = shown(robots, found, note);
            findings.push(Finding::of(kind, summary).shown_by(evidence));
        }
    }
}

/// The lines as evidence, each with the line to blame.
fn shown(robots: &Robots, found: &Found, note: &str) -> Vec<Evidence> {
    let piece = |(&number, (other, _)): (&u32, &(u32, bool))| {
        let span = robots.line(number).map(|line| line.value);
        Evidence::line(robots, number, span).noting(format!("{note} {other}"))
    };
    found.iter().map(piece).collect()
}

/// Disallows whose very pattern an Allow opens.
fn contradictions(governing: &Governing, found: &mut Found) {
    let rules = governing.rules();
    for (place, allow) in rules.iter().enumerate().filter(|(_, rule)| rule.allow) {
        // Rules of equal weight stand together, Allows first.
        let equals = rules[place + 1..]
            .iter()
            .take_while(|rule| rule.pattern.octets() == allow.pattern.octets());
        for rule in equals.filter(|rule| !rule.allow && rule.pattern == allow.pattern) {
            if rule.pattern.can_match() {
                found.insert(rule.line, (allow.line, rule.pattern.covers_every_path()));
            }
        }
    }
}

/// Rules that stand twice.
fn repetitions(governing: &Governing, found: &mut Found) {
    let mut first: BTreeMap<(bool, &crate::robots::Pattern), u32> = BTreeMap::new();
    for rule in governing.rules().iter().filter(|rule| rule.pattern.can_match()) {
        let known = *first.entry((rule.allow, &rule.pattern)).or_insert(rule.line);
        if known != rule.line {
            found.insert(rule.line, (known, false));
        }
    }
}

/// Rules that others cover: those of the opposite verdict that are heavier, or those of the same
/// verdict with nothing of the opposite one between the two in weight.
fn inclusions(governing: &Governing, shadowed: &mut Found, redundant: &mut Found) {
    let sound = governing.rules().iter().copied().filter(|rule| rule.pattern.can_match());
    let rules: Vec<&Rule> = sound.take(RULES_COMPARED).collect();
    for (place, rule) in rules.iter().enumerate() {
        let beats =
            |other: &&&Rule| other.allow != rule.allow && other.pattern.covers(&rule.pattern);
        if let Some(winner) = rules[..place].iter().find(beats) {
            shadowed.insert(rule.line, (winner.line, false));
            continue;
        }
        let covers = |other: &Rule| {
            other.allow == rule.allow
                && other.pattern != rule.pattern
                && other.pattern.covers(&rule.pattern)
        };
        // Lighter rules of the same verdict, as far as none of the opposite comes between.
        let lighter = rules[place + 1..].iter().take_while(|other| other.allow == rule.allow);
        let heavier = rules[..place].iter().rev().take_while(|other| other.allow == rule.allow);
        let cover = lighter.chain(heavier).find(|other| covers(other));
        if let Some(cover) = cover {
            redundant.insert(rule.line, (cover.line, false));
        }
    }
}
