//! What a run was asked to do, made ready: everything refused that can be, nothing asked yet.

use std::path::PathBuf;
use std::sync::Arc;

use super::{RunError, identity, inputs};
use crate::clock;
use crate::fetch::{Fetcher, Vantage};
use crate::library::Library;
use crate::limits::{CONCURRENCY_MOST, Limits};
use crate::manifest::{Instrument, Request};
use crate::refusal::Refusal;
use crate::sample::Sample;
use crate::scan::Live;
use crate::store::RunFolder;
use crate::world::{self, Internet, Served};

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Order {
    /// The sample's file.
    pub sample: PathBuf,
    /// The run's seed.
    pub seed: u64,
    /// The run's folder; by default one under `runs/` that names sample, day and seed.
    pub out: Option<PathBuf>,
    /// Passes over the sample.
    pub attempts: u32,
    /// Domains asked at the same time.
    pub concurrency: usize,
    /// Domains begun in a second at most.
    pub rate: Option<u32>,
    /// A user-agent instead of the built-in one.
    pub user_agent: Option<String>,
    /// Whom a site may write to.
    pub contact: Option<String>,
    /// A library instead of the embedded one.
    pub library: Option<PathBuf>,
    /// A fixture internet instead of the real one.
    pub world: Option<PathBuf>,
}

impl Order {
    /// The command that gives the same results again.
    pub fn command(&self) -> String {
        let mut command =
            format!("scanner run --sample {}", quoted(&self.sample.to_string_lossy()));
        let mut add = |flag: &str, value: Option<String>| {
            if let Some(value) = value {
                command.push_str(&format!(" --{flag} {}", quoted(&value)));
            }
        };
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into());
        let is_off_method = self.attempts != Limits::METHOD.attempts;
        add("seed", Some(self.seed.to_string()));
        add("world", path(&self.world));
        add("attempts", is_off_method.then(|| self.attempts.to_string()));
        add("library", path(&self.library));
        add("user-agent", self.user_agent.clone());
        add("contact", self.contact.clone());
        command
    }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-_./:@+=,".contains(&octet);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A run that is ready to begin.
pub struct Prepared {
    pub(super) sample: Arc<Sample>,
    pub(super) library: Arc<Library>,
    pub(super) instrument: Instrument,
    pub(super) request: Request,
    pub(super) marks: Vec<String>,
    pub(super) out: PathBuf,
    pub(super) concurrency: usize,
    pub(super) rate: Option<u32>,
    pub(super) resolver: Vec<String>,
    internet: Option<Arc<dyn Internet>>,
    live: Option<Vantage>,
}

impl Prepared {
    /// Reads and checks everything that a run needs.
    pub fn of(order: &Order) -> Result<Self, RunError> {
        check_numbers(order)?;
        let sample = inputs::sample(&order.sample)?;
        let library = inputs::library(order.library.as_deref())?;
        if let Some(miss) = library.check().into_iter().next() {
            return Err(RunError::Refused(miss));
        }
        let user_agent =
            identity::user_agent(order.user_agent.as_deref(), order.contact.as_deref(), &library)
                .map_err(RunError::Usage)?;
        let internet = order.world.as_deref().map(world::open).transpose()?;
        let live = match internet {
            Some(_) => None,
            None => Some(Vantage::live().map_err(unfit)?),
        };
        let out = order.out.clone().unwrap_or_else(|| default_folder(&sample, order.seed));
        if !RunFolder::is_free(&out)? {
            let file = out.to_string_lossy();
            let hint = "name another folder with --out; a run never overwrites one";
            return Err(Refusal::of(&file, "the folder is not empty", hint).into());
        }
        let instrument = instrument(order, &library, internet.as_deref());
        let resolver = live.iter().flat_map(|live| &live.dns).map(ToString::to_string).collect();
        Ok(Self {
            marks: marks(order, &library),
            sample: Arc::new(sample),
            library: Arc::new(library),
            instrument,
            request: Request {
                seed: order.seed,
                user_agent,
                contact: order.contact.clone(),
                world: order.world.as_ref().map(|world| world.to_string_lossy().into_owned()),
            },
            out,
            concurrency: order.concurrency,
            rate: order.rate,
            resolver,
            internet,
            live,
        })
    }

    /// Why the run is off the method, or on a fixture internet.
    pub fn marks(&self) -> &[String] {
        &self.marks
    }

    /// Opens the source of observations, starting the fixture internet where one is asked for.
    pub(super) async fn connect(&self) -> Result<(Live, Option<Served>), RunError> {
        let served = match &self.internet {
            Some(internet) => Some(world::serve(Arc::clone(internet)).await?),
            None => None,
        };
        let vantage = match (&served, &self.live) {
            (Some(served), _) => Vantage::loopback(
                served.dns,
                served.https_port,
                served.http_port,
                &served.authority_der,
            )?,
            (None, Some(live)) => live.clone(),
            (None, None) => return Err(RunError::Unfit("there is no network to ask".to_owned())),
        };
        let limits = self.instrument.limits.clone();
        let user_agent = self.request.user_agent.clone();
        let fetcher = Fetcher::new(vantage, limits.clone(), user_agent)?;
        Ok((Live { fetcher, limits }, served))
    }
}

/// Refuses numbers that no run can have.
fn check_numbers(order: &Order) -> Result<(), RunError> {
    let refused = |message: String| Err(RunError::Usage(message));
    if order.attempts == 0 {
        return refused("--attempts 0 asks nobody".to_owned());
    }
    if order.concurrency == 0 || order.concurrency > CONCURRENCY_MOST {
        return refused(format!(
            "--concurrency {} is not between 1 and {CONCURRENCY_MOST}: more would forge timeouts",
            order.concurrency
        ));
    }
    if order.rate == Some(0) {
        return refused("--rate 0 asks nobody".to_owned());
    }
    Ok(())
}

/// `runs/<sample>@<day>-seed<N>`.
fn default_folder(sample: &Sample, seed: u64) -> PathBuf {
    PathBuf::from("runs").join(format!("{}@{}-seed{seed}", sample.name, clock::utc_today()))
}

/// The instrument of this run.
fn instrument(order: &Order, library: &Library, internet: Option<&dyn Internet>) -> Instrument {
    let mut limits = Limits { attempts: order.attempts, ..Limits::METHOD };
    if let Some(deadline_ms) = internet.and_then(Internet::deadline_ms) {
        limits = limits.with_deadline_ms(deadline_ms);
    }
    Instrument {
        method: library.method.clone(),
        library: library.name.clone(),
        library_status: library.status.to_string(),
        library_sha256: library.digest,
        limits,
    }
}

/// The marks of this run, each a reason.
fn marks(order: &Order, library: &Library) -> Vec<String> {
    let mut marks = Vec::new();
    if !library.is_frozen() {
        marks.push(format!("modified: the pattern library {} is a draft", library.name));
    }
    if order.library.is_some() {
        marks.push(format!("modified: another pattern library, {}", library.name));
    }
    if order.attempts != Limits::METHOD.attempts {
        let method = Limits::METHOD.attempts;
        marks.push(format!("modified: {} attempts where the method has {method}", order.attempts));
    }
    match &order.world {
        Some(world) => marks.push(format!("fixture internet: {}", world.display())),
        None if order.contact.is_none() => {
            marks.push("no contact: the user-agent names nobody to write to".to_owned());
        }
        None => {}
    }
    marks
}

/// A network that cannot be measured from.
fn unfit(error: std::io::Error) -> RunError {
    RunError::Unfit(format!("no DNS server is configured here: {error}"))
}
