//! What is said on stderr.
//!
//! Talk never ends a run: whoever listens may have gone. Words from outside are shown escaped.

use std::fmt::Display;
use std::io::Write as _;

use crate::report::Printable;

/// Says a line.
pub(super) fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{}", Printable(&line.to_string()));
}

/// Prints a document on stdout; returns whether it could be. A reader who has seen enough
/// (`| head`) is no failure.
pub(super) fn print(text: &str) -> bool {
    match anstream::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            say(format_args!("error: standard output: {error}"));
            false
        }
        _ => true,
    }
}
