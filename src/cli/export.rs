//! `scanner export`: a run as a folder ready for a research repository.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;

use super::cite::Publisher;
use super::talk::{print_json, say};
use super::{DONE, failed, printed};
use crate::export::{ExportError, Exported, Format, export as write_export};
use crate::run::RunError;
use crate::words::Word as _;

/// Shown below the options.
const AFTER_HELP: &str = "\
The folder holds the run as it was made, `columns.md`, `README.md`, and by --to:
  parquet      merged, crawlers, paths and review with their types (DuckDB, pandas, Polars)
  datapackage  datapackage.json, a Data Package 2.0 with a schema a table
  croissant    croissant.json, a Croissant 1.0 description for dataset search
  citation     CITATION.cff
SHA256SUMS is written last: `sha256sum -c SHA256SUMS` checks the folder with no software of ours.
A run that is not complete, or whose files are not what its manifest states, is refused.

Examples:
  scanner export runs/demo-808
  scanner export runs/demo-808 --to parquet --out /tmp/demo
  scanner export runs/demo-808 --author \"Doe, Ada\" --licence CC-BY-4.0";

/// Writes a run as a folder ready for a research repository.
///
/// The run's own files are copied as they are; tables as Parquet, descriptions for other people's
/// tools, a citation and checksums are derived from them.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder of a complete run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// What to write beside the run itself, joined by commas [default: all]
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',', value_parser = formats())]
    to: Vec<String>,

    /// Folder to write, which must not be there yet [default: the run's with -export behind it]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    publisher: Publisher,

    /// Print one JSON document: the files with their lengths and digests
    #[arg(long)]
    json: bool,
}

/// Exports a run; returns the exit status.
pub(super) fn export(arguments: &Arguments) -> u8 {
    let out = arguments.out.clone().unwrap_or_else(|| beside(&arguments.run));
    let formats: Vec<Format> = match arguments.to.as_slice() {
        [] => Format::ALL.to_vec(),
        words => words.iter().filter_map(|word| Format::from_word(word)).collect(),
    };
    let publication = arguments.publisher.publication();
    match write_export(&arguments.run, &out, &formats, &publication) {
        Ok(exported) if arguments.json => printed(print_json(&document(&out, &exported))),
        Ok(exported) => {
            let octets: u64 = exported.files.iter().map(|file| file.octets).sum();
            let count = exported.files.len();
            say(format_args!("{}: {count} files, {octets} octets", out.display()));
            DONE
        }
        Err(ExportError::Refused(refusal)) => failed(&refusal.into()),
        Err(ExportError::Failed(error)) => failed(&RunError::Failed(error)),
    }
}

/// The words of the formats.
fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.word()))
}

/// The folder's name with `-export` behind it.
fn beside(run: &Path) -> PathBuf {
    let mut name = run.file_name().unwrap_or(run.as_os_str()).to_owned();
    name.push("-export");
    run.with_file_name(name)
}

/// What was written, as JSON.
fn document(out: &Path, exported: &Exported) -> String {
    let files = exported.files.iter().map(|file| {
        serde_json::json!({
            "path": file.path,
            "octets": file.octets,
            "sha256": file.digest.to_string(),
        })
    });
    let files: Vec<_> = files.collect();
    format!("{:#}\n", serde_json::json!({ "folder": out.to_string_lossy(), "files": files }))
}
