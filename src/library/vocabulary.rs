//! The names of the rules read as words, so that a compound that no rule names is understood by
//! its parts: `all-products` is about products, and `print-products` prints.
//!
//! A segment is split into words where a hyphen, another mark or a capital splits it, and, if it
//! is one unknown word, where known words join without a mark (`searchresultlist`). Which word
//! decides is laid down in `pattern-library/README.md`; what the deciding rule means beside the
//! other segments is for `judgement`.

use std::collections::BTreeMap;

use super::paths::{Rule, RuleClass, RuleKind, RuleWords};

/// Most words that one name of a rule has.
const WORDS_MOST: usize = 5;

/// Fewest letters of a part of a name in which words are joined without a mark.
const JOINED_LEAST: usize = 3;

/// Fewest letters of each word of a name that is content by words joined without a mark.
const LONG_LEAST: usize = 4;

/// Most words of such a name.
const JOINED_MOST: usize = 3;

/// Fewest letters of a word of machinery that is known at an end of a longer name.
const AFFIX_LEAST: usize = 5;

/// Fewest letters of a word that is known at the end of a longer name.
const HEAD_LEAST: usize = 6;

/// Fewest letters of the rest of a name with a word of machinery at an end.
const REST_LEAST: usize = 2;

/// Fewest words of a title, prepositions left out.
const TITLE_LEAST: usize = 5;

/// Fewest letters of a name whose plural is known by its singular, and the other way round.
const PLURAL_LEAST: usize = 4;

/// Words before which the thing itself stands, and after which what it is of or for.
pub(super) const PREPOSITIONS: &[&str] = &[
    "of", "for", "to", "in", "on", "by", "with", "from", "at", "about", "de", "du", "des", "del",
    "della", "di", "da", "do", "dos", "von", "fuer", "fur", "zu", "zum", "para", "por", "pour",
    "sur", "van", "voor", "dlya",
];

/// What a word means: the rule and the place of its pattern there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The rule's place in the file.
    pub(super) rule: usize,
    /// The pattern's place in the rule.
    pub(super) pattern: usize,
    /// Whether the rule names the word only as a first segment, so that beneath content it may be
    /// content itself.
    pub(super) is_weak: bool,
    class: RuleClass,
    words: RuleWords,
}

impl Word {
    /// Whether it says what is done, and only if it begins a compound.
    fn is_of_doing(self) -> bool {
        self.words == RuleWords::Front && self.is_weak
    }

    /// Whether it says what is done at the front of words joined without a mark, where a word
    /// that may be a noun does not.
    fn acts_in_joined_words(self) -> bool {
        self.words == RuleWords::Front && !self.is_weak
    }
}

/// A part of a segment: a known word, or tokens that are none.
#[derive(Clone, Copy, Debug)]
struct Unit {
    word: Option<Word>,
    /// The token with which it begins.
    at: usize,
    is_preposition: bool,
}

/// The words that rules know, by their letters without hyphens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vocabulary {
    words: BTreeMap<String, Word>,
}

impl Vocabulary {
    /// Gathers the plain names of the rules; of two rules with one word the first in the file
    /// keeps it.
    pub(super) fn of(rules: &[Rule]) -> Self {
        let mut words = BTreeMap::new();
        for (place, rule) in rules.iter().enumerate() {
            if rule.kind != RuleKind::Name || rule.words == RuleWords::None {
                continue;
            }
            for (pattern, parsed) in rule.parsed.iter().enumerate() {
                let Some((name, anywhere)) = parsed.plain_name() else { continue };
                let key: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
                // Two letters are an abbreviation, unless the rule has them anywhere.
                if key.chars().count() < if anywhere { 2 } else { JOINED_LEAST } {
                    continue;
                }
                let word = Word {
                    rule: place,
                    pattern,
                    is_weak: rule.class == RuleClass::Functional && !anywhere,
                    class: rule.class,
                    words: rule.words,
                };
                words.entry(key).or_insert(word);
            }
        }
        Self { words }
    }

    /// What a folded segment means by its words, if one is known.
    pub(super) fn read(&self, segment: &str) -> Option<Word> {
        // An end anchor that stands amid a name joins no words.
        if segment.contains('$') {
            return None;
        }
        let tokens = tokens(segment);
        let units = self.units(&tokens);
        if let Some(word) = leading(&units, &tokens) {
            return Some(Word { is_weak: false, ..word });
        }
        if is_title(&tokens) {
            return None;
        }
        let head = units.iter().position(|unit| unit.is_preposition).unwrap_or(units.len());
        let is_compound = tokens.len() > 1 || units.len() > 1;
        let words = |units: &[Unit]| -> Vec<Word> {
            let words = units.iter().filter_map(|unit| unit.word);
            // A word of doing that does not begin the compound is the thing done, or its name.
            words.filter(|word| !(is_compound && word.is_of_doing())).collect()
        };
        let (head, rest) = (words(&units[..head]), words(&units[head..]));
        let is_clear = |word: &&Word| word.class != RuleClass::Ambiguous;
        let clear = |words: &[Word]| words.iter().rfind(is_clear).copied();
        clear(&head).or_else(|| clear(&rest)).or_else(|| head.last().or(rest.last()).copied())
    }

    /// The tokens as the longest names that are known, and as themselves.
    fn units(&self, tokens: &[&str]) -> Vec<Unit> {
        let mut units = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let longest = (1..=WORDS_MOST.min(tokens.len() - at)).rev().find_map(|length| {
                let tokens = &tokens[at..at + length];
                let bare = || tokens.iter().map(|token| bare(token)).collect::<String>();
                Some((length, self.named(&tokens.concat()).or_else(|| self.named(&bare()))?))
            });
            if let Some((length, word)) = longest {
                units.push(Unit { word: Some(word), at, is_preposition: false });
                at += length;
                continue;
            }
            let is_preposition = at > 0 && PREPOSITIONS.contains(&tokens[at]);
            let parts = match is_preposition {
                true => Vec::new(),
                false => self.parts(bare(tokens[at])),
            };
            if parts.is_empty() {
                units.push(Unit { word: None, at, is_preposition });
            }
            let known = parts.into_iter();
            units.extend(known.map(|word| Unit { word: Some(word), at, is_preposition: false }));
            at += 1;
        }
        units
    }

    /// The words of an unknown name: it is wholly made of known words, or has a word of machinery
    /// at an end. Letters that happen to make a word are not enough to call a name content: for
    /// that every word is long.
    fn parts(&self, name: &str) -> Vec<Word> {
        let affixed = || self.affixed(name).map(|word| vec![word]);
        let plain = self.joined(name, JOINED_MOST, JOINED_LEAST).filter(|words| {
            let clear = words.iter().rfind(|word| word.class != RuleClass::Ambiguous);
            // To edit or to send a thing is an act, whatever the thing is.
            let is_act = words.iter().any(|word| word.words == RuleWords::Leading)
                || words.first().is_some_and(|word| word.acts_in_joined_words());
            is_act || clear.is_none_or(|word| word.class != RuleClass::Primary)
        });
        let long = || {
            let words = self.joined(name, JOINED_MOST, LONG_LEAST)?;
            words.first().is_some_and(|word| word.words != RuleWords::Front).then_some(words)
        };
        plain.or_else(affixed).or_else(long).unwrap_or_default()
    }

    /// A name, or its plural or singular.
    fn named(&self, key: &str) -> Option<Word> {
        let get = |key: &str| self.words.get(key).copied();
        let by_number = || {
            if key.len() < PLURAL_LEAST || !key.is_ascii() {
                return None;
            }
            let singular = key.strip_suffix('s').filter(|singular| !singular.ends_with('s'));
            let stem = key.strip_suffix("ies").map(|stem| format!("{stem}y"));
            singular.and_then(get).or_else(|| get(&stem?)).or_else(|| get(&format!("{key}s")))
        };
        get(key).or_else(by_number)
    }

    /// A word in a name that joins words without a mark: a short one only as it is listed.
    fn part(&self, key: &str) -> Option<Word> {
        match key.len() > PLURAL_LEAST {
            true => self.named(key),
            false => self.words.get(key).copied(),
        }
    }

    /// The words of a name that is wholly made of known words, joined without a mark.
    fn joined(&self, name: &str, most: usize, least: usize) -> Option<Vec<Word>> {
        if most == 0 || !name.is_ascii() || name.len() < 2 * least {
            return None;
        }
        // The longest first part first: it leaves the least to chance.
        (least..=name.len() - least).rev().find_map(|at| {
            let first = self.part(&name[..at])?;
            let rest = &name[at..];
            let rest = match self.part(rest) {
                Some(word) => vec![word],
                None => self.joined(rest, most - 1, least)?,
            };
            Some([vec![first], rest].concat())
        })
    }

    /// The word of machinery with which a longer name begins or ends, whatever the rest means, or
    /// the word with which it ends. That a name is about content needs more than its last letters.
    fn affixed(&self, name: &str) -> Option<Word> {
        if !name.is_ascii() {
            return None;
        }
        let longest = name.len().saturating_sub(REST_LEAST);
        let machinery = (AFFIX_LEAST..=longest).rev().find_map(|length| {
            let ends = [&name[name.len() - length..], &name[..length]];
            let words = ends.into_iter().filter_map(|end| self.words.get(end));
            words.copied().find(|word| word.words == RuleWords::Leading)
        });
        let longest = name.len().saturating_sub(JOINED_LEAST);
        let last = || {
            (HEAD_LEAST..=longest).rev().find_map(|length| {
                let word = self.named(&name[name.len() - length..])?;
                let is_told = matches!(word.class, RuleClass::Secondary | RuleClass::Functional);
                (word.words == RuleWords::Last && is_told).then_some(word)
            })
        };
        machinery.or_else(last)
    }
}

/// The word that decides a compound whatever its last word is: pure machinery, or at its front a
/// word of doing. In a title only its first and its last word can be that.
fn leading(units: &[Unit], tokens: &[&str]) -> Option<Word> {
    let last = units.len().saturating_sub(1);
    let at_end = |at: usize| !is_title(tokens) || at == 0 || at == last;
    let mut machinery = units.iter().enumerate().filter_map(|(at, unit)| {
        unit.word.filter(|word| word.words == RuleWords::Leading && at_end(at))
    });
    let doing = units.first().and_then(|unit| unit.word);
    machinery.next().or_else(|| {
        // Where words are joined without a mark, a word that may be a noun is none of doing.
        let is_joined = units.get(1).is_some_and(|second| second.at == 0);
        let is_compound = tokens.len() > 1 || is_joined;
        let is_first = |word: &Word| is_compound && !(is_joined && word.is_weak);
        doing.filter(|word| word.words == RuleWords::Front && is_first(word))
    })
}

/// Whether these are the words of a title, which is about something and is not that thing.
fn is_title(tokens: &[&str]) -> bool {
    tokens.iter().filter(|token| !PREPOSITIONS.contains(token)).count() >= TITLE_LEAST
}

/// The words of a folded segment: split at every mark, numbers left out.
fn tokens(segment: &str) -> Vec<&str> {
    let words = segment.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().any(char::is_alphabetic)).collect()
}

/// A word without digits at its ends, where a word remains.
fn bare(token: &str) -> &str {
    let bare = token.trim_matches(|c: char| c.is_ascii_digit());
    if bare.chars().count() >= JOINED_LEAST { bare } else { token }
}

#[cfg(test)]
mod tests {
    use crate::library::paths::PathRules;

    const RULES: &str = r#"
        [[rule]]
        id = "ajax"
        class = "functional"
        words = "leading"
        patterns = ["**/ajax", "**/logout"]
        why = "w"
        hits = ["/ajax"]
        misses = ["/x"]
        [[rule]]
        id = "print"
        class = "functional"
        words = "front"
        patterns = ["**/print", "/load"]
        why = "w"
        hits = ["/print"]
        misses = ["/x"]
        [[rule]]
        id = "news"
        class = "primary"
        patterns = ["/news", "/category", "/photo-story"]
        why = "w"
        hits = ["/news"]
        misses = ["/x"]
        [[rule]]
        id = "photos"
        class = "secondary"
        patterns = ["/photos", "/gallery"]
        why = "w"
        hits = ["/photos"]
        misses = ["/x"]
        [[rule]]
        id = "list"
        class = "ambiguous"
        patterns = ["/list"]
        why = "w"
        hits = ["/list"]
        misses = ["/x"]
        [[rule]]
        id = "whole"
        class = "primary"
        words = "none"
        patterns = ["/zyzzyva"]
        why = "w"
        hits = ["/zyzzyva"]
        misses = ["/x"]
    "#;

    #[test]
    fn a_compound_is_read_by_the_word_that_decides_it() {
        let rules = PathRules::parse("paths.toml", RULES).expect("well formed");
        for (segment, rule) in [
            // The last known word, and its plural or singular.
            ("qwertz-news", Some("news")),
            ("news-photo", Some("photos")),
            ("photo-news", Some("news")),
            ("categories", Some("news")),
            ("news-2026", Some("news")),
            ("news2", Some("news")),
            // The longest name.
            ("a-photo-story", Some("news")),
            // Pure machinery wherever it stands, doing at the front alone.
            ("news-ajax-photos", Some("ajax")),
            ("print-news", Some("print")),
            ("news-print-photos", Some("photos")),
            ("load-news", Some("print")),
            ("news-load", Some("news")),
            // What stands before a preposition, and what is clear.
            ("photos-of-news", Some("photos")),
            ("qwertz-of-news", Some("news")),
            ("news-list", Some("news")),
            ("list", Some("list")),
            // Joined without a mark, whole or with machinery at an end.
            ("newsgallery", Some("photos")),
            ("gallerynews", Some("news")),
            ("printnews", Some("print")),
            ("loadnews", None),
            ("qwertzlogout", Some("ajax")),
            ("qwertznews", None),
            // A title is about its words; a name that is only a name is no word.
            ("why-news-have-photos-today", None),
            ("qwertz-zyzzyva", None),
            ("news$photos", None),
        ] {
            let read = rules.vocabulary.read(segment);
            let id = read.map(|word| rules.rules[word.rule].id.as_str());
            assert_eq!(id, rule, "{segment}");
        }
    }
}
