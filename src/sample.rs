//! A named list of domains with strata, from CSV text and its TOML sidecar.
//!
//! A sample is read strictly: what has one obvious canonical form is brought to it (line ends, a
//! BOM, case, a trailing dot, the user of an address, an internationalised name by UTS #46),
//! everything else is refused with its line before anything is asked. Where the file comes from is for the caller.

use std::collections::BTreeMap;
use std::fmt;

use crate::digest::Digest;
use crate::refusal::Refusal;
use crate::tabular::{Row, Table};

/// A host name in canonical form: lower case, A-labels, no trailing dot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domain(String);

impl Domain {
    /// Reads a name as a person may write it; `Err` is (message, hint).
    pub fn parse(written: &str) -> Result<Self, (String, &'static str)> {
        const BARE: &str = "write the host name alone, as in example.com";
        let quoted = |what: &str| format!("{what}: {written:?}");
        if written.is_empty() {
            return Err(("domain is empty".into(), BARE));
        }
        if written.contains("://") {
            return Err((quoted("domain has a scheme"), BARE));
        }
        if written.contains(['/', '\\', '?', '#']) {
            return Err((quoted("domain has a path"), BARE));
        }
        // What stands before the @ of an address is no part of the host that is asked.
        let host = match written.split_once('@') {
            Some((user, host)) if !user.is_empty() => host,
            _ => written,
        };
        if host.contains('@') {
            return Err((quoted("domain is not one address"), BARE));
        }
        if written.contains(':') {
            return Err((quoted("domain has a port or is an IPv6 address"), BARE));
        }
        if written.contains(char::is_whitespace) {
            return Err((quoted("domain has a space"), "remove the space"));
        }
        let ascii = idna::domain_to_ascii(host)
            .map_err(|_| (quoted("domain is not a valid name"), "see UTS #46 for what is valid"))?;
        let name = ascii.strip_suffix('.').unwrap_or(&ascii);
        match fault_of(name) {
            Some((what, hint)) => Err((quoted(what), hint)),
            None => Ok(Self(name.to_owned())),
        }
    }

    /// The canonical name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What keeps a lower-case ASCII name from being a host name (RFC 1035, 2.3.4; underscores stand).
fn fault_of(name: &str) -> Option<(&'static str, &'static str)> {
    let labels: Vec<&str> = name.split('.').collect();
    let allowed = |octet: u8| octet.is_ascii_alphanumeric() || octet == b'-' || octet == b'_';
    if name.len() > 253 {
        return Some(("domain is longer than 253 octets", "no such name can be asked"));
    }
    if labels.iter().any(|label| label.is_empty()) {
        return Some(("domain has an empty label", "remove the doubled or leading dot"));
    }
    if labels.iter().any(|label| label.len() > 63) {
        return Some(("domain has a label longer than 63 octets", "no such name can be asked"));
    }
    if !name.bytes().all(|octet| allowed(octet) || octet == b'.') {
        return Some((
            "domain has a character that no host name has",
            "use letters, digits, - _ .",
        ));
    }
    if labels.iter().any(|label| label.starts_with('-') || label.ends_with('-')) {
        return Some(("domain has a label that begins or ends with -", "check the spelling"));
    }
    if labels.len() < 2 {
        return Some(("domain has no dot", "name a host under a public suffix, as example.com"));
    }
    if labels.last().is_some_and(|label| label.bytes().all(|octet| octet.is_ascii_digit())) {
        return Some(("domain is an IP address", "a sample lists names, not addresses"));
    }
    None
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// One row of a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who is asked.
    pub domain: Domain,
    /// The sector it stands for; `all` in a sample without strata.
    pub stratum: String,
}

/// A frozen, named list of domains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The file's name without its folder and ending.
    pub name: String,
    /// The rows, in the file's order.
    pub entries: Vec<Entry>,
    /// The digest of the file's octets.
    pub digest: Digest,
    /// How many domains were brought to canonical form.
    pub normalised: usize,
    /// What the sidecar says of the list, if there is one.
    pub sidecar: Option<Sidecar>,
}

/// What a sample's sidecar states: where the list comes from and which octets it means.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sidecar {
    /// Where the names come from.
    pub source: String,
    /// When they were drawn.
    pub drawn_on: String,
    /// By which rule.
    pub rule: String,
    /// How many there are.
    pub n: usize,
    /// The digest of the CSV file.
    pub sha256: String,
    /// Under which licence the source stands.
    #[serde(default)]
    pub licence: Option<String>,
    /// What a reader should know against it.
    #[serde(default)]
    pub weaknesses: Vec<String>,
}

impl Sample {
    /// Reads a sample from its octets and its sidecar's file name and text.
    pub fn parse(
        file: &str,
        octets: &[u8],
        sidecar: Option<(&str, &str)>,
    ) -> Result<Self, Refusal> {
        let digest = Digest::of(octets);
        let rows = Rows::read(file, octets)?;
        let sidecar = match sidecar {
            None => None,
            Some((sidecar_file, text)) => {
                let sidecar: Sidecar = toml::from_str(text)
                    .map_err(|error| Refusal::of_toml(sidecar_file, text, &error))?;
                sidecar.agrees_with(sidecar_file, digest, rows.entries.len())?;
                Some(sidecar)
            }
        };
        let Rows { entries, normalised } = rows;
        Ok(Self { name: stem(file).to_owned(), entries, digest, normalised, sidecar })
    }
}

/// A path's last component without its ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

impl Sidecar {
    /// Refuses a sidecar that speaks of other octets or another number of rows.
    fn agrees_with(&self, file: &str, digest: Digest, n: usize) -> Result<(), Refusal> {
        if Digest::from_hex(&self.sha256) != Some(digest) {
            let message = format!("sha256 is {}, the sample's is {digest}", self.sha256);
            let hint = "the sample was changed after it was frozen: restore it, or freeze it anew";
            return Err(Refusal::of(file, message, hint));
        }
        if self.n != n {
            let message = format!("n is {}, the sample has {n} rows", self.n);
            return Err(Refusal::of(file, message, "correct n"));
        }
        Ok(())
    }
}

/// The rows of a sample while they are read.
struct Rows {
    entries: Vec<Entry>,
    normalised: usize,
}

impl Rows {
    /// Reads all rows, the first fault refused.
    fn read(file: &str, octets: &[u8]) -> Result<Self, Refusal> {
        let table = Table::open(file, octets)?;
        let header = table.header.clone();
        let column =
            |name: &str| header.cells.iter().position(|cell| cell.eq_ignore_ascii_case(name));
        let domain_column = column("domain").ok_or_else(|| {
            let message =
                format!("no column is named domain; found: {:?}", header.cells.join(", "));
            let hint = "the first line names the columns: domain,stratum";
            Refusal::of(file, message, hint).at(header.line)
        })?;
        let stratum_column = column("stratum");
        let mut rows = Self { entries: Vec::new(), normalised: 0 };
        let mut first_seen: BTreeMap<Domain, u64> = BTreeMap::new();
        for row in table {
            let Row { line, cells } = row?;
            let written = &cells[domain_column];
            let domain = Domain::parse(written)
                .map_err(|(message, hint)| Refusal::of(file, message, hint).at(line))?;
            if let Some(first) = first_seen.insert(domain.clone(), line) {
                let message = format!("{domain} stands in line {first} already");
                return Err(Refusal::of(file, message, "name each domain once").at(line));
            }
            rows.normalised += usize::from(domain.as_str() != written);
            let stratum = stratum_column.map_or("all", |at| &cells[at]);
            if let Some((message, hint)) = stratum_fault(&domain, stratum) {
                return Err(Refusal::of(file, message, hint).at(line));
            }
            rows.entries.push(Entry { domain, stratum: stratum.to_owned() });
        }
        if rows.entries.is_empty() {
            return Err(Refusal::of(file, "no domain stands in it", "add a row below the header"));
        }
        Ok(rows)
    }
}

/// What keeps a text from being a stratum's name.
fn stratum_fault(domain: &Domain, stratum: &str) -> Option<(String, &'static str)> {
    if stratum.is_empty() {
        return Some((format!("{domain} has no stratum"), "fill the cell, or drop the column"));
    }
    let is_shown = !stratum.contains(char::is_control);
    (!is_shown).then(|| (format!("a control character in {stratum:?}"), "use plain text"))
}

#[cfg(test)]
mod tests {
    use super::{Domain, Sample};
    use crate::digest::Digest;

    fn domains(text: &str) -> Vec<String> {
        let sample = Sample::parse("s.csv", text.as_bytes(), None).expect("a good sample");
        sample.entries.iter().map(|entry| entry.domain.to_string()).collect()
    }

    fn refused(text: &str) -> String {
        Sample::parse("s.csv", text.as_bytes(), None).expect_err("a bad sample").to_string()
    }

    #[test]
    fn what_has_one_canonical_form_is_brought_to_it() {
        let text =
            "\u{FEFF}domain,stratum\r\n# a comment\r\n\r\nExample.COM.,a\r\nbücher.example,b\r\n";
        assert_eq!(domains(text), ["example.com", "xn--bcher-kva.example"]);
        let sample = Sample::parse("dir/s.csv", text.as_bytes(), None).expect("good");
        assert_eq!((sample.name.as_str(), sample.normalised), ("s", 2));
        assert_eq!(domains("domain\n_dmarc.example.com\n"), ["_dmarc.example.com"]);
        assert_eq!(domains("domain\noffice@example.com\n"), ["example.com"]);
    }

    #[test]
    fn a_sample_without_strata_is_one_stratum() {
        let sample = Sample::parse("s.csv", b"domain\na.test\n", None).expect("good");
        assert_eq!(sample.entries[0].stratum, "all");
    }

    #[test]
    fn what_has_no_canonical_form_is_refused_with_its_line() {
        for (rows, expected) in [
            ("https://a.test", "s.csv:2: domain has a scheme"),
            ("a.test/x", "s.csv:2: domain has a path"),
            ("a.test:80", "s.csv:2: domain has a port"),
            ("a@b@c.test", "s.csv:2: domain is not one address"),
            ("@c.test", "s.csv:2: domain is not one address"),
            ("exa mple.com", "s.csv:2: domain has a space: \"exa mple.com\""),
            ("a..test", "s.csv:2: domain has an empty label"),
            ("192.0.2.1", "s.csv:2: domain is an IP address"),
            ("localhost", "s.csv:2: domain has no dot"),
            ("-a.test", "s.csv:2: domain has a label"),
            ("*.test", "s.csv:2: domain"),
            ("b.test\nB.test", "s.csv:3: b.test stands in line 2 already"),
            ("\"\"", "s.csv:2: domain is empty"),
        ] {
            let message = refused(&format!("domain\n{rows}\n"));
            assert!(message.starts_with(expected), "{rows}: {message}");
            assert!(message.contains("\nhint: "), "{rows}: {message}");
        }
    }

    #[test]
    fn a_list_without_a_domain_column_or_without_rows_is_refused() {
        assert!(refused("host\na.test\n").starts_with("s.csv:1: no column is named domain"));
        assert!(refused("domain,stratum\n").starts_with("s.csv: no domain stands in it"));
        assert!(refused("").starts_with("s.csv:1: no column is named domain"));
        assert!(refused("domain,stratum\na.test\n").starts_with("s.csv:2: 1 cells where 2"));
        assert!(refused("domain,stratum\na.test,\n").starts_with("s.csv:2: a.test has no stratum"));
        assert!(refused("# x\ndomain,stratum\na.test,\x1b[2J\n").starts_with("s.csv:3: a control"));
    }

    #[test]
    fn octets_that_are_not_utf_8_are_refused() {
        let error = Sample::parse("s.csv", b"domain\n\xFFa.test\n", None).expect_err("refused");
        assert!(error.message.starts_with("not readable as CSV"));
        assert_eq!(error.line, Some(2));
    }

    #[test]
    fn a_sidecar_that_speaks_of_other_octets_is_refused() {
        let text = b"domain\na.test\n";
        let sidecar = |sha256: &str, n: usize| {
            format!("source = 's'\ndrawn_on = 'd'\nrule = 'r'\nn = {n}\nsha256 = '{sha256}'\n")
        };
        let digest = Digest::of(text).to_string();
        let read = |sidecar: &str| Sample::parse("s.csv", text, Some(("s.toml", sidecar)));
        assert!(read(&sidecar(&digest, 1)).is_ok());
        assert!(read(&sidecar(&digest, 2)).expect_err("n").message.starts_with("n is 2"));
        let other = Digest::of(b"").to_string();
        assert!(read(&sidecar(&other, 1)).expect_err("sha").message.starts_with("sha256 is"));
        assert!(read("n = 1\nsize = 2\n").expect_err("key").file == "s.toml");
    }

    #[test]
    fn a_name_too_long_is_refused() {
        assert!(Domain::parse(&format!("{}.test", "a".repeat(64))).is_err());
        assert!(Domain::parse(&"a.".repeat(130)).is_err());
    }
}
