//! `scanner library`: the pattern library read out, checked, asked, copied out and measured.

use std::io::{self, BufRead as _};
use std::path::PathBuf;

use clap::Subcommand;

use super::talk::{self, say};
use super::{DONE, FAILED, REFUSED, USAGE};
use crate::corpus;
use crate::coverage::Coverage;
use crate::files;
use crate::library::Library;
use crate::refusal::Refusal;
use crate::report;
use crate::run;

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
    fn open(&self) -> Result<Library, Stopped> {
        Ok(run::open_library(self.library.as_deref())?)
    }
}

/// Why a command has no result.
enum Stopped {
    Usage(String),
    Refused(Refusal),
    Failed(io::Error),
}

impl From<Refusal> for Stopped {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
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
    match text {
        Ok(text) if talk::print(&text) => DONE,
        Ok(_) => FAILED,
        Err(stopped) => stopped_with(&stopped),
    }
}

/// Says why there is no result; returns the exit status.
fn stopped_with(stopped: &Stopped) -> u8 {
    match stopped {
        Stopped::Usage(message) => {
            say(format_args!("error: {message}"));
            USAGE
        }
        Stopped::Refused(refusal) => {
            say(format_args!("error: {refusal}"));
            REFUSED
        }
        Stopped::Failed(error) => {
            say(format_args!("error: {error}"));
            FAILED
        }
    }
}

fn show(arguments: &Show) -> Result<String, Stopped> {
    let library = arguments.library.open()?;
    let Some(id) = &arguments.rule else { return Ok(report::library(&library)) };
    match library.rules().iter().find(|rule| rule.id == *id) {
        Some(rule) => Ok(report::library_rule(rule)),
        None => Err(Stopped::Usage(format!("no rule {id}; `scanner library show` lists them"))),
    }
}

fn check(arguments: &Check) -> u8 {
    let library = match run::open_library(arguments.folder.as_deref()) {
        Ok(library) => library,
        Err(refusal) => return stopped_with(&refusal.into()),
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
    if talk::print(&text) { DONE } else { FAILED }
}

fn classify(arguments: &Classify) -> Result<String, Stopped> {
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

fn export(arguments: &Export) -> Result<String, Stopped> {
    let folder = &arguments.out;
    if files::exists(folder) {
        let message = format!("{} exists; name a folder that does not", folder.display());
        return Err(Stopped::Usage(message));
    }
    files::make_folder(folder)?;
    for (name, text) in Library::embedded_files() {
        files::write_whole(&folder.join(name), text.as_bytes())?;
    }
    Ok(format!("{}/  sha256sum -c SHA256SUMS verifies it\n", folder.display()))
}

fn coverage(arguments: &Measured) -> Result<String, Stopped> {
    let library = arguments.library.open()?;
    let mut collections = Vec::new();
    for named in &arguments.collections {
        collections.push(corpus::documents(named)?);
    }
    let coverage = Coverage::of(&library, collections.into_iter().flatten())?;
    // The name alone: where a collection lies is the reader's own affair.
    let names = arguments.collections.iter().filter_map(|path| path.file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    let page = report::coverage(&coverage, &names.join(" "));
    let Some(out) = &arguments.out else { return Ok(page) };
    files::write_whole(out, page.as_bytes())?;
    Ok(format!("{}\n", out.display()))
}
