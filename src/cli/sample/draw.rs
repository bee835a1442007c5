//! `scanner sample draw`: a sample from a frame, by a rule that anyone can repeat.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::{Pair, parse_day};
use crate::cli::talk::say;
use crate::clock;
use crate::digest::Digest;
use crate::draw::{self, About, Condition, Frame, Keys, Shares};
use crate::files;
use crate::limits::SAMPLE_OCTETS;
use crate::refusal::Refusal;
use crate::run::RunError;
use crate::run::inputs::text;
use crate::sample::canonical;
use crate::seed::Seed;

/// Shown below the options.
const AFTER_HELP: &str = "\
Each eligible domain has a key, derived from the seed and its name alone, and each stratum gives \
those with the smallest keys: the order of the rows plays no part, and nobody is drawn twice. \
METHODOLOGY.md, 9 derives the keys octet by octet. With --strata and --n each stratum gives the \
same number, and what a short one lacks is shared among the others.

A TOML file of the frame's name beside it (or --about) may hold source, licence, weaknesses and \
sources (name, url, commit, date, path, licence); they go into the sidecar. It may be the sidecar \
of a frozen sample, which is a frame like any other.

Examples:
  scanner sample draw frame.csv --n 500 --seed 1 --out shops-500.csv
  scanner sample draw frame.csv --n 808 --seed 1 --strata sector \\
      --where country=us --where flags!=closed --out shops-808.csv";

/// What a description of a frame is.
const ABOUT_HINT: &str = "it is TOML: source, licence, weaknesses, sources";

/// Draws a stratified sample from a frame.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[command(group = ArgGroup::new("size").required(true).args(["n", "per_stratum"]))]
#[command(group = ArgGroup::new("keys").required(true).args(["seed", "salt"]))]
pub(in crate::cli) struct Arguments {
    /// Frame: a CSV with a column `domain`
    #[arg(value_name = "FRAME")]
    frame: PathBuf,

    /// Domains to draw
    #[arg(long, value_name = "N")]
    n: Option<usize>,

    /// Seed of the draw
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,

    /// Draw by the SHA-256 of this text and the domain after it, instead of by a seed
    #[arg(long, value_name = "TEXT")]
    salt: Option<String>,

    /// Column that gives the strata
    #[arg(long, value_name = "COLUMN")]
    strata: Option<String>,

    /// Domains to draw of each stratum; all of one that has fewer
    #[arg(long, value_name = "N", requires = "strata")]
    per_stratum: Option<usize>,

    /// Share the number by the strata's sizes, instead of equally
    #[arg(long, requires = "strata", conflicts_with = "per_stratum")]
    proportional: bool,

    /// Condition on a row, COLUMN=VALUE or COLUMN!=VALUE; all must hold
    ///
    /// A cell may hold several values between semicolons: `=` asks for one of them, `!=` for none.
    #[arg(long = "where", value_name = "CONDITION", value_parser = Condition::parse)]
    conditions: Vec<Condition>,

    /// What the frame is made of [default: the TOML file beside the frame, if there is one]
    #[arg(long, value_name = "FILE")]
    about: Option<PathBuf>,

    /// What a reader should know against this sample; may be repeated
    #[arg(long = "weakness", value_name = "TEXT")]
    weaknesses: Vec<String>,

    /// Day of the draw, for the sidecar [default: today, in UTC]
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    drawn_on: Option<String>,

    /// File to write, its sidecar beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Overwrite another list, or the sidecar of another list
    #[arg(long)]
    force: bool,
}

/// Draws.
pub(super) fn draw(arguments: &Arguments) -> Result<(), RunError> {
    let path = &arguments.frame;
    let octets = files::read(path, SAMPLE_OCTETS)
        .map_err(|error| files::unreadable(path, &error, "a frame is a CSV file"))?;
    let file = path.to_string_lossy();
    let strata = arguments.strata.as_deref();
    let frame = Frame::read(&file, &octets, strata, arguments.conditions.clone())?;
    let (keys, shares) = (arguments.keys()?, arguments.shares()?);
    let mut about = arguments.about(frame.digest)?;
    about.weaknesses.extend(arguments.weaknesses.iter().cloned());
    let drawn = draw::draw(&frame, &keys, shares)?;
    if let Shares::Each(n) = shares {
        for short in drawn.strata.iter().filter(|stratum| stratum.n < n) {
            say(format_args!("! stratum {:?} gives all it has: {}", short.name, short.n));
        }
    }
    let day = arguments.drawn_on.clone().unwrap_or_else(clock::utc_today);
    let sidecar = draw::sidecar(&drawn, &frame, &keys, shares, about, &day);
    let csv = canonical(&drawn.entries);
    Pair { csv: &csv, sidecar: &sidecar, replaced: None }.write(&arguments.out, arguments.force)
}

impl Arguments {
    /// What gives each domain its key.
    fn keys(&self) -> Result<Keys, RunError> {
        match (self.seed, &self.salt) {
            (Some(seed), _) => Ok(Keys::Seed(Seed(seed))),
            (None, Some(salt)) => Ok(Keys::Salt(salt.clone())),
            (None, None) => Err(RunError::Usage("--seed or --salt is needed".to_owned())),
        }
    }

    /// How many are drawn of which stratum.
    fn shares(&self) -> Result<Shares, RunError> {
        let shares = match (self.n, self.per_stratum) {
            (_, Some(each)) => Shares::Each(each),
            (Some(n), None) if self.proportional => Shares::Proportional(n),
            (Some(n), None) => Shares::Equal(n),
            (None, None) => return Err(RunError::Usage("--n or --per-stratum is needed".into())),
        };
        match shares {
            Shares::Each(0) | Shares::Equal(0) | Shares::Proportional(0) => {
                Err(RunError::Usage("a sample has at least one domain".to_owned()))
            }
            _ => Ok(shares),
        }
    }

    /// What the frame is made of. A sidecar beside it must speak of these octets; what --about
    /// names may be that of the list from which the frame was taken.
    fn about(&self, frame: Digest) -> Result<About, RunError> {
        let beside = self.frame.with_extension("toml");
        let path = match &self.about {
            Some(path) => path,
            None if beside != self.frame && files::exists(&beside) => &beside,
            None => return Ok(About::default()),
        };
        let (file, text) = (path.to_string_lossy(), text(path, ABOUT_HINT)?);
        let about = About::parse(&file, &text)?;
        let speaks_of = |pinned: &String| Digest::from_hex(pinned) == Some(frame);
        if self.about.is_none() && !about.pins.as_ref().is_none_or(speaks_of) {
            let message = "the sidecar pins another list";
            let hint = "restore the frame or freeze it anew, or name what it is made of by --about";
            return Err(Refusal::of(&file, message, hint).into());
        }
        Ok(about)
    }
}
