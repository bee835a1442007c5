//! The only door to `std::fs`: open, append, sync, seal, rename.
//!
//! Every error names the file. A file without `.partial` is finished and final: whole files are
//! written beside their name, synced and renamed.

#![allow(clippy::disallowed_methods, reason = "this is the door that the others must use")]

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::refusal::Refusal;

/// Adds the file's name to an error.
fn naming<T>(path: &Path, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// The refusal of an input that cannot be read: every error of this module names its file first,
/// and a refusal names it once.
pub fn unreadable(path: &Path, error: &io::Error, hint: &str) -> Refusal {
    let file = path.to_string_lossy();
    let message = error.to_string();
    let reason = message.strip_prefix(&format!("{file}: ")).unwrap_or(&message);
    Refusal::of(&file, reason, hint)
}

/// Reads a file whole, refusing one longer than `limit` octets.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    naming(path, File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut octets)))?;
    if octets.len() as u64 > limit {
        let message = format!("{}: longer than {limit} octets", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(octets)
}

/// Reads a text file whole.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let octets = read(path, limit)?;
    let text = String::from_utf8(octets).map_err(|_| io::Error::from(io::ErrorKind::InvalidData));
    naming(path, text)
}

/// Opens a file for reading in order.
pub fn open(path: &Path) -> io::Result<BufReader<File>> {
    naming(path, File::open(path)).map(BufReader::new)
}

/// Opens a file for reading in order, so many octets at a time.
pub fn open_with(path: &Path, octets: usize) -> io::Result<BufReader<File>> {
    naming(path, File::open(path)).map(|file| BufReader::with_capacity(octets, file))
}

/// Whether a file or folder is there.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Whether a path is a folder.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// The entries of a folder, by name.
pub fn entries(path: &Path) -> io::Result<Vec<PathBuf>> {
    let listed = naming(path, fs::read_dir(path))?;
    let mut paths = Vec::new();
    for entry in listed {
        paths.push(naming(path, entry)?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> io::Result<()> {
    naming(path, fs::create_dir_all(path))
}

/// A file that is only appended to.
pub struct Appended {
    path: PathBuf,
    file: File,
}

impl Appended {
    /// Creates a file that must not exist yet.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = naming(path, File::options().append(true).create_new(true).open(path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends octets whole.
    pub fn append(&mut self, octets: &[u8]) -> io::Result<()> {
        naming(&self.path, self.file.write_all(octets))
    }

    /// Makes what was appended durable.
    pub fn sync(&self) -> io::Result<()> {
        naming(&self.path, self.file.sync_data())
    }
}

/// Writes a file whole: beside its name first, then synced, then renamed into place.
pub fn write_whole(path: &Path, octets: &[u8]) -> io::Result<()> {
    let mut whole = Whole::begin(path)?;
    naming(path, whole.write_all(octets))?;
    whole.seal()
}

/// A file that is being written and not there until it is sealed.
pub struct Whole {
    path: PathBuf,
    partial: PathBuf,
    file: io::BufWriter<File>,
}

impl Whole {
    /// Begins a file beside its final name.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = path.with_file_name(name);
        let file = io::BufWriter::new(naming(&partial, File::create(&partial))?);
        Ok(Self { path: path.to_owned(), partial, file })
    }

    /// Syncs the file and gives it its name.
    pub fn seal(self) -> io::Result<()> {
        self.sync()?.name()
    }

    /// Makes the file durable under its partial name: what can fail for want of room is behind it.
    pub fn sync(self) -> io::Result<Synced> {
        let Self { path, partial, file } = self;
        let file = naming(&partial, file.into_inner().map_err(io::IntoInnerError::into_error))?;
        naming(&partial, file.sync_all())?;
        Ok(Synced { path, partial })
    }
}

/// A whole file that has not got its name yet.
pub struct Synced {
    path: PathBuf,
    partial: PathBuf,
}

impl Synced {
    /// Gives the file its name.
    pub fn name(self) -> io::Result<()> {
        name(&self.partial, &self.path)
    }
}

/// Gives a durable file another name in its folder, for good.
pub fn name(from: &Path, to: &Path) -> io::Result<()> {
    naming(to, fs::rename(from, to))?;
    match to.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => sync_folder(folder),
        _ => sync_folder(Path::new(".")),
    }
}

impl Write for Whole {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        naming(&self.partial, self.file.write(octets))
    }

    fn flush(&mut self) -> io::Result<()> {
        naming(&self.partial, self.file.flush())
    }
}

/// Makes a folder's renames durable.
fn sync_folder(folder: &Path) -> io::Result<()> {
    naming(folder, File::open(folder).and_then(|file| file.sync_all()))
}

/// Removes a file.
pub fn remove(path: &Path) -> io::Result<()> {
    naming(path, fs::remove_file(path))
}
