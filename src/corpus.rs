//! robots.txt files that others gathered, read from the disk one after another: a folder of files,
//! or JSON lines with the field `robots_txt` (text) or `robots_txt_b64` (base64), packed by gzip or
//! not.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use crate::files;
use crate::refusal::Refusal;

/// Most octets of one file of a folder.
const FILE_OCTETS: u64 = 64 * 1024 * 1024;

/// What to do about a collection that cannot be read.
const HINT: &str = "name a folder of robots.txt files, or a file of JSON lines";

/// One line of a collection. Fields that are not named here say nothing that is needed.
#[derive(Deserialize)]
struct Record {
    domain: Option<String>,
    robots_txt: Option<String>,
    robots_txt_b64: Option<String>,
}

/// One robots.txt of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of its file, or the field `domain` of its line; else the number of its line.
    pub name: String,
    /// Its octets.
    pub octets: Vec<u8>,
}

/// The octets of one robots.txt, or why they cannot be had.
pub type Document = Result<Vec<u8>, Refusal>;

/// Opens what is named: the octets of every file of a folder, or of every line of a file.
pub fn documents(named: &Path) -> Result<impl Iterator<Item = Document>, Refusal> {
    Ok(entries(named)?.map(|entry| entry.map(|entry| entry.octets)))
}

/// Opens what is named: every file of a folder, or every line of a file, with its name.
pub fn entries(named: &Path) -> Result<Box<dyn Iterator<Item = Result<Entry, Refusal>>>, Refusal> {
    let refused = |error: io::Error| files::unreadable(named, &error, HINT);
    if files::is_folder(named) {
        let paths = files::entries(named).map_err(refused)?;
        let paths = paths.into_iter().filter(|path| !files::is_folder(path));
        return Ok(Box::new(paths.map(whole_file)));
    }
    let file = files::open(named).map_err(refused)?;
    let is_packed = named.extension().is_some_and(|ending| ending == "gz");
    let lines: Box<dyn BufRead> = match is_packed {
        true => Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(file))),
        false => Box::new(file),
    };
    let named = named.to_owned();
    Ok(Box::new((1..).zip(lines.lines()).map(move |(number, line)| record(&named, number, line))))
}

/// One file of a folder.
fn whole_file(path: PathBuf) -> Result<Entry, Refusal> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let octets = files::read(&path, FILE_OCTETS);
    let octets = octets.map_err(|error| files::unreadable(&path, &error, HINT))?;
    Ok(Entry { name, octets })
}

/// One line of a collection.
fn record(named: &Path, number: u64, line: io::Result<String>) -> Result<Entry, Refusal> {
    let line = line.map_err(|error| files::unreadable(named, &error, HINT))?;
    let refuse = |message: String| {
        let hint = "each line is a JSON object with robots_txt, or robots_txt_b64 in base64";
        Refusal::of(&named.to_string_lossy(), message, hint).at(number)
    };
    let record: Record = serde_json::from_str(&line).map_err(|error| refuse(error.to_string()))?;
    let octets = match (record.robots_txt, record.robots_txt_b64) {
        (Some(text), _) => text.into_bytes(),
        (None, Some(coded)) => {
            STANDARD.decode(coded).map_err(|error| refuse(format!("robots_txt_b64: {error}")))?
        }
        (None, None) => return Err(refuse("no robots_txt and no robots_txt_b64".to_owned())),
    };
    Ok(Entry { name: record.domain.unwrap_or_else(|| format!("line {number}")), octets })
}

#[cfg(test)]
mod tests {
    use super::{Path, record};

    #[test]
    fn a_record_is_read_as_text_or_as_base64() {
        let read = |line: &str| record(Path::new("c.jsonl"), 7, Ok(line.to_owned()));
        for (line, name) in [
            (r#"{"robots_txt":"Disallow: /a","x":1,"domain":"a.test"}"#, "a.test"),
            (r#"{"robots_txt_b64":"RGlzYWxsb3c6IC9h"}"#, "line 7"),
        ] {
            let entry = read(line).expect(line);
            assert_eq!((entry.name.as_str(), &*entry.octets), (name, &b"Disallow: /a"[..]));
        }
        for line in ["", "{}", r#"{"robots_txt_b64":"~"}"#, "[]"] {
            assert_eq!(read(line).expect_err(line).line, Some(7));
        }
    }
}
