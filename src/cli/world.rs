//! `scanner world`: what a fixture internet is made of; serving it is for `world_serve`.

use std::path::PathBuf;

use clap::Subcommand;

use super::talk::print_document;
use super::{failed, printed, world_serve};
use crate::refusal::Refusal;
use crate::world::Model;

/// Shows what a fixture internet is made of.
#[derive(Subcommand)]
pub(super) enum Command {
    /// Print the sample that a model generates, as CSV
    ///
    /// Example: scanner world sample fixtures/worlds/demo-808.toml > demo-808.csv
    Sample(Arguments),
    /// Print what a run over a model must find, as CSV: stated by hand, never by the classifier
    ///
    /// Compare it with the columns of the same names in merged.csv.
    Truth(Arguments),
    /// Serve a world for other tools until interrupted: its ports and certificate, and lines to try
    Serve(super::world_serve::Arguments),
}

/// Which model, and how large.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Model: a TOML file of shares per stratum
    #[arg(value_name = "WORLD")]
    world: PathBuf,

    /// Domains to generate [default: the model's own number]
    #[arg(long, value_name = "N")]
    n: Option<usize>,
}

/// Prints what is asked for; returns the exit status.
pub(super) fn world(command: &Command) -> u8 {
    let (arguments, print): (_, fn(&Model) -> String) = match command {
        Command::Sample(arguments) => (arguments, Model::sample_csv),
        Command::Truth(arguments) => (arguments, Model::truth_csv),
        Command::Serve(arguments) => return world_serve::serve(arguments),
    };
    let model = match open(arguments) {
        Ok(model) => model,
        Err(refusal) => return failed(&refusal.into()),
    };
    printed(print_document(&print(&model)))
}

/// Opens the model at the size asked for.
fn open(arguments: &Arguments) -> Result<Model, Refusal> {
    let model = Model::open(&arguments.world)?;
    Ok(match arguments.n {
        Some(n) => model.with_n(n),
        None => model,
    })
}
