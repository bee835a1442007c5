//! A run as a folder ready for a research repository: the run itself, file by file, tables as
//! Parquet, descriptions for other people's tools, a citation, and checksums.
//!
//! Everything is derived: the run's files are copied as they are, each held to the digest that the
//! manifest states, and the rest is written from them. `SHA256SUMS` is written last: a folder
//! without it is not finished. What a table's columns are comes from `record` alone.

mod citation;
mod columnar;
mod croissant;
mod folder;
mod package;
mod readme;
mod study;

use std::io;
use std::path::Path;

pub use citation::{CitationForm, cite};
pub use folder::{ExportError, Exported, ExportedFile};
pub use study::Publication;

use crate::closed_list;
use crate::digest::Digest;
use crate::manifest::{Recorded, Status};
use crate::record::{self, CrawlerRow, MergedRow, PathRow, ReviewRow, Row};
use crate::refusal::Refusal;
use crate::store::RunFolder;
use folder::Folder;
use study::Study;

closed_list! {
    /// What an export may hold beside the run itself.
    pub enum Format {
        /// The merged tables as Apache Parquet.
        Parquet = "parquet",
        /// `datapackage.json`: a Data Package with a schema a table.
        Datapackage = "datapackage",
        /// `croissant.json`: for dataset search.
        Croissant = "croissant",
        /// `CITATION.cff`.
        Citation = "citation",
    }
}

/// Writes a complete run, and what is derived of it, into a folder that must not be there yet.
pub fn export(
    run: &Path,
    to: &Path,
    formats: &[Format],
    publication: &Publication,
) -> Result<Exported, ExportError> {
    let recorded = RunFolder::at(run).recorded()?;
    refuse_unfinished(run, &recorded)?;
    let study = Study { run: &recorded, publication };
    let mut folder = Folder::begin(to)?;
    folder.copy_run(run, &recorded)?;
    let is_wanted = |format| formats.contains(&format);
    if is_wanted(Format::Parquet) {
        write_parquet(&mut folder, run, &study)?;
    }
    folder.write("columns.md", &record::columns_page())?;
    if is_wanted(Format::Citation) {
        folder.write("CITATION.cff", &cite(&recorded, publication, CitationForm::Cff))?;
    }
    folder.write("README.md", &readme::page(&study, formats))?;
    // The two descriptions name every file that stands before them, and not each other.
    let described = folder.exported().clone();
    if is_wanted(Format::Datapackage) {
        folder.write_json("datapackage.json", &package::descriptor(&study, &described))?;
    }
    if is_wanted(Format::Croissant) {
        folder.write_json("croissant.json", &croissant::description(&study, &described))?;
    }
    Ok(folder.seal()?)
}

/// Refuses a run that has no final results.
fn refuse_unfinished(run: &Path, recorded: &Recorded) -> Result<(), Refusal> {
    if recorded.status == Status::Complete {
        return Ok(());
    }
    let message = format!("the run is {}", recorded.status);
    let hint = format!("scanner resume {} finishes an interrupted run", run.display());
    Err(Refusal::of(&run.to_string_lossy(), message, hint))
}

/// Writes the four merged tables as Parquet.
fn write_parquet(folder: &mut Folder, run: &Path, study: &Study<'_>) -> io::Result<()> {
    fn table<R: Row + 'static>(
        folder: &mut Folder,
        run: &Path,
        study: &Study<'_>,
        name: &str,
    ) -> io::Result<()> {
        let rows = RunFolder::at(run).read::<R>(&format!("{name}.csv"))?;
        folder.write_with(&format!("parquet/{name}.parquet"), |file| {
            columnar::write(rows, &study.facts(), file).map(drop)
        })
    }
    table::<MergedRow>(folder, run, study, "merged")?;
    table::<CrawlerRow>(folder, run, study, "crawlers")?;
    table::<PathRow>(folder, run, study, "paths")?;
    table::<ReviewRow>(folder, run, study, "review")
}

/// The line that `sha256sum` prints for a file.
fn checksum_line(digest: &Digest, path: &str) -> String {
    format!("{digest}  {path}\n")
}
