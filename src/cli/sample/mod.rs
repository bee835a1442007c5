//! `scanner sample`: named lists of domains, checked, frozen and drawn.

mod check;
mod draw;
mod freeze;

use std::io;
use std::path::Path;

use clap::Subcommand;

use super::talk::say;
use super::{DONE, failed};
use crate::digest::Digest;
use crate::files;
use crate::limits::SAMPLE_OCTETS;
use crate::refusal::Refusal;
use crate::run::{RunError, inputs};
use crate::sample::Sidecar;
use crate::stamp::is_day;

/// Checks, freezes and draws samples.
#[derive(Subcommand)]
pub(super) enum Command {
    Check(check::Arguments),
    Freeze(freeze::Arguments),
    Draw(draw::Arguments),
}

/// Does what is asked for; returns the exit status.
pub(super) fn sample(command: &Command) -> u8 {
    let done = match command {
        Command::Check(arguments) => check::check(arguments),
        Command::Freeze(arguments) => freeze::freeze(arguments).map(|()| DONE),
        Command::Draw(arguments) => draw::draw(arguments).map(|()| DONE),
    };
    done.unwrap_or_else(|error| failed(&error))
}

/// A list and its sidecar, to be written beside each other.
struct Pair<'a> {
    csv: &'a str,
    sidecar: &'a Sidecar,
    /// The list that may be replaced, where one is rewritten in place.
    replaced: Option<Digest>,
}

impl Pair<'_> {
    /// Writes both files, the list first: a sidecar that is there speaks of a list that is there.
    ///
    /// Other octets in their place are overwritten only by force.
    fn write(&self, out: &Path, is_forced: bool) -> Result<(), RunError> {
        let beside = out.with_extension("toml");
        if beside == out {
            return Err(RunError::Usage("--out names a list: its ending cannot be .toml".into()));
        }
        if !is_forced {
            self.refuse_another(out, &beside)?;
        }
        let toml = self.sidecar.to_toml().map_err(io::Error::other)?;
        files::write_whole(out, self.csv.as_bytes())?;
        files::write_whole(&beside, toml.as_bytes())?;
        say(format_args!(
            "{}: {} domains, sha256 {}; {} says where they come from",
            out.display(),
            self.sidecar.n,
            self.sidecar.sha256,
            beside.display()
        ));
        Ok(())
    }

    /// Refuses to write over another list, or over a sidecar that pins another one.
    fn refuse_another(&self, out: &Path, beside: &Path) -> Result<(), RunError> {
        let this = Digest::of(self.csv.as_bytes());
        if files::exists(out) {
            let digest = Digest::of(&files::read(out, SAMPLE_OCTETS)?);
            if digest != this && Some(digest) != self.replaced {
                return Err(in_its_place(out, "another list is in its place"));
            }
        }
        if files::exists(beside) {
            let text = inputs::text(beside, "a sidecar is TOML")?;
            let pinned = Sidecar::parse(&beside.to_string_lossy(), &text);
            let pinned = pinned.ok().and_then(|sidecar| Digest::from_hex(&sidecar.sha256));
            if pinned != Some(this) {
                return Err(in_its_place(beside, "the sidecar pins another list"));
            }
        }
        Ok(())
    }
}

/// The refusal to write over a file.
fn in_its_place(path: &Path, message: &str) -> RunError {
    let hint = "name another file with --out, or overwrite it with --force";
    Refusal::of(&path.to_string_lossy(), message, hint).into()
}

/// Reads a day as a person writes it.
fn parse_day(text: &str) -> Result<String, String> {
    let message = || "a day is one of the calendar, written as 2026-11-30".to_owned();
    is_day(text).then(|| text.to_owned()).ok_or_else(message)
}
