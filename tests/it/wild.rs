//! Real robots.txt files, as sites served them, read from the corpus.

use std::io::Read as _;
use std::path::Path;

use crate::corpus::base64;

/// One file.
pub(crate) struct WildFile {
    /// Where it stands in the corpus: set, place, domain.
    pub(crate) name: String,
    /// What it is.
    pub(crate) octets: Vec<u8>,
}

/// The files of a set, in its order; a set is a JSON Lines file, compressed where its name says so.
#[allow(clippy::disallowed_methods, reason = "a test reads its corpus")]
pub(crate) fn files(folder: &Path, set: &str) -> Vec<WildFile> {
    let stored = std::fs::read(folder.join("data/robots-wild").join(set)).expect("the set is read");
    let text = if set.ends_with(".gz") { unpacked(&stored) } else { utf8(stored) };
    text.lines().enumerate().map(|(place, line)| file(set, place, line)).collect()
}

/// The file of one row.
fn file(set: &str, place: usize, line: &str) -> WildFile {
    let row: serde_json::Value = serde_json::from_str(line).expect("a row is JSON");
    let text = |key: &str| row[key].as_str().expect("a text");
    WildFile {
        name: format!("{set}:{} {}", place + 1, text("domain")),
        octets: base64(text("robots_txt_b64")),
    }
}

/// The text of a compressed set.
fn unpacked(stored: &[u8]) -> String {
    let mut octets = Vec::new();
    flate2::read::MultiGzDecoder::new(stored).read_to_end(&mut octets).expect("a set is gzip");
    utf8(octets)
}

/// Octets as a text.
fn utf8(octets: Vec<u8>) -> String {
    String::from_utf8(octets).expect("a set is UTF-8")
}
