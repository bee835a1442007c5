//! The only door to `std::fs`: open, append, sync, seal, rename, hold.
//!
//! Every error names the file. A file without `.partial` is finished and final: whole files are
//! written beside their name, synced and renamed. A file that one process holds is given back by the
//! system when that process ends, however it ends.

#![allow(clippy::disallowed_methods, reason = "this is the door that the others must use")]

use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::refusal::Refusal;

/// What the name of a file ends in while it is not finished.
pub const PARTIAL: &str = ".partial";

/// Octets read at once of a file that is read through.
const PIECE_OCTETS: usize = 64 * 1024;

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

/// The refusal of whatever file an error of this module names first.
pub fn refused(error: &io::Error, hint: &str) -> Refusal {
    let message = error.to_string();
    let (file, reason) = message.split_once(": ").unwrap_or(("", &message));
    Refusal::of(file, reason, hint)
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

/// Hands a file's octets on in pieces.
pub fn read_through(path: &Path, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut file = naming(path, File::open(path))?;
    let mut piece = vec![0; PIECE_OCTETS];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(read) => take(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return naming(path, Err(error)),
        }
    }
}

/// Opens a file for reading in order.
pub fn open(path: &Path) -> io::Result<BufReader<File>> {
    naming(path, File::open(path)).map(BufReader::new)
}

/// Octets of a file.
pub fn length(path: &Path) -> io::Result<u64> {
    naming(path, fs::metadata(path)).map(|about| about.len())
}

/// Opens a file for reading in order, so many octets at a time.
pub fn open_with(path: &Path, octets: usize) -> io::Result<BufReader<File>> {
    naming(path, File::open(path)).map(|file| BufReader::with_capacity(octets, file))
}

/// Octets of a file.
pub fn octets(path: &Path) -> io::Result<u64> {
    naming(path, fs::metadata(path)).map(|file| file.len())
}

/// A file that is read piece by piece, in any order.
pub struct Pieces {
    path: PathBuf,
    file: File,
}

impl Pieces {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), file: naming(path, File::open(path))? })
    }

    /// Reads a piece; a file that ends within it is an error.
    pub fn read(&mut self, offset: u64, octets: u64) -> io::Result<Vec<u8>> {
        let piece = self.read_most(offset, octets)?;
        if (piece.len() as u64) < octets {
            return naming(&self.path, Err(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(piece)
    }

    /// Reads a piece, or as much of it as there is.
    pub fn read_most(&mut self, offset: u64, octets: u64) -> io::Result<Vec<u8>> {
        let mut piece = Vec::new();
        naming(&self.path, self.file.seek(SeekFrom::Start(offset)))?;
        naming(&self.path, Read::by_ref(&mut self.file).take(octets).read_to_end(&mut piece))?;
        Ok(piece)
    }
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
        sync_folder_of(path)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Opens a file that is there, cut back to its first `octets`.
    pub fn cut_back(path: &Path, octets: u64) -> io::Result<Self> {
        let whole = naming(path, File::options().write(true).open(path))?;
        naming(path, whole.set_len(octets).and_then(|()| whole.sync_all()))?;
        let file = naming(path, File::options().append(true).open(path))?;
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
        name.push(PARTIAL);
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
    sync_folder_of(to)
}

impl Write for Whole {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        naming(&self.partial, self.file.write(octets))
    }

    fn flush(&mut self) -> io::Result<()> {
        naming(&self.partial, self.file.flush())
    }
}

/// Makes the names in a file's folder durable.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    naming(folder, File::open(folder).and_then(|file| file.sync_all()))
}

/// A file that one process at a time holds.
pub struct Held {
    path: PathBuf,
    file: File,
}

impl Held {
    /// Takes hold of a file, made if it is not there, and writes `note` into it; `None` where another
    /// process holds it.
    pub fn take(path: &Path, note: &str) -> io::Result<Option<Self>> {
        let options = File::options().read(true).write(true).create(true).truncate(false).clone();
        let mut file = naming(path, options.open(path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return naming(path, Err(error)),
        }
        naming(path, file.set_len(0).and_then(|()| file.write_all(note.as_bytes())))?;
        Ok(Some(Self { path: path.to_owned(), file }))
    }

    /// Whether a process holds a file; nobody holds one that is not there.
    pub fn is_taken(path: &Path) -> io::Result<bool> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            opened => naming(path, opened)?,
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => naming(path, Err(error)),
        }
    }

    /// Removes the file while it is still held: whoever opened it meanwhile holds nothing that has a
    /// name.
    pub fn remove(self) -> io::Result<()> {
        remove(&self.path)?;
        drop(self.file);
        Ok(())
    }
}

/// Removes a file.
pub fn remove(path: &Path) -> io::Result<()> {
    naming(path, fs::remove_file(path))
}
