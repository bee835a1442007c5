//! `paths.toml` read: its rules, each whole and well formed, in the file's order.
//!
//! `pattern-library/README.md` is the reference of the keys. What the rules decide is for
//! `judgement`, and the language of their patterns for `pattern`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::refusal::Refusal;
use crate::words::Word as _;

use super::paths::{PathRules, Rule, RuleClass, RuleKind, RuleWords};
use super::pattern::Pattern;
use super::vocabulary::Vocabulary;

/// `paths.toml` as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Written>,
}

/// One `[[rule]]` as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: Spanned<String>,
    class: String,
    kind: Option<String>,
    words: Option<String>,
    #[serde(default)]
    encloses: bool,
    #[serde(default)]
    carve_out: bool,
    patterns: Vec<Spanned<String>>,
    why: String,
    hits: Vec<String>,
    misses: Vec<String>,
}

impl PathRules {
    /// Reads `paths.toml`.
    pub(super) fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        let written: File =
            toml::from_str(text).map_err(|error| Refusal::of_toml(file, text, &error))?;
        let mut owners: BTreeMap<String, String> = BTreeMap::new();
        let mut rules: Vec<Rule> = Vec::new();
        for written in written.rule {
            let line = line_at(text, written.id.span().start);
            let id = written.id.get_ref().clone();
            let refuse = |message: String, hint: &str| Refusal::of(file, message, hint).at(line);
            if rules.iter().any(|rule| rule.id == id) {
                return Err(refuse(format!("two rules have the id {id}"), "rename one"));
            }
            for pattern in &written.patterns {
                if let Some(owner) = owners.insert(pattern.get_ref().clone(), id.clone()) {
                    let message = format!("{} stands in rule {owner} already", pattern.get_ref());
                    let hint = "name a pattern once: the second would never decide";
                    let line = line_at(text, pattern.span().start);
                    return Err(Refusal::of(file, message, hint).at(line));
                }
            }
            rules.push(rule_of(file, text, written, line)?);
        }
        match rules.is_empty() {
            true => Err(Refusal::of(file, "no rule", "add a [[rule]]")),
            false => Ok(Self::indexed(file, rules)),
        }
    }

    /// Makes the patterns quick to find.
    fn indexed(file: &str, rules: Vec<Rule>) -> Self {
        let mut by_name: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        let mut without_name = Vec::new();
        for (place, rule) in rules.iter().enumerate() {
            for (pattern, parsed) in rule.parsed.iter().enumerate() {
                match parsed.key() {
                    Some(key) => by_name.entry(key).or_default().push((place, pattern)),
                    None => without_name.push((place, pattern)),
                }
            }
        }
        let vocabulary = Vocabulary::of(&rules);
        Self { file: file.to_owned(), rules, by_name, without_name, vocabulary }
    }
}

/// Turns a written rule into one that can be used.
fn rule_of(file: &str, text: &str, written: Written, line: u64) -> Result<Rule, Refusal> {
    let id = written.id.get_ref().clone();
    let refuse = |message: String, hint: &str| Refusal::of(file, message, hint).at(line);
    let is_snake =
        |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'_';
    if id.is_empty() || !id.bytes().all(is_snake) {
        return Err(refuse(format!("bad id: {id:?}"), "an id is written in snake_case"));
    }
    let Some(class) = RuleClass::from_word(&written.class) else {
        let message = format!("rule {id}: unknown class: {:?}", written.class);
        return Err(refuse(message, "primary, secondary, functional or ambiguous"));
    };
    let kind = match written.kind.as_deref().map(RuleKind::from_word) {
        None => RuleKind::Name,
        Some(Some(kind)) => kind,
        Some(None) => {
            return Err(refuse(format!("rule {id}: unknown kind"), "name, hint or one_page"));
        }
    };
    let words = match written.words.as_deref().map(RuleWords::from_word) {
        None if kind == RuleKind::Name => RuleWords::Last,
        None => RuleWords::None,
        Some(Some(words)) if kind == RuleKind::Name => words,
        Some(_) => {
            let hint = "last, leading, front or none, on a rule of kind name";
            return Err(refuse(format!("rule {id}: bad words"), hint));
        }
    };
    if let Some((message, hint)) = fault_of(&written, &id, class, kind) {
        return Err(refuse(message, hint));
    }
    let mut parsed = Vec::new();
    let mut patterns = Vec::new();
    for pattern in written.patterns {
        let start = pattern.span().start;
        let pattern = pattern.into_inner();
        parsed.push(Pattern::parse(&pattern).map_err(|hint| {
            Refusal::of(file, format!("rule {id}: bad pattern: {pattern:?}"), hint)
                .at(line_at(text, start))
        })?);
        patterns.push(pattern);
    }
    let Written { carve_out: is_carve_out, encloses, why, hits, misses, .. } = written;
    let encloses = encloses || class == RuleClass::Functional;
    let rule = Rule {
        id,
        class,
        kind,
        is_carve_out,
        patterns,
        why,
        hits,
        misses,
        words,
        encloses,
        line,
        parsed,
    };
    Ok(rule)
}

/// What is wrong with a rule beyond its single keys, with a hint.
fn fault_of(
    written: &Written,
    id: &str,
    class: RuleClass,
    kind: RuleKind,
) -> Option<(String, &'static str)> {
    let fits = match kind {
        RuleKind::Name => true,
        RuleKind::Hint => class != RuleClass::Primary,
        RuleKind::OnePage => class == RuleClass::Secondary,
    };
    let is_bare =
        written.why.trim().is_empty() || written.hits.is_empty() || written.misses.is_empty();
    if written.encloses && class != RuleClass::Secondary {
        let hint = "only a secondary rule is told that it encloses: a functional one always does";
        Some((format!("rule {id}: encloses, but {class}"), hint))
    } else if !fits {
        let hint = "one page is secondary, and a hint never shows primary content";
        Some((format!("rule {id}: {kind}, but {class}"), hint))
    } else if written.carve_out && class != RuleClass::Functional {
        let hint = "a carve-out is a functional endpoint beneath a primary directory";
        Some((format!("rule {id}: carve_out, but {class}"), hint))
    } else if is_bare {
        let hint = "a rule has a reason, and shows what it decides and what it does not";
        Some((format!("rule {id} has no why, no hits or no misses"), hint))
    } else {
        let is_empty = written.patterns.is_empty();
        is_empty.then(|| (format!("rule {id} has no pattern"), "add one"))
    }
}

/// The line, counted from 1, in which an offset lies.
fn line_at(text: &str, offset: usize) -> u64 {
    1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|&&octet| octet == b'\n').count()
        as u64
}
