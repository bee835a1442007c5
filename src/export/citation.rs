//! How a run is cited: `CITATION.cff` (Citation File Format 1.2.0), BibTeX, and one line of text.

use std::fmt::Write as _;

use super::study::{Publication, Study};
use crate::closed_list;
use crate::manifest::Recorded;

closed_list! {
    /// A form in which a citation is written.
    pub enum CitationForm {
        /// Citation File Format 1.2.0.
        Cff = "cff",
        /// A BibTeX entry.
        Bibtex = "bibtex",
        /// One line for a text.
        Text = "text",
    }
}

/// Stands where a run's authors were not stated: a run does not know them.
const NO_AUTHORS: &str = "authors not stated";

/// The citation of a run.
pub fn cite(run: &Recorded, publication: &Publication, form: CitationForm) -> String {
    let study = Study { run, publication };
    match form {
        CitationForm::Cff => cff(&study),
        CitationForm::Bibtex => bibtex(&study),
        CitationForm::Text => text(&study),
    }
}

/// The authors, or the words that stand for none.
fn authors<'a>(study: &Study<'a>) -> Vec<&'a str> {
    let authors: Vec<&str> = study.publication.authors.iter().map(String::as_str).collect();
    if authors.is_empty() { vec![NO_AUTHORS] } else { authors }
}

/// As Citation File Format. Every value is a JSON string, which YAML reads as it is.
fn cff(study: &Study<'_>) -> String {
    let run = study.run;
    let mut file = String::from("cff-version: 1.2.0\ntype: dataset\n");
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(file, "{name}: {}", quoted(value));
    };
    field("message", "If you use these results, please cite them.");
    field("title", &study.title());
    field("abstract", &study.description());
    field("date-released", study.day());
    field("version", &run.results_sha256.as_ref().map(ToString::to_string).unwrap_or_default());
    if let Some(licence) = &study.publication.licence {
        field("license", licence);
    }
    file.push_str("authors:\n");
    for author in authors(study) {
        match author.split_once(", ") {
            Some((family, given)) => {
                let _ = writeln!(file, "  - family-names: {}", quoted(family));
                let _ = writeln!(file, "    given-names: {}", quoted(given));
            }
            None => {
                let _ = writeln!(file, "  - name: {}", quoted(author));
            }
        }
    }
    file.push_str("identifiers:\n");
    for (name, value) in study.facts().iter().filter(|(name, _)| name.ends_with("_sha256")) {
        let _ =
            writeln!(file, "  - type: other\n    value: {}", quoted(&format!("sha256:{value}")));
        let _ = writeln!(file, "    description: {}", quoted(name));
    }
    file.push_str("references:\n  - type: software\n    title: scanner\n");
    let _ = writeln!(file, "    version: {}", quoted(&run.instrument.version));
    file.push_str("    authors:\n      - name: The scanner maintainers\n");
    file
}

/// A value as a JSON string.
fn quoted(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

/// As a BibTeX entry.
fn bibtex(study: &Study<'_>) -> String {
    let run = study.run;
    let day = study.day();
    let braced = |value: &str| value.replace(['{', '}', '\\'], "");
    let authors = authors(study).join(" and ");
    let mut entry = format!("@misc{{{},\n", study.name());
    for (name, value) in [
        ("title", format!("{{{}}}", braced(&study.title()))),
        ("author", braced(&authors)),
        ("year", day.get(..4).unwrap_or_default().to_owned()),
        ("date", day.to_owned()),
        ("note", note(run)),
    ] {
        let _ = writeln!(entry, "  {name:<6} = {{{value}}},");
    }
    entry + "}\n"
}

/// The figures that pin a run, in words.
fn note(run: &Recorded) -> String {
    let results = run.results_sha256.as_ref().map(ToString::to_string).unwrap_or_default();
    format!(
        "scanner {}, {}, instrument sha256:{}, results sha256:{results}",
        run.instrument.version, run.instrument.method, run.instrument_sha256
    )
}

/// As one line of text.
fn text(study: &Study<'_>) -> String {
    format!("{}. {}. {}.\n", authors(study).join("; "), study.title(), note(study.run))
}
