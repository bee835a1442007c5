//! Numbers → what a person reads.
//!
//! No rate is printed without its denominator. Nothing is computed here. What is quoted from outside
//! is shown so that it cannot steer a terminal.

mod audit;
mod audit_html;
mod audit_json;
mod audit_sarif;
mod comparison;
mod crawlers;
mod excerpt;
mod glossary;
mod heading;
mod html;
mod library;
mod logs;
mod markdown;
mod markup;
mod numbers;
mod prevalence;
mod printable;
mod robots;
mod robots_decisions;
mod robots_json;
pub mod sentences;
mod status;
mod terminal;

pub use audit::{AuditReport, audit};
pub use audit_html::audit_html;
pub use audit_json::audit_json;
pub use audit_sarif::audit_sarif;
pub use comparison::{comparison_html, comparison_markdown, comparison_terminal};
pub use crawlers::{
    CandidateTable, Readout, RefreshReport, Wanted, candidates, refresh, refresh_json, refresh_plan,
};
pub use glossary::{glossary, glossary_json};
pub use html::{DomainEntry, Provenance, Shown, Unsettled, html};
pub use library::{coverage, explanation, explanation_json, library, library_rule};
pub use logs::{
    Beginning, LogTable, account, account_json, account_line, beginnings, beginnings_json,
    log_columns_page, log_findings, log_findings_html, log_findings_json, log_manifest_json,
    log_tables,
};
pub use markdown::markdown;
pub use prevalence::{prevalence, prevalence_json};
pub use printable::{Printable, escaped_json};
pub use robots::{RobotsQuestion, UrlAsked, robots};
pub use robots_json::robots_json;
pub use status::status;
pub use terminal::terminal;
