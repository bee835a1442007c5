//! How often each finding occurs among many robots.txt files, and where.

use std::collections::BTreeMap;

use crate::stats::Rate;

use super::finding::{Kind, Status};
use super::{Audit, kinds};

/// The prevalence of every finding.
#[derive(Clone, Debug, Default)]
pub struct Prevalence {
    /// Files that were audited.
    pub files: u64,
    /// Files whose worst finding has each status; none where there is nothing to mend.
    pub worst: BTreeMap<Option<Status>, u64>,
    found: BTreeMap<&'static str, BTreeMap<Status, Vec<String>>>,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct PrevalenceRow<'a> {
    /// Which kind.
    pub kind: &'static Kind,
    /// With which status.
    pub status: Status,
    /// In how many files of how many.
    pub rate: Rate,
    /// The names of those files, in the order of the collection.
    pub names: &'a [String],
}

impl Prevalence {
    /// Counts an audit under the file's name; a kind that is found twice in one file counts once,
    /// under its gravest status.
    pub fn add(&mut self, name: &str, audit: &Audit) {
        self.files += 1;
        *self.worst.entry(audit.worst()).or_default() += 1;
        let mut gravest: BTreeMap<&'static str, Status> = BTreeMap::new();
        for finding in &audit.findings {
            let status = gravest.entry(finding.kind.id).or_insert(finding.status);
            *status = (*status).min(finding.status);
        }
        for (id, status) in gravest {
            let by_status = self.found.entry(id).or_default();
            by_status.entry(status).or_default().push(name.to_owned());
        }
    }

    /// Every finding that a status may have and that was found, the gravest first, the commonest of
    /// one status first.
    pub fn rows(&self) -> Vec<PrevalenceRow<'_>> {
        let mut rows = Vec::new();
        for kind in kinds() {
            for &status in kind.statuses {
                let names = self.found.get(kind.id).and_then(|by_status| by_status.get(&status));
                let names = names.map_or(&[][..], Vec::as_slice);
                let rate = Rate::new(names.len() as u64, self.files);
                rows.push(PrevalenceRow { kind, status, rate, names });
            }
        }
        rows.sort_by_key(|row| (row.status, std::cmp::Reverse(row.rate.n)));
        rows
    }
}
