//! `scanner man`: the manual, one page a command, from the same words as `--help`.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use super::talk::say;
use super::{DONE, failed};
use crate::files;
use crate::report::Printable;
use crate::run::RunError;

/// Shown below the options.
const AFTER_HELP: &str = "\
Examples:
  scanner man ~/.local/share/man/man1
  man scanner-run";

/// Writes the manual into a folder, one page a command.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder for the pages; made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages; returns the exit status.
pub(super) fn man(arguments: &Arguments, mut command: Command) -> u8 {
    command.build();
    let written =
        files::make_folder(&arguments.folder).and_then(|()| pages(&command, &arguments.folder));
    match written {
        Ok(pages) => {
            let folder = arguments.folder.to_string_lossy();
            say(format_args!("written: {pages} pages in {}", Printable(&folder)));
            DONE
        }
        Err(error) => failed(&RunError::Failed(error)),
    }
}

/// Writes the page of a command and of those below it; returns how many there are.
fn pages(command: &Command, folder: &Path) -> io::Result<usize> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    files::write_whole(&folder.join(page.get_filename()), &text)?;
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    below.map(|below| pages(below, folder)).sum::<io::Result<usize>>().map(|below| 1 + below)
}
