//! The manifest of an audit: what it rests on and what it wrote, each file with its digest. It holds no
//! clock and no name of a machine: the same inputs give the same manifest.

use serde_json::{Value, json};

use crate::digest::Digest;
use crate::logs::Findings;
use crate::manifest::Instrument;

/// A file of an audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFile {
    /// What it is: `log`, `robots_history`, `registry`, `output` …
    pub role: &'static str,
    /// Its name, as it was given.
    pub name: String,
    /// Its octets.
    pub octets: u64,
    /// Their digest; none of what can be read only once.
    pub sha256: Option<Digest>,
}

/// The manifest as one JSON document, with a line end.
pub fn log_manifest_json(
    findings: &Findings,
    inputs: &[LogFile],
    outputs: &[LogFile],
) -> serde_json::Result<String> {
    let document = json!({
        "scanner": Instrument::VERSION,
        "terms": findings.terms,
        "inputs": inputs.iter().map(file).collect::<Vec<_>>(),
        "outputs": outputs.iter().map(file).collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn file(file: &LogFile) -> Value {
    json!({
        "role": file.role,
        "name": file.name,
        "octets": file.octets,
        "sha256": file.sha256.map(|digest| digest.to_string()),
    })
}
