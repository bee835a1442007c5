//! What a run was asked to do, made ready: everything refused that can be, nothing asked yet.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::courtesy::{Courtesy, Settled};
use super::fitness::{self, Fitness};
use super::replay::Archives;
use super::{RunError, identity, inputs};
use crate::archive::{Keeper, Warcinfo};
use crate::clock;
use crate::fetch::{ADDRESS_FAMILY, FIXTURE_ROOTS, Fetcher, LIVE_ROOTS, Vantage};
use crate::files;
use crate::library::Library;
use crate::limits::{ATTEMPTS_MOST, CONCURRENCY_MOST, Limits, RATE_MOST};
use crate::manifest::{Instrument, NO_CONTACT, Request};
use crate::message::request_fields;
use crate::observation::Kept;
use crate::refusal::Refusal;
use crate::sample::Sample;
use crate::scan::Live;
use crate::store::RunFolder;
use crate::words::quoted;
use crate::world::{self, Internet, Served};

/// The specification that the evidence holds to.
const WARC_SPECIFICATION: &str =
    "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/";

/// The mark of a run that keeps no evidence.
pub(super) const NO_EVIDENCE: &str = "no evidence: no verdict of this run can be verified";

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
    /// Limits other than the method's, by name.
    pub limits: Vec<(String, u64)>,
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
    /// DNS servers instead of the system's.
    pub resolver: Vec<SocketAddr>,
    /// How others are treated.
    pub courtesy: Courtesy,
    /// How much of what is seen is kept as evidence.
    pub evidence: Kept,
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
        for (name, number) in &self.limits {
            add("limit", Some(format!("{name}={number}")));
        }
        add("library", path(&self.library));
        add("user-agent", self.user_agent.clone());
        add("contact", self.contact.clone());
        add("exclude", path(&self.courtesy.exclude));
        add("evidence", (self.evidence != Kept::Full).then(|| self.evidence.to_string()));
        command
    }
}

/// A run that is ready to begin.
pub struct Prepared {
    pub(super) sample_file: PathBuf,
    pub(super) library_folder: Option<PathBuf>,
    pub(super) sample: Arc<Sample>,
    pub(super) library: Arc<Library>,
    pub(super) instrument: Instrument,
    pub(super) request: Request,
    pub(super) marks: Vec<String>,
    pub(super) out: PathBuf,
    pub(super) concurrency: usize,
    pub(super) rate: Option<u32>,
    pub(super) resolver: Vec<String>,
    pub(super) courtesy: Settled,
    pub(super) asked: Asked,
}

/// Who is asked.
pub(super) enum Asked {
    /// A fixture internet.
    World(Arc<dyn Internet>),
    /// The internet.
    Live(Vantage),
    /// Nobody: archives are read.
    Archives(Archives),
}

impl Prepared {
    /// Reads and checks everything that a run needs; its folder is new or empty.
    pub fn of(order: &Order) -> Result<Self, RunError> {
        Self::within(order, |sample| match &order.out {
            Some(out) => free_folder(out),
            None => {
                let today = clock::utc_today();
                default_folder(&format!("{}@{today}-seed{}", sample.name, order.seed))
            }
        })
    }

    /// Reads and checks everything that a run needs to go on in its folder.
    pub(super) fn again(order: &Order, folder: &Path) -> Result<Self, RunError> {
        Self::within(order, |_| Ok(folder.to_owned()))
    }

    /// Reads and checks everything that a run needs, its folder chosen by `out`.
    fn within(
        order: &Order,
        out: impl FnOnce(&Sample) -> Result<PathBuf, RunError>,
    ) -> Result<Self, RunError> {
        check_numbers(order)?;
        let limits = limits(order)?;
        let sample = inputs::sample(&order.sample)?;
        let library = inputs::library(order.library.as_deref())?;
        if let Some(miss) = library.check().into_iter().next() {
            return Err(RunError::Refused(miss));
        }
        let user_agent =
            identity::user_agent(order.user_agent.as_deref(), order.contact.as_deref(), &library)
                .map_err(RunError::Usage)?;
        let internet = order.world.as_deref().map(world::open).transpose()?;
        if internet.is_some() && !order.resolver.is_empty() {
            let message = "--resolver: a fixture internet has a DNS server of its own";
            return Err(RunError::Usage(message.to_owned()));
        }
        let courtesy = order.courtesy.settled(internet.is_some())?;
        let out = out(&sample)?;
        let marks = marks(order, &library, &limits);
        let instrument = instrument(limits, &library, internet.as_deref());
        let asked = match internet {
            Some(internet) => Asked::World(internet),
            None if order.resolver.is_empty() => Asked::Live(Vantage::live().map_err(unfit)?),
            None => Asked::Live(Vantage::asking(order.resolver.clone())),
        };
        let (resolver, roots) = match &asked {
            Asked::Live(live) => (live.dns.iter().map(ToString::to_string).collect(), LIVE_ROOTS),
            _ => (Vec::new(), FIXTURE_ROOTS),
        };
        Ok(Self {
            sample_file: order.sample.clone(),
            library_folder: order.library.clone(),
            marks,
            sample: Arc::new(sample),
            library: Arc::new(library),
            instrument,
            request: Request {
                seed: order.seed,
                headers: request_fields(&user_agent),
                roots: roots.to_owned(),
                user_agent,
                contact: order.contact.clone(),
                address_family: ADDRESS_FAMILY,
                world: order.world.as_ref().map(|world| world.to_string_lossy().into_owned()),
                exclusions: courtesy.excluded(),
                source: None,
                evidence: order.evidence,
            },
            courtesy,
            out,
            concurrency: order.concurrency,
            rate: order.rate,
            resolver,
            asked,
        })
    }

    /// Why the run is off the method, or on a fixture internet.
    pub fn marks(&self) -> &[String] {
        &self.marks
    }

    /// What makes evidence of the observations, where any is kept.
    pub(super) fn keeper(&self, started_at: &str) -> io::Result<Option<Keeper>> {
        let Self { sample, instrument, request, .. } = self;
        if request.evidence == Kept::None {
            return Ok(None);
        }
        let limits = serde_json::to_string(&instrument.limits)?;
        let text = str::to_owned;
        let fields = vec![
            ("software", format!("scanner/{}", Instrument::VERSION)),
            ("format", text("WARC File Format 1.1")),
            ("conformsTo", text(WARC_SPECIFICATION)),
            ("http-header-user-agent", request.user_agent.clone()),
            ("scanner-instrument-sha256", instrument.digest().to_string()),
            ("scanner-library", instrument.library.clone()),
            ("scanner-library-sha256", instrument.library_sha256.to_string()),
            ("scanner-limits", limits),
            ("scanner-sample", sample.name.clone()),
            ("scanner-sample-sha256", sample.digest.to_string()),
            ("scanner-seed", request.seed.to_string()),
            ("scanner-kept", request.evidence.to_string()),
        ];
        let info = Warcinfo { date: started_at.to_owned(), fields };
        let (limits, user_agent) = (instrument.limits.clone(), request.user_agent.clone());
        Keeper::new(request.evidence, limits, user_agent, &info).map(Some)
    }

    /// Opens the network, starting the fixture internet where one is asked for; none where archives
    /// are read.
    pub(super) async fn connect(&self) -> Result<Option<(Live, Option<Served>)>, RunError> {
        let (vantage, served) = match &self.asked {
            Asked::Archives(_) => return Ok(None),
            Asked::Live(live) => (live.clone(), None),
            Asked::World(internet) => {
                let served = world::serve(Arc::clone(internet)).await?;
                let (https, http) = (served.https_port, served.http_port);
                let vantage = Vantage::loopback(served.dns, https, http, &served.authority_der)?;
                (vantage, Some(served))
            }
        };
        self.preflight(&vantage).await?;
        let limits = self.instrument.limits.clone();
        let user_agent = self.request.user_agent.clone();
        let tokens = identity::product_tokens(&user_agent);
        let fetcher = Fetcher::new(vantage, limits.clone(), user_agent)?;
        let fetcher = fetcher.behaving(self.courtesy.conduct());
        Ok(Some((Live { fetcher, limits, tokens }, served)))
    }
}

impl Prepared {
    /// Refuses to begin where no study can be made: descriptors always, the network where canaries
    /// can show it.
    async fn preflight(&self, vantage: &Vantage) -> Result<(), RunError> {
        let is_fixture = matches!(self.asked, Asked::World(_));
        let mut checks = vec![fitness::of_descriptors(self.concurrency, is_fixture)];
        let canaries = &self.courtesy.canaries;
        if !canaries.is_empty() {
            let limits = &self.instrument.limits;
            let user_agent = &self.request.user_agent;
            checks.extend(fitness::of_network(vantage, limits, user_agent, canaries).await?);
        }
        match checks.into_iter().find(|check| check.fitness == Fitness::Unfit) {
            None => Ok(()),
            Some(unfit) => {
                let hint = unfit.hint.unwrap_or_default();
                Err(RunError::Unfit(format!(
                    "{}: {}\nhint: {hint}; `scanner doctor` says more",
                    unfit.subject, unfit.said
                )))
            }
        }
    }
}

/// Refuses numbers that no run can have.
fn check_numbers(order: &Order) -> Result<(), RunError> {
    let refused = |message: String| Err(RunError::Usage(message));
    if order.attempts == 0 || order.attempts > ATTEMPTS_MOST {
        return refused(format!(
            "--attempts {} is not between 1 and {ATTEMPTS_MOST}",
            order.attempts
        ));
    }
    if order.concurrency == 0 || order.concurrency > CONCURRENCY_MOST {
        return refused(format!(
            "--concurrency {} is not between 1 and {CONCURRENCY_MOST}: more would forge timeouts",
            order.concurrency
        ));
    }
    if let Some(rate) = order.rate.filter(|rate| *rate == 0 || *rate > RATE_MOST) {
        return refused(format!("--rate {rate} is not between 1 and {RATE_MOST}"));
    }
    Ok(())
}

/// The folder asked for, which must be new or empty.
pub(super) fn free_folder(out: &Path) -> Result<PathBuf, RunError> {
    let out: PathBuf = out.components().collect();
    let refused = |message: &str| {
        let hint = "name another folder with --out; a run never overwrites one";
        Err(Refusal::of(&out.to_string_lossy(), message, hint).into())
    };
    match RunFolder::is_free(&out)? {
        true => Ok(out),
        false if files::is_folder(&out) => refused("the folder is not empty"),
        false => refused("a file is in its place"),
    }
}

/// A folder under `runs/`, numbered from the second run of the same name on.
pub(super) fn default_folder(name: &str) -> Result<PathBuf, RunError> {
    let first = PathBuf::from("runs").join(name);
    let later = (2..).map(|number: u64| PathBuf::from("runs").join(format!("{name}-{number}")));
    for folder in std::iter::once(first).chain(later) {
        if RunFolder::is_free(&folder)? {
            return Ok(folder);
        }
    }
    Err(RunError::Usage("no folder under runs/ is free".to_owned()))
}

/// The limits asked for.
fn limits(order: &Order) -> Result<Limits, RunError> {
    let mut limits = Limits { attempts: order.attempts, ..Limits::METHOD };
    for (name, number) in &order.limits {
        limits.set(name, *number).map_err(|why| RunError::Usage(format!("--limit: {why}")))?;
    }
    Ok(limits)
}

/// The instrument of this run.
fn instrument(
    mut limits: Limits,
    library: &Library,
    internet: Option<&dyn Internet>,
) -> Instrument {
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
fn marks(order: &Order, library: &Library, limits: &Limits) -> Vec<String> {
    let mut marks = library_marks(library);
    if order.attempts != Limits::METHOD.attempts {
        let method = Limits::METHOD.attempts;
        marks.push(format!("modified: {} attempts where the method has {method}", order.attempts));
    }
    marks.extend(limits.departures().into_iter().map(|departure| format!("modified: {departure}")));
    if order.evidence == Kept::None {
        marks.push(NO_EVIDENCE.to_owned());
    }
    match &order.world {
        Some(world) => marks.push(format!("fixture internet: {}", world.display())),
        None if order.contact.is_none() => {
            marks.push(format!("{NO_CONTACT}: the user-agent names nobody to write to"));
        }
        None => {}
    }
    marks
}

/// The marks that a run has by its library.
pub(super) fn library_marks(library: &Library) -> Vec<String> {
    let mut marks = Vec::new();
    if !library.is_frozen() {
        marks.push(format!("modified: the pattern library {} is a draft", library.name));
    }
    if library.digest != Library::embedded_digest() {
        marks.push(format!("modified: another pattern library, {}", library.name));
    }
    marks
}

/// A network that cannot be measured from.
fn unfit(error: io::Error) -> RunError {
    RunError::Unfit(format!("no DNS server is configured here: {error}"))
}
