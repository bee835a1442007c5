//! Why a path has its class: the two readings that the locale rule compares, each with the rule
//! and the pattern that decided it.

use super::Library;
use super::paths::{PathVerdict, Rule};
use super::shape::Shape;

/// Why a path has its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation<'a> {
    /// What the library says of the path.
    pub verdict: PathVerdict,
    /// The value as it is read; none if no path begins with it.
    pub raw: Option<Reading<'a>>,
    /// The same without its locale prefix, where it has one and something else besides.
    pub stripped: Option<Reading<'a>>,
}

/// One reading of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<'a> {
    /// What is read, in the language of patterns.
    pub text: String,
    /// What is said of this reading by itself.
    pub verdict: PathVerdict,
    /// The rule that said it.
    pub rule: Option<&'a Rule>,
    /// The pattern of that rule that found what it names, or the name that was read as a word.
    pub pattern: Option<&'a str>,
}

impl Explanation<'_> {
    /// Whether the reading without the locale prefix decided.
    pub fn is_by_stripped(&self) -> bool {
        let is_same = |reading: &Option<Reading<'_>>| {
            reading.as_ref().is_some_and(|reading| {
                let of = |verdict: &PathVerdict| (verdict.class, verdict.rule_id.clone());
                of(&reading.verdict) == of(&self.verdict)
            })
        };
        is_same(&self.stripped) && !is_same(&self.raw)
    }
}

impl Library {
    /// Explains how [`Library::judge`] comes to its verdict.
    pub fn explain(&self, disallow: &[u8]) -> Explanation<'_> {
        let raw = Shape::read(disallow).map(|mut shape| {
            shape.locale = self.locales.prefix_of(&shape.segments);
            shape
        });
        let stripped = raw.as_ref().and_then(Shape::without_locale);
        Explanation {
            verdict: self.judge(disallow),
            raw: raw.map(|shape| self.reading(&shape)),
            stripped: stripped.map(|shape| self.reading(&shape)),
        }
    }

    /// Judges one reading by itself.
    fn reading(&self, shape: &Shape) -> Reading<'_> {
        let verdict = self.paths.judge_shape(shape);
        let decision = self.paths.decide(shape);
        let rule = decision.map(|decision| decision.rule);
        let pattern = decision.map(|decision| decision.pattern);
        Reading { text: shape.to_string(), verdict, rule, pattern }
    }
}
