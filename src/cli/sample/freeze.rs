//! `scanner sample freeze`: a list in canonical form, pinned by its sidecar.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{Pair, parse_day};
use crate::clock;
use crate::digest::Digest;
use crate::files;
use crate::refusal::Refusal;
use crate::run::RunError;
use crate::run::inputs::{self, SampleFiles};
use crate::sample::{Sample, Sidecar, Stratum, canonical, sizes};

/// Shown below the options.
const AFTER_HELP: &str = "\
The canonical form is UTF-8 with the columns domain,stratum, one line feed a row, names in lower \
case with A-labels and no trailing dot, in the order of the file. What the sidecar of the same \
list says already (day, sources, strata, draw, weaknesses) is kept.

Example: scanner sample freeze shops.csv --out samples/shops-2026.csv \\
    --source 'the chamber of commerce, list of 2026-11-02' \\
    --rule 'every member with a website'";

/// Writes a list in canonical form and the sidecar that pins it.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Arguments {
    /// Sample to freeze
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Where the names come from
    #[arg(long, value_name = "TEXT")]
    source: String,

    /// By which rule they were chosen
    #[arg(long, value_name = "TEXT")]
    rule: String,

    /// Licence of the source
    #[arg(long, value_name = "TEXT")]
    licence: Option<String>,

    /// What a reader should know against the list; may be repeated
    #[arg(long = "weakness", value_name = "TEXT")]
    weaknesses: Vec<String>,

    /// Day on which they were drawn [default: as the known sidecar says, else today, in UTC]
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    drawn_on: Option<String>,

    /// File to write; FILE itself freezes it in place [default: FILE, if it is canonical]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Overwrite another list, or the sidecar of another list
    #[arg(long)]
    force: bool,
}

/// Freezes.
pub(super) fn freeze(arguments: &Arguments) -> Result<(), RunError> {
    let found = SampleFiles::read(&arguments.file)?;
    let file = found.path.to_string_lossy();
    // What an older sidecar says of the list is not held against it here: it is about to be replaced.
    let sample = Sample::parse(&file, &found.octets, None)?;
    let csv = canonical(&sample.entries);
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None if csv.as_bytes() == found.octets => found.path.clone(),
        None => {
            let message = "the file is not in canonical form";
            let hint = "--out names the file to write; FILE itself is rewritten in place";
            return Err(Refusal::of(&file, message, hint).into());
        }
    };
    let digests = [Digest::of(csv.as_bytes()), sample.digest];
    let known = match known(&out.with_extension("toml"), &digests)? {
        Some(known) => Some(known),
        None => known(&found.sidecar_path, &digests)?,
    };
    let sidecar = arguments.sidecar(&sample, &csv, known);
    let replaced = (out == found.path).then_some(sample.digest);
    Pair { csv: &csv, sidecar: &sidecar, replaced }.write(&out, arguments.force)
}

/// A sidecar, if it is there and pins one of these digests.
fn known(path: &Path, digests: &[Digest]) -> Result<Option<Sidecar>, RunError> {
    if !files::exists(path) {
        return Ok(None);
    }
    let text = inputs::text(path, "a sidecar is TOML")?;
    let sidecar = Sidecar::parse(&path.to_string_lossy(), &text).ok();
    let pins = |sidecar: &Sidecar| {
        Digest::from_hex(&sidecar.sha256).is_some_and(|pinned| digests.contains(&pinned))
    };
    Ok(sidecar.filter(pins))
}

impl Arguments {
    /// The sidecar: what is given, the figures of the list, and what was known of it.
    fn sidecar(&self, sample: &Sample, csv: &str, known: Option<Sidecar>) -> Sidecar {
        let population = |name: &str| {
            let strata = known.iter().flat_map(|known| &known.strata);
            strata.filter(|stratum| stratum.name == name).find_map(|stratum| stratum.population)
        };
        let strata = sizes(&sample.entries).into_iter();
        let strata = strata.map(|(name, n)| Stratum { population: population(&name), name, n });
        let strata: Vec<Stratum> = strata.collect();
        let known_weaknesses = known.as_ref().map(|known| known.weaknesses.clone());
        let known_day = known.as_ref().map(|known| known.drawn_on.clone());
        let drawn_on = self.drawn_on.clone().or(known_day).unwrap_or_else(clock::utc_today);
        Sidecar {
            source: self.source.clone(),
            drawn_on,
            rule: self.rule.clone(),
            n: sample.entries.len(),
            sha256: Digest::of(csv.as_bytes()).to_string(),
            licence: self.licence.clone().or(known.as_ref().and_then(|it| it.licence.clone())),
            weaknesses: match self.weaknesses.is_empty() {
                true => known_weaknesses.unwrap_or_default(),
                false => self.weaknesses.clone(),
            },
            draw: known.as_ref().and_then(|known| known.draw.clone()),
            strata,
            sources: known.map(|known| known.sources).unwrap_or_default(),
        }
    }
}
