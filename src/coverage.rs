//! How much of what sites write in Disallow lines the pattern library knows.
//!
//! Counted is every Disallow line that a judgement would ask the library about: each line of each
//! file once, whoever it is addressed to. A line that covers every path needs no library, and one
//! that can match no path restricts nothing; both are counted apart. Where the files come from is
//! for the caller.

use std::collections::BTreeMap;

use crate::library::{Library, PathClass, PathReason, PathVerdict};
use crate::robots;
use crate::words::Word as _;

/// What was counted over a number of files.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// The library's name.
    pub library: String,
    /// Its digest.
    pub digest: String,
    /// How many path rules it has.
    pub rules: u64,
    /// Files read.
    pub files: u64,
    /// Files with at least one Disallow line that is judged.
    pub files_with_paths: u64,
    /// Disallow lines that cover every path.
    pub covering: u64,
    /// Disallow lines that can match no path.
    pub matching_nothing: u64,
    /// Distinct values, each counted once.
    pub distinct: Tally,
    /// Lines.
    pub occurrences: Tally,
    /// The files, each counting the same whatever its length: the sum of their unknown shares.
    unknown_shares: f64,
    /// Values that no rule knows, the one in most files first.
    pub unknowns: Vec<Unknown>,
    /// Lines that each rule decides.
    pub by_rule: BTreeMap<String, u64>,
}

/// Counts of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Of all that was judged.
    pub total: u64,
    /// No rule knows it.
    pub unknown: u64,
    /// A rule knows it as ambiguous.
    pub ambiguous: u64,
    /// By class, in the order of [`PathClass::ALL`]; the ambiguous and the unknown are secondary.
    pub classes: [u64; PathClass::ALL.len()],
}

impl Tally {
    /// A rule knows it, and not as ambiguous.
    pub fn known(&self) -> u64 {
        self.total - self.unknown - self.ambiguous
    }

    fn add(&mut self, verdict: &PathVerdict) {
        self.total += 1;
        self.unknown += u64::from(verdict.reason == PathReason::Unknown);
        self.ambiguous += u64::from(verdict.reason == PathReason::Ambiguous);
        self.classes[verdict.class as usize] += 1;
    }
}

/// A value that no rule knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// As it is written; octets that are no UTF-8 are replaced.
    pub value: String,
    /// In how many files it stands.
    pub files: u64,
    /// In how many lines.
    pub lines: u64,
}

impl Coverage {
    /// Counts over files, given their octets.
    pub fn of<E>(
        library: &Library,
        documents: impl Iterator<Item = Result<Vec<u8>, E>>,
    ) -> Result<Self, E> {
        let mut counter = Counter::new(library);
        for document in documents {
            counter.file(&document?);
        }
        Ok(counter.finish())
    }

    /// The mean over the files of the share of their lines that is unknown: a long file weighs no
    /// more than a short one.
    pub fn mean_unknown(&self) -> f64 {
        self.unknown_shares / (self.files_with_paths.max(1)) as f64
    }
}

/// A count while it goes on. Each distinct value is judged once.
struct Counter<'a> {
    library: &'a Library,
    judged: BTreeMap<Vec<u8>, (PathVerdict, u64, u64)>,
    coverage: Coverage,
}

impl<'a> Counter<'a> {
    fn new(library: &'a Library) -> Self {
        let coverage = Coverage {
            library: library.name.clone(),
            digest: library.digest.to_string(),
            rules: library.rules().len() as u64,
            files: 0,
            files_with_paths: 0,
            covering: 0,
            matching_nothing: 0,
            distinct: Tally::default(),
            occurrences: Tally::default(),
            unknown_shares: 0.0,
            unknowns: Vec::new(),
            by_rule: BTreeMap::new(),
        };
        Self { library, judged: BTreeMap::new(), coverage }
    }

    /// Counts one file.
    fn file(&mut self, octets: &[u8]) {
        let robots = robots::parse(octets);
        let mut lines: BTreeMap<&[u8], u64> = BTreeMap::new();
        let rules = robots.groups().iter().flat_map(|group| &group.rules);
        for rule in rules.filter(|rule| !rule.allow && !rule.raw.is_empty()) {
            if !rule.pattern.can_match() {
                self.coverage.matching_nothing += 1;
            } else if rule.pattern.covers_every_path() {
                self.coverage.covering += 1;
            } else {
                *lines.entry(robots.octets(rule.raw)).or_default() += 1;
            }
        }
        let (mut of_file, mut unknown) = (0, 0);
        for (value, count) in lines {
            let library = self.library;
            let judged =
                self.judged.entry(value.to_vec()).or_insert_with(|| (library.judge(value), 0, 0));
            judged.1 += 1;
            judged.2 += count;
            of_file += count;
            unknown += if judged.0.reason == PathReason::Unknown { count } else { 0 };
        }
        self.coverage.files += 1;
        if of_file > 0 {
            self.coverage.files_with_paths += 1;
            self.coverage.unknown_shares += unknown as f64 / of_file as f64;
        }
    }

    /// Adds up.
    fn finish(self) -> Coverage {
        let mut coverage = self.coverage;
        for (value, (verdict, files, lines)) in self.judged {
            coverage.distinct.add(&verdict);
            (0..lines).for_each(|_| coverage.occurrences.add(&verdict));
            match &verdict.rule_id {
                Some(id) => *coverage.by_rule.entry(id.clone()).or_default() += lines,
                None => {
                    let value = String::from_utf8_lossy(&value).into_owned();
                    coverage.unknowns.push(Unknown { value, files, lines });
                }
            }
        }
        // The sort keeps the order of the octets among equals.
        coverage.unknowns.sort_by_key(|unknown| std::cmp::Reverse((unknown.files, unknown.lines)));
        coverage
    }
}

#[cfg(test)]
mod tests {
    use super::Coverage;
    use crate::library::Library;

    #[test]
    fn every_line_that_the_library_is_asked_about_is_counted_once() {
        let library = Library::embedded().expect("a library");
        let files = [
            "User-agent: *\nDisallow: /blog/\nDisallow: /blog/\nDisallow: /zyzzyva/\n",
            "User-agent: a\nDisallow: /\nUser-agent: b\nDisallow: /zyzzyva/\nDisallow: /shop\n\
             Disallow:\nDisallow: blog\nAllow: /qwertz\n",
            "nothing",
        ];
        let documents = files.iter().map(|file| Ok::<_, ()>(file.as_bytes().to_vec()));
        let coverage = Coverage::of(&library, documents).expect("counted");
        assert_eq!((coverage.files, coverage.files_with_paths), (3, 2));
        assert_eq!((coverage.covering, coverage.matching_nothing), (1, 1));
        let distinct = &coverage.distinct;
        assert_eq!((distinct.total, distinct.unknown, distinct.ambiguous), (3, 1, 1));
        let lines = &coverage.occurrences;
        assert_eq!((lines.total, lines.unknown, lines.ambiguous, lines.known()), (5, 2, 1, 2));
        assert_eq!(lines.classes, [0, 3, 2]);
        assert_eq!(
            (coverage.unknowns[0].value.as_str(), coverage.unknowns[0].files),
            ("/zyzzyva/", 2)
        );
        assert_eq!(coverage.by_rule.get("articles"), Some(&2));
        assert!((coverage.mean_unknown() - (1.0 / 3.0 + 0.5) / 2.0).abs() < 1e-12);
    }
}
