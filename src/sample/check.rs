//! Everything that is wrong with a list, line by line, and what a person should look at in it.
//!
//! Three degrees: what a run refuses, what it lets pass and should not be in a study's list, and
//! what is only told.

use std::collections::BTreeMap;

use serde_json::json;

use super::rows::{Rows, SampleRow, without_rows};
use super::{Domain, Entry, PUBLIC_SUFFIX_LIST, Place, Sidecar, Stratum, canonical, place, sizes};
use crate::closed_list;
use crate::digest::Digest;
use crate::refusal::Refusal;
use crate::words::Word as _;

closed_list! {
    /// How much a finding matters; the verdict on a list is that of its worst finding.
    pub enum Degree {
        /// Worth knowing; the list is clean.
        Note = "note",
        /// A run would take it; look at it before the list is frozen.
        Finding = "finding",
        /// A run refuses the list.
        Refused = "refused",
    }
}

closed_list! {
    /// What can be found.
    pub enum Kind {
        /// The file is no list: no columns, or no rows.
        UnreadableList = "unreadable_list",
        /// A line is not CSV, or has another number of cells.
        UnreadableRow = "unreadable_row",
        /// A domain has no canonical form.
        InvalidDomain = "invalid_domain",
        /// A domain stands in the list twice.
        DuplicateDomain = "duplicate_domain",
        /// A stratum has no name, or one that cannot be shown.
        InvalidStratum = "invalid_stratum",
        /// The sidecar cannot be read, or speaks of another list.
        Sidecar = "sidecar",
        /// A domain is written in another than its canonical form.
        OtherForm = "other_form",
        /// A domain is itself a public suffix.
        PublicSuffix = "public_suffix",
        /// A domain stands under a suffix that the Public Suffix List does not hold.
        UnlistedSuffix = "unlisted_suffix",
        /// Two hosts of one registrable domain.
        SameRegistrableDomain = "same_registrable_domain",
        /// Two strata whose names differ in case or blanks alone.
        AlikeStrata = "alike_strata",
        /// A domain with A-labels, shown decoded.
        InternationalName = "international_name",
        /// The list has no sidecar.
        NoSidecar = "no_sidecar",
        /// The file's octets are not those of the canonical form.
        OtherOctets = "other_octets",
    }
}

impl Kind {
    /// How much it matters.
    pub fn degree(self) -> Degree {
        match self {
            Self::UnreadableList
            | Self::UnreadableRow
            | Self::InvalidDomain
            | Self::DuplicateDomain
            | Self::InvalidStratum
            | Self::Sidecar => Degree::Refused,
            Self::OtherForm
            | Self::PublicSuffix
            | Self::UnlistedSuffix
            | Self::SameRegistrableDomain
            | Self::AlikeStrata => Degree::Finding,
            Self::InternationalName | Self::NoSidecar | Self::OtherOctets => Degree::Note,
        }
    }
}

/// One thing found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// The domain that it is about, in canonical form.
    pub domain: Option<Domain>,
    /// Where it is, what it is, what to do.
    pub told: Refusal,
}

/// A list that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The list's file.
    pub file: String,
    /// The digest of its octets.
    pub digest: Digest,
    /// Its good rows.
    pub n: usize,
    /// Their strata, by name, with the populations that the sidecar states.
    pub strata: Vec<Stratum>,
    /// What was found: line by line, then what belongs to no line.
    pub findings: Vec<Finding>,
}

/// Checks a list, given its octets and its sidecar's file name and text.
pub fn check(file: &str, octets: &[u8], sidecar: Option<(&str, &str)>) -> Checked {
    let mut reading = Reading { file, findings: Vec::new(), owners: BTreeMap::new() };
    let mut entries = Vec::new();
    match Rows::open(file, octets) {
        Err(refusal) => reading.find(Kind::UnreadableList, None, refusal),
        Ok(rows) => {
            let mut is_bare = true;
            for row in rows {
                is_bare = false;
                entries.extend(reading.row(&row));
            }
            if is_bare {
                reading.find(Kind::UnreadableList, None, without_rows(file));
            }
        }
    }
    let digest = Digest::of(octets);
    let sizes = sizes(&entries);
    reading.strata(&sizes);
    reading.octets(octets, &entries);
    let sidecar = reading.sidecar(sidecar, digest, &sizes);
    let population = |name: &str| {
        let stated = sidecar.iter().flat_map(|sidecar| &sidecar.strata);
        stated.filter(|stratum| stratum.name == name).find_map(|stratum| stratum.population)
    };
    let strata = sizes.into_iter();
    let strata = strata.map(|(name, n)| Stratum { population: population(&name), name, n });
    Checked {
        file: file.to_owned(),
        digest,
        n: entries.len(),
        strata: strata.collect(),
        findings: reading.findings,
    }
}

/// A list while it is checked.
struct Reading<'a> {
    file: &'a str,
    findings: Vec<Finding>,
    /// Of each registrable domain the first host and its line.
    owners: BTreeMap<String, (Domain, u64)>,
}

impl Reading<'_> {
    fn find(&mut self, kind: Kind, domain: Option<&Domain>, told: Refusal) {
        self.findings.push(Finding { kind, domain: domain.cloned(), told });
    }

    /// Looks at a row; hands it on if a run would take it.
    fn row(&mut self, row: &SampleRow) -> Option<Entry> {
        for (kind, refusal) in &row.faults {
            self.find(*kind, row.domain.as_ref(), refusal.clone());
        }
        let is_new = !row.faults.iter().any(|(kind, _)| *kind == Kind::DuplicateDomain);
        if let (Some(domain), Some(line)) = (&row.domain, row.line) {
            self.form(domain, &row.written, line);
            if is_new {
                self.place(domain, line);
            }
        }
        row.entry().ok()
    }

    /// How a domain is written.
    fn form(&mut self, domain: &Domain, written: &str, line: u64) {
        let (kind, message, hint) = if domain.as_str() != written {
            let message = format!("{written:?} is read as {domain}");
            (Kind::OtherForm, message, "freeze the list: the canonical form is written")
        } else if let Some(unicode) = domain.unicode() {
            let message = format!("{domain} is shown as {unicode:?}");
            (Kind::InternationalName, message, "see that it is the name meant")
        } else {
            return;
        };
        self.find(kind, Some(domain), Refusal::of(self.file, message, hint).at(line));
    }

    /// Whose domain it is.
    fn place(&mut self, domain: &Domain, line: u64) {
        let told = |message: String, hint: &str| Refusal::of(self.file, message, hint).at(line);
        match place(domain) {
            Place::Suffix => {
                let message =
                    format!("{domain} is a public suffix: others register names below it");
                let told = told(message, "name a site, or leave it out");
                self.find(Kind::PublicSuffix, Some(domain), told);
            }
            Place::Below { registrable, is_listed } => {
                if !is_listed {
                    let message = format!("{domain} has a suffix that no registry is known for");
                    let told = told(message, "check the spelling of the last label");
                    self.find(Kind::UnlistedSuffix, Some(domain), told);
                }
                self.owner(domain, registrable, line);
            }
        }
    }

    /// Whether its owner stands in the list already.
    fn owner(&mut self, domain: &Domain, registrable: String, line: u64) {
        match self.owners.get(&registrable) {
            None => {
                self.owners.insert(registrable, (domain.clone(), line));
            }
            Some((first, first_line)) => {
                let message = format!(
                    "{domain} and {first} (line {first_line}) are hosts of one registrable \
                     domain, {registrable}"
                );
                let hint = "keep one: an owner who stands in the list twice counts twice";
                let told = Refusal::of(self.file, message, hint).at(line);
                self.find(Kind::SameRegistrableDomain, Some(domain), told);
            }
        }
    }

    /// Strata that may be one.
    fn strata(&mut self, sizes: &BTreeMap<String, usize>) {
        let mut folded: BTreeMap<String, &str> = BTreeMap::new();
        for name in sizes.keys() {
            let plain: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
            if let Some(first) = folded.insert(plain.to_lowercase(), name) {
                let message = format!("the strata {first:?} and {name:?} differ in case or blanks");
                let told = Refusal::of(self.file, message, "write a stratum in one way");
                self.find(Kind::AlikeStrata, None, told);
            }
        }
    }

    /// Whether the file is in canonical form, where every row is.
    fn octets(&mut self, octets: &[u8], entries: &[Entry]) {
        let is_told = self.findings.iter().any(|finding| {
            finding.kind == Kind::OtherForm || finding.kind.degree() == Degree::Refused
        });
        if !is_told && canonical(entries).as_bytes() != octets {
            let message = "the file has other columns, comments, quotes or line ends than the \
                           canonical form";
            let told = Refusal::of(self.file, message, "freeze the list, or keep them");
            self.find(Kind::OtherOctets, None, told);
        }
    }

    /// Whether the sidecar speaks of this list.
    fn sidecar(
        &mut self,
        sidecar: Option<(&str, &str)>,
        digest: Digest,
        sizes: &BTreeMap<String, usize>,
    ) -> Option<Sidecar> {
        let Some((file, text)) = sidecar else {
            let message = "no sidecar says where the list comes from";
            let told = Refusal::of(self.file, message, "freeze the list");
            self.find(Kind::NoSidecar, None, told);
            return None;
        };
        match Sidecar::parse(file, text) {
            Ok(sidecar) => {
                for refusal in sidecar.faults(file, digest, sizes) {
                    self.find(Kind::Sidecar, None, refusal);
                }
                Some(sidecar)
            }
            Err(refusal) => {
                self.find(Kind::Sidecar, None, refusal);
                None
            }
        }
    }
}

impl Checked {
    /// The degree of the worst finding; a list without any is as good as one with notes.
    pub fn worst(&self) -> Degree {
        let degrees = self.findings.iter().map(|finding| finding.kind.degree());
        degrees.max().unwrap_or(Degree::Note)
    }

    /// How many findings have a degree.
    pub fn count(&self, degree: Degree) -> usize {
        self.findings.iter().filter(|finding| finding.kind.degree() == degree).count()
    }

    /// The document, with a final line end.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let finding = |Finding { kind, domain, told }: &Finding| {
            json!({
                "file": told.file,
                "line": told.line,
                "degree": kind.degree().word(),
                "kind": kind.word(),
                "domain": domain.as_ref().map(Domain::as_str),
                "domain_unicode": domain.as_ref().and_then(Domain::unicode),
                "message": told.message,
                "hint": told.hint,
            })
        };
        let stratum = |stratum: &Stratum| {
            json!({
                "name": stratum.name,
                "n": stratum.n,
                "population": stratum.population,
                "weight": stratum.weight(),
            })
        };
        let document = json!({
            "format": "scanner sample check 1",
            "file": self.file,
            "sha256": self.digest.to_string(),
            "n": self.n,
            "public_suffix_list": PUBLIC_SUFFIX_LIST,
            "refused": self.count(Degree::Refused),
            "findings": self.count(Degree::Finding),
            "notes": self.count(Degree::Note),
            "strata": self.strata.iter().map(stratum).collect::<Vec<_>>(),
            "found": self.findings.iter().map(finding).collect::<Vec<_>>(),
        });
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{Checked, Degree, check};
    use crate::digest::Digest;

    fn found(checked: &Checked) -> Vec<(Option<u64>, String)> {
        let told = checked.findings.iter();
        told.map(|finding| (finding.told.line, finding.kind.to_string())).collect()
    }

    fn checked(text: &str) -> Checked {
        check("s.csv", text.as_bytes(), None)
    }

    #[test]
    fn every_fault_of_every_line_is_told() {
        let text = "domain,stratum\nexa mple.com,\nA.com.,x\na.com,\nb.com\nwww.a.com,x\n\
                    co.uk,X\na.con,x\nbücher.de,x\nxn--bcher-kva.at,x\n";
        let expected = [
            (Some(2), "invalid_domain"),
            (Some(2), "invalid_stratum"),
            (Some(3), "other_form"),
            (Some(4), "duplicate_domain"),
            (Some(4), "invalid_stratum"),
            (Some(5), "unreadable_row"),
            (Some(6), "same_registrable_domain"),
            (Some(7), "public_suffix"),
            (Some(8), "unlisted_suffix"),
            (Some(9), "other_form"),
            (Some(10), "international_name"),
            (None, "alike_strata"),
            (None, "no_sidecar"),
        ];
        let expected = expected.map(|(line, kind)| (line, kind.to_owned()));
        let checked = checked(text);
        assert_eq!(found(&checked), expected);
        assert_eq!((checked.n, checked.worst()), (6, Degree::Refused));
    }

    #[test]
    fn a_list_is_refused_here_exactly_where_a_run_refuses_it() {
        for text in ["", "host\na.com\n", "domain\n", "domain\na.com\na.com\n", "domain\nco.uk\n"] {
            let is_refused = crate::sample::Sample::parse("s.csv", text.as_bytes(), None).is_err();
            assert_eq!(checked(text).worst() == Degree::Refused, is_refused, "{text:?}");
        }
    }

    #[test]
    fn a_list_in_another_form_is_clean_and_says_so() {
        let checked = checked("# why\ndomain\na.com\n");
        assert_eq!(checked.worst(), Degree::Note);
        assert_eq!(found(&checked)[0], (None, "other_octets".to_owned()));
    }

    #[test]
    fn a_sidecar_is_held_to_octets_rows_and_strata() {
        let text = "domain,stratum\na.com,x\nb.com,y\n";
        let digest = Digest::of(text.as_bytes());
        let sidecar = |n: usize, strata: &str| {
            let head = "source = 's'\ndrawn_on = '2026-11-30'\nrule = 'r'\n";
            format!("{head}n = {n}\nsha256 = '{digest}'\nstrata = [{strata}]\n")
        };
        let x = "{ name = 'x', n = 1, population = 3 }";
        for (sidecar, faults) in [
            (sidecar(2, ""), 0),
            (sidecar(2, &format!("{x}, {{ name = 'y', n = 1 }}")), 0),
            (sidecar(3, x), 2),
            (sidecar(2, &format!("{x}, {x}")), 2),
            (sidecar(2, &format!("{x}, {{ name = 'y', n = 1, population = 0 }}")), 1),
            (sidecar(2, &format!("{x}, {{ name = 'y', n = 2 }}, {{ name = 'z', n = 1 }}")), 2),
            ("n = 'two'".to_owned(), 1),
        ] {
            let checked = check("s.csv", text.as_bytes(), Some(("s.toml", &sidecar)));
            assert_eq!(checked.count(Degree::Refused), faults, "{sidecar}: {checked:?}");
        }
        let whole = sidecar(2, &format!("{x}, {{ name = 'y', n = 1 }}"));
        let checked = check("s.csv", text.as_bytes(), Some(("s.toml", &whole)));
        let weights: Vec<_> = checked.strata.iter().map(|stratum| stratum.weight()).collect();
        assert_eq!(weights, [Some(3.0), None]);
    }
}
