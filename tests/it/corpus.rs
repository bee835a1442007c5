//! The corpora that are too large, or not ours, to stand in this repository.

use std::path::PathBuf;

/// The folder that holds `data/` and `worlds/`, or none where it is absent; then it says so.
#[allow(clippy::disallowed_methods, reason = "where the corpora are is not part of a measurement")]
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = match std::env::var("SCANNER_CORPUS") {
        Ok(folder) => PathBuf::from(folder),
        Err(_) => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
    };
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SCANNER_CORPUS is not there: {}; tests that read it are skipped", folder.display());
    None
}
