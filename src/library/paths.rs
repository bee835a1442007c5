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

use super::glob::key_of;
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
    /// What a rule looks at, and so what it yields to.
    pub enum RuleKind {
        /// What a name means: the deepest such rule decides.
        Name = "name",
        /// What a part of a name or the form of a value hints at: decides only where no name is
        /// known.
        Hint = "hint",
        /// That one page is closed and no directory: decides where no name is known, and beneath
        /// a primary or ambiguous directory.
        OnePage = "one_page",
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
}

/// One rule of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, in `snake_case`.
    pub id: String,
    /// What it says of the paths it names.
    pub class: RuleClass,
    /// What it looks at.
    pub kind: RuleKind,
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

    /// The pattern that reaches deepest, the first of several.
    pub(super) fn deepest_pattern(&self, shape: &Shape) -> Option<&str> {
        let depth = self.find(shape)?;
        let at = self.parsed.iter().position(|pattern| pattern.find(shape) == Some(depth))?;
        self.patterns.get(at).map(String::as_str)
    }
}

/// The rules in the file's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathRules {
    file: String,
    pub(super) rules: Vec<Rule>,
    /// The patterns that need a certain name, by that name: places of rule and pattern.
    by_name: BTreeMap<String, Vec<(usize, usize)>>,
    /// The other patterns.
    without_name: Vec<(usize, usize)>,
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
        // What stands beneath a locale prefix stands beneath a known directory: hints are for the
        // reading without it.
        let takes_hints = shape.without_locale().is_none();
        let mut shallowest_primary: Option<Depth> = None;
        let mut deepest: [Found<'_>; RuleKind::ALL.len()] = Default::default();
        for (rule, depth) in self.found_in(shape) {
            if rule.kind == RuleKind::Hint && !takes_hints {
                continue;
            }
            let deepest = &mut deepest[rule.kind as usize];
            if deepest.is_none_or(|(before, _)| depth > before) {
                *deepest = Some((depth, rule));
            }
            if rule.class == RuleClass::Primary {
                shallowest_primary = shallowest_primary.into_iter().chain([depth]).min();
            }
        }
        // A parameter of a content page may be a filter or the only address of the content: what
        // lies shallower than the query then says nothing.
        let names_parameters = shape.query.as_ref().is_some_and(|names| !names.is_empty());
        for found in &mut deepest {
            *found = found.filter(|(depth, rule)| {
                !names_parameters || depth.is_query() || rule.class == RuleClass::Functional
            });
        }
        let Some((depth, rule)) = strongest(deepest) else { return unknown() };
        let beneath_primary =
            shallowest_primary.is_some_and(|primary| primary.is_shallower_than(depth));
        let reason = match rule.class {
            RuleClass::Ambiguous => PathReason::Ambiguous,
            RuleClass::Functional if rule.is_carve_out && beneath_primary => PathReason::CarveOut,
            _ => PathReason::Rule,
        };
        PathVerdict { class: rule.class.path_class(), reason, rule_id: Some(rule.id.clone()) }
    }

    /// The rules that find something in a value, in the file's order, each with where: a rule may
    /// come more than once.
    fn found_in(&self, shape: &Shape) -> Vec<(&Rule, Depth)> {
        let named = shape.segments.iter().filter_map(|name| self.by_name.get(&key_of(name)));
        let mut places: Vec<&(usize, usize)> = named.flatten().chain(&self.without_name).collect();
        places.sort_unstable();
        places.dedup();
        let found = places.into_iter().filter_map(|&(rule, pattern)| {
            let rule = &self.rules[rule];
            Some((rule, rule.parsed[pattern].find(shape)?))
        });
        found.collect()
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

/// A rule with the depth at which it found what it names.
type Found<'a> = Option<(Depth, &'a Rule)>;

/// Which of the deepest rules of each kind decides: a name, but for one page beneath a primary or
/// ambiguous directory; without a name one page, then a hint.
fn strongest([name, hint, one_page]: [Found<'_>; RuleKind::ALL.len()]) -> Found<'_> {
    let Some((depth, rule)) = name else { return one_page.or(hint) };
    let is_content = matches!(rule.class, RuleClass::Primary | RuleClass::Ambiguous);
    one_page.filter(|(page, _)| is_content && depth.says_less_than(*page)).or(name)
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
    kind: Option<String>,
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
        Self { file: file.to_owned(), rules, by_name, without_name }
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
    let kind = match written.kind.as_deref().map(RuleKind::from_word) {
        None => RuleKind::Name,
        Some(Some(kind)) => kind,
        Some(None) => {
            return Err(refuse(format!("rule {id}: unknown kind"), "name, hint or one_page"));
        }
    };
    let fits = match kind {
        RuleKind::Name => true,
        RuleKind::Hint => class != RuleClass::Primary,
        RuleKind::OnePage => class == RuleClass::Secondary,
    };
    if !fits {
        let hint = "one page is secondary, and a hint never shows primary content";
        return Err(refuse(format!("rule {id}: {kind}, but {class}"), hint));
    }
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
    Ok(Rule { id, class, kind, is_carve_out, patterns, why, hits, misses, line, parsed })
}

/// The line, counted from 1, in which an offset lies.
fn line_at(text: &str, offset: usize) -> u64 {
    1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|&&octet| octet == b'\n').count()
        as u64
}
