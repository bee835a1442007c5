//! `scanner crawlers`: the crawler registry, read out.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use super::crawlers_refresh::{Refresh, refresh};
use super::talk::{print_json, print_page, say};
use super::{USAGE, failed, printed};
use crate::library::Library;
use crate::registry::{Operator, Placement, Purpose, Registry};
use crate::report::{Readout, Wanted};
use crate::run::RunError;
use crate::words::{Word as _, nearest};

/// The word for crawlers that no source places.
const UNPLACED: &str = "unplaced";

/// Shown below the options of `list`.
const AFTER_LIST: &str = "\
The column `frozen` is the group of the study's own list, which the registry never feeds; `-` is \
no seat in it. `verified by` is what the operator publishes: address ranges, reverse DNS, or \
nothing (`none`); `network` is its whole network, which proves less.

Examples:
  scanner crawlers list --purpose training
  scanner crawlers list --operator openai --json
  scanner crawlers list --agents --purpose unplaced";

/// Shown below the options of `show`.
const AFTER_SHOW: &str = "\
Address ranges stand with the days on which their list first had and first lacked them. Outside \
the days on which a list was seen it proves nothing.

Examples:
  scanner crawlers show GPTBot
  scanner crawlers show Google-Extended --json";

/// Shows what is known of crawlers: purposes, operators, verification, addresses.
#[derive(Subcommand)]
pub(super) enum Command {
    List(List),
    Show(Show),
    Refresh(Refresh),
}

/// Lists the crawlers of the registry by purpose.
///
/// What no source places is counted on stderr and listed by --purpose unplaced.
#[derive(Args)]
#[command(after_help = AFTER_LIST)]
pub(super) struct List {
    /// Only crawlers of this purpose
    #[arg(long, value_name = "PURPOSE", value_parser = purposes())]
    purpose: Option<String>,

    /// Only crawlers of this operator: its name, or its id as the table gives it
    #[arg(long, value_name = "OPERATOR", conflicts_with = "agents")]
    operator: Option<String>,

    /// List the wider list of agents instead, which knows no operators
    #[arg(long)]
    agents: bool,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Shows everything known of one crawler.
#[derive(Args)]
#[command(after_help = AFTER_SHOW)]
pub(super) struct Show {
    /// Product token, without regard to case, or a name in the wider list of agents
    #[arg(value_name = "TOKEN")]
    token: String,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Prints what is asked for; returns the exit status.
pub(super) fn crawlers(command: &Command) -> u8 {
    let (registry, library) = match (Registry::embedded(), Library::embedded()) {
        (Ok(registry), Ok(library)) => (registry, library),
        (Err(refusal), _) | (_, Err(refusal)) => return failed(&RunError::Refused(refusal)),
    };
    let readout = Readout { registry: &registry, seats: &library.crawlers };
    let (text, is_json) = match command {
        Command::Refresh(arguments) => return refresh(arguments),
        Command::List(arguments) => (list(arguments, readout), arguments.json),
        Command::Show(arguments) => (show(arguments, readout), arguments.json),
    };
    match text {
        Ok(Ok(text)) if is_json => printed(print_json(&text)),
        Ok(Ok(text)) => printed(print_page(&text)),
        Ok(Err(error)) => failed(&RunError::Failed(error.into())),
        Err(unknown) => unknown.say(),
    }
}

/// A document to print; the outer `Err` is a name that is not known.
type Printed = Result<serde_json::Result<String>, Unknown>;

/// What `list` prints.
fn list(arguments: &List, readout: Readout<'_>) -> Printed {
    let operator = match &arguments.operator {
        Some(name) => Some(operator_of(readout.registry, name)?),
        None => None,
    };
    let wanted = Wanted { purpose: arguments.purpose.as_deref().map(Purpose::from_word), operator };
    let text = match (arguments.agents, arguments.json) {
        (false, false) => Ok(readout.list(&wanted)),
        (false, true) => readout.list_json(&wanted),
        (true, false) => Ok(readout.list_agents(&wanted)),
        (true, true) => readout.list_agents_json(&wanted),
    };
    let unplaced = readout.unplaced(&wanted);
    if !arguments.agents && !arguments.json && wanted.purpose.is_none() && unplaced > 0 {
        say(format_args!("{unplaced} more that no source places: --purpose {UNPLACED}"));
    }
    Ok(text)
}

/// What `show` prints.
fn show(arguments: &Show, readout: Readout<'_>) -> Printed {
    let registry = readout.registry;
    Ok(match (registry.place(&arguments.token), arguments.json) {
        (Placement::Crawler(crawler), false) => Ok(readout.show(crawler)),
        (Placement::Crawler(crawler), true) => readout.show_json(crawler),
        (Placement::Agents(agents), false) => Ok(readout.show_agents(&agents)),
        (Placement::Agents(agents), true) => readout.show_agents_json(&agents),
        (Placement::Unknown, _) => {
            let tokens = registry.crawlers.iter().map(|crawler| crawler.token.as_str());
            let names = registry.agents.iter().filter_map(|agent| agent.name.as_deref());
            return Err(Unknown::new("crawler", &arguments.token, tokens.chain(names)));
        }
    })
}

/// The operator of a name or an id, without regard to case.
fn operator_of<'a>(registry: &'a Registry, name: &str) -> Result<&'a Operator, Unknown> {
    let is_it = |operator: &&Operator| {
        operator.id.eq_ignore_ascii_case(name) || operator.name.eq_ignore_ascii_case(name)
    };
    registry.operators.iter().find(is_it).ok_or_else(|| {
        let names = registry.operators.iter().map(|operator| operator.name.as_str());
        Unknown::new("operator", name, names)
    })
}

/// A name that is not known.
struct Unknown {
    what: &'static str,
    name: String,
    meant: Option<String>,
}

impl Unknown {
    /// The name, and the one that may have been meant.
    fn new<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        Self { what, name: name.to_owned(), meant: nearest(name, known).map(str::to_owned) }
    }

    /// Says so; returns the exit status.
    fn say(&self) -> u8 {
        say(format_args!("error: unknown {}: {:?}", self.what, self.name));
        match &self.meant {
            Some(meant) => say(format_args!("hint: did you mean {meant:?}?")),
            None => say("hint: scanner crawlers list names them"),
        }
        USAGE
    }
}

/// The purposes that can be asked for.
fn purposes() -> PossibleValuesParser {
    PossibleValuesParser::new(Purpose::ALL.iter().map(|purpose| purpose.word()).chain([UNPLACED]))
}
