//! The rules of the guidance layer (control similarity, placeholders), from `llms.toml`.

use crate::refusal::Refusal;

/// The rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuidanceRules;

impl GuidanceRules {
    /// Reads the file.
    pub fn parse(file: &str, text: &str) -> Result<Self, Refusal> {
        toml::from_str::<toml::Table>(text)
            .map(|_| Self)
            .map_err(|error| Refusal::of_toml(file, text, &error))
    }

    /// Runs its examples.
    pub fn check(&self) -> Vec<String> {
        Vec::new()
    }
}
