//! Runs the examples of METHODOLOGY.md: every fenced block, by its info string.
//!
//! A block's lines say what is given and what the instrument must say of it; a checker answers with
//! what it does say, and the two are compared here. What the kinds of block mean is written down in
//! `draws`, `exchanges`, `policies` and `protocol`.

mod draws;
mod exchanges;
mod policies;
mod protocol;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scanner::library::Library;

use crate::scratch::text;

/// The sections there are; each must show at least one example.
const SECTIONS: std::ops::RangeInclusive<u32> = 1..=14;

/// A line of the document, by its number.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    number: usize,
    text: String,
}

/// A fenced block.
#[derive(Debug)]
struct Block {
    info: String,
    section: u32,
    opened_at: usize,
    lines: Vec<Line>,
}

/// One thing that an example states.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    line: usize,
    given: String,
    said: String,
}

/// A claim beside what the instrument says.
#[derive(Debug)]
pub(crate) struct Answer {
    claim: Claim,
    found: String,
}

/// What answers the claims of one kind of block.
type Checker = fn(&Library, &[Line]) -> Vec<Answer>;

/// Every kind of block.
const CHECKERS: [(&str, Checker); 16] = [
    ("cite", protocol::cite),
    ("limits", protocol::limits),
    ("obeys", policies::obeys),
    ("answer", exchanges::answer),
    ("robots", policies::robots),
    ("robots-class", policies::robots_class),
    ("crawlers", policies::crawlers),
    ("path", policies::path),
    ("rate", protocol::rate),
    ("two-rates", protocol::two_rates),
    ("llms", exchanges::llms),
    ("order", protocol::order),
    ("draw", draws::draw),
    ("merge", exchanges::merge),
    ("columns", protocol::columns),
    ("instrument", protocol::instrument),
];

impl Line {
    /// The claim that the line makes around a mark.
    pub(crate) fn claim(&self, mark: &str) -> Option<Claim> {
        let (given, said) = self.text.rsplit_once(mark)?;
        let (given, said) = (given.trim().to_owned(), said.trim().to_owned());
        Some(Claim { line: self.number, given, said })
    }
}

impl Claim {
    /// The claim beside what was found.
    pub(crate) fn found(self, found: impl Into<String>) -> Answer {
        Answer { claim: self, found: found.into() }
    }
}

/// Answers each line of a block that is neither blank nor a remark; `given` is handed what stands
/// left of ` = `.
pub(crate) fn each(lines: &[Line], find: impl Fn(&str) -> Result<String, String>) -> Vec<Answer> {
    let stating = lines.iter().filter(|line| !line.text.is_empty() && !line.text.starts_with('#'));
    let answers = stating.map(|line| match line.claim(" = ") {
        Some(claim) => {
            let found = find(&claim.given).unwrap_or_else(|why| format!("not understood: {why}"));
            claim.found(found)
        }
        None => stray(line),
    });
    answers.collect()
}

/// The answer to a line that states nothing.
pub(crate) fn stray(line: &Line) -> Answer {
    let claim = Claim { line: line.number, given: line.text.clone(), said: "a claim".to_owned() };
    claim.found("no line of this kind of example")
}

/// The blocks of a document, in order.
fn blocks(document: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut section, mut open) = (0, None::<Block>);
    for (text, number) in document.lines().zip(1..) {
        match (text.strip_prefix("```"), open.take()) {
            (Some(info), None) => {
                let info = info.trim().to_owned();
                open = Some(Block { info, section, opened_at: number, lines: Vec::new() });
            }
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.lines.push(Line { number, text: text.trim_end().to_owned() });
                open = Some(block);
            }
            (None, None) => section = section_of(text).unwrap_or(section),
        }
    }
    // A block that never closes is handed on with an info string that nothing knows.
    blocks.extend(open.map(|block| Block { info: "a fence without an end".to_owned(), ..block }));
    blocks
}

/// The number of the section that a line opens; 0 for one without a number.
fn section_of(text: &str) -> Option<u32> {
    let title = text.strip_prefix("## ")?;
    Some(title.split_once(". ").and_then(|(number, _)| number.parse().ok()).unwrap_or(0))
}

/// What is wrong with a block.
fn complaints(block: &Block, library: &Library) -> Vec<String> {
    let at = |line: usize, message: String| format!("METHODOLOGY.md:{line}: {message}");
    let Some((_, check)) = CHECKERS.iter().find(|(info, _)| *info == block.info) else {
        return vec![at(block.opened_at, format!("no such kind of example: {:?}", block.info))];
    };
    let answers = check(library, &block.lines);
    if answers.is_empty() {
        return vec![at(block.opened_at, "the example states nothing".to_owned())];
    }
    let wrong = answers.into_iter().filter(|answer| answer.found != answer.claim.said);
    wrong
        .map(|Answer { claim: Claim { line, given, said }, found }| {
            at(line, format!("{given}: the document says `{said}`, the instrument `{found}`"))
        })
        .collect()
}

fn document() -> String {
    text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("METHODOLOGY.md"))
}

fn library() -> Library {
    Library::embedded().expect("the embedded library")
}

#[test]
fn every_example_holds() {
    let library = library();
    let wrong: Vec<String> =
        blocks(&document()).iter().flat_map(|block| complaints(block, &library)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_section_shows_an_example() {
    let document = document();
    let sections: Vec<u32> =
        document.lines().filter_map(section_of).filter(|number| *number > 0).collect();
    assert_eq!(sections, SECTIONS.collect::<Vec<_>>(), "the sections are numbered in order");
    let mut counts = BTreeMap::<u32, usize>::new();
    for block in blocks(&document) {
        *counts.entry(block.section).or_default() += 1;
    }
    println!("examples by section: {counts:?}");
    let bare: Vec<u32> = SECTIONS.filter(|section| !counts.contains_key(section)).collect();
    assert!(bare.is_empty(), "METHODOLOGY.md: no example in sections {bare:?}");
}

#[test]
fn every_kind_of_example_is_used() {
    let used: BTreeSet<String> = blocks(&document()).into_iter().map(|block| block.info).collect();
    let idle: Vec<_> = CHECKERS.iter().filter(|(info, _)| !used.contains(*info)).collect();
    assert!(idle.is_empty(), "{:?}", idle.iter().map(|(info, _)| info).collect::<Vec<_>>());
}

#[test]
fn every_word_of_the_result_files_stands_in_the_document() {
    let document = document();
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let written: BTreeSet<&str> = document.split(|character| !is_part(character)).collect();
    let missing: Vec<&str> =
        protocol::result_words().into_iter().filter(|word| !written.contains(word)).collect();
    assert!(missing.is_empty(), "METHODOLOGY.md does not name {missing:?}");
}

#[test]
fn a_false_an_empty_and_an_unknown_example_are_each_told_with_their_line() {
    let library = library();
    let told = |document: &str| {
        let blocks = blocks(document);
        blocks.iter().flat_map(|block| complaints(block, &library)).collect::<Vec<_>>()
    };
    for (document, expected) in [
        ("```rate\n0/20 = 0.0 0.0 16.1\n```\n", ""),
        ("## 7. Rates\n\n```rate\n0/20 = 0.0 0.0 16.2\n```\n", "METHODOLOGY.md:4: 0/20: "),
        ("```rate\n0/20 is nothing\n```\n", "METHODOLOGY.md:2: 0/20 is nothing: "),
        ("\n```rate\n# a remark\n```\n", "METHODOLOGY.md:2: the example states nothing"),
        ("```rates\n0/20 = 0.0\n```\n", "METHODOLOGY.md:1: no such kind of example: \"rates\""),
        ("```rate\n0/20 = 0.0\n", "METHODOLOGY.md:1: no such kind of example"),
        ("```answer\n200 \"half = policy file\n```\n", "METHODOLOGY.md:2: 200 \"half: "),
    ] {
        let told = told(document).join("\n");
        let as_expected = told.starts_with(expected) && told.is_empty() == expected.is_empty();
        assert!(as_expected, "{document:?}: {told:?}");
    }
}
