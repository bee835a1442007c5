//! `scanner explain`: what a word in a result means.

use clap::Args;

use super::talk::{print_document, print_json, say};
use super::{FAILED, REFUSED, printed};
use crate::glossary;
use crate::report;

/// Shown below the options.
const AFTER_HELP: &str = "\
Words of the files (classes, states, failure modes), columns, findings, and the terms of the method;
METHODOLOGY.md is the specification behind them. A pattern rule is explained by
`scanner library show RULE`, a crawler by `scanner crawlers show TOKEN`.

Examples:
  scanner explain meaningful
  scanner explain redirect_loop
  scanner explain class_wildcard
  scanner explain                 every term";

/// Explains a word of the results or a term of the method.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Word to explain; all of them when left out
    #[arg(value_name = "TERM")]
    term: Vec<String>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Explains; returns the exit status.
pub(super) fn explain(arguments: &Arguments) -> u8 {
    let term = arguments.term.join(" ");
    let found = match term.is_empty() {
        true => glossary::entries(),
        false => match glossary::find(&term) {
            Ok(found) => found,
            Err(nearest) => {
                say(format_args!("error: no word of the instrument is {term:?}"));
                let hint = nearest.map_or_else(
                    || "`scanner explain` lists all of them".to_owned(),
                    |near| format!("did you mean {near:?}?"),
                );
                say(format_args!("hint: {hint}"));
                return REFUSED;
            }
        },
    };
    if !arguments.json {
        return printed(print_document(&report::glossary(&found)));
    }
    match report::glossary_json(&found) {
        Ok(document) => printed(print_json(&document)),
        Err(error) => {
            say(format_args!("error: {error}"));
            FAILED
        }
    }
}
