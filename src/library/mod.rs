//! The frozen pattern library, crawler list, signals and placeholders as values.

mod signals;

pub use signals::{
    ChallengeRule, ChallengeVerdict, Decoy, Mark, Place, Seen, Signals, Strength, Technology,
};
