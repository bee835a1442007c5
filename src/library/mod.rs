//! The frozen pattern library as values: path classes, the crawler list, locale prefixes, signals
//! and the rules of the guidance layer.
//!
//! A library is a folder of files that a researcher reviews without reading this code; here they
//! are read, held against their list of digests and asked. Where the files come from is for the
//! caller; what a verdict means for a site is for `classify`.

mod crawlers;
mod embedded;
mod explain;
mod form;
mod glob;
mod guidance;
mod judgement;
mod locales;
mod paths;
mod pattern;
mod rulebook;
mod shape;
mod signals;
mod sums;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::closed_list;
use crate::digest::Digest;
use crate::refusal::Refusal;
use crate::words::Word as _;

pub use crawlers::{Crawler, CrawlerGroup, CrawlerPurpose, CrawlerRole};
pub use explain::{Explanation, Reading};
pub use guidance::{GuidanceRules, Placeholder, Similarity};
pub use paths::{PathClass, PathReason, PathVerdict, Rule, RuleClass, RuleKind, RuleWords};
pub use signals::{
    ChallengeRule, ChallengeVerdict, Decoy, Mark, Place, Seen, Signals, Strength, Technology,
};

use locales::Locales;
use paths::PathRules;

closed_list! {
    /// Whether a library may still change.
    pub enum Status {
        /// It may: a run that uses it is marked `modified`.
        Draft = "draft",
        /// It may not: a change is a new folder.
        Frozen = "frozen",
    }
}

/// A pattern library, whole and verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Library {
    /// Its name, as `c01-v1.5-r1`.
    pub name: String,
    /// The method it serves, as `C01 v1.5`.
    pub method: String,
    /// Draft or frozen.
    pub status: Status,
    /// Its identity: the SHA-256 of its `SHA256SUMS`.
    pub digest: Digest,
    /// The crawlers that are studied, in the order that every table follows.
    pub crawlers: Vec<Crawler>,
    /// CMS, CDN and challenge-page signals.
    pub signals: Signals,
    /// The rules of the guidance layer.
    pub guidance: GuidanceRules,
    paths: PathRules,
    locales: Locales,
}

impl Library {
    /// The library that is built into the program.
    pub fn embedded() -> Result<Self, Refusal> {
        let files: Vec<(String, Vec<u8>)> = embedded::TEXTS
            .iter()
            .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
            .collect();
        Self::from_files(embedded::FOLDER, &files)
    }

    /// The digest of the library that is built into the program, without reading it.
    pub fn embedded_digest() -> Digest {
        let list = embedded::TEXTS.iter().find(|(name, _)| *name == sums::NAME);
        Digest::of(list.map_or("", |(_, text)| text).as_bytes())
    }

    /// The files that are built into the program, each with its name and its text.
    pub fn embedded_files() -> &'static [(&'static str, &'static str)] {
        embedded::TEXTS
    }

    /// A library from the files of a folder: their names without the folder, and their octets.
    pub fn from_files(folder: &str, files: &[(String, Vec<u8>)]) -> Result<Self, Refusal> {
        let files: BTreeMap<&str, &[u8]> =
            files.iter().map(|(name, octets)| (name.as_str(), octets.as_slice())).collect();
        let digest = sums::verify(folder, &files)?;
        let open = |name: &str| text_of(folder, name, &files);
        let (file, text) = open("library.toml")?;
        let about = About::parse(&file, text)?;
        let (file, text) = open("crawlers.csv")?;
        let crawlers = crawlers::parse(&file, text)?;
        let (file, text) = open("paths.toml")?;
        let paths = PathRules::parse(&file, text)?;
        let (file, text) = open("locales.csv")?;
        let locales = Locales::parse(&file, text)?;
        let (file, text) = open("signals.toml")?;
        let signals = Signals::parse(&file, text)?;
        let (file, text) = open("llms.toml")?;
        let guidance = GuidanceRules::parse(&file, text)?;
        let About { name, method, status, .. } = about;
        Ok(Self { name, method, status, digest, crawlers, signals, guidance, paths, locales })
    }

    /// Whether the library can no longer change.
    pub fn is_frozen(&self) -> bool {
        self.status == Status::Frozen
    }

    /// Runs the library's own examples; what does not hold is returned, and refuses a run.
    pub fn check(&self) -> Vec<Refusal> {
        let mut faults = self.paths.check(&self.locales);
        let hint = "a library is used only when its own examples hold: mend the file";
        for (file, messages) in
            [("signals.toml", self.signals.check()), ("llms.toml", self.guidance.check())]
        {
            faults.extend(messages.into_iter().map(|message| Refusal::of(file, message, hint)));
        }
        faults
    }

    /// Judges the path of a Disallow line, given the raw octets of its value.
    ///
    /// Whether the value restricts anything is not asked here. One that begins with neither `/`
    /// nor `*` (a whole URL, a bare name, nothing) matches no path by the norm; it is `unknown`.
    pub fn judge(&self, disallow: &[u8]) -> PathVerdict {
        self.paths.judge(disallow, &self.locales)
    }

    /// The crawlers of the headline group.
    pub fn headline(&self) -> impl Iterator<Item = &Crawler> {
        self.crawlers.iter().filter(|crawler| crawler.group == CrawlerGroup::Retrieval)
    }

    /// The path rules, in the file's order.
    pub fn rules(&self) -> &[Rule] {
        &self.paths.rules
    }
}

/// The text of one file that a library must have.
fn text_of<'a>(
    folder: &str,
    name: &str,
    files: &BTreeMap<&str, &'a [u8]>,
) -> Result<(String, &'a str), Refusal> {
    let file = format!("{folder}/{name}");
    let octets = files.get(name).ok_or_else(|| {
        let hint = "a library has library.toml, crawlers.csv, paths.toml, locales.csv, \
                    signals.toml, llms.toml and SHA256SUMS";
        Refusal::of(&file, "the file is missing", hint)
    })?;
    match std::str::from_utf8(octets) {
        Ok(text) => Ok((file, text)),
        Err(_) => Err(Refusal::of(&file, "not UTF-8", "save it as UTF-8")),
    }
}

/// `library.toml`. What stands in it for people alone is required all the same.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    method: String,
    status: String,
    made_on: String,
    what_it_is: String,
    sources: Vec<String>,
    changes: Vec<String>,
}

/// What `library.toml` says of the library.
struct About {
    name: String,
    method: String,
    status: Status,
}

impl About {
    /// Reads the file.
    fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        let written: Written =
            toml::from_str(text).map_err(|error| Refusal::of_toml(file, text, &error))?;
        let Written { name, method, status, made_on, what_it_is, sources, changes } = written;
        let Some(status) = Status::from_word(&status) else {
            let message = format!("unknown status: {status:?}");
            return Err(Refusal::of(file, message, "draft or frozen"));
        };
        let said = [&name, &method, &made_on, &what_it_is];
        if said.iter().any(|text| text.trim().is_empty())
            || sources.is_empty()
            || changes.is_empty()
        {
            let hint = "a library says what it is, where it comes from and what changed";
            return Err(Refusal::of(file, "a value is empty", hint));
        }
        Ok(Self { name, method, status })
    }
}
