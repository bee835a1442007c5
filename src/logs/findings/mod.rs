//! What an audit found: tallies → the numbers of `summary.json` and of every report, and the checks
//! that they hold together.
//!
//! `docs/logs.md` says what each field means, `docs/logs.schema.json` what each may hold.

mod build;
mod check;
mod crawlers;
mod groups;
mod notes;
mod rows;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::closed_list;
use crate::digest::Digest;

use super::format::Format;

pub use check::check;
pub use crawlers::{CrawlerFindings, TwoWay};
pub use rows::{
    ClaimedRow, DayRow, GroupFindings, HostRow, ImpersonatorRow, PartCounts, RuleRow, SampleRow,
    Table, VersionRow, ViolationRow,
};

closed_list! {
    /// Which disallowed requests count as violations.
    pub enum Judgement {
        /// Every one that the version in force disallowed.
        Effective = "effective",
        /// Those that no version of the last hours allowed.
        Grace = "grace",
        /// Those that were made after the crawler had fetched the version which disallowed them.
        Fetched = "fetched",
    }
}

closed_list! {
    /// The side to which what cannot be verified is counted, where there are two sides only.
    pub enum Side {
        /// As genuine.
        Genuine = "genuine",
        /// As impersonated.
        Impersonated = "impersonated",
    }
}

/// How the numbers are put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Which disallowed requests are violations.
    pub judgement: Judgement,
    /// The side of what cannot be verified, where two sides are asked for.
    pub two_way: Option<Side>,
}

/// A file of an audit, as the caller knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName {
    /// Its name, as it was given.
    pub name: String,
    /// The format in which it was read.
    pub format: Option<Format>,
    /// The file whose copy it is: it was not read again.
    pub copy_of: Option<String>,
    /// Octets at its end that are no whole line, and were not read.
    pub unfinished_octets: u64,
    /// What ended its reading before its end.
    pub fault: Option<String>,
}

/// A file that an audit rests on or wrote, as its manifest names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFile {
    /// What it is: `log`, `robots_history`, `registry`, `output` …
    pub role: &'static str,
    /// Its name, as it was given.
    pub name: String,
    /// Its octets.
    pub octets: u64,
    /// Their digest; none of what can be read only once.
    pub sha256: Option<Digest>,
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// What was judged by, and how.
    pub terms: TermsFound,
    /// The lines.
    pub lines: LinesFound,
    /// The files, in the order of their times.
    pub files: Vec<FileFound>,
    /// Lines that files share; none where no two files meet.
    pub overlap: Option<OverlapFound>,
    /// The requests that were looked at.
    pub requests: RequestsFound,
    /// The crawlers that were claimed, the most claims first.
    pub crawlers: Vec<CrawlerFindings>,
    /// The same by purpose.
    pub purposes: Vec<GroupFindings>,
    /// The same by operator.
    pub operators: Vec<GroupFindings>,
    /// By day.
    pub days: Table<DayRow>,
    /// By host.
    pub hosts: Table<HostRow>,
    /// The rules that were broken, the most often broken first.
    pub rules: Vec<RuleRow>,
    /// The paths asked for against them.
    #[serde(skip)]
    pub violations: Table<ViolationRow>,
    /// Who claimed to be a crawler and is none.
    #[serde(skip)]
    pub impersonators: Table<ImpersonatorRow>,
    /// The versions of the robots.txt files that were known.
    pub versions: Vec<VersionRow>,
    /// Lines that were rejected, some for each reason.
    pub samples: Vec<SampleRow>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// What was judged by.
#[derive(Clone, Debug, Serialize)]
pub struct TermsFound {
    /// Which disallowed requests count as violations.
    pub judgement: String,
    /// Hours for which an older version excuses.
    pub grace_hours: i64,
    /// Days before and after an address stood in a list for which it is adjacent.
    pub range_slack_days: i64,
    /// Days before and after a list was seen for which it is in force.
    pub list_slack_days: i64,
    /// The newest moment at which any address list was seen.
    pub ranges_until: Option<String>,
    /// Hosts whose robots.txt is known.
    pub robots_hosts: usize,
    /// Addresses that the given sitemaps list; null where none was given.
    pub sitemap_urls: Option<usize>,
    /// Addresses for which others stand.
    pub non_canonical_urls: usize,
    /// Networks that were trusted to forward.
    pub trusts_proxies: bool,
    /// Whether networks stand for addresses.
    pub hides_addresses: bool,
    /// The period that was asked for.
    pub since: Option<String>,
    /// Its end.
    pub until: Option<String>,
    /// The crawlers that were asked for; none for all.
    pub crawlers: Option<Vec<String>>,
    /// The host that was asked for.
    pub host: Option<String>,
}

/// The lines of all files: `lines = parsed + blank + directives + rejected`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinesFound {
    /// Lines.
    pub lines: u64,
    /// Requests.
    pub parsed: u64,
    /// Lines of nothing.
    pub blank: u64,
    /// Headers, comments, records about something else.
    pub directives: u64,
    /// None of these.
    pub rejected: u64,
    /// The rejected by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Parsed lines that are copies of another file's, and were left out.
    pub repeated: u64,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileFound {
    /// Its name.
    pub name: String,
    /// Its format; null where none is known that reads it.
    pub format: Option<String>,
    /// The file whose copy it is.
    pub copy_of: Option<String>,
    /// Its lines.
    pub lines: u64,
    /// Its requests.
    pub parsed: u64,
    /// Its lines of nothing.
    pub blank: u64,
    /// Its headers, comments and other records.
    pub directives: u64,
    /// Its lines that are none of these.
    pub rejected: u64,
    /// The first request.
    pub first: Option<String>,
    /// The last request.
    pub last: Option<String>,
    /// Octets at the end that are no whole line.
    pub unfinished_octets: u64,
    /// What ended its reading before its end.
    pub fault: Option<String>,
}

/// Lines that files share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverlapFound {
    /// Copies, beyond those of the file that has a line most often.
    pub copies: u64,
    /// Whether that is an estimate, from a sample of the lines.
    pub is_estimate: bool,
    /// Whether they were left out.
    pub left_out: bool,
    /// Copies by pairs of files.
    pub pairs: Vec<OverlapPair>,
}

/// Lines that two files share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OverlapPair {
    /// One file.
    pub file: String,
    /// The other.
    pub other: String,
    /// Copies.
    pub copies: u64,
}

/// The requests that were looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RequestsFound {
    /// Requests within the period and of the host that were asked for.
    pub requests: u64,
    /// Those of them that claim to be a crawler which was asked for.
    pub claims: u64,
    /// Octets answered to all requests.
    pub octets: u64,
    /// Claims by what their client's address rests on.
    pub client_bases: BTreeMap<String, u64>,
    /// Requests whose log has no user-agent header for them.
    pub without_user_agent: u64,
    /// Requests by the offset of their clock; `unstated` where a line does not say.
    pub clock_offsets: BTreeMap<String, u64>,
    /// Requests whose time bears no offset and happened twice, when clocks were put back.
    pub ambiguous_times: u64,
}
