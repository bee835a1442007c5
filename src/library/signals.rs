//! CMS, CDN and challenge-page signals, from `signals.toml`.
//!
//! Holds the rules as values, how one marker is compared with what was seen, when markers make a
//! challenge, and the check of the file's own examples. Reading a page into [`Seen`] is `page`'s.

use serde::Deserialize;

use crate::html::{Outline, outline, squeezed};
use crate::refusal::Refusal;

/// All signals of a library.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signals {
    /// With more visible words than this, a page is no challenge unless its head says so.
    pub prose_words: usize,
    /// What challenge pages and block pages show.
    pub challenge: Vec<ChallengeRule>,
    /// Ordinary answers that must not be taken for challenges.
    pub decoy: Vec<Decoy>,
    /// Content management systems and site builders.
    pub cms: Vec<Technology>,
    /// Delivery networks and hosts.
    pub cdn: Vec<Technology>,
}

/// One rule by which a challenge page is recognised.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChallengeRule {
    /// The rule's id.
    pub id: String,
    /// Whose challenge it is.
    pub vendor: String,
    /// Whether it is enough alone.
    pub strength: Strength,
    /// Where the markers stand.
    #[serde(rename = "where")]
    pub place: Place,
    /// What must stand there, all of it.
    pub markers: Vec<String>,
    /// Why it is a sign.
    pub why: String,
    /// Examples that it must match.
    pub hits: Vec<String>,
    /// Examples that it must not match.
    pub misses: Vec<String>,
}

/// How much one challenge rule proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Enough alone.
    Decisive,
    /// Needs a second rule of the same vendor.
    Supporting,
}

/// Where a marker is looked for, and so how it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A field: `name: part of its value`; a name ending in `*` is a prefix.
    Header,
    /// Part of the markup (tags, comments, scripts), quotes and white space disregarded.
    Body,
    /// Part of the title.
    Title,
    /// Part of the visible text.
    Text,
    /// The beginning of a generator meta's content.
    Generator,
    /// Part of robots.txt.
    Robots,
}

/// An ordinary answer that must not be taken for a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decoy {
    /// Why it tempts.
    pub why: String,
    /// Its fields, `name: value`.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Its body.
    #[serde(default)]
    pub body: String,
}

/// A system or network and the signs of it, any of which is enough.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Technology {
    /// Its name, as it stands in tables.
    pub name: String,
    /// Its signs.
    pub marks: Vec<Mark>,
    /// Why they are signs.
    pub why: String,
    /// Examples of which each must show it.
    pub hits: Vec<Mark>,
    /// Examples of which none may show it.
    pub misses: Vec<Mark>,
}

/// A marker, or an example, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// Where it stands.
    #[serde(rename = "where")]
    pub place: Place,
    /// What stands there.
    pub text: String,
}

/// What was seen of a site, in the forms in which markers are compared: all in lower case.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Fields as (name, value).
    pub fields: Vec<(String, String)>,
    /// The page, taken apart.
    pub page: Outline,
    /// The contents of its generator metas.
    pub generators: Vec<String>,
    /// The text of robots.txt.
    pub robots: String,
}

/// Which challenge an answer is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengeVerdict {
    /// Whose it is.
    pub vendor: String,
    /// The decisive rule, or the supporting two joined by `+`.
    pub id: String,
}

impl Signals {
    /// Reads a `signals.toml`.
    pub fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        let mut signals: Self =
            toml::from_str(text).map_err(|error| Refusal::of_toml(file, text, &error))?;
        for rule in &mut signals.challenge {
            if rule.markers.is_empty() || rule.markers.iter().any(|marker| marker.trim().is_empty())
            {
                let message = format!("challenge rule has an empty marker: {}", rule.id);
                return Err(Refusal::of(file, message, "an empty marker would match every page"));
            }
            for marker in &mut rule.markers {
                *marker = comparable(rule.place, marker);
            }
        }
        for technology in signals.cms.iter_mut().chain(&mut signals.cdn) {
            for mark in &mut technology.marks {
                if mark.text.trim().is_empty() {
                    let message = format!("signal has an empty marker: {}", technology.name);
                    return Err(Refusal::of(
                        file,
                        message,
                        "an empty marker would match every site",
                    ));
                }
                mark.text = comparable(mark.place, &mark.text);
            }
        }
        Ok(signals)
    }

    /// Runs every rule's own examples and the decoys; what does not hold, in words.
    pub fn check(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for rule in &self.challenge {
            let mut judge = |examples: &[String], wanted: bool| {
                for example in examples {
                    if rule.matches(&Seen::of_example(rule.place, example)) != wanted {
                        broken.push(complaint(&rule.id, wanted, example));
                    }
                }
            };
            judge(&rule.hits, true);
            judge(&rule.misses, false);
        }
        for technology in self.cms.iter().chain(&self.cdn) {
            let mut judge = |examples: &[Mark], wanted: bool| {
                for example in examples {
                    let seen = Seen::of_example(example.place, &example.text);
                    if technology.shows_in(&seen) != wanted {
                        broken.push(complaint(&technology.name, wanted, &example.text));
                    }
                }
            };
            judge(&technology.hits, true);
            judge(&technology.misses, false);
        }
        for decoy in &self.decoy {
            let mut seen = Seen::of_body(decoy.body.as_bytes());
            seen.fields = decoy.fields.iter().map(|field| split_field(field)).collect();
            if let Some(verdict) = self.challenge(&seen) {
                broken.push(format!("{} takes a decoy for a challenge: {}", verdict.id, decoy.why));
            }
        }
        broken
    }

    /// The challenge that was seen: one decisive rule, or two supporting ones of one vendor.
    pub fn challenge(&self, seen: &Seen) -> Option<ChallengeVerdict> {
        let is_short = seen.page.words <= self.prose_words;
        let matched: Vec<&ChallengeRule> = self
            .challenge
            .iter()
            .filter(|rule| (is_short || rule.place == Place::Header) && rule.matches(seen))
            .collect();
        if let Some(rule) = matched.iter().find(|rule| rule.strength == Strength::Decisive) {
            return Some(ChallengeVerdict { vendor: rule.vendor.clone(), id: rule.id.clone() });
        }
        matched.iter().enumerate().find_map(|(place, first)| {
            let second = matched[place + 1..].iter().find(|rule| rule.vendor == first.vendor)?;
            let id = format!("{}+{}", first.id, second.id);
            Some(ChallengeVerdict { vendor: first.vendor.clone(), id })
        })
    }
}

impl ChallengeRule {
    /// Whether all of the rule's markers were seen.
    pub fn matches(&self, seen: &Seen) -> bool {
        self.markers.iter().all(|marker| seen.shows(self.place, marker))
    }
}

impl Technology {
    /// Whether any of its signs was seen.
    pub fn shows_in(&self, seen: &Seen) -> bool {
        self.marks.iter().any(|mark| seen.shows(mark.place, &mark.text))
    }
}

impl Seen {
    /// A body alone.
    pub fn of_body(body: &[u8]) -> Self {
        let mut page = outline(body);
        page.title = page.title.to_lowercase();
        page.text = page.text.to_lowercase();
        Self { page, ..Self::default() }
    }

    /// An example of one place, alone.
    fn of_example(place: Place, example: &str) -> Self {
        match place {
            Place::Header => Self { fields: vec![split_field(example)], ..Self::default() },
            Place::Body => Self::of_body(example.as_bytes()),
            Place::Title => Self::of_body(format!("<title>{example}</title>").as_bytes()),
            Place::Text => Self::of_body(format!("<p>{example}</p>").as_bytes()),
            Place::Generator => {
                Self { generators: vec![example.to_lowercase()], ..Self::default() }
            }
            Place::Robots => Self { robots: example.to_lowercase(), ..Self::default() },
        }
    }

    /// Whether a comparable marker stands in a place.
    fn shows(&self, place: Place, marker: &str) -> bool {
        match place {
            Place::Header => {
                let (name, part) = split_field(marker);
                self.fields.iter().any(|(field, value)| {
                    let is_named = match name.strip_suffix('*') {
                        Some(prefix) => field.starts_with(prefix),
                        None => *field == name,
                    };
                    is_named && value.contains(&part)
                })
            }
            Place::Body => self.page.markup.contains(marker),
            Place::Title => self.page.title.contains(marker),
            Place::Text => self.page.text.contains(marker),
            Place::Generator => self.generators.iter().any(|content| content.starts_with(marker)),
            Place::Robots => self.robots.contains(marker),
        }
    }
}

/// A marker in the form in which its place is compared.
fn comparable(place: Place, marker: &str) -> String {
    match place {
        Place::Body => squeezed(marker.as_bytes()),
        _ => marker.to_lowercase(),
    }
}

/// A field's name and value, in lower case.
fn split_field(field: &str) -> (String, String) {
    let (name, value) = field.split_once(':').unwrap_or((field, ""));
    (name.trim().to_lowercase(), value.trim().to_lowercase())
}

/// What to say of an example that does not hold.
fn complaint(rule: &str, wanted: bool, example: &str) -> String {
    let verb = if wanted { "misses its hit" } else { "hits its miss" };
    format!("{rule} {verb}: {example}")
}

#[cfg(test)]
mod tests {
    use super::Signals;

    const TEXT: &str = include_str!("../../pattern-library/c01-v1.5-r1/signals.toml");

    #[test]
    fn the_library_s_own_examples_hold() {
        let signals = Signals::parse("signals.toml", TEXT).expect("the file is well formed");
        assert_eq!(signals.check(), Vec::<String>::new());
        for rule in &signals.challenge {
            assert!(!rule.hits.is_empty() && !rule.misses.is_empty(), "{}", rule.id);
        }
        for technology in signals.cms.iter().chain(&signals.cdn) {
            assert!(!technology.hits.is_empty() && !technology.misses.is_empty());
        }
    }

    #[test]
    fn ids_are_given_once() {
        let signals = Signals::parse("signals.toml", TEXT).expect("the file is well formed");
        let mut ids: Vec<_> = signals.challenge.iter().map(|rule| &rule.id).collect();
        let given = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), given);
    }

    #[test]
    fn an_unknown_key_and_an_empty_marker_are_refused() {
        let line = Signals::parse("s.toml", "prose_words = 1\nspeed = 2\n").expect_err("a key");
        assert!(line.to_string().starts_with("s.toml:2:"), "{line}");
        let emptied =
            TEXT.replacen("markers = [\"cf-mitigated: challenge\"]", "markers = [\"\"]", 1);
        assert!(emptied != TEXT);
        assert!(Signals::parse("s.toml", &emptied).is_err());
    }
}
