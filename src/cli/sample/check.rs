//! `scanner sample check`: everything that is wrong with a list.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;

use crate::cli::{DONE, FAILED, FOUND, REFUSED, talk};
use crate::report::Printable;
use crate::run::RunError;
use crate::run::inputs::SampleFiles;
use crate::sample::check::{Checked, Degree};
use crate::sample::{PUBLIC_SUFFIX_LIST, Stratum};

/// Shown below the options.
const AFTER_HELP: &str = "\
Told line by line: domains that are no names, stand twice, are written in another than their \
canonical form, are public suffixes, or belong to an owner who stands in the list already; strata \
that have no name or are alike; a sidecar that speaks of another list. Domains with A-labels are \
shown decoded.

Exit status: 0 clean · 3 a run would refuse the list · 4 a run would take it, and there is \
something to look at first. Notes change nothing.

Example: scanner sample check us-808.csv";

/// Tells everything that is wrong with a list, line by line.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Arguments {
    /// Sample: a CSV with a column `domain` and, where there are strata, `stratum`
    ///
    /// A bare name that is not a file here is sought in samples/. A TOML file of the same name
    /// beside it is its sidecar.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Checks; returns the exit status.
pub(super) fn check(arguments: &Arguments) -> Result<u8, RunError> {
    let checked = SampleFiles::read(&arguments.file)?.with(crate::sample::check::check);
    let was_printed = if arguments.json {
        talk::print_json(&checked.to_json().map_err(std::io::Error::from)?)
    } else {
        talk::print_page(&Printable(&in_words(&checked)).to_string())
    };
    if !was_printed {
        return Ok(FAILED);
    }
    Ok(match checked.worst() {
        Degree::Refused => REFUSED,
        Degree::Finding => FOUND,
        Degree::Note => DONE,
    })
}

/// What was found, for a person.
fn in_words(checked: &Checked) -> String {
    let mut text = String::new();
    for finding in &checked.findings {
        let told = &finding.told;
        let line = told.line.map(|line| format!(":{line}")).unwrap_or_default();
        let degree = finding.kind.degree();
        let _ = writeln!(text, "{}{line}: {degree}: {}", told.file, told.message);
        let _ = writeln!(text, "  hint: {}", told.hint);
    }
    text.push_str(&strata(&checked.strata));
    let _ = writeln!(
        text,
        "{}: {}; {} domains, {} refused, {} findings, {} notes\nsha256 {}\nsuffixes by {}",
        checked.file,
        match checked.worst() {
            Degree::Refused => "a run would refuse it",
            Degree::Finding => "a run would take it, look at the findings first",
            Degree::Note => "clean",
        },
        checked.n,
        checked.count(Degree::Refused),
        checked.count(Degree::Finding),
        checked.count(Degree::Note),
        checked.digest,
        PUBLIC_SUFFIX_LIST,
    );
    text
}

/// The strata as a table; nothing where there are none.
fn strata(strata: &[Stratum]) -> String {
    let mut text = String::new();
    if strata.is_empty() {
        return text;
    }
    let widest = strata.iter().map(|stratum| stratum.name.chars().count());
    let width = widest.max().unwrap_or(0).max("stratum".len());
    let _ =
        writeln!(text, "{:width$}  {:>6}  {:>10}  {:>8}", "stratum", "n", "population", "weight");
    for stratum in strata {
        let population = stratum.population.map_or("-".to_owned(), |number| number.to_string());
        let weight = stratum.weight().map_or("-".to_owned(), |weight| format!("{weight:.3}"));
        let _ = writeln!(
            text,
            "{:width$}  {:>6}  {population:>10}  {weight:>8}",
            stratum.name, stratum.n
        );
    }
    text
}
