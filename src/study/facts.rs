//! What a comparison needs of a run's manifest: when, with what and from where it was measured.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The parts of a manifest that set runs apart.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Facts {
    pub(super) status: String,
    pub(super) instrument: FactsOfInstrument,
    pub(super) sample: FactsOfSample,
    pub(super) user_agent: String,
    #[serde(default)]
    pub(super) world: Option<String>,
    #[serde(default)]
    pub(super) source: Option<FactsOfSource>,
    #[serde(default)]
    pub(super) results_sha256: Option<String>,
    #[serde(default)]
    pub(super) occasion: FactsOfOccasion,
}

/// The instrument.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FactsOfInstrument {
    pub(super) version: String,
    pub(super) limits: BTreeMap<String, serde_json::Value>,
}

/// The sample.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FactsOfSample {
    #[serde(default)]
    pub(super) sidecar: Option<FactsOfSidecar>,
}

/// The sample's sidecar.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FactsOfSidecar {
    #[serde(default)]
    pub(super) draw: Option<FactsOfDraw>,
}

/// The draw of a sample.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FactsOfDraw {
    #[serde(rename = "where", default)]
    pub(super) conditions: Vec<String>,
}

/// The archives that a run was replayed from.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FactsOfSource {
    pub(super) kind: String,
    #[serde(default)]
    pub(super) as_of: Option<String>,
}

/// The run's times.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct FactsOfOccasion {
    #[serde(default)]
    pub(super) started_at: String,
}

impl Facts {
    /// The day that the run speaks of: that of its captures, or that on which it asked.
    pub(super) fn date(&self) -> Option<String> {
        match &self.source {
            Some(source) => source.as_of.clone(),
            None => Some(self.occasion.started_at.clone()).filter(|date| !date.is_empty()),
        }
    }

    /// The country of the sample: the condition by which it was drawn.
    pub(super) fn country(&self) -> Option<String> {
        let draw = self.sample.sidecar.as_ref()?.draw.as_ref()?;
        let country = draw.conditions.iter().find_map(|one| one.strip_prefix("country="))?;
        Some(country.to_owned())
    }
}
