//! `scanner crawlers refresh`: the pages that the registry names, asked anew, and what they hold that
//! it does not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::talk::{print_json, print_page};
use super::{failed, internet, printed};
use crate::clock;
use crate::files::{self, Appended, Held};
use crate::inquiry::Inquiry;
use crate::library::Library;
use crate::limits::REFRESH_OCTETS;
use crate::refresh::{Memory, Page, Visit, pages};
use crate::registry::{Registry, Stamp};
use crate::report::{self, RefreshReport};
use crate::run::RunError;
use crate::scan::PRODUCT_TOKEN;

/// Shown below the options.
const AFTER_HELP: &str = "\
Asked are the pages that the registry names: the addresses at which operators publish their \
crawlers' ranges, and their documentation. Each host is asked for its robots.txt first: what that \
closes to our token is not asked for, and its Crawl-delay is kept. A page that was read before is \
asked for under conditions, so that only what is new is sent; DIR/pages.json remembers. Those that \
were never asked for come first, then those that were not for longest, so that --limit goes round.

The registry itself is never changed, nor is the study's frozen list. What differs stands in DIR as \
candidates of the day, in the registry's own columns: ranges-DAY.csv (new rows, and old ones with \
their end), lists-DAY.csv (when each list was last seen), tokens-DAY.csv (names on a page that the \
registry does not know, and tokens that a page does not hold any more).

Examples:
  scanner crawlers refresh --out refresh --dry-run
  scanner crawlers refresh --out refresh --limit 20
  scanner crawlers refresh --out refresh --json

A page that cannot be had is told, and is no error. Exit status: 0 done; 3 DIR holds something else; \
7 this machine has no DNS server.";

/// Looks for what operators publish that the registry does not hold yet.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Refresh {
    /// Folder for candidates, and for what is remembered of each page
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Say which pages would be asked, and ask nothing
    #[arg(long, conflicts_with = "json")]
    dry_run: bool,

    /// Ask for at most so many pages
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Ask a fixture internet on loopback instead of the real one
    #[arg(long, value_name = "WORLD")]
    world: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The file in which a folder remembers pages.
const MEMORY: &str = "pages.json";

/// The pause between two requests of one host that asks for none, on the open internet.
const PAUSE: Duration = Duration::from_secs(1);

/// Refreshes; returns the exit status.
pub(super) fn refresh(arguments: &Refresh) -> u8 {
    match refreshed(arguments) {
        Ok(status) => status,
        Err(error) => failed(&error),
    }
}

/// Refreshes what is asked for.
fn refreshed(arguments: &Refresh) -> Result<u8, RunError> {
    let registry = Registry::embedded()?;
    if arguments.dry_run {
        let memory = remembered(&arguments.out)?;
        let (asked, pages_named) = chosen(&registry, &memory, arguments.limit);
        return Ok(printed(print_page(&report::refresh_plan(&asked, pages_named, &memory))));
    }
    files::make_folder(&arguments.out)?;
    let lock = arguments.out.join("lock");
    let Some(held) = Held::take(&lock, "a refresh")? else {
        let message = format!("{}: another refresh is at work there", arguments.out.display());
        return Err(RunError::Usage(message));
    };
    let mut memory = remembered(&arguments.out)?;
    let (asked, pages_named) = chosen(&registry, &memory, arguments.limit);
    let day = clock::utc_today();
    let mut round =
        Round { registry: &registry, out: &arguments.out, day: &day, files: Vec::new() };
    let visits = round.made(&asked, &mut memory, arguments.world.as_deref())?;
    held.remove()?;
    let Round { files, .. } = round;
    let report = RefreshReport { visits: &visits, pages_named, day: &day, files: &files };
    Ok(printed(match arguments.json {
        true => {
            let json = report::refresh_json(&report);
            print_json(&json.map_err(|error| RunError::Failed(error.into()))?)
        }
        false => print_page(&report::refresh(&report)),
    }))
}

/// The pages that are asked, and how many there are.
fn chosen<'a>(
    registry: &'a Registry,
    memory: &Memory,
    limit: Option<usize>,
) -> (Vec<Page<'a>>, usize) {
    let mut asked = pages(registry, memory);
    let pages_named = asked.len();
    asked.truncate(limit.unwrap_or(usize::MAX));
    (asked, pages_named)
}

/// What a folder remembers; nothing where it is new.
fn remembered(out: &Path) -> Result<Memory, RunError> {
    let path = out.join(MEMORY);
    if !files::exists(&path) {
        return Ok(Memory::default());
    }
    let hint = "name the folder of an earlier refresh, or a new one";
    let text = files::read_text(&path, REFRESH_OCTETS);
    let text = text.map_err(|error| files::unreadable(&path, &error, hint))?;
    Ok(Memory::from_json(&path.to_string_lossy(), &text)?)
}

/// A round of visits, and where it writes.
struct Round<'a> {
    registry: &'a Registry,
    out: &'a Path,
    day: &'a str,
    files: Vec<String>,
}

impl Round<'_> {
    /// Makes the visits. What each gives is on disk before the next begins.
    fn made(
        &mut self,
        asked: &[Page<'_>],
        memory: &mut Memory,
        world: Option<&Path>,
    ) -> Result<Vec<Visit>, RunError> {
        let signals = Library::embedded()?.signals;
        internet::online(async {
            let opened = internet::open(world, "crawler registry refresh").await?;
            let pause = if opened.served.is_some() { Duration::ZERO } else { PAUSE };
            let (registry, fetcher) = (self.registry, &opened.fetcher);
            let mut inquiry = Inquiry::new(fetcher, registry, &signals, PRODUCT_TOKEN, pause);
            let bar = progress(asked.len());
            let mut visits = Vec::new();
            for page in asked {
                bar.set_message(page.url.to_owned());
                let at = clock::utc_now();
                let visit = inquiry.visit(page, &at, memory).await?;
                self.keep(&visit, &at, memory)?;
                visits.push(visit);
                bar.inc(1);
            }
            bar.finish_and_clear();
            Ok(visits)
        })
    }

    /// Writes what a visit gave: the candidates first, then that the page was read.
    fn keep(&mut self, visit: &Visit, at: &str, memory: &Memory) -> Result<(), RunError> {
        let moment = Stamp::parse(at).unwrap_or(Stamp::from_unix(0));
        for table in report::candidates(self.registry, visit, moment, self.day)? {
            if table.rows.is_empty() {
                continue;
            }
            let name = format!("{}-{}.csv", table.name, self.day);
            let path = self.out.join(&name);
            let mut file = match files::exists(&path) {
                true => Appended::cut_back(&path, files::octets(&path)?)?,
                false => {
                    let mut file = Appended::create(&path)?;
                    file.append(table.header.as_bytes())?;
                    file
                }
            };
            file.append(table.rows.as_bytes())?;
            file.sync()?;
            if !self.files.contains(&name) {
                self.files.push(name);
            }
        }
        let json = memory.to_json().map_err(|error| RunError::Failed(error.into()))?;
        Ok(files::write_whole(&self.out.join(MEMORY), json.as_bytes())?)
    }
}

/// How far the round is, told on a terminal alone.
fn progress(pages: usize) -> ProgressBar {
    let bar =
        ProgressBar::with_draw_target(Some(pages as u64), ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template("{bar:12} {pos}/{len} {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
