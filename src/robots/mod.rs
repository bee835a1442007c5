//! The robots.txt engine: octets → lines → groups → decision with a line; issues (RFC 9309).
//!
//! One parse keeps every line and every group; one question is answered by [`Robots::governing`]
//! for a product token and [`Governing::decide`] for a [`Target`]. What is written (`text`, `line`,
//! `field`) is kept apart from what is in force (`group`, `agent`, `pattern`, `decision`), where a
//! choice beyond the RFC is marked `C01:` or `Google:`.

mod agent;
mod decision;
mod document;
mod field;
mod group;
mod issue;
mod line;
mod normal;
mod pattern;
mod span;
mod target;
#[cfg(test)]
mod tests;
mod text;

pub use agent::Agent;
pub use decision::{Decision, Governing, GroupKind, Reason};
pub use document::{Robots, parse};
pub use field::{Field, Spelling};
pub use group::{Group, Rule};
pub use issue::{Issue, IssueKind};
pub use line::{Facts, Line, LineKind};
pub use pattern::Pattern;
pub use span::Span;
pub use target::Target;
