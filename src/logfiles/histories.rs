//! A robots history on disk: one file, a folder with a manifest, or a folder of dated files.
//!
//! Without a manifest a version's moment is in its name; files beneath a folder's own folders are
//! those of the host that such a folder is named after.

use std::collections::BTreeMap;
use std::path::Path;

use crate::digest::Digest;
use crate::files;
use crate::limits::{LOG_EVIDENCE_OCTETS, ROBOTS_FILE_OCTETS};
use crate::logs::manifest::{self, Entry};
use crate::logs::{Basis, History, Version, host_name};
use crate::refusal::Refusal;

/// The manifest of a folder.
const MANIFEST: &str = "manifest.csv";

/// What a history may be.
const HINT: &str = "a robots.txt, or a folder with manifest.csv, or with files named \
                    robots.2026-10-25T003000Z.txt; see docs/logs.md";

/// Versions by host.
type Hosts = BTreeMap<String, Vec<Version>>;

/// Reads a history.
pub fn history(path: &Path) -> Result<History, Refusal> {
    let mut hosts = Hosts::new();
    if !files::is_folder(path) {
        let octets = read(path)?;
        let version = Version::of_file(i64::MIN, &path.to_string_lossy(), &octets, Basis::Always);
        hosts.insert("*".to_owned(), vec![version]);
    } else if files::exists(&path.join(MANIFEST)) {
        from_manifest(path, &mut hosts)?;
    } else {
        from_names(path, "*", &mut hosts)?;
        for folder in entries(path)?.iter().filter(|entry| files::is_folder(entry)) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let host = String::from_utf8_lossy(&host_name(name.as_bytes())).into_owned();
            from_names(folder, &host, &mut hosts)?;
        }
    }
    if hosts.is_empty() {
        return Err(Refusal::of(&path.to_string_lossy(), "the folder holds no version", HINT));
    }
    Ok(History::new(hosts))
}

/// Reads the versions that a manifest lists.
fn from_manifest(folder: &Path, hosts: &mut Hosts) -> Result<(), Refusal> {
    let path = folder.join(MANIFEST);
    let text = files::read_text(&path, LOG_EVIDENCE_OCTETS)
        .map_err(|error| files::unreadable(&path, &error, HINT))?;
    let name = path.to_string_lossy();
    let mut entries = manifest::parse(&name, &text)?;
    entries.sort_by_key(|entry| entry.from_s);
    // When each host's version before was last known to be there.
    let mut last_seen_s: BTreeMap<String, i64> = BTreeMap::new();
    for entry in entries {
        let mut version = version_of(folder, &entry, &name)?;
        let before = last_seen_s
            .insert(entry.host.clone(), entry.observed_s.unwrap_or(entry.from_s).max(entry.from_s));
        if entry.basis == Basis::Observed {
            version.uncertain_from_s = before;
        }
        hosts.entry(entry.host).or_default().push(version);
    }
    Ok(())
}

/// The version of one row.
fn version_of(folder: &Path, entry: &Entry, manifest: &str) -> Result<Version, Refusal> {
    if entry.file.is_empty() {
        return Ok(Version::without_file(entry.from_s, entry.status, entry.basis));
    }
    let path = folder.join(&entry.file);
    let octets = read(&path)?;
    if entry.digest.is_some_and(|digest| digest != Digest::of(&octets)) {
        let message = format!("{} is not the file of the digest given", entry.file);
        let hint = "the file has changed since the manifest was written";
        return Err(Refusal::of(manifest, message, hint).at(entry.line));
    }
    Ok(Version::of_file(entry.from_s, &path.to_string_lossy(), &octets, entry.basis))
}

/// Reads the versions of a folder whose names bear their moments.
fn from_names(folder: &Path, host: &str, hosts: &mut Hosts) -> Result<(), Refusal> {
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if files::is_folder(&path) || !name.starts_with("robots") {
            continue;
        }
        let Some((from_s, status)) = manifest::named(&name) else {
            return Err(Refusal::of(&path.to_string_lossy(), "its name bears no moment", HINT));
        };
        let version = match status {
            Some(200) => {
                let octets = read(&path)?;
                Version::of_file(from_s, &path.to_string_lossy(), &octets, Basis::Deployed)
            }
            status => Version::without_file(from_s, status, Basis::Deployed),
        };
        hosts.entry(host.to_owned()).or_default().push(version);
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<std::path::PathBuf>, Refusal> {
    files::entries(folder).map_err(|error| files::unreadable(folder, &error, HINT))
}

fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    files::read(path, ROBOTS_FILE_OCTETS).map_err(|error| files::unreadable(path, &error, HINT))
}
