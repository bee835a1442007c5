//! The robots.txt engine: octets → lines → groups → decision with a line; issues (RFC 9309).
//!
//! One parse keeps every line and every group; one question is answered by [`Robots::governing`]
//! for a product token and [`Governing::decide`] for a [`Target`]. What is written (`text`, `line`,
//! `field`) is kept apart from what is in force (`group`, `agent`, `pattern`, `decision`), which a
//! [`Dialect`] decides; a choice beyond the RFC is marked `C01:` or `Google:`. What it comes to, in
//! words, is in `meaning`, `listing` and `explain`.

mod agent;
mod decision;
mod dialect;
mod document;
mod explain;
mod field;
mod google;
mod group;
mod index;
mod issue;
mod line;
mod listing;
mod meaning;
mod normal;
mod pattern;
mod place;
mod readings;
mod span;
mod strict;
mod target;
#[cfg(test)]
mod tests;
mod text;

pub use agent::Agent;
pub use decision::{Decision, Governing, GroupKind, Reason};
pub use dialect::Dialect;
pub use document::{Robots, parse, parse_in};
pub use explain::{Explanation, Shape};
pub use field::{Field, Spelling};
pub use group::{Group, Rule};
pub use issue::{Issue, IssueKind};
pub use line::{Facts, Line, LineKind};
pub use listing::Listed;
pub use meaning::Severity;
pub use pattern::Pattern;
pub use readings::Readings;
pub use span::Span;
pub use target::Target;
