//! The rows of the tables beside the crawlers.

use serde::Serialize;

/// A table that may be cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Table<R> {
    /// Rows that there would be in all; an estimate where the table is cut.
    pub distinct: u64,
    /// Whether rows were left out: those that stand are whole, and were drawn by a hash.
    pub is_cut: bool,
    /// The rows.
    pub rows: Vec<R>,
}

/// A crawler on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DayRow {
    /// The day in UTC.
    pub day: String,
    /// The crawler's token.
    pub token: String,
    /// Claims.
    pub claims: u64,
    /// Genuine ones.
    pub genuine: u64,
    /// Impersonated ones.
    pub impersonated: u64,
    /// Unverifiable ones.
    pub unverifiable: u64,
    /// Genuine and allowed.
    pub allowed: u64,
    /// Genuine and disallowed.
    pub disallowed: u64,
}

/// A crawler on one host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HostRow {
    /// The host; empty where the log names none.
    pub host: String,
    /// The crawler's token.
    pub token: String,
    /// Claims.
    pub claims: u64,
    /// Genuine ones.
    pub genuine: u64,
    /// Impersonated ones.
    pub impersonated: u64,
    /// Unverifiable ones.
    pub unverifiable: u64,
    /// Genuine and allowed.
    pub allowed: u64,
    /// Genuine and disallowed.
    pub disallowed: u64,
    /// Genuine, without a known version.
    pub no_version: u64,
}

/// A rule that a crawler broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleRow {
    /// The crawler's token.
    pub token: String,
    /// The host whose robots.txt it is; `*` where it is any host's.
    pub host: String,
    /// The moment from which the version was in force.
    pub version_from: String,
    /// The file of the version.
    pub file: String,
    /// The rule's line; null where there was no file.
    pub line: Option<u32>,
    /// The rule as it is written.
    pub rule: String,
    /// Violations by the version in force.
    pub count: u64,
    /// The first.
    pub first: String,
    /// The last.
    pub last: String,
    /// Where the first one stands: file and line.
    pub example: String,
}

/// A path that was asked for against a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolationRow {
    /// The crawler's token.
    pub token: String,
    /// The host; empty where the log names none.
    pub host: String,
    /// The target as it was logged; its first octets where it is long.
    pub target: String,
    /// The target without percent escapes, for the eye.
    pub decoded: String,
    /// The moment from which the version was in force.
    pub version_from: String,
    /// The rule's line.
    pub line: Option<u32>,
    /// The rule as it is written.
    pub rule: String,
    /// How often.
    pub count: u64,
    /// The first time.
    pub first: String,
    /// The last time.
    pub last: String,
    /// Where the first one stands: file and line.
    pub example: String,
}

/// An address that claimed to be a crawler and is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpersonatorRow {
    /// The crawler's token.
    pub token: String,
    /// The address.
    pub address: String,
    /// The network that it is counted with.
    pub network: String,
    /// What says that it is none.
    pub evidence: String,
    /// Claims.
    pub count: u64,
    /// The first.
    pub first: String,
    /// The last.
    pub last: String,
    /// Where the first one stands: file and line.
    pub example: String,
}

/// A version of a robots.txt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VersionRow {
    /// The host; `*` where it is any host's.
    pub host: String,
    /// The moment from which it was in force; null where it always was.
    pub from: Option<String>,
    /// What it was.
    pub state: String,
    /// The status; 0 where nothing was answered.
    pub status: u16,
    /// The file.
    pub file: String,
    /// Its digest.
    pub sha256: Option<String>,
    /// How its moment is known.
    pub basis: String,
}

/// A rejected line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SampleRow {
    /// Why it was rejected.
    pub reason: String,
    /// The file.
    pub file: String,
    /// The line's number.
    pub line: u64,
    /// Its first octets; what is not UTF-8 is replaced.
    pub text: String,
}
