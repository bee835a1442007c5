//! The frozen pattern library, crawler list, signals and placeholders as values.

mod guidance;
mod signals;

pub use guidance::{GuidanceRules, Placeholder, Similarity};
pub use signals::{
    ChallengeRule, ChallengeVerdict, Decoy, Mark, Place, Seen, Signals, Strength, Technology,
};
