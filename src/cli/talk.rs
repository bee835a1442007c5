//! What is said on stderr and printed on stdout.
//!
//! Talk never ends a run: whoever listens may have gone. Words from outside are shown escaped. A
//! document goes out octet for octet; a page loses its weights where no terminal shows them.

use std::fmt::Display;
use std::io::Write;

use crate::report::{self, Printable};

/// Says a line.
pub(super) fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{}", Printable(&line.to_string()));
}

/// Prints a page of text for a person; returns whether it could be.
pub(super) fn print_page(page: &str) -> bool {
    print(&mut anstream::stdout(), page)
}

/// Prints a JSON document, what would steer a terminal as escapes; returns whether it could be.
pub(super) fn print_json(document: &str) -> bool {
    print_document(&report::escaped_json(document))
}

/// Prints a document, such as CSV, as it is; returns whether it could be.
pub(super) fn print_document(document: &str) -> bool {
    print(&mut std::io::stdout(), document)
}

/// Prints octets as they are; returns whether they could be.
pub(super) fn print_octets(octets: &[u8]) -> bool {
    let mut out = std::io::stdout();
    outcome(out.write_all(octets).and_then(|()| out.flush()))
}

/// Prints. A reader who has seen enough (`| head`) is no failure.
fn print(out: &mut impl Write, text: &str) -> bool {
    outcome(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Whether what was printed went out; says why it did not.
fn outcome(result: std::io::Result<()>) -> bool {
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            say(format_args!("error: standard output: {error}"));
            false
        }
        _ => true,
    }
}
