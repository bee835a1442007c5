//! The fixture internet: every behaviour of a host, acted out on real sockets on loopback.
//!
//! `site` says what a host does, as data. Three kinds of world fill it: a folder written by hand
//! (`folder`), a synthetic model with a known truth (`model`), and real responses from a web
//! archive (`captured`). `server` acts out any of them; the scan code that asks is the same as on
//! the open internet.

mod addresses;
mod captured;
mod certificates;
mod exchange;
mod faults;
mod folder;
mod handshake;
mod model;
mod names;
mod server;
mod site;
mod site_file;

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::files;
use crate::refusal::Refusal;

pub use captured::Captured;
pub use folder::Folder;
pub use model::Model;
pub use server::{Served, serve};
pub use site::{Connection, Dns, Fault, Internet, Reply, Site, Tls};

/// Opens a world of any kind, told apart by its path.
pub fn open(path: &Path) -> Result<Arc<dyn Internet>, WorldError> {
    const KINDS: &str = "a world is a folder with a world.toml, a model as .toml, or an archive \
                         as .warc or .warc.gz";
    let shown = path.display().to_string();
    if !files::exists(path) {
        return Err(Refusal::of(&shown, "no such world", KINDS).into());
    }
    if files::is_folder(path) {
        return Ok(Arc::new(Folder::open(path)?));
    }
    if shown.ends_with(".warc") || shown.ends_with(".warc.gz") {
        return Ok(Arc::new(Captured::open(path)?));
    }
    if shown.ends_with(".toml") {
        return Ok(Arc::new(Model::open(path)?));
    }
    Err(Refusal::of(&shown, "not a kind of world", KINDS).into())
}

/// Why a world cannot be opened.
#[derive(Debug)]
pub enum WorldError {
    /// It is not written as its format asks.
    Refused(Refusal),
    /// It cannot be read.
    Unreadable(io::Error),
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Unreadable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WorldError {}

impl From<Refusal> for WorldError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<io::Error> for WorldError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}
