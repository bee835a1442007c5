//! `scanner robots`: one robots.txt, what it holds and what it decides.

use std::path::PathBuf;

use clap::Args;

use super::robots_input::Input;
use super::talk::{print_json, print_page};
use super::{failed, printed};
use crate::library::Library;
use crate::report::{self, RobotsQuestion, UrlAsked};
use crate::robots::{Dialect, Readings};
use crate::run::RunError;
use crate::words::Word as _;

/// Shown below the options.
const AFTER_HELP: &str = "\
Without --url it shows the groups and what each rule does, the issues with the octets that \
are meant, the sitemaps, and which group governs each crawler of the library (or each --agent). \
With --url it decides, and with --agent it explains: the deciding line, why it won, and every \
dialect beside the others where they differ.

The dialects: c01 is RFC 9309 with Google's published leniency, as in a study; google gives \
the verdicts of Google's own library; strict is RFC 9309 without any leniency.

Examples:
  scanner robots robots.txt
  scanner robots https://example.com/ --agent GPTBot --url /news/today
  curl -s https://example.com/robots.txt | scanner robots - --url / --url /news/
  scanner robots https://whole-site.test/ --world fixtures/worlds/faults

A disallowed URL is an answer, not an error: the exit status is 0. It is 3 if the file cannot \
be read, 1 if the URL gives no robots.txt to judge, 7 if this machine has no DNS server. A 404 \
or 410 is read as an empty robots.txt. docs/robots.md says what each field of --json means.";

/// Explains one robots.txt: groups, rules, issues, decisions.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// File, - for standard input, or a URL whose host's /robots.txt is fetched
    #[arg(value_name = "FILE|-|URL")]
    input: String,

    /// Product token to ask for, such as GPTBot; * is a crawler that nobody names
    ///
    /// May be given several times. [default: the crawlers of the library]
    #[arg(long = "agent", value_name = "TOKEN")]
    agents: Vec<String>,

    /// URL or path to decide about; may be given several times
    #[arg(long = "url", value_name = "URL")]
    urls: Vec<String>,

    /// How the document is read: c01, google or strict
    #[arg(long, value_name = "DIALECT", default_value = "c01", value_parser = dialect)]
    dialect: Dialect,

    /// Fetch from a fixture internet on loopback instead of the real one
    #[arg(long, value_name = "WORLD")]
    world: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Reads a dialect's word.
fn dialect(word: &str) -> Result<Dialect, String> {
    Dialect::from_word(word).ok_or_else(|| {
        let words: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.word()).collect();
        format!("the dialects are {}", words.join(", "))
    })
}

/// Explains; returns the exit status.
pub(super) fn robots(arguments: &Arguments) -> u8 {
    match question(arguments) {
        Ok(question) if arguments.json => match report::robots_json(&question) {
            Ok(json) => printed(print_json(&json)),
            Err(error) => failed(&RunError::Failed(error.into())),
        },
        Ok(question) => printed(print_page(&report::robots(&question))),
        Err(error) => failed(&error),
    }
}

/// What is asked, its document read.
fn question(arguments: &Arguments) -> Result<RobotsQuestion, RunError> {
    if arguments.agents.iter().any(|token| token.is_empty()) {
        return Err(RunError::Usage("--agent is empty: name a product token".to_owned()));
    }
    let input = Input::read(&arguments.input, arguments.world.as_deref())?;
    let are_tokens_named = !arguments.agents.is_empty();
    let tokens = if are_tokens_named {
        arguments.agents.clone()
    } else {
        let library = Library::embedded()?;
        let crawlers = library.crawlers.into_iter().map(|crawler| crawler.token);
        crawlers.chain(["*".to_owned()]).collect()
    };
    let asked = |url: &String| UrlAsked {
        url: url.clone(),
        is_of_other_origin: input.origin.as_ref().is_some_and(|origin| origin.is_other(url)),
    };
    let urls = arguments.urls.iter().map(asked).collect();
    Ok(RobotsQuestion {
        source: input.source,
        readings: Readings::new(&input.octets),
        dialect: arguments.dialect,
        tokens,
        are_tokens_named,
        urls,
        is_whole: input.is_whole,
    })
}
