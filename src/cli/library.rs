//! `scanner library`: the pattern library read out, checked, asked, copied out and measured.

use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::talk::{print_json, print_page, say};
use super::{REFUSED, failed, printed};
use crate::corpus;
use crate::coverage::Coverage;
use crate::files;
use crate::labelled::LabelledAgreement;
use crate::library::Library;
use crate::report;
use crate::run::{self, RunError};

/// Most octets of a table of labels.
const LABELS_MOST: u64 = 16 << 20;

/// Reads the pattern library out, checks it and asks it.
#[derive(Subcommand)]
pub(super) enum Command {
    /// Print the library's path rules, or one rule with its reason and examples
    Show(Show),
    /// Hold a library against its digests and run its examples; status 3 if it is not sound
    Check(Check),
    /// Explain the class of Disallow values: rule, pattern, raw and without the locale prefix
    ///
    /// Example: scanner library classify /wp-admin/ '/*?sort=' /de/blog/
    Classify(Classify),
    /// Write the embedded library's files to a folder
    Export(Export),
    /// Count how much of a collection of robots.txt files the library knows
    ///
    /// With --labelled the report also says how far the library agrees with two readers who
    /// labelled values by their meaning.
    Coverage(Measured),
}

/// Which rule.
#[derive(clap::Args)]
pub(super) struct Show {
    /// Rule to print whole
    #[arg(long, value_name = "ID")]
    rule: Option<String>,

    #[command(flatten)]
    library: Which,
}

/// Which folder.
#[derive(clap::Args)]
pub(super) struct Check {
    /// Folder of the library [default: the embedded library]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Which values.
#[derive(clap::Args)]
pub(super) struct Classify {
    /// Values of Disallow lines; - reads them from standard input, one a line
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<String>,

    /// Print one JSON document a value
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    library: Which,
}

/// Where to.
#[derive(clap::Args)]
pub(super) struct Export {
    /// Folder to write to; it must not exist yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Which collection.
#[derive(clap::Args)]
pub(super) struct Measured {
    /// Collections: folders of robots.txt files, or JSON lines with robots_txt or robots_txt_b64
    #[arg(value_name = "COLLECTION", required = true)]
    collections: Vec<PathBuf>,

    /// Table of values with the labels of two readers and the settled one
    #[arg(long, value_name = "CSV")]
    labelled: Option<PathBuf>,

    /// Table of sentences, path by path, that discuss where the library disagrees with the labels
    #[arg(long, value_name = "CSV", requires = "labelled")]
    discussed: Option<PathBuf>,

    /// File to write the report to, instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    library: Which,
}

/// Which library.
#[derive(clap::Args)]
struct Which {
    /// Pattern library to read, instead of the embedded one
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,
}

impl Which {
    fn open(&self) -> Result<Library, RunError> {
        Ok(run::open_library(self.library.as_deref())?)
    }
}

/// Does what is asked for; returns the exit status.
pub(super) fn library(command: &Command) -> u8 {
    let text = match command {
        Command::Show(arguments) => show(arguments),
        Command::Check(arguments) => return check(arguments),
        Command::Classify(arguments) => classify(arguments),
        Command::Export(arguments) => export(arguments),
        Command::Coverage(arguments) => coverage(arguments),
    };
    let is_json = matches!(command, Command::Classify(arguments) if arguments.json);
    match text {
        Ok(text) if is_json => printed(print_json(&text)),
        Ok(text) => printed(print_page(&text)),
        Err(error) => failed(&error),
    }
}

fn show(arguments: &Show) -> Result<String, RunError> {
    let library = arguments.library.open()?;
    let Some(id) = &arguments.rule else { return Ok(report::library(&library)) };
    match library.rules().iter().find(|rule| rule.id == *id) {
        Some(rule) => Ok(report::library_rule(rule)),
        None => Err(RunError::Usage(format!("no rule {id}; `scanner library show` lists them"))),
    }
}

fn check(arguments: &Check) -> u8 {
    let library = match run::open_library(arguments.folder.as_deref()) {
        Ok(library) => library,
        Err(refusal) => return failed(&refusal.into()),
    };
    let faults = library.check();
    for fault in &faults {
        say(format_args!("error: {fault}"));
    }
    if !faults.is_empty() {
        return REFUSED;
    }
    let examples: usize =
        library.rules().iter().map(|rule| rule.hits.len() + rule.misses.len()).sum();
    let text = format!(
        "{} ({}) is sound: every file has its digest, and {examples} examples of {} path rules \
         hold\ndigest {}\n",
        library.name,
        library.status,
        library.rules().len(),
        library.digest
    );
    printed(print_page(&text))
}

fn classify(arguments: &Classify) -> Result<String, RunError> {
    let library = arguments.library.open()?;
    let mut text = String::new();
    let mut explain = |path: &str| {
        let explained = library.explain(path.as_bytes());
        text.push_str(&match arguments.json {
            true => report::explanation_json(path, &explained),
            false => report::explanation(path, &explained),
        });
    };
    for path in &arguments.paths {
        if path == "-" {
            for line in io::stdin().lock().lines() {
                explain(&line?);
            }
        } else {
            explain(path);
        }
    }
    Ok(text)
}

fn export(arguments: &Export) -> Result<String, RunError> {
    let folder = &arguments.out;
    if files::exists(folder) {
        let message = format!("{} exists; name a folder that does not", folder.display());
        return Err(RunError::Usage(message));
    }
    files::make_folder(folder)?;
    for (name, text) in Library::embedded_files() {
        files::write_whole(&folder.join(name), text.as_bytes())?;
    }
    Ok(format!("{}/  sha256sum -c SHA256SUMS verifies it\n", folder.display()))
}

fn coverage(arguments: &Measured) -> Result<String, RunError> {
    let library = arguments.library.open()?;
    let mut collections = Vec::new();
    for named in &arguments.collections {
        collections.push(corpus::documents(named)?);
    }
    let coverage = Coverage::of(&library, collections.into_iter().flatten())?;
    let agreement = match &arguments.labelled {
        Some(labels) => Some(agreement(&library, labels, arguments.discussed.as_deref())?),
        None => None,
    };
    let page = report::coverage(&coverage, &command_of(arguments), agreement.as_ref());
    let Some(out) = &arguments.out else { return Ok(page) };
    files::write_whole(out, page.as_bytes())?;
    Ok(format!("{}\n", out.display()))
}

/// Holds the library against the readers' labels.
fn agreement(
    library: &Library,
    labels: &Path,
    discussed: Option<&Path>,
) -> Result<LabelledAgreement, RunError> {
    let hint = "name a table of labels";
    let read = |path: &Path| {
        let text = files::read_text(path, LABELS_MOST);
        text.map_err(|error| files::unreadable(path, &error, hint))
    };
    let text = read(labels)?;
    let discussion = discussed.map(read).transpose()?;
    let name = |path: &Path| path.display().to_string();
    let sentences = discussed.map(name).zip(discussion);
    let sentences = sentences.as_ref().map(|(file, text)| (file.as_str(), text.as_str()));
    Ok(LabelledAgreement::of(library, (&name(labels), text.as_bytes()), sentences)?)
}

/// The arguments by which a report is made anew, with the names of the files alone: where they lie
/// is the reader's own affair.
fn command_of(arguments: &Measured) -> String {
    let name = |path: &PathBuf| {
        path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let mut words: Vec<String> = arguments.collections.iter().map(name).collect();
    for (option, file) in
        [("--labelled", &arguments.labelled), ("--discussed", &arguments.discussed)]
    {
        words.extend(file.iter().map(|file| format!("{option} {}", name(file))));
    }
    words.join(" ")
}
