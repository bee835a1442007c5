//! Asking one domain in one attempt: the addresses and the time that its exchanges share.
//!
//! A name is resolved once a session, so that all of a domain's requests see the same addresses.
//! Each request has a connection of its own: whether a pooled connection is still open when it is
//! taken again is a race, and its loser would be written down as the site's failure. An exchange
//! ends at the smaller of its own deadline and what is left of the domain's.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use url::{Host, Url};

use super::connector::Progress;
use super::exchange::{Trail, walk};
use super::failure::{Fault, OwnTrouble, Stop};
use super::resolve::{Servers, tried};
use super::transport::{Client, Reply, Settings};
use super::vantage::Vantage;
use crate::clock::Moment;
use crate::limits::Limits;
use crate::observation::{Exchange, Operation, Outcome, TransportMode};
use crate::sample::Domain;

/// Asks from one vantage, under limits, with one user-agent header.
pub struct Fetcher {
    vantage: Vantage,
    limits: Limits,
    servers: Servers,
    settings: Settings,
}

/// One domain in one attempt.
pub struct Session<'a> {
    fetcher: &'a Fetcher,
    domain: Domain,
    started: Moment,
    progress: Arc<Progress>,
    addresses: BTreeMap<String, Vec<IpAddr>>,
}

/// An exchange, and when it happened.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What was asked and how it ended.
    pub exchange: Exchange,
    /// What never goes into a result file.
    pub timing: Timing,
}

/// The circumstances of an exchange; they differ from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// When the exchange began, in milliseconds since its session did.
    pub started_ms: u64,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// The addresses of the last host that was asked, in the order of trying.
    pub addresses: Vec<IpAddr>,
    /// Who answered last, if anyone.
    pub remote: Option<SocketAddr>,
}

impl Fetcher {
    /// Prepares to ask. `Err` is a vantage, a limit or a user-agent header that cannot be used.
    pub fn new(vantage: Vantage, limits: Limits, user_agent: String) -> io::Result<Self> {
        let servers = Servers::new(&vantage.dns, Duration::from_millis(limits.resolve_ms))?;
        let settings = Settings::new(&vantage, &limits, user_agent).map_err(io::Error::other)?;
        Ok(Self { vantage, limits, servers, settings })
    }

    /// Begins a domain's attempt; its time runs from now.
    pub fn session(&self, domain: &Domain) -> Session<'_> {
        Session {
            fetcher: self,
            domain: domain.clone(),
            started: Moment::now(),
            progress: Arc::default(),
            addresses: BTreeMap::new(),
        }
    }
}

impl Session<'_> {
    /// Asks `https://{domain}{path}` and reads at most `body_limit` decoded octets of the body.
    pub async fn ask(&mut self, path: &str, body_limit: u64) -> Result<Asked, OwnTrouble> {
        let written = format!("https://{}{path}", self.domain);
        match Url::parse(&written) {
            Ok(url) => self.ask_url(url, body_limit).await,
            Err(_) => {
                // A sample may hold a name that DNS could carry and no URL can.
                let fault = Fault::new(TransportMode::Dns, Operation::Resolve, "bad_name");
                let exchange = Exchange::unasked(written, fault.unanswered());
                Ok(Asked { exchange, timing: Timing::default() })
            }
        }
    }

    /// Asks a URL, its port its own where it names one.
    pub async fn ask_url(&mut self, url: Url, body_limit: u64) -> Result<Asked, OwnTrouble> {
        let started_ms = self.started.elapsed_ms();
        let left_ms = self.limits().domain_ms.saturating_sub(started_ms);
        if left_ms == 0 {
            let exchange = Exchange::unasked(url.into(), Outcome::NotAttempted);
            return Ok(Asked { exchange, timing: Timing { started_ms, ..Timing::default() } });
        }
        let patience = Duration::from_millis(self.limits().exchange_ms.min(left_ms));
        let body_limit = usize::try_from(body_limit).unwrap_or(usize::MAX / 4);
        let mut trail = Trail::new(url);
        let walked = tokio::time::timeout(patience, walk(self, &mut trail, body_limit)).await;
        let end = match walked {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(Stop::Site(fault))) => Err(fault),
            Ok(Err(Stop::Own(trouble))) => return Err(trouble),
            Err(_) => Err(Fault::of_deadline(self.progress.operation())),
        };
        let timing = Timing {
            started_ms,
            elapsed_ms: self.started.elapsed_ms() - started_ms,
            addresses: trail.addresses.clone(),
            remote: trail.remote,
        };
        Ok(Asked { exchange: trail.ended(end), timing })
    }

    /// Resolves, guards, connects and reads a head, for the URL at which a trail stands.
    pub(super) async fn open(&mut self, trail: &mut Trail) -> Result<Reply, Stop> {
        trail.addresses = self.permitted(&trail.url).await?;
        let port = self.fetcher.vantage.port(&trail.url);
        let settings = &self.fetcher.settings;
        let client = Client::new(settings, &trail.url, &trail.addresses, port, &self.progress)
            .map_err(|_| OwnTrouble::client())?;
        self.progress.begin(Operation::Connect);
        client.get(&trail.url).await.map_err(|error| {
            let stop = Stop::of(&*error, self.progress.operation()).seen_from(&trail.addresses);
            trail.answered |= stop.is_answer();
            stop
        })
    }

    /// The limits of this session.
    pub(super) fn limits(&self) -> &Limits {
        &self.fetcher.limits
    }

    /// What this session is doing.
    pub(super) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The addresses to try for a URL's host, none of them forbidden. A name of which any address is
    /// forbidden is refused whole: mixed answers are a mistake or an attack.
    async fn permitted(&mut self, url: &Url) -> Result<Vec<IpAddr>, Stop> {
        self.progress.begin(Operation::Resolve);
        let addresses = match url.host() {
            Some(Host::Ipv4(address)) => vec![IpAddr::V4(address)],
            Some(Host::Ipv6(address)) => vec![IpAddr::V6(address)],
            Some(Host::Domain(name)) => match self.addresses.get(name) {
                Some(known) => return Ok(known.clone()),
                None => self.fetcher.servers.addresses(name).await?,
            },
            None => Vec::new(),
        };
        self.progress.begin(Operation::Guard);
        let refused =
            addresses.iter().find_map(|&address| self.fetcher.vantage.permitted.refuses(address));
        if let Some(cause) = refused {
            return Err(Fault::new(TransportMode::Connect, Operation::Guard, cause).into());
        }
        let addresses = tried(addresses);
        if let Some(Host::Domain(name)) = url.host() {
            self.addresses.insert(name.to_owned(), addresses.clone());
        }
        Ok(addresses)
    }
}

/// Whether the first exchange of an attempt shows that the host cannot be reached at all, so that
/// the others need not be tried.
pub fn ends_attempt(exchange: &Exchange) -> bool {
    exchange.failure().is_some_and(|failure| match failure.mode {
        TransportMode::Dns | TransportMode::Connect | TransportMode::Tls => true,
        TransportMode::Timeout | TransportMode::Reset => !failure.answered,
        _ => false,
    })
}
