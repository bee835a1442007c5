//! The robots.txt documents of a run, from the evidence that it keeps.

use std::collections::BTreeMap;
use std::io;

use crate::archive::{EVIDENCE_FILE, Evidence, recall};
use crate::compare::{Side, Sighting};
use crate::digest::Digest;
use crate::files::{self, Pieces};
use crate::limits::Limits;
use crate::record::{MergedRow, RobotsState};
use crate::store::RunFolder;

/// The documents of one run.
pub(super) struct Documents {
    evidence: Evidence,
    pieces: Pieces,
    limits: Limits,
}

impl Documents {
    /// Opens the evidence of every run; nothing if one of them keeps none.
    pub(super) fn of_all(sides: &[Side]) -> io::Result<Option<Vec<Self>>> {
        if !sides.iter().all(has_evidence) {
            return Ok(None);
        }
        sides.iter().map(Self::of).collect::<io::Result<Vec<_>>>().map(Some)
    }

    /// Opens the evidence of a run.
    fn of(side: &Side) -> io::Result<Self> {
        let folder = RunFolder::at(side.folder.as_ref());
        let positions = folder
            .read::<MergedRow>("merged.csv")?
            .enumerate()
            .map(|(position, merged)| Ok((merged?.row.domain.to_string(), position)))
            .collect::<io::Result<BTreeMap<String, usize>>>()?;
        let evidence = Evidence::open(&folder.file(EVIDENCE_FILE), &|domain: &str| {
            positions.get(domain).copied()
        })?;
        let limits = serde_json::from_str(&side.limits).map_err(io::Error::from)?;
        Ok(Self { pieces: evidence.pieces()?, evidence, limits })
    }

    /// The document that made a domain's row: empty where the site has none, nothing where the
    /// evidence does not hold what the row speaks of.
    pub(super) fn read(
        &mut self,
        position: usize,
        sighting: &Sighting,
    ) -> io::Result<Option<Vec<u8>>> {
        let row = &sighting.merged.row;
        if !matches!(row.robots_state, RobotsState::File | RobotsState::Empty) {
            return Ok(Some(Vec::new()));
        }
        let Some(block) = self.evidence.block(row.attempt, position) else { return Ok(None) };
        let octets = block.read(&mut self.pieces)?;
        // The control path names another step's request, which is not read here.
        let observation = recall(octets, &row.domain, "/", &self.limits)?.observation;
        let document = observation.robots.answer().map(|answer| answer.body.clone());
        Ok(document
            .filter(|body| row.robots_sha256.is_none_or(|digest| Digest::of(body) == digest)))
    }
}

/// Whether a run keeps evidence.
pub(super) fn has_evidence(side: &Side) -> bool {
    files::exists(&RunFolder::at(side.folder.as_ref()).file(EVIDENCE_FILE))
}
