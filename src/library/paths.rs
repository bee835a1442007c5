//! The path rules of `paths.toml`: which class a Disallow path has, by which rule, and why.
//!
//! The deepest known segment names what is closed, a query lies deeper than any segment, and
//! rules that reach equally deep are taken in the file's order. What is ambiguous or unknown is
//! `secondary` and says so. `C01:` all of this is the instrument's own reading of the method,
//! which names the classes and their defaults only.

use std::collections::BTreeMap;

use crate::closed_list;
use crate::refusal::Refusal;
use crate::words::Word as _;

use super::locales::Locales;
use super::pattern::Pattern;
use super::shape::Shape;
use super::vocabulary::Vocabulary;

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
    /// How the names of a rule are read as words: in a compound, or beneath another directory.
    pub enum RuleWords {
        /// The last known word of a compound says what it is.
        Last = "last",
        /// It says what is done, or is pure machinery: it decides wherever it stands in a compound.
        Leading = "leading",
        /// It says what is done if it begins a compound; else it is read as a last word.
        Front = "front",
        /// Its names are names only, where its patterns have them.
        None = "none",
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
    /// How its names are read as words of a compound.
    pub words: RuleWords,
    /// Whether a content name beneath what it names changes nothing; a functional rule always
    /// encloses.
    pub encloses: bool,
    /// The line of `paths.toml` that it begins in.
    pub line: u64,
    pub(super) parsed: Vec<Pattern>,
}

/// The rules in the file's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathRules {
    pub(super) file: String,
    pub(super) rules: Vec<Rule>,
    /// The patterns that need a certain name, by that name: places of rule and pattern.
    pub(super) by_name: BTreeMap<String, Vec<(usize, usize)>>,
    /// The other patterns.
    pub(super) without_name: Vec<(usize, usize)>,
    /// What the names of the rules mean as words.
    pub(super) vocabulary: Vocabulary,
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
        let Some(decision) = self.decide(shape) else { return unknown() };
        let rule = decision.rule;
        let reason = match rule.class {
            RuleClass::Ambiguous => PathReason::Ambiguous,
            RuleClass::Functional if rule.is_carve_out && decision.is_beneath_primary => {
                PathReason::CarveOut
            }
            _ => PathReason::Rule,
        };
        PathVerdict { class: rule.class.path_class(), reason, rule_id: Some(rule.id.clone()) }
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
