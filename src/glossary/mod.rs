//! What the words of the instrument mean: those of its closed lists, its columns, its findings, and
//! the terms of the method.
//!
//! A word is explained where it is declared; this module only gathers. The terms, which no
//! declaration has, stand in `terms`.

mod terms;

use serde::Serialize;

use crate::audit;
use crate::classify;
use crate::control;
use crate::library;
use crate::llms;
use crate::logs;
use crate::observation;
use crate::record;
use crate::registry;
use crate::robots;
use crate::words::{Word, nearest};

/// One meaning of one word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The word, as files and pages write it.
    pub term: String,
    /// What kind of word it is, or where it stands.
    pub kind: String,
    /// What it means.
    pub meaning: String,
}

/// Everything that is explained, kind by kind in the order of the method.
pub fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> =
        terms::TERMS.iter().map(|(term, meaning)| entry(term, "term", meaning)).collect();
    entries.extend(words_of_runs());
    entries.extend(words_of_audits());
    entries.extend(columns());
    entries.extend(audit::kinds().map(|kind| {
        let meaning = format!("{}. Found: {} {}", kind.title, kind.when, kind.impact);
        entry(kind.id, "finding of the site audit", &meaning)
    }));
    entries
}

/// The meanings of a term, whatever its case and whether blanks or hyphens part its words; or the
/// term that may have been meant.
pub fn find(term: &str) -> Result<Vec<Entry>, Option<String>> {
    let entries = entries();
    let sought = plain(term);
    let found: Vec<Entry> =
        entries.iter().filter(|entry| plain(&entry.term) == sought).cloned().collect();
    if found.is_empty() {
        return Err(nearest(term, entries.iter().map(|entry| &*entry.term)).map(str::to_owned));
    }
    Ok(found)
}

/// The words in a run's files.
fn words_of_runs() -> Vec<Entry> {
    let mut words = of_list::<record::Layer>("layer");
    words.extend(of_list::<record::RobotsState>("state of robots.txt"));
    words.extend(of_list::<classify::FailureMode>("failure mode"));
    words.extend(of_list::<observation::Operation>("operation of an exchange"));
    words.extend(of_list::<classify::AccessClass>("access class"));
    words.extend(of_list::<library::PathClass>("path class"));
    words.extend(of_list::<record::LineClass>("class of a line"));
    words.extend(of_list::<robots::GroupKind>("kind of a governing group"));
    words.extend(of_list::<robots::Dialect>("dialect"));
    words.extend(of_list::<library::CrawlerGroup>("group of crawlers"));
    words.extend(of_list::<library::CrawlerRole>("role of a crawler"));
    words.extend(of_list::<llms::GuidanceState>("state of llms.txt"));
    words.extend(of_list::<llms::ConformanceTest>("conformance test of llms.txt"));
    words.extend(of_list::<control::Likeness>("likeness to the control"));
    words.extend(of_list::<classify::PageState>("state of the homepage"));
    words.extend(of_list::<record::Resolution>("resolution of a failure"));
    words.extend(of_list::<classify::ReviewKind>("kind of a review row"));
    words.extend(of_list::<robots::IssueKind>("issue of a robots.txt"));
    words
}

/// The words of the audits.
fn words_of_audits() -> Vec<Entry> {
    let mut words = of_list::<registry::Purpose>("purpose of a crawler");
    words.extend(of_list::<registry::Verification>("verification of a crawler"));
    words.extend(of_list::<audit::Status>("status of a finding"));
    words.extend(of_list::<logs::Identity>("identity in the log audit"));
    words.extend(of_list::<logs::Evidence>("evidence in the log audit"));
    words.extend(of_list::<logs::Verdict>("verdict in the log audit"));
    words.extend(of_list::<logs::Yield>("yield of a crawl in the log audit"));
    words.extend(of_list::<logs::Rejection>("reason why a log line is rejected"));
    words
}

/// The columns of a run's tables.
fn columns() -> Vec<Entry> {
    let of_table = |(files, table): (&str, record::Table)| {
        let kind = format!("column of {files}");
        let columns = table.columns().into_iter();
        columns.map(move |column| entry(column.name, &kind, &column.meaning)).collect::<Vec<_>>()
    };
    record::Table::DOCUMENTED.into_iter().flat_map(of_table).collect()
}

/// The words of one list.
fn of_list<T: Word>(kind: &str) -> Vec<Entry> {
    T::ALL.iter().map(|word| entry(word.word(), kind, word.meaning())).collect()
}

fn entry(term: &str, kind: &str, meaning: &str) -> Entry {
    Entry { term: term.to_owned(), kind: kind.to_owned(), meaning: in_plain_words(meaning) }
}

/// Documentation without its links.
fn in_plain_words(documentation: &str) -> String {
    let mut plain = documentation.replace("[`", "`").replace("`]", "`");
    // A link names where its words lead: `[words](place)`.
    while let Some(at) = plain.find("](") {
        let Some(length) = plain[at..].find(')') else { break };
        plain.replace_range(at..=at + length, "");
        if let Some(bracket) = plain[..at].rfind('[') {
            plain.remove(bracket);
        }
    }
    plain.trim().to_owned()
}

/// A term as it is compared.
fn plain(term: &str) -> String {
    term.trim().to_lowercase().replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::{entries, find, in_plain_words};

    #[test]
    fn every_entry_says_something_in_a_sentence() {
        let entries = entries();
        assert!(entries.len() > 300, "{}", entries.len());
        for entry in &entries {
            assert!(!entry.meaning.is_empty(), "{}", entry.term);
            assert!(
                entry.meaning.ends_with(['.', '`', ':', ';']),
                "{}: {}",
                entry.term,
                entry.meaning
            );
            assert!(!entry.meaning.contains("[`"), "{}", entry.meaning);
        }
    }

    #[test]
    fn a_term_is_found_however_it_is_put_and_told_where_it_is_near() {
        for (written, kind) in [
            ("Whole Site", "access class"),
            ("whole-site", "access class"),
            ("redirect_loop", "failure mode"),
            ("meaningful", "term"),
            ("access_class", "column of merged.csv, attempt-N.csv"),
            ("impersonated", "identity in the log audit"),
        ] {
            let found = find(written).unwrap_or_else(|near| panic!("{written}: {near:?}"));
            assert!(found.iter().any(|entry| entry.kind == kind), "{written}: {found:?}");
        }
        assert_eq!(find("meaningfull"), Err(Some("meaningful".to_owned())));
        assert_eq!(find("zyzzyva-and-more"), Err(None));
    }

    #[test]
    fn links_of_the_documentation_are_left_out() {
        assert_eq!(in_plain_words(" As [`Kept`] says."), "As `Kept` says.");
        assert_eq!(in_plain_words("See [the list](super::LIST), twice."), "See the list, twice.");
    }
}
