//! Words that are explained: for a terminal and as JSON.

use std::fmt::Write as _;

use crate::glossary::Entry;

/// Words with what they mean, one after the other.
pub fn glossary(entries: &[Entry]) -> String {
    let mut page = String::new();
    for Entry { term, kind, meaning } in entries {
        let _ = writeln!(page, "{term} ({kind})\n  {meaning}");
    }
    page
}

/// The same as a JSON document: a list of `term`, `kind` and `meaning`.
pub fn glossary_json(entries: &[Entry]) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(entries)? + "\n")
}
