//! `SHA256SUMS`: which octets a library consists of, in the form that `sha256sum -c` reads.

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::refusal::Refusal;

/// The name of the list itself.
pub(super) const NAME: &str = "SHA256SUMS";

/// The ending of reports about a library, which are no part of it.
const REPORT: &str = ".md";

/// Holds the files of a folder against its list: each is listed but reports, each listed one is
/// there, and each has the digest that is listed. Returns the library's digest, that of the list.
pub(super) fn verify(folder: &str, files: &BTreeMap<&str, &[u8]>) -> Result<Digest, Refusal> {
    const ANEW: &str = "restore the file; for a library of your own, run \
                        `sha256sum *.csv *.toml > SHA256SUMS` in its folder";
    let at = |name: &str| format!("{folder}/{name}");
    let list =
        files.get(NAME).ok_or_else(|| Refusal::of(&at(NAME), "the file is missing", ANEW))?;
    let listed = read(&at(NAME), list)?;
    for (name, (line, digest)) in &listed {
        let Some(octets) = files.get(name.as_str()) else {
            let message = format!("lists {name}, which is missing");
            return Err(Refusal::of(&at(NAME), message, ANEW).at(*line));
        };
        let found = Digest::of(octets);
        if found != *digest {
            let message = format!("sha256 is {found}, {NAME} lists {digest}");
            return Err(Refusal::of(&at(name), message, ANEW));
        }
    }
    let is_part = |name: &str| name != NAME && !name.ends_with(REPORT);
    match files.keys().find(|name| is_part(name) && !listed.contains_key(**name)) {
        Some(name) => Err(Refusal::of(&at(name), format!("not listed in {NAME}"), ANEW)),
        None => Ok(Digest::of(list)),
    }
}

/// Reads the list: a digest, a space, a space or `*`, a name.
fn read(file: &str, octets: &[u8]) -> Result<BTreeMap<String, (u64, Digest)>, Refusal> {
    let mut listed = BTreeMap::new();
    for (line, written) in (1..).zip(String::from_utf8_lossy(octets).lines()) {
        let entry = written.split_once(' ').and_then(|(digest, name)| {
            let name = name.strip_prefix([' ', '*'])?;
            Some((name.to_owned(), (line, Digest::from_hex(digest)?)))
        });
        let Some((name, sum)) = entry else {
            let message = format!("not a line of sha256sum: {written:?}");
            return Err(Refusal::of(file, message, "make the list with sha256sum").at(line));
        };
        if listed.insert(name.clone(), sum).is_some() {
            let message = format!("lists {name} twice");
            return Err(Refusal::of(file, message, "remove one of the lines").at(line));
        }
    }
    Ok(listed)
}
