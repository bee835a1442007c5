//! An archive that is read in parts: as it stands, or unpacked where that cannot be.
//!
//! Where one gzip member or zstd frame holds many records, or a zstd archive has a dictionary, no
//! record can be read without those before it. Such an archive is unpacked once, beside the run, for
//! as long as the run reads it.

use std::io::{self, BufRead as _, Read, Write as _};
use std::path::{Path, PathBuf};

use super::super::read::Records;
use super::answer::Received;
use super::find::Found;
use crate::files::{self, Whole};

/// An archive.
pub(super) struct Archive {
    path: PathBuf,
    unpacked: Option<PathBuf>,
}

impl Archive {
    /// An archive as it stands.
    pub(super) fn packed(path: &Path) -> Self {
        Self { path: path.to_owned(), unpacked: None }
    }

    /// Where its records are read.
    pub(super) fn path(&self) -> &Path {
        self.unpacked.as_deref().unwrap_or(&self.path)
    }

    /// Unpacks it beside a run, whose path the new file's name begins with.
    pub(super) fn unpack(&mut self, scratch: &Path, number: usize) -> io::Result<()> {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
        };
        let mut packed = files::open(&self.path)?;
        let is_gzip = packed.fill_buf()?.starts_with(&[0x1F, 0x8B]);
        let mut reader: Box<dyn Read> = match is_gzip {
            true => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
            false => Box::new(zstd::Decoder::with_buffer(packed).map_err(named)?),
        };
        let mut name = scratch.file_name().unwrap_or_default().to_owned();
        name.push(format!(".archive-{number}.unpacked"));
        let unpacked = scratch.with_file_name(name);
        if let Some(folder) = unpacked.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            files::make_folder(folder)?;
        }
        let mut whole = Whole::begin(&unpacked)?;
        io::copy(&mut reader, &mut whole).map_err(named)?;
        whole.flush()?;
        whole.seal()?;
        self.unpacked = Some(unpacked);
        Ok(())
    }

    /// Reads a capture.
    pub(super) fn read(&self, found: &Found) -> io::Result<Received> {
        Received::read_whole(&mut Records::open_one(self.path(), found.offset)?)
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        // Whoever reads the run later finds a file too many at worst.
        if let Some(unpacked) = &self.unpacked {
            let _ = files::remove(unpacked);
        }
    }
}
