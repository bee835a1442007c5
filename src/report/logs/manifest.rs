//! The manifest of an audit: what it rests on and what it wrote, each file with its digest. It holds no
//! clock and no name of a machine: the same inputs give the same manifest.

use serde_json::{Value, json};

use crate::logs::{AuditFile, Findings};
use crate::manifest::Instrument;

/// The manifest as one JSON document, with a line end.
pub fn log_manifest_json(
    findings: &Findings,
    inputs: &[AuditFile],
    outputs: &[AuditFile],
) -> serde_json::Result<String> {
    let document = json!({
        "scanner": Instrument::VERSION,
        "terms": findings.terms,
        "inputs": inputs.iter().map(file).collect::<Vec<_>>(),
        "outputs": outputs.iter().map(file).collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn file(file: &AuditFile) -> Value {
    json!({
        "role": file.role,
        "name": file.name,
        "octets": file.octets,
        "sha256": file.sha256.map(|digest| digest.to_string()),
    })
}
