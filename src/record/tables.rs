//! The result tables: every column of a run folder, with its documentation.

use super::cell::List;
use super::table::{Column, Row, table};
use crate::classify::{AccessClass, FailureMode, PageState, ReviewKind};
use crate::closed_list;
use crate::digest::Digest;
use crate::library::CrawlerGroup;
use crate::llms::GuidanceState;
use crate::observation::Operation;
use crate::robots::GroupKind;
use crate::sample::Domain;

closed_list! {
    /// Where a domain stands in the access layer.
    pub enum Layer {
        /// A policy was observed.
        Policy = "policy",
        /// The site answered and refused.
        AccessDenied = "access_denied",
        /// No policy could be read.
        Unscannable = "unscannable",
        /// Outside every denominator.
        Outside = "outside",
    }
}

closed_list! {
    /// What robots.txt turned out to be.
    pub enum RobotsState {
        /// A document.
        File = "file",
        /// A document without any text.
        Empty = "empty",
        /// 404 or 410: open by default.
        Absent = "absent",
        /// The site's page for every path: treated as absent.
        Soft404 = "soft_404",
        /// HTML, and an archive without a control.
        HtmlUndecided = "html_undecided",
        /// No capture in the archive.
        NotCaptured = "not_captured",
        /// The opt-out list names the host or its network.
        Excluded = "excluded",
        /// A failure: see `failure_mode`.
        Failed = "failed",
    }
}

closed_list! {
    /// How a domain's attempts ended.
    pub enum Resolution {
        /// A policy was observed in attempt 1.
        Observed = "observed",
        /// A policy was observed in a later attempt.
        Recovered = "recovered",
        /// No attempt observed one: a final infrastructure failure.
        Unresolved = "unresolved",
        /// Outside every denominator.
        Outside = "outside",
    }
}

closed_list! {
    /// The class of one Disallow line.
    pub enum LineClass {
        /// It covers every path.
        WholeSite = "whole_site",
        /// Content that the site exists for.
        Primary = "primary",
        /// Other content, and whatever the library does not know.
        Secondary = "secondary",
        /// Infrastructure.
        Functional = "functional",
    }
}

table! {
    /// One row a domain that was asked in an attempt.
    pub struct DomainRow {
        /// Host name that was asked, in A-labels.
        domain: Domain,
        /// Stratum of the sample.
        stratum: String,
        /// Attempt that this row was observed in.
        attempt: u32,
        /// Place in the attempt's seeded order, counted from 1.
        asked_as: u64,
        /// Where the domain stands in the access layer.
        layer: Layer,
        /// What robots.txt turned out to be.
        robots_state: RobotsState,
        /// Why no policy was read.
        failure_mode: Option<FailureMode>,
        /// What was being done when the exchange failed.
        failure_operation: Option<Operation>,
        /// A finer cause of the failure.
        failure_cause: Option<String>,
        /// Status of the final answer to /robots.txt.
        http_status: Option<u16>,
        /// Whether robots.txt was answered with a bot-challenge page, whatever the status.
        challenge: bool,
        /// Redirects answered on the way to robots.txt.
        redirects: u32,
        /// Host that gave the final answer or failure for robots.txt.
        final_host: String,
        /// Whether that host is another site than the one asked.
        off_site: bool,
        /// Octets of robots.txt that were read, before the cut back to the last whole line.
        robots_octets: Option<u64>,
        /// Whether robots.txt was longer than the limit.
        robots_truncated: Option<bool>,
        /// Digest of these octets, content coding taken off.
        robots_sha256: Option<Digest>,
        /// Issues that the robots.txt engine reports.
        robots_issues: Option<u64>,
        /// Access class: the most restrictive over the headline crawlers.
        access_class: Option<AccessClass>,
        /// Class of the wildcard group alone.
        class_wildcard: Option<AccessClass>,
        /// Access class if the baseline crawler of the list (Googlebot) is left out.
        class_without_baseline: Option<AccessClass>,
        /// Access class if the token Google-Extended is left out.
        class_without_google_extended: Option<AccessClass>,
        /// Access class as google/robotstxt reads the file.
        class_google: Option<AccessClass>,
        /// Access class as RFC 9309 reads the file, without leniency.
        class_strict: Option<AccessClass>,
        /// Headline crawler that alone decides the access class.
        decided_alone_by: Option<String>,
        /// Whether a whole-site exclusion of a headline crawler leaves some paths open.
        carve_outs: bool,
        /// Whether a whole-site exclusion of a headline crawler leaves just the root open.
        root_only: bool,
        /// Disallow lines that restrict a headline crawler from primary content.
        paths_primary: u64,
        /// The same for secondary content, ambiguous and unknown paths included.
        paths_secondary: u64,
        /// The same for infrastructure.
        paths_functional: u64,
        /// Secondary lines that the library calls ambiguous.
        paths_ambiguous: u64,
        /// Secondary lines that no rule of the library knows.
        paths_unknown: u64,
        /// How the homepage was observed.
        page_state: PageState,
        /// Status of the homepage.
        page_status: Option<u16>,
        /// Robots directives of the homepage's head and header fields.
        page_directives: String,
        /// Header fields of the homepage that say what machines may use it for, as `name: value`:
        /// Content-Signal, Content-Usage, TDM-Policy and TDM-Reservation.
        page_usage: List,
        /// Content management systems that show.
        cms: List,
        /// Delivery networks that show.
        cdn: List,
        /// Path that cannot exist, asked as a control.
        control_path: String,
        /// Status of the control's answer.
        control_status: Option<u16>,
        /// What llms.txt is.
        llms_state: GuidanceState,
        /// Why it is absent or unscannable.
        llms_reason: Option<String>,
        /// How its answer resembles the control's.
        llms_likeness: Option<String>,
        /// Conformance tests that it fails.
        llms_failed_tests: List,
        /// Octets of a present llms.txt.
        llms_octets: Option<u64>,
        /// Markdown links in it.
        llms_links: Option<u64>,
        /// Headings in it.
        llms_headings: Option<u64>,
        /// Content-type it came with.
        llms_content_type: Option<String>,
        /// Digest of its octets.
        llms_sha256: Option<Digest>,
        /// First twelve digits of the pattern library's digest.
        library: String,
    }
}

table! {
    /// What merging adds to a domain's row.
    pub struct MergedColumns {
        /// How the domain's attempts ended.
        resolution: Resolution,
        /// One word an attempt, in order: the failure mode, `ok` where a policy was observed, or `outside`.
        failure_history: List,
    }
}

/// One row a sample domain: its row from the attempt that counts, and what the attempts were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedRow {
    /// The row from the first resolved attempt, else from the last.
    pub row: DomainRow,
    /// What merging adds.
    pub merged: MergedColumns,
}

impl Row for MergedRow {
    fn columns() -> Vec<Column> {
        [DomainRow::columns(), MergedColumns::columns()].concat()
    }

    fn cells(&self) -> Vec<String> {
        [self.row.cells(), self.merged.cells()].concat()
    }

    fn from_cells(cells: &mut dyn Iterator<Item = &str>) -> Result<Self, &'static str> {
        Ok(Self { row: DomainRow::from_cells(cells)?, merged: MergedColumns::from_cells(cells)? })
    }
}

table! {
    /// One row a domain with an observed policy and crawler.
    pub struct CrawlerRow {
        /// Host name that was asked.
        domain: Domain,
        /// Stratum of the sample.
        stratum: String,
        /// Product token of the crawler.
        crawler: String,
        /// Group that the crawler list puts it in.
        crawler_group: CrawlerGroup,
        /// Kind of the group of robots.txt that governs it.
        governing_group: GroupKind,
        /// Lines of that group's User-agent records.
        group_lines: List,
        /// Class that follows from the group.
        class: AccessClass,
        /// Whether the class is a block: whole site or primary content.
        blocked: bool,
        /// Line that decides the class: the first of the highest.
        deciding_line: Option<u32>,
        /// Whether / may be fetched.
        root_allowed: bool,
        /// Line that decides on /, where a rule does.
        root_line: Option<u32>,
        /// Whether a whole-site exclusion leaves some paths open.
        carve_outs: bool,
        /// Whether a whole-site exclusion leaves just the root open.
        root_only: bool,
        /// First twelve digits of the pattern library's digest.
        library: String,
    }
}

table! {
    /// One row a Disallow line that governs a crawler of the list.
    pub struct PathRow {
        /// Host name that was asked.
        domain: Domain,
        /// Stratum of the sample.
        stratum: String,
        /// Line of robots.txt.
        line: u32,
        /// Value as written; octets that are not UTF-8 are replaced.
        path: String,
        /// Class of the value.
        class: LineClass,
        /// Why: `rule:<id>`, `carve_out`, `ambiguous`, `unknown`, `locale_stripped`, `covers_every_path`.
        reason: String,
        /// Rule of the library that matched.
        rule_id: Option<String>,
        /// Crawlers of the list that the line's group governs.
        governs: u32,
        /// Those of them that it restricts: no Allow re-opens it.
        restricts: u32,
        /// Headline crawlers that it restricts.
        restricts_headline: u32,
        /// First twelve digits of the pattern library's digest.
        library: String,
    }
}

table! {
    /// One row a thing that a person should look at before publication.
    pub struct ReviewRow {
        /// Host name that was asked.
        domain: Domain,
        /// Stratum of the sample.
        stratum: String,
        /// Why a person should look.
        kind: ReviewKind,
        /// Line of robots.txt, where one is meant.
        line: Option<u32>,
        /// Path, host or cause to look at.
        text: String,
        /// First twelve digits of the pattern library's digest.
        library: String,
    }
}

table! {
    /// One row an exchange: clocks, addresses and the connection, which no result file holds.
    pub struct TimingRow {
        /// Host name that was asked.
        domain: Domain,
        /// Which request: `robots`, `homepage`, `control`, `llms`.
        request: String,
        /// Milliseconds from the start of the domain's attempt to the start of the exchange.
        started_ms: u64,
        /// Milliseconds that the exchange took.
        elapsed_ms: u64,
        /// URL that was asked last, after all redirects; the columns that follow are about it.
        final_url: Option<String>,
        /// Response code with which the DNS answered for its host; empty where none came.
        dns_response: Option<String>,
        /// Addresses that its host resolved to.
        addresses: List,
        /// Address and port that the connection led to.
        remote: Option<String>,
        /// Whether the connection had served a request before: `no`, `yes`, or `resent` where it was dead and the request was sent once more over a new one.
        conn_reused: Option<String>,
        /// Version of TLS that was agreed on.
        tls_version: Option<String>,
        /// Second after which the server's certificate is no longer valid, in UTC.
        certificate_expires: Option<String>,
        /// Distinguished name of the certificate's issuer.
        certificate_issuer: Option<String>,
        /// Version of HTTP that was answered in.
        protocol: Option<String>,
        /// Seconds for which the site asked to be left alone (Retry-After of a refusal).
        retry_after_s: Option<u64>,
    }
}
