//! `scanner completions`: what a shell needs to complete the command line.

use clap::{Args, Command};
use clap_complete::Shell;

use super::printed;
use super::talk::print_document;

/// Shown below the options.
const AFTER_HELP: &str = "\
Examples:
  scanner completions bash > ~/.local/share/bash-completion/completions/scanner
  scanner completions zsh > \"${fpath[1]}/_scanner\"
  scanner completions fish > ~/.config/fish/completions/scanner.fish";

/// Prints a completion script for a shell.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Shell to write it for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script; returns the exit status.
pub(super) fn completions(arguments: &Arguments, mut command: Command) -> u8 {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    printed(print_document(&String::from_utf8_lossy(&script)))
}
