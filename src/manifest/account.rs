//! How far a run is, what is left of it, and what speaks against publishing it; pure.
//!
//! It follows from the manifest and from what is found beside it. Finding that out is for `run`.

use serde::{Serialize, Serializer};

use super::{AttemptCounts, Interruption, NO_CONTACT, Recorded, Status};
use crate::closed_list;
use crate::words::{Word as _, counted};

closed_list! {
    /// Where a run stands.
    pub enum State {
        /// A process is writing it.
        Running = "running",
        /// It has not ended and nobody is writing it: `scanner resume` goes on with it.
        Interrupted = "interrupted",
        /// It ended; its results are final.
        Complete = "complete",
    }
}

/// What is found in a run's folder beside its manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Whether a process is writing it.
    pub is_held: bool,
    /// That process's id, where it could be read.
    pub process: Option<u32>,
    /// Whether merged.csv is there.
    pub is_merged: bool,
    /// Domains of the attempt in progress that are on disk.
    pub domains_done: u64,
    /// Files that are not as the manifest pins them, in words.
    pub faults: Vec<String>,
    /// Files of the occasion that are not here: clocks and evidence may be published apart.
    pub absent: Vec<String>,
    /// Files that were not read, for their size.
    pub unread: Vec<String>,
    /// Rows of review.csv.
    pub to_review: Option<u64>,
}

/// The account of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The run's folder, as named on the command line.
    pub run: String,
    /// Where it stands.
    #[serde(serialize_with = "word")]
    pub state: State,
    /// The process that is writing it, where its id could be read.
    pub process: Option<u32>,
    /// The sample's name.
    pub sample: String,
    /// The sample's domains.
    pub domains: u64,
    /// The run's seed.
    pub seed: u64,
    /// Why it is off the method, or on a fixture internet.
    pub marks: Vec<String>,
    /// When it began, in UTC.
    pub started_at: String,
    /// When it ended or stopped, in UTC.
    pub ended_at: Option<String>,
    /// Why it stopped, if it said so.
    pub stopped_by: Option<String>,
    /// The attempts that are closed.
    pub attempts: Vec<AttemptCounts>,
    /// The attempt in progress.
    pub current: Option<Current>,
    /// Attempts that may follow it, if domains stay unresolved.
    pub attempts_left: u64,
    /// What interrupted it before.
    pub interruptions: Vec<Interruption>,
    /// Whether nothing speaks against publishing it.
    pub is_safe_to_publish: bool,
    /// What speaks against it.
    pub reasons_against: Vec<String>,
    /// Files that are not as the manifest pins them.
    pub faults: Vec<String>,
    /// Files of the occasion that are not here: clocks and evidence.
    pub absent: Vec<String>,
    /// Files that were not read, for their size.
    pub unread: Vec<String>,
    /// Things that a person should look at before publication: rows of review.csv.
    pub to_review: Option<u64>,
    /// One figure for version, library and limits.
    pub instrument_sha256: String,
    /// One figure for all result files.
    pub results_sha256: Option<String>,
}

/// An attempt in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Current {
    /// The attempt, counted from 1.
    pub attempt: u64,
    /// Domains that it asks.
    pub domains: u64,
    /// Those of them that are on disk.
    pub done: u64,
    /// Those that are still to be asked.
    pub left: u64,
}

impl Account {
    /// The account of a run in a folder.
    pub fn of(run: &str, recorded: &Recorded, findings: Findings) -> Self {
        let state = state(recorded, &findings);
        let current = (state != State::Complete).then(|| current(recorded, &findings)).flatten();
        let reasons_against = reasons_against(state, recorded, &findings);
        let occasion = &recorded.occasion;
        let begun = recorded.attempts.len() as u64 + u64::from(current.is_some());
        let is_over = current.is_none();
        let attempts_most = recorded.instrument.limits.get("attempts").copied().unwrap_or_default();
        Self {
            run: run.to_owned(),
            state,
            process: findings.process,
            sample: recorded.sample.name.clone(),
            domains: recorded.sample.n,
            seed: recorded.seed,
            marks: recorded.marks.clone(),
            started_at: occasion.started_at.clone(),
            ended_at: occasion.ended_at.clone(),
            stopped_by: occasion.stopped_by.clone(),
            attempts: recorded.attempts.clone(),
            current,
            attempts_left: if is_over { 0 } else { attempts_most.saturating_sub(begun) },
            interruptions: occasion.interruptions.clone(),
            is_safe_to_publish: reasons_against.is_empty(),
            reasons_against,
            faults: findings.faults,
            absent: findings.absent,
            unread: findings.unread,
            to_review: findings.to_review,
            instrument_sha256: recorded.instrument_sha256.to_string(),
            results_sha256: recorded.results_sha256.map(|digest| digest.to_string()),
        }
    }

    /// The document, its keys in a fixed order, with a final line end.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Writes a state by its word.
fn word<S: Serializer>(state: &State, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(state.word())
}

/// Where a run stands. A process may hold a run that it has just completed.
fn state(recorded: &Recorded, findings: &Findings) -> State {
    match (recorded.status, findings.is_merged, findings.is_held) {
        (Status::Complete, true, _) => State::Complete,
        (_, _, true) => State::Running,
        (_, _, false) => State::Interrupted,
    }
}

/// The attempt in progress, unless only merging is left.
fn current(recorded: &Recorded, findings: &Findings) -> Option<Current> {
    let attempt = recorded.attempts.len() as u64 + 1;
    let domains = match recorded.attempts.last() {
        None => recorded.sample.n,
        Some(last) => last.access_denied + last.unscannable,
    };
    let is_one_more =
        recorded.instrument.limits.get("attempts").is_some_and(|most| attempt <= *most);
    let done = findings.domains_done.min(domains);
    (is_one_more && domains > 0).then(|| Current { attempt, domains, done, left: domains - done })
}

/// What speaks against publishing a run.
fn reasons_against(state: State, recorded: &Recorded, findings: &Findings) -> Vec<String> {
    let is_hindrance = |mark: &&String| !mark.starts_with(NO_CONTACT);
    let incomplete = (state != State::Complete).then(|| "it is not complete".to_owned());
    let is_evidence = |name: &&String| name.ends_with(".warc.gz");
    let without = |name: &String| format!("{name} is not here: no verdict can be re-derived");
    let unread = match findings.unread.len() {
        0 => None,
        unread => {
            Some(format!("{} not read here: scanner verify reads all", counted(unread, "file")))
        }
    };
    let mut reasons: Vec<String> = incomplete.into_iter().collect();
    reasons.extend(recorded.marks.iter().filter(is_hindrance).cloned());
    reasons.extend(findings.faults.iter().cloned());
    reasons.extend(findings.absent.iter().filter(is_evidence).map(without));
    reasons.extend(unread);
    reasons
}

#[cfg(test)]
mod tests {
    use super::{Account, Current, Findings, State};
    use crate::digest::Digest;
    use crate::manifest::{AttemptCounts, Recorded, Status};
    use crate::words::Word as _;

    /// A run of ten domains in three attempts at most.
    fn recorded(status: Status) -> Recorded {
        let digest = Digest::of(b"").to_string();
        let manifest = serde_json::json!({
            "format": "scanner run 1",
            "status": status.word(),
            "marks": ["no contact: nobody"],
            "instrument": {
                "method": "C01", "version": "1", "library": "l", "library_status": "frozen",
                "library_sha256": digest, "limits": { "attempts": 3 },
            },
            "instrument_sha256": digest,
            "sample": { "name": "s", "n": 10, "sha256": digest },
            "seed": 1,
            "user_agent": "u",
            "address_family": "ipv4",
            "attempts": [],
            "files": {},
            "occasion": {},
        });
        Recorded::parse("manifest.json", &manifest.to_string()).expect("good")
    }

    /// A run whose attempts closed with so many asked and unresolved domains.
    fn account(status: Status, closed: &[(u64, u64)], findings: Findings) -> Account {
        let mut recorded = recorded(status);
        let seed = recorded.instrument_sha256;
        recorded.attempts = closed
            .iter()
            .zip(1..)
            .map(|(&(asked, denied), attempt)| AttemptCounts {
                asked,
                access_denied: denied,
                ..AttemptCounts::new(attempt, seed)
            })
            .collect();
        Account::of("run", &recorded, findings)
    }

    #[test]
    fn what_is_left_follows_from_the_closed_attempts_and_the_journal() {
        let at = |done: u64| Findings { domains_done: done, ..Findings::default() };
        let of = |attempt: u64, domains: u64, done: u64| {
            Some(Current { attempt, domains, done, left: domains - done })
        };
        for (closed, done, current, attempts_left) in [
            (&[][..], 0, of(1, 10, 0), 2),
            (&[(10, 4)], 3, of(2, 4, 3), 1),
            (&[(10, 4), (4, 2)], 2, of(3, 2, 2), 0),
            (&[(10, 0)], 0, None, 0),
            (&[(10, 4), (4, 2), (2, 2)], 0, None, 0),
        ] {
            let account = account(Status::Running, closed, at(done));
            assert_eq!((account.current, account.attempts_left), (current, attempts_left));
            assert_eq!((account.state, account.is_safe_to_publish), (State::Interrupted, false));
        }
    }

    #[test]
    fn a_run_is_running_while_a_process_holds_it_and_complete_with_its_last_file() {
        for (status, is_held, is_merged, state) in [
            (Status::Running, true, false, State::Running),
            (Status::Incomplete, false, false, State::Interrupted),
            (Status::Complete, false, false, State::Interrupted),
            (Status::Complete, true, false, State::Running),
            (Status::Complete, true, true, State::Complete),
            (Status::Complete, false, true, State::Complete),
        ] {
            let findings = Findings { is_held, is_merged, ..Findings::default() };
            assert_eq!(account(status, &[(10, 0)], findings).state, state, "{status}");
        }
    }

    #[test]
    fn nothing_speaks_against_a_complete_run_on_the_method_whose_files_are_in_order() {
        let complete = Findings { is_merged: true, ..Findings::default() };
        let account = |findings| account(Status::Complete, &[(10, 0)], findings);
        assert!(account(complete.clone()).is_safe_to_publish, "no contact is no hindrance");
        for (findings, expected) in [
            (Findings { faults: vec!["x".to_owned()], ..complete.clone() }, "x"),
            (Findings { unread: vec!["x".to_owned()], ..complete.clone() }, "1 file not read here"),
            (
                Findings { absent: vec!["e.warc.gz".to_owned()], ..complete.clone() },
                "e.warc.gz is not here",
            ),
            (Findings::default(), "it is not complete"),
        ] {
            let account = account(findings);
            assert!(!account.is_safe_to_publish && account.reasons_against.len() == 1);
            assert!(account.reasons_against[0].starts_with(expected), "{expected}");
        }
        let timing = Findings { absent: vec!["attempt-1.timing.csv".to_owned()], ..complete };
        assert!(account(timing).is_safe_to_publish, "no result is derived from clocks");
    }
}
