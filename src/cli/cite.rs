//! `scanner cite`: how a run is cited.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;

use super::talk::{print_document, say};
use super::{failed, printed};
use crate::export::{CitationForm, Publication, cite as citation};
use crate::manifest::Status;
use crate::report::Printable;
use crate::store::RunFolder;
use crate::words::Word as _;

/// Shown below the options.
const AFTER_HELP: &str = "\
A citation names the sample, the day, the seed, and the digests of instrument and results: whoever
has the same figures has the same run. A run does not know its authors: name them by --author.

Examples:
  scanner cite runs/demo-808 --author \"Doe, Ada\" --author \"The Observatory\"
  scanner cite runs/demo-808 --as bibtex
  scanner cite runs/demo-808 --as text";

/// Prints the citation of a run.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder of a run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Form of the citation: CITATION.cff, BibTeX, or one line of text
    #[arg(long = "as", value_name = "FORM", default_value = "cff", value_parser = forms())]
    form: String,

    #[command(flatten)]
    publisher: Publisher,
}

/// Who publishes a run.
#[derive(clap::Args)]
pub(super) struct Publisher {
    /// Author of the run, `Family, Given` or the name of a group; may be repeated
    #[arg(long = "author", value_name = "NAME")]
    authors: Vec<String>,

    /// Licence under which the run is published, as an SPDX identifier
    #[arg(long, value_name = "SPDX")]
    licence: Option<String>,
}

impl Publisher {
    /// The same as a value.
    pub(super) fn publication(&self) -> Publication {
        Publication { authors: self.authors.clone(), licence: self.licence.clone() }
    }
}

/// Prints the citation; returns the exit status.
pub(super) fn cite(arguments: &Arguments) -> u8 {
    let recorded = match RunFolder::at(&arguments.run).recorded() {
        Ok(recorded) => recorded,
        Err(refusal) => return failed(&refusal.into()),
    };
    if recorded.status != Status::Complete {
        say(format_args!("warning: the run is {}: it has no results to cite yet", recorded.status));
    }
    if arguments.publisher.authors.is_empty() {
        say("hint: a run does not know its authors; name them by --author");
    }
    let form = CitationForm::from_word(&arguments.form).unwrap_or(CitationForm::Cff);
    let text = citation(&recorded, &arguments.publisher.publication(), form);
    let lines: Vec<String> = text.lines().map(|line| Printable(line).to_string()).collect();
    printed(print_document(&(lines.join("\n") + "\n")))
}

/// The words of the forms.
fn forms() -> PossibleValuesParser {
    PossibleValuesParser::new(CitationForm::ALL.iter().map(|form| form.word()))
}
