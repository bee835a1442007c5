//! A world written by hand: a folder with a `world.toml` and one folder per domain.
//!
//! ```text
//! faults/
//!   world.toml             about = "what it shows"   deadline_ms = 1500
//!   blocks-all.test/       the name of the host
//!     robots.txt           served at /robots.txt, as text/plain
//!     index.html           served at /
//!     en/llms.txt          served at /en/llms.txt
//!     site.toml            its faults, if it has any: see `site_file`
//! ```
//!
//! A path without a file answers 404, a name without a folder is NXDOMAIN. Files beside
//! `world.toml` and names that begin with a dot are not read. What a key or a name cannot be is
//! refused with its line. `deadline_ms` shortens every deadline of a run over this world.

use std::collections::BTreeMap;
use std::path::Path;

use super::WorldError;
use super::site::{Internet, Site};
use super::site_file::{Described, Files, describe, plain, served_path};
use crate::files;
use crate::limits::WORLD_FILE_OCTETS;
use crate::refusal::Refusal;
use crate::sample::Domain;

/// A world from a folder, whole in memory.
pub struct Folder {
    settings: Settings,
    hosts: BTreeMap<String, Described>,
}

/// The keys of `world.toml`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    about: Option<String>,
    deadline_ms: Option<u64>,
}

impl Folder {
    /// Reads a folder.
    pub fn open(path: &Path) -> Result<Self, WorldError> {
        let settings = settings(path)?;
        let mut hosts = BTreeMap::new();
        for entry in files::entries(path)? {
            let name = name_of(&entry);
            if name.starts_with('.') || !files::is_folder(&entry) {
                continue;
            }
            let is_canonical =
                Domain::parse(&name).is_ok_and(|domain| domain.as_str() == name.as_str());
            if !is_canonical {
                let hint = "a folder of a world is named for a host, as blocks-all.test";
                let shown = entry.display().to_string();
                return Err(Refusal::of(&shown, "not the name of a host", hint).into());
            }
            hosts.insert(name, host(&entry)?);
        }
        if hosts.is_empty() {
            let hint = "add a folder named for a host, as blocks-all.test";
            return Err(Refusal::of(&path.display().to_string(), "no host is in it", hint).into());
        }
        Ok(Self { settings, hosts })
    }

    /// What the world says of itself.
    pub fn about(&self) -> Option<&str> {
        self.settings.about.as_deref()
    }

    /// The names of its hosts, in order.
    pub fn hosts(&self) -> impl Iterator<Item = &str> {
        self.hosts.keys().map(String::as_str)
    }
}

impl Internet for Folder {
    fn site(&self, host: &str, attempt: u32) -> Option<Site> {
        let Described { phases, healed } = self.hosts.get(host)?;
        let phase = phases.iter().find(|(through, _)| *through >= attempt);
        Some(phase.map_or(healed, |(_, site)| site).clone())
    }

    fn some_hosts(&self, most: usize) -> Vec<String> {
        self.hosts().take(most).map(str::to_owned).collect()
    }

    fn deadline_ms(&self) -> Option<u64> {
        self.settings.deadline_ms
    }
}

/// Reads `world.toml`.
fn settings(path: &Path) -> Result<Settings, WorldError> {
    let file = path.join("world.toml");
    let shown = file.display().to_string();
    if !files::exists(&file) {
        let hint = "a world of this kind has a world.toml, which may be empty";
        return Err(Refusal::of(&path.display().to_string(), "no world.toml is in it", hint).into());
    }
    let text = files::read_text(&file, WORLD_FILE_OCTETS)?;
    let settings: Settings =
        toml::from_str(&text).map_err(|error| Refusal::of_toml(&shown, &text, &error))?;
    if settings.deadline_ms == Some(0) {
        let hint = "leave deadline_ms out for the method's deadlines";
        return Err(Refusal::of(&shown, "deadline_ms is 0", hint).into());
    }
    Ok(settings)
}

/// Reads the folder of one host.
fn host(folder: &Path) -> Result<Described, WorldError> {
    let mut found = Files::new();
    let mut description = None;
    for entry in files::entries(folder)? {
        if name_of(&entry) == "site.toml" {
            description = Some(entry);
        } else {
            collect(&entry, &name_of(&entry), &mut found)?;
        }
    }
    match description {
        None => Ok(Described { phases: Vec::new(), healed: plain(&found) }),
        Some(file) => {
            let text = files::read_text(&file, WORLD_FILE_OCTETS)?;
            Ok(describe(&file.display().to_string(), &text, &found)?)
        }
    }
}

/// Reads a file, or all files of a folder, under the path at which they are served.
fn collect(entry: &Path, relative: &str, found: &mut Files) -> Result<(), WorldError> {
    if name_of(entry).starts_with('.') {
        return Ok(());
    }
    if files::is_folder(entry) {
        for inner in files::entries(entry)? {
            collect(&inner, &format!("{relative}/{}", name_of(&inner)), found)?;
        }
        return Ok(());
    }
    if !relative.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"/-_.~".contains(&octet)) {
        let hint = "use letters, digits, - _ . ~, or a [[reply]] of site.toml for another path";
        let shown = entry.display().to_string();
        return Err(Refusal::of(&shown, "a file's name is no plain path", hint).into());
    }
    found.insert(served_path(relative), files::read(entry, WORLD_FILE_OCTETS)?);
    Ok(())
}

/// The last component of a path.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::Folder;
    use crate::files;
    use crate::world::site::{Dns, Internet as _};

    fn laid_out(name: &str, contents: &[(&str, &str)]) -> PathBuf {
        let folder = format!("scanner-folder-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        files::make_folder(&folder).unwrap();
        for (path, text) in contents {
            let path = folder.join(path);
            files::make_folder(path.parent().unwrap_or(Path::new("."))).unwrap();
            files::write_whole(&path, text.as_bytes()).unwrap();
        }
        folder
    }

    #[test]
    fn a_folder_is_a_world_of_hosts_and_their_files() {
        let phase = "[[phase]]\nthrough_attempt = 2\ndns = \"silent\"\n";
        let folder = laid_out(
            "whole",
            &[
                ("world.toml", "about = \"two hosts\"\ndeadline_ms = 1500\n"),
                ("README.md", "not read"),
                (".git/x", "not read"),
                ("a.test/en/llms.txt", "# A\n"),
                ("b.test/site.toml", phase),
            ],
        );
        let world = Folder::open(&folder).unwrap();
        assert_eq!((world.about(), world.deadline_ms()), (Some("two hosts"), Some(1500)));
        assert_eq!(world.hosts().collect::<Vec<_>>(), ["a.test", "b.test"]);
        let site = world.site("a.test", 1).unwrap();
        assert_eq!(site.reply("/en/llms.txt").body, b"# A\n");
        let dns = [1, 2, 3].map(|attempt| world.site("b.test", attempt).unwrap().dns);
        assert_eq!(dns, [Dns::Silent, Dns::Silent, Dns::Address]);
        assert!(world.site("c.test", 1).is_none());
    }

    #[test]
    fn what_is_no_world_is_refused_with_file_and_remedy() {
        for (name, contents, message) in [
            ("bare", &[("a.test/robots.txt", "")][..], "no world.toml is in it"),
            ("alone", &[("world.toml", "")][..], "no host is in it"),
            ("key", &[("world.toml", "\ndeadline = 3\n")][..], "world.toml:2: unknown field"),
            ("zero", &[("world.toml", "deadline_ms = 0\n")][..], "deadline_ms is 0"),
            ("host", &[("world.toml", ""), ("A.Test/x", "")][..], "not the name of a host"),
            ("file", &[("world.toml", ""), ("a.test/x y", "")][..], "a file's name is no plain"),
            (
                "site",
                &[("world.toml", ""), ("a.test/site.toml", "\n\nx = 1")][..],
                "site.toml:3: unknown field `x`",
            ),
        ] {
            let error = Folder::open(&laid_out(name, contents)).err().expect(name).to_string();
            assert!(error.contains(message) && error.contains("\nhint: "), "{name}: {error}");
        }
    }
}
