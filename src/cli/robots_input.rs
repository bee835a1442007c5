//! Where a robots.txt for `scanner robots` comes from: a file, standard input, a URL.

use std::io::Read as _;
use std::path::Path;

use url::Url;

use super::internet;
use crate::audit::robots_url;
use crate::files;
use crate::limits::ROBOTS_FILE_OCTETS;
use crate::observation::{Exchange, Outcome};
use crate::refusal::Refusal;
use crate::run::RunError;

/// A document, and what to call it.
pub(super) struct Input {
    /// Where it came from.
    pub(super) source: String,
    /// Its octets.
    pub(super) octets: Vec<u8>,
    /// Whether they are all of it.
    pub(super) is_whole: bool,
    /// The origin that was asked for it, if one was.
    pub(super) origin: Option<Origin>,
}

/// Scheme, host and port (RFC 6454): what a robots.txt binds.
pub(super) struct Origin(Url);

impl Origin {
    /// Whether a URL is of another origin. A path is of any, and so is what is no URL.
    pub(super) fn is_other(&self, url: &str) -> bool {
        if matches!(url.as_bytes(), [] | [b'/' | b'?' | b'#', ..]) {
            return false;
        }
        // What begins with neither a path nor a scheme is read as an authority.
        let written = Url::parse(url).ok().filter(Url::has_host);
        let other = written.or_else(|| Url::parse(&format!("{}://{url}", self.0.scheme())).ok());
        other.is_some_and(|other| other.origin() != self.0.origin())
    }
}

impl Input {
    /// Reads what the command line names.
    pub(super) fn read(named: &str, world: Option<&Path>) -> Result<Self, RunError> {
        match url_of(named)? {
            Some(url) => fetched(url, world),
            None if world.is_some() => {
                Err(RunError::Usage("--world is for a URL: a file needs no network".to_owned()))
            }
            None if named == "-" => from_stdin(),
            None => from_file(named),
        }
    }
}

/// The URL that is named, if what is named begins as one.
pub(super) fn url_named(named: &str) -> Result<Option<Url>, RunError> {
    let lower = named.to_ascii_lowercase();
    if !lower.starts_with("http://") && !lower.starts_with("https://") {
        return Ok(None);
    }
    let unusable = |why: String| RunError::Usage(format!("not a usable URL: {named}: {why}"));
    let url = Url::parse(named).map_err(|error| unusable(error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(unusable("it holds a user name".to_owned()));
    }
    Ok(Some(url))
}

/// The URL of the robots.txt to fetch, if a URL is named.
fn url_of(named: &str) -> Result<Option<Url>, RunError> {
    Ok(url_named(named)?.as_ref().map(robots_url))
}

/// Reads standard input.
pub(super) fn from_stdin() -> Result<Input, RunError> {
    let mut octets = Vec::new();
    std::io::stdin().take(ROBOTS_FILE_OCTETS + 1).read_to_end(&mut octets)?;
    let source = "standard input".to_owned();
    if octets.len() as u64 > ROBOTS_FILE_OCTETS {
        let reason = format!("longer than {ROBOTS_FILE_OCTETS} octets");
        return Err(
            Refusal::of(&source, &reason, "no crawler reads a robots.txt of this size").into()
        );
    }
    Ok(Input { source, octets, is_whole: true, origin: None })
}

/// Reads a file.
pub(super) fn from_file(named: &str) -> Result<Input, RunError> {
    let path = Path::new(named);
    let octets = files::read(path, ROBOTS_FILE_OCTETS).map_err(|error| {
        let hint = "name a file, - for standard input, or a URL that begins with https://";
        files::unreadable(path, &error, hint)
    })?;
    Ok(Input { source: named.to_owned(), octets, is_whole: true, origin: None })
}

/// Fetches a robots.txt.
fn fetched(url: Url, world: Option<&Path>) -> Result<Input, RunError> {
    let exchange = internet::online(ask(url.clone(), world))?;
    judged(exchange, Origin(url))
}

/// Asks for a URL, on the real internet or on a fixture one.
async fn ask(url: Url, world: Option<&Path>) -> Result<Exchange, RunError> {
    let internet = internet::open(world, "robots.txt check").await?;
    // One octet more than is read, so that the engine can see that a document goes on.
    let body_limit = internet.limits.robots_octets + 1;
    Ok(internet.fetcher.session_at(&url).ask_url(url, body_limit).await?.exchange)
}

/// What was answered, if it is a robots.txt or the statement that there is none. Its rules bind the
/// origin that was asked, wherever it was redirected (RFC 9309, 2.3.1.2).
fn judged(exchange: Exchange, origin: Origin) -> Result<Input, RunError> {
    let failed = |why: String| {
        Err(RunError::Failed(std::io::Error::other(format!("{}: {why}", exchange.final_url))))
    };
    let by_way_of = if exchange.final_url == exchange.url {
        exchange.url.clone()
    } else {
        format!("{} (redirected from {})", exchange.final_url, exchange.url)
    };
    match &exchange.outcome {
        Outcome::Answered(answer) if (200..300).contains(&answer.status) => Ok(Input {
            source: by_way_of,
            octets: answer.body.clone(),
            is_whole: !answer.truncated,
            origin: Some(origin),
        }),
        Outcome::Answered(answer) if matches!(answer.status, 404 | 410) => Ok(Input {
            source: format!("{by_way_of} (answered {}: no robots.txt)", answer.status),
            octets: Vec::new(),
            is_whole: true,
            origin: Some(origin),
        }),
        Outcome::Answered(answer) => failed(format!(
            "answered {}, so no robots.txt was read\nhint: crawlers differ on what that means; \
             save the file and name it instead",
            answer.status
        )),
        Outcome::Failed(failure) => failed(format!(
            "no answer: {} in {} ({})\nhint: check the name; save the file and name it instead",
            failure.mode, failure.operation, failure.cause
        )),
        _ => failed("it was not asked".to_owned()),
    }
}
