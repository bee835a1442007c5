//! The account of a run, for a terminal: where it stands, what is left, whether it may be published.

use std::fmt::Write as _;

use super::Printable;
use super::heading::{bold, heading};
use crate::manifest::{Account, Interruption, State};
use crate::words::counted;

/// The whole account, with ANSI weights that the printer may strip.
pub fn status(account: &Account) -> String {
    let mut page = format!("{}\n", bold(&format!("{}: {}", account.run, account.state)));
    let mut line = |text: String| {
        let _ = writeln!(page, "  {}", Printable(&text));
    };
    line(format!(
        "{}, {} domains, seed {}, begun {}",
        account.sample, account.domains, account.seed, account.started_at
    ));
    whereabouts(account).into_iter().for_each(&mut line);
    heading("Attempts", &mut page);
    attempts(account, &mut page);
    heading("Safe to publish", &mut page);
    publication(account, &mut page);
    page
}

/// Who writes the run, or how it ended.
fn whereabouts(account: &Account) -> Vec<String> {
    let mut lines: Vec<String> = account.interruptions.iter().map(interruption).collect();
    let when = account.ended_at.as_deref();
    match (account.state, account.process) {
        (State::Complete, _) => lines.extend(when.map(|when| format!("ended {when}"))),
        (State::Running, Some(id)) => lines.push(format!("process {id} is writing it")),
        (State::Running, None) => lines.push("a process is writing it".to_owned()),
        (State::Interrupted, _) => {
            let why = account.stopped_by.as_deref().unwrap_or("its process ended without a word");
            let when = when.map(|when| format!(" at {when}")).unwrap_or_default();
            lines.push(format!("stopped{when}: {why}"));
            lines.push(format!("go on with it: scanner resume {}", account.run));
        }
    }
    lines
}

/// An earlier interruption in words.
fn interruption(interruption: &Interruption) -> String {
    let Interruption { stopped_by, resumed_at, attempts_closed, domains_kept, .. } = interruption;
    let closed = counted(*attempts_closed as usize, "closed attempt");
    let kept = counted(*domains_kept as usize, "domain");
    format!("resumed {resumed_at} with {closed} and {kept} of the next: {stopped_by}")
}

/// The attempts: those that are closed, the one in progress, those that may follow.
fn attempts(account: &Account, page: &mut String) {
    for closed in &account.attempts {
        let _ = writeln!(
            page,
            "  {}   {:>7} asked   {:>7} observed   {:>6} denied   {:>6} unscannable   closed",
            closed.attempt, closed.asked, closed.observed, closed.access_denied, closed.unscannable
        );
    }
    if let Some(current) = &account.current {
        let _ = writeln!(
            page,
            "  {}   {:>7} of {} asked, {} left",
            current.attempt, current.done, current.domains, current.left
        );
    }
    let then = match (account.state, account.attempts_left) {
        (State::Complete, _) => return,
        (_, 0) => "merging".to_owned(),
        (_, left) => format!("at most {} more, and merging", counted(left as usize, "attempt")),
    };
    let _ = writeln!(page, "  then {then}");
}

/// Whether the run may be published, and what speaks against it.
fn publication(account: &Account, page: &mut String) {
    let mut line = |text: &str| {
        let _ = writeln!(page, "  {}", Printable(text));
    };
    match account.is_safe_to_publish {
        true => line("yes"),
        false => line("no"),
    }
    account.reasons_against.iter().for_each(|reason| line(&format!("- {reason}")));
    if let Some(rows) = account.to_review.filter(|rows| *rows > 0) {
        let rows = counted(rows as usize, "row");
        line(&format!("a person should look at {rows} of review.csv first"));
    }
    if let Some(digest) = &account.results_sha256 {
        line(&format!("results_sha256 {digest}"));
    }
}
