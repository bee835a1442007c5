//! The locale prefixes of `locales.csv`: which first segments of a path name an edition of a site
//! (`/de/`, `/en-au/`, `/us/en/`) and no part of its content.

use std::collections::BTreeSet;

use crate::closed_list;
use crate::refusal::Refusal;
use crate::tabular::Table;
use crate::words::Word as _;

use super::glob::folded;

closed_list! {
    /// What a listed prefix names.
    enum LocaleKind {
        /// A language: `de`, `zh-hans`, `english`.
        Language = "language",
        /// A country or a group of countries: `us`, `latam`.
        Region = "region",
        /// A pair that is listed because its region alone is also a plain word: `en-my`.
        LanguageRegion = "language_region",
    }
}

/// The listed prefixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Locales {
    languages: BTreeSet<String>,
    regions: BTreeSet<String>,
    pairs: BTreeSet<String>,
}

impl Locales {
    /// Reads `locales.csv`.
    pub(super) fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        let (mut languages, mut regions, mut pairs) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for row in Table::of(file, text, &["prefix", "kind", "name"])? {
            let row = row?;
            let [prefix, kind, name] = &row.cells[..] else { continue };
            let refuse =
                |message: String, hint: &str| Refusal::of(file, message, hint).at(row.line);
            let Some(kind) = LocaleKind::from_word(kind) else {
                let message = format!("unknown kind: {kind:?}");
                return Err(refuse(message, "language, region or language_region"));
            };
            if *prefix != folded(prefix) || prefix.is_empty() || name.is_empty() {
                let hint = "write the prefix in lower case with hyphens, and say what it names";
                return Err(refuse(format!("bad prefix: {prefix:?}"), hint));
            }
            let set = match kind {
                LocaleKind::Language => &mut languages,
                LocaleKind::Region => &mut regions,
                LocaleKind::LanguageRegion => &mut pairs,
            };
            if !set.insert(prefix.clone()) {
                return Err(refuse(format!("listed twice: {prefix}"), "remove one of the rows"));
            }
        }
        Ok(Self { languages, regions, pairs })
    }

    /// How many leading segments are a locale prefix: one, or two where a site splits language
    /// and region over two segments (`/us/en/`, `/fr/ca/`).
    pub(super) fn prefix_of(&self, segments: &[String]) -> usize {
        match segments {
            [first, second, ..] if self.is_split(first, second) => 2,
            [first, ..] if self.is_locale(first) => 1,
            _ => 0,
        }
    }

    /// Whether one folded segment is a locale.
    fn is_locale(&self, segment: &str) -> bool {
        let listed = self.languages.contains(segment)
            || self.regions.contains(segment)
            || self.pairs.contains(segment);
        // A language may itself have a hyphen (`zh-hans-cn`), a region has none.
        let paired = |at: usize| {
            let (left, right) = (&segment[..at], &segment[at + 1..]);
            self.is_split(left, right)
        };
        listed || segment.match_indices('-').any(|(at, _)| paired(at))
    }

    /// Whether two names are a language and a region, in either order.
    fn is_split(&self, left: &str, right: &str) -> bool {
        (self.languages.contains(left) && self.regions.contains(right))
            || (self.regions.contains(left) && self.languages.contains(right))
    }
}

#[cfg(test)]
mod tests {
    use super::Locales;

    #[test]
    fn a_prefix_is_a_language_a_region_or_both_in_one_or_two_segments() {
        let text = "prefix,kind,name\nen,language,English\nde,language,German\nzh-hans,language,x\n\
                    au,region,Australia\ncn,region,China\nen-my,language_region,Malaysia\n";
        let locales = Locales::parse("locales.csv", text).expect("well formed");
        for (path, expected) in [
            ("de", 1),
            ("au", 1),
            ("en-au", 1),
            ("au-en", 1),
            ("zh-hans-cn", 1),
            ("en-my", 1),
            ("au/en/blog", 2),
            ("en/au", 2),
            ("de/blog", 1),
            ("my", 0),
            ("de-my", 0),
            ("blog/de", 0),
            ("", 0),
        ] {
            let segments: Vec<String> = path.split('/').map(str::to_owned).collect();
            assert_eq!(locales.prefix_of(&segments), expected, "{path}");
        }
    }

    #[test]
    fn a_bad_row_is_refused_with_its_line() {
        for row in ["en,tongue,English", "EN,language,English", "en_us,region,x", "en,language,"] {
            let text = format!("prefix,kind,name\n{row}\n");
            assert_eq!(Locales::parse("l.csv", &text).expect_err(row).line, Some(2));
        }
        let twice = "prefix,kind,name\nen,language,English\nen,language,English\n";
        assert_eq!(Locales::parse("l.csv", twice).expect_err("twice").line, Some(3));
    }
}
