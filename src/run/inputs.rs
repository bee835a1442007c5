//! A run's inputs read from the disk: the sample with its sidecar, the pattern library.

use std::path::{Path, PathBuf};

use crate::files;
use crate::library::Library;
use crate::limits::SAMPLE_OCTETS;
use crate::refusal::Refusal;
use crate::sample::Sample;

/// Most octets of a sidecar or of one file of a library.
const TEXT_OCTETS: u64 = 16 * 1024 * 1024;

/// A sample's files as they lie on the disk.
pub struct SampleFiles {
    /// The list's file.
    pub path: PathBuf,
    /// Its octets.
    pub octets: Vec<u8>,
    /// The sidecar's file, whether it is there or not.
    pub sidecar_path: PathBuf,
    /// The sidecar's text, if there is one.
    pub sidecar: Option<String>,
}

impl SampleFiles {
    /// Reads a sample's files; a bare name that is not a file here is sought in `samples/`.
    pub fn read(named: &Path) -> Result<Self, Refusal> {
        let path = find_sample(named);
        let octets = files::read(&path, SAMPLE_OCTETS).map_err(|error| {
            let hint = "a bare name is sought here and in samples/";
            files::unreadable(&path, &error, hint)
        })?;
        let sidecar_path = path.with_extension("toml");
        let is_there = files::exists(&sidecar_path) && sidecar_path != path;
        let sidecar = is_there.then(|| text(&sidecar_path, "a sidecar is TOML")).transpose()?;
        Ok(Self { path, octets, sidecar_path, sidecar })
    }

    /// Hands the files to what judges them: the list's name and octets, the sidecar's name and text.
    pub fn with<T>(&self, judge: impl FnOnce(&str, &[u8], Option<(&str, &str)>) -> T) -> T {
        let (file, beside) = (self.path.to_string_lossy(), self.sidecar_path.to_string_lossy());
        judge(&file, &self.octets, self.sidecar.as_deref().map(|text| (&*beside, text)))
    }
}

/// Reads a sample.
pub(super) fn sample(named: &Path) -> Result<Sample, Refusal> {
    SampleFiles::read(named)?.with(Sample::parse)
}

/// Reads a text file of a sample: a sidecar, or what a frame is made of.
pub fn text(path: &Path, hint: &str) -> Result<String, Refusal> {
    files::read_text(path, TEXT_OCTETS).map_err(|error| files::unreadable(path, &error, hint))
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
    let refused = |path: &Path, error| files::unreadable(path, &error, hint);
    let mut contents = Vec::new();
    for path in files::entries(folder).map_err(|error| refused(folder, error))? {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !files::is_folder(&path) {
            let octets = files::read(&path, TEXT_OCTETS).map_err(|error| refused(&path, error))?;
            contents.push((file, octets));
        }
    }
    Library::from_files(&name, &contents)
}
