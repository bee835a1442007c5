//! A finished run as one side of a comparison: when, with what and from where it was measured.

use serde::Deserialize;

use super::{DOCUMENT_OCTETS, HINT, Study};
use crate::compare::{Side, SourceKind};
use crate::files;
use crate::manifest::Status;
use crate::refusal::Refusal;
use crate::words::Word as _;

/// What a manifest says of where the answers and the sample come from.
#[derive(Deserialize)]
struct Origins {
    #[serde(default)]
    source: Option<Source>,
    sample: Sample,
}

/// The archives that a run was replayed from.
#[derive(Deserialize)]
struct Source {
    kind: String,
    #[serde(default)]
    as_of: Option<String>,
}

/// The sample's part of a manifest.
#[derive(Deserialize)]
struct Sample {
    #[serde(default)]
    sidecar: Option<Sidecar>,
}

/// Its sidecar.
#[derive(Deserialize)]
struct Sidecar {
    #[serde(default)]
    draw: Option<Draw>,
}

/// Its draw.
#[derive(Deserialize)]
struct Draw {
    #[serde(rename = "where", default)]
    conditions: Vec<String>,
}

impl Study {
    /// The run as one side of a comparison.
    pub(super) fn into_side(self) -> Result<Side, Refusal> {
        let folder = self.folder.to_string_lossy().into_owned();
        let manifest = &self.manifest;
        if manifest.status != Status::Complete {
            return Err(Refusal::of(&folder, format!("the run is {}", manifest.status), HINT));
        }
        let origins = self.origins()?;
        let name = self.folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let asked_on = Some(manifest.occasion.started_at.clone()).filter(|date| !date.is_empty());
        let source = match (&origins.source, &manifest.world) {
            (Some(source), _) => {
                SourceKind::from_word(&source.kind).unwrap_or(SourceKind::Captures)
            }
            (None, Some(_)) => SourceKind::Fixture,
            (None, None) => SourceKind::Live,
        };
        Ok(Side {
            label: name.unwrap_or_else(|| folder.clone()),
            folder,
            sample: self.summary.sample.clone(),
            sample_sha256: self.summary.sample_sha256.clone(),
            seed: self.summary.seed,
            // A replay speaks of the day of its captures, and of none where that is not said.
            date: origins.source.as_ref().map_or(asked_on, |source| source.as_of.clone()),
            country: origins.country(),
            source: source.word().to_owned(),
            version: manifest.instrument.version.clone(),
            limits: serde_json::to_string(&manifest.instrument.limits).unwrap_or_default(),
            instrument_sha256: self.summary.instrument_sha256.clone(),
            library: self.summary.library.clone(),
            library_sha256: self.summary.library_sha256.clone(),
            results_sha256: manifest.results_sha256.map(|digest| digest.to_string()),
            user_agent: manifest.user_agent.clone(),
            summary: self.summary,
        })
    }

    /// Where the answers and the sample come from.
    fn origins(&self) -> Result<Origins, Refusal> {
        let path = self.folder.join("manifest.json");
        let text = files::read_text(&path, DOCUMENT_OCTETS)
            .map_err(|error| files::unreadable(&path, &error, HINT))?;
        serde_json::from_str(&text).map_err(|error| {
            Refusal::of(&path.to_string_lossy(), format!("not a manifest: {error}"), HINT)
                .at(error.line() as u64)
        })
    }
}

impl Origins {
    /// The country of the sample: the condition by which it was drawn.
    fn country(&self) -> Option<String> {
        let draw = self.sample.sidecar.as_ref()?.draw.as_ref()?;
        let country = draw.conditions.iter().find_map(|one| one.strip_prefix("country="))?;
        Some(country.to_owned())
    }
}
