//! The folder of an audit: findings, tables, DNS answers, and the manifest that says what they rest on.

use std::io;
use std::path::{Path, PathBuf};

use super::options::Evidence;
use super::prepared::Prepared;
use crate::cli::talk::say;
use crate::digest::Digest;
use crate::files;
use crate::logfiles::{self, Planned};
use crate::logs::{Answers, AuditFile, Findings};
use crate::registry::Registry;
use crate::report;
use crate::run::RunError;

/// Writes every file of an audit.
pub(super) fn write(
    folder: &Path,
    evidence: &Evidence,
    prepared: &Prepared,
    planned: &[Planned],
    findings: &Findings,
    answers: &Answers,
) -> Result<(), RunError> {
    let mut documents = vec![
        ("summary.json", report::escaped_json(&rendered(report::log_findings_json(findings))?)),
        ("report.html", rendered(report::log_findings_html(findings))?),
    ];
    if !answers.is_empty() && !findings.terms.hides_addresses {
        documents.push(("dns.csv", answers.to_csv()));
    }
    let tables = report::log_tables(findings)?;
    documents.extend(tables.into_iter().map(|table| (table.name, table.text)));
    let inputs = inputs(evidence, prepared, planned)?;
    let outputs: Vec<AuditFile> =
        documents.iter().map(|(name, text)| digested("output", name, text)).collect();
    let manifest = rendered(report::log_manifest_json(findings, &inputs, &outputs))?;
    documents.push(("manifest.json", report::escaped_json(&manifest)));
    files::make_folder(folder)?;
    for (name, text) in documents {
        files::write_whole(&folder.join(name), text.as_bytes())?;
    }
    say(format_args!("written: {}", folder.display()));
    Ok(())
}

/// A document, unless it could not be rendered.
fn rendered<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
    document: Result<String, E>,
) -> io::Result<String> {
    document.map_err(io::Error::other)
}

/// Everything that the findings rest on: logs, what they were judged by, the registry in the program.
fn inputs(
    evidence: &Evidence,
    prepared: &Prepared,
    planned: &[Planned],
) -> io::Result<Vec<AuditFile>> {
    let given = [
        ("robots_history", &evidence.robots_history),
        ("ranges", &evidence.ranges),
        ("trusted", &evidence.trusted),
        ("dns", &evidence.dns),
        ("canonical", &evidence.canonical),
    ];
    let given = given.into_iter().filter_map(|(role, path)| Some((role, path.as_deref()?)));
    let sitemaps = prepared.sitemaps.iter().map(|path: &PathBuf| ("sitemap", path.as_path()));
    let others: Vec<(&'static str, &Path)> = given.chain(sitemaps).collect();
    let mut inputs = logfiles::inputs(planned, &others)?;
    let built_in = Registry::texts();
    inputs.extend(built_in.iter().map(|(name, text)| digested("registry", name, text)));
    Ok(inputs)
}

/// A text as a file of the manifest.
fn digested(role: &'static str, name: &str, text: &str) -> AuditFile {
    AuditFile {
        role,
        name: name.to_owned(),
        octets: text.len() as u64,
        sha256: Some(Digest::of(text.as_bytes())),
    }
}
