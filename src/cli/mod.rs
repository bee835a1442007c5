//! argv → call; exit status.
//!
//! One file a subcommand. stdout is data, stderr is talk. The statuses are the same everywhere:
//! 0 done, 1 unexpected failure, 2 usage, 3 input refused, 4 findings, 5 incomplete, 7 network not
//! fit, and 130 or 143 after a signal.

mod audit;
mod audit_many;
mod cite;
mod compare;
mod completions;
mod courtesy;
mod crawlers;
mod crawlers_refresh;
mod doctor;
mod explain;
mod export;
mod forecast;
mod internet;
mod library;
mod log_progress;
mod logs;
mod man;
mod progress;
mod repeating;
mod replay;
mod report;
mod rerun;
mod resume;
mod robots;
mod robots_input;
mod run;
mod sample;
mod status;
mod talk;
mod verify;
mod world;
mod world_serve;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::run::RunError;

use talk::say;

/// Everything was done.
const DONE: u8 = 0;
/// Something of ours failed.
const FAILED: u8 = 1;
/// The command line is wrong.
const USAGE: u8 = 2;
/// An input was refused.
const REFUSED: u8 = 3;
/// A finding was asked about and found.
const FOUND: u8 = 4;
/// The run is incomplete.
const INCOMPLETE: u8 = 5;
/// The network is not fit to measure.
const UNFIT: u8 = 7;

/// What the program is, in its help.
const ABOUT: &str = "\
Measures which crawlers websites let in, from robots.txt and llms.txt, so that \
anyone can re-derive every number.";

/// Shown below the list of commands.
const AFTER_HELP: &str = "\
Try it on the fixture internet, which needs no network:
  scanner run --sample samples/demo-808.csv --seed 42 \\
      --world fixtures/worlds/demo-808.toml

Exit status:
  0 done · 1 unexpected failure · 2 usage · 3 input refused · 4 findings
  5 the run is incomplete, no merged results were written
  7 the network is not fit to measure · 130, 143 after a signal";

/// The command line.
#[derive(Parser)]
#[command(name = "scanner", version, about = ABOUT, after_help = AFTER_HELP, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// What can be done.
#[derive(Subcommand)]
enum Command {
    Run(run::Arguments),
    Resume(resume::Arguments),
    Status(status::Arguments),
    Replay(replay::Arguments),
    Verify(verify::Arguments),
    Rerun(rerun::Arguments),
    Report(report::Arguments),
    Compare(compare::Arguments),
    Export(export::Arguments),
    Cite(cite::Arguments),
    Explain(explain::Arguments),
    Robots(robots::Arguments),
    Audit(Box<audit::Arguments>),
    #[command(subcommand)]
    Sample(sample::Command),
    #[command(subcommand)]
    Crawlers(crawlers::Command),
    #[command(subcommand)]
    Library(library::Command),
    #[command(subcommand)]
    Logs(logs::Command),
    #[command(subcommand)]
    World(world::Command),
    Doctor(doctor::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Does what the command line says.
pub fn main() -> ExitCode {
    let status = match CommandLine::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Resume(arguments) => resume::resume(&arguments),
        Command::Status(arguments) => status::status(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Rerun(arguments) => rerun::rerun(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Cite(arguments) => cite::cite(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Robots(arguments) => robots::robots(&arguments),
        Command::Audit(arguments) => audit::audit(&arguments),
        Command::Crawlers(command) => crawlers::crawlers(&command),
        Command::Sample(command) => sample::sample(&command),
        Command::Library(command) => library::library(&command),
        Command::Logs(command) => logs::logs(&command),
        Command::World(command) => world::world(&command),
        Command::Doctor(arguments) => doctor::doctor(&arguments),
        Command::Completions(arguments) => {
            completions::completions(&arguments, CommandLine::command())
        }
        Command::Man(arguments) => man::man(&arguments, CommandLine::command()),
    };
    ExitCode::from(status)
}

/// The exit status of a command that has printed all it had to.
fn printed(was_printed: bool) -> u8 {
    if was_printed { DONE } else { FAILED }
}

/// Says why a command failed; returns its exit status.
fn failed(error: &RunError) -> u8 {
    say(format_args!("error: {error}"));
    match error {
        RunError::Usage(_) => USAGE,
        RunError::Refused(_) => REFUSED,
        RunError::Unfit(_) => UNFIT,
        RunError::Failed(_) => FAILED,
        RunError::Incomplete { signal, .. } => {
            signal.map_or(INCOMPLETE, |signal| signal.exit_status())
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::CommandLine;

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }
}
