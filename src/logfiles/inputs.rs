//! What an audit rests on, file by file with digests, so that it can be told whether another rests on
//! the same.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::plan::Planned;
use crate::digest::Hasher;
use crate::files;
use crate::logs::AuditFile;

/// The logs, and the files and folders of the roles given; archives and not the logs in them.
pub fn inputs(planned: &[Planned], others: &[(&'static str, &Path)]) -> io::Result<Vec<AuditFile>> {
    let logs: BTreeSet<PathBuf> = planned.iter().map(|file| file.origin.path.clone()).collect();
    let mut inputs = Vec::new();
    for path in logs {
        inputs.push(input("log", &path)?);
    }
    for (role, path) in others {
        add(role, path, &mut inputs)?;
    }
    Ok(inputs)
}

/// Adds a file, or all files of a folder.
fn add(role: &'static str, path: &Path, inputs: &mut Vec<AuditFile>) -> io::Result<()> {
    if !files::is_folder(path) {
        inputs.push(input(role, path)?);
        return Ok(());
    }
    for entry in files::entries(path)? {
        add(role, &entry, inputs)?;
    }
    Ok(())
}

fn input(role: &'static str, path: &Path) -> io::Result<AuditFile> {
    let name = path.to_string_lossy().into_owned();
    if name == "-" {
        return Ok(AuditFile { role, name, octets: 0, sha256: None });
    }
    let (mut hasher, mut octets) = (Hasher::new(), 0);
    files::read_through(path, |piece| {
        octets += piece.len() as u64;
        hasher.update(piece);
    })?;
    Ok(AuditFile { role, name, octets, sha256: Some(hasher.finish()) })
}
