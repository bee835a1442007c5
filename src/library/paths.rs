//! The path rules of `paths.toml`: which class a Disallow path has, by which rule, and why.
//!
//! The deepest known segment names what is closed, a query lies deeper than any segment, and
//! rules that reach equally deep are taken in the file's order. What is ambiguous or unknown is
//! `secondary` and says so. `C01:` all of this is the instrument's own reading of the method,
//! which names the classes and their defaults only.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::closed_list;
use crate::refusal::Refusal;
use crate::words::Word as _;

use super::locales::Locales;
use super::pattern::{Depth, Pattern};
use super::shape::Shape;

closed_list! {
    /// What a path holds, the least restrictive to close first.
    pub enum PathClass {
        /// Infrastructure: closing it closes no content.
        Functional = "functional",
        /// Everything between, and what is ambiguous or unknown.
        Secondary = "secondary",
        /// Content the site exists for.
        Primary = "primary",
    }
}

closed_list! {
    /// What a rule says of the paths it names.
    pub enum RuleClass {
        /// They are `primary`.
        Primary = "primary",
        /// They are `secondary`.
        Secondary = "secondary",
        /// They are `functional`.
        Functional = "functional",
        /// They mean one thing here and another there: `secondary`, and logged.
        Ambiguous = "ambiguous",
    }
}

impl RuleClass {
    /// The class of a path that such a rule decides.
    pub fn path_class(self) -> PathClass {
        match self {
            Self::Primary => PathClass::Primary,
            Self::Functional => PathClass::Functional,
            Self::Secondary | Self::Ambiguous => PathClass::Secondary,
        }
    }
}

closed_list! {
    /// Why a path has its class.
    pub enum PathReason {
        /// A rule names it; in files `rule:<id>`, see [`PathVerdict::reason_word`].
        Rule = "rule",
        /// A data or API endpoint beneath a primary directory.
        CarveOut = "carve_out",
        /// A rule names it as ambiguous.
        Ambiguous = "ambiguous",
        /// No rule names it.
        Unknown = "unknown",
        /// The path without its locale prefix decided.
        LocaleStripped = "locale_stripped",
    }
}

/// What the library says of one Disallow path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathVerdict {
    /// Its class.
    pub class: PathClass,
    /// Why.
    pub reason: PathReason,
    /// The rule that decided; none where the path is unknown.
    pub rule_id: Option<String>,
}

impl PathVerdict {
    /// The reason as files write it: `rule:<id>` or the reason's own word.
    pub fn reason_word(&self) -> String {
        match (self.reason, &self.rule_id) {
            (PathReason::Rule, Some(id)) => format!("rule:{id}"),
            (reason, _) => reason.word().to_owned(),
        }
    }

    /// Whether a person should look at it before publication.
    pub fn needs_review(&self) -> bool {
        matches!(self.reason, PathReason::Ambiguous | PathReason::Unknown)
    }
}

/// One rule of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, in `snake_case`.
    pub id: String,
    /// What it says of the paths it names.
    pub class: RuleClass,
    /// Whether beneath a primary directory it is a carve-out.
    pub is_carve_out: bool,
    /// Its patterns, as written.
    pub patterns: Vec<String>,
    /// The reason for its class.
    pub why: String,
    /// Disallow values that it must decide.
    pub hits: Vec<String>,
    /// Disallow values that it must not decide.
    pub misses: Vec<String>,
    /// The line of `paths.toml` that it begins in.
    pub line: u64,
    parsed: Vec<Pattern>,
}

impl Rule {
    /// The deepest place in which one of its patterns finds what it names.
    fn find(&self, shape: &Shape) -> Option<Depth> {
        self.parsed.iter().filter_map(|pattern| pattern.find(shape)).max()
    }
}

/// The rules in the file's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathRules {
    file: String,
    pub(super) rules: Vec<Rule>,
}

impl PathRules {
    /// Judges the value of a Disallow line, raw and without its locale prefix: of the two the
    /// more restrictive known result counts, so that stripping resolves what is unknown and never
    /// makes a path look more open than a rule has it.
    pub(super) fn judge(&self, value: &[u8], locales: &Locales) -> PathVerdict {
        let Some(mut shape) = Shape::read(value) else { return unknown() };
        shape.locale = locales.prefix_of(&shape.segments);
        let raw = self.judge_shape(&shape);
        let Some(stripped) = shape.without_locale().map(|shape| self.judge_shape(&shape)) else {
            return raw;
        };
        let is_known = |verdict: &PathVerdict| verdict.rule_id.is_some();
        if !is_known(&stripped) || (is_known(&raw) && raw.class >= stripped.class) {
            return raw;
        }
        // An ambiguous path stays one for review, whatever prefix it had.
        let reason = match stripped.reason {
            PathReason::Rule => PathReason::LocaleStripped,
            reason => reason,
        };
        PathVerdict { reason, ..stripped }
    }

    /// Judges one reading of a value.
    pub(super) fn judge_shape(&self, shape: &Shape) -> PathVerdict {
        let mut deepest: Option<(Depth, &Rule)> = None;
        let mut shallowest_primary: Option<Depth> = None;
        for rule in &self.rules {
            let Some(depth) = rule.find(shape) else { continue };
            if deepest.is_none_or(|(before, _)| depth > before) {
                deepest = Some((depth, rule));
            }
            if rule.class == RuleClass::Primary {
                shallowest_primary = shallowest_primary.into_iter().chain([depth]).min();
            }
        }
        let Some((depth, rule)) = deepest else { return unknown() };
        let class = rule.class.path_class();
        let names_parameters = shape.query.as_ref().is_some_and(|names| !names.is_empty());
        if names_parameters && !depth.is_query() && class != PathClass::Functional {
            // An unknown parameter of a content page: a filter or the content itself.
            return unknown();
        }
        let beneath_primary =
            shallowest_primary.is_some_and(|primary| primary.is_shallower_than(depth));
        let reason = match rule.class {
            RuleClass::Ambiguous => PathReason::Ambiguous,
            RuleClass::Functional if rule.is_carve_out && beneath_primary => PathReason::CarveOut,
            _ => PathReason::Rule,
        };
        PathVerdict { class, reason, rule_id: Some(rule.id.clone()) }
    }

    /// Runs every rule's own examples.
    pub(super) fn check(&self, locales: &Locales) -> Vec<Refusal> {
        let mut faults = Vec::new();
        for rule in &self.rules {
            let mut fault = |value: &str, what: &str| {
                let verdict = self.judge(value.as_bytes(), locales);
                let message = format!(
                    "rule {}: {value:?} {what}, and is {} by {}",
                    rule.id,
                    verdict.class,
                    verdict.reason_word()
                );
                let hint = "a library is used only when its own examples hold: mend the rule";
                faults.push(Refusal::of(&self.file, message, hint).at(rule.line));
            };
            let decides = |value: &str| {
                let verdict = self.judge(value.as_bytes(), locales);
                verdict.rule_id.as_deref() == Some(&rule.id)
            };
            rule.hits.iter().filter(|hit| !decides(hit)).for_each(|hit| fault(hit, "must hit"));
            rule.misses
                .iter()
                .filter(|miss| decides(miss))
                .for_each(|miss| fault(miss, "must miss"));
        }
        faults
    }
}

/// The verdict where no rule speaks.
fn unknown() -> PathVerdict {
    PathVerdict { class: PathClass::Secondary, reason: PathReason::Unknown, rule_id: None }
}

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
            false => Ok(Self { file: file.to_owned(), rules }),
        }
    }
}

/// Turns a written rule into one that can be used.
fn rule_of(file: &str, text: &str, written: Written, line: u64) -> Result<Rule, Refusal> {
    let id = written.id.into_inner();
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
    if written.carve_out && class != RuleClass::Functional {
        let hint = "a carve-out is a functional endpoint beneath a primary directory";
        return Err(refuse(format!("rule {id}: carve_out, but {class}"), hint));
    }
    if written.why.trim().is_empty() || written.hits.is_empty() || written.misses.is_empty() {
        let hint = "a rule has a reason, and shows what it decides and what it does not";
        return Err(refuse(format!("rule {id} has no why, no hits or no misses"), hint));
    }
    if written.patterns.is_empty() {
        return Err(refuse(format!("rule {id} has no pattern"), "add one"));
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
    let Written { carve_out: is_carve_out, why, hits, misses, .. } = written;
    Ok(Rule { id, class, is_carve_out, patterns, why, hits, misses, line, parsed })
}

/// The line, counted from 1, in which an offset lies.
fn line_at(text: &str, offset: usize) -> u64 {
    1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|&&octet| octet == b'\n').count()
        as u64
}
