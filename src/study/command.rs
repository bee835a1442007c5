//! The command that gives a finished run's results again, as its manifest tells it.

use std::collections::BTreeMap;

use crate::limits::Limits;
use crate::manifest::{Recorded, Source};
use crate::observation::Kept;
use crate::words::quoted;

/// What every user-agent of the program itself begins with.
const OWN_USER_AGENT: &str = "crawler-access-scanner/";

/// The command of a run.
pub(super) fn command(run: &Recorded) -> String {
    let sample = run.occasion.sample_file.clone();
    let sample = sample.unwrap_or_else(|| format!("{}.csv", run.sample.name));
    match &run.source {
        Some(source) => replay(run, source, &sample),
        None => asked(run, &sample),
    }
}

/// A run that asked.
fn asked(run: &Recorded, sample: &str) -> String {
    let mut command = format!("scanner run --sample {}", quoted(sample));
    let mut add = |flag: &str, value: Option<String>| {
        if let Some(value) = value {
            command.push_str(&format!(" --{flag} {}", quoted(&value)));
        }
    };
    add("seed", Some(run.seed.to_string()));
    add("world", run.world.clone());
    for (name, number) in off_method(run) {
        match name {
            "attempts" => add("attempts", Some(number.to_string())),
            _ => add("limit", Some(format!("{name}={number}"))),
        }
    }
    add("library", run.occasion.library_folder.clone());
    add("user-agent", user_agent(run));
    add("contact", run.contact.clone());
    add("exclude", run.occasion.exclude_file.clone());
    add("evidence", (run.evidence != Kept::Full).then(|| run.evidence.to_string()));
    command
}

/// A run over archives.
fn replay(run: &Recorded, source: &Source, sample: &str) -> String {
    let mut command = format!("scanner replay --sample {} --warc", quoted(sample));
    for archive in &source.archives {
        command.push_str(&format!(" {}", quoted(&archive.file)));
    }
    for (flag, value) in [
        ("as-of", source.as_of.clone()),
        ("seed", (run.seed != 0).then(|| run.seed.to_string())),
        ("library", run.occasion.library_folder.clone()),
        ("evidence", (run.evidence != Kept::Full).then(|| run.evidence.to_string())),
    ] {
        if let Some(value) = value {
            command.push_str(&format!(" --{flag} {}", quoted(&value)));
        }
    }
    command
}

/// The limits that are not the method's; a fixture internet sets its own deadlines.
fn off_method(run: &Recorded) -> Vec<(&str, u64)> {
    let method = serde_json::to_value(&Limits::METHOD).ok();
    let method: BTreeMap<String, u64> =
        method.and_then(|limits| serde_json::from_value(limits).ok()).unwrap_or_default();
    let is_ours = |name: &str| run.world.is_none() || name == "attempts";
    let limits = run.instrument.limits.iter().map(|(name, number)| (name.as_str(), *number));
    limits.filter(|(name, number)| is_ours(name) && method.get(*name) != Some(number)).collect()
}

/// The user-agent that the study gave, without the contact that completed it.
fn user_agent(run: &Recorded) -> Option<String> {
    let sent = run.user_agent.as_str();
    if sent.is_empty() || sent.starts_with(OWN_USER_AGENT) {
        return None;
    }
    let contact = run.contact.as_deref().unwrap_or_default();
    let within = sent.strip_suffix(&format!("; +{contact})")).map(|open| format!("{open})"));
    let behind = sent.strip_suffix(&format!(" (+{contact})")).map(str::to_owned);
    within.or(behind).or_else(|| Some(sent.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::command;
    use crate::manifest::Recorded;

    /// A manifest with the values that are given.
    fn recorded(values: &[(&str, Value)]) -> Recorded {
        let digest = "0".repeat(64);
        let mut manifest = json!({
            "format": "scanner run 1", "status": "complete", "marks": [],
            "instrument": {
                "method": "C01", "version": "1", "library": "l", "library_status": "frozen",
                "library_sha256": digest, "limits": { "attempts": 3 },
            },
            "instrument_sha256": digest,
            "sample": { "name": "s", "n": 10, "sha256": digest },
            "seed": 7, "user_agent": "crawler-access-scanner/1 (study)", "address_family": "ipv4",
            "evidence": "full", "attempts": [], "files": {},
            "occasion": {
                "started_at": "", "concurrency": 1, "resolver": [], "interruptions": [],
                "attempt_gap_s": 0, "retry_after_most_s": 0, "canaries": [], "outage_most_s": 0,
                "evidence_octets": 0, "files": {}, "sample_file": "samples/my list.csv",
            },
        });
        for (name, value) in values {
            manifest[name] = value.clone();
        }
        Recorded::parse("manifest.json", &manifest.to_string()).expect("a manifest")
    }

    #[test]
    fn the_command_of_a_run_names_what_its_results_depend_on() {
        assert_eq!(command(&recorded(&[])), "scanner run --sample 'samples/my list.csv' --seed 7");
        let off = recorded(&[
            ("contact", json!("https://study.test/")),
            ("user_agent", json!("mine/1 (+https://study.test/)")),
            ("evidence", json!("policy")),
        ]);
        let expected = "scanner run --sample 'samples/my list.csv' --seed 7 --user-agent mine/1 \
                        --contact https://study.test/ --evidence policy";
        assert_eq!(command(&off), expected);
    }

    #[test]
    fn the_command_of_a_replay_names_its_archives() {
        let archive = json!({"file": "a.warc.gz", "octets": 1, "sha256": "0".repeat(64)});
        let source = json!({"kind": "captures", "as_of": "2024-07-31", "archives": [archive]});
        let replay = recorded(&[("source", source), ("seed", json!(0))]);
        let expected = "scanner replay --sample 'samples/my list.csv' --warc a.warc.gz \
                        --as-of 2024-07-31";
        assert_eq!(command(&replay), expected);
    }
}
