//! A named list of domains with strata, from CSV text and its TOML sidecar.
//!
//! A sample is read strictly: what has one obvious canonical form is brought to it, everything else
//! is refused with its line before anything is asked. `check` tells all faults at once and what a
//! run would let pass; `canonical` writes the one form that is frozen. Where the file comes from is
//! for the caller.

mod canonical;
pub mod check;
mod domain;
mod rows;
mod sidecar;
mod suffix;

pub use canonical::canonical;
pub use domain::Domain;
pub(crate) use rows::stratum_fault;
pub use sidecar::{Drawing, Sidecar, Source, Stratum};
pub use suffix::{PUBLIC_SUFFIX_LIST, Place, place};

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::refusal::Refusal;

use rows::{Rows, without_rows};

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

impl Sample {
    /// Reads a sample from its octets and its sidecar's file name and text.
    pub fn parse(
        file: &str,
        octets: &[u8],
        sidecar: Option<(&str, &str)>,
    ) -> Result<Self, Refusal> {
        let digest = Digest::of(octets);
        let mut entries = Vec::new();
        let mut normalised = 0;
        for row in Rows::open(file, octets)? {
            let entry = row.entry()?;
            normalised += usize::from(entry.domain.as_str() != row.written);
            entries.push(entry);
        }
        if entries.is_empty() {
            return Err(without_rows(file));
        }
        let sidecar = sidecar
            .map(|(file, text)| {
                let sidecar = Sidecar::parse(file, text)?;
                let faults = sidecar.faults(file, digest, &sizes(&entries));
                faults.into_iter().next().map_or(Ok(sidecar), Err)
            })
            .transpose()?;
        Ok(Self { name: stem(file).to_owned(), entries, digest, normalised, sidecar })
    }
}

/// How many domains stand in each stratum, by its name.
pub fn sizes(entries: &[Entry]) -> BTreeMap<String, usize> {
    let mut sizes = BTreeMap::new();
    for entry in entries {
        *sizes.entry(entry.stratum.clone()).or_default() += 1;
    }
    sizes
}

/// A path's last component without its ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::Sample;
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
            format!(
                "source = 's'\ndrawn_on = '2026-11-30'\nrule = 'r'\nn = {n}\nsha256 = '{sha256}'\n"
            )
        };
        let digest = Digest::of(text).to_string();
        let read = |sidecar: &str| Sample::parse("s.csv", text, Some(("s.toml", sidecar)));
        assert!(read(&sidecar(&digest, 1)).is_ok());
        assert!(read(&sidecar(&digest, 2)).expect_err("n").message.starts_with("n is 2"));
        let other = Digest::of(b"").to_string();
        assert!(read(&sidecar(&other, 1)).expect_err("sha").message.starts_with("sha256 is"));
        assert!(read("n = 1\nsize = 2\n").expect_err("key").file == "s.toml");
        for day in ["2026-99-99", "2026-02-29", "today", "2026-11-30T00:00:00Z"] {
            let refusal = read(&sidecar(&digest, 1).replace("2026-11-30", day)).expect_err(day);
            assert!(refusal.message.starts_with("drawn_on is no day"), "{refusal}");
        }
    }
}
