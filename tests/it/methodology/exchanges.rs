//! Examples of answers: `answer` (the access layer), `llms` (the guidance layer), `merge`.
//!
//! An answer is written `STATUS [field: value] at PATH "body"`, all but the status optional, or
//! `fails MODE`, `not captured`, `not attempted`. In a body, a JSON string, `@` is the path asked
//! for. A control that differs from 404 follows as `; control …`.

use scanner::classify::classify;
use scanner::library::Library;
use scanner::merge::{self, Merge};
use scanner::observation::{
    Answer as HttpAnswer, Exchange, Failure, Field, Hop, Observation, Operation, Outcome,
    TransportMode,
};
use scanner::record::{Asked, Cell as _, DomainRow, RobotsState, rows};
use scanner::sample::Sample;
use scanner::words::Word as _;

use super::{Answer, Line, each};

/// `404 = policy absent`: layer, state unless `failed`, mode if any.
pub(super) fn answer(library: &Library, lines: &[Line]) -> Vec<Answer> {
    each(lines, |given| {
        let (robots, control) = with_control(given);
        let row = row(library, 1, Given { robots, control, llms: "404" })?;
        let mut words = vec![row.layer.word()];
        words.extend((row.robots_state != RobotsState::Failed).then(|| row.robots_state.word()));
        words.extend(row.failure_mode.map(|mode| mode.word()));
        Ok(words.join(" "))
    })
}

/// `404 = absent not_found`: state, reason, likeness, failed tests.
pub(super) fn llms(library: &Library, lines: &[Line]) -> Vec<Answer> {
    each(lines, |given| {
        let (llms, control) = with_control(given);
        let row = row(library, 1, Given { robots: "404", control, llms })?;
        let mut words = vec![row.llms_state.word().to_owned()];
        words.extend(row.llms_reason);
        words.extend(row.llms_likeness);
        words.extend(row.llms_failed_tests.0);
        Ok(words.join(" "))
    })
}

/// `timeout;ok = recovered 2`: one mode or `ok` an attempt; resolution, attempt of the row.
pub(super) fn merge(library: &Library, lines: &[Line]) -> Vec<Answer> {
    each(lines, |history| {
        let sample = sample();
        let attempts = history.split(';').zip(1..).map(|(word, attempt)| {
            let robots = robots_that_ends_in(word);
            let row = row(library, attempt, Given { robots: &robots, control: "404", llms: "404" });
            row.map(|row| Box::new(std::iter::once(Ok(row))) as merge::Rows<'_, DomainRow>)
        });
        let attempts = attempts.collect::<Result<Vec<_>, _>>()?;
        let mut merged = Merge::new(&sample, attempts);
        let merged = merged.next().ok_or("no row")?.map_err(|error| error.to_string())?;
        let told = merged.merged.failure_history.to_cell();
        if told != history {
            return Ok(format!("told as {told}"));
        }
        Ok(format!("{} {}", merged.merged.resolution, merged.row.attempt))
    })
}

/// The robots.txt exchange that leaves a word in the history.
fn robots_that_ends_in(word: &str) -> String {
    match word {
        "ok" => "200 \"User-agent: *\"".to_owned(),
        "http_4xx" => "451".to_owned(),
        "http_5xx" => "503".to_owned(),
        _ => match word.strip_prefix("http_") {
            Some(status) => status.to_owned(),
            None => format!("fails {word}"),
        },
    }
}

/// Three exchanges, as written.
struct Given<'a> {
    robots: &'a str,
    control: &'a str,
    llms: &'a str,
}

/// What is given of the file and of its control.
fn with_control(given: &str) -> (&str, &str) {
    given.split_once("; control ").unwrap_or((given, "404"))
}

/// The row of a domain that answers so.
fn row(library: &Library, attempt: u32, given: Given<'_>) -> Result<DomainRow, String> {
    let sample = sample();
    let entry = &sample.entries[0];
    let observation = Observation {
        domain: entry.domain.clone(),
        robots: exchange("/robots.txt", given.robots)?,
        homepage: exchange("/", "404")?,
        control: exchange("/0625d2bcc659cf03c4aaed3df10881d5.txt", given.control)?,
        llms: exchange("/llms.txt", given.llms)?,
    };
    let classification = classify(&observation, library);
    let asked = Asked { attempt, place: 1 };
    Ok(rows(entry, asked, &observation, &classification, library).domain)
}

fn sample() -> Sample {
    Sample::parse("example.csv", b"domain\nexample.test\n", None).expect("a sample")
}

/// Reads an exchange.
fn exchange(path: &str, written: &str) -> Result<Exchange, String> {
    let url = url(path);
    let unasked = |outcome| Ok(Exchange::unasked(url.clone(), outcome));
    match written {
        "not captured" => return unasked(Outcome::NotCaptured),
        "not attempted" => return unasked(Outcome::NotAttempted),
        _ => {}
    }
    if let Some(mode) = written.strip_prefix("fails ") {
        let mode = TransportMode::from_word(mode).ok_or("a mode of the transport")?;
        let cause = "example".to_owned();
        let failure = Failure { mode, operation: Operation::Request, cause, answered: false };
        return unasked(Outcome::Failed(failure));
    }
    let mut rest = written;
    let status = until(&mut rest, ' ').parse().map_err(|_| "a status comes first")?;
    let mut fields = Vec::new();
    if let Some(after) = rest.strip_prefix('[') {
        rest = after;
        let (name, value) = until(&mut rest, ']').split_once(": ").ok_or("[name: value]")?;
        fields.push(Field { name: name.to_owned(), value: value.as_bytes().to_vec() });
        rest = rest.trim_start();
    }
    let (mut final_url, mut hops) = (url.clone(), Vec::new());
    if let Some(after) = rest.strip_prefix("at ") {
        rest = after;
        final_url = self::url(until(&mut rest, ' '));
        let location = final_url.clone();
        hops.push(Hop { url: url.clone(), status: 302, location, fields: Vec::new() });
    }
    let body: String = match rest {
        "" => String::new(),
        quoted => serde_json::from_str(quoted).map_err(|error| format!("a body: {error}"))?,
    };
    let body = body.replace('@', path).into_bytes();
    let answer = HttpAnswer { status, fields, raw_body: body.clone(), body, truncated: false };
    Ok(Exchange { url, hops, final_url, outcome: Outcome::Answered(answer) })
}

fn url(path: &str) -> String {
    format!("https://example.test{path}")
}

/// Takes what stands before a mark, or all of it, and the mark.
fn until<'a>(rest: &mut &'a str, mark: char) -> &'a str {
    let (head, tail) = rest.split_once(mark).unwrap_or((rest, ""));
    *rest = tail;
    head
}
