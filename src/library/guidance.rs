//! The rules of the guidance layer (control similarity, placeholders), from `llms.toml`.
//!
//! Holds the frozen numbers of the similarity rule, which `control` applies, and the placeholder
//! rules with their comparison and their own examples. The verdict on a file is `llms`'s.

use serde::Deserialize;

use crate::refusal::Refusal;

/// All rules of the guidance layer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuidanceRules {
    /// When two texts are nearly the same.
    pub similarity: Similarity,
    /// What a file says that was never written for its site.
    pub placeholder: Vec<Placeholder>,
}

/// When two texts are nearly the same: the Jaccard index of their word shingles.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Similarity {
    /// Words in a shingle.
    pub shingle_words: usize,
    /// Words that each text must have at least.
    pub least_words: usize,
    /// Shared shingles of all shingles, in thousandths, from which two texts are nearly the same.
    pub shared_permille: u64,
    /// Why these numbers.
    pub why: String,
}

/// One placeholder rule. Each kind that it gives is tried; one is enough.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placeholder {
    /// The rule's id.
    pub id: String,
    /// A longer file, in words, is not judged by this rule.
    pub most_words: usize,
    /// Phrases of which the text holds one.
    #[serde(default)]
    pub phrases: Vec<String>,
    /// Headings, where the text has nothing but these.
    #[serde(default)]
    pub headings: Vec<String>,
    /// All that stands beside the headings, one of these.
    #[serde(default)]
    pub texts: Vec<String>,
    /// Beginnings, where every line beside the headings begins with one.
    #[serde(default)]
    pub line_starts: Vec<String>,
    /// Why such a file says nothing.
    pub why: String,
    /// Examples that it must match.
    pub hits: Vec<String>,
    /// Examples that it must not match.
    pub misses: Vec<String>,
}

impl GuidanceRules {
    /// Reads an `llms.toml`.
    pub fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        let mut rules: Self =
            toml::from_str(text).map_err(|error| Refusal::of_toml(file, text, &error))?;
        let similarity = &rules.similarity;
        if similarity.shingle_words == 0 || similarity.shared_permille > 1_000 {
            return Err(Refusal::of(
                file,
                "the similarity rule is out of range",
                "a shingle has at least one word, a share is at most 1000 thousandths",
            ));
        }
        for rule in &mut rules.placeholder {
            let Placeholder { phrases, headings, texts, line_starts, .. } = rule;
            for written in phrases.iter_mut().chain(headings).chain(texts).chain(line_starts) {
                *written = collapsed(written);
                if written.is_empty() {
                    let message = format!("placeholder rule has an empty text: {}", rule.id);
                    return Err(Refusal::of(file, message, "an empty text would match every file"));
                }
            }
        }
        Ok(rules)
    }

    /// Runs every placeholder rule's own examples; what does not hold, in words.
    pub fn check(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for rule in &self.placeholder {
            for example in rule.hits.iter().filter(|example| !rule.matches(example)) {
                broken.push(format!("{} misses its hit: {example}", rule.id));
            }
            for example in rule.misses.iter().filter(|example| rule.matches(example)) {
                broken.push(format!("{} hits its miss: {example}", rule.id));
            }
        }
        broken
    }

    /// The first rule by which a text is a placeholder.
    pub fn placeholder(&self, text: &str) -> Option<&Placeholder> {
        let read = Read::of(text);
        self.placeholder.iter().find(|rule| rule.matches_read(&read))
    }
}

impl Placeholder {
    /// Whether a text is a placeholder by this rule.
    pub fn matches(&self, text: &str) -> bool {
        self.matches_read(&Read::of(text))
    }

    fn matches_read(&self, read: &Read) -> bool {
        if read.words > self.most_words {
            return false;
        }
        let begins = |line: &String| self.line_starts.iter().any(|start| line.starts_with(start));
        self.phrases.iter().any(|phrase| read.text.contains(phrase))
            || (read.lines.is_empty()
                && !read.headings.is_empty()
                && read.headings.iter().all(|heading| self.headings.contains(heading)))
            || self.texts.contains(&read.lines.join(" "))
            || (!read.lines.is_empty() && read.lines.iter().all(begins))
    }
}

/// A text in the forms in which placeholder rules compare it: lower case, white space collapsed.
struct Read {
    words: usize,
    text: String,
    /// Lines that begin with `#`, without it.
    headings: Vec<String>,
    /// The other lines that are not blank.
    lines: Vec<String>,
}

impl Read {
    fn of(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let (mut headings, mut lines) = (Vec::new(), Vec::new());
        for line in text.lines().map(collapsed).filter(|line| !line.is_empty()) {
            match line.strip_prefix('#') {
                Some(heading) => headings.push(heading.trim_matches(['#', ' ']).to_owned()),
                None => lines.push(line),
            }
        }
        Self { words: text.split_whitespace().count(), text: collapsed(text), headings, lines }
    }
}

/// Lower case, white space collapsed.
fn collapsed(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::GuidanceRules;

    const TEXT: &str = include_str!("../../pattern-library/c01-v1.5-r1/llms.toml");

    #[test]
    fn the_library_s_own_examples_hold() {
        let rules = GuidanceRules::parse("llms.toml", TEXT).expect("the file is well formed");
        assert_eq!(rules.check(), Vec::<String>::new());
        for rule in &rules.placeholder {
            assert!(!rule.hits.is_empty() && !rule.misses.is_empty(), "{}", rule.id);
        }
    }

    #[test]
    fn a_file_written_for_its_site_is_no_placeholder() {
        let rules = GuidanceRules::parse("llms.toml", TEXT).expect("the file is well formed");
        for text in [
            "# Acme\n\n> Rockets since 1950.\n",
            "# Acme",
            "",
            "# Shop\n\n## Pages\n\n- [Shoes](https://a.test/shoes): a test of soles is coming soon\n- [Hats](https://a.test/hats): felt, straw and wool for every season of the year\n- [Gloves](https://a.test/gloves): leather and silk, by hand\n- [Contact](https://a.test/contact): by letter or by telephone on weekdays\n",
        ] {
            assert_eq!(rules.placeholder(text).map(|rule| &rule.id), None, "{text}");
        }
    }

    #[test]
    fn an_unknown_key_and_an_empty_phrase_are_refused() {
        let emptied = TEXT.replacen("\"lorem ipsum\"", "\" \"", 1);
        assert!(emptied != TEXT);
        assert!(GuidanceRules::parse("llms.toml", &emptied).is_err());
        let unknown = format!("{TEXT}\nspeed = 1\n");
        assert!(GuidanceRules::parse("llms.toml", &unknown).is_err());
    }
}
