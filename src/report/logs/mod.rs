//! The log audit's findings → terminal, JSON, CSV, HTML.

mod account;
mod html;
mod manifest;
mod pictures;
mod sniffed;
mod tables;
mod terminal;

pub use account::{account, account_json, account_line};
pub use html::log_findings_html;
pub use manifest::log_manifest_json;
pub use sniffed::{Beginning, beginnings, beginnings_json};
pub use tables::{LogTable, log_columns_page, log_tables};
pub use terminal::log_findings;

use crate::logs::Findings;

/// The findings as one JSON document, with a line end; `docs/logs.schema.json` is its schema.
pub fn log_findings_json(findings: &Findings) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(findings)? + "\n")
}
