//! Which rule decides a Disallow value: what each segment is known as, and what follows from one
//! lying beneath another.
//!
//! A directory keeps what is beneath it: machinery makes all beneath it machinery, and content
//! beneath what encloses it is no more open than that. Otherwise the deepest segment that says
//! something decides. `pattern-library/README.md` is the reference; `C01:` all of this is the
//! instrument's own reading of the method, which names the classes and their defaults only.

use std::collections::BTreeMap;

use super::glob::key_of;
use super::paths::{PathRules, Rule, RuleClass, RuleKind};
use super::pattern::{Depth, Finding, Pattern};
use super::shape::Shape;

/// The rule that decides a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision<'a> {
    /// The rule.
    pub(super) rule: &'a Rule,
    /// Its pattern that found something, as written.
    pub(super) pattern: &'a str,
    /// Whether it lies beneath what a primary rule names.
    pub(super) is_beneath_primary: bool,
}

/// What a rule found in a value.
#[derive(Clone, Copy, Debug)]
struct Known<'a> {
    rule: &'a Rule,
    pattern: usize,
    found: Finding,
    /// Whether it is a word of machinery that may be a thing among content.
    is_weak: bool,
}

impl Known<'_> {
    /// Whether this says more of the same segment: it gives more of the name; but that it is a
    /// program says more than a name that is ambiguous.
    fn says_more_than(&self, other: &Self) -> bool {
        let is_program = |known: &Self| known.found.depth.is_form();
        let is_ambiguous = |known: &Self| known.rule.class == RuleClass::Ambiguous;
        match (is_program(self), is_program(other)) {
            (true, false) if is_ambiguous(other) => true,
            (false, true) if is_ambiguous(self) => false,
            _ => self.found.depth > other.found.depth,
        }
    }
}

impl PathRules {
    /// The rule that decides one reading of a value; none if none speaks.
    pub(super) fn decide(&self, shape: &Shape) -> Option<Decision<'_>> {
        let known = self.known_in(shape);
        let names = named_segments(&known);
        let decisive = match descend(names.iter()) {
            Some(name) => page_of(&known, name, shape).unwrap_or(name),
            None => {
                let page = deepest(&known, RuleKind::OnePage);
                page.or_else(|| deepest(&known, RuleKind::Hint))?
            }
        };
        let is_beneath_primary = names.iter().any(|name| {
            let is_above = name.found.depth.is_shallower_than(decisive.found.depth);
            name.rule.class == RuleClass::Primary && is_above
        });
        let pattern = decisive.rule.patterns.get(decisive.pattern)?;
        Some(Decision { rule: decisive.rule, pattern, is_beneath_primary })
    }

    /// Everything that rules find in a value, in the file's order, words last.
    fn known_in(&self, shape: &Shape) -> Vec<Known<'_>> {
        let named = shape.segments.iter().filter_map(|name| self.by_name.get(&key_of(name)));
        let mut places: Vec<(usize, usize)> =
            named.flatten().chain(&self.without_name).copied().collect();
        places.sort_unstable();
        places.dedup();
        // What stands beneath a locale prefix stands beneath a known directory: words, hints and
        // the form of one page are for the reading without it.
        let is_stripped = shape.without_locale().is_none();
        let by_pattern = places.into_iter().filter_map(|(at, pattern)| {
            let rule = self.rules.get(at)?;
            let found = rule.parsed.get(pattern)?.find(shape)?;
            // A program beneath content is one of its pages.
            let is_weak = found.depth.is_form();
            Some(Known { rule, pattern, found, is_weak })
        });
        let by_word = shape.segments.iter().enumerate().filter_map(|(at, segment)| {
            let word = self.vocabulary.read(segment)?;
            let rule = self.rules.get(word.rule)?;
            let found = Finding { from: at, depth: Depth::of_word(at + 1) };
            Some(Known { rule, pattern: word.pattern, found, is_weak: word.is_weak })
        });
        by_pattern
            .filter(|known| is_stripped || known.rule.kind == RuleKind::Name)
            .chain(by_word.filter(|_| is_stripped))
            .collect()
    }
}

/// What each segment is known as, from the left to the right: of the rules of kind `name` the one
/// that says most of it, the first of several. What lies within a longer name is part of that.
fn named_segments<'a>(known: &[Known<'a>]) -> Vec<Known<'a>> {
    let mut names: BTreeMap<usize, Known<'a>> = BTreeMap::new();
    for name in known.iter().filter(|known| known.rule.kind == RuleKind::Name) {
        let best = names.entry(name.found.depth.segments).or_insert(*name);
        if name.says_more_than(best) {
            *best = *name;
        }
    }
    let spans: Vec<Finding> = names.values().map(|name| name.found).collect();
    names.retain(|_, name| !spans.iter().any(|span| span.covers(name.found)));
    names.into_values().collect()
}

/// The first of the rules of a kind that reach deepest.
fn deepest<'a, 'b>(known: &'b [Known<'a>], kind: RuleKind) -> Option<&'b Known<'a>> {
    let of_kind = known.iter().filter(|known| known.rule.kind == kind);
    of_kind.rev().max_by_key(|known| known.found.depth)
}

/// The single page that is closed beneath content, or beside a word that may be content; or the
/// document, wherever it lies.
fn page_of<'a, 'b>(
    known: &'b [Known<'a>],
    name: &Known<'a>,
    shape: &Shape,
) -> Option<&'b Known<'a>> {
    let page = deepest(known, RuleKind::OnePage)?;
    // What stands below a date is the article of that day, whatever it is called.
    let is_dated = page.found.depth.asks_below();
    let above = name.found.depth;
    let depth = if is_dated { Depth::below_all(shape.segments.len()) } else { page.found.depth };
    let is_content = matches!(name.rule.class, RuleClass::Primary | RuleClass::Ambiguous);
    let is_thing = name.is_weak && above.is_word() && !above.is_shallower_than(depth);
    // A named document is one wherever it lies.
    let is_document = page.rule.parsed.get(page.pattern) == Some(&Pattern::NamedDocument);
    let can_be = is_content || is_thing || is_document;
    // A file is the face of a section if its name is that of a section and it lies at the top;
    // another one, such as `/football-news.html` or `/tours/music.html`, is one page about that.
    let is_section = above.is_whole() && above.segments == 1;
    let is_file = is_content && shape.names_one_file() && !is_section;
    let is_page = above.says_less_than(depth) || is_file;
    (!shape.is_open() && can_be && is_page).then_some(page)
}

/// Goes down the named segments: which of them decides.
fn descend<'a, 'b>(names: impl Iterator<Item = &'b Known<'a>>) -> Option<&'b Known<'a>>
where
    'a: 'b,
{
    let mut deciding: Option<&Known<'_>> = None;
    for name in names {
        let above = deciding.map(|known| (known.rule.class, known.rule.encloses));
        deciding = match (name.rule.class, above) {
            (RuleClass::Functional, Some((RuleClass::Primary, _))) if name.is_weak => continue,
            (RuleClass::Functional, _) => return Some(name),
            (RuleClass::Ambiguous, Some(_)) | (RuleClass::Primary, Some((_, true))) => continue,
            _ => Some(name),
        };
    }
    deciding
}
