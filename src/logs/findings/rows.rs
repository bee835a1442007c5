//! The tables of an audit: a row type, its columns and what they mean of one declaration each.

use serde::Serialize;

use crate::record::table;

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

table! {
    /// A crawler that was claimed.
    pub struct ClaimedRow {
        /// Its product token.
        token: String,
        /// The id of its operator.
        operator: String,
        /// What it is for; empty where no source places it.
        purpose: Option<String>,
        /// What its operator says of robots.txt.
        stance: String,
        /// Requests whose header claims to be it: the sum of the next five.
        claims: u64,
        /// From an address of its list.
        genuine: u64,
        /// From the addresses of another crawler of its operator.
        sibling: u64,
        /// From addresses that stood in its list shortly before or after.
        adjacent: u64,
        /// From elsewhere.
        impersonated: u64,
        /// From where nobody can tell.
        unverifiable: u64,
        /// Genuine and allowed by the version in force.
        allowed: u64,
        /// Genuine and disallowed by it.
        disallowed: u64,
        /// Genuine, and no version is known for their moment and host.
        no_version: u64,
        /// Genuine, and two possible versions disagree.
        ambiguous: u64,
        /// Genuine, and they name nothing that a robots.txt could rule.
        no_target: u64,
        /// Violations by the judgement that was asked for.
        violations: u64,
        /// Disallowed after the log shows the crawler fetching the version that disallows.
        informed: u64,
        /// Disallowed, but allowed by a version of the last hours.
        excused: u64,
        /// Genuine requests that yielded nothing.
        non_productive: u64,
        /// Octets answered to genuine requests.
        octets: u64,
        /// Distinct targets of genuine requests.
        targets: u64,
        /// Whether that is an estimate.
        targets_estimated: bool,
        /// Genuine requests for the robots.txt.
        robots_fetches: u64,
        /// The first genuine request, in UTC.
        first_genuine: Option<String>,
        /// The last genuine request.
        last_genuine: Option<String>,
        /// The first claim.
        first_claim: Option<String>,
        /// The last claim.
        last_claim: Option<String>,
        /// Claims whose header names crawlers of several operators.
        mixed_headers: u64,
        /// Claims from the edge of a delivery network, or from a private address, that is not trusted.
        from_untrusted_edges: u64,
        /// Gaps that are too short for the Crawl-delay in force, whatever the fractions of the seconds.
        gaps_certainly_too_short: Option<u64>,
        /// Gaps that may be too short, the certain ones among them.
        gaps_possibly_too_short: Option<u64>,
    }
}

table! {
    /// Several crawlers together: those of one purpose, or of one operator.
    #[derive(Default, Serialize)]
    pub struct GroupFindings {
        /// The purpose or the operator; `unplaced` where no source places the crawlers.
        name: String,
        /// The crawlers that were claimed.
        crawlers: u64,
        /// Requests that claim to be one of them: the sum of the next five.
        claims: u64,
        /// From an address of the crawler's list.
        genuine: u64,
        /// From the addresses of another crawler of the operator.
        sibling: u64,
        /// From addresses that stood in the list shortly before or after.
        adjacent: u64,
        /// From elsewhere.
        impersonated: u64,
        /// From where nobody can tell.
        unverifiable: u64,
        /// Genuine and allowed by the version in force.
        allowed: u64,
        /// Genuine and disallowed by it.
        disallowed: u64,
        /// Violations by the judgement that was asked for.
        violations: u64,
        /// Disallowed after the log shows the crawler fetching the version that disallows.
        informed: u64,
        /// Genuine requests that yielded nothing.
        non_productive: u64,
        /// Genuine requests for the robots.txt.
        robots_fetches: u64,
        /// Octets answered to genuine requests.
        octets: u64,
        /// The first claim, in UTC.
        first_claim: Option<String>,
        /// The last claim.
        last_claim: Option<String>,
    }
}

table! {
    /// What is counted of a crawler on one day or one host.
    #[derive(Serialize)]
    pub struct PartCounts {
        /// Claims: the sum of the next five.
        claims: u64,
        /// Genuine ones.
        genuine: u64,
        /// From the addresses of another crawler of the operator.
        sibling: u64,
        /// From addresses that stood in the list shortly before or after.
        adjacent: u64,
        /// Impersonated ones.
        impersonated: u64,
        /// Unverifiable ones.
        unverifiable: u64,
        /// Genuine and allowed by the version in force.
        allowed: u64,
        /// Genuine and disallowed by it.
        disallowed: u64,
        /// Genuine, without a verdict.
        no_verdict: u64,
        /// Genuine requests that yielded nothing.
        non_productive: u64,
        /// Genuine requests for the robots.txt.
        robots_fetches: u64,
        /// Genuine requests that were answered with 2xx.
        status_2xx: u64,
        /// With 3xx.
        status_3xx: u64,
        /// With 4xx.
        status_4xx: u64,
        /// With 5xx.
        status_5xx: u64,
        /// Octets answered to genuine requests.
        octets: u64,
    }
}

table! {
    /// A crawler on one day.
    #[derive(Serialize)]
    pub struct DayRow {
        /// The day in UTC.
        day: String,
        /// The crawler's token.
        token: String,
        #[serde(flatten)]
        ..counts: PartCounts,
    }
}

table! {
    /// A crawler on one host.
    #[derive(Serialize)]
    pub struct HostRow {
        /// The host; empty where the log names none.
        host: String,
        /// The crawler's token.
        token: String,
        #[serde(flatten)]
        ..counts: PartCounts,
        /// The first claim, in UTC.
        first: String,
        /// The last claim.
        last: String,
    }
}

table! {
    /// A rule that a crawler broke.
    #[derive(Serialize)]
    pub struct RuleRow {
        /// The crawler's token.
        token: String,
        /// The host whose robots.txt it is; `*` where it is any host's.
        host: String,
        /// The moment from which the version was in force; empty where it always was.
        version_from: String,
        /// The file of the version.
        file: String,
        /// The rule's line; empty where there was no file.
        line: Option<u32>,
        /// The rule as it is written.
        rule: String,
        /// When the log first shows the crawler fetching this version; empty where it never does.
        version_fetched: Option<String>,
        /// Violations by the version in force.
        count: u64,
        /// The first, in UTC.
        first: String,
        /// The last.
        last: String,
        /// Where the first one stands: the log and its line.
        example: String,
    }
}

table! {
    /// A path that was asked for against a rule.
    pub struct ViolationRow {
        /// The crawler's token.
        token: String,
        /// The host; empty where the log names none.
        host: String,
        /// The target as it was logged, its first octets where it is long; `\xHH` for what is no UTF-8.
        target: String,
        /// The target without percent escapes, for the eye.
        decoded: String,
        /// The moment from which the version was in force; empty where it always was.
        version_from: String,
        /// The rule's line; empty where there was no file.
        line: Option<u32>,
        /// The rule as it is written.
        rule: String,
        /// When the log first shows the crawler fetching this version; empty where it never does.
        version_fetched: Option<String>,
        /// How often.
        count: u64,
        /// The first time, in UTC.
        first: String,
        /// The last time.
        last: String,
        /// Where the first one stands: the log and its line.
        example: String,
    }
}

table! {
    /// An address that claimed to be a crawler and is none.
    pub struct ImpersonatorRow {
        /// The crawler's token.
        token: String,
        /// The address; its network where addresses are hidden.
        address: String,
        /// The network that it is counted with: /24 of IPv4, /48 of IPv6.
        network: String,
        /// What says that it is none.
        evidence: String,
        /// Claims.
        count: u64,
        /// The first, in UTC.
        first: String,
        /// The last.
        last: String,
        /// Where the first one stands: the log and its line.
        example: String,
    }
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
    /// Its first octets, `\xHH` for what is no UTF-8; empty where addresses are hidden.
    pub text: String,
}
