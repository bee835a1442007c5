//! `scanner logs`: who really came, under which rules, and whether they kept them.

mod audit;
mod explain;
mod options;
mod output;
mod prepared;
mod sniff;

use clap::Subcommand;

/// Audits server logs: who really came, under which rules, and did they keep them.
#[derive(Subcommand)]
pub(super) enum Command {
    Audit(Box<audit::Arguments>),
    Sniff(sniff::Arguments),
    Explain(Box<explain::Arguments>),
}

/// Does what is asked for; returns the exit status.
pub(super) fn logs(command: &Command) -> u8 {
    match command {
        Command::Audit(arguments) => audit::audit(arguments),
        Command::Sniff(arguments) => sniff::sniff(arguments),
        Command::Explain(arguments) => explain::explain(arguments),
    }
}
