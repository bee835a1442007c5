//! A run's inputs read from the disk: the sample with its sidecar, the pattern library.

use std::io;
use std::path::{Path, PathBuf};

use crate::files;
use crate::library::Library;
use crate::limits::SAMPLE_OCTETS;
use crate::refusal::Refusal;
use crate::sample::Sample;

/// Most octets of a sidecar or of one file of a library.
const TEXT_OCTETS: u64 = 16 * 1024 * 1024;

/// Reads a sample; a bare name that is not a file here is sought in `samples/`.
pub(super) fn sample(named: &Path) -> Result<Sample, Refusal> {
    let path = find_sample(named);
    let file = path.to_string_lossy();
    let octets = files::read(&path, SAMPLE_OCTETS).map_err(|error| {
        let hint = "a bare name is sought here and in samples/";
        unreadable(Some(&path), &error, hint)
    })?;
    let sidecar_path = path.with_extension("toml");
    let sidecar_file = sidecar_path.to_string_lossy();
    let sidecar = if files::exists(&sidecar_path) && sidecar_path != path {
        let text = files::read_text(&sidecar_path, TEXT_OCTETS);
        Some(text.map_err(|error| unreadable(Some(&sidecar_path), &error, "a sidecar is TOML"))?)
    } else {
        None
    };
    Sample::parse(&file, &octets, sidecar.as_deref().map(|text| (sidecar_file.as_ref(), text)))
}

/// Where a sample is.
fn find_sample(named: &Path) -> PathBuf {
    let is_bare = named.components().count() == 1;
    let beside = Path::new("samples").join(named);
    if is_bare && !files::exists(named) && files::exists(&beside) {
        beside
    } else {
        named.to_owned()
    }
}

/// Reads a library from a folder, or the embedded one.
pub fn library(folder: Option<&Path>) -> Result<Library, Refusal> {
    let Some(folder) = folder else { return Library::embedded() };
    let name = folder.to_string_lossy();
    let hint = "a library is a folder of TOML and CSV";
    let refused = |error: io::Error| unreadable(None, &error, hint);
    let mut contents = Vec::new();
    for path in files::entries(folder).map_err(refused)? {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !files::is_folder(&path) {
            contents.push((file, files::read(&path, TEXT_OCTETS).map_err(refused)?));
        }
    }
    Library::from_files(&name, &contents)
}

/// The refusal of a file that cannot be read. The door to the file system names the file first,
/// and a refusal names it once; where the path is not known, what stands before the colon is it.
pub(super) fn unreadable(path: Option<&Path>, error: &io::Error, hint: &str) -> Refusal {
    let message = error.to_string();
    let named = path.map(|path| path.to_string_lossy().into_owned());
    let (file, reason) = match &named {
        Some(file) => {
            (file.as_str(), message.strip_prefix(&format!("{file}: ")).unwrap_or(&message))
        }
        None => message.split_once(": ").unwrap_or(("", &message)),
    };
    Refusal::of(file, reason, hint)
}
