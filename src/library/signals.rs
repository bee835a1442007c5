//! CMS, CDN and challenge-page signals, from `signals.toml`.

use crate::refusal::Refusal;

/// The signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signals;

impl Signals {
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
